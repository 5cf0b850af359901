/* What the calls came to, and what the device says of itself. */
#include "device/opencl/state.h"

#include <stdio.h>

#include "base/error.h"

static weft_status status_of(cl_int result)
{
    switch (result) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        return WEFT_ERROR_MEMORY;
    case CL_INVALID_CONTEXT:
    case CL_INVALID_DEVICE:
    case CL_INVALID_MEM_OBJECT:
    case CL_INVALID_COMMAND_QUEUE:
    case CL_INVALID_EVENT_WAIT_LIST:
    case CL_INVALID_EVENT:
        return WEFT_ERROR_ARGUMENT;
    default:
        return WEFT_ERROR_DEVICE;
    }
}

weft_status opencl_check(const struct opencl_state *state, cl_int result, const char *call,
                         const char *kernel)
{
    if (result == CL_SUCCESS) return WEFT_OK;
    return error_set(status_of(result), "OpenCL: %s%s%s on %s: %s (%d)", call,
                     kernel ? " of kernel " : "", kernel ? kernel : "", state->name,
                     opencl_error_name(result), (int)result);
}

/* The facts are integers of 32 or 64 bits; size_t is one of them. */
int64_t opencl_fact(const struct opencl_state *state, cl_device_info which, int64_t usual)
{
    union {
        cl_uint narrow;
        cl_ulong wide;
    } fact = {.wide = 0};
    size_t bytes = 0;
    if (state->library->GetDeviceInfo(state->id, which, sizeof fact, &fact, &bytes)) return usual;
    const cl_ulong value = bytes == sizeof fact.narrow ? fact.narrow : fact.wide;
    return value > 0 && value <= INT64_MAX ? (int64_t)value : usual;
}
