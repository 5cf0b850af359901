/* weft on Vulkan: the caller's device and buffers, and transforms recorded into command buffers.
 *
 * The structures named here are what Vulkan's handles point to: a VkDevice is a
 * struct VkDevice_T *, and so on. Vulkan's headers are not needed to use this one; the library
 * opens the loader (libvulkan.so.1, or the file that the variable WEFT_VULKAN names; empty: none)
 * when devices are first looked for. Vulkan 1.0 is enough of the device.
 *
 * Vulkan does not tell a handle that was destroyed from any other: handles must be valid. */
#ifndef WEFT_VULKAN_H
#define WEFT_VULKAN_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VkPhysicalDevice_T;
struct VkDevice_T;
struct VkQueue_T;
struct VkBuffer_T;
struct VkCommandBuffer_T;

/* A VkBuffer, which is a number where pointers are short. */
#if UINTPTR_MAX > 0xffffffff
typedef struct VkBuffer_T *weft_vulkan_buffer;
#else
typedef uint64_t weft_vulkan_buffer;
#endif

/* A device of the caller's. */
typedef struct weft_vulkan_context {
    struct VkPhysicalDevice_T *physical_device;
    struct VkDevice_T *device;
    struct VkQueue_T *queue; /* for weft's own work: plans' tables, weft_execute(), copies. Calls
                              * that do any of it must not overlap with other uses of the queue:
                              * Vulkan leaves that to the application. */
    uint32_t queue_family;   /* that the queue is of; it must be for compute */
    uint32_t api_version;    /* that the instance was made for, as in VkApplicationInfo; 0: 1.0 */
    int shader_float64;      /* 1: vkCreateDevice() was given this feature; 0: no doubles */
    int shader_int64;        /* likewise; few plans need it */
} weft_vulkan_context;

/* Opens the device on the caller's, which must outlive it; weft_device_open("vulkan:0") makes a
 * device of its own. *device is the caller's to close. Errors: ARGUMENT (NULL, a queue family that
 * is not for compute), DEVICE (no loader), MEMORY. */
WEFT_API weft_status weft_vulkan_device_open(const weft_vulkan_context *context,
                                             weft_device **device);

/* A buffer over parts of VkBuffers, which must outlive it: `bytes` bytes of pairs, or of reals,
 * from byte re_offset of re on, im being VK_NULL_HANDLE, or two planes of `bytes` bytes each. They
 * must have been made with VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, and with
 * VK_BUFFER_USAGE_TRANSFER_SRC_BIT and DST_BIT if weft_buffer_read() and weft_buffer_write() are
 * used. Offsets are multiples of an element (a pair; a real number in planes and of reals), and
 * those of two planes are the same modulo minStorageBufferOffsetAlignment. *buffer is the caller's
 * to destroy, once no command buffer that it was recorded in is pending. Errors: ARGUMENT (a device
 * that is not the caller's, an offset that is no multiple of 4), UNSUPPORTED (more than
 * maxStorageBufferRange), MEMORY. */
WEFT_API weft_status weft_vulkan_buffer_wrap(weft_device *device, weft_vulkan_buffer re,
                                             size_t re_offset, weft_vulkan_buffer im,
                                             size_t im_offset, size_t bytes, weft_buffer **buffer);

/* Records the transform into a command buffer, outside of a render pass, and returns; what it does
 * is done when the command buffer is. Its pool must be of a family for compute.
 *
 * Barriers: a memory barrier stands before each pass, the first included, that makes all that
 * compute shaders and transfers of the queue wrote before visible to it. What other stages wrote to
 * the input, and what they still read of the output, the caller orders before the call. The result
 * is written by VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT with VK_ACCESS_SHADER_WRITE_BIT: whatever
 * reads it next needs a barrier of the caller's. Pipeline, descriptor set 0 and push constants of
 * the compute bind point are changed.
 *
 * The command buffer may be submitted any number of times, but not pending twice at once, while
 * plan, buffers and scratch live. Where the plan needs scratch and execution (which may be NULL)
 * gives none, the plan keeps one for each command buffer that it was recorded in. In place means
 * that in is out. Errors: as weft_execute; ARGUMENT for buffers of host memory. What was
 * recorded before a failure stays in the command buffer. */
WEFT_API weft_status weft_vulkan_record(const weft_plan *plan, weft_direction direction,
                                        const weft_buffer *in, weft_buffer *out,
                                        const weft_execution *execution,
                                        struct VkCommandBuffer_T *commands);

#ifdef __cplusplus
}
#endif

#endif
