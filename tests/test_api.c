/* What every call on devices, buffers and plans makes of good and of bad arguments: a
 * status, a message that says what would be accepted, and no byte written. */
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

#include "support/assert_status.h"
#include "support/calls.h"
#include "support/devices.h"
#include "weft/weft.h"

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
    static const char *const names[] = {"null:shared",
                                        "null:shared=",
                                        "null:shared=-1",
                                        "null:threads=0",
                                        "null:what=3",
                                        "null:shared=4096,",
                                        "null:shared=99999999999999999999",
                                        "null:,"};
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
    for (int i = 0; i < 64; i++)
        assert_int_equal(bytes[i], 0);
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

int main(void)
{
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
        cmocka_unit_test(plans_describe_themselves),
        cmocka_unit_test(the_text_of_a_plan_fits_the_room_given),
        cmocka_unit_test(the_text_of_nothing_is_empty),
        cmocka_unit_test(measured_plans_are_right),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
