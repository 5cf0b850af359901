/* The functions of weft/opencl.h. */
#include <weft/opencl.h>

#include "api/buffer.h"
#include "api/execute.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/opencl/opencl.h"

static weft_status check_device(const weft_device *device, const char *function)
{
    return device_check(device, &opencl_device_ops, "OpenCL", function);
}

weft_status weft_opencl_device_open(struct _cl_context *context, struct _cl_device_id *id,
                                    weft_device **device)
{
    if (!context || !id || !device) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_opencl_device_open: %s is NULL",
                         !context ? "context"
                         : !id    ? "id"
                                  : "device");
    }
    weft_device *opened = memory_alloc_zeroed(sizeof *opened);
    if (!opened) return error_memory("a device");
    return device_complete(opened, opencl_open_context(context, id, &opened->device), device);
}

/* ---- buffers ---- */

static weft_status find_plane(const weft_device *device, struct _cl_mem *memory, const char *name,
                              size_t bytes, struct buffer_plane *plane)
{
    struct opencl_extent extent;
    weft_status status = opencl_find_extent(&device->device, memory, &extent);
    if (status) return status;
    if (extent.bytes < bytes) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_opencl_buffer_wrap: %s has %zu bytes, %zu were to be wrapped", name,
                         extent.bytes, bytes);
    }
    *plane = (struct buffer_plane){extent.buffer, extent.offset};
    return WEFT_OK;
}

weft_status weft_opencl_buffer_wrap(weft_device *device, struct _cl_mem *re, struct _cl_mem *im,
                                    size_t bytes, weft_buffer **buffer)
{
    weft_status status = check_device(device, "weft_opencl_buffer_wrap");
    if (status) return status;
    if (!re || !buffer) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_opencl_buffer_wrap: %s is NULL",
                         re ? "buffer" : "re");
    }
    weft_buffer contents = {.device = device, .memory = {.re = re, .im = im}, .bytes = bytes};
    status = find_plane(device, re, "re", bytes, &contents.plane[0]);
    if (!status && im) status = find_plane(device, im, "im", bytes, &contents.plane[1]);
    return status ? status : buffer_make(&contents, buffer);
}

/* ---- executing ---- */

static weft_status check_queue(const weft_plan *plan, struct _cl_command_queue *queue,
                               uint32_t wait_count, struct _cl_event *const *wait)
{
    if (!plan || !queue || (wait_count && !wait)) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_opencl_execute: %s is NULL",
                         !plan    ? "plan"
                         : !queue ? "queue"
                                  : "wait");
    }
    weft_status status = check_device(plan->device, "weft_opencl_execute");
    return status ? status : opencl_check_queue(&plan->device->device, queue);
}

weft_status weft_opencl_execute(const weft_plan *plan, weft_direction direction,
                                const weft_buffer *in, weft_buffer *out,
                                const weft_execution *execution, struct _cl_command_queue *queue,
                                uint32_t wait_count, struct _cl_event *const *wait,
                                struct _cl_event **event)
{
    weft_status status = check_queue(plan, queue, wait_count, wait);
    if (status) return status;
    const struct device *device = &plan->device->device;
    status = opencl_wait_for(device, queue, wait_count, wait);
    if (!status) status = execute_on_queue(plan, direction, in, out, execution, queue);
    return status ? status : opencl_submit(device, queue, event);
}
