/* Primes whose lines of pairs a CPU does as sums of products, where a plan would convolve them. */
#ifndef WEFT_SPEC_LONE_SUMS_H
#define WEFT_SPEC_LONE_SUMS_H

#include "math/factor.h"
#include "spec/limits.h"

/* The last one, and that of doubles where vectors have eight of them. */
#define LONE_SUMS_MOST      127
#define LONE_SUMS_MOST_WIDE 131

static inline bool lone_sums(int64_t n, const struct limits *limits, weft_precision precision)
{
    const bool wide = limits->vector_bytes == 64 && precision == WEFT_F64;
    return n <= (wide ? LONE_SUMS_MOST_WIDE : LONE_SUMS_MOST) && is_prime(n);
}

#endif
