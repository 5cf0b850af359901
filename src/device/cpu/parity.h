/* Bluestein's convolution of n <= h numbers, of length 2 h, as two of length h. Half of what would
 * be transformed are zeros, so that a first butterfly of 2 has nothing to add: the even
 * frequencies are the transform of the numbers, the odd ones that of the numbers times w^j,
 * w = exp(-pi i / h). Of the way back only n results are wanted: those of the even frequencies plus
 * those of the odd ones times w^-j. (Experiment "parities" in docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_PARITY_H
#define WEFT_DEVICE_CPU_PARITY_H

#include "device/cpu/pipeline.h"

/* Between the gather, to the first half of tile buffer A, and the scatter from there. */
void parity_part(struct pipeline_builder *b);
void parity_convolve(struct pipeline_builder *b);
void parity_join(struct pipeline_builder *b);

/* Whether the gather, or the scatter, parts the line, or joins it, on its way: contiguous pairs.
 * Then it needs the roots. */
bool parity_has_end(const struct pipeline_builder *b, bool out);
void parity_use_roots(struct pipeline_builder *b, struct cpu_operation *op);

/* Reals that a plane of a tile must have, of so many columns. */
int64_t parity_plane(const struct pass *pass, int64_t columns, int64_t padding);

#endif
