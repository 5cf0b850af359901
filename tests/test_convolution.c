/* Convolutions and correlations against the sums that define them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/convolved.h"
#include "support/devices.h"
#include "support/quota.h"

enum { MOST_DEVICES = 16, CPU_PROBLEMS = 150, EVALUATED_PROBLEMS = 40 };

static struct test_device devices[MOST_DEVICES];
static int device_count;

static void check(const struct test_device *device, struct convolved *c, struct random *random)
{
    const char *wrong = convolved_run(c, device->device, random);
    if (wrong) fail_msg("%s: %s: %s", device->name, convolved_text(c), wrong);
}

static void random_convolutions_match_the_sum(void **state)
{
    (void)state;
    const uint64_t seed = random_seed();
    for (int d = 0; d < device_count; d++) {
        const struct test_device *device = &devices[d];
        struct random random = {seed + (uint64_t)d};
        const int problems = device->evaluated ? EVALUATED_PROBLEMS : CPU_PROBLEMS;
        for (int i = 0; i < problems; i++) {
            struct convolved c;
            convolved_random(&random, device->evaluated ? 200 : 500, &c);
            check(device, &c, &random);
        }
    }
}

/* Where tiles are small, lines of reals are split, by cuts that serve both ways. */
static void splits_of_reals_lead_back(void **state)
{
    (void)state;
    for (int d = 0; d < device_count; d++) {
        struct random random = {11};
        for (int64_t n = 456; n >= 40; n = n * 7 / 8) {
            const int64_t even = n / 4 * 4;
            struct convolved c;
            convolved_packed(1, &even, WEFT_R2C, 2, &c);
            c.params.precision = n % 3 ? WEFT_F64 : WEFT_DD;
            check(&devices[d], &c, &random);
        }
    }
}

/* ---- streams ---- */

/* Streams take no ranges that go on at 0, and no store hook. */
static void let_stream(struct random *random, struct convolved *c)
{
    struct convolved_side *side[2] = {&c->in, &c->out};
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < c->dims; i++) {
            const int64_t left = c->n[i] - side[out]->first[i];
            if (side[out]->count[i] > left) side[out]->count[i] = left;
        }
    }
    c->params.store_hook = NULL;
    c->params.memory_limit = random_between(random, 500, 8000);
}

/* Some lines are of primes that no band holds: those are refused. */
static void streamed_convolutions_match_the_sum(void **state)
{
    (void)state;
    const uint64_t seed = random_seed();
    for (int d = 0; d < device_count; d++) {
        const struct test_device *device = &devices[d];
        struct random random = {seed + 1000 + (uint64_t)d};
        struct quota quota = {.wanted = device->evaluated ? 20 : CPU_PROBLEMS};
        while (quota_open(&quota)) {
            struct convolved c;
            convolved_random(&random, device->evaluated ? 200 : 500, &c);
            let_stream(&random, &c);
            const weft_params params = convolved_params(&c);
            weft_plan *plan = NULL;
            const weft_status status = weft_plan_create(device->device, &params, &plan);
            weft_plan_destroy(&plan);
            if (status == WEFT_ERROR_UNSUPPORTED) continue;
            check(device, &c, &random);
            quota.done++;
        }
    }
}

static weft_buffer *buffer_of(weft_device *device, float *data, int64_t n, int parts);

/* Several kernels, so that all arrays between are there. */
static void streams_work_in_the_scratch_that_they_are_given(void **state)
{
    (void)state;
    enum { N = 512 };
    static float in[2 * N], own[4 * N], given[4 * N], spectrum[4 * N], scratch[16 * N];
    weft_device *device = devices[0].device;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = N;
    params.operation = WEFT_CORRELATION;
    params.kernels = 2;
    params.memory_limit = 2048;
    struct random random = {3};
    for (int i = 0; i < 2 * N; i++) in[i] = (float)random_number(&random);
    for (int i = 0; i < 4 * N; i++) spectrum[i] = (float)random_number(&random);
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, &params, &plan));
    assert_true(weft_plan_scratch_bytes(plan) <= sizeof scratch);
    weft_buffer *from = buffer_of(device, in, N, 2), *with = buffer_of(device, spectrum, 2 * N, 2);
    weft_buffer *to = buffer_of(device, own, 2 * N, 2), *also = buffer_of(device, given, 2 * N, 2);
    weft_buffer *between = buffer_of(device, scratch, 8 * N, 2);
    weft_execution execution = {.spectrum = with};
    assert_done(weft_execute_with(plan, WEFT_FORWARD, from, to, &execution));
    execution.scratch = between;
    assert_done(weft_execute_with(plan, WEFT_FORWARD, from, also, &execution));
    assert_memory_equal(own, given, sizeof own);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&with);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&also);
    weft_buffer_destroy(&between);
    weft_plan_destroy(&plan);
}

/* ---- large ones ---- */

/* A kernel that is one at `shift` of every axis moves what it is convolved with by as much. */
static int64_t kernel_place(const weft_params *p, int64_t shift)
{
    int64_t place = 0;
    for (int i = 0; i < p->rank; i++) place = place * p->size[i] + shift % p->size[i];
    return place;
}

static int64_t moved_place(const weft_params *p, int64_t index, int64_t shift)
{
    int64_t place = 0, unit = 1;
    for (int i = p->rank - 1; i >= 0; i--) {
        const int64_t n = p->size[i];
        place += (index % n + shift) % n * unit;
        unit *= n;
        index /= n;
    }
    return place;
}

static weft_buffer *buffer_of(weft_device *device, float *data, int64_t elements, int reals)
{
    weft_buffer *buffer = NULL;
    assert_done(weft_buffer_wrap(device, data, (size_t)(elements * reals) * sizeof *data, &buffer));
    return buffer;
}

static float *numbers_for(struct random *random, int64_t count)
{
    float *data = malloc((size_t)count * sizeof *data);
    assert_non_null(data);
    for (int64_t i = 0; i < count; i++) data[i] = random ? (float)random_number(random) : 0;
    return data;
}

static void convolve(weft_device *device, const weft_params *params, float *in, float *kernels,
                     float *out, int64_t elements)
{
    const int reals = params->kind == WEFT_R2C ? 1 : 2;
    const int64_t count = elements * (params->kernels ? params->kernels : 1);
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, params, &plan));
    weft_buffer *from = buffer_of(device, in, elements, reals), *spectrum = NULL;
    weft_buffer *to = buffer_of(device, out, count, reals);
    weft_buffer *with = buffer_of(device, kernels, count, reals);
    assert_done(weft_buffer_create(device, weft_plan_spectrum_bytes(plan), &spectrum));
    assert_done(weft_plan_transform_kernels(plan, with, spectrum));
    const weft_execution execution = {.spectrum = spectrum};
    assert_done(weft_execute_with(plan, WEFT_FORWARD, from, to, &execution));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&with);
    weft_buffer_destroy(&spectrum);
    weft_plan_destroy(&plan);
}

/* Products are scaled: the spectrum or the data by themselves might not bear it. */
static void scales_near_the_limits_spare_finite_results(void **state)
{
    (void)state;
    enum { N = 16 };
    for (int d = 0; d < device_count; d++) {
        float in[2 * N] = {1e-30f}, kernel[2 * N] = {1e8f}, out[2 * N];
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.size[0] = N;
        params.operation = WEFT_CONVOLUTION;
        params.forward_scale = 1e32;
        convolve(devices[d].device, &params, in, kernel, out, N);
        for (int i = 0; i < 2 * N; i++) assert_float_equal(out[i], i ? 0 : 1e10f, 1e5f);
    }
}

static void moves(weft_device *device, weft_params params, uint64_t seed)
{
    struct random random = {seed};
    int64_t elements = 1;
    for (int i = 0; i < params.rank; i++) elements *= params.size[i];
    const int reals = params.kind == WEFT_R2C ? 1 : 2;
    const int kernels = params.kernels ? params.kernels : 1;
    params.operation = WEFT_CONVOLUTION;
    float *in = numbers_for(&random, elements * reals), *kernel, *out;
    kernel = numbers_for(NULL, elements * reals * kernels);
    out = numbers_for(NULL, elements * reals * kernels);
    for (int k = 0; k < kernels; k++)
        kernel[(k * elements + kernel_place(&params, 5 + k)) * reals] = 1;
    convolve(device, &params, in, kernel, out, elements);
    for (int64_t e = 0; e < elements * kernels; e++) {
        const int64_t k = e / elements, place = moved_place(&params, e % elements, 5 + k);
        for (int part = 0; part < reals; part++) {
            const float found = out[(k * elements + place) * reals + part];
            assert_float_equal(found, in[e % elements * reals + part], 1e-5);
        }
    }
    free(in);
    free(kernel);
    free(out);
}

static void large_kernels_of_one_element_move_the_data(void **state)
{
    (void)state;
    static const struct {
        int rank;
        int64_t size[3];
    } shapes[] = {{1, {262144}},   {1, {100003}},  {1, {360000}}, {2, {300, 1009}},
                  {2, {1009, 64}}, {2, {512, 512}}, {3, {40, 48, 54}}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.rank = shapes[i].rank;
        memcpy(params.size, shapes[i].size, sizeof shapes[i].size);
        for (int real = 0; real < 2; real++) {
            params.kind = real ? WEFT_R2C : WEFT_C2C;
            params.kernels = i % 2 ? 0 : 2;
            params.threads = real ? 1 : 2;
            moves(devices[0].device, params, i);
        }
    }
}

/* ---- spectra ---- */

static void a_spectrum_is_the_transform_of_the_kernels(void **state)
{
    (void)state;
    enum { WIDTH = 6, HEIGHT = 5, HALF = HEIGHT * (WIDTH / 2 + 1) };
    weft_device *device = devices[0].device;
    weft_params params = WEFT_PARAMS_DEFAULT;
    struct random random = {7};
    float *kernel = numbers_for(&random, (int64_t)WIDTH * HEIGHT), own[2 * HALF], its[2 * HALF];
    params.kind = WEFT_R2C;
    params.rank = 2;
    params.size[0] = HEIGHT;
    params.size[1] = WIDTH;
    weft_plan *plan = NULL, *transform = NULL;
    assert_done(weft_plan_create(device, &params, &transform));
    params.operation = WEFT_CORRELATION;
    assert_done(weft_plan_create(device, &params, &plan));
    assert_int_equal(weft_plan_spectrum_bytes(plan), sizeof own);
    assert_int_equal(weft_plan_spectrum_bytes(transform), 0);
    weft_buffer *from = buffer_of(device, kernel, (int64_t)WIDTH * HEIGHT, 1);
    weft_buffer *to = buffer_of(device, own, HALF, 2), *other = buffer_of(device, its, HALF, 2);
    assert_done(weft_execute(transform, WEFT_FORWARD, from, to));
    assert_done(weft_plan_transform_kernels(plan, from, other));
    assert_memory_equal(own, its, sizeof own);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&other);
    weft_plan_destroy(&plan);
    weft_plan_destroy(&transform);
    free(kernel);
}

/* ---- what is refused ---- */

static weft_status plan_status(weft_params params)
{
    weft_plan *plan = NULL;
    params.size[0] = 8;
    weft_status status = weft_plan_create(devices[0].device, &params, &plan);
    weft_plan_destroy(&plan);
    return status;
}

static void parameters_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kernels = 2;
    assert_refused(plan_status(params), WEFT_ERROR_ARGUMENT, "a transform has none");
    params.operation = (weft_operation)3;
    assert_refused(plan_status(params), WEFT_ERROR_ARGUMENT, "WEFT_CORRELATION");
    params.operation = WEFT_CONVOLUTION;
    params.kind = WEFT_DCT2;
    assert_refused(plan_status(params), WEFT_ERROR_ARGUMENT, "WEFT_R2C (all real)");
    params.kind = WEFT_C2C;
    params.kernels = -1;
    assert_refused(plan_status(params), WEFT_ERROR_ARGUMENT, "one (0) or more");
    params.kernels = 2;
    params.orthonormal = 1;
    assert_refused(plan_status(params), WEFT_ERROR_ARGUMENT, "orthonormal");
    params.orthonormal = 0;
    params.memory_limit = 4096;
    params.store_hook = "2 * x";
    assert_refused(plan_status(params), WEFT_ERROR_UNSUPPORTED, "applies no store_hook");
    params.memory_limit = 0;
    params.store_hook = NULL;
    params.kernel_distance = 3;
    assert_refused(plan_status(params), WEFT_ERROR_LAYOUT, "share a place");
    params.kernel_distance = 0;
    params.batch = INT64_MAX / 256;
    assert_refused(plan_status(params), WEFT_ERROR_SIZE, "kernels is 2");
}

static void executes_without_their_spectrum_are_refused(void **state)
{
    (void)state;
    weft_device *device = devices[0].device;
    weft_params params = WEFT_PARAMS_DEFAULT;
    float in[16] = {0}, out[16], spectrum[16] = {0};
    params.size[0] = 8;
    weft_plan *plan = NULL, *transform = NULL;
    assert_done(weft_plan_create(device, &params, &transform));
    params.operation = WEFT_CONVOLUTION;
    assert_done(weft_plan_create(device, &params, &plan));
    weft_buffer *from = buffer_of(device, in, 8, 2), *to = buffer_of(device, out, 8, 2);
    weft_buffer *with = buffer_of(device, spectrum, 8, 2), *few = buffer_of(device, spectrum, 7, 2);
    weft_execution execution = {.spectrum = NULL};
    assert_refused(weft_execute(plan, WEFT_FORWARD, from, to), WEFT_ERROR_ARGUMENT,
                   "there is none");
    execution.spectrum = few;
    assert_refused(weft_execute_with(plan, WEFT_FORWARD, from, to, &execution),
                   WEFT_ERROR_ARGUMENT, "at least 64 bytes");
    execution.spectrum = to;
    assert_refused(weft_execute_with(plan, WEFT_FORWARD, from, to, &execution), WEFT_ERROR_LAYOUT,
                   "overlaps the output");
    execution.spectrum = with;
    assert_refused(weft_execute_with(plan, WEFT_INVERSE, from, to, &execution),
                   WEFT_ERROR_ARGUMENT, "WEFT_FORWARD");
    assert_refused(weft_execute_with(transform, WEFT_FORWARD, from, to, &execution),
                   WEFT_ERROR_ARGUMENT, "accepted is NULL");
    assert_refused(weft_plan_transform_kernels(transform, from, to), WEFT_ERROR_ARGUMENT,
                   "a transform's");
    assert_refused(weft_plan_transform_kernels(plan, from, NULL), WEFT_ERROR_ARGUMENT,
                   "spectrum is NULL");
    assert_done(weft_execute_with(plan, WEFT_FORWARD, from, to, &execution));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&with);
    weft_buffer_destroy(&few);
    weft_plan_destroy(&plan);
    weft_plan_destroy(&transform);
}

/* ---- some kernels after the other ---- */

/* Whose spectra leave the second-level cache of a CPU: by their length; by their number, of which
 * turns are for several, the last one for fewer. */
static const struct {
    int kernels, side;
} cases[] = {{2, 480}, {101, 61}};

static double *random_numbers(int64_t count, struct random *random)
{
    double *data = malloc((size_t)count * sizeof *data);
    assert_non_null(data);
    for (int64_t i = 0; i < count; i++) data[i] = random_number(random);
    return data;
}

/* The results of the kernels, which lie one behind the other as they do. */
static double *results_of(weft_device *device, const weft_params *params, double *in,
                          double *spectrum, int64_t reals)
{
    double *out = calloc((size_t)(params->kernels * reals), sizeof *out);
    weft_plan *plan = NULL;
    weft_buffer *from = NULL, *to = NULL, *factors = NULL;
    assert_non_null(out);
    assert_done(weft_plan_create(device, params, &plan));
    const size_t bytes = (size_t)reals * sizeof *out;
    assert_done(weft_buffer_wrap(device, in, bytes, &from));
    assert_done(weft_buffer_wrap(device, out, (size_t)params->kernels * bytes, &to));
    assert_done(weft_buffer_wrap(device, spectrum, weft_plan_spectrum_bytes(plan), &factors));
    const weft_execution execution = {.spectrum = factors};
    assert_done(weft_execute_with(plan, WEFT_FORWARD, from, to, &execution));
    weft_buffer_destroy(&factors);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&from);
    weft_plan_destroy(&plan);
    return out;
}

/* A kernel's results are told which one it is. */
static void check_kernels(weft_device *device, weft_params params, struct random *random)
{
    const bool real = params.kind == WEFT_R2C;
    const int64_t side = params.size[0], reals = side * side * (real ? 1 : 2);
    const int64_t spectrum_reals = 2 * side * (real ? side / 2 + 1 : side);
    const int kernels = params.kernels;
    double *in = random_numbers(reals, random);
    double *spectrum = random_numbers(kernels * spectrum_reals, random);
    params.load_hook = "x * (k0 + 1) / n0";
    params.store_hook = "x * (k + 1) / n + kernel";
    double *together = results_of(device, &params, in, spectrum, reals);
    params.kernels = 1;
    for (int k = 0; k < kernels; k++) {
        double *alone = results_of(device, &params, in, spectrum + k * spectrum_reals, reals);
        for (int64_t i = 0; i < reals; i++) {
            const double further = real || i % 2 == 0 ? k : 0;
            const double wrong = fabs(alone[i] + further - together[k * reals + i]);
            if (!(wrong < 1e-10)) fail_msg("kernel %d, number %lld", k, (long long)i);
        }
        free(alone);
    }
    free(together);
    free(spectrum);
    free(in);
}

static void several_kernels_are_as_each_alone(void **state)
{
    (void)state;
    struct random random = {random_seed()};
    weft_device *device = NULL;
    assert_done(weft_device_open("cpu", &device));
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.precision = WEFT_F64;
    params.rank = 2;
    for (int i = 0; i < 16; i++) {
        params.kernels = cases[i / 8].kernels;
        params.size[0] = params.size[1] = cases[i / 8].side;
        params.forward_scale = 1.0 / (double)(params.size[0] * params.size[1]);
        params.kind = i % 2 ? WEFT_R2C : WEFT_C2C;
        params.operation = i / 2 % 2 ? WEFT_CORRELATION : WEFT_CONVOLUTION;
        params.threads = 1 + i / 4 % 2;
        check_kernels(device, params, &random);
    }
    weft_device_close(&device);
}

/* ---- tuning ---- */

static void measured_convolutions_are_right(void **state)
{
    (void)state;
    static const int64_t size[] = {24, 30};
    const uint64_t seed = random_seed();
    for (int d = 0; d < device_count; d++) {
        struct random random = {seed};
        struct convolved c;
        weft_tuning tuning;
        if (d > 0 && d < device_count - 1) continue; /* one processor, one evaluated GPU */
        convolved_packed(2, size, WEFT_R2C, 2, &c);
        const weft_params params = convolved_params(&c);
        assert_done(weft_tune(devices[d].device, &params, &tuning));
        assert_true(tuning.candidates > 0);
        check(&devices[d], &c, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_convolutions_match_the_sum),
        cmocka_unit_test(streamed_convolutions_match_the_sum),
        cmocka_unit_test(streams_work_in_the_scratch_that_they_are_given),
        cmocka_unit_test(splits_of_reals_lead_back),
        cmocka_unit_test(scales_near_the_limits_spare_finite_results),
        cmocka_unit_test(large_kernels_of_one_element_move_the_data),
        cmocka_unit_test(a_spectrum_is_the_transform_of_the_kernels),
        cmocka_unit_test(several_kernels_are_as_each_alone),
        cmocka_unit_test(parameters_that_mean_nothing_are_refused),
        cmocka_unit_test(executes_without_their_spectrum_are_refused),
        cmocka_unit_test(measured_convolutions_are_right),
    };
    device_count = devices_open(MOST_DEVICES, devices);
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    devices_close(device_count, devices);
    return failures;
}
