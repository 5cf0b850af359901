/* NVIDIA GPUs through the CUDA driver and NVRTC, both opened at run time. */
#ifndef WEFT_DEVICE_CUDA_CUDA_H
#define WEFT_DEVICE_CUDA_CUDA_H

#include "device/device.h"

extern const struct device_ops cuda_device_ops;

struct CUctx_st;
struct CUstream_st;

/* Fills the device like device_ops.open, but works in a context of the caller's, which must outlive
 * it; NULL: the one that is current. ARGUMENT if none is; DEVICE. */
weft_status cuda_open_context(struct CUctx_st *context, struct device *device);

/* OK if the device can use the memory: ARGUMENT if CUDA does not know the pointer, or if it belongs
 * to another context or device. */
weft_status cuda_check_memory(const struct device *device, const void *memory);

/* The stream that a NULL of the caller's stands for: the default one of the context. */
struct CUstream_st *cuda_default_stream(void);

#endif
