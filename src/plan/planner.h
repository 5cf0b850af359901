/* From a problem to a program. Needs no device, only its limits. */
#ifndef WEFT_PLAN_PLANNER_H
#define WEFT_PLAN_PLANNER_H

#include "base/arena.h"
#include "spec/limits.h"
#include "spec/plan.h"
#include "spec/problem.h"
#include "spec/program.h"

/* The best tree by the cost model. NULL: no memory, or a size that the limits cannot hold
 * (error_last() says which). */
const struct plan_node *plan_best(arena *a, const struct problem *problem,
                                  const struct limits *limits);

/* Up to `most` different trees, the best by the model first; returns how many. 0 as NULL above. */
int plan_candidates(arena *a, const struct problem *problem, const struct limits *limits, int most,
                    const struct plan_node **tree);

/* Lowers a tree to passes. NULL: no memory, or more passes than a program holds. */
const struct program *plan_lower(arena *a, const struct problem *problem,
                                 const struct limits *limits, const struct plan_node *tree);

#endif
