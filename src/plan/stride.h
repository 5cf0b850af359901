/* What strides are to memory. */
#ifndef WEFT_PLAN_STRIDE_H
#define WEFT_PLAN_STRIDE_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Whether rows so many bytes apart fall into few sets of a cache. */
static inline bool shares_cache_sets(int64_t bytes)
{
    return bytes % 4096 == 0;
}

#endif
