/* Problems that convolve: which trees there are. */
#ifndef WEFT_PLAN_CONVOLUTION_H
#define WEFT_PLAN_CONVOLUTION_H

#include "plan/search.h"

/* Whether the axis may go there and back in one with the product: PLAN_CONVOLUTION. */
bool convolution_may_fuse(const struct problem *p, int axis);

/* Whether what is behind the forward transforms is done for some kernels after the other: on a CPU,
 * so that products are still in a cache when they are transformed back. No axis goes there and
 * back then, which would be transformed anew for each. A GPU has more to do with all at once. */
bool convolution_takes_turns(const struct problem *p, const struct limits *limits);

/* Adds that node for an axis. */
void convolution_propose(struct search *s, const struct task *task, struct candidates *list);

#endif
