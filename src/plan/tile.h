/* What fits one block: the tile that a pass keeps in fast memory. */
#ifndef WEFT_PLAN_TILE_H
#define WEFT_PLAN_TILE_H

#include "spec/limits.h"
#include "spec/problem.h"

/* Bytes of fast memory for one line of n elements: on a CPU the tile and its twin, since Stockham
 * steps go from one to the other; on a GPU values wait in registers, and one part of them after the
 * other passes through. */
static inline int64_t tile_bytes(const struct limits *limits, weft_precision precision, int64_t n)
{
    int copies = limits->vector_bytes > 0 ? 4 : 1;
    return n * precision_bytes(precision) * copies;
}

/* How many lines of n elements a tile holds. 0: not one. */
static inline int64_t tile_lines(const struct limits *limits, weft_precision precision, int64_t n)
{
    /* Compared by division first: n may be near the end of the integers. */
    if (n > limits->shared_bytes) return 0;
    return limits->shared_bytes / tile_bytes(limits, precision, n);
}

/* Whether both buffers of a CPU's tile of one line are so near the first level that a split of the
 * line gains nothing. */
static inline bool tile_is_near(const struct limits *limits, weft_precision precision, int64_t n)
{
    return tile_bytes(limits, precision, n) <= 2 * limits->cache_bytes[0];
}

#endif
