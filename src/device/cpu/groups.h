/* Before its last two steps a long line is many short ones side by side, its lanes. Taken a cache
 * line of lanes at a time, what lies between the two steps stays in the first-level cache. Results
 * come in short runs: not where they leave the second. (Experiment "groups" in docs/experiments.)
 */
#ifndef WEFT_DEVICE_CPU_GROUPS_H
#define WEFT_DEVICE_CPU_GROUPS_H

#include "device/cpu/pipeline.h"

#define GROUPED_STEPS 2

/* Whether the last steps of a transform to that end, none of which is backward, go so. */
bool groups_suit(const struct pipeline_builder *b, struct transform_end to);

/* Adds these steps as one operation. */
void groups_add(struct pipeline_builder *b, struct transform_end from, struct transform_end to);

#endif
