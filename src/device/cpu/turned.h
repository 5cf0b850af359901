/* Passes of contiguous lines of reals that stand for more, whose ends are codelets (mirror.h):
 * cosine and sine transforms of types II and III and Hartley transforms of even lengths. */
#ifndef WEFT_DEVICE_CPU_TURNED_H
#define WEFT_DEVICE_CPU_TURNED_H

#include "device/cpu/pipeline.h"

/* Whether the kernel's pass is one. */
bool turned_suits(const struct kernel *kernel);

/* Adds its operations; a tile is a line. */
void turned_build(struct pipeline_builder *b);

#endif
