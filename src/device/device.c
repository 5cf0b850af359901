/* The backends there are. */
#include "device/cpu/cpu.h"
#include "device/device.h"
#include "device/null/null.h"

const struct device_ops *const device_table[] = {
    &cpu_device_ops,
    &null_device_ops,
};

const int device_table_count = sizeof device_table / sizeof device_table[0];
