/* Trees of a problem, ranked by their programs: of an axis, of several, of convolutions. */
#ifndef WEFT_PLAN_RANK_H
#define WEFT_PLAN_RANK_H

#include "plan/ranking.h"
#include "plan/search.h"
#include "spec/program.h"

/* `work` is a program that each tree is lowered into. Those that can be lowered are in the ranking
 * afterwards, and nothing that was in it before. */

/* A list of trees by their programs for `problem`: the search's, or one of an axis of it. */
void rank_list(const struct search *s, const struct problem *problem,
               const struct candidates *list, struct program *work, struct ranking *ranking);

/* Trees of one axis of the search's problem. UNSUPPORTED: none is within the limits. */
weft_status rank_axis(struct search *s, int axis, struct program *work, struct ranking *ranking);

/* Trees of a problem of several axes, and of one that convolves. MEMORY; UNSUPPORTED. */
weft_status rank_axes(struct search *s, struct program *work, struct ranking *ranking);
weft_status rank_convolution(struct search *s, struct program *work, struct ranking *ranking);

/* A tree of the best one of each axis, but for axis `changed` (-1: none), which has its `choice`.
 * NULL: no memory. */
struct plan_node *rank_axes_node(struct search *s, const struct ranking *axis, int changed,
                                 int choice);

#endif
