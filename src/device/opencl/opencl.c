/* The OpenCL backend's row in the table of devices: opening, closing, counting. */
#include "device/opencl/opencl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/present.h"
#include "device/opencl/state.h"

static int opencl_count(void)
{
    const struct opencl_listed *listed;
    return opencl_library_devices(&listed);
}

/* A processor is better served by "cpu". */
static bool opencl_by_itself(int index)
{
    const struct opencl_listed *listed;
    opencl_library_devices(&listed);
    return listed[index].type & CL_DEVICE_TYPE_GPU;
}

static bool opencl_worth_asking(void)
{
    return gpu_may_be_present("WEFT_OPENCL");
}

/* ---- opening ---- */

/* Reads "N"; no argument means 0. */
static weft_status read_ordinal(const char *argument, int *ordinal)
{
    const int count = opencl_count();
    char *end = NULL;
    const long wanted = argument ? strtol(argument, &end, 10) : 0;
    if (argument && (end == argument || *end)) {
        return error_set(WEFT_ERROR_ARGUMENT, "OpenCL: \"%s\" is no number of a device", argument);
    }
    if (wanted < 0 || wanted >= count) {
        return error_set(WEFT_ERROR_DEVICE, "OpenCL: there is no device %ld; there are %d%s",
                         wanted, count, count ? ", from 0 on" : "");
    }
    *ordinal = (int)wanted;
    return WEFT_OK;
}

/* A state with the library and nothing else. */
static weft_status begin(struct device *device)
{
    const char *why;
    const struct opencl_library *library = opencl_library_get(&why);
    if (!library) return error_set(WEFT_ERROR_DEVICE, "%s", why);
    struct opencl_state *state = memory_alloc_zeroed(sizeof *state);
    if (!state) return error_memory("an OpenCL device");
    state->library = library;
    snprintf(state->name, sizeof state->name, "a device");
    device->state = state;
    device->host_memory = false;
    device->scratch_format = WEFT_INTERLEAVED;
    return WEFT_OK;
}

static weft_status identify(struct opencl_state *state, cl_device_id id)
{
    const struct opencl_library *library = state->library;
    state->id = id;
    cl_int result =
        library->GetDeviceInfo(id, CL_DEVICE_NAME, sizeof state->name, state->name, NULL);
    if (!result) {
        result = library->GetDeviceInfo(id, CL_DRIVER_VERSION, sizeof state->driver, state->driver,
                                        NULL);
    }
    if (!result) {
        result = library->GetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof state->platform,
                                        &state->platform, NULL);
    }
    state->fma = opencl_fact(state, CL_DEVICE_SINGLE_FP_CONFIG, 0) & CL_FP_FMA;
    return opencl_check(state, result, "clGetDeviceInfo", NULL);
}

static weft_status create_context(struct opencl_state *state)
{
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)state->platform, 0};
    cl_int result = CL_SUCCESS;
    cl_context made = state->library->CreateContext(properties, 1, &state->id, NULL, NULL, &result);
    if (!result) state->context = made;
    return opencl_check(state, result, "clCreateContext", NULL);
}

/* The caller's context must hold the device. */
static weft_status adopt_context(struct opencl_state *state, cl_context context)
{
    cl_device_id id[OPENCL_MOST_DEVICES];
    size_t bytes = 0;
    cl_int result =
        state->library->GetContextInfo(context, CL_CONTEXT_DEVICES, sizeof id, id, &bytes);
    if (result) return opencl_check(state, result, "clGetContextInfo", NULL);
    size_t i = 0;
    while (i < bytes / sizeof *id && id[i] != state->id)
        i++;
    if (i == bytes / sizeof *id) {
        return error_set(WEFT_ERROR_ARGUMENT, "OpenCL: the context does not hold the device %s",
                         state->name);
    }
    result = state->library->RetainContext(context);
    if (!result) state->context = context;
    return opencl_check(state, result, "clRetainContext", NULL);
}

/* Once there is a context. */
static weft_status make_ready(struct opencl_state *state, struct device *device)
{
    cl_int result = CL_SUCCESS;
    cl_command_queue queue =
        state->library->CreateCommandQueue(state->context, state->id, 0, &result);
    if (result) return opencl_check(state, result, "clCreateCommandQueue", NULL);
    state->queue = queue;
    opencl_limits(state, &device->limits);
    snprintf(device->description, sizeof device->description, "%.100s, driver %.40s", state->name,
             state->driver);
    return store_open(NULL, &state->store);
}

static void opencl_close(struct device *device)
{
    struct opencl_state *state = device->state;
    if (!state) return;
    store_close(&state->store);
    if (state->queue) state->library->ReleaseCommandQueue(state->queue);
    if (state->context) state->library->ReleaseContext(state->context);
    memory_free(state);
    device->state = NULL;
}

static weft_status opencl_open(const char *argument, struct device *device)
{
    weft_status status = begin(device);
    if (status) return status;
    struct opencl_state *state = device->state;
    const struct opencl_listed *listed;
    int ordinal = 0;
    opencl_library_devices(&listed);
    status = read_ordinal(argument, &ordinal);
    if (!status) status = identify(state, listed[ordinal].id);
    if (!status) status = create_context(state);
    if (!status) status = make_ready(state, device);
    if (status) opencl_close(device);
    return status;
}

weft_status opencl_open_context(struct _cl_context *context, struct _cl_device_id *id,
                                struct device *device)
{
    device->ops = &opencl_device_ops;
    weft_status status = begin(device);
    if (status) return status;
    struct opencl_state *state = device->state;
    status = identify(state, id);
    if (!status) status = adopt_context(state, context);
    if (!status) status = make_ready(state, device);
    if (status) opencl_close(device);
    return status;
}

const struct device_ops opencl_device_ops = {
    .name = "opencl",
    .count = opencl_count,
    .by_itself = opencl_by_itself,
    .worth_asking = opencl_worth_asking,
    .open = opencl_open,
    .close = opencl_close,
    .alloc = opencl_alloc,
    .free = opencl_free,
    .upload = opencl_upload,
    .download = opencl_download,
    .pass_create = opencl_pass_create,
    .pass_destroy = opencl_pass_destroy,
    .pass_table_bytes = opencl_pass_table_bytes,
    .pass_run = opencl_pass_run,
    .pass_source = opencl_pass_source,
    .sync = opencl_sync,
};
