/* Buffers of a Vulkan device that rivals use as well. All take turns in one command buffer, which
 * is recorded first and then timed as a whole, as a renderer's frames are. The loader is opened at
 * run time. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include <weft/vulkan.h>

#include "samples.h"
#include "shared_library.h"

enum { MOST_DEVICES = 64, MOST_FAMILIES = 16 };

/* What is needed of Vulkan, by its name without the "vk". */
#define FUNCTIONS(ROW)                                                                             \
    ROW(CreateInstance)                                                                            \
    ROW(EnumeratePhysicalDevices)                                                                  \
    ROW(GetPhysicalDeviceFeatures)                                                                 \
    ROW(GetPhysicalDeviceMemoryProperties)                                                         \
    ROW(GetPhysicalDeviceQueueFamilyProperties)                                                    \
    ROW(CreateDevice)                                                                              \
    ROW(GetDeviceQueue)                                                                            \
    ROW(CreateCommandPool)                                                                         \
    ROW(AllocateCommandBuffers)                                                                    \
    ROW(CreateFence)                                                                               \
    ROW(BeginCommandBuffer)                                                                        \
    ROW(EndCommandBuffer)                                                                          \
    ROW(QueueSubmit)                                                                               \
    ROW(WaitForFences)                                                                             \
    ROW(ResetFences)                                                                               \
    ROW(CreateBuffer)                                                                              \
    ROW(DestroyBuffer)                                                                             \
    ROW(GetBufferMemoryRequirements)                                                               \
    ROW(AllocateMemory)                                                                            \
    ROW(FreeMemory)                                                                                \
    ROW(BindBufferMemory)                                                                          \
    ROW(GetPhysicalDeviceProperties)                                                               \
    ROW(CreateQueryPool)                                                                           \
    ROW(CmdResetQueryPool)                                                                         \
    ROW(CmdWriteTimestamp)                                                                         \
    ROW(GetQueryPoolResults)                                                                       \
    ROW(CmdFillBuffer)                                                                             \
    ROW(CmdPipelineBarrier)

static struct {
#define FIELD(name) PFN_vk##name name;
    FUNCTIONS(FIELD)
#undef FIELD
} vk;

static const struct library_entry entries[] = {
#define ENTRY(name) {"vk" #name, &vk.name},
    FUNCTIONS(ENTRY)
#undef ENTRY
};

/* What rivals are given to work with: bench/vkfft_vulkan.c. One device a run; kept until the
 * process ends. */
static struct vulkan_work {
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkFence fence;
    VkCommandBuffer commands; /* being recorded */
} work;

/* The device's clock, read in the command buffer before and after what is timed: what sending it
 * takes is no part of a renderer's frames. */
static struct {
    VkQueryPool pool;
    double seconds;    /* of a tick */
    unsigned int bits; /* that count; 0: there is no such clock */
} ticks;

static weft_vulkan_context context;

/* Of an array: what rivals understand as its address. */
struct vulkan_array {
    VkBuffer buffer;
    VkDeviceMemory memory;
    weft_device *device;
    weft_plan *copies; /* all of it; NULL: made when it is asked for */
};

static const char *failed(const char *call, VkResult result)
{
    static char line[80];
    if (result >= 0) return NULL;
    snprintf(line, sizeof line, "Vulkan: %s failed (%d)", call, (int)result);
    return line;
}

static const char *verdict(weft_status status)
{
    return status == WEFT_OK ? NULL : weft_last_error();
}

/* ---- commands ---- */

static const char *begin(void)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    return failed("vkBeginCommandBuffer", vk.BeginCommandBuffer(work.commands, &info));
}

/* Everything so far comes before everything from now on. */
static void order(void)
{
    const VkAccessFlags reads = VK_ACCESS_MEMORY_READ_BIT, writes = VK_ACCESS_MEMORY_WRITE_BIT;
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = writes,
                                     .dstAccessMask = reads | writes};
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    vk.CmdPipelineBarrier(work.commands, all, all, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Runs what was recorded, and begins anew. *seconds: from sending it to its end. */
static const char *run(double *seconds)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &work.commands};
    const char *problem = failed("vkEndCommandBuffer", vk.EndCommandBuffer(work.commands));
    if (problem) return problem;
    const double start = seconds_now();
    VkResult result = vk.QueueSubmit(work.queue, 1, &info, work.fence);
    if (!result) result = vk.WaitForFences(work.device, 1, &work.fence, VK_TRUE, UINT64_MAX);
    *seconds = seconds_now() - start;
    if (!result) result = vk.ResetFences(work.device, 1, &work.fence);
    problem = failed("vkQueueSubmit", result);
    return problem ? problem : begin();
}

static void read_clock(uint32_t which)
{
    if (!ticks.bits) return;
    if (which == 0) vk.CmdResetQueryPool(work.commands, ticks.pool, 0, 2);
    vk.CmdWriteTimestamp(work.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, ticks.pool, which);
}

/* By the device's clock, if it has one. */
static const char *ticks_between(double *seconds)
{
    uint64_t at[2];
    if (!ticks.bits) return NULL;
    const VkResult result = vk.GetQueryPoolResults(work.device, ticks.pool, 0, 2, sizeof at, at,
                                                   sizeof *at, VK_QUERY_RESULT_64_BIT);
    *seconds = (double)((at[1] - at[0]) << (64 - ticks.bits) >> (64 - ticks.bits)) * ticks.seconds;
    return failed("vkGetQueryPoolResults", result);
}

static const char *finish(void)
{
    double seconds;
    return run(&seconds);
}

/* ---- opening ---- */

static const char *open_loader(void)
{
    static const char *const names[] = {"libvulkan.so.1"};
    void *library = library_open("WEFT_VULKAN", names, 1);
    if (!library) return "Vulkan: no loader here (libvulkan.so.1)";
    if (!library_find(library, entries, sizeof entries / sizeof *entries))
        return "Vulkan: the loader lacks a function";
    return NULL;
}

static const char *find_device(int ordinal)
{
    VkPhysicalDevice devices[MOST_DEVICES];
    uint32_t count = MOST_DEVICES;
    VkInstance instance;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    const char *problem = failed("vkCreateInstance", vk.CreateInstance(&info, NULL, &instance));
    if (!problem)
        problem = failed("vkEnumeratePhysicalDevices",
                         vk.EnumeratePhysicalDevices(instance, &count, devices));
    if (!problem && ordinal >= (int)count) problem = "Vulkan: the device is gone";
    if (!problem) work.physical = devices[ordinal];
    return problem;
}

/* For compute, and as weft itself would choose it: for nothing but that, where there is one. */
static uint32_t find_family(void)
{
    VkQueueFamilyProperties family[MOST_FAMILIES];
    VkPhysicalDeviceProperties properties;
    uint32_t count = MOST_FAMILIES, found = 0;
    vk.GetPhysicalDeviceQueueFamilyProperties(work.physical, &count, family);
    vk.GetPhysicalDeviceProperties(work.physical, &properties);
    while (found + 1 < count && !(family[found].queueFlags & VK_QUEUE_COMPUTE_BIT)) found++;
    for (uint32_t i = count; i-- > 0;) {
        const VkQueueFlags both = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT;
        if ((family[i].queueFlags & both) == VK_QUEUE_COMPUTE_BIT) found = i;
    }
    ticks.bits = family[found].timestampValidBits;
    ticks.seconds = 1e-9 * (double)properties.limits.timestampPeriod;
    return found;
}

static VkResult create_clock(void)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2};
    return ticks.bits ? vk.CreateQueryPool(work.device, &info, NULL, &ticks.pool) : VK_SUCCESS;
}

static const char *create_device(uint32_t family, const VkPhysicalDeviceFeatures *features)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .pEnabledFeatures = features};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkResult result = vk.CreateDevice(work.physical, &device, NULL, &work.device);
    if (result) return failed("vkCreateDevice", result);
    vk.GetDeviceQueue(work.device, family, 0, &work.queue);
    result = vk.CreateCommandPool(work.device, &pool, NULL, &work.pool);
    if (!result) result = vk.CreateFence(work.device, &fence, NULL, &work.fence);
    if (!result) result = create_clock();
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = work.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    if (!result) result = vk.AllocateCommandBuffers(work.device, &commands, &work.commands);
    return result ? failed("making a command buffer", result) : begin();
}

static const char *start(int ordinal)
{
    VkPhysicalDeviceFeatures has;
    const char *problem = open_loader();
    if (!problem) problem = find_device(ordinal);
    if (problem) return problem;
    vk.GetPhysicalDeviceFeatures(work.physical, &has);
    const VkPhysicalDeviceFeatures features = {.shaderFloat64 = has.shaderFloat64,
                                               .shaderInt64 = has.shaderInt64};
    const uint32_t family = find_family();
    problem = create_device(family, &features);
    context = (weft_vulkan_context){.physical_device = work.physical,
                                    .device = work.device,
                                    .queue = work.queue,
                                    .queue_family = family,
                                    .api_version = VK_API_VERSION_1_1,
                                    .shader_float64 = (int)features.shaderFloat64,
                                    .shader_int64 = (int)features.shaderInt64};
    return problem;
}

/* By its name first, so that a name that means nothing is refused in the library's words. */
static const char *open_vulkan(const char *name, weft_device **device)
{
    const char *colon = name ? strchr(name, ':') : NULL;
    const char *problem = NULL;
    if (!context.device) {
        problem = verdict(weft_device_open(name, device));
        if (problem) return problem;
        weft_device_close(device);
        problem = start(colon ? atoi(colon + 1) : 0);
    }
    return problem ? problem : verdict(weft_vulkan_device_open(&context, device));
}

/* ---- arrays ---- */

/* The first kind of the device's own memory, or of any. */
static uint32_t find_memory(uint32_t allowed)
{
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t any = 0;
    vk.GetPhysicalDeviceMemoryProperties(work.physical, &memory);
    while (!(allowed >> any & 1)) any++;
    for (uint32_t i = any; i < memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags has = memory.memoryTypes[i].propertyFlags;
        if (allowed >> i & 1 && has & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) return i;
    }
    return any;
}

static const char *create_buffer(size_t bytes, struct vulkan_array *array)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    VkResult result = vk.CreateBuffer(work.device, &info, NULL, &array->buffer);
    if (result) return failed("vkCreateBuffer", result);
    vk.GetBufferMemoryRequirements(work.device, array->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = find_memory(needs.memoryTypeBits)};
    result = vk.AllocateMemory(work.device, &memory, NULL, &array->memory);
    if (!result) result = vk.BindBufferMemory(work.device, array->buffer, array->memory, 0);
    if (result) return failed("vkAllocateMemory", result);
    vk.CmdFillBuffer(work.commands, array->buffer, 0, VK_WHOLE_SIZE, 0);
    order();
    return finish();
}

static void destroy_on_device(struct place_array *array)
{
    struct vulkan_array *made = array->memory;
    weft_buffer_destroy(&array->buffer);
    array->memory = NULL;
    if (!made) return;
    weft_plan_destroy(&made->copies);
    vk.DestroyBuffer(work.device, made->buffer, NULL);
    vk.FreeMemory(work.device, made->memory, NULL);
    free(made);
}

static const char *create_on_device(weft_device *device, size_t bytes, struct place_array *array)
{
    struct vulkan_array *made = calloc(1, sizeof *made);
    if (!made) return "no memory for the arrays";
    array->bytes = bytes;
    array->memory = made;
    made->device = device;
    const char *problem = create_buffer(bytes, made);
    if (!problem)
        problem = verdict(
            weft_vulkan_buffer_wrap(device, made->buffer, 0, NULL, 0, bytes, &array->buffer));
    if (problem) destroy_on_device(array);
    return problem;
}

static const char *write_to_device(struct place_array *array, size_t offset, const void *data,
                                   size_t bytes)
{
    const char *problem = finish();
    return problem ? problem : verdict(weft_buffer_write(array->buffer, offset, data, bytes));
}

static const char *read_from_device(const struct place_array *array, size_t offset, void *data,
                                    size_t bytes)
{
    const char *problem = finish();
    return problem ? problem : verdict(weft_buffer_read(array->buffer, offset, data, bytes));
}

/* ---- work ---- */

static const char *record(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                          weft_buffer *out, int64_t repeats)
{
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < repeats && !status; i++)
        status = weft_vulkan_record(plan, direction, in, out, NULL, work.commands);
    return verdict(status);
}

/* By a kernel: vkCmdCopyBuffer reaches a fifth of the speed of NVIDIA's memory. */
static const char *copy_on_device(const struct place_array *to, const struct place_array *from)
{
    struct vulkan_array *source = from->memory;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 1;
    params.batch = (int64_t)(from->bytes / (2 * sizeof(float)));
    const char *problem = NULL;
    if (!source->copies)
        problem = verdict(weft_plan_create(source->device, &params, &source->copies));
    return problem ? problem : record(source->copies, WEFT_FORWARD, from->buffer, to->buffer, 1);
}

static const char *time_recorded(place_work *repeated, const void *work_context, int64_t repeats,
                                 double *seconds)
{
    const char *problem = finish();
    read_clock(0);
    if (!problem) problem = repeated(work_context, repeats);
    read_clock(1);
    if (!problem) problem = run(seconds);
    return problem ? problem : ticks_between(seconds);
}

static void *work_of_place(void)
{
    return &work;
}

const struct place place_vulkan = {
    .open = open_vulkan,
    .create = create_on_device,
    .destroy = destroy_on_device,
    .write = write_to_device,
    .read = read_from_device,
    .execute = record,
    .time = time_recorded,
    .copy = copy_on_device,
    .queue = work_of_place,
};
