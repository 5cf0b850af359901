/* An odd line of reals in r / 2 + 1 of the r lines that it is cut into: the others are conjugates.
 * PLAN_REAL or PLAN_TRIGONOMETRIC whose child is of n / r. */
#ifndef WEFT_PLAN_ODD_H
#define WEFT_PLAN_ODD_H

#include "plan/lower.h"
#include "plan/search.h"

/* Whether a node is such a one, and whether a device can do lines of the problem so. */
bool odd_is_cut(const struct plan_node *node);
bool odd_suits(const struct problem *problem, const struct limits *limits,
               const struct plan_node *node);

void odd_propose(struct search *s, enum plan_kind kind, const struct task *task,
                 struct candidates *list);
/* Adds nodes that take lines two by two but cut the last one of an odd number: child[1]. */
void odd_propose_last(struct search *s, struct candidates *list);
void odd_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
/* Of reals that stand for more, at both ends, between two sweeps. */
void odd_lower_reflected(struct lowering *l, const struct plan_node *node,
                         const struct lines *lines);

/* Of a pass that pass_opens() tells, between these levels. */
double cost_opening(const struct cost_machine *machine, const struct pass *pass, int from_level,
                    int to_level);

/* What a line takes more of which a pass makes numbers, or which it makes of numbers, itself. */
double cost_lone(const struct cost_machine *machine, const struct pass *pass);

#endif
