/* What comes of Vulkan drivers that fail and of machines without Vulkan. The validation layer
 * watches all of it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/assert_status.h"
#include "support/drivers.h"
#include "support/vulkan.h"

#define N        60
#define PAIR     (2 * sizeof(float))
#define BYTES    (N * PAIR)
#define SPLIT    65536 /* too long for one pass: needs scratch */
#define TOLERANT 1e-4f

static struct test_vulkan vulkan;
static bool there;

static bool is_near(float x, float y)
{
    return x - y < TOLERANT && y - x < TOLERANT;
}

/* The loader's table is shared by all: what is put into it is what weft calls. */
static struct vulkan_library *table(void)
{
    return (struct vulkan_library *)(uintptr_t)vulkan.vk;
}

static struct vulkan_library true_table;

/* From then on all fail: a plan is tried again with less kept. */
static atomic_int calls_before_failure;
static VkResult failure;

static VkResult fails(void)
{
    int left = atomic_load(&calls_before_failure);
    while (left > 0 && !atomic_compare_exchange_weak(&calls_before_failure, &left, left - 1))
        continue;
    return left > 0 ? VK_SUCCESS : failure;
}

#define TWO(a, b)             (a x, b y)
#define THREE(a, b, c)        (a x, b y, c z)
#define FOUR(a, b, c, d)      (a x, b y, c z, d w)
#define FIVE(a, b, c, d, e)   (a x, b y, c z, d w, e v)
#define SIX(a, b, c, d, e, f) (a x, b y, c z, d w, e v, f u)
#define SHIM(name, parameters, ...)                                                                \
    static VKAPI_ATTR VkResult VKAPI_CALL shim_##name parameters                                   \
    {                                                                                              \
        const VkResult result = fails();                                                           \
        return result ? result : true_table.name(__VA_ARGS__);                                     \
    }
#define CREATE(name, info, made)                                                                   \
    SHIM(name, FOUR(VkDevice, const info *, const VkAllocationCallbacks *, made *), x, y, z, w)

SHIM(CreateDevice,
     FOUR(VkPhysicalDevice, const VkDeviceCreateInfo *, const VkAllocationCallbacks *, VkDevice *),
     x, y, z, w)
CREATE(CreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool)
CREATE(CreateFence, VkFenceCreateInfo, VkFence)
CREATE(CreateBuffer, VkBufferCreateInfo, VkBuffer)
CREATE(AllocateMemory, VkMemoryAllocateInfo, VkDeviceMemory)
CREATE(CreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule)
CREATE(CreatePipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache)
CREATE(CreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
CREATE(CreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
CREATE(CreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
SHIM(BindBufferMemory, FOUR(VkDevice, VkBuffer, VkDeviceMemory, VkDeviceSize), x, y, z, w)
SHIM(MapMemory,
     SIX(VkDevice, VkDeviceMemory, VkDeviceSize, VkDeviceSize, VkMemoryMapFlags, void **), x, y, z,
     w, v, u)
SHIM(AllocateCommandBuffers,
     THREE(VkDevice, const VkCommandBufferAllocateInfo *, VkCommandBuffer *), x, y, z)
SHIM(AllocateDescriptorSets,
     THREE(VkDevice, const VkDescriptorSetAllocateInfo *, VkDescriptorSet *), x, y, z)
SHIM(CreateComputePipelines,
     SIX(VkDevice, VkPipelineCache, uint32_t, const VkComputePipelineCreateInfo *,
         const VkAllocationCallbacks *, VkPipeline *),
     x, y, z, w, v, u)
SHIM(BeginCommandBuffer, TWO(VkCommandBuffer, const VkCommandBufferBeginInfo *), x, y)
SHIM(QueueSubmit, FOUR(VkQueue, uint32_t, const VkSubmitInfo *, VkFence), x, y, z, w)

static void put_shims(void)
{
    true_table = *vulkan.vk;
#define PUT(name) table()->name = shim_##name;
    PUT(CreateDevice)
    PUT(CreateCommandPool)
    PUT(CreateFence)
    PUT(CreateBuffer)
    PUT(AllocateMemory)
    PUT(CreateShaderModule)
    PUT(CreatePipelineCache)
    PUT(CreateDescriptorSetLayout)
    PUT(CreatePipelineLayout)
    PUT(CreateDescriptorPool)
    PUT(BindBufferMemory)
    PUT(MapMemory)
    PUT(AllocateCommandBuffers)
    PUT(AllocateDescriptorSets)
    PUT(CreateComputePipelines)
    PUT(BeginCommandBuffer)
    PUT(QueueSubmit)
#undef PUT
}

static VKAPI_ATTR void VKAPI_CALL shim_memory(VkPhysicalDevice physical,
                                              VkPhysicalDeviceMemoryProperties *properties)
{
    true_table.GetPhysicalDeviceMemoryProperties(physical, properties);
    for (uint32_t i = 0; i < properties->memoryTypeCount; i++)
        properties->memoryTypes[i].propertyFlags &=
            ~(VkMemoryPropertyFlags)VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
}

/* As a GPU's own memory is, seen through the bus. */
static void memory_that_the_host_reads_slowly_is_staged(void **state)
{
    (void)state;
    if (!there) skip();
    enum { COUNT = 3 << 19 }; /* more than the staging buffer takes at once */
    true_table = *vulkan.vk;
    table()->GetPhysicalDeviceMemoryProperties = shim_memory;
    weft_device *device = NULL;
    weft_buffer *buffer = NULL;
    int32_t *data = malloc(COUNT * sizeof *data);
    assert_non_null(data);
    assert_done(weft_device_open("vulkan:0", &device));
    assert_done(weft_buffer_create(device, COUNT * sizeof *data, &buffer));
    assert_done(weft_buffer_read(buffer, 0, data, COUNT * sizeof *data));
    for (int32_t i = 0; i < COUNT; i++) {
        assert_int_equal(data[i], 0);
        data[i] = i;
    }
    assert_done(weft_buffer_write(buffer, 0, data, COUNT * sizeof *data));
    memset(data, 0, COUNT * sizeof *data);
    assert_done(weft_buffer_read(buffer, 0, data, COUNT * sizeof *data));
    for (int32_t i = 0; i < COUNT; i++)
        assert_int_equal(data[i], i);
    weft_buffer_destroy(&buffer);
    weft_device_close(&device);
    *table() = true_table;
    free(data);
}

static VKAPI_ATTR void VKAPI_CALL shim_properties(VkPhysicalDevice physical,
                                                  VkPhysicalDeviceProperties *properties)
{
    true_table.GetPhysicalDeviceProperties(physical, properties);
    properties->limits.maxPerStageDescriptorStorageBuffers = 5;
}

/* An impulse in planes there and, where it is complex, back. */
static void plan_planes(weft_device *device, weft_kind kind, int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = kind;
    params.format = WEFT_PLANAR;
    params.size[0] = n;
    params.forward_scale = 0.5;
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, &params, &plan));
    float *re = calloc((size_t)(2 * n), sizeof *re), *im = re + n;
    assert_non_null(re);
    weft_buffer *buffer = NULL;
    re[0] = 2;
    assert_done(weft_buffer_wrap_planar(device, re, im, (size_t)n * sizeof *re, &buffer));
    if (kind == WEFT_C2C) {
        assert_done(weft_execute(plan, WEFT_FORWARD, buffer, buffer));
        for (int64_t i = 0; i < n; i++)
            assert_true(is_near(re[i], 1) && is_near(im[i], 0));
    }
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    free(re);
}

/* Two planes at each end, and one buffer for whatever tables there are: roots, permutations and a
 * spectrum, chirps, scales. */
static void few_storage_buffers_suffice(void **state)
{
    (void)state;
    if (!there) skip();
    static const int64_t size[] = {60, 1009, 2039, 4096, 16384, 65536, 10007};
    weft_device *device = NULL;
    true_table = *vulkan.vk;
    table()->GetPhysicalDeviceProperties = shim_properties;
    assert_done(weft_device_open("vulkan:0", &device));
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int kind = WEFT_C2C; kind <= WEFT_C2R; kind++)
            plan_planes(device, (weft_kind)kind, size[i]);
    weft_device_close(&device);
    *table() = true_table;
}

/* Everything that weft does with a device, from opening to closing. */
static weft_status do_everything(int64_t n)
{
    static float data[SPLIT * 2];
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *host = NULL, *own = NULL;
    weft_status status = weft_device_open("vulkan:0", &device);
    if (!status) status = weft_plan_create(device, &params, &plan);
    if (!status) status = weft_buffer_wrap(device, data, sizeof data, &host);
    if (!status) status = weft_buffer_create(device, sizeof data, &own);
    if (!status) status = weft_execute(plan, WEFT_FORWARD, host, host);
    if (!status) status = weft_execute(plan, WEFT_FORWARD, own, own);
    weft_buffer_destroy(&own);
    weft_buffer_destroy(&host);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return status;
}

static void whatever_call_fails_is_told_and_nothing_is_left(void **state)
{
    (void)state;
    if (!there) skip();
    const int64_t live = memory_live_blocks();
    int tried = 0;
    setenv("WEFT_CACHE_DIR", "", 1); /* a kept kernel that does not load is made anew */
    put_shims();
    failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (weft_status status = WEFT_ERROR_MEMORY; status; tried++) {
        calls_before_failure = tried;
        status = do_everything(SPLIT);
        if (status &&
            (status != WEFT_ERROR_MEMORY || !strstr(weft_last_error(), "VK_ERROR_OUT_OF_")))
            fail_msg("call %d: status %d, \"%s\"", tried, (int)status, weft_last_error());
        if (memory_live_blocks() != live)
            fail_msg("call %d: %lld blocks are left", tried,
                     (long long)(memory_live_blocks() - live));
        if (test_vulkan_messages()[0]) fail_msg("call %d: %s", tried, test_vulkan_messages());
    }
    *table() = true_table;
    drivers_keep_in("WEFT_CACHE_DIR", WEFT_BINARY_DIR, "kernels");
    print_message("%d calls failed in turn\n", tried - 1);
    assert_true(tried > 30);
}

static void whatever_memory_is_missing_is_told_and_nothing_is_left(void **state)
{
    (void)state;
    if (!there) skip();
    const int64_t live = memory_live_blocks();
    setenv("WEFT_CACHE_DIR", "", 1);
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t successes = 0; status; successes += 1 + successes / 16) {
        memory_fail_after(successes);
        status = do_everything(N);
        memory_fail_after(-1);
        if (status) assert_refused(status, WEFT_ERROR_MEMORY, "memory");
        assert_int_equal(memory_live_blocks(), live);
        assert_string_equal(test_vulkan_messages(), "");
    }
    drivers_keep_in("WEFT_CACHE_DIR", WEFT_BINARY_DIR, "kernels");
}

static void a_lost_device_is_told(void **state)
{
    (void)state;
    if (!there) skip();
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, BYTES, NULL);
    weft_plan *plan = test_vulkan_plan(vulkan.weft, N);
    weft_buffer *buffer = test_vulkan_wrap(&vulkan, memory, 0, BYTES);
    put_shims();
    failure = VK_ERROR_DEVICE_LOST;
    calls_before_failure = 0;
    table()->BeginCommandBuffer = true_table.BeginCommandBuffer;
    table()->CreateDescriptorPool = true_table.CreateDescriptorPool;
    table()->AllocateDescriptorSets = true_table.AllocateDescriptorSets;
    assert_refused(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_ERROR_DEVICE,
                   "Vulkan: vkQueueSubmit on ");
    assert_non_null(strstr(weft_last_error(), "VK_ERROR_DEVICE_LOST"));
    *table() = true_table;
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, memory);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    if (!there) skip();
    weft_buffer *buffer = NULL;
    assert_refused(weft_buffer_create(vulkan.weft, SIZE_MAX / 2, &buffer), WEFT_ERROR_MEMORY,
                   "at most");
}

/* ---- no Vulkan ---- */

/* What the process that was started with a loader that is not there finds. */
static int without_vulkan(void)
{
    weft_device *device = NULL;
    if (weft_device_open("vulkan:0", &device) != WEFT_ERROR_DEVICE) return 1;
    if (strcmp(weft_last_error(), "Vulkan: no loader here (/nowhere/libvulkan.so)")) return 2;
    for (int i = 0; i < weft_device_count(); i++) {
        weft_device_info info;
        if (weft_device_describe(i, &info) || strstr(info.name, "vulkan")) return 3;
    }
    if (weft_device_open(NULL, &device)) return 4;
    weft_device_close(&device);
    return 0;
}

static void a_machine_without_vulkan_is_told(void **state)
{
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("WEFT_VULKAN", "/nowhere/libvulkan.so", 1);
        execl("/proc/self/exe", "test_vulkan_failures", "without", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define WATCHED(test) cmocka_unit_test_teardown(test, test_vulkan_is_silent)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        WATCHED(memory_that_the_host_reads_slowly_is_staged),
        WATCHED(few_storage_buffers_suffice),
        WATCHED(whatever_call_fails_is_told_and_nothing_is_left),
        WATCHED(whatever_memory_is_missing_is_told_and_nothing_is_left),
        WATCHED(a_lost_device_is_told),
        WATCHED(too_much_memory_is_refused),
        WATCHED(a_machine_without_vulkan_is_told),
    };
    if (argc > 1 && strcmp(argv[1], "without") == 0) return without_vulkan();
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_vulkan_failures");
    there = test_vulkan_open(&vulkan);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (there) test_vulkan_close(&vulkan);
    if (test_vulkan_is_silent(NULL)) failures++;
    return failures;
}
