/* What holds on every device with memory of its own: transforms against the reference, every
 * algorithm, in device memory between guards and in host memory, in any layout. Kernels take long
 * to compile on some, so sizes are few. */
#ifndef TESTS_SUPPORT_DEVICE_SUITE_H
#define TESTS_SUPPORT_DEVICE_SUITE_H

#include "support/memory_trial.h"

struct device_suite {
    const char *name;           /* "opencl:0", as limits of errors know it */
    weft_device *device;        /* NULL: there is none here, and everything is skipped */
    struct memory_trial memory; /* of that device */
};

/* Runs all tests and returns how many failed. */
int device_suite_run(const struct device_suite *suite);

#endif
