/* Contiguous lines of pairs in two to four steps between pairs (spec/pair_steps.h): nothing is
 * parted or joined. */
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

/* Whether an operation, the last of such steps, may read its pairs where it leaves its results. */
bool paired_lies_over(const struct cpu_operation *last);

/* Adds the steps of the tile's lines from one end to another, both contiguous and of pairs, with
 * tile buffers between; `to` may be a tile buffer, then either of them has the results. Returns
 * where they are. */
enum cpu_operand paired_build(struct pipeline_builder *b, enum cpu_operand from,
                              enum cpu_operand to);

/* The inverse transform likewise, from a tile buffer to either. */
enum cpu_operand paired_build_back(struct pipeline_builder *b, enum cpu_operand from);

/* Adds a codelet between ends that are pairs. */
struct cpu_operation *paired_add(struct pipeline_builder *b, enum cpu_operand from,
                                 enum cpu_operand to);

/* Adds the step that joins Rader's lines, which are in a tile buffer. */
void paired_build_last(struct pipeline_builder *b, enum cpu_operand from);

/* Whether the first step can read a line of parted reals where they lie (turned.h). */
bool paired_opens_parted(const struct kernel *kernel);

/* The steps of such a line, from there to the tile buffer that is returned. */
enum cpu_operand paired_build_parted(struct pipeline_builder *b);

#endif
