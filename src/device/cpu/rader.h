/* Rader's algorithm on lines of pairs, the convolution of which is steps between pairs (paired.h):
 * nothing is parted or joined. Of a multiple of a prime those of all its lines, and the step that
 * makes one of them (spec/joined_lines.h). */
#ifndef WEFT_DEVICE_CPU_RADER_H
#define WEFT_DEVICE_CPU_RADER_H

#include "device/cpu/pipeline.h"

/* Adds all of the builder's pass, which is Rader's, if its lines are such; false: they are not. The
 * permutations are those of pipeline_powers(). */
bool rader_build(struct pipeline_builder *b, const int32_t *inverse_powers, const int32_t *powers);

/* What an operation of it is called; NULL: it is none. */
const char *rader_name(const struct kernel *kernel, const struct cpu_operation *op);

#endif
