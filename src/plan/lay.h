/* Lines of reals that lie apart, too long for a tile: laid one behind the other in PASS_LAID,
 * transformed there as contiguous ones, and put back. */
#ifndef WEFT_PLAN_LAY_H
#define WEFT_PLAN_LAY_H

#include "plan/lower.h"

/* Whether a CPU lays the lines of an axis, which `single` is the problem of. */
bool lay_suits(const struct problem *whole, const struct problem *single,
               const struct limits *limits);

/* The problem of lines that are laid, from PASS_LAID to there. */
struct problem lay_problem(const struct problem *single, const struct limits *limits);

/* Appends the stages of an axis of l->problem, which is `single` by itself, from there to l->to. */
void lay_lower(struct lowering *l, const struct plan_node *node, const struct problem *single,
               enum pass_place from);

#endif
