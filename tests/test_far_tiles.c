/* Columns that come from beyond the caches are taken in wide tiles: that changes how many at once,
 * and by which codelets those that are left over go, but nothing else. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "device/cpu/engine.h"
#include "support/devices.h"
#include "support/numbers.h"
#include "support/random.h"
#include "weft/weft.h"

enum { NEAR, FAR, DEVICES, NUMBERS = 1 << 18 };

static uint64_t seed;

/* Whose second level is small, so that wide tiles leave it; its third keeps all or nothing. */
static weft_device *open_small(bool far)
{
    weft_device *device = devices_open_cpu("avx2");
    if (!device) return NULL;
    struct cpu_state *state = device->device.state;
    struct limits *limits = &device->device.limits;
    limits->shared_bytes = 24 * 1024;
    limits->cache_bytes[0] = 8 * 1024;
    limits->cache_bytes[1] = 32 * 1024;
    limits->cache_bytes[2] = far ? 1 : INT64_C(1) << 40;
    state->shared_cache_bytes = far ? 1 : INT64_C(1) << 40;
    return device;
}

static weft_params random_params(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_C2C,  WEFT_C2C,  WEFT_R2C,  WEFT_C2R,
                                      WEFT_DCT2, WEFT_DCT3, WEFT_DCT4, WEFT_DHT};
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = kinds[random_between(random, 0, 7)];
    params.precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params.threads = (int)random_between(random, 1, 3);
    params.rank = (int)random_between(random, 1, 2);
    params.size[0] = random_between(random, 100, 1200);
    if (params.rank == 2) params.size[1] = random_between(random, 3, 100);
    else params.size[0] *= random_between(random, 4, 60);
    if (random_chance(random, 0.3)) params.size[0] = INT64_C(1) << random_between(random, 8, 10);
    return params;
}

/* The largest difference over the largest result. */
static double difference(const void *a, const void *b, weft_precision precision)
{
    double most = 0, largest = 0;
    for (int64_t i = 0; i < NUMBERS; i++) {
        const double x = number_at(precision, a, i), y = number_at(precision, b, i);
        most = fmax(most, fabs(x - y));
        largest = fmax(largest, fabs(x));
    }
    return most / fmax(largest, 1e-30);
}

/* Whose input may be overwritten. */
static void run(weft_device *device, const weft_params *params, weft_direction direction,
                const double *data, double *results)
{
    const size_t bytes = NUMBERS * sizeof *data;
    double *copy = malloc(bytes);
    assert_non_null(copy);
    memcpy(copy, data, bytes);
    memset(results, 0, bytes);
    numbers_transform(device, params, direction, copy, bytes, results, bytes);
    free(copy);
}

static void check(weft_device *const *device, struct random *random, double *data, double *results)
{
    const weft_params params = random_params(random);
    const bool inverse = params.kind != WEFT_R2C && params.kind != WEFT_C2R;
    const weft_direction direction =
        inverse && random_between(random, 0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    double *far = results + NUMBERS;
    numbers_fill(params.precision, data, NUMBERS, random);
    run(device[NEAR], &params, direction, data, results);
    run(device[FAR], &params, direction, data, far);
    const double limit = params.precision == WEFT_F64 ? 1e-13 : 1e-5;
    if (difference(results, far, params.precision) > limit)
        fail_msg("seed %llu: kind %d, %lld x %lld, precision %d", (unsigned long long)seed,
                 (int)params.kind, (long long)params.size[0], (long long)params.size[1],
                 (int)params.precision);
}

static void results_are_those_of_narrow_tiles(void **state)
{
    (void)state;
    struct random random = {seed};
    weft_device *device[DEVICES] = {open_small(false), open_small(true)};
    double *data = malloc(NUMBERS * sizeof *data), *results = malloc(2 * NUMBERS * sizeof *data);
    assert_true(data && results);
    for (int i = 0; i < 60 && device[NEAR] && device[FAR]; i++)
        check(device, &random, data, results);
    for (int d = 0; d < DEVICES; d++) weft_device_close(&device[d]);
    free(results);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_narrow_tiles),
    };
    seed = random_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
