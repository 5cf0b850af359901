/* Queues: the device's own and callers'. */
#include "base/error.h"
#include "device/opencl/opencl.h"
#include "device/opencl/state.h"

weft_status opencl_sync(struct device *device, void *queue)
{
    const struct opencl_state *state = device->state;
    cl_int result = state->library->Finish(queue ? queue : state->queue);
    return opencl_check(state, result, "clFinish", NULL);
}

static weft_status read_info(const struct opencl_state *state, cl_command_queue queue,
                             cl_command_queue_info which, size_t bytes, void *value)
{
    cl_int result = state->library->GetCommandQueueInfo(queue, which, bytes, value, NULL);
    return opencl_check(state, result, "clGetCommandQueueInfo", NULL);
}

weft_status opencl_order(const struct opencl_state *state, cl_command_queue queue)
{
    cl_command_queue_properties properties = 0;
    if (queue == state->queue) return WEFT_OK;
    weft_status status =
        read_info(state, queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties);
    if (status || !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) return status;
    cl_int result = state->library->EnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
    return opencl_check(state, result, "clEnqueueBarrierWithWaitList", NULL);
}

weft_status opencl_check_queue(const struct device *device, struct _cl_command_queue *queue)
{
    const struct opencl_state *state = device->state;
    cl_context context = NULL;
    cl_device_id id = NULL;
    weft_status status = read_info(state, queue, CL_QUEUE_CONTEXT, sizeof context, &context);
    if (!status) status = read_info(state, queue, CL_QUEUE_DEVICE, sizeof id, &id);
    if (status) return status;
    if (context == state->context && id == state->id) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT,
                     "OpenCL: the queue is of another %s than the plan's on %s",
                     context != state->context ? "context" : "device", state->name);
}

weft_status opencl_wait_for(const struct device *device, struct _cl_command_queue *queue,
                            uint32_t count, struct _cl_event *const *events)
{
    const struct opencl_state *state = device->state;
    if (count == 0) return WEFT_OK;
    cl_int result = state->library->EnqueueBarrierWithWaitList(queue, count, events, NULL);
    return opencl_check(state, result, "clEnqueueBarrierWithWaitList", NULL);
}

weft_status opencl_submit(const struct device *device, struct _cl_command_queue *queue,
                          struct _cl_event **event)
{
    const struct opencl_state *state = device->state;
    weft_status status = WEFT_OK;
    if (event) {
        cl_int result = state->library->EnqueueMarkerWithWaitList(queue, 0, NULL, event);
        status = opencl_check(state, result, "clEnqueueMarkerWithWaitList", NULL);
    }
    if (status) return status;
    return opencl_check(state, state->library->Flush(queue), "clFlush", NULL);
}
