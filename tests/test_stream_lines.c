/* Lines of reals that are longer than a band come to what they come to in memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/storage.h"
#include "support/assert_status.h"
#include "support/failing.h"
#include "support/opencl.h"
#include "support/quota.h"
#include "support/random.h"
#include "support/vulkan.h"
#include "weft/weft.h"

static uint64_t seed;

/* Rows of reals, of which all or only the lines along them are transformed. */
struct sample {
    weft_params params;
    int64_t reals, spectrum; /* elements of the arrays on either side */
    bool ranged;
    int64_t first[2][2], count[2][2]; /* ... by side and axis */
};

/* Even or odd, a product of small primes, or any: then it has mostly a large one. */
static int64_t random_length(struct random *random, int64_t most)
{
    static const int64_t factors[] = {3, 5, 7, 9, 11, 13, 2, 2, 2, 4, 8, 16};
    const int64_t last = random_chance(random, 0.4) ? 5 : 11;
    if (random_chance(random, 0.3)) return random_between(random, most / 4, most);
    int64_t n = 1;
    for (;;) {
        const int64_t factor = factors[random_between(random, 0, last)];
        if (n * factor > most) return n;
        n *= factor;
    }
}

static bool is_real(const struct sample *sample, bool out)
{
    const weft_kind kind = sample->params.kind;
    return kind == (out ? WEFT_C2R : WEFT_R2C) || kind >= WEFT_DCT1;
}

static int64_t side_length(const struct sample *sample, bool out, int axis)
{
    const weft_params *p = &sample->params;
    const bool halved = axis == 1 && !is_real(sample, out) && p->kind != WEFT_C2C;
    return halved ? p->size[axis] / 2 + 1 : p->size[axis];
}

static size_t side_bytes(const struct sample *sample, bool out)
{
    const weft_params *p = &sample->params;
    const weft_storage own = storage_of_precision(p->precision);
    const weft_storage storage = out ? p->out_storage : p->in_storage;
    const int64_t numbers = is_real(sample, out) ? sample->reals : 2 * sample->spectrum;
    return (size_t)numbers * (size_t)storage_bytes(storage ? storage : own);
}

static double read_number(const struct sample *sample, bool out, const void *data, int64_t i)
{
    const weft_params *p = &sample->params;
    const weft_storage own = storage_of_precision(p->precision);
    const weft_storage storage = out ? p->out_storage : p->in_storage;
    return storage_read(storage ? storage : own, data, i);
}

static void random_ranges(struct random *random, struct sample *sample)
{
    const weft_params *p = &sample->params;
    sample->ranged = true;
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < 2; i++) {
            const int64_t n = side_length(sample, out, i);
            const bool all = (p->axes == 2 && i == 0) || random_chance(random, 0.3);
            const int64_t count = all ? n : random_between(random, 1, n);
            sample->count[out][i] = count;
            sample->first[out][i] = random_between(random, 0, n - count);
        }
    }
}

static struct sample random_sample(struct random *random, weft_kind kind, int64_t most)
{
    struct sample sample = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *p = &sample.params;
    int64_t n = random_length(random, most);
    if (kind == WEFT_DCT1) n++; /* their lines are twice what is one less, or more */
    if (kind == WEFT_DST1) n--;
    p->kind = kind;
    p->precision = random_chance(random, 0.3) ? WEFT_F32 : WEFT_F64;
    p->rank = 2;
    p->size[0] = random_between(random, kind == WEFT_DCT1 ? 2 : 1, 3);
    p->size[1] = n;
    p->axes = random_chance(random, 0.5) ? 3 : 2;
    if (kind >= WEFT_DCT1 && random_chance(random, 0.4)) /* not type I, for there may be one row */
        p->axis_kind[0] = (weft_kind)random_between(random, WEFT_DCT2, WEFT_DHT);
    p->batch = random_between(random, 1, 2);
    p->orthonormal = kind >= WEFT_DCT1 && random_chance(random, 0.3);
    sample.reals = p->batch * p->size[0] * n;
    sample.spectrum = p->batch * p->size[0] * (kind == WEFT_C2C ? n : n / 2 + 1);
    p->forward_scale = p->inverse_scale = random_chance(random, 0.5) ? 0 : 0.5 / sqrt((double)n);
    if (random_chance(random, 0.3)) p->load_hook = "x * (1 + k / n) - k1";
    if (random_chance(random, 0.3)) p->store_hook = "x / (2 + k1) + k / n";
    if (random_chance(random, 0.3)) p->in_storage = WEFT_STORED_F16;
    if (random_chance(random, 0.3)) p->out_storage = WEFT_STORED_F32;
    if (random_chance(random, 0.4)) random_ranges(random, &sample);
    return sample;
}

static weft_status run(weft_device *device, const struct sample *sample, int64_t limit,
                       weft_direction direction, void *x, void *y)
{
    weft_params params = sample->params;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    params.memory_limit = limit;
    if (sample->ranged) {
        params.in_first = sample->first[0];
        params.in_count = sample->count[0];
        params.out_first = sample->first[1];
        params.out_count = sample->count[1];
    }
    weft_status status = weft_plan_create(device, &params, &plan);
    if (!status) status = weft_buffer_wrap(device, x, side_bytes(sample, false), &in);
    if (!status) status = weft_buffer_wrap(device, y, side_bytes(sample, true), &out);
    if (!status) status = weft_execute(plan, direction, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    return status;
}

static void *random_input(struct random *random, const struct sample *sample)
{
    const weft_params *p = &sample->params;
    const weft_storage own = storage_of_precision(p->precision);
    const int64_t count = is_real(sample, false) ? sample->reals : 2 * sample->spectrum;
    void *x = malloc(side_bytes(sample, false));
    if (!x) abort();
    for (int64_t i = 0; i < count; i++)
        storage_write(p->in_storage ? p->in_storage : own, x, i, random_number(random));
    return x;
}

static double distance(const struct sample *sample, const void *y, const void *z)
{
    const int64_t count = is_real(sample, true) ? sample->reals : 2 * sample->spectrum;
    double apart = 0;
    for (int64_t i = 0; i < count; i++) {
        const double a = read_number(sample, true, y, i), b = read_number(sample, true, z, i);
        apart += (a - b) * (a - b);
    }
    return sqrt(apart);
}

/* Of all results, be they wanted or not. */
static double norm(weft_device *cpu, const struct sample *sample, weft_direction direction, void *x)
{
    struct sample whole = *sample;
    void *y = calloc(2, side_bytes(sample, true));
    if (!y) abort();
    for (int i = 0; i < 2; i++) {
        whole.first[1][i] = 0;
        whole.count[1][i] = side_length(sample, true, i);
    }
    assert_done(run(cpu, &whole, 0, direction, x, y));
    const double norm = distance(sample, y, (char *)y + side_bytes(sample, true));
    free(y);
    return norm;
}

/* Through so much memory, against the same in one piece. Whether that can be done. */
static bool compare(weft_device *device, weft_device *cpu, struct random *random,
                    const struct sample *sample, int64_t limit, weft_direction direction)
{
    const weft_params *p = &sample->params;
    const bool single = p->precision == WEFT_F32 || p->out_storage == WEFT_STORED_F32;
    void *x = random_input(random, sample);
    void *y = calloc(1, side_bytes(sample, true)), *z = calloc(1, side_bytes(sample, true));
    if (!y || !z) abort();
    const weft_status status = run(device, sample, limit, direction, x, y);
    if (status == WEFT_ERROR_UNSUPPORTED) assert_non_null(strstr(weft_last_error(), "of rows"));
    assert_done(run(cpu, sample, 0, direction, x, z));
    const double apart = status ? 0 : distance(sample, y, z) / norm(cpu, sample, direction, x);
    const bool done = status != WEFT_ERROR_UNSUPPORTED;
    if (done && (status || !(apart < (single ? 1e-6 : 2e-15)))) {
        fail_msg("kind %d, %lld x %lld x %lld, axes %u, limit %lld, direction %d, %s: %s, %g",
                 (int)p->kind, (long long)p->batch, (long long)p->size[0], (long long)p->size[1],
                 (unsigned)p->axes, (long long)limit, (int)direction,
                 sample->ranged ? "ranges" : "whole", status ? weft_last_error() : "inexact",
                 apart);
    }
    free(x);
    free(y);
    free(z);
    return done;
}

static void try_many(const char *name, int trials, int64_t most, const weft_kind *kinds, int count)
{
    weft_device *device = NULL, *cpu = NULL;
    struct random random = {seed};
    if (weft_device_open(name, &device)) skip();
    assert_done(weft_device_open("cpu", &cpu));
    for (struct quota quota = {.wanted = 2 * trials}; quota_open(&quota);) {
        const weft_kind kind = kinds[quota.drawn % count];
        const struct sample sample = random_sample(&random, kind, most);
        const int64_t line = sample.params.size[1] * (sample.params.precision == WEFT_F32 ? 8 : 16);
        const int64_t limit = random_between(&random, line / 5, line);
        quota.done += compare(device, cpu, &random, &sample, limit, WEFT_FORWARD);
        quota.done += compare(device, cpu, &random, &sample, limit, WEFT_INVERSE);
    }
    weft_device_close(&device);
    weft_device_close(&cpu);
}

static const weft_kind halves[] = {WEFT_R2C, WEFT_C2R, WEFT_C2C};

static void lines_of_reals_go_through_bands(void **state)
{
    (void)state;
    try_many("cpu", 90, 20000, halves, 3);
    try_many("null", 9, 1500, halves, 3);
}

static const weft_kind cosines[] = {WEFT_DCT2, WEFT_DCT3, WEFT_DHT,  WEFT_DST2, WEFT_DST3,
                                    WEFT_DCT1, WEFT_DST1, WEFT_DCT4, WEFT_DST4};

static void lines_of_cosines_go_through_bands(void **state)
{
    (void)state;
    try_many("cpu", 90, 10000, cosines, 9);
    try_many("null", 9, 1500, cosines, 9);
}

static void so_they_do_on_opencl(void **state)
{
    (void)state;
    try_many("opencl:0", 4, 4000, halves, 2);
    try_many("opencl:0", 2, 2000, cosines, 2);
}

static void so_they_do_on_vulkan(void **state)
{
    (void)state;
    try_many("vulkan:0", 4, 4000, halves, 2);
    try_many("vulkan:0", 2, 2000, cosines, 2);
}

static void so_they_do_on_the_device_named(void **state)
{
    (void)state;
    const char *name = getenv("WEFT_TEST_DEVICE");
    if (!name) skip();
    try_many(name, 20, 40000, halves, 2);
    try_many(name, 18, 10000, cosines, 9);
}

/* Of two rows, or two columns, half are all. */
static void halves_of_two_are_both(void **state)
{
    (void)state;
    enum { LENGTH = 2 * 139, LIMIT = 32 * LENGTH - 32 };
    weft_device *cpu = NULL;
    struct random random = {seed};
    assert_done(weft_device_open("cpu", &cpu));
    for (int i = 0; i < 2; i++) {
        struct sample sample = {
            .params = WEFT_PARAMS_DEFAULT, .reals = LENGTH, .spectrum = LENGTH / 2 + 1};
        sample.params.kind = halves[i];
        sample.params.precision = WEFT_F64;
        sample.params.size[0] = LENGTH;
        compare(cpu, cpu, &random, &sample, LIMIT, WEFT_FORWARD);
    }
    weft_device_close(&cpu);
}

struct streamed {
    weft_device *device;
    const struct sample *sample;
};

static weft_status run_streamed(void *context)
{
    static double x[4100], y[4100];
    const struct streamed *streamed = context;
    return run(streamed->device, streamed->sample, 8192, WEFT_FORWARD, x, y);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const weft_kind kinds[] = {WEFT_R2C, WEFT_C2R, WEFT_DCT2, WEFT_DCT2};
    static const int64_t length[] = {2048, 2048, 2048, 2039};
    for (int i = 0; i < 4; i++) {
        struct sample sample = {.params = WEFT_PARAMS_DEFAULT, .reals = 2048, .spectrum = 1025};
        weft_device *device = NULL;
        sample.params.kind = kinds[i];
        sample.params.precision = WEFT_F64;
        sample.params.size[0] = length[i];
        sample.params.load_hook = sample.params.store_hook = "x + k";
        assert_done(weft_device_open("cpu", &device));
        struct streamed streamed = {device, &sample};
        fail_each_allocation(run_streamed, &streamed);
        weft_device_close(&device);
    }
}

int main(void)
{
    seed = random_seed();
    test_opencl_prepare(WEFT_BINARY_DIR);
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_stream_lines");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_reals_go_through_bands),
        cmocka_unit_test(lines_of_cosines_go_through_bands),
        cmocka_unit_test(so_they_do_on_opencl),
        cmocka_unit_test(so_they_do_on_vulkan),
        cmocka_unit_test(so_they_do_on_the_device_named),
        cmocka_unit_test(halves_of_two_are_both),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("streamed lines", tests, NULL, NULL);
}
