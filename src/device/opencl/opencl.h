/* Devices through OpenCL 1.2. */
#ifndef WEFT_DEVICE_OPENCL_OPENCL_H
#define WEFT_DEVICE_OPENCL_OPENCL_H

#include <stddef.h>
#include <stdint.h>

#include "device/device.h"

struct _cl_context;
struct _cl_device_id;
struct _cl_mem;
struct _cl_command_queue;
struct _cl_event;

/* "opencl:N", N counted over the devices of all platforms; no N: 0. Memory is a cl_mem. */
extern const struct device_ops opencl_device_ops;

/* Opens the device in a context of the caller's, which is retained. Fills *device, its ops as well.
 * ARGUMENT: the device is not in the context; DEVICE: no OpenCL. */
weft_status opencl_open_context(struct _cl_context *context, struct _cl_device_id *id,
                                struct device *device);

/* Where memory lies: a buffer that is no part of another, and how far in. */
struct opencl_extent {
    const void *buffer;
    size_t offset, bytes;
};

/* ARGUMENT: no buffer, or one of another context. */
weft_status opencl_find_extent(const struct device *device, struct _cl_mem *memory,
                               struct opencl_extent *extent);

/* ARGUMENT: not a queue of this device and context. */
weft_status opencl_check_queue(const struct device *device, struct _cl_command_queue *queue);

/* Makes what follows in the queue wait for the events. */
weft_status opencl_wait_for(const struct device *device, struct _cl_command_queue *queue,
                            uint32_t count, struct _cl_event *const *events);

/* Sends what is in the queue to the device. *event: of everything in the queue so far, the caller's
 * to release; event may be NULL. */
weft_status opencl_submit(const struct device *device, struct _cl_command_queue *queue,
                          struct _cl_event **event);

#endif
