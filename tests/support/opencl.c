#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "support/opencl.h"

#include <stdlib.h>

#include "support/drivers.h"

void test_opencl_prepare(const char *build_folder)
{
    unsetenv("WEFT_OPENCL");
    drivers_keep_in("WEFT_CACHE_DIR", build_folder, "kernels");
    drivers_keep_in("POCL_CACHE_DIR", build_folder, "kernels_pocl");
    setenv("POCL_WORK_GROUP_METHOD", "workitemloops", 1); /* without vectors, to compile sooner */
}

bool test_opencl_open(struct test_opencl *t)
{
    const char *why;
    const struct opencl_listed *listed;
    cl_int result = 0;
    *t = (struct test_opencl){.cl = opencl_library_get(&why)};
    if (!t->cl || opencl_library_devices(&listed) == 0) return false;
    t->id = listed[0].id;
    t->context = t->cl->CreateContext(NULL, 1, &t->id, NULL, NULL, &result);
    if (result) abort();
    t->queue = t->cl->CreateCommandQueue(t->context, t->id, 0, &result);
    if (result || weft_opencl_device_open(t->context, t->id, &t->device)) abort();
    return true;
}

void test_opencl_close(struct test_opencl *t)
{
    weft_device_close(&t->device);
    t->cl->ReleaseCommandQueue(t->queue);
    t->cl->ReleaseContext(t->context);
}

cl_mem test_opencl_memory(const struct test_opencl *t, size_t bytes, const void *data)
{
    cl_int result = 0;
    void *zeros = data ? NULL : calloc(1, bytes);
    cl_mem memory = t->cl->CreateBuffer(t->context, CL_MEM_READ_WRITE, bytes, NULL, &result);
    if (result || t->cl->EnqueueWriteBuffer(t->queue, memory, CL_TRUE, 0, bytes,
                                            data ? data : zeros, 0, NULL, NULL))
        abort();
    free(zeros);
    return memory;
}

void test_opencl_read(const struct test_opencl *t, cl_mem memory, size_t bytes, void *data)
{
    if (t->cl->EnqueueReadBuffer(t->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL)) abort();
}

/* ---- trials ---- */

static void *send_copy(void *context, size_t bytes, const void *data)
{
    return test_opencl_memory(context, bytes, data);
}

static void fetch(void *context, void *memory, size_t bytes, void *data)
{
    test_opencl_read(context, memory, bytes, data);
}

static void release(void *context, void *memory)
{
    const struct test_opencl *t = context;
    t->cl->ReleaseMemObject(memory);
}

static weft_buffer *wrap(void *context, void *re, void *im, size_t bytes)
{
    const struct test_opencl *t = context;
    weft_buffer *buffer = NULL;
    if (weft_opencl_buffer_wrap(t->device, re, im, bytes, &buffer)) abort();
    return buffer;
}

static weft_status execute(void *context, const weft_plan *plan, weft_direction direction,
                           const weft_buffer *in, weft_buffer *out)
{
    const struct test_opencl *t = context;
    return weft_opencl_execute(plan, direction, in, out, NULL, t->queue, 0, NULL, NULL);
}

struct memory_trial test_opencl_trial(struct test_opencl *t)
{
    return (struct memory_trial){t, send_copy, fetch, release, wrap, execute};
}
