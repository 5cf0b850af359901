/* Where results are multiplied by the problem's scale if nothing at the ends of a pass does it: on
 * their way, with the factors of the last step that has any, so that only what that step multiplies
 * by 1, a share of one in its radix, is scaled by itself; or else once they are in their places.
 * (Experiment "scales on the way" in docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_SCALING_H
#define WEFT_DEVICE_CPU_SCALING_H

#include "device/cpu/pipeline.h"

/* Whether the pass has to scale, and by factors that tables keep to all their digits. */
bool scaling_joins_steps(const struct pipeline_builder *b);

/* Of the planar step that was added last, if nothing but its codelet runs: its factors get the
 * scales of both directions, and so does what these leave as it is, behind it. */
void scaling_of_step(struct pipeline_builder *b, struct cpu_operation *op);

/* The table of a step between pairs, whose two planes are those of the directions; NULL, or no
 * table: no memory. */
const struct cpu_table *scaling_of_pairs(struct kernel *kernel, const struct cpu_table *table);

/* Before a step between pairs of such a table, of the shape, that reads there. */
void scaling_before_pairs(struct pipeline_builder *b, enum cpu_operand from,
                          const struct codelet_shape *shape);

/* What the tile's columns have become in CPU_TO, unless the steps have scaled it. */
void scaling_at_end(struct pipeline_builder *b);

/* Whether the operation scales, but nothing in that direction. */
bool scaling_does_nothing(const struct cpu_operation *op, weft_direction direction);

#endif
