/* weft on CUDA: devices in the caller's context, the caller's memory and streams.
 *
 * The driver's and the runtime's handles are both taken: CUcontext, CUstream and cudaStream_t are
 * the pointers named here, and memory is a void * as from cudaMalloc, or a CUdeviceptr cast to one.
 * Nothing of CUDA's is needed to build with this header; the library opens the driver
 * (libcuda.so.1) and NVRTC when a device is opened. */
#ifndef WEFT_CUDA_H
#define WEFT_CUDA_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

struct CUctx_st;
struct CUstream_st;

/* Opens the device of a context, in which all its work is done; weft_device_open("cuda:0") works in
 * the primary context, which is the runtime API's. context: NULL for the one that is current on
 * this thread. It must outlive the device, and what is current on a thread stays so. *device is
 * the caller's to close. Errors: ARGUMENT (no context), DEVICE (no driver, no NVRTC), UNSUPPORTED
 * (NVRTC knows no code for the chip), MEMORY. */
WEFT_API weft_status weft_cuda_device_open(struct CUctx_st *context, weft_device **device);

/* A buffer over device memory of the caller's, which must outlive it: `bytes` bytes of pairs at re,
 * im being NULL, or two planes of `bytes` bytes each. Managed memory and mapped host memory will
 * do. *buffer is the caller's to destroy. Errors: ARGUMENT (no CUDA device, memory that CUDA does
 * not know, memory of another device or context), DEVICE, MEMORY. */
WEFT_API weft_status weft_cuda_buffer_wrap(weft_device *device, void *re, void *im, size_t bytes,
                                           weft_buffer **buffer);

/* Starts the transform on a stream of the device's context and returns. The result is there when
 * the stream has come so far; an error of the transform itself is one of the stream. stream: NULL
 * for the default stream, as everywhere in CUDA. Both buffers must be device memory
 * (weft_cuda_buffer_wrap, weft_buffer_create), and stay as they are until it is done.
 *
 * Where the plan needs scratch and execution gives none, the plan keeps one for each stream that it
 * was executed on. A stream may be captured into a graph; the graph uses the scratch of the stream
 * that was captured, so its runs must not overlap with one another or with other executes of the
 * plan on that stream, and the plan must outlive the graph.
 * Errors: as weft_execute; ARGUMENT for buffers of host memory; DEVICE. */
WEFT_API weft_status weft_cuda_execute(const weft_plan *plan, weft_direction direction,
                                       const weft_buffer *in, weft_buffer *out,
                                       const weft_execution *execution, struct CUstream_st *stream);

#ifdef __cplusplus
}
#endif

#endif
