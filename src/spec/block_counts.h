/* Arithmetic of counts that the files about blocks share, here and in kernel/. */
#ifndef WEFT_SPEC_BLOCK_COUNTS_H
#define WEFT_SPEC_BLOCK_COUNTS_H

#include <stdint.h>

static inline int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static inline int64_t quotient_up(int64_t x, int64_t y)
{
    return (x + y - 1) / y;
}

#endif
