#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "support/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/assert_status.h"
#include "support/drivers.h"

static char log_file[1024];
static long forgotten; /* bytes of it */

/* ---- the layer ---- */

const char *__tsan_default_suppressions(void);

/* Debian's layer takes its own locks now in one order, now in another: a thread of its own, that
 * waits for fences, and the closing of a device. It never holds one of ours. */
const char *__tsan_default_suppressions(void)
{
    return "deadlock:libVkLayer_khronos_validation\n";
}

void test_vulkan_prepare(const char *build_folder, const char *test)
{
    char name[256], path[1200];
    unsetenv("WEFT_VULKAN");
    drivers_keep_in("WEFT_CACHE_DIR", build_folder, "kernels");
    snprintf(name, sizeof name, "tests/%s_layer", test);
    drivers_keep_in("VK_LAYER_SETTINGS_PATH", build_folder, name);
    snprintf(log_file, sizeof log_file, "%s/%s/messages", build_folder, name);
    snprintf(path, sizeof path, "%s/%s/vk_layer_settings.txt", build_folder, name);
    FILE *file = fopen(path, "w");
    if (!file) return; /* the program runs elsewhere than where it was built */
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation", 1);
    fprintf(file,
            "khronos_validation.enables = "
            "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT\n"
            "khronos_validation.report_flags = error,warn,perf\n"
            "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
            "khronos_validation.log_filename = %s\n",
            log_file);
    if (fclose(file)) abort();
    remove(log_file);
}

const char *test_vulkan_messages(void)
{
    static char messages[4096];
    memset(messages, 0, sizeof messages);
    FILE *file = fopen(log_file, "r");
    if (!file) return "";
    const bool more =
        fseek(file, forgotten, SEEK_SET) == 0 && fread(messages, 1, sizeof messages - 1, file) > 0;
    fclose(file);
    return more ? messages : "";
}

void test_vulkan_forget(void)
{
    FILE *file = fopen(log_file, "r");
    if (!file) return;
    if (fseek(file, 0, SEEK_END) == 0) forgotten = ftell(file);
    fclose(file);
}

int test_vulkan_is_silent(void **state)
{
    (void)state;
    const char *messages = test_vulkan_messages();
    if (messages[0] == 0) return 0;
    printf("the validation layer says:\n%s\n", messages);
    test_vulkan_forget();
    return -1;
}

bool test_vulkan_is_watched(const struct test_vulkan *t)
{
    const VkBufferCreateInfo wrong = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64};
    VkBuffer buffer = VK_NULL_HANDLE;
    if (!t->vk->CreateBuffer(t->device, &wrong, NULL, &buffer))
        t->vk->DestroyBuffer(t->device, buffer, NULL);
    const bool watched = test_vulkan_messages()[0] != 0;
    test_vulkan_forget();
    return watched;
}

/* ---- a device ---- */

static void check(VkResult result, const char *call)
{
    if (result == VK_SUCCESS) return;
    fprintf(stderr, "%s: %s\n", call, vulkan_result_name(result));
    abort();
}

static bool find_physical(struct test_vulkan *t)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VULKAN_API_VERSION};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;
    if (t->vk->CreateInstance(&info, NULL, &t->instance)) return false;
    const VkResult result = t->vk->EnumeratePhysicalDevices(t->instance, &count, &t->physical);
    if (result >= 0 && count == 1) return true;
    t->vk->DestroyInstance(t->instance, NULL);
    return false;
}

static void find_family(struct test_vulkan *t)
{
    VkQueueFamilyProperties family[16];
    uint32_t count = 16;
    t->vk->GetPhysicalDeviceQueueFamilyProperties(t->physical, &count, family);
    while (t->family < count && !(family[t->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        t->family++;
}

static void create_device(struct test_vulkan *t)
{
    VkPhysicalDeviceFeatures features;
    t->vk->GetPhysicalDeviceFeatures(t->physical, &features);
    features = (VkPhysicalDeviceFeatures){.shaderFloat64 = features.shaderFloat64,
                                          .shaderInt64 = features.shaderInt64,
                                          .shaderStorageImageExtendedFormats =
                                              features.shaderStorageImageExtendedFormats};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = t->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = &features};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = t->family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(t->vk->CreateDevice(t->physical, &info, NULL, &t->device), "vkCreateDevice");
    t->vk->GetDeviceQueue(t->device, t->family, 0, &t->queue);
    check(t->vk->CreateCommandPool(t->device, &pool, NULL, &t->pool), "vkCreateCommandPool");
    check(t->vk->CreateFence(t->device, &fence, NULL, &t->fence), "vkCreateFence");
}

weft_vulkan_context test_vulkan_context(const struct test_vulkan *t)
{
    VkPhysicalDeviceFeatures features;
    t->vk->GetPhysicalDeviceFeatures(t->physical, &features);
    return (weft_vulkan_context){.physical_device = t->physical,
                                 .device = t->device,
                                 .queue = t->queue,
                                 .queue_family = t->family,
                                 .api_version = VULKAN_API_VERSION,
                                 .shader_float64 = (int)features.shaderFloat64,
                                 .shader_int64 = (int)features.shaderInt64,
                                 .shader_storage_image_extended_formats =
                                     (int)features.shaderStorageImageExtendedFormats};
}

bool test_vulkan_open(struct test_vulkan *t)
{
    const char *why;
    *t = (struct test_vulkan){.vk = vulkan_library_get(&why)};
    if (!t->vk || !find_physical(t)) return false;
    t->vk->GetPhysicalDeviceProperties(t->physical, &t->properties);
    find_family(t);
    create_device(t);
    const weft_vulkan_context context = test_vulkan_context(t);
    if (weft_vulkan_device_open(&context, &t->weft)) abort();
    if (!test_vulkan_is_watched(t))
        printf("the validation layer is not installed: nobody watches\n");
    return true;
}

/* What weft left behind is a message of the layer. */
void test_vulkan_close(struct test_vulkan *t)
{
    weft_device_close(&t->weft);
    t->vk->DestroyFence(t->device, t->fence, NULL);
    t->vk->DestroyCommandPool(t->device, t->pool, NULL);
    t->vk->DestroyDevice(t->device, NULL);
    t->vk->DestroyInstance(t->instance, NULL);
}

/* ---- memory ---- */

static uint32_t find_type(const struct test_vulkan *t, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties properties;
    t->vk->GetPhysicalDeviceMemoryProperties(t->physical, &properties);
    for (uint32_t i = 0; i < properties.memoryTypeCount; i++)
        if (allowed >> i & 1 && (properties.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    abort();
}

struct test_vulkan_memory *test_vulkan_memory(const struct test_vulkan *t, size_t bytes,
                                              const void *data)
{
    struct test_vulkan_memory *m = calloc(1, sizeof *m);
    if (!m) abort();
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    check(t->vk->CreateBuffer(t->device, &info, NULL, &m->buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    t->vk->GetBufferMemoryRequirements(t->device, m->buffer, &needs);
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needs.size,
                                             .memoryTypeIndex = find_type(t, needs.memoryTypeBits)};
    check(t->vk->AllocateMemory(t->device, &allocation, NULL, &m->memory), "vkAllocateMemory");
    check(t->vk->BindBufferMemory(t->device, m->buffer, m->memory, 0), "vkBindBufferMemory");
    check(t->vk->MapMemory(t->device, m->memory, 0, VK_WHOLE_SIZE, 0, &m->data), "vkMapMemory");
    m->bytes = bytes;
    if (data)
        memcpy(m->data, data, bytes);
    else
        memset(m->data, 0, bytes);
    return m;
}

void test_vulkan_release(const struct test_vulkan *t, struct test_vulkan_memory *memory)
{
    t->vk->DestroyBuffer(t->device, memory->buffer, NULL);
    t->vk->FreeMemory(t->device, memory->memory, NULL);
    free(memory);
}

/* ---- command buffers ---- */

weft_buffer *test_vulkan_wrap(const struct test_vulkan *t, const struct test_vulkan_memory *memory,
                              size_t offset, size_t bytes)
{
    weft_buffer *buffer = NULL;
    assert_done(weft_vulkan_buffer_wrap(t->weft, memory->buffer, offset, NULL, 0, bytes, &buffer));
    return buffer;
}

weft_plan *test_vulkan_plan(weft_device *device, int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    params.inverse_scale = 1.0 / (double)n;
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, &params, &plan));
    return plan;
}

VkCommandBuffer test_vulkan_begin(const struct test_vulkan *t)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = t->pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(t->vk->AllocateCommandBuffers(t->device, &info, &commands), "vkAllocateCommandBuffers");
    check(t->vk->BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

/* The host reads what was written. */
void test_vulkan_end(const struct test_vulkan *t, VkCommandBuffer commands)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    t->vk->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                              VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    check(t->vk->EndCommandBuffer(commands), "vkEndCommandBuffer");
}

void test_vulkan_run(const struct test_vulkan *t, VkCommandBuffer commands)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    check(t->vk->QueueSubmit(t->queue, 1, &info, t->fence), "vkQueueSubmit");
    check(t->vk->WaitForFences(t->device, 1, &t->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
    check(t->vk->ResetFences(t->device, 1, &t->fence), "vkResetFences");
}

/* ---- trials ---- */

static void *send_copy(void *context, size_t bytes, const void *data)
{
    return test_vulkan_memory(context, bytes, data);
}

static void fetch(void *context, void *memory, size_t bytes, void *data)
{
    const struct test_vulkan_memory *m = memory;
    (void)context;
    memcpy(data, m->data, bytes);
}

static void release(void *context, void *memory)
{
    test_vulkan_release(context, memory);
}

static weft_buffer *wrap(void *context, void *re, void *im, size_t bytes)
{
    const struct test_vulkan *t = context;
    const struct test_vulkan_memory *planes[2] = {re, im};
    weft_buffer *buffer = NULL;
    if (weft_vulkan_buffer_wrap(t->weft, planes[0]->buffer, 0, im ? planes[1]->buffer : NULL, 0,
                                bytes, &buffer))
        abort();
    return buffer;
}

static weft_status execute(void *context, const weft_plan *plan, weft_direction direction,
                           const weft_buffer *in, weft_buffer *out)
{
    const struct test_vulkan *t = context;
    VkCommandBuffer commands = test_vulkan_begin(t);
    const weft_status status = weft_vulkan_record(plan, direction, in, out, NULL, commands);
    test_vulkan_end(t, commands);
    if (!status) test_vulkan_run(t, commands);
    return status;
}

struct memory_trial test_vulkan_trial(struct test_vulkan *t)
{
    return (struct memory_trial){t, send_copy, fetch, release, wrap, execute};
}
