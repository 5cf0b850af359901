/* weft on OpenCL: devices in the caller's context, the caller's memory, queues and events.
 *
 * The structures named here are what OpenCL's handles point to: a cl_context is a
 * struct _cl_context *, and so on for cl_device_id, cl_mem, cl_command_queue and cl_event. OpenCL's
 * headers are not needed to use this one; the library opens libOpenCL.so.1 (or the file that the
 * variable WEFT_OPENCL names; empty: none) when devices are first looked for. OpenCL 1.2 is enough.
 *
 * OpenCL does not tell a handle that was released from any other address: handles must be valid. */
#ifndef WEFT_OPENCL_H
#define WEFT_OPENCL_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _cl_context;
struct _cl_device_id;
struct _cl_mem;
struct _cl_command_queue;
struct _cl_event;

/* Opens a device in a context that holds it; weft_device_open("opencl:0") makes a context of its
 * own. The context is retained until the device is closed. *device is the caller's to close.
 * Errors: ARGUMENT (NULL, the context does not hold the device), DEVICE (no OpenCL), MEMORY. */
WEFT_API weft_status weft_opencl_device_open(struct _cl_context *context, struct _cl_device_id *id,
                                             weft_device **device);

/* A buffer over a buffer object of the caller's or a part of one (a sub-buffer), which must outlive
 * it: `bytes` bytes of pairs in re, im being NULL, or two planes of `bytes` bytes each. *buffer is
 * the caller's to destroy. Errors: ARGUMENT (no OpenCL device, an image, memory of another
 * context), LAYOUT (a memory object of fewer bytes), MEMORY. */
WEFT_API weft_status weft_opencl_buffer_wrap(weft_device *device, struct _cl_mem *re,
                                             struct _cl_mem *im, size_t bytes,
                                             weft_buffer **buffer);

/* Starts the transform in a queue of the device and context, in order or not, behind what is in the
 * queue already and behind `wait_count` events, and returns. event: NULL, or where an event is put
 * that is complete when the result is there; it is the caller's to release. What the caller puts
 * into a queue that does not work in order has to wait for that event.
 *
 * Both buffers must be of the device's memory (weft_opencl_buffer_wrap, weft_buffer_create) and
 * stay as they are until the transform is done; so must the plan. In place means the same cl_mem.
 * Where the plan needs scratch and execution (which may be NULL) gives none, the plan keeps one for
 * each queue that it was executed on.
 * Errors: as weft_execute; ARGUMENT for buffers of host memory, a queue of another device or
 * context, or events that are none; DEVICE. */
WEFT_API weft_status weft_opencl_execute(const weft_plan *plan, weft_direction direction,
                                         const weft_buffer *in, weft_buffer *out,
                                         const weft_execution *execution,
                                         struct _cl_command_queue *queue, uint32_t wait_count,
                                         struct _cl_event *const *wait, struct _cl_event **event);

#ifdef __cplusplus
}
#endif

#endif
