/* Which parameters make a plan, and what is said of those that do not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/calls.h"
#include "support/random.h"
#include "weft/weft.h"

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
    bad.axis_kind[0] = WEFT_DCT2; /* beside WEFT_C2C */
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "axis_kind[0] is 4 with kind 0: accepted are 0");
    bad.kind = WEFT_DST2;
    bad.axis_kind[7] = WEFT_R2C;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "axis_kind[7] is 1 with kind 8");
    bad.axis_kind[7] = (weft_kind)12;
    assert_no_plan(&bad, WEFT_ERROR_ARGUMENT, "WEFT_DCT1 to 4, WEFT_DST1 to 4, WEFT_DHT");
    bad.axis_kind[7] = WEFT_DCT1; /* of an axis that is not there */
    bad.axis_kind[0] = WEFT_DCT1;
    bad.size[0] = 1;
    assert_no_plan(&bad, WEFT_ERROR_SIZE, "it starts at 2");
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
    for (int i = 0; i < WEFT_MAX_RANK; i++)
        bad.size[i] = 1;
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
    static const int64_t sizes[] = {INT64_C(1) << 58, INT64_C(1) << 50,
                                    INT64_C(288230376151711717), /* a prime */
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

/* Each reaches less than 2^63 elements. Of what they reach together a plan once took too few for
 * what lies between axes, and wrote behind it. */
static void strides_that_overflow_together_are_refused_though_ranges_leave_one_element(void **state)
{
    (void)state;
    const int64_t stride[] = {INT64_C(1) << 59, -(INT64_C(1) << 59)}, one[] = {1, 1};
    const int64_t near[] = {INT64_C(1) << 54, -(INT64_C(1) << 54)};
    weft_params params = line_of(16);
    params.rank = 2;
    params.size[1] = 16;
    params.out_count = params.in_count = one;
    params.out_stride = stride;
    assert_no_plan(&params, WEFT_ERROR_SIZE, "the output's strides reach beyond");
    params.out_stride = near;
    assert_no_plan(&params, WEFT_ERROR_SIZE, "the output reaches beyond 2^63 bytes");
    params.out_stride = NULL;
    params.in_stride = stride;
    assert_no_plan(&params, WEFT_ERROR_SIZE, "the input's strides reach beyond");
}

static void strides_that_overflow_are_refused(void **state)
{
    (void)state;
    static const int64_t hostile[] = {INT64_MAX,        INT64_MIN,           INT64_MIN + 1,
                                      INT64_C(1) << 62, -(INT64_C(1) << 62), INT64_C(1) << 58};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
        cmocka_unit_test(
            strides_that_overflow_together_are_refused_though_ranges_leave_one_element),
        cmocka_unit_test(strides_of_axes_of_one_element_mean_nothing),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
