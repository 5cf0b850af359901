/* What a plan says that it runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "base/memory.h"
#include "weft/weft.h"

static weft_plan *make_plan(weft_device *device, weft_kind kind, int64_t n)
{
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = kind;
    params.size[0] = n;
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
    return plan;
}

static void every_pass_has_a_source(void **state)
{
    (void)state;
    static const int64_t sizes[] = {2, 60, 67, 1009, 65536, 65537};
    weft_device *device = NULL;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        weft_plan *plan = make_plan(device, WEFT_C2C, sizes[i]);
        weft_plan_info info;
        assert_int_equal(weft_plan_describe(plan, &info), WEFT_OK);
        for (int pass = 0; pass < info.passes; pass++) {
            char text[8192] = "";
            const size_t length = weft_plan_source(plan, pass, text, sizeof text);
            assert_in_range(length, 20, sizeof text - 1);
            assert_int_equal(strlen(text), length);
            assert_non_null(strstr(text, " -> "));
        }
        assert_int_equal(weft_plan_source(plan, info.passes, NULL, 0), 0);
        weft_plan_destroy(&plan);
    }
    weft_device_close(&device);
}

static void every_codelet_of_reals_has_a_name(void **state)
{
    (void)state;
    static const int64_t sizes[] = {12, 31, 64, 1024, 65536};
    weft_device *device = NULL;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    for (int kind = WEFT_R2C; kind <= WEFT_DHT; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            weft_plan *plan = make_plan(device, (weft_kind)kind, sizes[i]);
            char text[8192] = "";
            for (int pass = 0; weft_plan_source(plan, pass, text, sizeof text) > 0; pass++)
                assert_null(strstr(text, ": ,"));
            weft_plan_destroy(&plan);
        }
    }
    weft_device_close(&device);
}

/* Rows of three lines of the cache would leave the second level, of one meet in too few of its
 * places. */
static void long_columns_of_reals_have_rows_of_two_lines(void **state)
{
    (void)state;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    char text[8192] = "";
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    struct limits *limits = &device->device.limits;
    limits->cache_bytes[0] = 49152;
    limits->cache_bytes[1] = 1048576;
    limits->shared_bytes = 786432;
    params.kind = WEFT_DCT2;
    params.precision = WEFT_F64;
    params.rank = 2;
    params.size[0] = params.size[1] = 2048;
    params.axes = 1;
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
    weft_plan_source(plan, 0, text, sizeof text);
    assert_non_null(strstr(text, "128 tiles of 16 lines each"));
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

static void a_source_is_cut_to_what_fits(void **state)
{
    (void)state;
    weft_device *device = NULL;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    weft_plan *plan = make_plan(device, WEFT_C2C, 1000);
    const size_t length = weft_plan_source(plan, 0, NULL, 0);
    char text[11];
    memset(text, '#', sizeof text);
    assert_int_equal(weft_plan_source(plan, 0, text, 10), length);
    assert_int_equal(strlen(text), 9);
    assert_int_equal(text[10], '#');
    assert_int_equal(weft_plan_source(plan, -1, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(weft_plan_source(NULL, 0, text, sizeof text), 0);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

static void no_memory_makes_an_empty_source(void **state)
{
    (void)state;
    weft_device *device = NULL;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    weft_plan *plan = make_plan(device, WEFT_C2C, 1000);
    const int64_t live = memory_live_blocks();
    char text[16] = "#";
    memory_fail_after(0);
    assert_int_equal(weft_plan_source(plan, 0, text, sizeof text), 0);
    memory_fail_after(-1);
    assert_string_equal(text, "");
    assert_int_equal(memory_live_blocks(), live);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_has_a_source),
        cmocka_unit_test(every_codelet_of_reals_has_a_name),
        cmocka_unit_test(long_columns_of_reals_have_rows_of_two_lines),
        cmocka_unit_test(a_source_is_cut_to_what_fits),
        cmocka_unit_test(no_memory_makes_an_empty_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
