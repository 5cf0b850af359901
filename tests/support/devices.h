/* The devices that tests run on: the CPU with every instruction set that this machine has, and
 * evaluated GPUs of several makes. */
#ifndef TESTS_SUPPORT_DEVICES_H
#define TESTS_SUPPORT_DEVICES_H

#include <stdbool.h>

#include "weft/weft.h"

struct test_device {
    char name[80];  /* "cpu (avx2)", "null:shared=16384" */
    bool evaluated; /* slow */
    weft_device *device;
};

/* Opens "cpu" with WEFT_ISA set to `isa`, or unset if that is NULL, and leaves the environment as
 * it was. NULL: this machine lacks it. */
weft_device *devices_open_cpu(const char *isa);

/* Opens them all, the CPU's instruction sets first, then one that has hardly any caches, and
 * returns how many; at most `most`. */
int devices_open(int most, struct test_device *devices);

/* Only the CPU's. */
int devices_open_cpus(int most, struct test_device *devices);

void devices_close(int count, struct test_device *devices);

#endif
