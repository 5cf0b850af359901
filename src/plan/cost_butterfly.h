/* What a CPU's butterfly computes. */
#ifndef WEFT_PLAN_COST_BUTTERFLY_H
#define WEFT_PLAN_COST_BUTTERFLY_H

#include "spec/limits.h"

/* Of a complex product. */
#define COST_TWIDDLE_OPERATIONS 6

/* Whether the radix's butterfly is by definition. */
bool cost_is_large_prime(int radix);

/* One that opens a line, is its last, or neither, where so many lines are done at once. */
struct cost_butterfly {
    bool opens, last;
    bool kept; /* the last, which leaves planes */
    int64_t columns;
};

/* Operations of it. */
double cost_butterfly_operations(const struct limits *limits, int radix,
                                 const struct cost_butterfly *place);

#endif
