/* Results that begin anywhere in a line of the cache, as rows or as a whole array, go past the
 * caches by way of a workspace: they are the same as those that a last step writes where they
 * belong, which it does where the array does not begin at a number. */
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
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/random.h"
#include "weft/weft.h"

enum { LINE = 64 };

static uint64_t seed;

/* Caches so small that lines are split whose results leave the second level. */
static weft_device *open_small(const char *isa)
{
    weft_device *device = devices_open_cpu(isa);
    if (!device) return NULL;
    struct limits *limits = &device->device.limits;
    limits->shared_bytes = 32768;
    limits->cache_bytes[0] = 4096;
    limits->cache_bytes[1] = 131072;
    return device;
}

static weft_params random_params(struct random *random)
{
    static const int64_t lengths[] = {16807, 17325, 19683, 23625, 24057, 26411, 28125, 30375,
                                      16384, 20480, 24576, 32768};
    const int count = sizeof lengths / sizeof *lengths;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params.size[0] = lengths[random_between(random, 0, count - 1)];
    params.batch = random_between(random, 1, 3);
    params.out_distance = params.size[0] + random_between(random, 0, 9);
    params.threads = (int)random_between(random, 1, 4);
    if (random_chance(random, 0.2)) params.inverse_scale = 0.5;
    return params;
}

static bool is_ragged(const weft_plan *plan)
{
    static char text[20000];
    weft_plan_info info;
    bool ragged = false;
    assert_done(weft_plan_describe(plan, &info));
    for (int p = 0; p < info.passes; p++) {
        weft_plan_source(plan, p, text, sizeof text);
        ragged = ragged || strstr(text, "ragged rows");
    }
    return ragged;
}

/* Reals of both kinds; some are left around the output. */
static size_t output_bytes(const weft_params *params)
{
    const size_t number = params->precision == WEFT_F64 ? 16 : 8;
    return (size_t)(params->out_distance * params->batch) * number;
}

/* Into `out`, which begins so many bytes behind a line's edge and has other bytes around. */
static void transform(weft_device *device, const weft_plan *plan, weft_direction direction,
                      char *data, char *block, size_t bytes, size_t past)
{
    weft_buffer *from = NULL, *to = NULL;
    memset(block, 0x55, bytes + 3 * LINE);
    char *edge = block + (LINE - (uintptr_t)block % LINE) % LINE;
    assert_done(weft_buffer_wrap(device, data, bytes, &from));
    assert_done(weft_buffer_wrap(device, edge + past, bytes, &to));
    assert_done(weft_execute(plan, direction, from, to));
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&from);
    for (char *b = block; b < edge + past; b++) assert_int_equal(*b, 0x55);
    for (char *b = edge + past + bytes; b < block + bytes + 3 * LINE; b++)
        assert_int_equal(*b, 0x55);
    memmove(block, edge + past, bytes);
}

static void fill(char *data, size_t bytes, weft_precision precision, struct random *random)
{
    for (size_t i = 0; i < bytes / 8 && precision == WEFT_F64; i++)
        ((double *)data)[i] = random_number(random);
    for (size_t i = 0; i < bytes / 4 && precision == WEFT_F32; i++)
        ((float *)data)[i] = (float)random_number(random);
}

/* Returns whether there were such rows. */
static bool check(weft_device *device, struct random *random)
{
    const weft_params params = random_params(random);
    const weft_direction direction = random_between(random, 0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    const size_t bytes = output_bytes(&params), real = params.precision == WEFT_F64 ? 8 : 4;
    char *data = malloc(bytes), *rows = malloc(bytes + 3 * LINE), *there = malloc(bytes + 3 * LINE);
    weft_plan *plan = NULL;
    assert_true(data && rows && there);
    fill(data, bytes, params.precision, random);
    assert_done(weft_plan_create(device, &params, &plan));
    const bool ragged = is_ragged(plan);
    const size_t numbers = (size_t)random_between(random, 0, (int)(LINE / 2 / real) - 1);
    transform(device, plan, direction, data, rows, bytes, 2 * real * numbers);
    transform(device, plan, direction, data, there, bytes, real);
    if (memcmp(rows, there, bytes) != 0)
        fail_msg("seed %llu: %lld, precision %d", (unsigned long long)seed,
                 (long long)params.size[0], (int)params.precision);
    weft_plan_destroy(&plan);
    free(there);
    free(rows);
    free(data);
    return ragged;
}

static void rows_are_the_same_wherever_lines_begin(void **state)
{
    (void)state;
    static const char *const isas[] = {NULL, "avx512", "avx2", "sse2"};
    struct random random = {seed};
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = open_small(isas[i]);
        int ragged = 0;
        if (!device) continue;
        for (int k = 0; k < 25; k++) ragged += check(device, &random);
        const bool streams = isas[i] && strncmp(isas[i], "avx", 3) == 0;
        if (streams) assert_true(ragged > 0);
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_same_wherever_lines_begin),
    };
    seed = random_seed();
    return cmocka_run_group_tests_name("ragged", tests, NULL, NULL);
}
