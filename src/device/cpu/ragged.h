/* Rows of results that begin anywhere in a line of the cache, since they are so far apart or since
 * the array does, past the caches: a tile's go to the workspace, as rows with a line behind each,
 * and from there in whole lines. Tiles descend, and each leaves what lies before the first edge to
 * the next, behind the rows of that one. */
#ifndef WEFT_DEVICE_CPU_RAGGED_H
#define WEFT_DEVICE_CPU_RAGGED_H

#include "device/cpu/pipeline.h"

/* Whether the pass's last step may write such rows, which no cache keeps. */
bool ragged_suits(const struct kernel *kernel);

/* Whether the last tiles come first if the output begins at that place: not where rows may be
 * ragged but begin with lines, which the step itself writes. */
bool ragged_descends(const struct kernel *kernel, uintptr_t place);

/* What a workspace has for them. */
size_t ragged_bytes(const struct kernel *kernel);

/* Has the operation, if it is that step, write so. */
void ragged_use(struct pipeline_builder *b, struct cpu_operation *op);

#endif
