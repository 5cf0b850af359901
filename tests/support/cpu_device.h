/* The CPU as the state of a group of tests that need no more than a device. */
#ifndef WEFT_TESTS_CPU_DEVICE_H
#define WEFT_TESTS_CPU_DEVICE_H

#include <stdlib.h>

#include "device/cpu/cpu.h"

static inline int open_cpu(void **state)
{
    struct device *cpu = calloc(1, sizeof *cpu);
    if (!cpu) return -1;
    cpu->ops = &cpu_device_ops;
    *state = cpu;
    return cpu->ops->open(NULL, cpu);
}

static inline int close_cpu(void **state)
{
    struct device *cpu = *state;
    cpu->ops->close(cpu);
    free(cpu);
    return 0;
}

#endif
