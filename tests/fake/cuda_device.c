/* The device of the fake driver, and its contexts. */
#include <stdio.h>
#include <stdlib.h>

#include "fake/cuda.h"
#include "fake/image.h"

enum { DEVICES = 1, MOST_CONTEXTS_DEEP = 16 };

EXPORTED int cuInit(unsigned flags);
EXPORTED int cuDriverGetVersion(int *version);
EXPORTED int cuGetErrorName(int result, const char **name);
EXPORTED int cuGetErrorString(int result, const char **text);
EXPORTED int cuDeviceGetCount(int *count);
EXPORTED int cuDeviceGet(int *device, int ordinal);
EXPORTED int cuDeviceGetName(char *name, int capacity, int device);
EXPORTED int cuDeviceTotalMem_v2(size_t *bytes, int device);
EXPORTED int cuDeviceGetAttribute(int *value, int attribute, int device);

int cuInit(unsigned flags)
{
    return flags ? INVALID_VALUE : OK;
}

int cuDriverGetVersion(int *version)
{
    *version = 13000;
    return OK;
}

int cuGetErrorName(int result, const char **name)
{
    switch (result) {
    case INVALID_VALUE:
        *name = "CUDA_ERROR_INVALID_VALUE";
        break;
    case OUT_OF_MEMORY:
        *name = "CUDA_ERROR_OUT_OF_MEMORY";
        break;
    case INVALID_IMAGE:
        *name = "CUDA_ERROR_INVALID_IMAGE";
        break;
    case CAPTURE_UNSUPPORTED:
        *name = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
        break;
    default:
        *name = "CUDA_ERROR_UNKNOWN";
        break;
    }
    return OK;
}

int cuGetErrorString(int result, const char **text)
{
    *text = result == OUT_OF_MEMORY ? "out of memory" : "pretended";
    return OK;
}

int cuDeviceGetCount(int *count)
{
    *count = DEVICES;
    return OK;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal >= 0 && ordinal < DEVICES ? OK : INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int capacity, int device)
{
    (void)device;
    snprintf(name, (size_t)capacity, "Pretended GPU");
    return OK;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = DEVICE_BYTES;
    return OK;
}

/* By CUdevice_attribute. The most blocks of a launch are few, so that grids are cut. */
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const int values[][2] = {{1, 256},
                                    {5, 50},
                                    {10, 32},
                                    {13, 1000000},
                                    {16, 4},
                                    {36, 1000000},
                                    {37, 256},
                                    {38, 1 << 20},
                                    {75, FAKE_CAPABILITY / 10},
                                    {76, FAKE_CAPABILITY % 10},
                                    {82, 65536},
                                    {87, 2},
                                    {91, 1},
                                    {97, 99 * 1024}};
    (void)device;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i][0] != attribute) continue;
        *value = values[i][1];
        return OK;
    }
    return INVALID_VALUE;
}

static struct CUctx_st primary;
static __thread struct CUctx_st *stack[MOST_CONTEXTS_DEEP];
static __thread int depth;

struct CUctx_st *current_context(void)
{
    return depth ? stack[depth - 1] : NULL;
}

EXPORTED int cuDevicePrimaryCtxRetain(struct CUctx_st **context, int device);
EXPORTED int cuDevicePrimaryCtxRelease_v2(int device);
EXPORTED int cuCtxCreate_v2(struct CUctx_st **context, unsigned flags, int device);
EXPORTED int cuCtxDestroy_v2(struct CUctx_st *context);
EXPORTED int cuCtxGetCurrent(struct CUctx_st **context);
EXPORTED int cuCtxSetCurrent(struct CUctx_st *context);
EXPORTED int cuCtxGetDevice(int *device);
EXPORTED int cuCtxPushCurrent_v2(struct CUctx_st *context);
EXPORTED int cuCtxPopCurrent_v2(struct CUctx_st **context);

int cuDevicePrimaryCtxRetain(struct CUctx_st **context, int device)
{
    (void)device;
    *context = &primary;
    return OK;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return OK;
}

int cuCtxPushCurrent_v2(struct CUctx_st *context)
{
    if (!context || depth == MOST_CONTEXTS_DEEP) return INVALID_CONTEXT;
    stack[depth++] = context;
    return OK;
}

int cuCtxPopCurrent_v2(struct CUctx_st **context)
{
    if (!depth) return INVALID_CONTEXT;
    *context = stack[--depth];
    return OK;
}

int cuCtxCreate_v2(struct CUctx_st **context, unsigned flags, int device)
{
    (void)flags;
    *context = calloc(1, sizeof **context);
    if (!*context) return OUT_OF_MEMORY;
    (*context)->device = device;
    return cuCtxPushCurrent_v2(*context);
}

int cuCtxDestroy_v2(struct CUctx_st *context)
{
    if (current_context() == context) depth--;
    free(context);
    return OK;
}

int cuCtxGetCurrent(struct CUctx_st **context)
{
    *context = current_context();
    return OK;
}

int cuCtxSetCurrent(struct CUctx_st *context)
{
    if (depth) depth--;
    return context ? cuCtxPushCurrent_v2(context) : OK;
}

int cuCtxGetDevice(int *device)
{
    if (!current_context()) return INVALID_CONTEXT;
    *device = current_context()->device;
    return OK;
}
