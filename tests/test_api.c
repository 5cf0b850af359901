/* What every public call makes of good and of bad arguments: a status, a message that says what
 * would be accepted, and no byte written. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/devices.h"
#include "support/guarded.h"
#include "support/random.h"
#include "support/trial.h"
#include "weft/weft.h"

static weft_device *device;

/* ---- helpers ---- */

/* A failure of this kind, explained in words that contain `words`. */
static void assert_refused(weft_status status, weft_status expected, const char *words)
{
    if (status == expected && strstr(weft_last_error(), words)) return;
    fail_msg("status %d (%s), message \"%s\"; expected status %d and the words \"%s\"", (int)status,
             weft_status_name(status), weft_last_error(), (int)expected, words);
}

static weft_params line_of(int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    return params;
}

static weft_plan *plan_for(const weft_params *params)
{
    weft_plan *plan = NULL;
    const weft_status status = weft_plan_create(device, params, &plan);
    if (status) fail_msg("no plan: %s", weft_last_error());
    assert_non_null(plan);
    return plan;
}

/* No plan comes of these parameters, and the handle keeps its value. */
static void assert_no_plan(const weft_params *params, weft_status expected, const char *words)
{
    weft_plan *const before = (weft_plan *)(uintptr_t)8;
    weft_plan *plan = before;
    assert_refused(weft_plan_create(device, params, &plan), expected, words);
    assert_ptr_equal(plan, before);
}

static weft_buffer *wrap(void *data, size_t bytes)
{
    weft_buffer *buffer = NULL;
    assert_int_equal(weft_buffer_wrap(device, data, bytes, &buffer), WEFT_OK);
    return buffer;
}

/* ---- versions, statuses, messages ---- */

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
             WEFT_VERSION_PATCH);
    assert_string_equal(weft_version(), expected);
}

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = WEFT_OK; i <= WEFT_ERROR_UNSUPPORTED; i++) {
        for (int j = WEFT_OK; j < i; j++)
            assert_string_not_equal(weft_status_name((weft_status)i),
                                    weft_status_name((weft_status)j));
    }
    assert_non_null(weft_status_name((weft_status)-1));
    assert_non_null(weft_status_name((weft_status)1000));
}

/* ---- devices ---- */

static void devices_can_be_listed_and_opened(void **state)
{
    (void)state;
    assert_true(weft_device_count() >= 2);
    for (int i = 0; i < weft_device_count(); i++) {
        weft_device_info info;
        assert_int_equal(weft_device_describe(i, &info), WEFT_OK);
        assert_true(strlen(info.name) > 0 && strlen(info.description) > 0);
        assert_true(info.precisions != 0);
        weft_device *opened = NULL;
        assert_int_equal(weft_device_open(info.name, &opened), WEFT_OK);
        weft_device_close(&opened);
        assert_null(opened);
    }
}

static void describing_devices_needs_an_index_and_a_place(void **state)
{
    (void)state;
    weft_device_info info;
    assert_refused(weft_device_describe(-1, &info), WEFT_ERROR_ARGUMENT, "accepted are 0 to");
    assert_refused(weft_device_describe(weft_device_count(), &info), WEFT_ERROR_ARGUMENT,
                   "accepted are 0 to");
    assert_refused(weft_device_describe(0, NULL), WEFT_ERROR_ARGUMENT, "info is NULL");
}

static void unknown_devices_are_refused_with_the_names_there_are(void **state)
{
    (void)state;
    static const char *const names[] = {"", "gpu", "CPU", "cp", "cpuu", ":", ":1"};
    weft_device *opened = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_refused(weft_device_open(names[i], &opened), WEFT_ERROR_DEVICE, "cpu");
    assert_refused(weft_device_open("cpu:0", &opened), WEFT_ERROR_DEVICE, "accepted: cpu");
    assert_refused(weft_device_open("cpu", NULL), WEFT_ERROR_ARGUMENT, "device is NULL");
    char longer[5000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_refused(weft_device_open(longer, &opened), WEFT_ERROR_DEVICE, "xxx");
    assert_null(opened);
}

static void invented_limits_are_checked(void **state)
{
    (void)state;
    static const char *const names[] = {"null:shared", "null:shared=", "null:shared=-1",
                                        "null:threads=0", "null:what=3", "null:shared=4096,",
                                        "null:shared=99999999999999999999", "null:,"};
    weft_device *opened = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_refused(weft_device_open(names[i], &opened), WEFT_ERROR_ARGUMENT, "limits");
    assert_null(opened);
}

static void the_instruction_set_can_be_forced(void **state)
{
    (void)state;
    static const char *const names[] = {"scalar", "sse2", "avx2", "avx512", "neon"};
    int found = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        weft_device *opened = devices_open_cpu(names[i]);
        if (!opened) {
            assert_non_null(strstr(weft_last_error(), "WEFT_ISA"));
            continue;
        }
        found++;
        setenv("WEFT_ISA", names[i], 1);
        weft_device_info info;
        assert_int_equal(weft_device_describe(0, &info), WEFT_OK);
        unsetenv("WEFT_ISA");
        assert_non_null(strstr(info.description, names[i]));
        weft_device_close(&opened);
    }
    assert_true(found >= 1);
    setenv("WEFT_ISA", "mmx", 1);
    weft_device *opened = NULL;
    assert_refused(weft_device_open(NULL, &opened), WEFT_ERROR_DEVICE, "accepted: avx512");
    setenv("WEFT_ISA", "", 1);
    assert_int_equal(weft_device_open(NULL, &opened), WEFT_OK);
    weft_device_close(&opened);
    unsetenv("WEFT_ISA");
}

static void handles_that_are_null_may_be_destroyed(void **state)
{
    (void)state;
    weft_device *no_device = NULL;
    weft_plan *no_plan = NULL;
    weft_buffer *no_buffer = NULL;
    weft_device_close(&no_device);
    weft_plan_destroy(&no_plan);
    weft_buffer_destroy(&no_buffer);
    weft_device_close(NULL);
    weft_plan_destroy(NULL);
    weft_buffer_destroy(NULL);
}

static void destroying_clears_the_handle(void **state)
{
    (void)state;
    const weft_params params = line_of(8);
    weft_plan *plan = plan_for(&params);
    float data[2];
    weft_buffer *buffer = wrap(data, sizeof data);
    weft_plan_destroy(&plan);
    weft_buffer_destroy(&buffer);
    assert_null(plan);
    assert_null(buffer);
}

/* ---- buffers ---- */

static void buffers_need_a_device_memory_and_a_place(void **state)
{
    (void)state;
    float data[4];
    weft_buffer *buffer = NULL;
    assert_refused(weft_buffer_wrap(NULL, data, 8, &buffer), WEFT_ERROR_ARGUMENT, "device");
    assert_refused(weft_buffer_wrap(device, NULL, 8, &buffer), WEFT_ERROR_ARGUMENT, "NULL");
    assert_refused(weft_buffer_wrap(device, data, 8, NULL), WEFT_ERROR_ARGUMENT, "buffer");
    assert_refused(weft_buffer_wrap_planar(device, data, NULL, 8, &buffer), WEFT_ERROR_ARGUMENT,
                   "NULL");
    assert_refused(weft_buffer_wrap_planar(device, NULL, data, 8, &buffer), WEFT_ERROR_ARGUMENT,
                   "NULL");
    assert_refused(weft_buffer_create(NULL, 8, &buffer), WEFT_ERROR_ARGUMENT, "device");
    assert_refused(weft_buffer_create(device, 8, NULL), WEFT_ERROR_ARGUMENT, "buffer");
    assert_null(buffer);
}

static void buffers_beyond_memory_are_refused(void **state)
{
    (void)state;
    weft_buffer *buffer = NULL;
    assert_refused(weft_buffer_create(device, SIZE_MAX, &buffer), WEFT_ERROR_MEMORY, "memory");
    assert_refused(weft_buffer_create(device, SIZE_MAX / 4, &buffer), WEFT_ERROR_MEMORY, "memory");
    assert_null(buffer);
}

static void buffers_are_zero_then_hold_what_is_written(void **state)
{
    (void)state;
    weft_buffer *buffer = NULL;
    unsigned char bytes[64];
    assert_int_equal(weft_buffer_create(device, 64, &buffer), WEFT_OK);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(weft_buffer_read(buffer, 0, bytes, 64), WEFT_OK);
    for (int i = 0; i < 64; i++) assert_int_equal(bytes[i], 0);
    assert_int_equal(weft_buffer_write(buffer, 61, "abc", 3), WEFT_OK);
    assert_int_equal(weft_buffer_read(buffer, 60, bytes, 4), WEFT_OK);
    assert_memory_equal(bytes, "\0abc", 4);
    assert_int_equal(weft_buffer_read(buffer, 64, bytes, 0), WEFT_OK);
    weft_buffer_destroy(&buffer);
    assert_int_equal(weft_buffer_create(device, 0, &buffer), WEFT_OK);
    weft_buffer_destroy(&buffer);
}

static void copies_beyond_a_buffer_are_refused(void **state)
{
    (void)state;
    weft_buffer *buffer = NULL;
    unsigned char bytes[8] = "1234567";
    assert_int_equal(weft_buffer_create(device, 64, &buffer), WEFT_OK);
    assert_refused(weft_buffer_write(buffer, 61, bytes, 4), WEFT_ERROR_LAYOUT, "64");
    assert_refused(weft_buffer_read(buffer, 65, bytes, 0), WEFT_ERROR_LAYOUT, "64");
    assert_refused(weft_buffer_read(buffer, SIZE_MAX, bytes, 2), WEFT_ERROR_LAYOUT, "64");
    assert_refused(weft_buffer_read(buffer, 2, bytes, SIZE_MAX), WEFT_ERROR_LAYOUT, "64");
    assert_refused(weft_buffer_read(buffer, 0, NULL, 1), WEFT_ERROR_ARGUMENT, "NULL");
    assert_refused(weft_buffer_write(NULL, 0, bytes, 1), WEFT_ERROR_ARGUMENT, "NULL");
    assert_string_equal((char *)bytes, "1234567");
    weft_buffer_destroy(&buffer);
}

static void planar_buffers_have_no_order_of_bytes_to_copy(void **state)
{
    (void)state;
    float re[4], im[4], copy[4];
    weft_buffer *buffer = NULL;
    assert_int_equal(weft_buffer_wrap_planar(device, re, im, sizeof re, &buffer), WEFT_OK);
    assert_refused(weft_buffer_read(buffer, 0, copy, 4), WEFT_ERROR_ARGUMENT, "planar");
    weft_buffer_destroy(&buffer);
}

/* ---- parameters ---- */

static void plans_need_a_device_parameters_and_a_place(void **state)
{
    (void)state;
    const weft_params params = line_of(8);
    weft_plan *plan = NULL;
    assert_refused(weft_plan_create(NULL, &params, &plan), WEFT_ERROR_ARGUMENT, "device is NULL");
    assert_refused(weft_plan_create(device, NULL, &plan), WEFT_ERROR_ARGUMENT, "params is NULL");
    assert_refused(weft_plan_create(device, &params, NULL), WEFT_ERROR_ARGUMENT, "plan is NULL");
    assert_null(plan);
}

static void values_out_of_range_are_refused(void **state)
{
    (void)state;
    const weft_params good = line_of(8);
    weft_params bad = good;
    bad.kind = (weft_kind)12;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "accepted are WEFT_C2C, WEFT_R2C, WEFT_C2R");
    bad = good;
    bad.orthonormal = 2;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "orthonormal is 2");
    bad = good;
    bad.precision = (weft_precision)99;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "WEFT_F32, WEFT_F64");
    bad.precision = (weft_precision)-1;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "WEFT_F32, WEFT_F64");
    bad = good;
    bad.format = (weft_format)99;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "WEFT_INTERLEAVED, WEFT_PLANAR");
    bad = good;
    bad.effort = (weft_effort)2;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "WEFT_ESTIMATE, WEFT_MEASURE");
    bad = good;
    bad.threads = -1;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "threads is -1");
    bad.threads = INT32_MAX;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "accepted are 0");
}

static void scales_must_be_finite(void **state)
{
    (void)state;
    static const double scales[] = {INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        weft_params bad = line_of(8);
        bad.forward_scale = scales[i];
        assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "finite");
        bad = line_of(8);
        bad.inverse_scale = scales[i];
        assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "finite");
    }
}

static void scales_must_be_numbers_of_the_precision(void **state)
{
    (void)state;
    static const double scales[] = {1e39, -1e39, 1e-46, -1e-46, 1e300, 1e-300};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        weft_params params = line_of(8);
        params.forward_scale = scales[i];
        assert_no_plan(&params, WEFT_ERROR_ARGUMENT, "accepted in single precision");
        params.forward_scale = 0;
        params.inverse_scale = scales[i];
        assert_no_plan(&params, WEFT_ERROR_ARGUMENT, "accepted in single precision");
        params.precision = WEFT_F64;
        weft_plan *plan = plan_for(&params);
        weft_plan_destroy(&plan);
    }
    static const double extremes[] = {3.4028234e38, 1.5e-45};
    for (size_t i = 0; i < sizeof extremes / sizeof *extremes; i++) {
        weft_params params = line_of(8);
        params.forward_scale = params.inverse_scale = extremes[i];
        weft_plan *plan = plan_for(&params);
        weft_plan_destroy(&plan);
    }
}

static void ranks_and_axes_out_of_range_are_refused(void **state)
{
    (void)state;
    static const int ranks[] = {0, -1, WEFT_MAX_RANK + 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        weft_params bad = line_of(8);
        bad.rank = ranks[i];
        assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "accepted are 1 to 8");
    }
    weft_params bad = line_of(8);
    bad.axes = 2;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "bits 0 to 0");
    bad.axes = 0x80000001u;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "axes is 0x80000001");
    bad.rank = WEFT_MAX_RANK;
    for (int i = 0; i < WEFT_MAX_RANK; i++) bad.size[i] = 1;
    bad.axes = 0x100;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "bits 0 to 7");
}

static void sizes_below_one_are_refused(void **state)
{
    (void)state;
    static const int64_t sizes[] = {0, -1, INT64_MIN};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weft_params bad = line_of(sizes[i]);
        assert_no_plan(&bad, WEFT_ERROR_SIZE, "sizes start at 1");
        bad = line_of(4);
        bad.rank = 2;
        bad.size[1] = sizes[i];
        assert_no_plan(&bad, WEFT_ERROR_SIZE, "size[1]");
    }
    weft_params bad = line_of(4);
    bad.batch = -1;
    assert_no_plan(&bad, WEFT_ERROR_SIZE, "batch is -1");
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    static const int64_t sizes[] = {INT64_MAX, INT64_C(1) << 62, (INT64_C(1) << 59) + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const weft_params bad = line_of(sizes[i]);
        assert_no_plan(&bad, WEFT_ERROR_SIZE, "2^63 bytes");
    }
    weft_params bad = line_of(INT64_C(1) << 31);
    bad.rank = 3;
    bad.size[1] = bad.size[2] = INT64_C(1) << 31;
    assert_no_plan(&bad, WEFT_ERROR_SIZE, "size[1]");
    bad = line_of(INT64_C(1) << 30);
    bad.batch = INT64_C(1) << 30;
    assert_no_plan(&bad, WEFT_ERROR_SIZE, "batch");
}

/* Refused one way or the other, without hanging: nothing could hold them. */
static void sizes_beyond_all_memory_are_refused(void **state)
{
    (void)state;
    static const int64_t sizes[] = {
        INT64_C(1) << 58, INT64_C(1) << 50,  INT64_C(288230376151711717), /* a prime */
        INT64_C(68718952447), INT64_C(2305843009213693951) >> 4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const weft_params bad = line_of(sizes[i]);
        weft_plan *plan = NULL;
        const weft_status status = weft_plan_create(device, &bad, &plan);
        assert_true(status == WEFT_ERROR_MEMORY || status == WEFT_ERROR_SIZE ||
                    status == WEFT_ERROR_UNSUPPORTED);
        assert_null(plan);
    }
}

static void sizes_beyond_the_limits_are_refused_in_the_planners_words(void **state)
{
    (void)state;
    const weft_params prime = line_of(INT64_C(288230376151711717));
    assert_no_plan(&prime, WEFT_ERROR_UNSUPPORTED, "no plan for length 288230376151711717");

    weft_device *evaluated = NULL;
    assert_int_equal(weft_device_open("null", &evaluated), WEFT_OK);
    weft_params large = line_of(INT64_C(1) << 35);
    large.precision = WEFT_F64;
    for (int effort = WEFT_ESTIMATE; effort <= WEFT_MEASURE; effort++) {
        weft_plan *plan = NULL;
        large.effort = (weft_effort)effort;
        assert_refused(weft_plan_create(evaluated, &large, &plan), WEFT_ERROR_UNSUPPORTED,
                       "no plan for length 34359738368");
        assert_null(plan);
    }
    weft_device_close(&evaluated);
}

/* ---- layouts ---- */

static void output_elements_that_share_a_place_are_refused(void **state)
{
    (void)state;
    static const int64_t shared[][2] = {{0, 1}, {1, 0}, {1, 1}, {3, 1}, {-3, 1}, {1, 2}, {2, 2}};
    weft_params bad = line_of(3);
    bad.rank = 2;
    bad.size[1] = 4;
    bad.out_offset = 100;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        bad.out_stride = shared[i];
        assert_no_plan(&bad, WEFT_ERROR_LAYOUT, "share a place");
    }
    bad.out_stride = NULL;
    bad.batch = 2;
    bad.out_distance = 11;
    assert_no_plan(&bad, WEFT_ERROR_LAYOUT, "share a place");
}

static void outputs_that_interlock_without_sharing_are_accepted(void **state)
{
    (void)state;
    static const int64_t interlocked[][2] = {{4, 3}, {-4, 3}, {5, 3}, {2, 6}, {1, 3}, {2, 3}};
    weft_params params = line_of(3);
    params.rank = 2;
    params.size[1] = 4;
    params.out_offset = 100;
    for (size_t i = 0; i < sizeof interlocked / sizeof *interlocked; i++) {
        params.out_stride = interlocked[i];
        weft_plan *plan = plan_for(&params);
        weft_plan_destroy(&plan);
    }
}

/* The decision for random strides is that of marking every place. */
static void sharing_is_found_exactly(void **state)
{
    (void)state;
    struct random random = {random_seed()};
    for (int i = 0; i < 2000; i++) {
        int64_t stride[3];
        weft_params params = line_of(random_between(&random, 1, 5));
        params.rank = 3;
        params.out_offset = 400;
        params.out_stride = stride;
        for (int d = 0; d < 3; d++) {
            params.size[d] = random_between(&random, 1, 5);
            stride[d] = random_between(&random, -30, 30);
        }
        unsigned char marked[800] = {0};
        bool shared = false;
        for (int64_t e = 0; e < params.size[0] * params.size[1] * params.size[2]; e++) {
            const int64_t place = 400 + e % params.size[0] * stride[0] +
                                  e / params.size[0] % params.size[1] * stride[1] +
                                  e / params.size[0] / params.size[1] * stride[2];
            if (marked[place]++) shared = true;
        }
        weft_plan *plan = NULL;
        const weft_status status = weft_plan_create(device, &params, &plan);
        assert_int_equal(status, shared ? WEFT_ERROR_LAYOUT : WEFT_OK);
        weft_plan_destroy(&plan);
    }
}

static void places_before_the_buffer_are_refused(void **state)
{
    (void)state;
    const int64_t backwards[] = {-2};
    weft_params bad = line_of(8);
    bad.in_stride = backwards;
    bad.in_offset = 13;
    assert_no_plan(&bad, WEFT_ERROR_LAYOUT, "reaches 1 elements before");
    bad.in_offset = 14;
    weft_plan *plan = plan_for(&bad);
    weft_plan_destroy(&plan);
    bad.out_stride = backwards;
    assert_no_plan(&bad, WEFT_ERROR_LAYOUT, "output");
    bad = line_of(8);
    bad.out_offset = -1;
    assert_no_plan(&bad, WEFT_ERROR_LAYOUT, "output");
}

static void ranges_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    const int64_t none = 0, one = 1, two = 2, seven = 7, eight = 8, nine = 9, before = -1;
    weft_params bad = line_of(8);
    bad.in_first = &one;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "in_first without in_count");
    bad.in_count = &none;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "in_count[0] is 0: accepted are 1 to 8");
    bad.in_count = &nine;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "in_count[0] is 9");
    bad.in_count = &two;
    bad.in_first = &before;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "in_first[0] is -1: accepted are 0 to 7");
    bad.in_first = &eight;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "in_first[0] is 8");
    bad.in_first = &seven;
    weft_plan *plan = plan_for(&bad);
    weft_plan_destroy(&plan);
    bad.memory_limit = 1000;
    assert_no_plan(&bad, WEFT_ERROR_UNSUPPORTED, "goes on at 0 behind the end of its axis");
    bad = line_of(8);
    bad.kind = WEFT_R2C;
    bad.out_count = &nine;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "accepted are 1 to 5");
    const int64_t counts[] = {4, 3};
    bad = line_of(8);
    bad.rank = 2;
    bad.size[1] = 4;
    bad.axes = 1;
    bad.out_count = counts;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "the axis is not transformed: accepted is its");
}

/* The least buffers that do. */
static void what_is_out_of_range_needs_no_memory(void **state)
{
    (void)state;
    const int64_t first = 2, count = 3;
    float x[2 * 8] = {0}, y[2 * 5] = {0};
    weft_params params = line_of(8);
    params.in_first = params.out_first = &first;
    params.in_count = params.out_count = &count;
    weft_plan *plan = plan_for(&params);
    weft_buffer *in = NULL, *out = NULL, *less = NULL;
    x[4] = 1;
    assert_int_equal(weft_buffer_wrap(device, x, 5 * 2 * sizeof *x, &in), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(device, y, 5 * 2 * sizeof *y, &out), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(device, y, 4 * 2 * sizeof *y, &less), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, in, less), WEFT_ERROR_LAYOUT);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, in, out), WEFT_OK);
    assert_true(y[0] == 0 && y[1] == 0 && y[2] == 0 && y[3] == 0);
    assert_true(y[4] == -1 && y[8] == 1); /* exp(-2 pi i 2 k / 8) of k = 2 and 4 */
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_buffer_destroy(&less);
    weft_plan_destroy(&plan);
}

/* Lines within each other's gaps. */
static void ranges_beside_each_other_may_share_a_buffer(void **state)
{
    (void)state;
    const int64_t stride[] = {16, 1}, count[] = {4, 8}, second[] = {0, 8};
    float x[2 * 64] = {0};
    weft_params params = line_of(4);
    params.rank = 2;
    params.size[1] = 16;
    params.in_stride = params.out_stride = stride;
    params.in_count = params.out_count = count;
    params.out_first = second;
    params.axes = 2;
    weft_plan *plan = plan_for(&params);
    weft_buffer *in = NULL, *out = NULL;
    assert_int_equal(weft_buffer_wrap(device, x, sizeof x, &in), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(device, x, sizeof x, &out), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, in, out), WEFT_OK);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
}

/* Between two axes there are results that the output has no place for. */
static void outputs_need_no_room_for_what_lies_between_axes(void **state)
{
    (void)state;
    const int64_t out[] = {4, 16};
    weft_params params = line_of(16);
    params.rank = 2;
    params.size[1] = 16;
    params.batch = 3;
    params.out_count = out;
    params.out_distance = 4 * 16;
    weft_plan *plan = plan_for(&params);
    weft_plan_destroy(&plan);
    params.in_count = out;
    plan = plan_for(&params);
    weft_plan_destroy(&plan);
    params.in_count = NULL;
    params.axes = 1;
    plan = plan_for(&params);
    weft_plan_destroy(&plan);
    const int64_t far[] = {INT64_C(1) << 60, 1}, one[] = {1, 16};
    params.out_stride = far;
    params.out_count = one;
    assert_no_plan(&params, WEFT_ERROR_SIZE, "the output's strides reach beyond");
}

static void strides_that_overflow_are_refused(void **state)
{
    (void)state;
    static const int64_t hostile[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_C(1) << 62,
                                      -(INT64_C(1) << 62), INT64_C(1) << 58};
    static const int64_t offsets[] = {0, INT64_C(1) << 57, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++) {
            weft_params bad = line_of(3);
            weft_plan *plan = NULL;
            bad.in_stride = &hostile[i];
            bad.in_offset = offsets[o];
            weft_status status = weft_plan_create(device, &bad, &plan);
            assert_true(status == WEFT_ERROR_SIZE || status == WEFT_ERROR_LAYOUT);
            bad = line_of(3);
            bad.batch = 2;
            bad.out_distance = hostile[i];
            bad.out_offset = offsets[o];
            status = weft_plan_create(device, &bad, &plan);
            assert_true(status == WEFT_ERROR_SIZE || status == WEFT_ERROR_LAYOUT);
            assert_null(plan);
        }
    }
}

static void strides_of_axes_of_one_element_mean_nothing(void **state)
{
    (void)state;
    const int64_t stride[] = {0, 1};
    weft_params params = line_of(1);
    params.rank = 2;
    params.size[1] = 6;
    params.out_stride = stride;
    weft_plan *plan = plan_for(&params);
    weft_plan_destroy(&plan);
}

/* ---- executing: what is refused ---- */

enum { POINTS = 24 };

/* A plan of 24 points in single precision with guarded memory on both sides. */
struct bench {
    weft_plan *plan;
    struct guarded in, out;
    weft_buffer *from, *to;
};

static void set_up(struct bench *bench, const weft_params *params, weft_format format)
{
    bench->plan = plan_for(params);
    guarded_create(&bench->in, format, WEFT_STORED_F32, POINTS, 0);
    guarded_create(&bench->out, format, WEFT_STORED_F32, POINTS, 0);
    for (int i = 0; i < POINTS; i++) guarded_put(&bench->in, i, i * i % 7, i % 5);
    guarded_remember(&bench->in);
    bench->from = guarded_wrap(&bench->in, device);
    bench->to = guarded_wrap(&bench->out, device);
}

static void tear_down(struct bench *bench)
{
    assert_true(guarded_is_unchanged(&bench->in));
    assert_true(guarded_is_unchanged(&bench->out));
    weft_buffer_destroy(&bench->from);
    weft_buffer_destroy(&bench->to);
    guarded_destroy(&bench->in);
    guarded_destroy(&bench->out);
    weft_plan_destroy(&bench->plan);
}

static void executing_needs_a_plan_and_buffers(void **state)
{
    (void)state;
    struct bench b;
    const weft_params params = line_of(POINTS);
    set_up(&b, &params, WEFT_INTERLEAVED);
    assert_refused(weft_execute(NULL, WEFT_FORWARD, b.from, b.to), WEFT_ERROR_ARGUMENT, "plan");
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, NULL, b.to), WEFT_ERROR_ARGUMENT, "in is");
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, NULL), WEFT_ERROR_ARGUMENT, "out is");
    assert_refused(weft_execute(b.plan, (weft_direction)2, b.from, b.to), WEFT_ERROR_ARGUMENT,
                   "WEFT_FORWARD, WEFT_INVERSE");
    assert_refused(weft_execute(b.plan, (weft_direction)-1, b.from, b.to), WEFT_ERROR_ARGUMENT,
                   "direction is -1");
    tear_down(&b);
}

static void buffers_too_small_are_refused(void **state)
{
    (void)state;
    struct bench b;
    const weft_params params = line_of(POINTS);
    set_up(&b, &params, WEFT_INTERLEAVED);
    weft_buffer *small_in = wrap(b.in.data[0], b.in.bytes - 1);
    weft_buffer *small_out = wrap(b.out.data[0], b.out.bytes - 1), *none = wrap(b.in.data[0], 0);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, small_in, b.to), WEFT_ERROR_LAYOUT,
                   "needs 192");
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, small_out), WEFT_ERROR_LAYOUT,
                   "out has 191");
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, none, b.to), WEFT_ERROR_LAYOUT, "has 0");
    weft_buffer_destroy(&small_in);
    weft_buffer_destroy(&small_out);
    weft_buffer_destroy(&none);
    tear_down(&b);
}

static void buffers_of_the_other_format_are_refused(void **state)
{
    (void)state;
    struct bench pairs, planes;
    weft_params params = line_of(POINTS);
    set_up(&pairs, &params, WEFT_INTERLEAVED);
    params.format = WEFT_PLANAR;
    set_up(&planes, &params, WEFT_PLANAR);
    assert_refused(weft_execute(pairs.plan, WEFT_FORWARD, pairs.from, planes.to), WEFT_ERROR_LAYOUT,
                   "");
    assert_refused(weft_execute(planes.plan, WEFT_FORWARD, pairs.from, planes.to),
                   WEFT_ERROR_LAYOUT, "interleaved");
    tear_down(&pairs);
    tear_down(&planes);
}

static void buffers_of_another_device_are_refused(void **state)
{
    (void)state;
    struct bench b;
    const weft_params params = line_of(POINTS);
    set_up(&b, &params, WEFT_INTERLEAVED);
    weft_device *other = devices_open_cpu(NULL);
    weft_buffer *foreign = guarded_wrap(&b.out, other);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, foreign), WEFT_ERROR_ARGUMENT,
                   "another device");
    weft_buffer_destroy(&foreign);
    foreign = guarded_wrap(&b.in, other);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, foreign, b.to), WEFT_ERROR_ARGUMENT,
                   "another device");
    weft_buffer_destroy(&foreign);
    weft_device_close(&other);
    tear_down(&b);
}

static void in_place_with_different_strides_is_refused(void **state)
{
    (void)state;
    struct bench b;
    const int64_t stride[] = {-1};
    weft_params params = line_of(POINTS / 2);
    params.out_stride = stride;
    params.out_offset = POINTS / 2 - 1;
    set_up(&b, &params, WEFT_INTERLEAVED);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, b.from), WEFT_ERROR_LAYOUT,
                   "equal strides");
    tear_down(&b);
    params = line_of(POINTS / 2);
    params.out_offset = 1;
    set_up(&b, &params, WEFT_INTERLEAVED);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, b.from), WEFT_ERROR_LAYOUT,
                   "offsets");
    tear_down(&b);
}

/* Rows of 4 reals follow one another, rows of 3 complex elements too: they run into each other. */
static void real_rows_without_padding_are_refused_in_place(void **state)
{
    (void)state;
    struct bench b;
    weft_params params = line_of(4);
    params.kind = WEFT_R2C;
    params.batch = 3;
    set_up(&b, &params, WEFT_INTERLEAVED);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, b.from), WEFT_ERROR_LAYOUT,
                   "rows padded to 2 (n / 2 + 1)");
    tear_down(&b);
}

/* Its period is 2 (n - 1). An axis that is not transformed may have one element. */
static void a_first_cosine_transform_of_one_is_refused(void **state)
{
    (void)state;
    weft_params params = line_of(1);
    params.kind = WEFT_DCT1;
    assert_no_plan(&params, WEFT_ERROR_SIZE, "WEFT_DCT1 is of period 2 (n - 1), so it starts at 2");
    params.rank = 2;
    params.size[1] = 4;
    params.axes = 2;
    weft_plan *plan = NULL;
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
    weft_plan_destroy(&plan);
}

/* Of every kind that has one. */
static void orthonormal_round_trips_are_exact(void **state)
{
    (void)state;
    for (int kind = WEFT_C2C; kind <= WEFT_DHT; kind++) {
        weft_params params = line_of(6);
        float x[12], y[12];
        if (kind == WEFT_R2C || kind == WEFT_C2R) continue;
        params.kind = (weft_kind)kind;
        params.orthonormal = 1;
        for (int i = 0; i < 12; i++) x[i] = (float)(i * i % 7);
        memcpy(y, x, sizeof y);
        weft_plan *plan = NULL;
        assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
        weft_buffer *both = wrap(y, sizeof y);
        assert_int_equal(weft_execute(plan, WEFT_FORWARD, both, both), WEFT_OK);
        assert_int_equal(weft_execute(plan, WEFT_INVERSE, both, both), WEFT_OK);
        for (int i = 0; i < (kind == WEFT_C2C ? 12 : 6); i++)
            assert_true(fabsf(y[i] - x[i]) < 1e-5f);
        weft_buffer_destroy(&both);
        weft_plan_destroy(&plan);
    }
}

/* The real side of planar data is one array. */
static void planes_of_reals_are_refused(void **state)
{
    (void)state;
    struct bench b;
    weft_params params = line_of(4);
    params.kind = WEFT_C2R;
    params.format = WEFT_PLANAR;
    set_up(&b, &params, WEFT_PLANAR);
    assert_refused(weft_execute(b.plan, WEFT_INVERSE, b.from, b.to), WEFT_ERROR_LAYOUT,
                   "one array of reals");
    tear_down(&b);
}

static void partial_overlap_is_refused(void **state)
{
    (void)state;
    struct bench b;
    const weft_params params = line_of(POINTS / 2);
    set_up(&b, &params, WEFT_INTERLEAVED);
    const size_t half = b.in.bytes / 2;
    static const size_t apart[] = {4, 8, 88};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        weft_buffer *near = wrap((char *)b.in.data[0] + apart[i], half);
        assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, near), WEFT_ERROR_LAYOUT,
                       "overlap");
        assert_refused(weft_execute(b.plan, WEFT_FORWARD, near, b.from), WEFT_ERROR_LAYOUT,
                       "overlap");
        weft_buffer_destroy(&near);
    }
    tear_down(&b);
}

static void planes_that_cross_are_refused(void **state)
{
    (void)state;
    struct bench b;
    weft_params params = line_of(POINTS);
    params.format = WEFT_PLANAR;
    set_up(&b, &params, WEFT_PLANAR);
    void *re = b.in.data[0], *im = b.in.data[1];
    weft_buffer *crossed = NULL, *shared = NULL;
    assert_int_equal(weft_buffer_wrap_planar(device, im, re, b.in.bytes, &crossed), WEFT_OK);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, crossed), WEFT_ERROR_LAYOUT,
                   "overlap");
    assert_int_equal(weft_buffer_wrap_planar(device, re, b.out.data[1], b.in.bytes, &shared),
                     WEFT_OK);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, shared), WEFT_ERROR_LAYOUT,
                   "overlap");
    weft_buffer_destroy(&crossed);
    weft_buffer_destroy(&shared);
    tear_down(&b);
}

static void output_planes_in_one_place_are_refused(void **state)
{
    (void)state;
    struct bench b;
    weft_params params = line_of(POINTS / 2);
    params.format = WEFT_PLANAR;
    set_up(&b, &params, WEFT_PLANAR);
    char *re = b.out.data[0];
    static const size_t apart[] = {0, 4, 4 * (POINTS / 2 - 1)};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        weft_buffer *same = NULL;
        assert_int_equal(
            weft_buffer_wrap_planar(device, re, re + apart[i], b.out.bytes / 2, &same), WEFT_OK);
        assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, same), WEFT_ERROR_LAYOUT, "");
        weft_buffer_destroy(&same);
    }
    tear_down(&b);
}

static void memory_off_its_alignment_is_refused(void **state)
{
    (void)state;
    struct bench b;
    const weft_params params = line_of(POINTS / 2);
    set_up(&b, &params, WEFT_INTERLEAVED);
    weft_buffer *odd_in = wrap((char *)b.in.data[0] + 1, b.in.bytes - 1);
    weft_buffer *odd_out = wrap((char *)b.out.data[0] + 2, b.out.bytes - 2);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, odd_in, b.to), WEFT_ERROR_LAYOUT, "align");
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, b.from, odd_out), WEFT_ERROR_LAYOUT, "align");
    weft_buffer_destroy(&odd_in);
    weft_buffer_destroy(&odd_out);
    tear_down(&b);
}

/* ---- executing: what is done ---- */

/* The short way of an execute and the long one, which has what is aligned to floats alone. */
static void arrays_may_touch_and_lie_at_any_float(void **state)
{
    (void)state;
    enum { N = 5, REALS = 2 * N };
    static const int place[] = {0, REALS, 2 * REALS + 1};
    _Alignas(double) float data[3 * REALS + 1], given[REALS], expected[REALS];
    const weft_params params = line_of(N);
    weft_plan *plan = plan_for(&params);
    weft_buffer *in = wrap(given, sizeof given), *out = wrap(expected, sizeof expected);
    for (int i = 0; i < REALS; i++) given[i] = (float)(i * i % 7);
    for (int trial = 0; trial < 18; trial++) {
        const weft_direction direction = trial / 9 ? WEFT_INVERSE : WEFT_FORWARD;
        weft_buffer *from = wrap(data + place[trial % 3], sizeof given);
        weft_buffer *to = wrap(data + place[trial / 3 % 3], sizeof given);
        memcpy(data + place[trial % 3], given, sizeof given);
        assert_int_equal(weft_execute(plan, direction, in, out), WEFT_OK);
        assert_int_equal(weft_execute(plan, direction, from, to), WEFT_OK);
        assert_memory_equal(data + place[trial / 3 % 3], expected, sizeof expected);
        weft_buffer_destroy(&from);
        weft_buffer_destroy(&to);
    }
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
}

static void an_empty_batch_does_nothing(void **state)
{
    (void)state;
    struct bench b;
    weft_params params = line_of(POINTS);
    params.batch = 0;
    set_up(&b, &params, WEFT_INTERLEAVED);
    assert_int_equal(weft_execute(b.plan, WEFT_FORWARD, b.from, b.to), WEFT_OK);
    assert_int_equal(weft_execute(b.plan, WEFT_INVERSE, b.from, b.from), WEFT_OK);
    weft_buffer *none = wrap(b.out.data[0], 0);
    assert_int_equal(weft_execute(b.plan, WEFT_FORWARD, none, none), WEFT_OK);
    assert_refused(weft_execute(b.plan, WEFT_FORWARD, NULL, b.to), WEFT_ERROR_ARGUMENT, "NULL");
    weft_buffer_destroy(&none);
    weft_plan_info info;
    assert_int_equal(weft_plan_describe(b.plan, &info), WEFT_OK);
    assert_int_equal(info.passes, 0);
    tear_down(&b);
}

static void an_empty_batch_has_ranges(void **state)
{
    (void)state;
    static const int64_t first[] = {0, 3, 0}, count[] = {4, 4, 4};
    weft_params params = line_of(8);
    params.rank = 3;
    params.size[1] = params.size[2] = 8;
    params.batch = 0;
    params.in_first = first;
    params.in_count = count;
    weft_plan *plan = plan_for(&params);
    weft_plan_destroy(&plan);
}

static void an_empty_batch_can_be_measured_whatever_its_strides(void **state)
{
    (void)state;
    static const int64_t stride[] = {INT64_MIN};
    weft_params params = line_of(POINTS);
    params.batch = 0;
    params.in_stride = params.out_stride = stride;
    params.in_distance = params.out_offset = INT64_MIN;
    params.effort = WEFT_MEASURE;
    weft_plan *plan = plan_for(&params);
    weft_plan_destroy(&plan);
}

static void one_point_is_copied_times_the_scale(void **state)
{
    (void)state;
    float in[10], out[10];
    for (int i = 0; i < 10; i++) in[i] = (float)i - 3.5f;
    weft_params params = line_of(1);
    params.batch = 5;
    params.forward_scale = -2;
    weft_plan *plan = plan_for(&params);
    weft_buffer *from = wrap(in, sizeof in), *to = wrap(out, sizeof out);
    assert_int_equal(weft_execute(plan, WEFT_INVERSE, from, to), WEFT_OK);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, from, to), WEFT_OK);
    for (int i = 0; i < 10; i++) assert_true(out[i] == -2 * in[i]);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, to, to), WEFT_OK);
    for (int i = 0; i < 10; i++) assert_true(out[i] == 4 * in[i]);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

/* Ones at every second place, the channel between them left alone. */
static void one_channel_of_several_is_transformed(void **state)
{
    (void)state;
    const int64_t stride[] = {2};
    float data[4 * POINTS];
    for (int i = 0; i < 2 * POINTS; i++) {
        data[2 * i] = i % 2 ? 7 : 1;
        data[2 * i + 1] = i % 2 ? 9 : 0;
    }
    weft_params params = line_of(POINTS);
    params.in_stride = params.out_stride = stride;
    weft_plan *plan = plan_for(&params);
    weft_buffer *buffer = wrap(data, sizeof data);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_OK);
    assert_true(fabsf(data[0] - POINTS) < 1e-4f);
    for (int i = 0; i < POINTS; i++) {
        assert_true(i == 0 || fabsf(data[4 * i]) < 1e-4f);
        assert_true(data[4 * i + 2] == 7 && data[4 * i + 3] == 9);
    }
    weft_plan_destroy(&plan);
    params.out_offset = 1; /* from one channel to the other */
    plan = plan_for(&params);
    assert_int_equal(weft_execute(plan, WEFT_INVERSE, buffer, buffer), WEFT_OK);
    for (int i = 0; i < POINTS; i++) assert_true(fabsf(data[4 * i + 2] - POINTS) < 1e-3f);
    weft_plan_destroy(&plan);
    weft_buffer_destroy(&buffer);
}

/* The halves of one picture side by side share no element, though their rows alternate. */
static void one_half_of_a_picture_goes_to_the_other(void **state)
{
    (void)state;
    enum { ROWS = 4, COLUMNS = 6 };
    const int64_t stride[] = {2 * COLUMNS, 1};
    float data[ROWS * COLUMNS * 4];
    for (int i = 0; i < ROWS * COLUMNS * 2; i++) {
        data[2 * i] = 1;
        data[2 * i + 1] = 0;
    }
    weft_params params = line_of(ROWS);
    params.rank = 2;
    params.size[1] = COLUMNS;
    params.in_stride = params.out_stride = stride;
    params.out_offset = COLUMNS;
    weft_plan *plan = plan_for(&params);
    weft_buffer *buffer = wrap(data, sizeof data);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_OK);
    assert_true(fabsf(data[2 * COLUMNS] - ROWS * COLUMNS) < 1e-4f);
    for (int i = 0; i < ROWS; i++) assert_true(data[4 * COLUMNS * i] == 1);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
}

/* ---- scratch ---- */

enum { LARGE = 65536 };

/* A transform that needs scratch, in and out of place, compared with the plan's own. */
struct scratch_bench {
    weft_plan *plan;
    size_t bytes;
    float *in, *expected, *out;
    weft_buffer *from, *to;
};

static void set_up_scratch(struct scratch_bench *s)
{
    weft_params params = line_of(LARGE * 16);
    params.precision = WEFT_F32;
    s->plan = plan_for(&params);
    s->bytes = weft_plan_scratch_bytes(s->plan);
    const size_t bytes = (size_t)LARGE * 16 * 8;
    s->in = malloc(bytes);
    s->out = malloc(bytes);
    s->expected = malloc(bytes);
    if (!s->in || !s->out || !s->expected) abort();
    for (int64_t i = 0; i < LARGE * 32; i++) s->in[i] = (float)(i * i % 1009) / 1009;
    s->from = wrap(s->in, bytes);
    s->to = wrap(s->expected, bytes);
    assert_int_equal(weft_execute(s->plan, WEFT_FORWARD, s->from, s->to), WEFT_OK);
    weft_buffer_destroy(&s->to);
    s->to = wrap(s->out, bytes);
}

static void tear_down_scratch(struct scratch_bench *s)
{
    weft_buffer_destroy(&s->from);
    weft_buffer_destroy(&s->to);
    weft_plan_destroy(&s->plan);
    free(s->in);
    free(s->out);
    free(s->expected);
}

static void scratch_may_be_the_callers(void **state)
{
    (void)state;
    struct scratch_bench s;
    set_up_scratch(&s);
    assert_true(s.bytes > 0);
    struct guarded memory;
    guarded_create(&memory, WEFT_INTERLEAVED, WEFT_STORED_F32, (int64_t)s.bytes / 8, 1);
    weft_execution execution = {.scratch = guarded_wrap(&memory, device)};
    assert_int_equal(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution), WEFT_OK);
    assert_memory_equal(s.out, s.expected, (size_t)LARGE * 16 * 8);
    assert_true(!guarded_is_unchanged(&memory)); /* it is used */
    int64_t *place = malloc(s.bytes);
    if (!place) abort();
    for (int64_t i = 0; i < (int64_t)s.bytes / 8; i++) place[i] = i;
    assert_true(guarded_is_unchanged_beside(&memory, (int64_t)s.bytes / 8, place));
    free(place);
    execution.scratch = (weft_buffer_destroy(&execution.scratch), NULL);
    assert_int_equal(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution), WEFT_OK);
    assert_int_equal(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, NULL), WEFT_OK);
    guarded_destroy(&memory);
    tear_down_scratch(&s);
}

static void scratch_that_does_not_do_is_refused(void **state)
{
    (void)state;
    struct scratch_bench s;
    set_up_scratch(&s);
    memset(s.out, 0x5a, 64);
    char *memory = malloc(2 * s.bytes);
    if (!memory) abort();
    weft_execution execution = {.scratch = wrap(memory, s.bytes - 1)};
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "at least");
    weft_buffer_destroy(&execution.scratch);
    assert_int_equal(weft_buffer_wrap_planar(device, memory, memory + s.bytes, s.bytes,
                                             &execution.scratch),
                     WEFT_OK);
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "scratch");
    weft_buffer_destroy(&execution.scratch);
    execution.scratch = wrap(memory + 1, s.bytes);
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "align");
    weft_buffer_destroy(&execution.scratch);
    for (int i = 0; i < 64; i++) assert_int_equal(((unsigned char *)s.out)[i], 0x5a);
    free(memory);
    tear_down_scratch(&s);
}

static void scratch_that_meets_the_data_is_refused(void **state)
{
    (void)state;
    struct scratch_bench s;
    set_up_scratch(&s);
    const float first = s.in[1];
    weft_execution execution = {.scratch = wrap(s.out, (size_t)LARGE * 16 * 8)};
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "scratch");
    weft_buffer_destroy(&execution.scratch);
    execution.scratch = wrap(s.in, (size_t)LARGE * 16 * 8);
    assert_refused(weft_execute_with(s.plan, WEFT_FORWARD, s.from, s.to, &execution),
                   WEFT_ERROR_LAYOUT, "scratch");
    weft_buffer_destroy(&execution.scratch);
    assert_true(s.in[1] == first);
    tear_down_scratch(&s);
}

/* ---- describing ---- */

static void plans_describe_themselves(void **state)
{
    (void)state;
    const weft_params params = line_of(1000);
    weft_plan *plan = plan_for(&params);
    weft_plan_info info;
    assert_int_equal(weft_plan_describe(plan, &info), WEFT_OK);
    assert_true(info.passes >= 1);
    assert_true(info.bytes >= 16000);
    assert_true(info.bound_seconds > 0 && info.expected_seconds >= info.bound_seconds);
    assert_int_equal(info.scratch_bytes, weft_plan_scratch_bytes(plan));
    assert_refused(weft_plan_describe(NULL, &info), WEFT_ERROR_ARGUMENT, "plan is NULL");
    assert_refused(weft_plan_describe(plan, NULL), WEFT_ERROR_ARGUMENT, "info is NULL");
    assert_int_equal(weft_plan_scratch_bytes(NULL), 0);
    weft_plan_destroy(&plan);
}

static void the_text_of_a_plan_fits_the_room_given(void **state)
{
    (void)state;
    const weft_params params = line_of(1000);
    weft_plan *plan = plan_for(&params);
    const size_t length = weft_plan_text(plan, NULL, 0);
    assert_true(length > 10 && length < 10000);
    char *whole = malloc(length + 1), *part = malloc(length + 2);
    if (!whole || !part) abort();
    assert_int_equal(weft_plan_text(plan, whole, length + 1), length);
    assert_int_equal(strlen(whole), length);
    assert_non_null(strstr(whole, "1000"));
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        memset(part, '#', length + 2);
        assert_int_equal(weft_plan_text(plan, part, capacity), length);
        assert_int_equal(part[capacity], '#');
        if (!capacity) continue;
        const size_t kept = capacity - 1 < length ? capacity - 1 : length;
        assert_int_equal(strlen(part), kept);
        assert_memory_equal(part, whole, kept);
    }
    free(whole);
    free(part);
    weft_plan_destroy(&plan);
}

static void the_text_of_nothing_is_empty(void **state)
{
    (void)state;
    char text[4] = "abc";
    assert_int_equal(weft_plan_text(NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(weft_plan_text(NULL, NULL, 0), 0);
    assert_int_equal(weft_plan_text(NULL, NULL, 10), 0);
}

static void measured_plans_are_right(void **state)
{
    (void)state;
    static const int64_t sizes[] = {12, 101, 360, 1009, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weft_params params = line_of(sizes[i]);
        params.precision = WEFT_F64;
        params.effort = WEFT_MEASURE;
        params.in_offset = 3;
        weft_plan *plan = plan_for(&params);
        const size_t bytes = (size_t)(sizes[i] + 3) * 16;
        double *in = calloc(1, bytes), *out = calloc(1, bytes);
        if (!in || !out) abort();
        in[6] = 1;
        weft_buffer *from = wrap(in, bytes), *to = wrap(out, bytes);
        assert_int_equal(weft_execute(plan, WEFT_FORWARD, from, to), WEFT_OK);
        for (int64_t k = 0; k < sizes[i]; k++)
            assert_true(fabs(out[2 * k] - 1) < 1e-14 && fabs(out[2 * k + 1]) < 1e-14);
        weft_buffer_destroy(&from);
        weft_buffer_destroy(&to);
        free(in);
        free(out);
        weft_plan_destroy(&plan);
    }
}

static int open_device(void **state)
{
    (void)state;
    unsetenv("WEFT_ISA");
    return weft_device_open("cpu", &device) ? -1 : 0;
}

static int close_device(void **state)
{
    (void)state;
    weft_device_close(&device);
    return 0;
}

int main(void)
{
    setenv("WEFT_CACHE_DIR", "", 1); /* what is measured here is nobody's wisdom */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(devices_can_be_listed_and_opened),
        cmocka_unit_test(describing_devices_needs_an_index_and_a_place),
        cmocka_unit_test(unknown_devices_are_refused_with_the_names_there_are),
        cmocka_unit_test(invented_limits_are_checked),
        cmocka_unit_test(the_instruction_set_can_be_forced),
        cmocka_unit_test(handles_that_are_null_may_be_destroyed),
        cmocka_unit_test(destroying_clears_the_handle),
        cmocka_unit_test(buffers_need_a_device_memory_and_a_place),
        cmocka_unit_test(buffers_beyond_memory_are_refused),
        cmocka_unit_test(buffers_are_zero_then_hold_what_is_written),
        cmocka_unit_test(copies_beyond_a_buffer_are_refused),
        cmocka_unit_test(planar_buffers_have_no_order_of_bytes_to_copy),
        cmocka_unit_test(plans_need_a_device_parameters_and_a_place),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(scales_must_be_finite),
        cmocka_unit_test(scales_must_be_numbers_of_the_precision),
        cmocka_unit_test(ranks_and_axes_out_of_range_are_refused),
        cmocka_unit_test(sizes_below_one_are_refused),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(sizes_beyond_all_memory_are_refused),
        cmocka_unit_test(sizes_beyond_the_limits_are_refused_in_the_planners_words),
        cmocka_unit_test(output_elements_that_share_a_place_are_refused),
        cmocka_unit_test(outputs_that_interlock_without_sharing_are_accepted),
        cmocka_unit_test(sharing_is_found_exactly),
        cmocka_unit_test(places_before_the_buffer_are_refused),
        cmocka_unit_test(ranges_that_mean_nothing_are_refused),
        cmocka_unit_test(what_is_out_of_range_needs_no_memory),
        cmocka_unit_test(ranges_beside_each_other_may_share_a_buffer),
        cmocka_unit_test(outputs_need_no_room_for_what_lies_between_axes),
        cmocka_unit_test(strides_that_overflow_are_refused),
        cmocka_unit_test(strides_of_axes_of_one_element_mean_nothing),
        cmocka_unit_test(executing_needs_a_plan_and_buffers),
        cmocka_unit_test(buffers_too_small_are_refused),
        cmocka_unit_test(buffers_of_the_other_format_are_refused),
        cmocka_unit_test(buffers_of_another_device_are_refused),
        cmocka_unit_test(in_place_with_different_strides_is_refused),
        cmocka_unit_test(real_rows_without_padding_are_refused_in_place),
        cmocka_unit_test(planes_of_reals_are_refused),
        cmocka_unit_test(a_first_cosine_transform_of_one_is_refused),
        cmocka_unit_test(orthonormal_round_trips_are_exact),
        cmocka_unit_test(partial_overlap_is_refused),
        cmocka_unit_test(planes_that_cross_are_refused),
        cmocka_unit_test(output_planes_in_one_place_are_refused),
        cmocka_unit_test(memory_off_its_alignment_is_refused),
        cmocka_unit_test(arrays_may_touch_and_lie_at_any_float),
        cmocka_unit_test(an_empty_batch_does_nothing),
        cmocka_unit_test(an_empty_batch_has_ranges),
        cmocka_unit_test(an_empty_batch_can_be_measured_whatever_its_strides),
        cmocka_unit_test(one_point_is_copied_times_the_scale),
        cmocka_unit_test(one_channel_of_several_is_transformed),
        cmocka_unit_test(one_half_of_a_picture_goes_to_the_other),
        cmocka_unit_test(scratch_may_be_the_callers),
        cmocka_unit_test(scratch_that_does_not_do_is_refused),
        cmocka_unit_test(scratch_that_meets_the_data_is_refused),
        cmocka_unit_test(plans_describe_themselves),
        cmocka_unit_test(the_text_of_a_plan_fits_the_room_given),
        cmocka_unit_test(the_text_of_nothing_is_empty),
        cmocka_unit_test(measured_plans_are_right),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
