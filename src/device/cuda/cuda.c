/* The CUDA backend's row in the table of devices: opening, closing, counting. */
#include "device/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cuda/kernel.h"
#include "device/cuda/link.h"
#include "device/cuda/state.h"

/* CU_STREAM_DEFAULT: in order with the default stream of the context, where callers who think
 * little of streams have prepared their data. */
enum { STREAM_FLAGS = 0 };

static int cuda_count(void)
{
    const char *why;
    const struct cuda_driver *driver = cuda_driver_get(&why);
    int count = 0;
    return driver && driver->device_count(&count) == CUDA_OK ? count : 0;
}

/* ---- opening ---- */

/* Reads "N"; no argument means 0. */
static weft_status read_ordinal(const char *argument, int *ordinal)
{
    int count = cuda_count();
    char *end = NULL;
    long wanted = argument ? strtol(argument, &end, 10) : 0;
    bool number = !argument || (end != argument && *end == 0);
    if (!number) {
        return error_set(WEFT_ERROR_ARGUMENT, "CUDA: \"%s\" is no number of a device", argument);
    }
    if (wanted < 0 || wanted >= count) {
        return error_set(WEFT_ERROR_DEVICE, "CUDA: there is no device %ld; there are %d, from 0 on",
                         wanted, count);
    }
    *ordinal = (int)wanted;
    return WEFT_OK;
}

/* What the device is, before a context is there. */
static weft_status identify(struct cuda_state *state)
{
    const struct cuda_driver *driver = state->driver;
    int major = 0, minor = 0;
    cuda_result result = driver->device_name(state->name, sizeof state->name, state->id);
    if (result) return cuda_check(state, result, "cuDeviceGetName", NULL);
    result = driver->device_attribute(&major, CUDA_CAPABILITY_MAJOR, state->id);
    if (!result) result = driver->device_attribute(&minor, CUDA_CAPABILITY_MINOR, state->id);
    if (result) return cuda_check(state, result, "cuDeviceGetAttribute", NULL);
    state->target.capability = 10 * major + minor;
    if (driver->driver_version(&state->driver_version)) state->driver_version = 0;
    if (driver->device_attribute(&state->most_blocks, CUDA_MAX_GRID_X, state->id))
        state->most_blocks = 65535;
    if (driver->device_attribute(&state->cores, CUDA_MULTIPROCESSORS, state->id)) state->cores = 16;
    return WEFT_OK;
}

static weft_status choose_target(struct cuda_state *state)
{
    const char *missing = cuda_compiler_missing();
    if (missing) return error_set(WEFT_ERROR_DEVICE, "CUDA: %s: %s", state->name, missing);
    return cuda_compiler_target(state->target.capability, &state->target);
}

static weft_status create_stream(struct cuda_state *state)
{
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_result result = state->driver->stream_create(&state->stream, STREAM_FLAGS);
    cuda_leave(state);
    return cuda_check(state, result, "cuStreamCreate", NULL);
}

static weft_status retain_primary(struct cuda_state *state)
{
    cuda_result result = state->driver->primary_retain(&state->context, state->id);
    if (result) return cuda_check(state, result, "cuDevicePrimaryCtxRetain", NULL);
    state->primary = true;
    return WEFT_OK;
}

/* Adopts the caller's context, or the current one. */
static weft_status adopt(struct cuda_state *state, cuda_context context)
{
    const struct cuda_driver *driver = state->driver;
    if (!context) driver->context_current(&context);
    if (!context) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "CUDA: no context was given and none is current on this thread");
    }
    state->context = context;
    snprintf(state->name, sizeof state->name, "the context's device");
    weft_status status = cuda_enter(state);
    if (status) return status;
    cuda_result result = driver->context_device(&state->id);
    cuda_leave(state);
    return cuda_check(state, result, "cuCtxGetDevice", NULL);
}

static void describe(const struct cuda_state *state, struct device *device)
{
    const struct cuda_target *target = &state->target;
    snprintf(device->description, sizeof device->description,
             "%s, compute capability %d.%d, CUDA %d.%d", state->name, target->capability / 10,
             target->capability % 10, state->driver_version / 1000,
             state->driver_version % 1000 / 10);
}

static weft_status make_ready(struct cuda_state *state, struct device *device)
{
    weft_status status = choose_target(state);
    if (!status) status = create_stream(state);
    if (!status) status = store_open(NULL, &state->store);
    if (status) return status;
    cuda_limits(state, &device->limits);
    describe(state, device);
    return WEFT_OK;
}

static void cuda_close(struct device *device)
{
    struct cuda_state *state = device->state;
    if (!state) return;
    store_close(&state->store);
    if ((state->stream || state->rows_module) && cuda_enter(state) == WEFT_OK) {
        if (state->stream) state->driver->stream_destroy(state->stream);
        if (state->rows_module) state->driver->module_unload(state->rows_module);
        cuda_leave(state);
    }
    pthread_mutex_destroy(&state->rows_lock);
    if (state->primary) state->driver->primary_release(state->id);
    memory_free(state);
    device->state = NULL;
}

/* A state with the driver and nothing else. */
static weft_status begin(struct device *device)
{
    const char *why;
    const struct cuda_driver *driver = cuda_driver_get(&why);
    if (!driver) return error_set(WEFT_ERROR_DEVICE, "%s", why);
    struct cuda_state *state = memory_alloc_zeroed(sizeof *state);
    if (!state) return error_memory("a CUDA device");
    state->driver = driver;
    pthread_mutex_init(&state->rows_lock, NULL);
    device->state = state;
    device->host_memory = false;
    device->scratch_format = WEFT_INTERLEAVED;
    return WEFT_OK;
}

static weft_status cuda_open(const char *argument, struct device *device)
{
    weft_status status = begin(device);
    if (status) return status;
    struct cuda_state *state = device->state;
    int ordinal = 0;
    status = read_ordinal(argument, &ordinal);
    if (!status) {
        status =
            cuda_check(state, state->driver->device_get(&state->id, ordinal), "cuDeviceGet", NULL);
    }
    if (!status) status = identify(state);
    if (!status) status = retain_primary(state);
    if (!status) status = make_ready(state, device);
    if (status) cuda_close(device);
    return status;
}

weft_status cuda_open_context(struct CUctx_st *context, struct device *device)
{
    device->ops = &cuda_device_ops;
    weft_status status = begin(device);
    if (status) return status;
    struct cuda_state *state = device->state;
    status = adopt(state, context);
    if (!status) status = identify(state);
    if (!status) status = make_ready(state, device);
    if (status) cuda_close(device);
    return status;
}

struct CUstream_st *cuda_default_stream(void)
{
    return CUDA_STREAM_LEGACY;
}

const struct device_ops cuda_device_ops = {
    .name = "cuda",
    .count = cuda_count,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .upload = cuda_upload,
    .download = cuda_download,
    .pass_create = cuda_pass_create,
    .pass_destroy = cuda_pass_destroy,
    .pass_table_bytes = cuda_pass_table_bytes,
    .pass_run = cuda_pass_run,
    .pass_source = cuda_pass_source,
    .sync = cuda_sync,
    .link = &cuda_link,
};
