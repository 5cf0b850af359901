/* Columns that a CPU reads from afar, where vectors are half a line of the cache and the second
 * level is small: what narrow tiles save there they lose to memory, which takes hardly longer for
 * four lines than for one. (Experiment "wide before near" in docs/experiments, with all the numbers
 * here.) */
#ifndef WEFT_SPEC_FAR_COLUMNS_H
#define WEFT_SPEC_FAR_COLUMNS_H

#include "spec/limits.h"
#include "spec/problem.h"

/* Whether the processor is such. */
bool far_columns_are_wide(const struct limits *limits);

/* Of any processor, with a third level of so many bytes: a sweep goes far whose two ends take more
 * than these. */
int64_t far_sweep_bytes(const struct limits *limits, int64_t third_level);

/* The rest is of such processors. */

/* Of n numbers each: how many are a tile of which there are `most`, and which has so many at least.
 * Up to four lines of the cache, of which both tile buffers may be four times the second level. */
int64_t far_columns(const struct limits *limits, weft_precision precision, int64_t n,
                    int64_t columns, int64_t most);

/* Of how many columns the widest tiles are, if the problem's may be read from afar; otherwise 1. */
int64_t far_columns_widest(const struct limits *limits, const struct problem *problem);

/* The longest of which four lines are no more than that. */
int64_t far_columns_longest(const struct limits *limits, weft_precision precision);

#endif
