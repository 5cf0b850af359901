/* Contiguous lines of pairs in two or three steps between pairs (CODELET_PAIRS_OPEN, then
 * CODELET_PAIRS_LEAVE): nothing is parted or joined, and few lanes fill their short vectors. */
#ifndef WEFT_DEVICE_CPU_PAIRED_H
#define WEFT_DEVICE_CPU_PAIRED_H

#include "device/cpu/pipeline.h"

/* Whether lines of this length are, if they are contiguous. */
bool paired_takes(const struct kernel *kernel);

/* Whether they are, and several of a tile at once. */
bool paired_takes_lines(const struct kernel *kernel);

/* Whether the lines of a pass are. */
bool paired_suits(const struct kernel *kernel);

/* How many of the pass's lines are a tile. */
int64_t paired_columns(const struct kernel *kernel, int64_t columns);

/* Whether there are two such steps for lines of n. */
bool paired_exist(const struct cpu_sets *sets, weft_precision precision, int64_t n);

/* Adds the steps of the tile's lines from one end to another, both contiguous and of pairs, with
 * tile buffers between; `to` may be a tile buffer, then either of them has the results. Returns
 * where they are. */
enum cpu_operand paired_build(struct pipeline_builder *b, enum cpu_operand from,
                              enum cpu_operand to);

#endif
