/* Problems that convolve: which trees there are. */
#ifndef WEFT_PLAN_CONVOLUTION_H
#define WEFT_PLAN_CONVOLUTION_H

#include "plan/search.h"

/* Whether the axis may go there and back in one with the product: PLAN_CONVOLUTION. */
bool convolution_may_fuse(const struct problem *p, int axis);

/* Adds that node for an axis. */
void convolution_propose(struct search *s, const struct task *task, struct candidates *list);

#endif
