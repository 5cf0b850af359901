/* First steps of a CPU's contiguous lines that are sums of products, butterfly by butterfly: of
 * large primes, and of butterflies that are too few to fill vectors. */
#ifndef WEFT_SPEC_OPENING_SUMS_H
#define WEFT_SPEC_OPENING_SUMS_H

#include "math/factor.h"

/* From this radix on in any case. */
#define OPENING_SUMS 17

/* Of smaller primes where there are fewer butterflies than this and than a vector's lanes.
 * (Experiment "few butterflies" in docs/experiments.) */
#define OPENING_SUMS_LEAST 11
#define OPENING_SUMS_FEW   8

/* lanes: of the widest vectors. */
static inline bool opening_sums(int radix, int64_t butterflies, int64_t lanes)
{
    const bool few = butterflies < lanes && butterflies < OPENING_SUMS_FEW;
    return radix >= (few ? OPENING_SUMS_LEAST : OPENING_SUMS) && is_prime(radix);
}

#endif
