#ifndef WEFT_PLAN_COST_SUMS_H
#define WEFT_PLAN_COST_SUMS_H

#include "plan/cost.h"

/* The first step of a CPU's contiguous line of n numbers, of a prime, butterfly by butterfly as
 * sums of products (opening_sums()). */
double cost_opening_sums(const struct cost_machine *machine, int64_t n, int radix);

#endif
