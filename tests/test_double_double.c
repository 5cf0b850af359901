/* Transforms in WEFT_DD on the processor and on evaluated kernels; those with drivers are in
 * support/device_suite.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/extended_trial.h"
#include "weft/weft.h"

enum { CPU, EVALUATED, DEVICES };
static weft_device *devices[DEVICES];
static struct random numbers;

static int open_devices(void **state)
{
    (void)state;
    static const char *const names[DEVICES] = {"cpu", "null"};
    for (int d = 0; d < DEVICES; d++)
        if (weft_device_open(names[d], &devices[d])) return -1;
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    for (int d = 0; d < DEVICES; d++) weft_device_close(&devices[d]);
    return 0;
}

/* ---- what holds ---- */

/* Of the input any, of the output doubles, which are what is computed rounded once. */
static void random_storages(struct random *random, struct trial *trial)
{
    weft_params *p = &trial->params;
    if (random_chance(random, 0.4)) p->out_storage = WEFT_STORED_F64;
    if (random_chance(random, 0.5))
        p->in_storage = (weft_storage)random_between(random, WEFT_STORED_F16, WEFT_STORED_I16);
    if (trial->in_place) p->in_storage = p->out_storage;
}

static void random_problems(const struct trial_range *range, weft_device *device, int count)
{
    struct random random = {random_seed()};
    for (int i = 0; i < count; i++) {
        struct trial trial;
        trial_random(&random, range, &trial);
        trial.params.precision = WEFT_DD;
        random_storages(&random, &trial);
        if (trial.params.forward_scale != 0) trial.params.forward_scale_rest = 0x1p-57 / 3;
        extended_trial_check(&trial, device, &numbers);
    }
}

static void any_kind_and_layout_is_right_on_the_processor(void **state)
{
    (void)state;
    const struct trial_range small = {200, 1000, 5, 3, true, false, false};
    const struct trial_range large = {6000, 12000, 3, 3, true, false, false};
    random_problems(&small, devices[CPU], 150);
    random_problems(&large, devices[CPU], 8);
    const struct trial_range ranged = {200, 1000, 4, 1, true, false, true};
    random_problems(&ranged, devices[CPU], 50);
}

static void any_kind_and_layout_is_right_on_evaluated_kernels(void **state)
{
    (void)state;
    const struct trial_range range = {100, 300, 3, 1, true, false, false};
    random_problems(&range, devices[EVALUATED], 25);
}

static struct trial line(int64_t n)
{
    struct trial trial = {.params = WEFT_PARAMS_DEFAULT, .dims = 2, .n = {1, n},
                          .transformed = {false, true}};
    trial.params.precision = WEFT_DD;
    trial.params.size[0] = n;
    trial_set_sides(&trial);
    struct trial_side *side[2] = {&trial.in, &trial.out};
    for (int i = 0; i < 2; i++) {
        side[i]->stride[0] = n;
        side[i]->stride[1] = 1;
        side[i]->elements = n;
        side[i]->packed = true;
    }
    return trial;
}

static void sizes_of_every_class_are_right(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1,    2,    3,    17,    64,    101,   1000,  1009,  4096,
                                    2187, 3125, 7919, 10007, 16384, 27720, 59049, 65536, 24001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct trial trial = line(sizes[i]);
        extended_trial_check(&trial, devices[CPU], &numbers);
    }
}

static void long_lines_are_right_on_evaluated_kernels(void **state)
{
    (void)state;
    static const int64_t sizes[] = {4096, 1009, 2503};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct trial trial = line(sizes[i]);
        extended_trial_check(&trial, devices[EVALUATED], &numbers);
    }
}

/* Forward and back, with a scale of both parts, in place. */
static void round_trip(weft_params params, int64_t n)
{
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL;
    const size_t bytes = 2 * (size_t)n * sizeof(struct reference_extended);
    struct reference_extended *x = malloc(bytes), *before = malloc(bytes);
    assert_true(x && before);
    for (int64_t i = 0; i < 2 * n; i++) {
        const double hi = random_number(&numbers);
        x[i] = before[i] = (struct reference_extended){hi, 0x1p-54 * hi};
    }
    params.size[0] = n;
    params.precision = WEFT_DD;
    assert_int_equal(weft_plan_create(devices[CPU], &params, &plan), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(devices[CPU], x, bytes, &buffer), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_INVERSE, buffer, buffer), WEFT_OK);
    assert_true(extended_trial_error(n, x, before) < EXTENDED_TRIAL_MOST_ERROR);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    free(x);
    free(before);
}

static void round_trips_are_exact_to_all_digits(void **state)
{
    (void)state;
    const int64_t n = 1001;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.inverse_scale = 1.0 / (double)n;
    params.inverse_scale_rest = fma((double)-n, params.inverse_scale, 1) / (double)n;
    round_trip(params, n);
    params = (weft_params)WEFT_PARAMS_DEFAULT;
    params.orthonormal = 1;
    round_trip(params, n);
}

static void refuses(weft_params params, const char *words)
{
    weft_plan *plan = NULL;
    params.size[0] = 8;
    assert_int_not_equal(weft_plan_create(devices[CPU], &params, &plan), WEFT_OK);
    assert_non_null(strstr(weft_last_error(), words));
}

static void what_has_no_meaning_is_refused(void **state)
{
    (void)state;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.inverse_scale_rest = 1e-20;
    refuses(params, "with WEFT_DD");
    params.precision = WEFT_DD;
    params.inverse_scale_rest = NAN;
    refuses(params, "finite");
    params.inverse_scale_rest = 0;
    params.out_storage = WEFT_STORED_F32;
    refuses(params, "its own, or WEFT_STORED_F64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_kind_and_layout_is_right_on_the_processor),
        cmocka_unit_test(any_kind_and_layout_is_right_on_evaluated_kernels),
        cmocka_unit_test(sizes_of_every_class_are_right),
        cmocka_unit_test(long_lines_are_right_on_evaluated_kernels),
        cmocka_unit_test(round_trips_are_exact_to_all_digits),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
