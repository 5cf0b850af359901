/* Strides without their signs. */
#ifndef WEFT_PLAN_STRIDE_H
#define WEFT_PLAN_STRIDE_H

#include <stdint.h>

static inline int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

#endif
