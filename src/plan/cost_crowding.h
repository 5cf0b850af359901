/* What a CPU's steps take more where legs of a tile meet in the first level, and vectors are half a
 * line of the cache. (Experiments "half a line" and "crowded rows" in docs/experiments.) */
#ifndef WEFT_PLAN_COST_CROWDING_H
#define WEFT_PLAN_COST_CROWDING_H

#include "plan/cost.h"

/* Seconds of a step on a line: as cost_line_step(). */
double cost_crowding(const struct cost_line *line, int radix, int64_t before);
/* Likewise of the last step of a split's columns: as cost_tile_legs(). */
double cost_crowding_columns(const struct cost_machine *machine, int64_t n, int radix,
                             int64_t columns);
/* Likewise of the first step of its rows, which a tile has turned. */
double cost_crowding_rows(const struct cost_machine *machine, int64_t n, int radix,
                          int64_t columns);

#endif
