/* Device memory, and copies to and from it. A handle is the CUdeviceptr itself. */
#include "base/error.h"
#include "device/cuda/cuda.h"
#include "device/cuda/state.h"

static cuda_address address_of(const void *memory)
{
    return (cuda_address)(uintptr_t)memory;
}

/* While another stream of this thread is captured into a graph, the driver refuses what it cannot
 * tell to be harmless. Scratch is none of the graph's business: this much is harmless. */
static weft_status relaxed_alloc(const struct cuda_state *state, size_t bytes,
                                 cuda_address *address)
{
    const struct cuda_driver *driver = state->driver;
    int mode = CUDA_CAPTURE_RELAXED;
    driver->exchange_capture_mode(&mode);
    cuda_result result = driver->alloc(address, bytes);
    weft_status status = cuda_check(state, result, "cuMemAlloc", NULL);
    if (!status) {
        result = driver->clear(*address, 0, bytes, state->stream);
        if (!result) result = driver->stream_wait(state->stream);
        status = cuda_check(state, result, "cuMemsetD8Async", NULL);
        if (status) driver->free(*address);
    }
    driver->exchange_capture_mode(&mode);
    return status;
}

weft_status cuda_alloc(struct device *device, size_t bytes, void **memory)
{
    const struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_address address = 0;
    status = relaxed_alloc(state, bytes, &address);
    cuda_leave(state);
    if (!status) *memory = (void *)(uintptr_t)address;
    return status;
}

void cuda_free(struct device *device, void *memory)
{
    const struct cuda_state *state = device->state;
    if (!memory || cuda_enter(state)) return;
    state->driver->free(address_of(memory));
    cuda_leave(state);
}

weft_status cuda_upload(struct device *device, void *memory, size_t offset, const void *data,
                        size_t bytes)
{
    const struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_result result =
        state->driver->upload(address_of(memory) + offset, data, bytes, state->stream);
    if (!result) result = state->driver->stream_wait(state->stream);
    status = cuda_check(state, result, "cuMemcpyHtoDAsync", NULL);
    cuda_leave(state);
    return status;
}

weft_status cuda_download(struct device *device, const void *memory, size_t offset, void *data,
                          size_t bytes)
{
    const struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_result result =
        state->driver->download(data, address_of(memory) + offset, bytes, state->stream);
    if (!result) result = state->driver->stream_wait(state->stream);
    status = cuda_check(state, result, "cuMemcpyDtoHAsync", NULL);
    cuda_leave(state);
    return status;
}

weft_status cuda_sync(struct device *device, void *queue)
{
    const struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_result result = state->driver->stream_wait(queue ? queue : state->stream);
    status = cuda_check(state, result, "cuStreamSynchronize", NULL);
    cuda_leave(state);
    return status;
}

weft_status cuda_check_memory(const struct device *device, const void *memory)
{
    const struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    const int attributes[] = {CUDA_POINTER_CONTEXT, CUDA_POINTER_MEMORY_TYPE, CUDA_POINTER_DEVICE};
    cuda_context context = NULL;
    unsigned type = 0; /* stays 0 if CUDA does not know the pointer */
    int id = state->id;
    void *values[] = {&context, &type, &id};
    cuda_result result =
        state->driver->pointer_attributes(3, attributes, values, address_of(memory));
    cuda_leave(state);
    if (result) return cuda_check(state, result, "cuPointerGetAttributes", NULL);
    if (type == 0) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "CUDA: %p is no memory that CUDA knows; it must come from cuMemAlloc, "
                         "cudaMalloc or the like",
                         memory);
    }
    if (id != state->id) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "CUDA: the memory at %p is that of device %d, the buffer is for device %d "
                         "(%s)",
                         memory, id, state->id, state->name);
    }
    /* Memory of a pool belongs to no context. */
    if (context && context != state->context) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "CUDA: the memory at %p is of another context than the device (%s) was "
                         "opened in",
                         memory, state->name);
    }
    return WEFT_OK;
}
