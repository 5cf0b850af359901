/* The functions of weft/cuda.h. */
#include <weft/cuda.h>

#include <stdint.h>

#include "api/buffer.h"
#include "api/execute.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/cuda/cuda.h"

static weft_status check_device(const weft_device *device, const char *function)
{
    return device_check(device, &cuda_device_ops, "CUDA", function);
}

weft_status weft_cuda_device_open(struct CUctx_st *context, weft_device **device)
{
    if (!device) return error_set(WEFT_ERROR_ARGUMENT, "weft_cuda_device_open: device is NULL");
    weft_device *opened = memory_alloc_zeroed(sizeof *opened);
    if (!opened) return error_memory("a device");
    return device_complete(opened, cuda_open_context(context, &opened->device), device);
}

weft_status weft_cuda_buffer_wrap(weft_device *device, void *re, void *im, size_t bytes,
                                  weft_buffer **buffer)
{
    weft_status status = check_device(device, "weft_cuda_buffer_wrap");
    if (status) return status;
    if (!re || !buffer) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_cuda_buffer_wrap: %s is NULL",
                         re ? "buffer" : "re");
    }
    status = cuda_check_memory(&device->device, re);
    if (!status && im) status = cuda_check_memory(&device->device, im);
    if (status) return status;
    const weft_buffer contents = {.device = device,
                                  .memory = {.re = re, .im = im},
                                  .plane = {{.start = (uintptr_t)re}, {.start = (uintptr_t)im}},
                                  .bytes = bytes};
    return buffer_make(&contents, buffer);
}

weft_status weft_cuda_execute(const weft_plan *plan, weft_direction direction,
                              const weft_buffer *in, weft_buffer *out,
                              const weft_execution *execution, struct CUstream_st *stream)
{
    if (plan) {
        weft_status status = check_device(plan->device, "weft_cuda_execute");
        if (status) return status;
    }
    return execute_on_queue(plan, direction, in, out, execution,
                            stream ? stream : cuda_default_stream());
}
