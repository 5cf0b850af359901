/* Executing a plan: which arrays are refused, with no byte written, and what is done with the
 * others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/calls.h"
#include "support/devices.h"
#include "support/guarded.h"
#include "support/trial.h"
#include "weft/weft.h"

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
    for (int i = 0; i < POINTS; i++)
        guarded_put(&bench->in, i, i * i % 7, i % 5);
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
        for (int i = 0; i < 12; i++)
            x[i] = (float)(i * i % 7);
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
        assert_int_equal(weft_buffer_wrap_planar(device, re, re + apart[i], b.out.bytes / 2, &same),
                         WEFT_OK);
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
    for (int i = 0; i < REALS; i++)
        given[i] = (float)(i * i % 7);
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
    for (int i = 0; i < 10; i++)
        in[i] = (float)i - 3.5f;
    weft_params params = line_of(1);
    params.batch = 5;
    params.forward_scale = -2;
    weft_plan *plan = plan_for(&params);
    weft_buffer *from = wrap(in, sizeof in), *to = wrap(out, sizeof out);
    assert_int_equal(weft_execute(plan, WEFT_INVERSE, from, to), WEFT_OK);
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, from, to), WEFT_OK);
    for (int i = 0; i < 10; i++)
        assert_true(out[i] == -2 * in[i]);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, to, to), WEFT_OK);
    for (int i = 0; i < 10; i++)
        assert_true(out[i] == 4 * in[i]);
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
    for (int i = 0; i < POINTS; i++)
        assert_true(fabsf(data[4 * i + 2] - POINTS) < 1e-3f);
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
    for (int i = 0; i < ROWS; i++)
        assert_true(data[4 * COLUMNS * i] == 1);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
