#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "support/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "device/cpu/engine.h"

static const char *const instruction_sets[] = {"avx512", "avx2", "sse2", "neon", "scalar"};

/* What is common now, so little shared memory that short lines are split, hardly any, much of
 * everything, odd numbers. */
static const char *const evaluated[] = {
    "null",
    "null:shared=256,threads=16",
    "null:shared=2048,threads=32,registers=32",
    "null:shared=16384,threads=256",
    "null:shared=232448,threads=1024,registers=128,coalescing=32",
    "null:shared=6000,threads=48,simd=16,coalescing=64",
};

weft_device *devices_open_cpu(const char *isa)
{
    const char *found = getenv("WEFT_ISA");
    char *before = found ? strdup(found) : NULL;
    if (isa)
        setenv("WEFT_ISA", isa, 1);
    else
        unsetenv("WEFT_ISA");
    weft_device *device = NULL;
    if (weft_device_open("cpu", &device)) device = NULL;
    if (before)
        setenv("WEFT_ISA", before, 1);
    else
        unsetenv("WEFT_ISA");
    free(before);
    return device;
}

int devices_open_cpus(int most, struct test_device *devices)
{
    int count = 0;
    for (size_t i = 0; i < sizeof instruction_sets / sizeof *instruction_sets; i++) {
        if (count == most) break;
        struct test_device *device = &devices[count];
        device->device = devices_open_cpu(instruction_sets[i]);
        device->evaluated = false;
        snprintf(device->name, sizeof device->name, "cpu (%s)", instruction_sets[i]);
        if (device->device) count++;
    }
    return count;
}

/* A CPU that takes short lines for long ones. */
static int open_small_cpu(int most, struct test_device *devices)
{
    enum { TILE_BYTES = 2048, CACHE_BYTES = 512, THIRD_LEVEL_BYTES = 16384 };
    if (most == 0) return 0;
    devices->device = devices_open_cpu(NULL);
    if (!devices->device) abort();
    struct limits *limits = &devices->device->device.limits;
    limits->shared_bytes = TILE_BYTES;
    limits->cache_bytes[0] = CACHE_BYTES;
    struct cpu_state *state = devices->device->device.state;
    state->shared_cache_bytes = limits->cache_bytes[2] = THIRD_LEVEL_BYTES;
    devices->evaluated = false;
    snprintf(devices->name, sizeof devices->name, "cpu (small)");
    return 1;
}

int devices_open(int most, struct test_device *devices)
{
    int count = devices_open_cpus(most, devices);
    count += open_small_cpu(most - count, devices + count);
    for (size_t i = 0; i < sizeof evaluated / sizeof *evaluated && count < most; i++) {
        struct test_device *device = &devices[count];
        device->evaluated = true;
        snprintf(device->name, sizeof device->name, "%s", evaluated[i]);
        if (weft_device_open(evaluated[i], &device->device)) abort();
        count++;
    }
    return count;
}

void devices_close(int count, struct test_device *devices)
{
    for (int i = 0; i < count; i++)
        weft_device_close(&devices[i].device);
}
