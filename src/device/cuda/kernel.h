/* A pass as a CUDA kernel; the verbs of struct device_ops. */
#ifndef WEFT_DEVICE_CUDA_KERNEL_H
#define WEFT_DEVICE_CUDA_KERNEL_H

#include "device/device.h"

weft_status cuda_pass_create(struct device *device, const struct program *program, int index,
                             const void *const *tables, struct kernel **kernel);
void cuda_pass_destroy(struct device *device, struct kernel **kernel);
size_t cuda_pass_table_bytes(const struct kernel *kernel);
weft_status cuda_pass_run(struct device *device, const struct kernel *kernel,
                          const struct pass_arguments *arguments);
weft_status cuda_pass_source(struct device *device, const struct program *program, int index,
                             const struct kernel *kernel, struct text *text);

#endif
