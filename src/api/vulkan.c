/* The functions of weft/vulkan.h. */
#include <weft/vulkan.h>

#include "api/buffer.h"
#include "api/execute.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/vulkan/vulkan.h"

static weft_status check_device(const weft_device *device, const char *function)
{
    weft_status status = device_check(device, &vulkan_device_ops, "Vulkan", function);
    if (status || !vulkan_is_own(&device->device)) return status;
    return error_set(WEFT_ERROR_ARGUMENT,
                     "%s: the device has a VkDevice of its own; accepted are those of "
                     "weft_vulkan_device_open()",
                     function);
}

static const char *missing_in(const weft_vulkan_context *context)
{
    if (!context) return "context";
    if (!context->physical_device) return "physical_device";
    if (!context->device) return "context->device";
    return context->queue ? NULL : "queue";
}

weft_status weft_vulkan_device_open(const weft_vulkan_context *context, weft_device **device)
{
    const char *missing = device ? missing_in(context) : "device";
    if (missing) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_vulkan_device_open: %s is NULL", missing);
    }
    weft_device *opened = memory_alloc_zeroed(sizeof *opened);
    if (!opened) return error_memory("a device");
    return device_complete(opened, vulkan_open_context(context, &opened->device), device);
}

weft_status weft_vulkan_buffer_wrap(weft_device *device, weft_vulkan_buffer re, size_t re_offset,
                                    weft_vulkan_buffer im, size_t im_offset, size_t bytes,
                                    weft_buffer **buffer)
{
    weft_status status = check_device(device, "weft_vulkan_buffer_wrap");
    if (status) return status;
    if (!re || !buffer) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_vulkan_buffer_wrap: %s is NULL",
                         re ? "buffer" : "re");
    }
    const struct vulkan_part part[2] = {{re, re_offset}, {im, im_offset}};
    void *memory[2] = {NULL, NULL};
    status = vulkan_wrap(&device->device, im ? 2 : 1, part, bytes, memory);
    if (status) return status;
    const weft_buffer contents = {.device = device,
                                  .memory = {.re = memory[0], .im = memory[1]},
                                  .plane = {{(const void *)(uintptr_t)re, re_offset},
                                            {(const void *)(uintptr_t)im, im_offset}},
                                  .bytes = bytes,
                                  .owned = memory[0]};
    status = buffer_make(&contents, buffer);
    if (status) device->device.ops->free(&device->device, memory[0]);
    return status;
}

/* ---- images ---- */

static weft_status read_image(const weft_device *device, const weft_vulkan_image *image,
                              struct side_image *side)
{
    if (!image) return WEFT_OK;
    weft_status status = vulkan_image_texels(&device->device, image, &side->texels);
    if (!status) side->count = image->width * image->height;
    return status;
}

weft_status weft_vulkan_plan_create(weft_device *device, const weft_params *params,
                                    const weft_vulkan_image *in, const weft_vulkan_image *out,
                                    weft_plan **plan)
{
    struct side_image images[2] = {{.count = 0}, {.count = 0}};
    weft_status status = check_device(device, "weft_vulkan_plan_create");
    if (status) return status;
    if (!params || !plan) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_vulkan_plan_create: %s is NULL",
                         params ? "plan" : "params");
    }
    status = read_image(device, in, &images[0]);
    if (!status) status = read_image(device, out, &images[1]);
    return status ? status : plan_make(device, params, images, plan);
}

weft_status weft_vulkan_image_wrap(weft_device *device, weft_vulkan_image_view view,
                                   const weft_vulkan_image *image, weft_buffer **buffer)
{
    struct side_image side = {.count = 0};
    void *memory = NULL;
    weft_status status = check_device(device, "weft_vulkan_image_wrap");
    if (status) return status;
    if (!view || !image || !buffer) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_vulkan_image_wrap: %s is NULL",
                         !view ? "view" : image ? "buffer" : "image");
    }
    status = read_image(device, image, &side);
    if (!status) status = vulkan_image_wrap(view, &memory);
    if (status) return status;
    const weft_buffer contents = {.device = device,
                                  .memory = {.re = memory},
                                  .plane = {{.object = (const void *)(uintptr_t)view}},
                                  .bytes = (size_t)side.count,
                                  .image = texels_shape(&side.texels),
                                  .owned = memory};
    status = buffer_make(&contents, buffer);
    if (status) device->device.ops->free(&device->device, memory);
    return status;
}

/* ---- recording ---- */

weft_status weft_vulkan_record(const weft_plan *plan, weft_direction direction,
                               const weft_buffer *in, weft_buffer *out,
                               const weft_execution *execution, struct VkCommandBuffer_T *commands)
{
    if (!plan || !commands) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_vulkan_record: %s is NULL",
                         plan ? "commands" : "plan");
    }
    weft_status status = check_device(plan->device, "weft_vulkan_record");
    return status ? status : execute_on_queue(plan, direction, in, out, execution, commands);
}
