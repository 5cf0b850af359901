/* Sums of a prime's line (sum.h) as convolutions, and of twice a prime's as two of these, whose
 * numbers are sums and differences, in an order that leaves no factors between (Good 1958). With j
 * and k in the order of the powers of a generator, cosines are a circulant of (p - 1) / 2 and sines
 * one with a change of sign. Polynomials modulo z^(a b) -+ 1, a odd, are such of length b modulo
 * z^b -+ w^f, w of order a: transforms of a numbers there and back, a matrix product of b for
 * f = 0, and for the others, two and two of which are conjugates, four. So of 127 as 9 x 7 there
 * are a quarter of the products. (Experiments "circulants" and "circulants of narrow vectors" in
 * docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_CIRCULANT_H
#define WEFT_DEVICE_CPU_CIRCULANT_H

#include "device/cpu/engine.h"
#include "spec/lone_sums.h"

/* Term i b + j is a number plus or minus its mirror, and so are the results: `from` has the first
 * reals of a vector's numbers and then those of their mirrors, `to` a number's and its mirror's. */
struct circulant {
    int p, a, b, vectors; /* of a row's b pairs */
    int lines;            /* 1 or 2, of which each has `to`, one behind the other */
    const uint16_t *from, *to;
    const void *turns;   /* cosine and sine of i f / a, for each f from 1 to a / 2, of every i */
    const void *factors; /* of cosines and then of sines; for each f windows of b pairs alike, the
                          * last one's first; of f > 0 the real ones and the imaginary ones */
};

/* Reals of a sequence of windows. */
static inline int circulant_window(const struct circulant *c, int lanes)
{
    return 2 * (c->b - 1) + c->vectors * lanes;
}

/* Of a prime that has parts, or twice one. NULL: no memory. It goes with the kernel. */
const struct circulant *circulant_make(struct kernel *kernel, int n);

#if defined(__x86_64__)
/* Codelets as of sum.h, with that as `fine`. */
codelet_function circulant_forward_avx512_f64, circulant_inverse_avx512_f64;
codelet_function circulant_forward_avx2_f32, circulant_inverse_avx2_f32;
codelet_function circulant_forward_avx2_f64, circulant_inverse_avx2_f64;
#endif

#endif
