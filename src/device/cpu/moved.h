/* Copies between lines and columns, and of reals wherever they lie: rectangles of elements, as in
 * laid.h. */
#ifndef WEFT_DEVICE_CPU_MOVED_H
#define WEFT_DEVICE_CPU_MOVED_H

#include "device/cpu/pipeline.h"

/* Whether the pass is one, of nothing but elements as they are. */
bool moved_suits(const struct kernel *kernel);

/* Adds it. */
void moved_build(struct pipeline_builder *b);

#endif
