/* The library stays open until the process ends: drivers have threads of their own. */
#include "device/opencl/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"

#define DEFAULT_LIBRARY "libOpenCL.so.1"
#define MOST_PLATFORMS  16

static const struct library_entry entries[] = {
#define OPENCL_ENTRY(name) {"cl" #name, offsetof(struct opencl_library, name)},
    OPENCL_FUNCTIONS(OPENCL_ENTRY)
#undef OPENCL_ENTRY
};

static struct opencl_library library;
static struct opencl_listed devices[OPENCL_MOST_DEVICES];
static int device_count;
static char problem[200]; /* "" once the library is ready */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void list_devices(cl_platform_id platform)
{
    cl_device_id id[OPENCL_MOST_DEVICES];
    cl_uint count = 0;
    if (library.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, OPENCL_MOST_DEVICES, id, &count)) return;
    if (count > OPENCL_MOST_DEVICES) count = OPENCL_MOST_DEVICES;
    for (cl_uint i = 0; i < count && device_count < OPENCL_MOST_DEVICES; i++) {
        cl_device_type type = 0;
        library.GetDeviceInfo(id[i], CL_DEVICE_TYPE, sizeof type, &type, NULL);
        devices[device_count++] = (struct opencl_listed){platform, id[i], type};
    }
}

static void list_platforms(void)
{
    cl_platform_id platform[MOST_PLATFORMS];
    cl_uint count = 0;
    if (library.GetPlatformIDs(MOST_PLATFORMS, platform, &count)) return;
    if (count > MOST_PLATFORMS) count = MOST_PLATFORMS;
    for (cl_uint i = 0; i < count; i++)
        list_devices(platform[i]);
}

static void open_library(void)
{
    const char *file = getenv("WEFT_OPENCL");
    if (!file) file = DEFAULT_LIBRARY;
    if (!*file) {
        snprintf(problem, sizeof problem, "OpenCL: switched off, WEFT_OPENCL is empty");
        return;
    }
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "OpenCL: no library here (%.120s)", file);
        return;
    }
    const char *missing = library_find(handle, entries, sizeof entries / sizeof *entries, &library);
    if (missing) {
        snprintf(problem, sizeof problem, "OpenCL: the library is older than OpenCL 1.2: no %s",
                 missing);
    } else {
        list_platforms();
    }
}

const struct opencl_library *opencl_library_get(const char **why)
{
    pthread_once(&once, open_library);
    *why = problem;
    return problem[0] ? NULL : &library;
}

int opencl_library_devices(const struct opencl_listed **listed)
{
    pthread_once(&once, open_library);
    *listed = devices;
    return device_count;
}

/* ---- errors ---- */

struct error_name {
    cl_int error;
    const char *name;
};

#define NAMED(error)                                                                               \
    {                                                                                              \
        error, #error                                                                              \
    }
static const struct error_name error_names[] = {
    NAMED(CL_DEVICE_NOT_FOUND),
    NAMED(CL_DEVICE_NOT_AVAILABLE),
    NAMED(CL_COMPILER_NOT_AVAILABLE),
    NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    NAMED(CL_OUT_OF_RESOURCES),
    NAMED(CL_OUT_OF_HOST_MEMORY),
    NAMED(CL_MEM_COPY_OVERLAP),
    NAMED(CL_BUILD_PROGRAM_FAILURE),
    NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    NAMED(CL_INVALID_VALUE),
    NAMED(CL_INVALID_PLATFORM),
    NAMED(CL_INVALID_DEVICE),
    NAMED(CL_INVALID_CONTEXT),
    NAMED(CL_INVALID_QUEUE_PROPERTIES),
    NAMED(CL_INVALID_COMMAND_QUEUE),
    NAMED(CL_INVALID_MEM_OBJECT),
    NAMED(CL_INVALID_BINARY),
    NAMED(CL_INVALID_BUILD_OPTIONS),
    NAMED(CL_INVALID_PROGRAM),
    NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
    NAMED(CL_INVALID_KERNEL_NAME),
    NAMED(CL_INVALID_KERNEL),
    NAMED(CL_INVALID_ARG_INDEX),
    NAMED(CL_INVALID_ARG_VALUE),
    NAMED(CL_INVALID_ARG_SIZE),
    NAMED(CL_INVALID_KERNEL_ARGS),
    NAMED(CL_INVALID_WORK_DIMENSION),
    NAMED(CL_INVALID_WORK_GROUP_SIZE),
    NAMED(CL_INVALID_WORK_ITEM_SIZE),
    NAMED(CL_INVALID_GLOBAL_OFFSET),
    NAMED(CL_INVALID_EVENT_WAIT_LIST),
    NAMED(CL_INVALID_EVENT),
    NAMED(CL_INVALID_OPERATION),
    NAMED(CL_INVALID_BUFFER_SIZE),
    NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
};
#undef NAMED

const char *opencl_error_name(cl_int error)
{
    for (size_t i = 0; i < sizeof error_names / sizeof *error_names; i++)
        if (error_names[i].error == error) return error_names[i].name;
    return "an error without a name";
}
