/* Frequencies in another order than the natural one: what weft_plan_order() says is so, and who
 * goes there and back need not know. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/devices.h"
#include "support/exact.h"
#include "support/ordered.h"
#include "support/random.h"

enum { MOST_DEVICES = 16, PROBLEMS = 6, EVALUATED_PROBLEMS = 14 };

static struct test_device devices[MOST_DEVICES];
static int device_count;
static struct random numbers = {3};

static double *random_data(int64_t elements)
{
    double *data = malloc((size_t)elements * 2 * sizeof *data);
    assert_non_null(data);
    for (int64_t i = 0; i < 2 * elements; i++) data[i] = random_number(&numbers);
    return data;
}

static weft_plan *plan_for(weft_device *device, const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, &params, &plan));
    return plan;
}

/* Packed arrays of one axis, out of place. */
static struct trial line(int64_t n, int64_t batch)
{
    struct trial trial = trial_packed(1, &n, batch);
    trial.params.out_order = WEFT_TRANSPOSED;
    return trial;
}

/* ---- results ---- */

static void check_direction(const struct test_device *on, const struct trial *trial,
                            const weft_plan *plan, weft_direction direction)
{
    const int64_t elements = trial_elements(trial);
    double *in = random_data(elements), *out = random_data(elements);
    const char *wrong = trial_run(trial, plan, on->device, direction, in, out);
    if (wrong) fail_msg("%s, %s: %s", on->name, trial_text(trial), wrong);
    ordered_to_natural(trial, plan, direction == WEFT_FORWARD ? out : in);
    const double error = exact_error(trial, direction, in, out);
    const double limit = exact_limit(trial, on->name);
    if (!(error <= limit)) {
        fail_msg("%s, %s, direction %d: error %g, limit %g", on->name, trial_text(trial),
                 (int)direction, error, limit);
    }
    free(in);
    free(out);
}

/* Returns whether any axis had another order. */
static bool check(const struct test_device *on, const struct trial *trial)
{
    weft_plan *plan = plan_for(on->device, trial);
    const bool differs = ordered_differs(trial, plan);
    check_direction(on, trial, plan, WEFT_FORWARD);
    check_direction(on, trial, plan, WEFT_INVERSE);
    weft_plan_destroy(&plan);
    return differs;
}

static void random_problems_are_right_in_any_layout(void **state)
{
    (void)state;
    static const struct trial_range range = {40000, 40000, 1, 2, false, true, false};
    static const struct trial_range evaluated = {2000, 3000, 2, 1, false, true, false};
    int differing = 0;
    for (int i = 0; i < device_count; i++) {
        const int problems = devices[i].evaluated ? EVALUATED_PROBLEMS : PROBLEMS;
        for (uint64_t seed = 0; seed < (uint64_t)problems; seed++) {
            struct random random = {seed};
            struct trial trial;
            trial_random(&random, devices[i].evaluated ? &evaluated : &range, &trial);
            trial.params.out_order = WEFT_TRANSPOSED;
            differing += check(&devices[i], &trial);
        }
    }
    assert_true(differing > EVALUATED_PROBLEMS / 2);
}

static void long_lines_are_right(void **state)
{
    (void)state;
    static const struct {
        int64_t n, batch;
    } cases[] = {{1 << 17, 1}, {3 << 15, 3}, {1009 * 97, 2}, {50000, 1}};
    bool differs = false;
    for (int i = 0; i < device_count; i++) {
        if (devices[i].evaluated) continue;
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            struct trial trial = line(cases[c].n, cases[c].batch);
            trial.params.precision = c % 2 ? WEFT_F64 : WEFT_F32;
            trial.params.format = c % 3 == 2 ? WEFT_PLANAR : WEFT_INTERLEAVED;
            trial.params.forward_scale = c == 2 ? 0.25 : 0;
            trial.params.threads = c == 1 ? 2 : 1;
            trial.in_place = c == 3;
            differs |= check(&devices[i], &trial);
        }
    }
    assert_true(differs);
}

static void plans_of_gpus_take_no_scratch(void **state)
{
    (void)state;
    weft_device *device = NULL;
    assert_done(weft_device_open("null:shared=8192,threads=64", &device));
    const struct test_device on = {"null", true, device};
    static const int64_t lengths[] = {4096, 6000, 37 * 41};
    for (int i = 0; i < 3; i++) {
        struct trial trial = line(lengths[i], 2);
        if (i == 2) trial.params.precision = WEFT_F64;
        weft_plan *plan = plan_for(device, &trial);
        if (i < 2) {
            assert_true(ordered_differs(&trial, plan));
            assert_int_equal(weft_plan_scratch_bytes(plan), 0);
        }
        weft_plan_destroy(&plan);
        check(&on, &trial);
    }
    weft_device_close(&device);
}

/* ---- there and back ---- */

/* y = inverse(forward(x) forward(h)), place by place, in whichever order. */
static void multiply(double *a, const double *b, int64_t elements)
{
    for (int64_t i = 0; i < elements; i++) {
        const double re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        a[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        a[2 * i] = re;
    }
}

static void execute(const weft_plan *plan, weft_device *device, weft_direction direction,
                    double *data, int64_t n)
{
    weft_buffer *buffer = NULL;
    assert_done(weft_buffer_wrap(device, data, (size_t)n * 2 * sizeof *data, &buffer));
    assert_done(weft_execute(plan, direction, buffer, buffer));
    weft_buffer_destroy(&buffer);
}

static void products_place_by_place_convolve(void **state)
{
    (void)state;
    enum { N = 1 << 16, SHIFT = 12345 };
    struct trial trial = line(N, 1);
    trial.params.precision = WEFT_F64;
    trial.params.inverse_scale = 1.0 / N;
    weft_plan *plan = plan_for(devices[0].device, &trial);
    assert_true(ordered_differs(&trial, plan));
    double *x = random_data(N), *h = calloc(2 * N, sizeof *h), *y = random_data(N);
    assert_non_null(h);
    memcpy(y, x, (size_t)N * 2 * sizeof *x);
    h[2 * SHIFT] = 1;
    execute(plan, devices[0].device, WEFT_FORWARD, y, N);
    execute(plan, devices[0].device, WEFT_FORWARD, h, N);
    multiply(y, h, N);
    execute(plan, devices[0].device, WEFT_INVERSE, y, N);
    for (int64_t i = 0; i < 2 * N; i++)
        assert_true(fabs(y[(i + 2 * SHIFT) % (2 * N)] - x[i]) < 1e-13);
    weft_plan_destroy(&plan);
    free(x);
    free(h);
    free(y);
}

/* Numbers of two doubles, in kernels like a GPU's. */
static void double_double_comes_back(void **state)
{
    (void)state;
    enum { N = 1 << 14 };
    struct trial trial = line(N, 1);
    trial.params.precision = WEFT_DD;
    trial.params.inverse_scale = 1.0 / N;
    weft_plan *plan = plan_for(devices[0].device, &trial);
    assert_true(ordered_differs(&trial, plan));
    double *x = random_data(2 * N), *y = random_data(2 * N);
    for (int64_t i = 0; i < 2 * N; i++) x[2 * i + 1] = 0;
    memcpy(y, x, (size_t)N * 4 * sizeof *x);
    execute(plan, devices[0].device, WEFT_FORWARD, y, 2 * N);
    assert_true(fabs(y[0] - x[0]) > 1e-9);
    execute(plan, devices[0].device, WEFT_INVERSE, y, 2 * N);
    for (int64_t i = 0; i < 2 * N; i++)
        assert_true(fabs((y[2 * i] - x[2 * i]) + y[2 * i + 1]) < 1e-29);
    weft_plan_destroy(&plan);
    free(x);
    free(y);
}

/* ---- hooks ---- */

/* An expression's k counts places, as they lie. */
static void hooks_count_places(void **state)
{
    (void)state;
    enum { N = 1 << 19 };
    struct trial trial = line(N, 1);
    trial.params.store_hook = "complex(k, 0)";
    weft_plan *plan = plan_for(devices[0].device, &trial);
    assert_true(ordered_differs(&trial, plan));
    double *in = random_data(N), *out = random_data(N);
    assert_null(trial_run(&trial, plan, devices[0].device, WEFT_FORWARD, in, out));
    for (int64_t i = 0; i < N; i++) assert_true(out[2 * i] == (double)i);
    weft_plan_destroy(&plan);

    struct trial plain = line(N, 1);
    trial.params.store_hook = NULL;
    trial.params.load_hook = "complex(k, 1)";
    plan = plan_for(devices[0].device, &trial);
    assert_null(trial_run(&trial, plan, devices[0].device, WEFT_INVERSE, in, out));
    weft_plan_destroy(&plan);
    plan = plan_for(devices[0].device, &plain);
    double *counted = random_data(N), *expected = random_data(N);
    for (int64_t i = 0; i < N; i++) {
        counted[2 * i] = (double)i;
        counted[2 * i + 1] = 1;
    }
    assert_null(trial_run(&plain, plan, devices[0].device, WEFT_INVERSE, counted, expected));
    for (int64_t i = 0; i < 2 * N; i++)
        assert_true(fabs(out[i] - expected[i]) <= 1e-6 * N * N);
    weft_plan_destroy(&plan);
    free(in);
    free(out);
    free(counted);
    free(expected);
}

/* ---- where it stays natural ---- */

static void the_order_is_natural_unless_allowed(void **state)
{
    (void)state;
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R, WEFT_DCT2, WEFT_DHT};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.rank = 2;
        params.size[0] = 1 << 17;
        params.size[1] = 3;
        params.axes = 1;
        params.kind = kinds[i];
        params.out_order = i > 0 ? WEFT_TRANSPOSED : WEFT_NATURAL;
        weft_plan *plan = NULL;
        assert_done(weft_plan_create(devices[0].device, &params, &plan));
        for (int axis = 0; axis < 2; axis++) {
            weft_axis_order order;
            assert_done(weft_plan_order(plan, axis, &order));
            assert_int_equal(order.n1, 1);
            assert_int_equal(order.n2, params.size[axis]);
        }
        weft_plan_destroy(&plan);
    }
}

static void streams_keep_the_natural_order(void **state)
{
    (void)state;
    struct trial trial = line(1 << 17, 1);
    trial.params.memory_limit = 1 << 19;
    weft_plan *plan = plan_for(devices[0].device, &trial);
    assert_false(ordered_differs(&trial, plan));
    check_direction(&devices[0], &trial, plan, WEFT_FORWARD);
    check_direction(&devices[0], &trial, plan, WEFT_INVERSE);
    weft_plan_destroy(&plan);
}

static void wrong_orders_and_axes_are_refused(void **state)
{
    (void)state;
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    weft_axis_order order;
    params.size[0] = 8;
    params.out_order = (weft_order)2;
    assert_refused(weft_plan_create(devices[0].device, &params, &plan), WEFT_ERROR_ARGUMENT,
                   "WEFT_TRANSPOSED");
    params.out_order = WEFT_TRANSPOSED;
    assert_done(weft_plan_create(devices[0].device, &params, &plan));
    assert_refused(weft_plan_order(plan, 1, &order), WEFT_ERROR_ARGUMENT, "accepted are 0 to 0");
    assert_refused(weft_plan_order(plan, -1, &order), WEFT_ERROR_ARGUMENT, "axis is -1");
    assert_refused(weft_plan_order(plan, 0, NULL), WEFT_ERROR_ARGUMENT, "order is NULL");
    assert_refused(weft_plan_order(NULL, 0, &order), WEFT_ERROR_ARGUMENT, "plan is NULL");
    weft_plan_destroy(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_right_in_any_layout),
        cmocka_unit_test(long_lines_are_right),
        cmocka_unit_test(plans_of_gpus_take_no_scratch),
        cmocka_unit_test(products_place_by_place_convolve),
        cmocka_unit_test(double_double_comes_back),
        cmocka_unit_test(hooks_count_places),
        cmocka_unit_test(the_order_is_natural_unless_allowed),
        cmocka_unit_test(streams_keep_the_natural_order),
        cmocka_unit_test(wrong_orders_and_axes_are_refused),
    };
    device_count = devices_open(MOST_DEVICES, devices);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    devices_close(device_count, devices);
    return failed;
}
