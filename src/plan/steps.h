/* How axes are taken together, over one part of the array after the other. */
#ifndef WEFT_PLAN_STEPS_H
#define WEFT_PLAN_STEPS_H

#include "plan/lower.h"

/* Dimensions that a stage repeats over: some within its passes, the others around them. */
struct repeats {
    int inside, outside;
    struct placed_dim in[PROBLEM_MAX_DIMS + 1];
    struct placed_dim out[PROBLEM_MAX_DIMS + 1];
};

/* The first of l->problem's last axes of which a cache holds what a step of all of them touches; at
 * least the last one. */
int steps_first_axis(const struct lowering *l, const struct plan_node *tree);

/* What a stage of the axes from that one on repeats over, of a problem without ranges. */
struct repeats steps_repeats(const struct lowering *l, const struct plan_node *tree, int first);

/* Whether a pass can have the axis of l->problem for columns whose results go past the caches: in
 * several steps, by tiles that stay in the second level, where rows begin with lines of the cache.
 * To PASS_WORK from where another array is written. */
bool axes_stream_columns(const struct lowering *l, const struct plan_node *node,
                         const struct dim *axis, enum pass_place to);

/* Makes the axis the line. */
void lines_set_axis(struct lines *lines, const struct problem *p, int axis);

#endif
