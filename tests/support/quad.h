/* Numbers of 113 bits, which compilers compute with: to judge those of 106. */
#ifndef WEFT_TESTS_QUAD_H
#define WEFT_TESTS_QUAD_H

#include <float.h>
#include <stdint.h>

#if LDBL_MANT_DIG == 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

/* Of an unevaluated sum of two doubles, struct extended or struct reference_extended. */
#define quad_of(x) ((quad)(x).hi + (quad)(x).lo)

/* exp(-2 pi i k / n) for 0 <= k < n, from Taylor's series of a 256th of the angle. */
struct quad_root {
    quad re, im;
};

static inline struct quad_root quad_root(int64_t k, int64_t n)
{
    const quad turn = (quad)6.283185307179586 + (quad)2.4492935982947064e-16 +
                      (quad)-5.989539619436679e-33;
    const quad x = turn * (quad)k / (quad)n / 256;
    quad less = 0, sine = 0, power = 1; /* the cosine is 1 + less */
    for (int j = 1; j < 24; j++) {
        power *= x / j;
        *(j % 2 ? &sine : &less) += j & 2 ? -power : power;
    }
    for (int i = 0; i < 8; i++) {
        const quad doubled = 2 * sine * (1 + less);
        less = -2 * sine * sine;
        sine = doubled;
    }
    return (struct quad_root){1 + less, -sine};
}

#endif
