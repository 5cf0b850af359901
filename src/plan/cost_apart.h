/* What it takes on a CPU that the lines of a tile lie apart at an end of their pass. (Experiments
 * "estimates" and "cuts beyond the second level" in docs/experiments.) */
#ifndef WEFT_PLAN_COST_APART_H
#define WEFT_PLAN_COST_APART_H

#include "plan/cost.h"
#include "spec/pass.h"

/* How many times longer its lines take to compute, and to move. */
double cost_apart_computing(const struct cost_machine *machine, const struct pass *pass);
double cost_apart_moving(const struct cost_machine *machine, const struct pass *pass);

#endif
