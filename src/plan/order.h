/* In which order the axes of a problem are taken. */
#ifndef WEFT_PLAN_ORDER_H
#define WEFT_PLAN_ORDER_H

#include "plan/cost.h"
#include "spec/plan.h"
#include "spec/problem.h"

/* So many axes, from the first on, may be taken in any order: all but one of reals that half a
 * spectrum is made of, which is taken first, or last. 0: the problem convolves, whose spectra are
 * in the order of its axes. */
int order_free_axes(const struct problem *p);

/* Puts the axes of a problem, and what its tree does to them, into the tree's order, if it says
 * one: then they are taken last to first. */
void order_apply(struct problem *p, struct plan_node *tree);

/* Whether PLAN_AXES takes but these out of their order, and so that what lies between two axes has
 * room in the output's strides if it has in the problem's own order. */
bool order_serves(const struct problem *p, const struct plan_node *tree);

/* Exchanges the i-th and the j-th in the order of a tree of PLAN_AXES without images. */
void order_exchange(struct plan_node *tree, int i, int j);

/* Bytes that a pass reads and writes, and whether that is beyond the second-level cache; `far`:
 * the arrays as a whole are. */
struct order_traffic {
    double read, written;
    bool reads_far, writes_far, far;
    bool past; /* what can go past the caches does: no cache has all, nor a later pass needs it */
};

/* What a pass adds to the cost of an order on a CPU: arithmetic, and what memory takes for a cache
 * line that is fetched before it is written, unless the pass has read it. Both one after the other,
 * and neither as the model has it: which of rows and columns are quicker depends on more than it
 * knows. (Experiment "orders" in docs/experiments.) */
double order_pass_seconds(const struct cost_machine *machine, const struct pass *pass,
                          const struct order_traffic *traffic);

/* What each of so many steps of a stage touches and meets again: of ranges what lies between its
 * passes. */
double order_step_elements(const struct cost_machine *machine, const struct program *program,
                           const struct program_stage *stage, double repeats);

#endif
