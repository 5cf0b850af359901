/* The memory of a CUDA device in its primary context, which rivals use as well, and a stream on
 * which all take turns; times are those of events on it. The driver is opened at run time. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <weft/cuda.h>

#include "shared_library.h"

typedef struct CUctx_st *context_handle;
typedef struct CUstream_st *stream_handle;
typedef struct CUevent_st *event_handle;
typedef uint64_t address;

/* What is needed of the CUDA driver API, declared as its reference does. */
static struct {
    int (*init)(unsigned flags);
    int (*error_name)(int result, const char **name);
    int (*device_get)(int *device, int ordinal);
    int (*primary_retain)(context_handle *context, int device);
    int (*set_current)(context_handle context);
    int (*stream_create)(stream_handle *stream, unsigned flags);
    int (*stream_wait)(stream_handle stream);
    int (*event_create)(event_handle *event, unsigned flags);
    int (*event_record)(event_handle event, stream_handle stream);
    int (*event_wait)(event_handle event);
    int (*event_elapsed)(float *milliseconds, event_handle start, event_handle end);
    int (*alloc)(address *memory, size_t bytes);
    int (*free)(address memory);
    int (*clear)(address memory, unsigned char value, size_t bytes, stream_handle stream);
    int (*copy)(address to, address from, size_t bytes, stream_handle stream);
} cuda;

static const struct library_entry entries[] = {
    {"cuInit", &cuda.init},
    {"cuGetErrorName", &cuda.error_name},
    {"cuDeviceGet", &cuda.device_get},
    {"cuDevicePrimaryCtxRetain", &cuda.primary_retain},
    {"cuCtxSetCurrent", &cuda.set_current},
    {"cuStreamCreate", &cuda.stream_create},
    {"cuStreamSynchronize", &cuda.stream_wait},
    {"cuEventCreate", &cuda.event_create},
    {"cuEventRecord", &cuda.event_record},
    {"cuEventSynchronize", &cuda.event_wait},
    {"cuEventElapsedTime", &cuda.event_elapsed},
    {"cuMemAlloc_v2", &cuda.alloc},
    {"cuMemFree_v2", &cuda.free},
    {"cuMemsetD8Async", &cuda.clear},
    {"cuMemcpyDtoDAsync_v2", &cuda.copy},
};

/* One device a run; kept until the process ends. */
static context_handle context;
static stream_handle stream;
static event_handle started, ended;

static const char *failed(const char *call, int result)
{
    static char line[160];
    const char *name = "an unknown error";
    if (result == 0) return NULL;
    cuda.error_name(result, &name);
    snprintf(line, sizeof line, "CUDA: %s failed: %s", call, name);
    return line;
}

static const char *verdict(weft_status status)
{
    return status == WEFT_OK ? NULL : weft_last_error();
}

/* ---- opening ---- */

static const char *open_driver(void)
{
    static const char *const names[] = {"libcuda.so.1"};
    void *library = library_open(NULL, names, 1);
    if (!library) return "CUDA: no driver here (libcuda.so.1)";
    if (!library_find(library, entries, sizeof entries / sizeof *entries))
        return "CUDA: the driver is too old";
    return failed("cuInit", cuda.init(0));
}

static const char *start(int ordinal)
{
    int device;
    const char *problem = open_driver();
    if (!problem) problem = failed("cuDeviceGet", cuda.device_get(&device, ordinal));
    if (!problem)
        problem = failed("cuDevicePrimaryCtxRetain", cuda.primary_retain(&context, device));
    if (!problem) problem = failed("cuCtxSetCurrent", cuda.set_current(context));
    if (!problem) problem = failed("cuStreamCreate", cuda.stream_create(&stream, 0));
    if (!problem) problem = failed("cuEventCreate", cuda.event_create(&started, 0));
    if (!problem) problem = failed("cuEventCreate", cuda.event_create(&ended, 0));
    return problem;
}

/* By its name first, so that a name that means nothing is refused in the library's words. */
static const char *open_cuda(const char *name, weft_device **device)
{
    const char *colon = name ? strchr(name, ':') : NULL;
    const char *problem = NULL;
    if (!context) {
        problem = verdict(weft_device_open(name, device));
        if (problem) return problem;
        problem = start(colon ? atoi(colon + 1) : 0);
        weft_device_close(device);
    }
    return problem ? problem : verdict(weft_cuda_device_open(context, device));
}

/* ---- arrays ---- */

static address address_of(const struct place_array *array)
{
    return (address)(uintptr_t)array->memory;
}

static const char *create_on_device(weft_device *device, size_t bytes, struct place_array *array)
{
    address memory;
    const char *problem = failed("cuMemAlloc", cuda.alloc(&memory, bytes));
    if (problem) return problem;
    array->memory = (void *)(uintptr_t)memory;
    array->bytes = bytes;
    problem = failed("cuMemsetD8Async", cuda.clear(memory, 0, bytes, stream));
    if (!problem) problem = failed("cuStreamSynchronize", cuda.stream_wait(stream));
    if (problem) return problem;
    return verdict(weft_cuda_buffer_wrap(device, array->memory, NULL, bytes, &array->buffer));
}

static void destroy_on_device(struct place_array *array)
{
    weft_buffer_destroy(&array->buffer);
    if (array->memory) cuda.free(address_of(array));
    array->memory = NULL;
}

static const char *write_to_device(struct place_array *array, size_t offset, const void *data,
                                   size_t bytes)
{
    return verdict(weft_buffer_write(array->buffer, offset, data, bytes));
}

/* After what was started on the stream. */
static const char *read_from_device(const struct place_array *array, size_t offset, void *data,
                                    size_t bytes)
{
    const char *problem = failed("cuStreamSynchronize", cuda.stream_wait(stream));
    return problem ? problem : verdict(weft_buffer_read(array->buffer, offset, data, bytes));
}

static const char *copy_on_device(const struct place_array *to, const struct place_array *from)
{
    return failed("cuMemcpyDtoDAsync",
                  cuda.copy(address_of(to), address_of(from), to->bytes, stream));
}

/* ---- running ---- */

static const char *execute_on_stream(const weft_plan *plan, weft_direction direction,
                                     const weft_buffer *in, weft_buffer *out, int64_t repeats)
{
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < repeats && !status; i++)
        status = weft_cuda_execute(plan, direction, in, out, NULL, stream);
    return verdict(status);
}

static const char *time_by_events(place_work *work, const void *work_context, int64_t repeats,
                                  double *seconds)
{
    float milliseconds = 0.0f;
    const char *problem = failed("cuEventRecord", cuda.event_record(started, stream));
    if (!problem) problem = work(work_context, repeats);
    if (!problem) problem = failed("cuEventRecord", cuda.event_record(ended, stream));
    if (!problem) problem = failed("cuEventSynchronize", cuda.event_wait(ended));
    if (!problem)
        problem = failed("cuEventElapsedTime", cuda.event_elapsed(&milliseconds, started, ended));
    *seconds = 1e-3 * (double)milliseconds;
    return problem;
}

static void *stream_of_place(void)
{
    return stream;
}

const struct place place_cuda = {
    .open = open_cuda,
    .create = create_on_device,
    .destroy = destroy_on_device,
    .write = write_to_device,
    .read = read_from_device,
    .execute = execute_on_stream,
    .time = time_by_events,
    .copy = copy_on_device,
    .queue = stream_of_place,
};
