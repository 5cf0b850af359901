/* From a problem to a program. Needs no device, only its limits. */
#ifndef WEFT_PLAN_PLANNER_H
#define WEFT_PLAN_PLANNER_H

#include "base/arena.h"
#include "spec/limits.h"
#include "spec/plan.h"
#include "spec/problem.h"
#include "spec/program.h"

/* All three put what they make into the arena. MEMORY; UNSUPPORTED: a size that the limits cannot
 * hold, or more passes than a program holds. */

/* The best tree by the cost model. */
weft_status plan_best(arena *a, const struct problem *problem, const struct limits *limits,
                      const struct plan_node **tree);

/* Up to `most` different trees, the best by the model first, and how many: at least one. */
weft_status plan_candidates(arena *a, const struct problem *problem, const struct limits *limits,
                            int most, const struct plan_node **tree, int *count);

/* Lowers a tree to passes. */
weft_status plan_lower(arena *a, const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree, const struct program **program);

/* Whether the tree is one that the planner may make for the problem: for its axes, in each place an
 * algorithm that serves there, every block within the limits and of radices they have. Asked of
 * trees from elsewhere before they are lowered. Needs trees whose numbers agree (plan_parse()).
 * UNSUPPORTED, with the reason. (check.c) */
weft_status plan_check(const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree);

#endif
