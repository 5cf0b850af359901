/* The row of the CPU in the table of devices. */
#ifndef WEFT_DEVICE_CPU_CPU_H
#define WEFT_DEVICE_CPU_CPU_H

#include "device/device.h"

extern const struct device_ops cpu_device_ops;

#endif
