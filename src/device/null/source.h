/* What the null device's kernels would be on a GPU. */
#ifndef WEFT_DEVICE_NULL_SOURCE_H
#define WEFT_DEVICE_NULL_SOURCE_H

#include "device/device.h"

/* pass_source of the device: the kernel as OpenCL C, since what is evaluated has no text. */
weft_status null_pass_source(struct device *device, const struct program *program, int index,
                             const struct kernel *kernel, struct text *text);

#endif
