/* One plan run by several threads at once. */
#ifndef TESTS_SUPPORT_SHARED_PLAN_H
#define TESTS_SUPPORT_SHARED_PLAN_H

#include "support/trial.h"

/* Every thread gets to the bit what one thread alone does. `random_data` makes so many complex
 * numbers, to be freed. */
void shared_plan_check(weft_device *device, const weft_plan *plan, const struct trial *trial,
                       double *(*random_data)(int64_t elements));

#endif
