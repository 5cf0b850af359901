/* Vulkan for the tests that bring their own device, buffers and command buffers, watched by the
 * validation layer, synchronisation included, where that is installed. */
#ifndef TESTS_SUPPORT_VULKAN_H
#define TESTS_SUPPORT_VULKAN_H

#include <stdbool.h>

#include "device/vulkan/library.h"
#include "support/memory_trial.h"
#include "weft/vulkan.h"

struct test_vulkan {
    const struct vulkan_library *vk;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkFence fence;
    weft_device *weft; /* on that device; NULL: there is no Vulkan device here */
};

/* Has Vulkan be found and watched, and weft keep compiled kernels in the build folder. test: the
 * program's name, for its files. Before any other call. */
void test_vulkan_prepare(const char *build_folder, const char *test);

/* False: there is no Vulkan device here. */
bool test_vulkan_open(struct test_vulkan *t);
void test_vulkan_close(struct test_vulkan *t);

/* What weft_vulkan_device_open() is given. */
weft_vulkan_context test_vulkan_context(const struct test_vulkan *t);

/* What the validation layer has found so far, "" if nothing. */
const char *test_vulkan_messages(void);
/* Forgets it. */
void test_vulkan_forget(void);
/* After a test: 0, or -1 if the layer said anything, which is printed and forgotten. */
int test_vulkan_is_silent(void **state);
/* True if the layer complains of a call that is wrong on purpose; afterwards it has forgotten. */
bool test_vulkan_is_watched(const struct test_vulkan *t);

/* A buffer that the host sees, with a copy of the data, or of zeros if that is NULL. */
struct test_vulkan_memory {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *data;
    size_t bytes;
};
struct test_vulkan_memory *test_vulkan_memory(const struct test_vulkan *t, size_t bytes,
                                              const void *data);
void test_vulkan_release(const struct test_vulkan *t, struct test_vulkan_memory *memory);

/* A part of it as a side of weft's; the caller destroys the buffer. */
weft_buffer *test_vulkan_wrap(const struct test_vulkan *t, const struct test_vulkan_memory *memory,
                              size_t offset, size_t bytes);
/* A plan of n points that an inverse transform undoes; the caller destroys it. */
weft_plan *test_vulkan_plan(weft_device *device, int64_t n);

/* A command buffer that is being recorded, and one that is recorded, run and waited for. */
VkCommandBuffer test_vulkan_begin(const struct test_vulkan *t);
void test_vulkan_end(const struct test_vulkan *t, VkCommandBuffer commands);
void test_vulkan_run(const struct test_vulkan *t, VkCommandBuffer commands);

/* How trials are run in buffers and a command buffer of the caller's. */
struct memory_trial test_vulkan_trial(struct test_vulkan *t);

#endif
