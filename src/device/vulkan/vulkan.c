/* The Vulkan backend's row in the table of devices: opening, closing, counting. */
#include "device/vulkan/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/present.h"
#include "device/vulkan/state.h"

#define MOST_FAMILIES 16

static int vulkan_count(void)
{
    const struct vulkan_listed *listed;
    const char *why;
    return vulkan_library_devices(&listed, &why);
}

/* A processor is better served by "cpu". */
static bool vulkan_by_itself(int index)
{
    const struct vulkan_listed *listed;
    const char *why;
    vulkan_library_devices(&listed, &why);
    switch (listed[index].type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return true;
    default:
        return false;
    }
}

static bool vulkan_worth_asking(void)
{
    return gpu_may_be_present("WEFT_VULKAN");
}

/* ---- opening ---- */

/* Reads "N" or "N,LIMITS"; no argument means 0. */
static weft_status read_argument(const char *argument, int *ordinal, const char **limits)
{
    const int count = vulkan_count();
    char *end = NULL;
    const long wanted = argument ? strtol(argument, &end, 10) : 0;
    if (argument && (end == argument || (*end && *end != ','))) {
        return error_set(WEFT_ERROR_ARGUMENT, "Vulkan: \"%s\" is no number of a device", argument);
    }
    if (wanted < 0 || wanted >= count) {
        return error_set(WEFT_ERROR_DEVICE, "Vulkan: there is no device %ld; there are %d%s",
                         wanted, count, count ? ", from 0 on" : "");
    }
    *ordinal = (int)wanted;
    *limits = end && *end ? end + 1 : NULL;
    return WEFT_OK;
}

/* The device with less than it has: as a chip that is not here would have it. */
static weft_status lessen(struct device *device, const char *text)
{
    const struct limits has = device->limits;
    struct limits *limits = &device->limits;
    weft_status status = limits_parse(limits, text);
    if (status) return status;
    if (limits->threads > has.threads) limits->threads = has.threads;
    if (limits->shared_bytes > has.shared_bytes) limits->shared_bytes = has.shared_bytes;
    if (limits->largest_buffer > has.largest_buffer) limits->largest_buffer = has.largest_buffer;
    limits->precisions &= has.precisions;
    limits->narrow |= has.narrow;
    const size_t length = strlen(device->description);
    snprintf(device->description + length, sizeof device->description - length, ", as %.30s", text);
    return WEFT_OK;
}

/* A state with the loader and nothing else. */
static weft_status begin(struct device *device)
{
    const char *why;
    const struct vulkan_library *library = vulkan_library_get(&why);
    if (!library) return error_set(WEFT_ERROR_DEVICE, "%s", why);
    struct vulkan_state *state = memory_alloc_zeroed(sizeof *state);
    if (!state) return error_memory("a Vulkan device");
    state->library = library;
    pthread_mutex_init(&state->lock, NULL);
    pthread_mutex_init(&state->staging_lock, NULL);
    pthread_cond_init(&state->freed, NULL);
    device->state = state;
    device->ops = &vulkan_device_ops;
    device->host_memory = false;
    device->scratch_format = WEFT_INTERLEAVED;
    return WEFT_OK;
}

/* Its version, and the bytes that tell its pipeline caches from others'. */
static void print_driver(struct vulkan_state *state)
{
    const VkPhysicalDeviceProperties *p = &state->properties;
    int length = snprintf(state->driver, sizeof state->driver, "%x.%x.%x ", (unsigned)p->vendorID,
                          (unsigned)p->deviceID, (unsigned)p->driverVersion);
    for (int i = 0; i < (int)VK_UUID_SIZE; i++)
        length += snprintf(state->driver + length, sizeof state->driver - (size_t)length, "%02x",
                           (unsigned)p->pipelineCacheUUID[i]);
}

static void identify(struct vulkan_state *state, VkPhysicalDevice physical, uint32_t api_version)
{
    const struct vulkan_library *library = state->library;
    state->physical = physical;
    library->GetPhysicalDeviceProperties(physical, &state->properties);
    library->GetPhysicalDeviceMemoryProperties(physical, &state->memory);
    const uint32_t has = state->properties.apiVersion;
    state->api_version = has < api_version ? has : api_version;
    snprintf(state->name, sizeof state->name, "%.127s", state->properties.deviceName);
    print_driver(state);
}

/* ---- a device of weft's own ---- */

/* The more the better; 0: it is not for compute. Beside graphics a chip may give blocks a smaller
 * part of a multiprocessor's memory (experiment "queues" in docs/experiments). */
static int rank_family(const VkQueueFamilyProperties *family)
{
    if (!(family->queueFlags & VK_QUEUE_COMPUTE_BIT) || family->queueCount == 0) return 0;
    return family->queueFlags & VK_QUEUE_GRAPHICS_BIT ? 1 : 2;
}

static weft_status choose_family(struct vulkan_state *state)
{
    VkQueueFamilyProperties family[MOST_FAMILIES];
    uint32_t count = MOST_FAMILIES;
    int best = 0;
    state->library->GetPhysicalDeviceQueueFamilyProperties(state->physical, &count, family);
    for (uint32_t i = 0; i < count; i++) {
        if (rank_family(&family[i]) <= best) continue;
        best = rank_family(&family[i]);
        state->family = i;
    }
    if (best > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_DEVICE, "Vulkan: %s has no queue for compute", state->name);
}

static weft_status create_device(struct vulkan_state *state)
{
    VkPhysicalDeviceFeatures has;
    state->library->GetPhysicalDeviceFeatures(state->physical, &has);
    const VkPhysicalDeviceFeatures wanted = {.shaderFloat64 = has.shaderFloat64,
                                             .shaderInt64 = has.shaderInt64};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = state->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = &wanted};
    VkResult result = state->library->CreateDevice(state->physical, &info, NULL, &state->device);
    if (result) return vulkan_check(state, result, "vkCreateDevice", NULL);
    state->owned = true;
    state->doubles = wanted.shaderFloat64;
    state->wide = wanted.shaderInt64;
    state->library->GetDeviceQueue(state->device, state->family, 0, &state->queue);
    return WEFT_OK;
}

/* ---- the caller's ---- */

static weft_status adopt(struct vulkan_state *state, const weft_vulkan_context *context)
{
    VkQueueFamilyProperties family[MOST_FAMILIES];
    uint32_t count = MOST_FAMILIES;
    state->library->GetPhysicalDeviceQueueFamilyProperties(state->physical, &count, family);
    const uint32_t wanted = context->queue_family;
    if (wanted >= count || !(family[wanted].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "Vulkan: queue family %u of %s is not for compute; there are %u families",
                         (unsigned)wanted, state->name, (unsigned)count);
    }
    state->device = context->device;
    state->queue = context->queue;
    state->family = wanted;
    state->doubles = context->shader_float64 != 0;
    state->wide = context->shader_int64 != 0;
    state->extended_formats = context->shader_storage_image_extended_formats != 0;
    return WEFT_OK;
}

/* ---- both ---- */

/* Once there is a device. */
static weft_status make_ready(struct vulkan_state *state, struct device *device)
{
    const uint32_t version = state->properties.apiVersion;
    vulkan_limits(state, &device->limits);
    snprintf(device->description, sizeof device->description, "%.100s, Vulkan %u.%u", state->name,
             (unsigned)VK_API_VERSION_MAJOR(version), (unsigned)VK_API_VERSION_MINOR(version));
    weft_status status = vulkan_commands_create(state);
    return status ? status : store_open(NULL, &state->store);
}

static void vulkan_close(struct device *device)
{
    struct vulkan_state *state = device->state;
    if (!state) return;
    store_close(&state->store);
    vulkan_free_staging(device);
    if (state->device) vulkan_commands_destroy(state);
    if (state->owned) state->library->DestroyDevice(state->device, NULL);
    pthread_cond_destroy(&state->freed);
    pthread_mutex_destroy(&state->staging_lock);
    pthread_mutex_destroy(&state->lock);
    memory_free(state);
    device->state = NULL;
}

static weft_status vulkan_open(const char *argument, struct device *device)
{
    weft_status status = begin(device);
    if (status) return status;
    struct vulkan_state *state = device->state;
    const struct vulkan_listed *listed;
    const char *why, *limits = NULL;
    int ordinal = 0;
    vulkan_library_devices(&listed, &why);
    status = *why ? error_set(WEFT_ERROR_DEVICE, "%s", why)
                  : read_argument(argument, &ordinal, &limits);
    if (!status) {
        identify(state, listed[ordinal].physical, VULKAN_API_VERSION);
        status = choose_family(state);
    }
    if (!status) status = create_device(state);
    if (!status) status = make_ready(state, device);
    if (!status && limits) status = lessen(device, limits);
    if (status) vulkan_close(device);
    return status;
}

weft_status vulkan_open_context(const weft_vulkan_context *context, struct device *device)
{
    weft_status status = begin(device);
    if (status) return status;
    struct vulkan_state *state = device->state;
    identify(state, context->physical_device,
             context->api_version ? context->api_version : VK_API_VERSION_1_0);
    status = adopt(state, context);
    if (!status) status = make_ready(state, device);
    if (status) vulkan_close(device);
    return status;
}

bool vulkan_is_own(const struct device *device)
{
    const struct vulkan_state *state = device->state;
    return state->owned;
}

const struct device_ops vulkan_device_ops = {
    .name = "vulkan",
    .count = vulkan_count,
    .by_itself = vulkan_by_itself,
    .worth_asking = vulkan_worth_asking,
    .open = vulkan_open,
    .close = vulkan_close,
    .alloc = vulkan_alloc,
    .free = vulkan_free,
    .upload = vulkan_upload,
    .download = vulkan_download,
    .pass_create = vulkan_pass_create,
    .pass_destroy = vulkan_pass_destroy,
    .pass_table_bytes = vulkan_pass_table_bytes,
    .pass_run = vulkan_pass_run,
    .pass_source = vulkan_pass_source,
    .sync = vulkan_sync,
};
