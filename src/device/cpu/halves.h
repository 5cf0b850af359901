/* The ends of a line of reals in two passes (plan/halves.c) as codelets (mirror.h), where tiles
 * have neighbours for lanes. Others are general operations. */
#ifndef WEFT_DEVICE_CPU_HALVES_H
#define WEFT_DEVICE_CPU_HALVES_H

#include "device/cpu/pipeline.h"

/* Whether the pass scatters two columns at once, PASS_HALF_PART, rows up to the middle one,
 * PASS_HALF_REFLECT, or of two rows at once every other real, in such a way. */
bool halves_suit(const struct kernel *kernel);

/* Whether it gathers columns, of half a spectrum or of reals that stand for one or for the line
 * from end to end, in such a way. */
bool halves_suit_gather(const struct kernel *kernel);

/* Whether rows go past the caches where the output is aligned: tiles descend then, and carry a
 * number for every element. */
bool halves_stream(const struct kernel *kernel);

/* Whether tiles have every other real of lines of memory, and those from the other end the rest. */
bool halves_meet(const struct kernel *kernel);

/* The operations: rows, as numbers and as reals; columns likewise. */
cpu_operation_function halves_scatter_rows, halves_scatter_turned;
cpu_operation_function halves_gather_columns, halves_gather_turned;
/* Every other real of a line from end to end: rows two by two, and columns. */
cpu_operation_function halves_scatter_others, halves_gather_others;

/* Adds the scatter of a transform's results; of columns the caller adds the twiddles. */
struct cpu_operation *halves_add_scatter(struct pipeline_builder *b, struct transform_end from);
/* Adds the gather of rows two by two, each half a line in scratch, to CPU_TILE_A. False: they lie
 * otherwise. */
bool halves_join(struct pipeline_builder *b);
/* Adds the gather, to CPU_TILE_A. */
struct cpu_operation *halves_add_gather(struct pipeline_builder *b);

#endif
