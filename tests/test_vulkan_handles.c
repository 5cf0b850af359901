/* The caller's own Vulkan: devices, parts of buffers, command buffers; and what comes of arguments
 * that are wrong, of drivers that fail and of machines without Vulkan. The validation layer watches
 * all of it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

/* ---- helpers ---- */

static weft_plan *plan_of(weft_device *device, int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    params.inverse_scale = 1.0 / (double)n;
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, &params, &plan));
    return plan;
}

static weft_buffer *wrap(const struct test_vulkan_memory *memory, size_t offset, size_t bytes)
{
    weft_buffer *buffer = NULL;
    assert_done(
        weft_vulkan_buffer_wrap(vulkan.weft, memory->buffer, offset, NULL, 0, bytes, &buffer));
    return buffer;
}

static struct test_vulkan_memory *zeros(size_t bytes)
{
    return test_vulkan_memory(&vulkan, bytes, NULL);
}

/* An impulse of this height at element 0: its transform is that height everywhere. */
static void put_impulse(const struct test_vulkan_memory *memory, size_t offset, float height)
{
    memcpy((char *)memory->data + offset, &height, sizeof height);
}

static bool is_near(float x, float y)
{
    return x - y < TOLERANT && y - x < TOLERANT;
}

static void assert_flat(const struct test_vulkan_memory *memory, size_t offset, int64_t n,
                        float height)
{
    const float *data = (const float *)((const char *)memory->data + offset);
    for (int64_t i = 0; i < n; i++)
        if (!is_near(data[2 * i], height) || !is_near(data[2 * i + 1], 0))
            fail_msg("element %lld is %g %g", (long long)i, (double)data[2 * i],
                     (double)data[2 * i + 1]);
}

/* ---- handles ---- */

static void parts_of_a_buffer_can_be_wrapped(void **state)
{
    (void)state;
    if (!there) skip();
    enum { FROM = 3 * PAIR, TO = FROM + 77 * PAIR };
    struct test_vulkan_memory *memory = zeros(TO + BYTES + PAIR);
    weft_plan *plan = plan_of(vulkan.weft, N);
    weft_buffer *in = wrap(memory, FROM, BYTES), *out = wrap(memory, TO, BYTES);
    put_impulse(memory, FROM, 3);
    assert_done(weft_execute(plan, WEFT_FORWARD, in, out));
    assert_flat(memory, TO, N, 3);
    assert_flat(memory, 0, 3, 0);
    assert_flat(memory, TO + BYTES, 1, 0);
    weft_buffer *near = wrap(memory, FROM + BYTES / 2, BYTES);
    assert_refused(weft_execute(plan, WEFT_FORWARD, in, near), WEFT_ERROR_LAYOUT, "overlap");
    weft_buffer *odd = wrap(memory, FROM + sizeof(float), BYTES);
    assert_refused(weft_execute(plan, WEFT_FORWARD, odd, out), WEFT_ERROR_LAYOUT,
                   "not aligned to its numbers");
    weft_buffer_destroy(&odd);
    weft_buffer_destroy(&near);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, memory);
}

static void planes_lie_anywhere_that_is_aligned_alike(void **state)
{
    (void)state;
    if (!there) skip();
    const size_t plane = N * sizeof(float), offset = sizeof(float);
    const size_t apart = 4 * (size_t)vulkan.properties.limits.minStorageBufferOffsetAlignment;
    struct test_vulkan_memory *memory = zeros(plane * 2 + 2 * apart + offset);
    const size_t next = offset + (plane + apart) / apart * apart;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = N;
    params.format = WEFT_PLANAR;
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL, *askew = NULL;
    assert_done(weft_plan_create(vulkan.weft, &params, &plan));
    assert_done(weft_vulkan_buffer_wrap(vulkan.weft, memory->buffer, offset, memory->buffer, next,
                                        plane, &buffer));
    put_impulse(memory, offset, 2);
    assert_done(weft_execute(plan, WEFT_FORWARD, buffer, buffer));
    for (int i = 0; i < N; i++) {
        assert_true(is_near(((const float *)memory->data)[offset / sizeof(float) + (size_t)i], 2));
        assert_true(is_near(((const float *)memory->data)[next / sizeof(float) + (size_t)i], 0));
    }
    assert_done(weft_vulkan_buffer_wrap(vulkan.weft, memory->buffer, offset, memory->buffer,
                                        next + sizeof(float), plane, &askew));
    assert_refused(weft_execute(plan, WEFT_FORWARD, askew, askew), WEFT_ERROR_LAYOUT,
                   "same alignment");
    weft_buffer_destroy(&askew);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, memory);
}

static void reals_lie_at_any_number(void **state)
{
    (void)state;
    if (!there) skip();
    struct test_vulkan_memory *from = zeros(BYTES), *to = zeros(BYTES);
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    weft_buffer *out = wrap(to, PAIR, (N / 2 + 1) * PAIR);
    params.kind = WEFT_R2C;
    params.size[0] = N;
    assert_done(weft_plan_create(vulkan.weft, &params, &plan));
    for (size_t offset = 0; offset < 4 * sizeof(float); offset += sizeof(float)) {
        weft_buffer *in = wrap(from, offset, N * sizeof(float));
        memset(from->data, 0, BYTES);
        put_impulse(from, offset, 7);
        assert_done(weft_execute(plan, WEFT_FORWARD, in, out));
        assert_flat(to, PAIR, N / 2 + 1, 7);
        weft_buffer_destroy(&in);
    }
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, from);
    test_vulkan_release(&vulkan, to);
}

static void a_command_buffer_runs_as_often_as_it_is_submitted(void **state)
{
    (void)state;
    if (!there) skip();
    struct test_vulkan_memory *from = zeros(BYTES), *to = zeros(BYTES);
    weft_plan *plan = plan_of(vulkan.weft, N);
    weft_buffer *in = wrap(from, 0, BYTES), *out = wrap(to, 0, BYTES);
    VkCommandBuffer commands = test_vulkan_begin(&vulkan);
    assert_done(weft_vulkan_record(plan, WEFT_FORWARD, in, out, NULL, commands));
    test_vulkan_end(&vulkan, commands);
    assert_flat(to, 0, N, 0); /* so far it is only recorded */
    for (int i = 1; i <= 3; i++) {
        put_impulse(from, 0, (float)i);
        test_vulkan_run(&vulkan, commands);
        assert_flat(to, 0, N, (float)i);
    }
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, from);
    test_vulkan_release(&vulkan, to);
}

/* There and back again, through the plan's own scratch, in place and not, with no barrier of the
 * caller's between. */
static void transforms_follow_each_other_in_a_command_buffer(void **state)
{
    (void)state;
    if (!there) skip();
    struct test_vulkan_memory *from = zeros(SPLIT * PAIR), *to = zeros(SPLIT * PAIR);
    weft_plan *plan = plan_of(vulkan.weft, SPLIT);
    assert_true(weft_plan_scratch_bytes(plan) > 0);
    weft_buffer *in = wrap(from, 0, SPLIT * PAIR), *out = wrap(to, 0, SPLIT * PAIR);
    VkCommandBuffer commands = test_vulkan_begin(&vulkan);
    put_impulse(from, 0, 5);
    assert_done(weft_vulkan_record(plan, WEFT_FORWARD, in, out, NULL, commands));
    assert_done(weft_vulkan_record(plan, WEFT_INVERSE, out, out, NULL, commands));
    assert_done(weft_vulkan_record(plan, WEFT_FORWARD, out, out, NULL, commands));
    test_vulkan_end(&vulkan, commands);
    test_vulkan_run(&vulkan, commands);
    assert_flat(to, 0, SPLIT, 5);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, from);
    test_vulkan_release(&vulkan, to);
}

static void command_buffers_do_not_share_scratch(void **state)
{
    (void)state;
    if (!there) skip();
    enum { RUNS = 3 };
    weft_plan *plan = plan_of(vulkan.weft, SPLIT);
    struct test_vulkan_memory *from[RUNS], *to[RUNS];
    weft_buffer *in[RUNS], *out[RUNS];
    VkCommandBuffer commands[RUNS];
    for (int i = 0; i < RUNS; i++) {
        from[i] = zeros(SPLIT * PAIR);
        to[i] = zeros(SPLIT * PAIR);
        in[i] = wrap(from[i], 0, SPLIT * PAIR);
        out[i] = wrap(to[i], 0, SPLIT * PAIR);
        put_impulse(from[i], 0, (float)(i + 1));
        commands[i] = test_vulkan_begin(&vulkan);
        assert_done(weft_vulkan_record(plan, WEFT_FORWARD, in[i], out[i], NULL, commands[i]));
        test_vulkan_end(&vulkan, commands[i]);
    }
    for (int i = RUNS - 1; i >= 0; i--)
        test_vulkan_run(&vulkan, commands[i]);
    for (int i = 0; i < RUNS; i++) {
        assert_flat(to[i], 0, SPLIT, (float)(i + 1));
        weft_buffer_destroy(&in[i]);
        weft_buffer_destroy(&out[i]);
        test_vulkan_release(&vulkan, from[i]);
        test_vulkan_release(&vulkan, to[i]);
    }
    weft_plan_destroy(&plan);
}

static void scratch_can_be_given(void **state)
{
    (void)state;
    if (!there) skip();
    weft_plan *plan = plan_of(vulkan.weft, SPLIT);
    const size_t bytes = weft_plan_scratch_bytes(plan);
    struct test_vulkan_memory *data = zeros(SPLIT * PAIR), *extra = zeros(bytes);
    weft_buffer *buffer = wrap(data, 0, SPLIT * PAIR);
    const weft_execution execution = {.scratch = wrap(extra, 0, bytes)};
    put_impulse(data, 0, 2);
    VkCommandBuffer commands = test_vulkan_begin(&vulkan);
    assert_done(weft_vulkan_record(plan, WEFT_FORWARD, buffer, buffer, &execution, commands));
    test_vulkan_end(&vulkan, commands);
    test_vulkan_run(&vulkan, commands);
    assert_flat(data, 0, SPLIT, 2);
    weft_buffer *scratch = execution.scratch;
    weft_buffer_destroy(&scratch);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, data);
    test_vulkan_release(&vulkan, extra);
}

/* A renderer that makes its buffers anew for every frame: what was bound to the old ones serves the
 * new ones, whose handles may be the same. */
static void buffers_come_and_go(void **state)
{
    (void)state;
    if (!there) skip();
    weft_plan *plan = plan_of(vulkan.weft, N);
    for (int frame = 1; frame <= 20; frame++) {
        struct test_vulkan_memory *memory = zeros(BYTES);
        weft_buffer *buffer = wrap(memory, 0, BYTES);
        put_impulse(memory, 0, (float)frame);
        VkCommandBuffer commands = test_vulkan_begin(&vulkan);
        assert_done(weft_vulkan_record(plan, WEFT_FORWARD, buffer, buffer, NULL, commands));
        test_vulkan_end(&vulkan, commands);
        test_vulkan_run(&vulkan, commands);
        assert_flat(memory, 0, N, (float)frame);
        weft_buffer_destroy(&buffer);
        test_vulkan_release(&vulkan, memory);
    }
    weft_plan_destroy(&plan);
}

static void buffers_can_be_written_and_read(void **state)
{
    (void)state;
    if (!there) skip();
    const float data[4] = {1, 2, 3, 4};
    float back[4] = {0};
    struct test_vulkan_memory *memory = zeros(64);
    weft_buffer *buffer[2] = {wrap(memory, 12, 32), NULL};
    assert_done(weft_buffer_create(vulkan.weft, sizeof data + 4, &buffer[1]));
    for (int i = 0; i < 2; i++) {
        assert_done(weft_buffer_read(buffer[i], 0, back, sizeof back));
        for (int j = 0; j < 4; j++)
            assert_true(back[j] == 0);
        assert_done(weft_buffer_write(buffer[i], 4, data, sizeof data));
        assert_done(weft_buffer_read(buffer[i], 8, back, 8));
        assert_true(back[0] == 2 && back[1] == 3);
        memset(back, 0, sizeof back);
        weft_buffer_destroy(&buffer[i]);
    }
    assert_true(((const float *)memory->data)[4] == 1);
    test_vulkan_release(&vulkan, memory);
}

/* ---- what is refused ---- */

static void wrong_memory_is_refused(void **state)
{
    (void)state;
    if (!there) skip();
    struct test_vulkan_memory *memory = zeros(BYTES);
    const VkBuffer handle = memory->buffer;
    const size_t range = (size_t)vulkan.properties.limits.maxStorageBufferRange;
    weft_device *cpu = NULL, *own = NULL;
    weft_buffer *buffer = NULL;
    assert_done(weft_device_open("cpu", &cpu));
    assert_done(weft_device_open("vulkan:0", &own));
    const struct {
        weft_device *device;
        VkBuffer re;
        size_t offset, bytes;
        weft_status status;
        const char *words;
    } cases[] = {
        {NULL, handle, 0, BYTES, WEFT_ERROR_ARGUMENT, "device is NULL"},
        {cpu, handle, 0, BYTES, WEFT_ERROR_ARGUMENT, "accepted are Vulkan devices"},
        {own, handle, 0, BYTES, WEFT_ERROR_ARGUMENT, "a VkDevice of its own"},
        {vulkan.weft, NULL, 0, BYTES, WEFT_ERROR_ARGUMENT, "re is NULL"},
        {vulkan.weft, handle, 2, BYTES, WEFT_ERROR_ARGUMENT, "multiples of 4"},
        {vulkan.weft, handle, 0, range + 4, WEFT_ERROR_UNSUPPORTED, "maxStorageBufferRange"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused(weft_vulkan_buffer_wrap(cases[i].device, cases[i].re, cases[i].offset, NULL,
                                               0, cases[i].bytes, &buffer),
                       cases[i].status, cases[i].words);
    }
    assert_refused(weft_vulkan_buffer_wrap(vulkan.weft, handle, 0, handle, 2, BYTES, &buffer),
                   WEFT_ERROR_ARGUMENT, "multiples of 4");
    assert_refused(weft_vulkan_buffer_wrap(vulkan.weft, handle, 0, NULL, 0, BYTES, NULL),
                   WEFT_ERROR_ARGUMENT, "buffer is NULL");
    assert_null(buffer);
    weft_device_close(&own);
    weft_device_close(&cpu);
    test_vulkan_release(&vulkan, memory);
}

static void wrong_recordings_are_refused(void **state)
{
    (void)state;
    if (!there) skip();
    struct test_vulkan_memory *memory = zeros(BYTES);
    weft_plan *plan = plan_of(vulkan.weft, N);
    float data[2 * N] = {0};
    weft_buffer *good = wrap(memory, 0, BYTES), *small = wrap(memory, 0, BYTES - 8), *host = NULL;
    assert_done(weft_buffer_wrap(vulkan.weft, data, sizeof data, &host));
    VkCommandBuffer commands = test_vulkan_begin(&vulkan);
    const struct {
        const weft_plan *plan;
        weft_buffer *in;
        VkCommandBuffer commands;
        weft_status status;
        const char *words;
    } cases[] = {
        {NULL, good, commands, WEFT_ERROR_ARGUMENT, "plan is NULL"},
        {plan, good, NULL, WEFT_ERROR_ARGUMENT, "commands is NULL"},
        {plan, NULL, commands, WEFT_ERROR_ARGUMENT, "in is NULL"},
        {plan, small, commands, WEFT_ERROR_LAYOUT, "472 bytes, the plan needs 480"},
        {plan, host, commands, WEFT_ERROR_ARGUMENT, "host memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused(weft_vulkan_record(cases[i].plan, WEFT_FORWARD, cases[i].in, good, NULL,
                                          cases[i].commands),
                       cases[i].status, cases[i].words);
    }
    test_vulkan_end(&vulkan, commands);
    weft_buffer_destroy(&good);
    weft_buffer_destroy(&small);
    weft_buffer_destroy(&host);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, memory);
}

static void wrong_devices_are_refused(void **state)
{
    (void)state;
    if (!there) skip();
    weft_device *device = NULL;
    weft_vulkan_context context = test_vulkan_context(&vulkan);
    assert_refused(weft_device_open("vulkan:99", &device), WEFT_ERROR_DEVICE, "no device 99");
    assert_refused(weft_device_open("vulkan:x", &device), WEFT_ERROR_ARGUMENT, "no number");
    assert_refused(weft_vulkan_device_open(NULL, &device), WEFT_ERROR_ARGUMENT, "context is NULL");
    assert_refused(weft_vulkan_device_open(&context, NULL), WEFT_ERROR_ARGUMENT, "device is NULL");
    context.queue_family = 99;
    assert_refused(weft_vulkan_device_open(&context, &device), WEFT_ERROR_ARGUMENT,
                   "not for compute");
    context.queue = NULL;
    assert_refused(weft_vulkan_device_open(&context, &device), WEFT_ERROR_ARGUMENT,
                   "queue is NULL");
    assert_null(device);
}

static void doubles_need_their_feature(void **state)
{
    (void)state;
    if (!there) skip();
    weft_vulkan_context context = test_vulkan_context(&vulkan);
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = N;
    params.precision = WEFT_F64;
    context.shader_float64 = 0;
    assert_done(weft_vulkan_device_open(&context, &device));
    assert_refused(weft_plan_create(device, &params, &plan), WEFT_ERROR_UNSUPPORTED, "precision");
    weft_device_close(&device);
}

static void primes_need_no_wide_integers(void **state)
{
    (void)state;
    if (!there) skip();
    enum { PRIME = 1009 };
    weft_vulkan_context context = test_vulkan_context(&vulkan);
    weft_device *device = NULL;
    weft_buffer *buffer = NULL;
    static float data[2 * PRIME] = {4};
    context.shader_int64 = 0;
    assert_done(weft_vulkan_device_open(&context, &device));
    weft_plan *plan = plan_of(device, PRIME);
    assert_done(weft_buffer_wrap(device, data, sizeof data, &buffer));
    assert_done(weft_execute(plan, WEFT_FORWARD, buffer, buffer));
    for (int i = 0; i < PRIME; i++)
        assert_true(is_near(data[2 * i], 4) && is_near(data[2 * i + 1], 0));
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

static void software_is_not_chosen_by_itself(void **state)
{
    (void)state;
    if (!there || vulkan.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) skip();
    weft_device_info info;
    for (int i = 0; i < weft_device_count(); i++) {
        assert_done(weft_device_describe(i, &info));
        if (strcmp(info.name, "vulkan:0") == 0) fail_msg("Vulkan comes before the processor");
        if (strcmp(info.name, "cpu") == 0) return;
    }
}

/* ---- drivers that fail ---- */

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
        for (int64_t i = 0; i < n; i++) assert_true(is_near(re[i], 1) && is_near(im[i], 0));
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
    struct test_vulkan_memory *memory = zeros(BYTES);
    weft_plan *plan = plan_of(vulkan.weft, N);
    weft_buffer *buffer = wrap(memory, 0, BYTES);
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
        execl("/proc/self/exe", "test_vulkan_handles", "without", (char *)NULL);
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
        WATCHED(parts_of_a_buffer_can_be_wrapped),
        WATCHED(planes_lie_anywhere_that_is_aligned_alike),
        WATCHED(reals_lie_at_any_number),
        WATCHED(a_command_buffer_runs_as_often_as_it_is_submitted),
        WATCHED(transforms_follow_each_other_in_a_command_buffer),
        WATCHED(command_buffers_do_not_share_scratch),
        WATCHED(scratch_can_be_given),
        WATCHED(buffers_come_and_go),
        WATCHED(buffers_can_be_written_and_read),
        WATCHED(wrong_memory_is_refused),
        WATCHED(wrong_recordings_are_refused),
        WATCHED(wrong_devices_are_refused),
        WATCHED(doubles_need_their_feature),
        WATCHED(primes_need_no_wide_integers),
        WATCHED(software_is_not_chosen_by_itself),
        WATCHED(memory_that_the_host_reads_slowly_is_staged),
        WATCHED(few_storage_buffers_suffice),
        WATCHED(whatever_call_fails_is_told_and_nothing_is_left),
        WATCHED(whatever_memory_is_missing_is_told_and_nothing_is_left),
        WATCHED(a_lost_device_is_told),
        WATCHED(too_much_memory_is_refused),
        WATCHED(a_machine_without_vulkan_is_told),
    };
    if (argc > 1 && strcmp(argv[1], "without") == 0) return without_vulkan();
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_vulkan_handles");
    there = test_vulkan_open(&vulkan);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (there) test_vulkan_close(&vulkan);
    if (test_vulkan_is_silent(NULL)) failures++;
    return failures;
}
