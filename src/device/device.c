/* The backends there are. */
#include "device/cpu/cpu.h"
#include "device/cuda/cuda.h"
#include "device/device.h"
#include "device/null/null.h"
#include "device/opencl/opencl.h"
#include "device/vulkan/vulkan.h"

const struct device_ops *const device_table[] = {
    &cuda_device_ops,
    &opencl_device_ops,
    &vulkan_device_ops,
    &cpu_device_ops,
    &null_device_ops,
};

const int device_table_count = sizeof device_table / sizeof device_table[0];
