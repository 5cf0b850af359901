/* Plans with a memory_limit: arrays that are more than they may use go through it a band at a time,
 * and come to what the definition says. On the GPU that WEFT_TEST_DEVICE names, too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/storage.h"
#include "support/assert_status.h"
#include "support/exact_check.h"
#include "support/opencl.h"
#include "support/quota.h"
#include "support/random.h"
#include "support/streamed.h"
#include "support/trial.h"
#include "support/vulkan.h"
#include "weft/weft.h"

enum { CPU_TRIALS = 150, EVALUATED_TRIALS = 40 };

/* What the direct sum can do. */
static const struct trial_range range = {300, 1200, 5, 2, true, true, false};
static const struct trial_range with_ranges = {300, 1200, 5, 2, true, true, true};
static uint64_t seed;

static size_t element_bytes(const struct trial *trial)
{
    return trial->params.precision == WEFT_F64 ? 16 : 8;
}

/* Whether there was memory enough to split it. */
static bool try_one(struct random *random, weft_device *device, const char *name,
                    const struct trial_range *of)
{
    struct trial trial;
    trial_random(random, of, &trial);
    trial_straighten(&trial);
    const int64_t bytes = trial_elements(&trial) * (int64_t)element_bytes(&trial);
    trial.params.memory_limit = random_between(random, bytes / 4 + 512, 4 * bytes + 512);
    const weft_params params = trial_params(&trial);
    weft_plan *plan = NULL;
    const weft_status status = weft_plan_create(device, &params, &plan);
    if (status == WEFT_ERROR_UNSUPPORTED) return false;
    assert_done(status);
    char told[80];
    snprintf(told, sizeof told, "%s, limit %lld bytes", name, (long long)params.memory_limit);
    const struct exact_check check = {told, device, &trial, plan, 1.5};
    exact_check(&check, random, WEFT_FORWARD);
    exact_check(&check, random, WEFT_INVERSE);
    weft_plan_destroy(&plan);
    return true;
}

static void try_many(const char *name, int trials, const struct trial_range *of)
{
    weft_device *device = NULL;
    struct random random = {seed};
    const int64_t before = memory_live_blocks();
    assert_done(weft_device_open(name, &device));
    for (struct quota quota = {.wanted = trials}; quota_open(&quota);)
        quota.done += try_one(&random, device, name, of);
    weft_device_close(&device);
    assert_int_equal(memory_live_blocks(), before);
}

static void bands_come_to_what_the_definition_says(void **state)
{
    (void)state;
    try_many("cpu", CPU_TRIALS, &range);
    try_many("null", EVALUATED_TRIALS, &range);
}

static void bands_take_ranges_to_what_the_definition_says(void **state)
{
    (void)state;
    try_many("cpu", CPU_TRIALS, &with_ranges);
    try_many("null", EVALUATED_TRIALS, &with_ranges);
}

/* ---- long lines ---- */

/* Two plans for so many elements. */
static void compare_plans(weft_device *device, const weft_plan *streamed, const weft_plan *whole,
                          int64_t n)
{
    struct random random = {seed};
    const size_t bytes = (size_t)n * 2 * sizeof(double);
    double *x = streamed_numbers(&random, n), *y = streamed_numbers(&random, n),
           *z = streamed_numbers(&random, n);
    streamed_forward(device, streamed, x, y, bytes);
    streamed_forward(device, whole, x, z, bytes);
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < 2 * n; i++) {
        difference += (y[i] - z[i]) * (y[i] - z[i]);
        norm += z[i] * z[i];
    }
    assert_true(sqrt(difference / norm) < 1e-14);
    free(x);
    free(y);
    free(z);
}

/* One line through an eighth of what it takes, against the same in one piece. */
static void compare_line(const char *name, int64_t n)
{
    weft_device *device = NULL;
    if (weft_device_open(name, &device)) skip();
    const int64_t bytes = n * 2 * (int64_t)sizeof(double);
    weft_plan *streamed = streamed_line(device, n, bytes / 8);
    weft_plan *whole = streamed_line(device, n, 0);
    weft_plan_info info;
    assert_done(weft_plan_describe(streamed, &info));
    assert_int_equal(info.passes, 2);
    assert_int_equal(info.scratch_bytes, bytes);
    compare_plans(device, streamed, whole, n);
    weft_plan_destroy(&streamed);
    weft_plan_destroy(&whole);
    weft_device_close(&device);
}

/* Lines that are convolved take more scratch than their band has. */
static void lines_of_primes_go_through_bands(void **state)
{
    (void)state;
    enum { LENGTH = 4099, LINES = 6, LIMIT = 300000 };
    weft_device *device = NULL;
    assert_done(weft_device_open("null", &device));
    weft_plan *streamed = streamed_lines(device, LENGTH, LINES, LIMIT);
    weft_plan *whole = streamed_lines(device, LENGTH, LINES, 0);
    compare_plans(device, streamed, whole, LENGTH * LINES);
    weft_plan_destroy(&streamed);
    weft_plan_destroy(&whole);
    weft_device_close(&device);
}

static void a_line_longer_than_memory_takes_two_sweeps(void **state)
{
    (void)state;
    compare_line("cpu", 1 << 18);
    compare_line("cpu", 3 * 5 * 7 * 11 * 13 * 16);
    compare_line("null", 1 << 12);
    compare_line("null", 37 * 64);
}

static weft_plan *plan_extended_line(weft_device *device, weft_kind kind, bool orthonormal,
                                     int64_t n, int64_t limit)
{
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = kind;
    params.precision = WEFT_DD;
    params.orthonormal = orthonormal;
    params.size[0] = n;
    params.memory_limit = limit;
    assert_done(weft_plan_create(device, &params, &plan));
    return plan;
}

enum { MOST_EXTENDED = 1024 }; /* numbers of a line in double-double */

/* Every real is a double and what it lacks. */
static void compare_extended_line(weft_device *device, weft_kind kind, bool orthonormal, int64_t n)
{
    static double x[4 * MOST_EXTENDED], y[4 * MOST_EXTENDED], z[4 * MOST_EXTENDED];
    const size_t bytes = 4 * (size_t)n * sizeof *x;
    struct random random = {seed};
    for (int64_t i = 0; i < 4 * n; i += 2)
        x[i] = random_number(&random);
    weft_plan *streamed = plan_extended_line(device, kind, orthonormal, n, (int64_t)bytes / 4);
    weft_plan *whole = plan_extended_line(device, kind, orthonormal, n, 0);
    streamed_forward(device, streamed, x, y, bytes);
    streamed_forward(device, whole, x, z, bytes);
    for (int64_t i = 0; i < 4 * n; i += 2)
        assert_true(fabs((y[i] - z[i]) + (y[i + 1] - z[i + 1])) < 1e-28);
    weft_plan_destroy(&streamed);
    weft_plan_destroy(&whole);
}

static void all_digits_of_double_double_go_through_bands(void **state)
{
    (void)state;
    weft_device *device = NULL;
    assert_done(weft_device_open("cpu", &device));
    for (int i = 0; i < 2 * (WEFT_DHT + 1); i++)
        compare_extended_line(device, (weft_kind)(i / 2), i % 2, MOST_EXTENDED);
    weft_device_close(&device);
}

/* A line of them by itself, in every kind. */
static void a_prime_longer_than_memory_is_a_convolution(void **state)
{
    (void)state;
    weft_device *device = NULL;
    assert_done(weft_device_open("cpu", &device));
    for (int i = 0; i <= WEFT_DHT; i++)
        compare_extended_line(device, (weft_kind)i, false, 1009);
    weft_device_close(&device);
}

static void so_it_does_on_opencl(void **state)
{
    (void)state;
    compare_line("opencl:0", 1 << 12);
}

static void so_it_does_on_vulkan(void **state)
{
    (void)state;
    compare_line("vulkan:0", 1 << 12);
}

/* ---- storages ---- */

enum { STORED_ROWS = 27, STORED_COLUMNS = 50, HALF_COLUMNS = STORED_COLUMNS / 2 + 1 };

/* Rows of bytes to halves of spectra, in halves, each through expressions that know its place. */
static void transform_bytes(weft_device *device, int64_t limit, uint8_t *x, uint16_t *y, int passes)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    weft_plan_info info;
    weft_buffer *in = NULL, *out = NULL;
    params.kind = WEFT_R2C;
    params.rank = 2;
    params.size[0] = STORED_ROWS;
    params.size[1] = STORED_COLUMNS;
    params.forward_scale = 0.0625; /* of the sum, which halves would not hold */
    params.in_storage = WEFT_STORED_U8;
    params.out_storage = WEFT_STORED_F16;
    params.load_hook = "x * (1 + k0 / n0) - k";
    params.store_hook = "x / (1 + k) + k0";
    params.memory_limit = limit;
    assert_done(weft_plan_create(device, &params, &plan));
    assert_done(weft_plan_describe(plan, &info));
    assert_int_equal(info.passes, passes);
    assert_done(weft_buffer_wrap(device, x, STORED_ROWS * STORED_COLUMNS, &in));
    assert_done(weft_buffer_wrap(device, y, sizeof *y * 2 * STORED_ROWS * HALF_COLUMNS, &out));
    assert_done(weft_execute(plan, WEFT_FORWARD, in, out));
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
}

/* What lies between the two passes has all digits. */
static void compare_storages(const char *name)
{
    enum { NUMBERS = 2 * STORED_ROWS * HALF_COLUMNS };
    static uint8_t x[STORED_ROWS * STORED_COLUMNS];
    static uint16_t y[NUMBERS], z[NUMBERS];
    weft_device *device = NULL, *cpu = NULL;
    if (weft_device_open(name, &device)) skip();
    assert_done(weft_device_open("cpu", &cpu));
    for (int i = 0; i < STORED_ROWS * STORED_COLUMNS; i++)
        x[i] = (uint8_t)(i * i % 251);
    transform_bytes(device, 3000, x, y, 2);
    transform_bytes(cpu, 1 << 20, x, z, 1);
    for (int i = 0; i < NUMBERS; i++) {
        const double a = storage_read(WEFT_STORED_F16, y, i);
        const double b = storage_read(WEFT_STORED_F16, z, i);
        assert_true(fabs(a - b) <= 2e-3 * fabs(b) + 0.01);
    }
    weft_device_close(&device);
    weft_device_close(&cpu);
}

static void bytes_are_streamed_to_halves(void **state)
{
    (void)state;
    compare_storages("cpu");
    compare_storages("null");
}

static void so_they_are_on_opencl(void **state)
{
    (void)state;
    compare_storages("opencl:0");
}

static void so_they_are_on_vulkan(void **state)
{
    (void)state;
    compare_storages("vulkan:0");
}

static void so_they_all_are_on_the_device_named(void **state)
{
    (void)state;
    const char *name = getenv("WEFT_TEST_DEVICE");
    if (!name) skip();
    try_many(name, EVALUATED_TRIALS, &range);
    try_many(name, EVALUATED_TRIALS, &with_ranges);
    compare_line(name, 1 << 12);
    compare_storages(name);
}

static void memory_too_small_for_anything_is_refused(void **state)
{
    (void)state;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 10007;
    assert_done(weft_device_open("cpu", &device));
    params.memory_limit = 2000;
    assert_refused(weft_plan_create(device, &params, &plan), WEFT_ERROR_UNSUPPORTED, "streamed");
    params.memory_limit = 8;
    assert_refused(weft_plan_create(device, &params, &plan), WEFT_ERROR_UNSUPPORTED, "too few");
    params.memory_limit = -1;
    assert_refused(weft_plan_create(device, &params, &plan), WEFT_ERROR_ARGUMENT, "memory_limit");
    weft_device_close(&device);
}

int main(void)
{
    seed = random_seed();
    test_opencl_prepare(WEFT_BINARY_DIR);
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_stream");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bands_come_to_what_the_definition_says),
        cmocka_unit_test(bands_take_ranges_to_what_the_definition_says),
        cmocka_unit_test(a_line_longer_than_memory_takes_two_sweeps),
        cmocka_unit_test(lines_of_primes_go_through_bands),
        cmocka_unit_test(all_digits_of_double_double_go_through_bands),
        cmocka_unit_test(a_prime_longer_than_memory_is_a_convolution),
        cmocka_unit_test(so_it_does_on_opencl),
        cmocka_unit_test(so_it_does_on_vulkan),
        cmocka_unit_test(bytes_are_streamed_to_halves),
        cmocka_unit_test(so_they_are_on_opencl),
        cmocka_unit_test(so_they_are_on_vulkan),
        cmocka_unit_test(so_they_all_are_on_the_device_named),
        cmocka_unit_test(memory_too_small_for_anything_is_refused),
    };
    return cmocka_run_group_tests_name("streams", tests, NULL, NULL);
}
