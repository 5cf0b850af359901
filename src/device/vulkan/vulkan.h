/* Devices through Vulkan 1.0 and later. */
#ifndef WEFT_DEVICE_VULKAN_VULKAN_H
#define WEFT_DEVICE_VULKAN_VULKAN_H

#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "weft/vulkan.h"

/* "vulkan:N", N counted over all physical devices; no N: 0. "vulkan:N,LIMITS": with no more than
 * these, as limits_parse() reads them. A handle of memory is a struct
 * vulkan_memory; the queue that a pass is given is a VkCommandBuffer to record into. */
extern const struct device_ops vulkan_device_ops;

/* Opens a device on the caller's. Fills *device, its ops as well. ARGUMENT: a queue family without
 * compute; DEVICE: no loader. */
weft_status vulkan_open_context(const weft_vulkan_context *context, struct device *device);

/* Whether the device's VkDevice is none of the caller's. */
bool vulkan_is_own(const struct device *device);

/* A part of a buffer of the caller's. */
struct vulkan_part {
    weft_vulkan_buffer buffer;
    size_t offset; /* in bytes */
};

/* Handles of memory over `planes` (1 or 2) parts of `bytes` bytes, for device_ops.free(), which
 * leaves the buffers alone; the second goes with the first. ARGUMENT: an offset that no number may
 * have; UNSUPPORTED: beyond maxStorageBufferRange; MEMORY. */
weft_status vulkan_wrap(const struct device *device, int planes, const struct vulkan_part *part,
                        size_t bytes, void **memory);

/* What kernels call an image of this format and size, and its channel. UNSUPPORTED: no kernel has
 * such images, or none on this device; SIZE. */
weft_status vulkan_image_texels(const struct device *device, const struct weft_vulkan_image *image,
                                struct texels *texels);

/* A handle likewise over a view. MEMORY. */
weft_status vulkan_image_wrap(weft_vulkan_image_view view, void **memory);

#endif
