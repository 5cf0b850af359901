/* The null device: a GPU nobody owns, with limits that the caller invents. The host evaluates its
 * kernels, slowly, and a pass with any race, access out of bounds or divergent barrier fails. */
#ifndef WEFT_DEVICE_NULL_NULL_H
#define WEFT_DEVICE_NULL_NULL_H

#include "device/device.h"
#include "ir/ir.h"

extern const struct device_ops null_device_ops;

/* What the evaluator counted over all passes that the device has run; `first` is the first defect
 * of them all. */
void null_device_report(const struct device *device, struct ir_report *total);

#endif
