/* What the calls came to. */
#include "device/vulkan/state.h"

#include "base/error.h"

static weft_status status_of(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_TOO_MANY_OBJECTS:
    case VK_ERROR_MEMORY_MAP_FAILED:
        return WEFT_ERROR_MEMORY;
    default:
        return WEFT_ERROR_DEVICE;
    }
}

weft_status vulkan_check(const struct vulkan_state *state, VkResult result, const char *call,
                         const char *kernel)
{
    if (result == VK_SUCCESS) return WEFT_OK;
    return error_set(status_of(result), "Vulkan: %s%s%s on %s: %s (%d)", call,
                     kernel ? " of kernel " : "", kernel ? kernel : "", state->name,
                     vulkan_result_name(result), (int)result);
}
