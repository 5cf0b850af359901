/* The caller's own Vulkan: devices, parts of buffers, command buffers; and what comes of arguments
 * that are wrong. The validation layer watches all of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, TO + BYTES + PAIR, NULL);
    weft_plan *plan = test_vulkan_plan(vulkan.weft, N);
    weft_buffer *in = test_vulkan_wrap(&vulkan, memory, FROM, BYTES),
                *out = test_vulkan_wrap(&vulkan, memory, TO, BYTES);
    put_impulse(memory, FROM, 3);
    assert_done(weft_execute(plan, WEFT_FORWARD, in, out));
    assert_flat(memory, TO, N, 3);
    assert_flat(memory, 0, 3, 0);
    assert_flat(memory, TO + BYTES, 1, 0);
    weft_buffer *near = test_vulkan_wrap(&vulkan, memory, FROM + BYTES / 2, BYTES);
    assert_refused(weft_execute(plan, WEFT_FORWARD, in, near), WEFT_ERROR_LAYOUT, "overlap");
    weft_buffer *odd = test_vulkan_wrap(&vulkan, memory, FROM + sizeof(float), BYTES);
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
    struct test_vulkan_memory *memory =
        test_vulkan_memory(&vulkan, plane * 2 + 2 * apart + offset, NULL);
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
    struct test_vulkan_memory *from = test_vulkan_memory(&vulkan, BYTES, NULL),
                              *to = test_vulkan_memory(&vulkan, BYTES, NULL);
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    weft_buffer *out = test_vulkan_wrap(&vulkan, to, PAIR, (N / 2 + 1) * PAIR);
    params.kind = WEFT_R2C;
    params.size[0] = N;
    assert_done(weft_plan_create(vulkan.weft, &params, &plan));
    for (size_t offset = 0; offset < 4 * sizeof(float); offset += sizeof(float)) {
        weft_buffer *in = test_vulkan_wrap(&vulkan, from, offset, N * sizeof(float));
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
    struct test_vulkan_memory *from = test_vulkan_memory(&vulkan, BYTES, NULL),
                              *to = test_vulkan_memory(&vulkan, BYTES, NULL);
    weft_plan *plan = test_vulkan_plan(vulkan.weft, N);
    weft_buffer *in = test_vulkan_wrap(&vulkan, from, 0, BYTES),
                *out = test_vulkan_wrap(&vulkan, to, 0, BYTES);
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
    struct test_vulkan_memory *from = test_vulkan_memory(&vulkan, SPLIT * PAIR, NULL),
                              *to = test_vulkan_memory(&vulkan, SPLIT * PAIR, NULL);
    weft_plan *plan = test_vulkan_plan(vulkan.weft, SPLIT);
    assert_true(weft_plan_scratch_bytes(plan) > 0);
    weft_buffer *in = test_vulkan_wrap(&vulkan, from, 0, SPLIT * PAIR),
                *out = test_vulkan_wrap(&vulkan, to, 0, SPLIT * PAIR);
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
    weft_plan *plan = test_vulkan_plan(vulkan.weft, SPLIT);
    struct test_vulkan_memory *from[RUNS], *to[RUNS];
    weft_buffer *in[RUNS], *out[RUNS];
    VkCommandBuffer commands[RUNS];
    for (int i = 0; i < RUNS; i++) {
        from[i] = test_vulkan_memory(&vulkan, SPLIT * PAIR, NULL);
        to[i] = test_vulkan_memory(&vulkan, SPLIT * PAIR, NULL);
        in[i] = test_vulkan_wrap(&vulkan, from[i], 0, SPLIT * PAIR);
        out[i] = test_vulkan_wrap(&vulkan, to[i], 0, SPLIT * PAIR);
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
    weft_plan *plan = test_vulkan_plan(vulkan.weft, SPLIT);
    const size_t bytes = weft_plan_scratch_bytes(plan);
    struct test_vulkan_memory *data = test_vulkan_memory(&vulkan, SPLIT * PAIR, NULL),
                              *extra = test_vulkan_memory(&vulkan, bytes, NULL);
    weft_buffer *buffer = test_vulkan_wrap(&vulkan, data, 0, SPLIT * PAIR);
    const weft_execution execution = {.scratch = test_vulkan_wrap(&vulkan, extra, 0, bytes)};
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
    weft_plan *plan = test_vulkan_plan(vulkan.weft, N);
    for (int frame = 1; frame <= 20; frame++) {
        struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, BYTES, NULL);
        weft_buffer *buffer = test_vulkan_wrap(&vulkan, memory, 0, BYTES);
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
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, 64, NULL);
    weft_buffer *buffer[2] = {test_vulkan_wrap(&vulkan, memory, 12, 32), NULL};
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
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, BYTES, NULL);
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
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, BYTES, NULL);
    weft_plan *plan = test_vulkan_plan(vulkan.weft, N);
    float data[2 * N] = {0};
    weft_buffer *good = test_vulkan_wrap(&vulkan, memory, 0, BYTES),
                *small = test_vulkan_wrap(&vulkan, memory, 0, BYTES - 8), *host = NULL;
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
    weft_plan *plan = test_vulkan_plan(device, PRIME);
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

#define WATCHED(test) cmocka_unit_test_teardown(test, test_vulkan_is_silent)

int main(void)
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
    };
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_vulkan_handles");
    there = test_vulkan_open(&vulkan);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (there) test_vulkan_close(&vulkan);
    if (test_vulkan_is_silent(NULL)) failures++;
    return failures;
}
