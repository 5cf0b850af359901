/* Transforms through CUDA: the suite of devices, on a GPU; what needs none is in test_cuda.c. */
#include <stdint.h>
#include <stdlib.h>

#include <weft/cuda.h>

#include "device/cuda/driver.h"
#include "support/device_suite.h"
#include "support/drivers.h"

struct cuda {
    const struct cuda_driver *driver;
    weft_device *device;
};

static void must(cuda_result result)
{
    if (result != CUDA_OK) abort();
}

static cuda_address address_of(void *memory)
{
    return (cuda_address)(uintptr_t)memory;
}

static void *send_copy(void *context, size_t bytes, const void *data)
{
    const struct cuda *cuda = context;
    cuda_address memory;
    must(cuda->driver->alloc(&memory, bytes));
    must(cuda->driver->upload(memory, data, bytes, NULL));
    must(cuda->driver->stream_wait(NULL));
    return (void *)(uintptr_t)memory;
}

static void fetch(void *context, void *memory, size_t bytes, void *data)
{
    const struct cuda *cuda = context;
    must(cuda->driver->download(data, address_of(memory), bytes, NULL));
    must(cuda->driver->stream_wait(NULL));
}

static void release(void *context, void *memory)
{
    const struct cuda *cuda = context;
    must(cuda->driver->free(address_of(memory)));
}

static weft_buffer *wrap(void *context, void *re, void *im, size_t bytes)
{
    const struct cuda *cuda = context;
    weft_buffer *buffer = NULL;
    if (weft_cuda_buffer_wrap(cuda->device, re, im, bytes, &buffer)) abort();
    return buffer;
}

static weft_status execute(void *context, const weft_plan *plan, weft_direction direction,
                           const weft_buffer *in, weft_buffer *out)
{
    (void)context;
    return weft_cuda_execute(plan, direction, in, out, NULL, NULL);
}

/* In the primary context, which stays current. False: there is no GPU. */
static bool open_cuda(struct cuda *cuda)
{
    const char *why;
    cuda_context context;
    cuda->driver = cuda_driver_get(&why);
    if (!cuda->driver) return false;
    must(cuda->driver->primary_retain(&context, 0));
    must(cuda->driver->context_push(context));
    if (weft_cuda_device_open(context, &cuda->device)) abort();
    return true;
}

int main(void)
{
    struct cuda cuda = {0};
    drivers_keep_in("WEFT_CACHE_DIR", WEFT_BINARY_DIR, "kernels");
    const bool there = open_cuda(&cuda);
    const struct device_suite suite = {
        "cuda:0", cuda.device, {&cuda, send_copy, fetch, release, wrap, execute}};
    const int failures = device_suite_run(&suite);
    weft_device_close(&cuda.device);
    if (there) must(cuda.driver->primary_release(0));
    return failures;
}
