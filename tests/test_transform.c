/* Transforms of random problems in random layouts: against the defining sum where that is
 * affordable, and by the properties of a Fourier transform where it is not (F. Ergün, "Testing
 * multivariate linear functions", 1995: linearity, impulse and shift decide). */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/extended.h"
#include "reference/reference.h"
#include "reference/roots.h"
#include "support/devices.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/trial.h"

enum { MOST_DEVICES = 16, MOST_COMPLAINTS = 10 };

static struct test_device devices[MOST_DEVICES];
static int device_count;
static uint64_t seed;
static int complaints;

/* What the direct sum can do, on the CPU and where the evaluator makes it slow. */
static const struct trial_range small_range = {200, 1000, 5, 3, true, false, false};
static const struct trial_range many_axes_range = {160, 320, WEFT_MAX_RANK, 3, true, false, false};
static const struct trial_range evaluated_range = {200, 400, 5, 1, true, false, false};
static const struct trial_range stored_range = {200, 1000, 5, 3, true, true, false};
static const struct trial_range long_stored_range = {6000, 12000, 3, 3, true, true, false};
static const struct trial_range evaluated_stored_range = {200, 400, 5, 1, true, true, false};
/* Longer than what the CPU takes through its caches at once. */
static const struct trial_range long_range = {6000, 12000, 3, 3, true, false, false};
static const struct trial_range ranged_range = {200, 1000, 5, 3, true, false, true};
static const struct trial_range long_ranged_range = {6000, 12000, 3, 3, true, false, true};
static const struct trial_range stored_ranged_range = {200, 1000, 5, 3, true, true, true};
static const struct trial_range evaluated_ranged_range = {200, 400, 5, 1, true, false, true};
/* What properties are tried on. */
static const struct trial_range large_range = {20000, 60000, 4, 3, false, false, false};
static const struct trial_range large_evaluated_range = {3000, 5000, 4, 1, false, false, false};

/* Random problems tried on every device. */
enum {
    CPU_PROBLEMS = 150,
    STORED_PROBLEMS = 150,
    LONG_STORED_PROBLEMS = 40,
    STORED_EVALUATED_PROBLEMS = 60,
    MANY_AXES_PROBLEMS = 30,
    LONG_PROBLEMS = 60,
    EVALUATED_PROBLEMS = 60,
    RANGED_PROBLEMS = 100,
    LONG_RANGED_PROBLEMS = 20,
    STORED_RANGED_PROBLEMS = 30,
    RANGED_EVALUATED_PROBLEMS = 25,
    PROPERTY_PROBLEMS = 25,
    EVALUATED_PROPERTY_PROBLEMS = 8
};

/* One random problem being tried. */
struct attempt {
    const struct test_device *device;
    struct random random;
    struct trial trial;
    weft_plan *plan;
    int64_t elements;
    double limit;
};

static double *allocate(int64_t elements)
{
    double *data = malloc((size_t)elements * 2 * sizeof *data);
    if (!data) abort();
    return data;
}

static double *random_data(struct attempt *a)
{
    double *data = allocate(a->elements);
    for (int64_t i = 0; i < 2 * a->elements; i++) data[i] = random_number(&a->random);
    return data;
}

static void complain(const struct attempt *a, const char *what, const char *wrong, double error)
{
    if (complaints++ >= MOST_COMPLAINTS) return;
    print_error("%s, %s: %s: %s", a->device->name, trial_text(&a->trial), what,
                wrong ? wrong : "error");
    if (wrong) print_error("\n");
    else print_error(" %.3g, limit %.3g\n", error, a->limit);
}

static void check(const struct attempt *a, const char *what, double error)
{
    if (!(error <= a->limit)) complain(a, what, NULL, error);
}

static void run(struct attempt *a, const char *what, weft_direction direction, double *in,
                double *out)
{
    const char *wrong = trial_run(&a->trial, a->plan, a->device->device, direction, in, out);
    if (wrong) complain(a, what, wrong, NAN);
}

static double scale_of(const struct attempt *a, weft_direction direction)
{
    const double scale = direction == WEFT_FORWARD ? a->trial.params.forward_scale
                                                   : a->trial.params.inverse_scale;
    return scale != 0 ? scale : 1;
}

/* ---- against the sum ---- */

static struct reference_extended *direct_sum(const struct attempt *a, weft_direction direction,
                                             const double *in)
{
    struct reference_axis axis[TRIAL_MAX_DIMS];
    int64_t stride = 1;
    for (int i = a->trial.dims - 1; i >= 0; i--) {
        axis[i] = (struct reference_axis){a->trial.n[i], stride, stride, a->trial.transformed[i]};
        stride *= a->trial.n[i];
    }
    struct reference_extended *sum = malloc((size_t)a->elements * 2 * sizeof *sum);
    if (!sum) abort();
    double *whole = exact_whole(&a->trial, in);
    const int sign = direction == WEFT_FORWARD ? -1 : 1;
    if (a->trial.params.kind >= WEFT_DCT1)
        assert_true(exact_transform(&a->trial, direction, whole, sum));
    else
        assert_true(reference_direct(a->trial.dims, axis, sign, whole, sum));
    exact_part(&a->trial, direction, sum);
    free(whole);
    return sum;
}

static struct reference_extended *fast_reference(const struct attempt *a, weft_direction direction,
                                                 const double *in)
{
    struct reference_extended *sum = malloc((size_t)a->elements * 2 * sizeof *sum);
    double *whole = exact_whole(&a->trial, in);
    if (!sum || !exact_transform(&a->trial, direction, whole, sum)) abort();
    exact_part(&a->trial, direction, sum);
    free(whole);
    return sum;
}

typedef struct reference_extended *exact_result(const struct attempt *, weft_direction,
                                                const double *);

static void compare_with(struct attempt *a, exact_result *exact)
{
    for (int d = 0; d < 2; d++) {
        const weft_direction direction = d ? WEFT_INVERSE : WEFT_FORWARD;
        const char *name = d ? "inverse" : "forward";
        const int64_t results = trial_side_elements(&a->trial, &a->trial.out);
        double *in = random_data(a), *out = allocate(a->elements);
        run(a, name, direction, in, out);
        struct reference_extended *sum = exact(a, direction, in);
        exact_forgive_storage(&a->trial, sum, out);
        check(a, name, reference_error_f64(results, out, sum));
        free(in);
        free(out);
        free(sum);
    }
}

static void compare_with_the_sum(struct attempt *a)
{
    compare_with(a, direct_sum);
}

static void compare_with_the_reference(struct attempt *a)
{
    compare_with(a, fast_reference);
}

/* ---- properties ---- */

/* ||x - y|| / ||y|| */
static double difference(int64_t elements, const double *x, const double *y)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        off += (x[i] - y[i]) * (x[i] - y[i]);
        norm += y[i] * y[i];
    }
    return norm == 0 && off == 0 ? 0 : sqrt(off / norm);
}

static double norm_of(int64_t elements, const double *x)
{
    long double norm = 0; /* so that summing does not add an error of its own */
    for (int64_t i = 0; i < 2 * elements; i++) norm += (long double)x[i] * x[i];
    return (double)norm;
}

static bool repeats_input(const struct attempt *a)
{
    for (int i = 0; i < a->trial.dims; i++)
        if (a->trial.n[i] > 1 && a->trial.in.stride[i] == 0) return true;
    return false;
}

/* Parseval: the transform keeps the energy, up to its points and the scale. */
static void keeps_energy(struct attempt *a, const double *in, const double *out)
{
    const double scale = scale_of(a, WEFT_FORWARD);
    const double points = (double)trial_points(&a->trial);
    const double expected = norm_of(a->elements, in) * points * scale * scale;
    check(a, "Parseval", fabs(norm_of(a->elements, out) / expected - 1) / 4);
}

static void returns(struct attempt *a, const double *in, double *out)
{
    double *back = allocate(a->elements);
    run(a, "back", WEFT_INVERSE, out, back);
    const double scale = scale_of(a, WEFT_FORWARD) * scale_of(a, WEFT_INVERSE);
    const double points = (double)trial_points(&a->trial);
    for (int64_t i = 0; i < 2 * a->elements; i++) back[i] /= scale * points;
    check(a, "round trip", difference(a->elements, back, in) / 2);
    free(back);
}

/* F(2x - y) = 2 F(x) - F(y): exact numbers, so that only the transforms round. */
static void is_linear(struct attempt *a, double *x, const double *x_out)
{
    double *y = random_data(a), *y_out = allocate(a->elements);
    run(a, "linear", WEFT_FORWARD, y, y_out);
    double *sum = allocate(a->elements), *sum_out = allocate(a->elements);
    for (int64_t i = 0; i < 2 * a->elements; i++) sum[i] = 2 * x[i] - y[i];
    for (int64_t i = 0; i < 2 * a->elements; i++) y[i] = 2 * x_out[i] - y_out[i];
    run(a, "linear", WEFT_FORWARD, sum, sum_out);
    check(a, "linearity", difference(a->elements, sum_out, y) / 4);
    free(y);
    free(y_out);
    free(sum);
    free(sum_out);
}

/* The forward transform of one that stands at element `at`, everywhere. */
static void expect_impulse(const struct attempt *a, int64_t at, double *expected)
{
    for (int64_t i = 0; i < a->elements; i++) {
        double re = scale_of(a, WEFT_FORWARD), im = 0;
        int64_t rest = i, place = at;
        for (int d = a->trial.dims - 1; d >= 0; d--) {
            const int64_t n = a->trial.n[d], k = rest % n, j = place % n;
            rest /= n;
            place /= n;
            if (!a->trial.transformed[d]) {
                if (k != j) re = im = 0;
                continue;
            }
            const struct extended_complex root = reference_root(j * k % n, n);
            const double turned = re * root.re.hi + im * root.im.hi;
            im = im * root.re.hi - re * root.im.hi;
            re = turned;
        }
        expected[2 * i] = re;
        expected[2 * i + 1] = im;
    }
}

static void turns_impulses_into_waves(struct attempt *a)
{
    const int64_t at = random_between(&a->random, 0, a->elements - 1);
    double *in = allocate(a->elements), *out = allocate(a->elements);
    double *expected = allocate(a->elements);
    memset(in, 0, (size_t)a->elements * 2 * sizeof *in);
    in[2 * at] = 1;
    run(a, "impulse", WEFT_FORWARD, in, out);
    expect_impulse(a, at, expected);
    check(a, "impulse", difference(a->elements, out, expected));
    free(in);
    free(out);
    free(expected);
}

/* The index of the element one further along dimension d, in a circle. */
static int64_t next_along(const struct trial *trial, int d, int64_t index)
{
    int64_t stride = 1;
    for (int i = trial->dims - 1; i > d; i--) stride *= trial->n[i];
    const int64_t k = index / stride % trial->n[d];
    return k == trial->n[d] - 1 ? index - k * stride : index + stride;
}

/* Delayed by one along an axis, the spectrum is turned by exp(-2 pi i k / n). */
static void turns_delays_into_phases(struct attempt *a, const double *x, const double *x_out)
{
    int d = (int)random_between(&a->random, 1, a->trial.dims - 1);
    while (!a->trial.transformed[d]) d = d == 1 ? a->trial.dims - 1 : d - 1;
    int64_t stride = 1;
    for (int i = a->trial.dims - 1; i > d; i--) stride *= a->trial.n[i];
    double *late = allocate(a->elements), *late_out = allocate(a->elements);
    double *expected = allocate(a->elements);
    for (int64_t i = 0; i < a->elements; i++) {
        const int64_t to = next_along(&a->trial, d, i);
        late[2 * to] = x[2 * i];
        late[2 * to + 1] = x[2 * i + 1];
        const int64_t k = i / stride % a->trial.n[d];
        const struct extended_complex root = reference_root(k, a->trial.n[d]);
        expected[2 * i] = x_out[2 * i] * root.re.hi + x_out[2 * i + 1] * root.im.hi;
        expected[2 * i + 1] = x_out[2 * i + 1] * root.re.hi - x_out[2 * i] * root.im.hi;
    }
    run(a, "shift", WEFT_FORWARD, late, late_out);
    check(a, "shift", difference(a->elements, late_out, expected) / 2);
    free(late);
    free(late_out);
    free(expected);
}

static void try_properties(struct attempt *a)
{
    double *in = random_data(a), *out = allocate(a->elements);
    run(a, "forward", WEFT_FORWARD, in, out);
    if (!repeats_input(a)) {
        keeps_energy(a, in, out);
        is_linear(a, in, out);
        turns_impulses_into_waves(a);
        turns_delays_into_phases(a, in, out);
        const struct trial forward = a->trial;
        returns(a, in, out);
        a->trial = forward;
    }
    free(in);
    free(out);
}

/* ---- random problems ---- */

static void attempt_trial(const struct test_device *device, const struct trial *trial,
                          struct random random, void (*examine)(struct attempt *))
{
    struct attempt a = {.device = device, .random = random, .trial = *trial};
    a.elements = trial_elements(&a.trial);
    a.limit = exact_limit(&a.trial, a.device->name);
    const weft_params params = trial_params(&a.trial);
    if (weft_plan_create(device->device, &params, &a.plan)) {
        complain(&a, "plan", weft_last_error(), NAN);
        return;
    }
    examine(&a);
    weft_plan_destroy(&a.plan);
}

/* Problem number `index` of a test is the same whatever was tried before it. */
static void attempt_one(const struct test_device *device, const struct trial_range *range,
                        uint64_t index, void (*examine)(struct attempt *))
{
    struct random random = {seed * 1000003 + index};
    struct trial trial;
    trial_random(&random, range, &trial);
    attempt_trial(device, &trial, random, examine);
}

/* On every device of one sort. */
static void attempt_many(bool evaluated, const struct trial_range *range, int problems,
                         void (*examine)(struct attempt *))
{
    complaints = 0;
    for (int d = 0; d < device_count; d++) {
        if (devices[d].evaluated != evaluated) continue;
        for (int i = 0; i < problems; i++)
            attempt_one(&devices[d], range, (uint64_t)(d * 10000 + i), examine);
    }
    assert_int_equal(complaints, 0);
}

static void random_problems_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &small_range, CPU_PROBLEMS, compare_with_the_sum);
}

static void problems_of_up_to_eight_axes_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &many_axes_range, MANY_AXES_PROBLEMS, compare_with_the_sum);
}

static void long_problems_match_the_reference(void **state)
{
    (void)state;
    attempt_many(false, &long_range, LONG_PROBLEMS, compare_with_the_reference);
}

static void random_problems_match_the_direct_sum_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &evaluated_range, EVALUATED_PROBLEMS, compare_with_the_sum);
}

static void random_storages_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &stored_range, STORED_PROBLEMS, compare_with_the_sum);
}

static void long_storages_match_the_reference(void **state)
{
    (void)state;
    attempt_many(false, &long_stored_range, LONG_STORED_PROBLEMS, compare_with_the_reference);
}

static void random_storages_match_the_direct_sum_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &evaluated_stored_range, STORED_EVALUATED_PROBLEMS, compare_with_the_sum);
}

static void what_is_out_of_range_is_zero_or_untouched(void **state)
{
    (void)state;
    attempt_many(false, &ranged_range, RANGED_PROBLEMS, compare_with_the_sum);
}

/* What is drafted between axes is in planes, of which the largest butterflies know nothing. */
static void drafts_of_ranges_take_every_length(void **state)
{
    (void)state;
    static const int64_t out_count[] = {1, 2};
    for (int d = 0; d < device_count; d++) {
        for (int64_t n = 2; n <= 70; n++) {
            weft_params params = WEFT_PARAMS_DEFAULT;
            weft_plan *plan = NULL;
            params.rank = 2;
            params.size[0] = n;
            params.size[1] = 2;
            params.precision = n % 3 ? WEFT_F32 : WEFT_F64;
            params.out_count = out_count;
            if (weft_plan_create(devices[d].device, &params, &plan))
                fail_msg("%s, %d: %s", devices[d].name, (int)n, weft_last_error());
            weft_plan_destroy(&plan);
        }
    }
}

static void long_ranges_match_the_reference(void **state)
{
    (void)state;
    attempt_many(false, &long_ranged_range, LONG_RANGED_PROBLEMS, compare_with_the_reference);
}

static void ranges_of_other_storages_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &stored_ranged_range, STORED_RANGED_PROBLEMS, compare_with_the_sum);
}

static void what_is_out_of_range_is_zero_or_untouched_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &evaluated_ranged_range, RANGED_EVALUATED_PROBLEMS, compare_with_the_sum);
}

static void larger_problems_have_the_properties_of_the_transform(void **state)
{
    (void)state;
    attempt_many(false, &large_range, PROPERTY_PROBLEMS, try_properties);
}

static void larger_problems_have_the_properties_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &large_evaluated_range, EVALUATED_PROPERTY_PROBLEMS, try_properties);
}

/* ---- one direction scaled ---- */

/* Two lines of n elements; spread: with gaps, and the lines one element apart. */
static struct trial_side two_lines(int64_t n, bool spread)
{
    struct trial_side side = {.elements = spread ? 3 * n : 2 * n, .packed = !spread};
    side.stride[0] = spread ? 1 : n;
    side.stride[1] = spread ? 3 : 1;
    return side;
}

static struct trial round_trip(int64_t n, weft_precision precision, weft_format format, bool spread,
                               bool in_place)
{
    struct trial trial = {.params = WEFT_PARAMS_DEFAULT, .dims = 2, .n = {2, n}};
    trial.params.size[0] = n;
    trial.params.batch = 2;
    trial.params.precision = precision;
    trial.params.format = format;
    trial.params.forward_scale = 1;
    trial.params.inverse_scale = 1.0 / (double)n;
    trial.transformed[1] = true;
    trial.in = trial.out = two_lines(n, spread);
    trial_set_sides(&trial);
    trial.in_place = in_place;
    return trial;
}

static void the_inverse_alone_may_be_scaled(void **state)
{
    (void)state;
    complaints = 0;
    for (int d = 0; d < device_count; d++) {
        for (int64_t n = 1; n <= 64 && !devices[d].evaluated; n++) {
            for (int i = 0; i < 16; i++) {
                struct trial trial = round_trip(n, i & 1 ? WEFT_F64 : WEFT_F32,
                                                i & 2 ? WEFT_PLANAR : WEFT_INTERLEAVED, i & 4,
                                                i & 8);
                attempt_trial(&devices[d], &trial, (struct random){seed + (uint64_t)(16 * n + i)},
                              compare_with_the_sum);
            }
        }
    }
    assert_int_equal(complaints, 0);
}

static int open_devices(void **state)
{
    (void)state;
    seed = random_seed();
    device_count = devices_open(MOST_DEVICES, devices);
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    devices_close(device_count, devices);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_match_the_direct_sum),
        cmocka_unit_test(problems_of_up_to_eight_axes_match_the_direct_sum),
        cmocka_unit_test(long_problems_match_the_reference),
        cmocka_unit_test(larger_problems_have_the_properties_of_the_transform),
        cmocka_unit_test(random_problems_match_the_direct_sum_when_evaluated),
        cmocka_unit_test(larger_problems_have_the_properties_when_evaluated),
        cmocka_unit_test(random_storages_match_the_direct_sum),
        cmocka_unit_test(long_storages_match_the_reference),
        cmocka_unit_test(random_storages_match_the_direct_sum_when_evaluated),
        cmocka_unit_test(what_is_out_of_range_is_zero_or_untouched),
        cmocka_unit_test(drafts_of_ranges_take_every_length),
        cmocka_unit_test(long_ranges_match_the_reference),
        cmocka_unit_test(ranges_of_other_storages_match_the_direct_sum),
        cmocka_unit_test(what_is_out_of_range_is_zero_or_untouched_when_evaluated),
        cmocka_unit_test(the_inverse_alone_may_be_scaled),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
