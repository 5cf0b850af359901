/* Vulkan's loader, opened at run time: what weft is linked with needs none. */
#ifndef WEFT_DEVICE_VULKAN_LIBRARY_H
#define WEFT_DEVICE_VULKAN_LIBRARY_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "weft/weft.h"

/* The functions of Vulkan that are used: 1.0, and of 1.1 those that the loader has for itself. Here
 * an entry is a row, its field of the name without the "vk". */
#define VULKAN_FUNCTIONS(ROW)                                                                      \
    ROW(EnumerateInstanceVersion)                                                                  \
    ROW(CreateInstance)                                                                            \
    ROW(DestroyInstance)                                                                           \
    ROW(EnumeratePhysicalDevices)                                                                  \
    ROW(GetPhysicalDeviceProperties)                                                               \
    ROW(GetPhysicalDeviceProperties2)                                                              \
    ROW(GetPhysicalDeviceFeatures)                                                                 \
    ROW(GetPhysicalDeviceFormatProperties)                                                         \
    ROW(GetPhysicalDeviceMemoryProperties)                                                         \
    ROW(GetPhysicalDeviceQueueFamilyProperties)                                                    \
    ROW(CreateDevice)                                                                              \
    ROW(DestroyDevice)                                                                             \
    ROW(GetDeviceQueue)                                                                            \
    ROW(QueueSubmit)                                                                               \
    ROW(CreateBuffer)                                                                              \
    ROW(DestroyBuffer)                                                                             \
    ROW(GetBufferMemoryRequirements)                                                               \
    ROW(AllocateMemory)                                                                            \
    ROW(FreeMemory)                                                                                \
    ROW(MapMemory)                                                                                 \
    ROW(BindBufferMemory)                                                                          \
    ROW(CreateCommandPool)                                                                         \
    ROW(DestroyCommandPool)                                                                        \
    ROW(AllocateCommandBuffers)                                                                    \
    ROW(BeginCommandBuffer)                                                                        \
    ROW(EndCommandBuffer)                                                                          \
    ROW(CreateFence)                                                                               \
    ROW(DestroyFence)                                                                              \
    ROW(ResetFences)                                                                               \
    ROW(GetFenceStatus)                                                                            \
    ROW(WaitForFences)                                                                             \
    ROW(CreateShaderModule)                                                                        \
    ROW(DestroyShaderModule)                                                                       \
    ROW(CreatePipelineCache)                                                                       \
    ROW(DestroyPipelineCache)                                                                      \
    ROW(GetPipelineCacheData)                                                                      \
    ROW(CreateDescriptorSetLayout)                                                                 \
    ROW(DestroyDescriptorSetLayout)                                                                \
    ROW(CreatePipelineLayout)                                                                      \
    ROW(DestroyPipelineLayout)                                                                     \
    ROW(CreateComputePipelines)                                                                    \
    ROW(DestroyPipeline)                                                                           \
    ROW(CreateDescriptorPool)                                                                      \
    ROW(DestroyDescriptorPool)                                                                     \
    ROW(AllocateDescriptorSets)                                                                    \
    ROW(UpdateDescriptorSets)                                                                      \
    ROW(CmdPipelineBarrier)                                                                        \
    ROW(CmdFillBuffer)                                                                             \
    ROW(CmdCopyBuffer)                                                                             \
    ROW(CmdBindPipeline)                                                                           \
    ROW(CmdBindDescriptorSets)                                                                     \
    ROW(CmdPushConstants)                                                                          \
    ROW(CmdDispatch)

struct vulkan_library {
#define VULKAN_FIELD(name) PFN_vk##name name;
    VULKAN_FUNCTIONS(VULKAN_FIELD)
#undef VULKAN_FIELD
};

struct vulkan_listed {
    VkPhysicalDevice physical;
    VkPhysicalDeviceType type;
};
#define VULKAN_MOST_DEVICES 64

/* What instances of weft's own are made for. */
#define VULKAN_API_VERSION VK_API_VERSION_1_1

/* The loader, opened once for the process: the file that the variable WEFT_VULKAN names, otherwise
 * libvulkan.so.1. NULL: it is not there, or the variable is empty; then *why (not NULL) says so in
 * one line. Callable from any thread. */
const struct vulkan_library *vulkan_library_get(const char **why);

/* The devices of an instance that the process keeps, in the loader's order, and how many. Listed
 * once as well; *why is of an instance that could not be made, or "". */
int vulkan_library_devices(const struct vulkan_listed **listed, const char **why);

/* "VK_ERROR_DEVICE_LOST". */
const char *vulkan_result_name(VkResult result);

#endif
