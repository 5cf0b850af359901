/* The order of loops, in passes and in scratch. */
#ifndef WEFT_PLAN_PLACE_H
#define WEFT_PLAN_PLACE_H

#include "plan/lower.h"

/* By the stride written with, then by the one read with. */
bool place_faster(const struct dim *a, const struct dim *b);

/* Whether so many lines beside each other are too few for the columns of a split's tiles. */
bool place_is_few(const struct lowering *l, int64_t lines);

#endif
