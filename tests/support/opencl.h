/* OpenCL for the tests that bring their own context, queues and memory. */
#ifndef TESTS_SUPPORT_OPENCL_H
#define TESTS_SUPPORT_OPENCL_H

#include <stdbool.h>

#include "device/opencl/library.h"
#include "support/memory_trial.h"
#include "weft/opencl.h"

struct test_opencl {
    const struct opencl_library *cl;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* in order */
    weft_device *device;    /* in that context */
};

/* Has OpenCL be found, and weft and PoCL keep compiled kernels in the build folder. Before any
 * other call. */
void test_opencl_prepare(const char *build_folder);

/* False: there is no OpenCL device here. */
bool test_opencl_open(struct test_opencl *t);
void test_opencl_close(struct test_opencl *t);

/* A buffer object with a copy of the data, or of zeros if that is NULL. */
cl_mem test_opencl_memory(const struct test_opencl *t, size_t bytes, const void *data);
void test_opencl_read(const struct test_opencl *t, cl_mem memory, size_t bytes, void *data);

/* How trials are run in device memory of the caller's and on the caller's queue. */
struct memory_trial test_opencl_trial(struct test_opencl *t);

#endif
