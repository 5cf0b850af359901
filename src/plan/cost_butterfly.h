/* What a CPU's butterfly computes. */
#ifndef WEFT_PLAN_COST_BUTTERFLY_H
#define WEFT_PLAN_COST_BUTTERFLY_H

#include "spec/limits.h"

/* Of a complex product. */
#define COST_TWIDDLE_OPERATIONS 6

/* Whether the radix's butterfly is by definition. */
bool cost_is_large_prime(int radix);

/* Operations of one that opens a line, is its last, or neither, where so many lines are done at
 * once. */
double cost_butterfly_operations(const struct limits *limits, int radix, bool opens, bool last,
                                 int64_t columns);

#endif
