/* Numbers of 113 bits, which compilers compute with: to judge those of 106. */
#ifndef WEFT_TESTS_QUAD_H
#define WEFT_TESTS_QUAD_H

#include <float.h>

#include "math/extended.h"

#if LDBL_MANT_DIG == 113
typedef long double quad;
#else
__extension__ typedef __float128 quad;
#endif

static inline quad quad_of(struct extended x)
{
    return (quad)x.hi + (quad)x.lo;
}

#endif
