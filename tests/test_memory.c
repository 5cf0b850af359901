/* Memory that runs out: at every allocation, from opening a device to the first execute, the call
 * that meets it says so, writes nothing and keeps nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "base/memory.h"
#include "base/storage.h"
#include "device/cpu/engine.h"
#include "support/guarded.h"
#include "weft/weft.h"

/* Far more allocations than any story here has. */
enum { MOST_ALLOCATIONS = 20000 };

/* What is done while memory runs out. */
struct story {
    const char *device;
    weft_params params;
    int64_t elements; /* of the input and of the output */
    /* Each pass takes memory when it runs: an earlier one may have written. */
    bool needs_every_pass;
    bool far; /* no cache of the CPU holds anything */
};

static struct story line(const char *device, int64_t n)
{
    struct story story = {.device = device, .params = WEFT_PARAMS_DEFAULT, .elements = n};
    story.params.size[0] = n;
    return story;
}

static void assert_out_of_memory(weft_status status)
{
    if (status == WEFT_ERROR_MEMORY && strstr(weft_last_error(), "memory")) return;
    fail_msg("status %d (%s), message \"%s\"", (int)status, weft_status_name(status),
             weft_last_error());
}

/* The memory of both sides; not the library's. */
struct arrays {
    struct guarded in, out;
};

static void create_arrays(const struct story *story, struct arrays *arrays)
{
    const weft_params *p = &story->params;
    const weft_storage storage = storage_of_precision(p->precision);
    guarded_create(&arrays->in, p->format, storage, story->elements, 0);
    guarded_create(&arrays->out, p->format, storage, story->elements, 0);
    for (int64_t i = 0; i < story->elements; i++)
        guarded_put(&arrays->in, i, i % 5 - 2, i % 3);
    guarded_remember(&arrays->in);
}

static weft_status wrap(weft_device *device, const struct guarded *memory, weft_buffer **buffer)
{
    return memory->planes == 1 ? weft_buffer_wrap(device, memory->data[0], memory->bytes, buffer)
                               : weft_buffer_wrap_planar(device, memory->data[0], memory->data[1],
                                                         memory->bytes, buffer);
}

/* Tells the story until something fails. */
static weft_status tell(const struct story *story, const struct arrays *arrays)
{
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL, *spectrum = NULL;
    weft_status status = weft_device_open(story->device, &device);
    if (!status && story->far) {
        struct cpu_state *state = device->device.state;
        state->shared_cache_bytes = 0;
    }
    if (!status) status = weft_plan_create(device, &story->params, &plan);
    if (!status) status = wrap(device, &arrays->in, &in);
    if (!status) status = wrap(device, &arrays->out, &out);
    const size_t spectrum_bytes = weft_plan_spectrum_bytes(plan);
    if (!status && spectrum_bytes) status = weft_buffer_create(device, spectrum_bytes, &spectrum);
    if (!status && spectrum_bytes) status = weft_plan_transform_kernels(plan, in, spectrum);
    const weft_execution execution = {.spectrum = spectrum};
    if (!status) status = weft_execute_with(plan, WEFT_FORWARD, in, out, &execution);
    if (status && !story->needs_every_pass) assert_true(guarded_is_unchanged(&arrays->out));
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_buffer_destroy(&spectrum);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return status;
}

/* Lets the first, the second, ... allocation fail until the story comes to its end. */
static void survives(const struct story *story)
{
    struct arrays arrays;
    create_arrays(story, &arrays);
    const int64_t before = memory_live_blocks();
    int allocations = 0;
    weft_status status = WEFT_ERROR_MEMORY;
    while (status && allocations < MOST_ALLOCATIONS) {
        memory_fail_after(allocations++);
        status = tell(story, &arrays);
        memory_fail_after(-1);
        if (status) assert_out_of_memory(status);
        assert_int_equal(memory_live_blocks(), before);
    }
    assert_int_equal(status, WEFT_OK);
    assert_true(allocations > 3);
    assert_true(guarded_is_unchanged(&arrays.in));
    assert_true(!guarded_is_unchanged(&arrays.out));
    guarded_destroy(&arrays.in);
    guarded_destroy(&arrays.out);
}

static void lines_survive(const char *device, int64_t n)
{
    for (int i = 0; i < 4; i++) {
        struct story story = line(device, n);
        story.params.precision = i & 1 ? WEFT_F64 : WEFT_F32;
        story.params.format = i & 2 ? WEFT_PLANAR : WEFT_INTERLEAVED;
        survives(&story);
    }
}

static void smooth_lengths_survive(void **state)
{
    (void)state;
    lines_survive("cpu", 1);
    lines_survive("cpu", 16);
    lines_survive("cpu", 3600);
}

static void lines_past_the_caches_survive(void **state)
{
    (void)state;
    struct story story = line("cpu", 64);
    story.params.precision = WEFT_F64;
    story.params.batch = 20;
    story.elements = 20 * 64;
    story.far = true;
    survives(&story);
}

static void several_passes_survive(void **state)
{
    (void)state;
    lines_survive("cpu", 1 << 17);
}

static void transposed_orders_survive(void **state)
{
    (void)state;
    static const char *const on[] = {"cpu", "null:shared=2048,threads=32"};
    for (int i = 0; i < 2; i++) {
        struct story story = line(on[i], i ? 1024 : 1 << 17);
        story.params.out_order = WEFT_TRANSPOSED;
        story.needs_every_pass = i == 1;
        survives(&story);
    }
}

static void primes_survive(void **state)
{
    (void)state;
    static const int64_t primes[] = {37, 101, 1009, 10007, 65537, 2 * 3 * 5 * 1009};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        lines_survive("cpu", primes[i]);
}

static void double_double_survives(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 60, 1009, 12011};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct story story = line("cpu", lengths[i]);
        story.params.precision = WEFT_DD;
        survives(&story);
    }
    struct story story = line("null", 60);
    story.params.precision = WEFT_DD;
    survives(&story);
}

static void several_axes_survive(void **state)
{
    (void)state;
    struct story story = line("cpu", 12);
    story.params.rank = 3;
    story.params.size[1] = 37;
    story.params.size[2] = 20;
    story.params.batch = 2;
    story.elements = 2 * 12 * 37 * 20;
    survives(&story);
    const int64_t columns_first[] = {1, 12, 12 * 37};
    story.params.out_stride = columns_first;
    story.params.out_distance = 12 * 37 * 20;
    survives(&story);
}

static void ranges_survive(void **state)
{
    (void)state;
    static const char *const devices[] = {"cpu", "null"};
    static const int64_t first[] = {0, 6}, count[] = {5, 12};
    for (int i = 0; i < 4; i++) {
        struct story story = line(devices[i / 2], 12);
        story.params.rank = 2;
        story.params.size[1] = 15;
        story.params.in_count = count;
        story.params.out_first = first;
        story.params.out_count = i % 2 ? count : NULL;
        if (i % 2 == 0) story.params.out_first = NULL;
        story.elements = 12 * 15;
        story.needs_every_pass = i / 2;
        survives(&story);
    }
}

static void convolutions_survive(void **state)
{
    (void)state;
    static const char *const devices[] = {"cpu", "null"};
    for (int i = 0; i < 4; i++) {
        struct story story = line(devices[i / 2], 24);
        story.params.operation = WEFT_CONVOLUTION;
        story.params.kind = i % 2 ? WEFT_R2C : WEFT_C2C;
        story.params.rank = 2;
        story.params.size[0] = 4;
        story.params.size[1] = 6;
        story.params.load_hook = i % 2 ? "x * (k + 1) / n" : NULL;
        story.params.store_hook = i % 2 ? "x + kernel" : NULL;
        story.needs_every_pass = i / 2;
        survives(&story);
    }
}

static void streamed_convolutions_survive(void **state)
{
    (void)state;
    struct story story = line("cpu", 512);
    story.params.operation = WEFT_CONVOLUTION;
    story.params.memory_limit = 4096;
    survives(&story);
}

static void trigonometric_kinds_survive(void **state)
{
    (void)state;
    static const int64_t lengths[] = {60, 101, 1 << 17};
    for (int i = 0; i < 9; i++) {
        struct story story = line("cpu", lengths[i % 3]);
        story.params.kind = (weft_kind)(WEFT_DCT1 + i);
        survives(&story);
    }
    struct story story = line("null", 12);
    story.params.kind = WEFT_DCT2;
    story.params.rank = 2;
    story.params.size[1] = 20;
    story.elements = 12 * 20;
    story.needs_every_pass = true;
    survives(&story);
}

static void real_kinds_survive(void **state)
{
    (void)state;
    static const int64_t lengths[] = {60, 101, 2 * 1009, 1 << 17};
    for (int i = 0; i < 8; i++) {
        struct story story = line("cpu", lengths[i / 2]);
        story.params.kind = i % 2 ? WEFT_C2R : WEFT_R2C;
        survives(&story);
    }
    struct story story = line("cpu", 12);
    story.params.kind = WEFT_C2R;
    story.params.rank = 2;
    story.params.size[1] = 20;
    story.elements = 12 * 20;
    survives(&story);
    story.device = "null";
    story.needs_every_pass = true;
    survives(&story);
}

static void hooks_survive(void **state)
{
    (void)state;
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R, WEFT_DCT2};
    for (int i = 0; i < 8; i++) {
        struct story story = line(i % 2 ? "null" : "cpu", i % 2 ? 12 : 101);
        story.params.kind = kinds[i / 2];
        story.params.load_hook = "x * (1 - cos(2 * pi * k / n))";
        story.params.store_hook = "abs(x) + log(k + 1)";
        story.needs_every_pass = i % 2;
        survives(&story);
    }
}

static void threads_survive(void **state)
{
    (void)state;
    struct story story = line("cpu", 256);
    story.params.rank = 2;
    story.params.size[1] = 256;
    story.params.threads = 2;
    story.elements = 65536;
    survives(&story);
    story = line("cpu", 1 << 16);
    story.params.threads = 2;
    survives(&story);
}

static void measuring_survives(void **state)
{
    (void)state;
    struct story story = line("cpu", 240);
    story.params.effort = WEFT_MEASURE;
    survives(&story);
    story = line("cpu", 101);
    story.params.effort = WEFT_MEASURE;
    survives(&story);
}

static void evaluated_kernels_survive(void **state)
{
    (void)state;
    lines_survive("null", 60);
    lines_survive("null", 101);
    struct story story = line("null:shared=2048,threads=32", 500);
    story.needs_every_pass = true;
    survives(&story);
    story = line("null", 6);
    story.params.rank = 2;
    story.params.size[1] = 10;
    story.elements = 60;
    story.needs_every_pass = true;
    survives(&story);
}

static void describing_survives(void **state)
{
    (void)state;
    const int64_t before = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int n = 0; status && n < MOST_ALLOCATIONS; n++) {
        weft_device_info info;
        memory_fail_after(n);
        status = weft_device_describe(0, &info);
        memory_fail_after(-1);
        if (status) assert_out_of_memory(status);
        assert_int_equal(memory_live_blocks(), before);
    }
    assert_int_equal(status, WEFT_OK);
}

static void buffers_survive(void **state)
{
    (void)state;
    weft_device *device = NULL;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    const int64_t before = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int n = 0; status && n < MOST_ALLOCATIONS; n++) {
        weft_buffer *buffer = NULL;
        memory_fail_after(n);
        status = weft_buffer_create(device, 100, &buffer);
        memory_fail_after(-1);
        if (status) assert_out_of_memory(status);
        if (status) assert_null(buffer);
        weft_buffer_destroy(&buffer);
        assert_int_equal(memory_live_blocks(), before);
    }
    assert_int_equal(status, WEFT_OK);
    weft_device_close(&device);
}

static void the_text_of_a_plan_survives(void **state)
{
    (void)state;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    const struct story story = line("cpu", 1000);
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    assert_int_equal(weft_plan_create(device, &story.params, &plan), WEFT_OK);
    const int64_t before = memory_live_blocks();
    for (int n = 0; n < 20; n++) {
        char text[64];
        memset(text, '#', sizeof text);
        memory_fail_after(n);
        weft_plan_text(plan, text, sizeof text);
        memory_fail_after(-1);
        assert_non_null(memchr(text, 0, sizeof text));
        assert_int_equal(memory_live_blocks(), before);
    }
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

/* The plan that could not get its scratch works as soon as there is memory again. */
static void a_plan_recovers(void **state)
{
    (void)state;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    const struct story story = line("cpu", 1 << 18);
    struct arrays arrays;
    create_arrays(&story, &arrays);
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    assert_int_equal(weft_plan_create(device, &story.params, &plan), WEFT_OK);
    assert_int_equal(wrap(device, &arrays.in, &in), WEFT_OK);
    assert_int_equal(wrap(device, &arrays.out, &out), WEFT_OK);
    memory_fail_after(0);
    assert_out_of_memory(weft_execute(plan, WEFT_FORWARD, in, out));
    memory_fail_after(-1);
    assert_true(guarded_is_unchanged(&arrays.out));
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, in, out), WEFT_OK);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    guarded_destroy(&arrays.in);
    guarded_destroy(&arrays.out);
}

int main(void)
{
    setenv("WEFT_CACHE_DIR", "", 1); /* what is measured here is nobody's wisdom */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_lengths_survive),
        cmocka_unit_test(lines_past_the_caches_survive),
        cmocka_unit_test(several_passes_survive),
        cmocka_unit_test(transposed_orders_survive),
        cmocka_unit_test(primes_survive),
        cmocka_unit_test(double_double_survives),
        cmocka_unit_test(several_axes_survive),
        cmocka_unit_test(ranges_survive),
        cmocka_unit_test(real_kinds_survive),
        cmocka_unit_test(hooks_survive),
        cmocka_unit_test(trigonometric_kinds_survive),
        cmocka_unit_test(convolutions_survive),
        cmocka_unit_test(streamed_convolutions_survive),
        cmocka_unit_test(threads_survive),
        cmocka_unit_test(measuring_survives),
        cmocka_unit_test(evaluated_kernels_survive),
        cmocka_unit_test(describing_survives),
        cmocka_unit_test(buffers_survive),
        cmocka_unit_test(the_text_of_a_plan_survives),
        cmocka_unit_test(a_plan_recovers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
