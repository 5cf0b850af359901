/* Opening the driver. It stays open until the process ends: unloading it while another part of the
 * program uses it would be a crash. */
#include "device/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "base/library.h"

/* The names with _v2 are those that cuda.h's macros select. */
static const struct library_entry entries[] = {
    {"cuInit", offsetof(struct cuda_driver, init)},
    {"cuDriverGetVersion", offsetof(struct cuda_driver, driver_version)},
    {"cuGetErrorName", offsetof(struct cuda_driver, error_name)},
    {"cuGetErrorString", offsetof(struct cuda_driver, error_text)},
    {"cuDeviceGetCount", offsetof(struct cuda_driver, device_count)},
    {"cuDeviceGet", offsetof(struct cuda_driver, device_get)},
    {"cuDeviceGetName", offsetof(struct cuda_driver, device_name)},
    {"cuDeviceTotalMem_v2", offsetof(struct cuda_driver, device_memory)},
    {"cuDeviceGetAttribute", offsetof(struct cuda_driver, device_attribute)},
    {"cuDevicePrimaryCtxRetain", offsetof(struct cuda_driver, primary_retain)},
    {"cuDevicePrimaryCtxRelease_v2", offsetof(struct cuda_driver, primary_release)},
    {"cuCtxGetCurrent", offsetof(struct cuda_driver, context_current)},
    {"cuCtxGetDevice", offsetof(struct cuda_driver, context_device)},
    {"cuCtxPushCurrent_v2", offsetof(struct cuda_driver, context_push)},
    {"cuCtxPopCurrent_v2", offsetof(struct cuda_driver, context_pop)},
    {"cuMemAlloc_v2", offsetof(struct cuda_driver, alloc)},
    {"cuMemFree_v2", offsetof(struct cuda_driver, free)},
    {"cuMemsetD8Async", offsetof(struct cuda_driver, clear)},
    {"cuMemcpyHtoDAsync_v2", offsetof(struct cuda_driver, upload)},
    {"cuMemcpyDtoHAsync_v2", offsetof(struct cuda_driver, download)},
    {"cuMemcpy2DAsync_v2", offsetof(struct cuda_driver, copy_rows)},
    {"cuMemHostRegister_v2", offsetof(struct cuda_driver, host_register)},
    {"cuMemHostUnregister", offsetof(struct cuda_driver, host_unregister)},
    {"cuPointerGetAttributes", offsetof(struct cuda_driver, pointer_attributes)},
    {"cuStreamCreate", offsetof(struct cuda_driver, stream_create)},
    {"cuStreamDestroy_v2", offsetof(struct cuda_driver, stream_destroy)},
    {"cuStreamSynchronize", offsetof(struct cuda_driver, stream_wait)},
    {"cuStreamWaitEvent", offsetof(struct cuda_driver, stream_wait_event)},
    {"cuEventCreate", offsetof(struct cuda_driver, event_create)},
    {"cuEventDestroy_v2", offsetof(struct cuda_driver, event_destroy)},
    {"cuEventRecord", offsetof(struct cuda_driver, event_record)},
    {"cuThreadExchangeStreamCaptureMode", offsetof(struct cuda_driver, exchange_capture_mode)},
    {"cuModuleLoadData", offsetof(struct cuda_driver, module_load)},
    {"cuModuleUnload", offsetof(struct cuda_driver, module_unload)},
    {"cuModuleGetFunction", offsetof(struct cuda_driver, module_function)},
    {"cuFuncSetAttribute", offsetof(struct cuda_driver, function_set)},
    {"cuLaunchKernel", offsetof(struct cuda_driver, launch)},
};

static struct cuda_driver driver;
static char problem[160]; /* "" once the driver is ready */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) snprintf(problem, sizeof problem, "CUDA: no driver here (libcuda.so.1)");
    return library;
}

static bool find_entries(void *library)
{
    const size_t count = sizeof entries / sizeof *entries;
    const char *missing = library_find(library, entries, count, &driver);
    if (!missing) return true;
    snprintf(problem, sizeof problem,
             "CUDA: the driver is too old, it has no %s; CUDA 10.1 or newer is needed", missing);
    return false;
}

static void start(void)
{
    const char *name = "unknown error";
    cuda_result result = driver.init(0);
    if (result == CUDA_OK) return;
    driver.error_name(result, &name);
    snprintf(problem, sizeof problem, "CUDA: cuInit failed: %s", name);
}

static void open_driver(void)
{
    void *library = open_library();
    if (library && find_entries(library)) start();
}

const struct cuda_driver *cuda_driver_get(const char **why)
{
    pthread_once(&once, open_driver);
    *why = problem;
    return problem[0] ? NULL : &driver;
}
