#include "support/device_suite.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/conversions.h"
#include "support/convolved.h"
#include "support/exact.h"
#include "support/extended_trial.h"
#include "support/hook_trial.h"
#include "support/ordered.h"
#include "support/random.h"
#include "support/shared_plan.h"

#define GUARD 64 /* elements before and behind the data */

static struct device_suite on;
static struct random numbers = {1};

/* ---- trials ---- */

static double *random_data(int64_t elements)
{
    double *data = malloc((size_t)elements * 2 * sizeof *data);
    assert_non_null(data);
    for (int64_t i = 0; i < 2 * elements; i++)
        data[i] = random_number(&numbers);
    return data;
}

static void pack(struct trial *trial)
{
    trial_pack(trial);
    trial->in.offset = trial->out.offset = GUARD;
    trial->in.elements += 2 * GUARD;
    trial->out.elements += 2 * GUARD;
}

/* Packed, with guards in the buffers, every axis but the batch transformed. */
static struct trial packed_trial(int rank, const int64_t *size, int64_t batch)
{
    struct trial trial = trial_packed(rank, size, batch);
    pack(&trial);
    return trial;
}

/* Through staged host memory if `host`. */
static void check_direction(const struct trial *trial, const weft_plan *plan,
                            weft_direction direction, bool host)
{
    const int64_t elements = trial_elements(trial);
    double *in = random_data(elements), *out = random_data(elements);
    const char *wrong = host ? trial_run(trial, plan, on.device, direction, in, out)
                             : memory_trial_run(&on.memory, trial, plan, direction, in, out);
    if (wrong) fail_msg("%s: %s", trial_text(trial), wrong);
    ordered_to_natural(trial, plan, direction == WEFT_FORWARD ? out : in);
    const double error = exact_error(trial, direction, in, out);
    const double limit = exact_limit(trial, on.name);
    if (!(error <= limit)) fail_msg("%s: error %g, limit %g", trial_text(trial), error, limit);
    free(in);
    free(out);
}

static weft_plan *plan_for(const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(on.device, &params, &plan))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    return plan;
}

static void check(const struct trial *trial)
{
    weft_plan *plan = plan_for(trial);
    /* Reals and half a spectrum in one place are two views of it, which only host memory has. */
    const bool views = trial->in_place && trial_is_half(trial);
    check_direction(trial, plan, WEFT_FORWARD, views);
    check_direction(trial, plan, WEFT_INVERSE, views);
    check_direction(trial, plan, WEFT_FORWARD, true);
    weft_plan_destroy(&plan);
}

static struct trial line(int64_t n, int64_t batch)
{
    return packed_trial(1, &n, batch);
}

/* ---- what holds ---- */

static void small_sizes_are_right(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 8, 15, 17, 31, 32, 47, 64};
    if (!on.device) skip();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct trial trial = line(sizes[i], 37);
        trial.params.precision = i % 3 == 2 ? WEFT_F64 : WEFT_F32;
        trial.params.format = i % 4 == 1 ? WEFT_PLANAR : WEFT_INTERLEAVED;
        trial.in_place = i % 2;
        check(&trial);
    }
}

static void convolutions_are_right(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{16, 24}, {48, 1}, {31, 47}};
    if (!on.device) skip();
    for (int i = 0; i < 6; i++) {
        const int64_t *size = sizes[i / 2];
        struct convolved c;
        convolved_packed(size[1] > 1 ? 2 : 1, size, i / 2 % 2 ? WEFT_C2C : WEFT_R2C, i / 2, &c);
        convolved_choose_hooks(&numbers, i % 2, &c);
        c.params.operation = i / 2 == 1 ? WEFT_CORRELATION : WEFT_CONVOLUTION;
        const char *wrong = convolved_run(&c, on.device, &numbers);
        if (wrong) fail_msg("%s: %s", convolved_text(&c), wrong);
    }
}

static struct trial trigonometric(weft_kind kind, int64_t n, int64_t batch)
{
    struct trial trial = line(n, batch);
    trial.params.kind = kind;
    trial_set_sides(&trial);
    return trial;
}

static void cosines_and_sines_are_right(void **state)
{
    (void)state;
    static const int64_t lengths[] = {24, 15, 21, 34};
    if (!on.device) skip();
    for (int kind = WEFT_DCT1; kind <= WEFT_DHT; kind++) {
        struct trial trial = trigonometric((weft_kind)kind, lengths[kind % 4], 5);
        trial.in_place = kind % 3 == 0;
        trial.params.orthonormal = kind % 2;
        check(&trial);
    }
    /* Of several passes. */
    static const weft_kind split[] = {WEFT_DCT2, WEFT_DST4};
    for (int i = 0; i < 2; i++) {
        struct trial trial = trigonometric(split[i], 32768, 2);
        trial.in_place = i == 1;
        check(&trial);
    }
}

/* An image that a block holds, and axes of several passes. */
static void axes_have_kinds_of_their_own(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{12, 20, 1}, {9, 8, 14}, {3, 8192, 6}};
    static const weft_kind kinds[][3] = {
        {WEFT_DCT2, WEFT_DST3, 0}, {WEFT_DHT, WEFT_DCT3, WEFT_DST1}, {WEFT_DCT4, WEFT_DST2, 0}};
    if (!on.device) skip();
    for (int i = 0; i < 3; i++) {
        struct trial trial = packed_trial(sizes[i][2] > 1 ? 3 : 2, sizes[i], 2);
        trial.params.kind = WEFT_DCT1;
        memcpy(trial.params.axis_kind, kinds[i], sizeof kinds[i]);
        trial.params.orthonormal = trial.in_place = i == 1;
        trial_set_sides(&trial);
        check(&trial);
    }
}

static void blocks_are_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(1000, 5);
    trial.params.precision = WEFT_F64;
    trial.params.forward_scale = 0.25;
    check(&trial);
    trial = line(1024, 3);
    trial.params.format = WEFT_PLANAR;
    check(&trial);
}

static void splits_are_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(65536, 2);
    trial.in_place = true;
    check(&trial);
    trial = line(12000, 1);
    trial.params.precision = WEFT_F64;
    trial.params.format = WEFT_PLANAR;
    check(&trial);
}

static void transposed_orders_are_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(65536, 2);
    trial.params.out_order = WEFT_TRANSPOSED;
    trial.params.inverse_scale = 0.5;
    check(&trial);
    trial = line(24000, 1);
    trial.params.out_order = WEFT_TRANSPOSED;
    trial.params.precision = WEFT_F64;
    trial.params.format = WEFT_PLANAR;
    trial.in_place = true;
    check(&trial);
}

static void rader_is_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(101, 4);
    check(&trial);
    trial.params.precision = WEFT_F64;
    trial.params.format = WEFT_PLANAR;
    check(&trial);
}

static void bluestein_is_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(179, 3);
    check(&trial);
    trial = line(12011, 1); /* over several passes */
    trial.in_place = true;
    check(&trial);
}

static void axes_are_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = packed_trial(2, (const int64_t[]){100, 101}, 2);
    trial.in_place = true;
    check(&trial);
    trial = packed_trial(3, (const int64_t[]){6, 40, 50}, 1);
    trial.transformed[2] = false;
    trial.params.axes = 5;
    trial.params.format = WEFT_PLANAR;
    check(&trial);
}

static void small_images_are_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = packed_trial(2, (const int64_t[]){16, 16}, 5);
    check(&trial);
}

static void large_images_are_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = packed_trial(2, (const int64_t[]){500, 501}, 1);
    weft_plan *plan = plan_for(&trial);
    check_direction(&trial, plan, WEFT_FORWARD, false);
    weft_plan_destroy(&plan);
}

static void double_double_is_right(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(12, 3); /* compiling longer ones takes seconds on a processor */
    trial.params.precision = WEFT_DD;
    trial.params.format = WEFT_PLANAR;
    extended_trial_check(&trial, on.device, &numbers);
    trial = trigonometric(WEFT_DCT2, 10, 2);
    trial.params.precision = WEFT_DD;
    trial.params.inverse_scale = 0.25;
    trial.params.in_storage = WEFT_STORED_F32;
    trial.params.out_storage = WEFT_STORED_F64;
    extended_trial_check(&trial, on.device, &numbers);
}

/* In random layouts. */
static void check_random(const struct trial_range *range, struct random random, int trials)
{
    for (int i = 0; i < trials; i++) {
        struct trial trial;
        trial_random(&random, range, &trial);
        trial.in.elements += GUARD;
        trial.out.elements += GUARD;
        check(&trial);
    }
}

static void any_layout_will_do(void **state)
{
    (void)state;
    if (!on.device) skip();
    const struct trial_range range = {120, 600, 3, 1, true, false, false};
    check_random(&range, (struct random){7}, 8);
}

static void ranges_are_kept_to(void **state)
{
    (void)state;
    if (!on.device) skip();
    const struct trial_range range = {120, 600, 3, 1, true, false, true};
    check_random(&range, (struct random){13}, 16);
    for (int kind = WEFT_C2C; kind <= WEFT_C2R; kind++) { /* of several passes */
        struct trial trial = line(32768, 2);
        trial.params.kind = (weft_kind)kind;
        trial_set_sides(&trial);
        pack(&trial);
        trial_range_whole(&trial, &trial.in);
        trial_range_whole(&trial, &trial.out);
        trial.in.first[1] = 15001;
        trial.out.first[1] = 77;
        trial.in.count[1] = trial.out.count[1] = 9999;
        check(&trial);
    }
}

static void hooks_are_applied(void **state)
{
    (void)state;
    if (!on.device) skip();
    static const struct trial_range range = {120, 400, 3, 1, true, false, false};
    weft_device *cpu = NULL;
    assert_int_equal(weft_device_open("cpu", &cpu), WEFT_OK);
    for (uint64_t i = 0; i < 8; i++) {
        struct random random = {i};
        struct trial trial;
        trial_random(&random, &range, &trial);
        hook_trial_choose(&random, &trial);
        for (int direction = WEFT_FORWARD; direction <= WEFT_INVERSE; direction++) {
            const char *wrong = hook_trial_run(&trial, on.device, cpu, (weft_direction)direction,
                                               &random);
            if (wrong) fail_msg("%s, direction %d: %s", trial_text(&trial), direction, wrong);
        }
    }
    weft_device_close(&cpu);
}

/* Of each function, in both precisions: what the language's compiler makes of it. */
static void hooks_compute_alike(void **state)
{
    (void)state;
    if (!on.device) skip();
    static const char source[] =
        "x * (sin(3 * k) + exp(-k) + log(k + 1) + sqrt(k) + arg(x) + floor(k / 3) +"
        " (k < 3 && !(k == 1) || k > 7 ? mod(k, 3) : pick(k, 1, 2, 4)))";
    weft_device *cpu = NULL;
    assert_int_equal(weft_device_open("cpu", &cpu), WEFT_OK);
    for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
        struct trial trial = packed_trial(1, (const int64_t[]){60}, 2);
        trial.params.precision = (weft_precision)precision;
        trial.params.store_hook = source;
        struct trial twin = trial;
        const int64_t count = 2 * trial_elements(&trial);
        double *in = random_data(count / 2), *out = random_data(count / 2);
        double *expected = random_data(count / 2);
        weft_plan *plan = plan_for(&trial);
        const weft_params params = trial_params(&twin);
        weft_plan *other = NULL;
        assert_int_equal(weft_plan_create(cpu, &params, &other), WEFT_OK);
        assert_null(trial_run(&trial, plan, on.device, WEFT_FORWARD, in, out));
        assert_null(trial_run(&twin, other, cpu, WEFT_FORWARD, in, expected));
        double error = 0, norm = 0;
        for (int64_t i = 0; i < count; i++) {
            error += (out[i] - expected[i]) * (out[i] - expected[i]);
            norm += expected[i] * expected[i];
        }
        assert_true(sqrt(error / norm) < (precision == WEFT_F32 ? 1e-6 : 1e-15 * 4));
        weft_plan_destroy(&plan);
        weft_plan_destroy(&other);
        free(in);
        free(out);
        free(expected);
    }
    weft_device_close(&cpu);
}

static void any_storage_will_do(void **state)
{
    (void)state;
    if (!on.device) skip();
    const struct trial_range range = {60, 300, 3, 1, true, true, false};
    struct random random = {11};
    for (int i = 0; i < 10; i++) {
        struct trial trial;
        trial_random(&random, &range, &trial);
        trial.in.elements += GUARD;
        trial.out.elements += GUARD;
        check(&trial);
    }
    struct trial trial = packed_trial(2, (const int64_t[]){500, 501}, 1); /* drafted */
    trial.params.precision = WEFT_F16;
    trial.params.forward_scale = trial.params.inverse_scale = 1.0 / 500;
    trial.in_place = true;
    check(&trial);
}

static void every_number_is_converted_as_it_should_be(void **state)
{
    (void)state;
    static const struct {
        weft_precision precision;
        weft_storage storage;
    } cases[] = {
        {WEFT_F32, WEFT_STORED_F16}, {WEFT_F32, WEFT_STORED_BF16}, {WEFT_F32, WEFT_STORED_U8},
        {WEFT_F32, WEFT_STORED_I16}, {WEFT_F32, WEFT_STORED_F64},  {WEFT_F64, WEFT_STORED_F16},
        {WEFT_F64, WEFT_STORED_F32}, {WEFT_F64, WEFT_STORED_BF16}, {WEFT_F64, WEFT_STORED_U16},
        {WEFT_F64, WEFT_STORED_I8},
    };
    if (!on.device) skip();
    const bool flushes = strncmp(on.name, "vulkan", 6) == 0; /* as Vulkan lets it */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *wrong =
            conversions_check(on.device, cases[i].precision, cases[i].storage, flushes);
        if (wrong) fail_msg("%s", wrong);
    }
}

static void an_empty_batch_is_nothing(void **state)
{
    (void)state;
    if (!on.device) skip();
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 8;
    params.batch = 0;
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL;
    float none[2] = {1, 2};
    assert_int_equal(weft_plan_create(on.device, &params, &plan), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(on.device, none, sizeof none, &buffer), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_OK);
    assert_true(none[0] == 1 && none[1] == 2);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
}

static void threads_share_a_plan(void **state)
{
    (void)state;
    if (!on.device) skip();
    struct trial trial = line(65536, 2); /* two passes, so scratch is needed */
    trial.in_place = true;
    weft_plan *plan = plan_for(&trial);
    shared_plan_check(on.device, plan, &trial, random_data);
    weft_plan_destroy(&plan);
}

int device_suite_run(const struct device_suite *suite)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes_are_right),  cmocka_unit_test(blocks_are_right),
        cmocka_unit_test(splits_are_right),       cmocka_unit_test(rader_is_right),
        cmocka_unit_test(transposed_orders_are_right),
        cmocka_unit_test(bluestein_is_right),     cmocka_unit_test(axes_are_right),
        cmocka_unit_test(small_images_are_right), cmocka_unit_test(large_images_are_right),
        cmocka_unit_test(double_double_is_right), cmocka_unit_test(any_layout_will_do),
        cmocka_unit_test(ranges_are_kept_to),
        cmocka_unit_test(an_empty_batch_is_nothing),
        cmocka_unit_test(threads_share_a_plan),   cmocka_unit_test(cosines_and_sines_are_right),
        cmocka_unit_test(axes_have_kinds_of_their_own),
        cmocka_unit_test(axes_have_kinds_of_their_own),
        cmocka_unit_test(hooks_are_applied),      cmocka_unit_test(hooks_compute_alike),
        cmocka_unit_test(convolutions_are_right),
        cmocka_unit_test(any_storage_will_do),
        cmocka_unit_test(every_number_is_converted_as_it_should_be),
    };
    on = *suite;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
