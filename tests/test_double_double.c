/* Transforms in WEFT_DD, on every device there is, beside the reference. That is of the same
 * precision, but wrong by some 1e-31 only; test_reference.c holds it to 113 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/extended.h"
#include "reference/reference.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/trial.h"
#include "weft/weft.h"

/* A tenth of what is promised. */
static const double most_error = 1e-30;

static const char *const device_names[] = {"cpu", "null", "opencl:0", "vulkan:0", "cuda:0"};
#define DEVICES (sizeof device_names / sizeof *device_names)
static weft_device *devices[DEVICES];
static struct random numbers;

static int open_devices(void **state)
{
    (void)state;
    for (size_t d = 0; d < DEVICES; d++)
        if (weft_device_open(device_names[d], &devices[d])) devices[d] = NULL;
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    for (size_t d = 0; d < DEVICES; d++)
        if (devices[d]) weft_device_close(&devices[d]);
    return 0;
}

/* ---- numbers ---- */

/* Packed pairs, both parts of which are random, and the first and the second parts apart. */
struct numbers {
    int64_t elements;
    struct reference_extended *value;
    double *hi, *lo;
};

static struct numbers numbers_create(int64_t elements)
{
    const size_t count = 2 * (size_t)elements;
    struct numbers n = {elements, malloc(count * sizeof *n.value), malloc(count * sizeof *n.hi),
                        malloc(count * sizeof *n.lo)};
    assert_true(n.value && n.hi && n.lo);
    for (size_t i = 0; i < count; i++) {
        const double hi = random_number(&numbers), lo = hi * 0x1p-54 * random_number(&numbers);
        const struct extended sum = extended_ordered_sum(hi, lo);
        n.value[i] = (struct reference_extended){sum.hi, sum.lo};
    }
    return n;
}

static void numbers_split(const struct numbers *n)
{
    for (int64_t i = 0; i < 2 * n->elements; i++) {
        n->hi[i] = n->value[i].hi;
        n->lo[i] = n->value[i].lo;
    }
}

static void numbers_destroy(struct numbers *n)
{
    free(n->value);
    free(n->hi);
    free(n->lo);
}

static struct extended extended_of(struct reference_extended x)
{
    return (struct extended){x.hi, x.lo};
}

/* The exact result for what the packed input stands for: transforms are linear. */
static struct reference_extended *exact_result(const struct trial *trial, weft_direction direction,
                                               const struct numbers *in)
{
    const size_t count = 2 * (size_t)trial_elements(trial);
    struct reference_extended *sum = malloc(count * sizeof *sum);
    struct reference_extended *rest = malloc(count * sizeof *rest);
    double *hi = exact_whole(trial, in->hi), *lo = exact_whole(trial, in->lo);
    if (!sum || !rest || !exact_transform(trial, direction, hi, sum) ||
        !exact_transform(trial, direction, lo, rest)) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        const struct extended both = extended_add(extended_of(sum[i]), extended_of(rest[i]));
        sum[i] = (struct reference_extended){both.hi, both.lo};
    }
    exact_part(trial, direction, sum);
    free(rest);
    free(hi);
    free(lo);
    return sum;
}

static double error_of(int64_t elements, const struct reference_extended *is,
                       const struct reference_extended *exact)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        const struct extended off =
            extended_add(extended_of(is[i]), extended_negate(extended_of(exact[i])));
        difference += off.hi * off.hi;
        norm += exact[i].hi * exact[i].hi;
    }
    return difference == 0 ? 0 : sqrt(difference / norm);
}

/* ---- trials ---- */

/* A side in guarded memory. */
struct side {
    struct guarded memory;
    int64_t elements, *place;
};

static struct side side_create(const struct trial *trial, const struct trial_side *layout,
                               int shift)
{
    struct side side = {.elements = trial_side_elements(trial, layout),
                        .place = trial_places(trial, layout)};
    trial_create_memory(trial, layout, shift, &side.memory);
    return side;
}

static void side_destroy(struct side *side)
{
    guarded_destroy(&side->memory);
    free(side->place);
}

static weft_status execute(weft_device *device, const weft_plan *plan, weft_direction direction,
                           struct side *in, struct side *out)
{
    weft_buffer *from = guarded_wrap(&in->memory, device), *to = guarded_wrap(&out->memory, device);
    const weft_status status = weft_execute(plan, direction, from, to);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    return status;
}

static void check_direction(const struct trial *trial, weft_device *device, const weft_plan *plan,
                            weft_direction direction)
{
    struct side in = side_create(trial, &trial->in, trial->in_shift);
    struct side out = side_create(trial, &trial->out, trial->out_shift);
    struct numbers given = numbers_create(in.elements), made = numbers_create(out.elements);
    for (int64_t i = 0; i < in.elements; i++)
        guarded_put_extended(&in.memory, in.place[i], &given.value[2 * i]);
    for (int64_t i = 0; i < in.elements; i++)
        guarded_get_extended(&in.memory, in.place[i], &given.value[2 * i]);
    numbers_split(&given);
    guarded_remember(&in.memory);
    if (trial->in_place) guarded_share(&out.memory, &in.memory);
    if (execute(device, plan, direction, &in, &out))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    const bool views = trial->in_place && trial_is_half(trial);
    assert_true(views || guarded_is_unchanged_beside(&out.memory, out.elements, out.place));
    assert_true(trial->in_place || guarded_is_unchanged(&in.memory));
    for (int64_t i = 0; i < out.elements; i++)
        guarded_get_extended(&out.memory, out.place[i], &made.value[2 * i]);
    struct reference_extended *exact = exact_result(trial, direction, &given);
    const double error = error_of(out.elements, made.value, exact);
    if (!(error <= most_error)) fail_msg("%s: error %g", trial_text(trial), error);
    free(exact);
    numbers_destroy(&given);
    numbers_destroy(&made);
    side_destroy(&out);
    side_destroy(&in);
}

static void check(const struct trial *trial, weft_device *device)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    check_direction(trial, device, plan, WEFT_FORWARD);
    check_direction(trial, device, plan, WEFT_INVERSE);
    weft_plan_destroy(&plan);
}

/* ---- what holds ---- */

static void random_problems(const struct trial_range *range, size_t first, size_t last, int count)
{
    struct random random = {random_seed()};
    for (size_t d = first; d <= last; d++) {
        for (int i = 0; devices[d] && i < count; i++) {
            struct trial trial;
            trial_random(&random, range, &trial);
            trial.params.precision = WEFT_DD;
            if (trial.params.forward_scale != 0) trial.params.forward_scale_rest = 0x1p-57 / 3;
            check(&trial, devices[d]);
        }
    }
}

static void any_kind_and_layout_is_right_on_the_processor(void **state)
{
    (void)state;
    const struct trial_range small = {200, 1000, 5, 3, true, false};
    const struct trial_range large = {6000, 12000, 3, 3, true, false};
    random_problems(&small, 0, 0, 150);
    random_problems(&large, 0, 0, 8);
}

static void any_kind_and_layout_is_right_elsewhere(void **state)
{
    (void)state;
    const struct trial_range range = {100, 300, 3, 1, true, false};
    random_problems(&range, 1, 1, 25);
    random_problems(&range, 2, DEVICES - 1, 2); /* compiling takes seconds */
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
        check(&trial, devices[0]);
    }
}

static void long_lines_are_right_on_evaluated_kernels(void **state)
{
    (void)state;
    static const int64_t sizes[] = {4096, 1009, 2503};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct trial trial = line(sizes[i]);
        check(&trial, devices[1]);
    }
}

/* Forward and back, with a scale of both parts, in place. */
static void round_trip(weft_params params, int64_t n)
{
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL;
    struct numbers x = numbers_create(n), before = numbers_create(n);
    memcpy(before.value, x.value, (size_t)n * 2 * sizeof *x.value);
    params.size[0] = n;
    params.precision = WEFT_DD;
    assert_int_equal(weft_plan_create(devices[0], &params, &plan), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(devices[0], x.value, (size_t)n * 32, &buffer), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_INVERSE, buffer, buffer), WEFT_OK);
    assert_true(error_of(n, x.value, before.value) < most_error);
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    numbers_destroy(&x);
    numbers_destroy(&before);
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
    assert_int_not_equal(weft_plan_create(devices[0], &params, &plan), WEFT_OK);
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
    params.in_storage = WEFT_STORED_F64;
    refuses(params, "none but its own");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_kind_and_layout_is_right_on_the_processor),
        cmocka_unit_test(any_kind_and_layout_is_right_elsewhere),
        cmocka_unit_test(sizes_of_every_class_are_right),
        cmocka_unit_test(long_lines_are_right_on_evaluated_kernels),
        cmocka_unit_test(round_trips_are_exact_to_all_digits),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
