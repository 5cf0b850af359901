/* Device memory: a handle is a cl_mem. Copies wait. */
#include "base/error.h"
#include "device/opencl/opencl.h"
#include "device/opencl/state.h"

static weft_status clear(const struct opencl_state *state, cl_mem memory, size_t bytes)
{
    static const unsigned char zero = 0;
    cl_int result = state->library->EnqueueFillBuffer(state->queue, memory, &zero, sizeof zero, 0,
                                                      bytes, 0, NULL, NULL);
    weft_status status = opencl_check(state, result, "clEnqueueFillBuffer", NULL);
    if (status) return status;
    return opencl_check(state, state->library->Finish(state->queue), "clFinish", NULL);
}

weft_status opencl_alloc(struct device *device, size_t bytes, void **memory)
{
    const struct opencl_state *state = device->state;
    if (bytes > (uint64_t)device->limits.largest_buffer) {
        return error_set(WEFT_ERROR_MEMORY,
                         "OpenCL: a buffer of %zu bytes; %s takes at most %lld in one", bytes,
                         state->name, (long long)device->limits.largest_buffer);
    }
    cl_int result = CL_SUCCESS;
    cl_mem made =
        state->library->CreateBuffer(state->context, CL_MEM_READ_WRITE, bytes, NULL, &result);
    weft_status status = opencl_check(state, result, "clCreateBuffer", NULL);
    if (status) return status;
    status = clear(state, made, bytes);
    if (status)
        state->library->ReleaseMemObject(made);
    else
        *memory = made;
    return status;
}

void opencl_free(struct device *device, void *memory)
{
    const struct opencl_state *state = device->state;
    state->library->ReleaseMemObject(memory);
}

weft_status opencl_upload(struct device *device, void *memory, size_t offset, const void *data,
                          size_t bytes)
{
    const struct opencl_state *state = device->state;
    if (bytes == 0) return WEFT_OK;
    cl_int result = state->library->EnqueueWriteBuffer(state->queue, memory, CL_TRUE, offset, bytes,
                                                       data, 0, NULL, NULL);
    return opencl_check(state, result, "clEnqueueWriteBuffer", NULL);
}

weft_status opencl_download(struct device *device, const void *memory, size_t offset, void *data,
                            size_t bytes)
{
    const struct opencl_state *state = device->state;
    if (bytes == 0) return WEFT_OK;
    cl_int result = state->library->EnqueueReadBuffer(state->queue, (cl_mem)(uintptr_t)memory,
                                                      CL_TRUE, offset, bytes, data, 0, NULL, NULL);
    return opencl_check(state, result, "clEnqueueReadBuffer", NULL);
}

/* ---- the caller's memory ---- */

static weft_status read_info(const struct opencl_state *state, cl_mem memory, cl_mem_info which,
                             size_t bytes, void *value)
{
    cl_int result = state->library->GetMemObjectInfo(memory, which, bytes, value, NULL);
    return opencl_check(state, result, "clGetMemObjectInfo", NULL);
}

weft_status opencl_find_extent(const struct device *device, struct _cl_mem *memory,
                               struct opencl_extent *extent)
{
    const struct opencl_state *state = device->state;
    cl_context context = NULL;
    cl_mem_object_type type = 0;
    cl_mem parent = NULL;
    size_t offset = 0, bytes = 0;
    weft_status status = read_info(state, memory, CL_MEM_CONTEXT, sizeof context, &context);
    if (!status) status = read_info(state, memory, CL_MEM_TYPE, sizeof type, &type);
    if (!status) status = read_info(state, memory, CL_MEM_SIZE, sizeof bytes, &bytes);
    if (!status) {
        status = read_info(state, memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent);
    }
    if (!status) status = read_info(state, memory, CL_MEM_OFFSET, sizeof offset, &offset);
    if (status) return status;
    if (context != state->context) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "OpenCL: the memory belongs to another context than the device's on %s",
                         state->name);
    }
    if (type != CL_MEM_OBJECT_BUFFER) {
        return error_set(WEFT_ERROR_ARGUMENT, "OpenCL: the memory is an image: accepted are "
                                              "buffers and sub-buffers");
    }
    *extent = (struct opencl_extent){parent ? parent : memory, parent ? offset : 0, bytes};
    return WEFT_OK;
}
