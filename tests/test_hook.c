/* Callers' expressions: what they may say, what they come to, and that they are applied to every
 * element once, whatever the plan. */
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
#include "support/devices.h"
#include "support/hook_trial.h"
#include "support/quota.h"
#include "support/random.h"

enum { MOST_DEVICES = 16, CPU_PROBLEMS = 80, EVALUATED_PROBLEMS = 40 };

static struct test_device devices[MOST_DEVICES];
static int device_count;
static uint64_t seed;

static weft_params line_of(int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    return params;
}

/* ---- what they may say ---- */

static void assert_says(const weft_params *params, const char *words)
{
    weft_plan *plan = NULL;
    assert_refused(weft_plan_create(devices[0].device, params, &plan), WEFT_ERROR_ARGUMENT, words);
    assert_null(plan);
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *source, *words;
    } wrong[] = {
        {"x +", "load hook, line 1, column 4: expected a number, a name or (; the expression ends"},
        {"x\n  * y", "line 2, column 5: y means nothing; there are x, k0 to k0"},
        {"x k", "line 1, column 3: expected an operator or the end"},
        {"(x", "line 1, column 3: expected ) here"},
        {"sin(x)", "line 1, column 1: sin takes reals; re(), im() and abs()"},
        {"sin(k, k)", "line 1, column 1: sin takes 1 argument, here are 2"},
        {"max(k)", "max takes 2 or more arguments, here are 1"},
        {"sin + 1", "sin is a function: expected ( after it"},
        {"k < 3", "line 1, column 1: the result is a condition"},
        {"k < x ? 1 : 2", "line 1, column 3: < takes reals"},
        {"x && x", "&& takes conditions"},
        {"x * (k < 3)", "* takes numbers; a condition becomes one by c ? 1 : 0"},
        {"k ? 1 : 2", "? takes conditions"},
        {"k < 3 ? 1", "expected : between the values of a choice"},
        {"pick(3, 1, 2, 3)", "pick() of 3 values has no number 3"},
        {"pick(-1, 1, 2)", "no number -1"},
        {"x; y", "expected an operator or the end"},
        {"let = 3; x", "expected a name after let"},
        {"let a 3; x", "expected = after the name"},
        {"let a = 3 x", "expected ; after the value of a name"},
        {"2x", "line 1, column 1: a number that goes on as a name"},
        {"1e999", "the number is beyond what a double holds"},
        {"x @ 2", "line 1, column 3: '@' means nothing here"},
        {"x * \x80", "byte 0x80 means nothing"},
        {"k1", "k1 means nothing"},
        {" # nothing\n", "line 2, column 1: expected a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        weft_params params = line_of(16);
        params.load_hook = wrong[i].source;
        assert_says(&params, wrong[i].words);
    }
}

static void real_sides_take_reals(void **state)
{
    (void)state;
    weft_params params = line_of(16);
    params.kind = WEFT_R2C;
    params.load_hook = "x * exp(i * k)";
    assert_says(&params, "the result is complex, but the elements are real");
    params.load_hook = "re(x * exp(i * k))";
    params.store_hook = "re(x) +";
    assert_says(&params, "store hook, line 1, column 8");
}

static void extended_precision_has_no_hooks(void **state)
{
    (void)state;
    weft_params params = line_of(16);
    weft_plan *plan = NULL;
    params.precision = WEFT_DD;
    params.store_hook = "x";
    assert_refused(weft_plan_create(devices[0].device, &params, &plan), WEFT_ERROR_UNSUPPORTED,
                   "hooks have no WEFT_DD");
    assert_null(plan);
}

static void length_and_depth_are_bounded(void **state)
{
    (void)state;
    char source[1200];
    weft_params params = line_of(16);
    params.load_hook = source;
    memset(source, '(', sizeof source);
    source[sizeof source - 1] = 0;
    assert_says(&params, "the load hook is longer than 1000 characters");
    source[1000] = 0;
    assert_says(&params, "column 25: nested too deeply");
    memset(source, '-', 1000);
    assert_says(&params, "nested too deeply");
    strcpy(source, "0");
    for (int i = 0; i < 60; i++)
        snprintf(source + strlen(source), 20, "+log(k+%d)", i);
    assert_says(&params, "too long: at most 4000 operations");
}

/* ---- what they come to ---- */

/* A problem that only copies: of `n` elements in the axis that is not transformed. */
static void evaluate(weft_device *device, weft_precision precision, const char *source, int n,
                     const double *in, double *out)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.precision = precision;
    params.rank = 2;
    params.size[0] = 1;
    params.size[1] = n;
    params.axes = 1;
    params.store_hook = source;
    const bool single = precision == WEFT_F32;
    float *narrow = malloc(2 * (size_t)n * sizeof *narrow);
    assert_non_null(narrow);
    for (int i = 0; i < 2 * n; i++) narrow[i] = (float)in[i];
    for (int i = 0; i < 2 * n; i++) out[i] = in[i];
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL;
    const size_t bytes = 2 * (size_t)n * (single ? sizeof(float) : sizeof(double));
    assert_done(weft_buffer_wrap(device, single ? (void *)narrow : out, bytes, &buffer));
    assert_done(weft_plan_create(device, &params, &plan));
    assert_done(weft_execute(plan, WEFT_FORWARD, buffer, buffer));
    for (int i = 0; single && i < 2 * n; i++) out[i] = narrow[i];
    weft_plan_destroy(&plan);
    weft_buffer_destroy(&buffer);
    free(narrow);
}

static double logarithm_of_power(double x)
{
    return log(pow(x, 1.5) + 1);
}

static double cubed(double x)
{
    return 1 / (x * x * x);
}

static double sine_and_more(double x)
{
    return x > 1 && !(x > 3) ? sin(x) : fmin(x, fmax(-x, 2));
}

static void functions_are_those_of_c(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        double (*function)(double);
        double low, high;
    } functions[] = {
        {"sin(re(x))", sin, -20, 20},
        {"cos(re(x))", cos, -2000, 2000},
        {"exp(re(x))", exp, -80, 80},
        {"log(re(x))", log, 1e-6, 40},
        {"sqrt(re(x))", sqrt, 0, 40},
        {"floor(re(x))", floor, -40, 40},
        {"abs(re(x))", fabs, -40, 40},
        {"log(pow(re(x), 1.5) + 1)", logarithm_of_power, 0.1, 30},
        {"pow(re(x), -3)", cubed, -3, 3},
        {"let a = re(x); a > 1 && !(a >= 3) || a == 3 ? sin(a) : min(a, max(-a, 2))",
         sine_and_more, -5, 5},
    };
    enum { POINTS = 150 };
    struct random random = {seed};
    double in[2 * POINTS], out[2 * POINTS];
    for (int d = 0; d < device_count; d++) {
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
            for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
                const double low = functions[f].low, high = functions[f].high;
                for (int i = 0; i < 2 * POINTS; i++)
                    in[i] = (float)(low + (high - low) * (random_number(&random) + 1) / 2);
                evaluate(devices[d].device, (weft_precision)precision, functions[f].source, POINTS,
                         in, out);
                for (int i = 0; i < POINTS; i++) {
                    const double exact = functions[f].function(in[2 * i]);
                    const double unit = precision == WEFT_F32 ? 0x1p-23 : 0x1p-52;
                    const double error = fabs(out[2 * i] - exact);
                    if (error <= 8 * unit * fmax(fabs(exact), 0.5 * (exact < 1)) &&
                        out[2 * i + 1] == 0)
                        continue;
                    fail_msg("%s: %s of %.17g is %.17g, not %.17g", devices[d].name,
                             functions[f].source, in[2 * i], out[2 * i], exact);
                }
            }
        }
    }
}

static void complex_numbers_are_those_of_the_field(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        double re, im;
    } values[] = {
        {"x", 3, -4},
        {"abs(x)", 5, 0},
        {"norm(x)", 25, 0},
        {"arg(x)", -0.92729521800161223, 0},
        {"arg(-1)", 3.14159265358979324, 0},
        {"arg(x - x)", 0, 0},
        {"conj(x) * i", -4, 3},
        {"x / (1 + i)", -0.5, -3.5},
        {"1 / x", 0.12, 0.16},
        {"exp(i * pi / 6) * 2", 1.7320508075688772, 1},
        {"complex(im(x), re(x)) - -x", -1 + 0, -1},
        {"k0 + 10 * k1 + 100 * n0 + 1000 * n1 + 1e4 * batch", 1100, 0},
        {"mod(-7.5, 2) + mod(7.5, -2)", 0, 0},
        {"pick(im(x), 1, 2) + pick(re(x), 10, 20, 30 * i)", 1, 30},
        {"inverse ? 1 : .5e1", 5, 0},
        {"let a = 2; let a = a * a; a <= 4 && a != 3 ? a : i", 4, 0},
    };
    const double in[2] = {3, -4};
    double out[2];
    for (int d = 0; d < device_count; d++) {
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            evaluate(devices[d].device, WEFT_F64, values[v].source, 1, in, out);
            if (fabs(out[0] - values[v].re) < 1e-14 && fabs(out[1] - values[v].im) < 1e-14)
                continue;
            fail_msg("%s: %s is (%.17g, %.17g)", devices[d].name, values[v].source, out[0], out[1]);
        }
    }
}

static void what_has_no_value_is_infinite_or_nan(void **state)
{
    (void)state;
    const double in[2] = {0, -1};
    double out[2];
    for (int d = 0; d < device_count; d++) {
        for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
            weft_device *device = devices[d].device;
            evaluate(device, (weft_precision)precision,
                     "complex(1 / re(x), log(re(x)))", 1, in, out);
            assert_true(isinf(out[0]) && out[0] > 0);
            assert_true(isinf(out[1]) && out[1] < 0);
            evaluate(device, (weft_precision)precision,
                     "complex(sqrt(im(x)), re(x) / re(x))", 1, in, out);
            assert_true(isnan(out[0]) && isnan(out[1]));
            evaluate(device, (weft_precision)precision,
                     "complex(exp(1e9 * -im(x)), exp(1e9 * im(x)) + log(im(x)))", 1, in, out);
            assert_true(isinf(out[0]) && isnan(out[1]));
            evaluate(device, (weft_precision)precision,
                     "complex(1 / 0, pick(0 / re(x), 1, 2))", 1, in, out);
            assert_true(isinf(out[0]) && out[1] == 2);
        }
    }
}

/* ---- that each element goes through them once ---- */

static void attempt(const struct test_device *device, const struct trial *trial, uint64_t number,
                    struct random *random)
{
    for (int direction = WEFT_FORWARD; direction <= WEFT_INVERSE; direction++) {
        const char *wrong = hook_trial_run(trial, device->device, devices[0].device,
                                           (weft_direction)direction, random);
        if (wrong)
            fail_msg("%s, seed %llu, %s, direction %d, load %s, store %s: %s", device->name,
                     (unsigned long long)number, trial_text(trial), direction,
                     trial->params.load_hook, trial->params.store_hook, wrong);
    }
}

static void attempt_random(const struct test_device *device, const struct trial_range *range,
                           uint64_t number)
{
    struct random random = {number};
    struct trial trial;
    trial_random(&random, range, &trial);
    hook_trial_choose(&random, &trial);
    attempt(device, &trial, number, &random);
}

static void attempt_many(bool ranged, uint64_t first)
{
    const struct trial_range on_cpus = {400, 2000, 4, 3, true, false, ranged};
    const struct trial_range evaluated = {160, 320, 4, 1, true, false, ranged};
    for (int d = 0; d < device_count; d++) {
        const bool slow = devices[d].evaluated;
        for (int i = 0; i < (slow ? EVALUATED_PROBLEMS : CPU_PROBLEMS); i++)
            attempt_random(&devices[d], slow ? &evaluated : &on_cpus, first + (uint64_t)i);
    }
}

static void every_element_goes_through_its_hook_once(void **state)
{
    (void)state;
    attempt_many(false, seed);
}

static void what_ranges_leave_out_goes_through_no_hook(void **state)
{
    (void)state;
    static const struct trial_range longer = {20000, 60000, 3, 3, true, false, true};
    attempt_many(true, seed + 4000);
    for (int d = 0; d < device_count; d++) {
        for (int i = 0; i < (devices[d].evaluated ? 0 : 15); i++)
            attempt_random(&devices[d], &longer, seed + 5000 + (uint64_t)i);
    }
}

static void hooks_change_no_results_of_longer_lines(void **state)
{
    (void)state;
    static const struct trial_range longer = {20000, 60000, 3, 3, true, false, false};
    static const struct trial_range evaluated = {3000, 4000, 2, 1, true, false, false};
    for (int d = 0; d < device_count; d++) {
        const bool slow = devices[d].evaluated;
        for (int i = 0; i < (slow ? 8 : 15); i++)
            attempt_random(&devices[d], slow ? &evaluated : &longer, seed + 1000 + (uint64_t)i);
    }
}

/* A butterfly that goes from place to place without a tile takes no hook on its way. */
static void short_lines_take_hooks(void **state)
{
    (void)state;
    for (int d = 0; d < device_count; d++) {
        for (int64_t n = 1; n <= 64; n++) {
            const uint64_t number = seed + 2000 + (uint64_t)n;
            struct random random = {number};
            struct trial trial = trial_packed(1, &n, 3);
            hook_trial_choose(&random, &trial);
            attempt(&devices[d], &trial, number, &random);
        }
    }
}

/* Whether there was memory enough to split it. */
static bool attempt_streamed(const struct test_device *device, const struct trial_range *range,
                             uint64_t number)
{
    struct random random = {number};
    struct trial trial;
    weft_plan *plan = NULL;
    trial_random(&random, range, &trial);
    trial_straighten(&trial);
    hook_trial_choose(&random, &trial);
    const int64_t bytes = trial_elements(&trial) * 8;
    trial.params.memory_limit = random_between(&random, bytes / 4 + 512, 4 * bytes + 512);
    const weft_params params = trial_params(&trial);
    const weft_status status = weft_plan_create(device->device, &params, &plan);
    weft_plan_destroy(&plan);
    if (status == WEFT_ERROR_UNSUPPORTED) return false;
    attempt(device, &trial, number, &random);
    return true;
}

static void attempt_many_streamed(bool ranged, uint64_t first)
{
    const struct trial_range on_cpus = {400, 2000, 4, 3, true, false, ranged};
    const struct trial_range evaluated = {160, 320, 4, 1, true, false, ranged};
    for (int d = 0; d < device_count; d++) {
        const bool slow = devices[d].evaluated;
        struct quota quota = {.wanted = (slow ? EVALUATED_PROBLEMS : CPU_PROBLEMS) / 2};
        while (quota_open(&quota))
            quota.done += attempt_streamed(&devices[d], slow ? &evaluated : &on_cpus,
                                           first + (uint64_t)quota.drawn);
    }
}

static void elements_of_bands_are_known_by_their_place_in_the_whole(void **state)
{
    (void)state;
    attempt_many_streamed(false, seed + 3000);
}

static void so_they_are_where_ranges_leave_out_others(void **state)
{
    (void)state;
    attempt_many_streamed(true, seed + 6000);
}

/* Two sweeps, the last slice of columns with fewer than the others. */
static void long_lines_take_hooks_on_their_way_through_bands(void **state)
{
    (void)state;
    for (int d = 0; d < device_count; d++) {
        const int64_t n = devices[d].evaluated ? 37 * 64 : 37 * 36 * 35;
        const uint64_t number = seed + 4000;
        struct random random = {number};
        struct trial trial = trial_packed(1, &n, 2);
        trial.params.memory_limit = n * 4;
        hook_trial_choose(&random, &trial);
        attempt(&devices[d], &trial, number, &random);
    }
}

/* What is stored as bytes is converted before the hook, and after it. */
static void small_integers_are_windowed_and_rounded(void **state)
{
    (void)state;
    enum { N = 60 };
    for (int d = 0; d < device_count; d++) {
        uint8_t in[N];
        int16_t out[N];
        weft_params params = line_of(N);
        params.kind = WEFT_DCT2;
        params.in_storage = WEFT_STORED_U8;
        params.out_storage = WEFT_STORED_I16;
        params.load_hook = "(x - 128) * sin(pi * (k + 0.5) / n)";
        params.store_hook = "x * 2";
        for (int i = 0; i < N; i++) in[i] = (uint8_t)(37 * i + 11);
        weft_plan *plan = NULL;
        weft_buffer *from = NULL, *to = NULL;
        assert_done(weft_plan_create(devices[d].device, &params, &plan));
        assert_done(weft_buffer_wrap(devices[d].device, in, sizeof in, &from));
        assert_done(weft_buffer_wrap(devices[d].device, out, sizeof out, &to));
        assert_done(weft_execute(plan, WEFT_FORWARD, from, to));
        for (int k = 0; k < N; k++) {
            const double pi = 3.14159265358979323846;
            double sum = 0;
            for (int j = 0; j < N; j++)
                sum += 4 * (in[j] - 128.0) * sin(pi * (j + 0.5) / N) * cos(pi * (j + 0.5) * k / N);
            if (fabs(out[k] - sum) > 0.51)
                fail_msg("%s: result %d is %d, not %g", devices[d].name, k, out[k], sum);
        }
        weft_plan_destroy(&plan);
        weft_buffer_destroy(&from);
        weft_buffer_destroy(&to);
    }
}

static int open_all(void **state)
{
    (void)state;
    seed = random_seed();
    device_count = devices_open(MOST_DEVICES, devices);
    return device_count > 0 ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    devices_close(device_count, devices);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(real_sides_take_reals),
        cmocka_unit_test(extended_precision_has_no_hooks),
        cmocka_unit_test(length_and_depth_are_bounded),
        cmocka_unit_test(functions_are_those_of_c),
        cmocka_unit_test(complex_numbers_are_those_of_the_field),
        cmocka_unit_test(what_has_no_value_is_infinite_or_nan),
        cmocka_unit_test(every_element_goes_through_its_hook_once),
        cmocka_unit_test(what_ranges_leave_out_goes_through_no_hook),
        cmocka_unit_test(hooks_change_no_results_of_longer_lines),
        cmocka_unit_test(short_lines_take_hooks),
        cmocka_unit_test(elements_of_bands_are_known_by_their_place_in_the_whole),
        cmocka_unit_test(so_they_are_where_ranges_leave_out_others),
        cmocka_unit_test(long_lines_take_hooks_on_their_way_through_bands),
        cmocka_unit_test(small_integers_are_windowed_and_rounded),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
