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
struct VkImageView_T;

/* A VkBuffer and a VkImageView, which are numbers where pointers are short. */
#if UINTPTR_MAX > 0xffffffff
typedef struct VkBuffer_T *weft_vulkan_buffer;
typedef struct VkImageView_T *weft_vulkan_image_view;
#else
typedef uint64_t weft_vulkan_buffer;
typedef uint64_t weft_vulkan_image_view;
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
    int shader_storage_image_extended_formats; /* likewise; images of other formats than RGBA of 8
                                                * bits or of floats, and R of 32 bits, need it */
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
 * those of two planes are the same modulo minStorageBufferOffsetAlignment. For numbers of 8 and 16
 * bits, which are found in words, `bytes` is a multiple of 4. *buffer is the caller's to destroy,
 * once no command buffer that it was recorded in is pending. Errors: ARGUMENT (a device
 * that is not the caller's, an offset that is no multiple of 4), UNSUPPORTED (more than
 * maxStorageBufferRange), MEMORY. */
WEFT_API weft_status weft_vulkan_buffer_wrap(weft_device *device, weft_vulkan_buffer re,
                                             size_t re_offset, weft_vulkan_buffer im,
                                             size_t im_offset, size_t bytes, weft_buffer **buffer);

/* An image that a transform reads from or writes to, without a copy of it. Its texels are taken for
 * an array, row by row: texel (x, y) is element y * width + x, and strides, distances and offsets
 * count texels. Those that are left to their defaults follow rows of `width` texels, so that a
 * smaller transform takes the upper left corner, and an offset of y * width + x another place.
 *
 * Numbers are what an image has them for: 0 to 1 in UNORM, -1 to 1 in SNORM, and what is beyond is
 * clamped as it is written; so scale. A real number is one channel, a complex one that and the
 * next. Channels that are not written keep what they have. */
typedef struct weft_vulkan_image {
    int32_t format;        /* VkFormat of the view: UNORM or SNORM of 8 or 16 bits, SFLOAT of 16 or
                            * 32, of R, RG or RGBA; A2B10G10R10_UNORM_PACK32,
                            * B10G11R11_UFLOAT_PACK32 */
    int channel;           /* 0: R, which numbers begin in */
    int64_t width, height; /* in texels, of the view's level */
} weft_vulkan_image;

/* Makes a plan as weft_plan_create() does, whose input or output, or both, are images; NULL: that
 * side is a buffer. In single precision, with strides that are not negative and
 * WEFT_ESTIMATE; the format in params is that of a complex side that is a buffer. What passes leave
 * to each other is kept in scratch, not in images. weft_plan_describe() counts a texel's bytes as
 * those of its numbers in single precision. The device is the caller's. Errors: as
 * weft_plan_create(); UNSUPPORTED for a format that the device does not store
 * (VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) or was not opened for; LAYOUT for a transform that is
 * larger than its image. */
WEFT_API weft_status weft_vulkan_plan_create(weft_device *device, const weft_params *params,
                                             const weft_vulkan_image *in,
                                             const weft_vulkan_image *out, weft_plan **plan);

/* A buffer over a view of an image, which must outlive it, for plans made for an image of this
 * format and size (the channel is the plan's). The view is of one layer and level of two
 * dimensions, with no swizzle, of an image with VK_IMAGE_USAGE_STORAGE_BIT. It is in
 * VK_IMAGE_LAYOUT_GENERAL whenever a transform runs; weft changes no layouts. weft_buffer_read()
 * and weft_buffer_write() refuse it. Views are told apart by their handles: two of one image may
 * not be the input and the output of one execute. Errors: ARGUMENT, SIZE, UNSUPPORTED, MEMORY. */
WEFT_API weft_status weft_vulkan_image_wrap(weft_device *device, weft_vulkan_image_view view,
                                            const weft_vulkan_image *image, weft_buffer **buffer);

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
