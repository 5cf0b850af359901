/* Whether two elements of an output would share a place. */
#ifndef WEFT_API_ALIASING_H
#define WEFT_API_ALIASING_H

#include "spec/problem.h"

/* Dimensions of an output: those of a problem, and the kernels of a convolution. */
#define ALIASING_MOST_DIMS (PROBLEM_MAX_DIMS + 1)

/* OK if the out_strides of `rank` dimensions give every element a place of its own; otherwise
 * LAYOUT. Exact for layouts whose dimensions nest and for any other that spans up to
 * ALIASING_MOST_PLACES; larger layouts that do not nest are refused with a message that says so. */
weft_status aliasing_check(int rank, const struct dim *dim);

#define ALIASING_MOST_PLACES (INT64_C(1) << 28)

#endif
