/* The loader stays open until the process ends, and so does the instance that devices are listed
 * with: drivers have threads of their own. */
#include "device/vulkan/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/library.h"

#define DEFAULT_LIBRARY "libvulkan.so.1"

static const struct library_entry entries[] = {
#define VULKAN_ENTRY(name) {"vk" #name, offsetof(struct vulkan_library, name)},
    VULKAN_FUNCTIONS(VULKAN_ENTRY)
#undef VULKAN_ENTRY
};

static struct vulkan_library library;
static struct vulkan_listed devices[VULKAN_MOST_DEVICES];
static int device_count;
static char problem[200];          /* "" once the loader is ready */
static char instance_problem[200]; /* "" once there is an instance */
static pthread_once_t once = PTHREAD_ONCE_INIT, instance_once = PTHREAD_ONCE_INIT;

/* ---- the loader ---- */

static void open_library(void)
{
    const char *file = getenv("WEFT_VULKAN");
    if (!file) file = DEFAULT_LIBRARY;
    if (!*file) {
        snprintf(problem, sizeof problem, "Vulkan: switched off, WEFT_VULKAN is empty");
        return;
    }
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        snprintf(problem, sizeof problem, "Vulkan: no loader here (%.120s)", file);
        return;
    }
    const char *missing = library_find(handle, entries, sizeof entries / sizeof *entries, &library);
    if (!missing) return;
    snprintf(problem, sizeof problem, "Vulkan: the loader is older than Vulkan 1.1: no %s",
             missing);
}

const struct vulkan_library *vulkan_library_get(const char **why)
{
    pthread_once(&once, open_library);
    *why = problem;
    return problem[0] ? NULL : &library;
}

/* ---- its devices ---- */

static VkResult create_instance(VkInstance *instance)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pEngineName = "weft",
                                           .engineVersion = WEFT_VERSION_MINOR,
                                           .apiVersion = VULKAN_API_VERSION};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    return library.CreateInstance(&info, NULL, instance);
}

static VkResult list_devices(VkInstance instance)
{
    VkPhysicalDevice physical[VULKAN_MOST_DEVICES];
    uint32_t count = VULKAN_MOST_DEVICES;
    VkResult result = library.EnumeratePhysicalDevices(instance, &count, physical);
    if (result < 0) return result;
    for (uint32_t i = 0; i < count; i++) {
        VkPhysicalDeviceProperties properties;
        library.GetPhysicalDeviceProperties(physical[i], &properties);
        devices[device_count++] = (struct vulkan_listed){physical[i], properties.deviceType};
    }
    return VK_SUCCESS;
}

static void open_instance(void)
{
    const char *why;
    VkInstance instance = VK_NULL_HANDLE;
    if (!vulkan_library_get(&why)) {
        snprintf(instance_problem, sizeof instance_problem, "%s", why);
        return;
    }
    VkResult result = create_instance(&instance);
    if (result) {
        snprintf(instance_problem, sizeof instance_problem, "Vulkan: vkCreateInstance: %s (%d)",
                 vulkan_result_name(result), (int)result);
        return;
    }
    result = list_devices(instance);
    if (!result && device_count > 0) return;
    library.DestroyInstance(instance, NULL);
    if (result)
        snprintf(instance_problem, sizeof instance_problem,
                 "Vulkan: vkEnumeratePhysicalDevices: %s (%d)", vulkan_result_name(result),
                 (int)result);
}

int vulkan_library_devices(const struct vulkan_listed **listed, const char **why)
{
    pthread_once(&instance_once, open_instance);
    *listed = devices;
    *why = instance_problem;
    return device_count;
}

/* ---- results ---- */

struct result_name {
    VkResult result;
    const char *name;
};

#define NAMED(result)                                                                              \
    {                                                                                              \
        result, #result                                                                            \
    }
static const struct result_name result_names[] = {
    NAMED(VK_SUCCESS),
    NAMED(VK_NOT_READY),
    NAMED(VK_TIMEOUT),
    NAMED(VK_INCOMPLETE),
    NAMED(VK_ERROR_OUT_OF_HOST_MEMORY),
    NAMED(VK_ERROR_OUT_OF_DEVICE_MEMORY),
    NAMED(VK_ERROR_INITIALIZATION_FAILED),
    NAMED(VK_ERROR_DEVICE_LOST),
    NAMED(VK_ERROR_MEMORY_MAP_FAILED),
    NAMED(VK_ERROR_LAYER_NOT_PRESENT),
    NAMED(VK_ERROR_EXTENSION_NOT_PRESENT),
    NAMED(VK_ERROR_FEATURE_NOT_PRESENT),
    NAMED(VK_ERROR_INCOMPATIBLE_DRIVER),
    NAMED(VK_ERROR_TOO_MANY_OBJECTS),
    NAMED(VK_ERROR_FORMAT_NOT_SUPPORTED),
    NAMED(VK_ERROR_FRAGMENTED_POOL),
    NAMED(VK_ERROR_UNKNOWN),
    NAMED(VK_ERROR_OUT_OF_POOL_MEMORY),
    NAMED(VK_ERROR_INVALID_EXTERNAL_HANDLE),
    NAMED(VK_ERROR_FRAGMENTATION),
    NAMED(VK_ERROR_INVALID_SHADER_NV),
};
#undef NAMED

const char *vulkan_result_name(VkResult result)
{
    for (size_t i = 0; i < sizeof result_names / sizeof *result_names; i++)
        if (result_names[i].result == result) return result_names[i].name;
    return "a result without a name";
}
