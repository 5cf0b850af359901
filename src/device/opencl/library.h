/* OpenCL's library, opened at run time: what weft is linked with needs none. */
#ifndef WEFT_DEVICE_OPENCL_LIBRARY_H
#define WEFT_DEVICE_OPENCL_LIBRARY_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "weft/weft.h"

/* The functions of OpenCL 1.2 that are used. Here an entry is a row, its field of the name without
 * the "cl". */
#define OPENCL_FUNCTIONS(ROW)                                                                      \
    ROW(GetPlatformIDs)                                                                            \
    ROW(GetDeviceIDs)                                                                              \
    ROW(GetDeviceInfo)                                                                             \
    ROW(CreateContext)                                                                             \
    ROW(RetainContext)                                                                             \
    ROW(ReleaseContext)                                                                            \
    ROW(GetContextInfo)                                                                            \
    ROW(CreateCommandQueue)                                                                        \
    ROW(ReleaseCommandQueue)                                                                       \
    ROW(GetCommandQueueInfo)                                                                       \
    ROW(CreateBuffer)                                                                              \
    ROW(CreateSubBuffer)                                                                           \
    ROW(ReleaseMemObject)                                                                          \
    ROW(GetMemObjectInfo)                                                                          \
    ROW(EnqueueFillBuffer)                                                                         \
    ROW(EnqueueWriteBuffer)                                                                        \
    ROW(EnqueueReadBuffer)                                                                         \
    ROW(EnqueueNDRangeKernel)                                                                      \
    ROW(EnqueueBarrierWithWaitList)                                                                \
    ROW(EnqueueMarkerWithWaitList)                                                                 \
    ROW(ReleaseEvent)                                                                              \
    ROW(Flush)                                                                                     \
    ROW(Finish)                                                                                    \
    ROW(CreateProgramWithSource)                                                                   \
    ROW(CreateProgramWithBinary)                                                                   \
    ROW(BuildProgram)                                                                              \
    ROW(ReleaseProgram)                                                                            \
    ROW(GetProgramInfo)                                                                            \
    ROW(GetProgramBuildInfo)                                                                       \
    ROW(CreateKernel)                                                                              \
    ROW(ReleaseKernel)                                                                             \
    ROW(SetKernelArg)

struct opencl_library {
#define OPENCL_FIELD(name) __typeof__(cl##name) *name;
    OPENCL_FUNCTIONS(OPENCL_FIELD)
#undef OPENCL_FIELD
};

/* A device of any platform. */
struct opencl_listed {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
};
#define OPENCL_MOST_DEVICES 64

/* The library, opened once for the process: the file that the variable WEFT_OPENCL names, otherwise
 * libOpenCL.so.1. NULL: it is not there, or the variable is empty; then *why (not NULL) says so in
 * one line. Callable from any thread. */
const struct opencl_library *opencl_library_get(const char **why);

/* The devices of all platforms, in the library's order, and how many. Listed once as well. */
int opencl_library_devices(const struct opencl_listed **listed);

/* "CL_OUT_OF_RESOURCES". */
const char *opencl_error_name(cl_int error);

#endif
