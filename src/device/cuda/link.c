/* Copies beside kernels: streams of their own, rows in one call, page-locked memory. */
#include "device/cuda/link.h"

#include "base/error.h"
#include "device/cuda/state.h"

/* CU_STREAM_NON_BLOCKING: the default stream waits for none of them. */
enum { STREAM_FLAGS = 1 };

/* CU_EVENT_DISABLE_TIMING */
enum { EVENT_FLAGS = 2 };

/* CU_MEMHOSTREGISTER_PORTABLE: page-locked in the eyes of every context. */
enum { REGISTER_FLAGS = 1 };

/* The greatest CU_DEVICE_ATTRIBUTE_MAX_PITCH there is. */
#define MOST_PITCH ((size_t)INT32_MAX)

static weft_status queue_create(struct device *device, void **queue)
{
    const struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_stream stream = NULL;
    cuda_result result = state->driver->stream_create(&stream, STREAM_FLAGS);
    cuda_leave(state);
    status = cuda_check(state, result, "cuStreamCreate", NULL);
    if (!status) *queue = stream;
    return status;
}

static void queue_destroy(struct device *device, void *queue)
{
    const struct cuda_state *state = device->state;
    if (cuda_enter(state)) return;
    state->driver->stream_destroy(queue);
    cuda_leave(state);
}

/* The driver keeps an event that is destroyed until it has happened. */
static weft_status follow(struct device *device, void *queue, void *other)
{
    const struct cuda_state *state = device->state;
    const struct cuda_driver *driver = state->driver;
    cuda_event event = NULL;
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_result result = driver->event_create(&event, EVENT_FLAGS);
    if (!result) result = driver->event_record(event, other);
    if (!result) result = driver->stream_wait_event(queue, event, 0);
    if (event) driver->event_destroy(event);
    cuda_leave(state);
    return cuda_check(state, result, "a stream that waits for another", NULL);
}

static cuda_address address_of(const struct device_rows *rows)
{
    return (cuda_address)(uintptr_t)rows->memory + rows->offset;
}

static cuda_result copy_row(const struct cuda_state *state, cuda_stream stream,
                            const struct device_rows *rows, size_t row, bool up)
{
    const cuda_address there = address_of(rows) + row * rows->pitch;
    char *const here = rows->host + row * rows->host_pitch;
    return up ? state->driver->upload(there, here, rows->bytes, stream)
              : state->driver->download(here, there, rows->bytes, stream);
}

static cuda_result copy_rows(const struct cuda_state *state, cuda_stream stream,
                             const struct device_rows *rows, bool up)
{
    struct cuda_copy copy = {.bytes = rows->bytes, .rows = rows->rows};
    struct cuda_copy_end *there = up ? &copy.to : &copy.from, *here = up ? &copy.from : &copy.to;
    there->type = CUDA_MEMORY_DEVICE;
    there->device = address_of(rows);
    there->pitch = rows->pitch;
    here->type = CUDA_MEMORY_HOST;
    here->host = rows->host;
    here->pitch = rows->host_pitch;
    return state->driver->copy_rows(&copy, stream);
}

static weft_status copy_by_engine(const struct cuda_state *state, cuda_stream stream,
                                  const struct device_rows *rows, bool up)
{
    const bool wide = rows->pitch > MOST_PITCH || rows->host_pitch > MOST_PITCH;
    cuda_result result = CUDA_OK;
    if (rows->rows > 1 && !wide) {
        result = copy_rows(state, stream, rows, up);
    } else {
        for (size_t row = 0; row < rows->rows && !result; row++)
            result = copy_row(state, stream, rows, row, up);
    }
    return cuda_check(state, result, "a copy between host and device", NULL);
}

static weft_status copy(struct device *device, void *queue, const struct device_rows *rows, bool up)
{
    struct cuda_state *state = device->state;
    weft_status status = cuda_enter(state);
    if (status) return status;
    status = cuda_rows_serves(state, rows) ? cuda_rows_copy(state, queue, rows, up)
                                           : copy_by_engine(state, queue, rows, up);
    cuda_leave(state);
    return status;
}

static enum device_pin pin(struct device *device, void *memory, size_t bytes)
{
    const struct cuda_state *state = device->state;
    if (cuda_enter(state)) return DEVICE_NOT_PINNED;
    cuda_result result = state->driver->host_register(memory, bytes, REGISTER_FLAGS);
    cuda_leave(state);
    if (result == CUDA_ALREADY_REGISTERED) return DEVICE_WAS_PINNED;
    return result == CUDA_OK ? DEVICE_PINNED : DEVICE_NOT_PINNED;
}

static void unpin(struct device *device, void *memory)
{
    const struct cuda_state *state = device->state;
    if (cuda_enter(state)) return;
    state->driver->host_unregister(memory);
    cuda_leave(state);
}

const struct device_link cuda_link = {queue_create, queue_destroy, follow, copy, pin, unpin};
