/* Lines of large batches are asked for ahead, their steps cut into pieces in between: that changes
 * when, not what, but for the roundings of the other codelets by which they go. */
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

#include "api/handles.h"
#include "device/cpu/engine.h"
#include "run/executable.h"
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/random.h"
#include "weft/weft.h"

enum { BEHIND, AHEAD, DEVICES };

static uint64_t seed;
static const char *const isas[] = {NULL, "avx2", "sse2", "scalar"};

/* Devices that are the same but for the share of the cache that they believe to have. */
struct pair {
    weft_device *device[DEVICES];
};

static bool open_pair(struct pair *pair, const char *isa)
{
    for (int d = 0; d < DEVICES; d++) {
        pair->device[d] = devices_open_cpu(isa);
        if (!pair->device[d]) return false;
        struct cpu_state *state = pair->device[d]->device.state;
        state->shared_cache_bytes = d == AHEAD ? 0 : INT64_MAX;
    }
    return true;
}

static void close_pair(struct pair *pair)
{
    for (int d = 0; d < DEVICES; d++) weft_device_close(&pair->device[d]);
}

struct batch {
    weft_params params;
    weft_direction direction;
    bool in_place;
    size_t bytes;
    int64_t reals;
};

static void measure(struct batch *batch)
{
    batch->reals = 2 * batch->params.in_distance * batch->params.batch;
    batch->bytes = (size_t)batch->reals * (batch->params.precision == WEFT_F64 ? 8 : 4);
}

static struct batch random_batch(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_C2C,  WEFT_R2C,
                                      WEFT_C2R, WEFT_DCT2, WEFT_DST2};
    struct batch batch = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *params = &batch.params;
    static const int64_t primes[] = {211, 257, 509, 1009, 1013, 2521, 4099, 5003};
    static const int64_t lengths[] = {40, 300, 6000};
    const int64_t most = lengths[random_between(random, 0, 2)];
    params->kind = kinds[random_between(random, 0, 5)];
    params->precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params->size[0] = random_between(random, 1, most);
    if (random_chance(random, 0.25)) params->size[0] = primes[random_between(random, 0, 7)];
    else if (random_chance(random, 0.3)) params->size[0] = 32 * random_between(random, 16, 128);
    params->batch = random_between(random, 1, 200000 / (params->size[0] + 200));
    params->threads = (int)random_between(random, 1, 2);
    params->in_distance = params->out_distance = params->size[0] + 2 * random_between(random, 1, 9);
    batch.direction = params->kind == WEFT_C2C && random_between(random, 0, 1) ? WEFT_INVERSE
                                                                                 : WEFT_FORWARD;
    if (params->kind == WEFT_C2C && random_chance(random, 0.3)) params->format = WEFT_PLANAR;
    batch.in_place = params->kind == WEFT_C2C && random_between(random, 0, 1);
    measure(&batch);
    return batch;
}

/* Lines one behind the other. */
static struct batch short_lines(struct random *random, int64_t n, weft_precision precision)
{
    struct batch batch = {.params = WEFT_PARAMS_DEFAULT};
    batch.params.precision = precision;
    batch.params.size[0] = batch.params.in_distance = batch.params.out_distance = n;
    batch.params.batch = random_between(random, 1, 300);
    batch.params.threads = (int)random_between(random, 1, 2);
    batch.direction = random_between(random, 0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    batch.in_place = random_between(random, 0, 1);
    measure(&batch);
    return batch;
}

static void *filled(const struct batch *batch, struct random *random)
{
    void *data = malloc(batch->bytes);
    assert_non_null(data);
    for (int64_t i = 0; i < batch->reals; i++) {
        const double x = random_number(random);
        if (batch->params.precision == WEFT_F64) ((double *)data)[i] = x;
        else ((float *)data)[i] = (float)x;
    }
    return data;
}

static weft_buffer *wrap(const struct batch *batch, weft_device *device, char *data)
{
    weft_buffer *buffer = NULL;
    const size_t half = batch->bytes / 2;
    assert_done(batch->params.format == WEFT_PLANAR
                    ? weft_buffer_wrap_planar(device, data, data + half, half, &buffer)
                    : weft_buffer_wrap(device, data, batch->bytes, &buffer));
    return buffer;
}

/* Returns the output, of which the gaps are as the input's. */
static void *transform(const struct batch *batch, weft_device *device, const void *data)
{
    char *in = malloc(batch->bytes), *out = malloc(batch->bytes);
    weft_plan *plan = NULL;
    weft_buffer *from = NULL, *to = NULL;
    assert_true(in && out);
    memcpy(in, data, batch->bytes);
    memcpy(out, data, batch->bytes);
    assert_done(weft_plan_create(device, &batch->params, &plan));
    from = wrap(batch, device, batch->in_place ? out : in);
    to = wrap(batch, device, out);
    assert_done(weft_execute(plan, batch->direction, from, to));
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&from);
    weft_plan_destroy(&plan);
    free(in);
    return out;
}

static double value(const struct batch *batch, const void *data, int64_t i)
{
    return batch->params.precision == WEFT_F64 ? ((const double *)data)[i]
                                               : (double)((const float *)data)[i];
}

static double difference(const struct batch *batch, const void *x, const void *y)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < batch->reals; i++) {
        const double a = value(batch, x, i), b = value(batch, y, i);
        off += (a - b) * (a - b);
        norm += b * b;
    }
    return sqrt(off / norm);
}

/* Both devices' outputs differ by so much at most, relatively. */
static void check(const struct batch *batch, const struct pair *pair, struct random *random,
                  double most)
{
    void *data = filled(batch, random);
    void *behind = transform(batch, pair->device[BEHIND], data);
    void *ahead = transform(batch, pair->device[AHEAD], data);
    const double off = difference(batch, behind, ahead);
    if (!(off <= most)) {
        fail_msg("seed %llu: %lld @ %lld, kind %d, precision %d, direction %d: off by %g%s",
                 (unsigned long long)seed, (long long)batch->params.size[0],
                 (long long)batch->params.batch, (int)batch->params.kind,
                 (int)batch->params.precision, (int)batch->direction, off,
                 batch->in_place ? ", in place" : "");
    }
    free(ahead);
    free(behind);
    free(data);
}

/* Compilers may fuse other operations in codelets that ask ahead or store past the caches. */
static double rounding(const struct batch *batch)
{
    return batch->params.precision == WEFT_F64 ? 1e-15 : 5e-7;
}

/* Of the caches of both devices alike. */
typedef void shrink_caches(struct limits *limits);

/* So many of what is made, with every instruction set; NULL: the caches stay. */
static void check_all(struct batch make(struct random *), int count, shrink_caches *shrink)
{
    struct random random = {seed};
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        struct pair pair = {{NULL}};
        const bool opened = open_pair(&pair, isas[i]);
        for (int d = 0; d < DEVICES && opened && shrink; d++)
            shrink(&pair.device[d]->device.limits);
        for (int k = 0; k < count && opened; k++) {
            const struct batch batch = make(&random);
            check(&batch, &pair, &random, rounding(&batch));
        }
        close_pair(&pair);
    }
}

static void batches_are_the_same_whether_or_not_lines_are_asked_for_ahead(void **state)
{
    (void)state;
    check_all(random_batch, 80, NULL);
}

static void lines_one_by_one_are_as_a_lane_each(void **state)
{
    (void)state;
    struct random random = {seed};
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        struct pair pair = {{NULL}};
        const bool opened = open_pair(&pair, isas[i]);
        if (opened) pair.device[AHEAD]->device.limits.cache_bytes[1] = 0;
        for (int n = 2; n <= 16 && opened; n++) {
            const struct batch single = short_lines(&random, n, WEFT_F32);
            const struct batch twice = short_lines(&random, n, WEFT_F64);
            check(&single, &pair, &random, 5e-7);
            check(&twice, &pair, &random, 1e-15);
        }
        close_pair(&pair);
    }
}

/* With caches so small that they are split, of lines of a cache in each tile. What is asked for of
 * the next tile stays in the larger second levels. */
static struct batch long_lines(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_DHT};
    static const int64_t lengths[] = {4096, 6561, 8192, 10000, 12288, 14400, 16384};
    struct batch batch = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *params = &batch.params;
    params->kind = kinds[random_between(random, 0, 2)];
    params->precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params->size[0] = lengths[random_between(random, 0, 6)];
    params->batch = random_between(random, 1, 3);
    params->threads = (int)random_between(random, 1, 2);
    params->in_distance = params->out_distance = params->size[0] + 2;
    batch.direction = params->kind == WEFT_C2C && random_between(random, 0, 1) ? WEFT_INVERSE
                                                                                 : WEFT_FORWARD;
    if (params->kind == WEFT_C2C && random_chance(random, 0.3)) params->format = WEFT_PLANAR;
    measure(&batch);
    return batch;
}

static void long_lines_past_the_caches_are_the_same(void **state)
{
    (void)state;
    struct random random = {seed};
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        struct pair pair = {{NULL}};
        const bool opened = open_pair(&pair, isas[i]);
        const int64_t second = INT64_C(32768) << random_between(&random, 0, 2);
        for (int d = 0; d < DEVICES && opened; d++) {
            int64_t *cache = pair.device[d]->device.limits.cache_bytes;
            pair.device[d]->device.limits.shared_bytes = cache[0] = 32768;
            cache[1] = second;
        }
        for (int k = 0; k < 60 && opened; k++) {
            const struct batch batch = long_lines(&random);
            check(&batch, &pair, &random, rounding(&batch));
        }
        close_pair(&pair);
    }
}

/* Several axes at once for each of some outer counts; of reals rows that are whole lines of the
 * cache. */
static struct batch random_cube(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_DCT1, WEFT_DCT2, WEFT_DST2, WEFT_DHT};
    struct batch batch = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *params = &batch.params;
    int64_t elements = 1;
    const bool whole = random_chance(random, 0.5);
    params->rank = (int)random_between(random, 2, 3);
    for (int axis = 0; axis < params->rank; axis++) {
        params->size[axis] = random_between(random, 2, params->rank == 3 ? 36 : 130);
        if (axis == params->rank - 1 && whole)
            params->size[axis] = 16 * random_between(random, 1, 4);
        elements *= params->size[axis];
    }
    if (whole) params->kind = kinds[random_between(random, 0, 3)];
    params->precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params->batch = random_between(random, 1, 4);
    params->threads = (int)random_between(random, 1, 4);
    params->in_distance = params->out_distance = elements;
    batch.direction = random_between(random, 0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    batch.in_place = random_between(random, 0, 1);
    measure(&batch);
    return batch;
}

static void small_second_level(struct limits *limits)
{
    limits->cache_bytes[1] = 65536;
}

static void cubes_past_the_caches_are_the_same(void **state)
{
    (void)state;
    check_all(random_cube, 60, small_second_level);
}

/* Convolutions of several passes, whose columns past the caches are read and written in long
 * runs. */
static struct batch far_prime(struct random *random)
{
    static const int64_t primes[] = {4099, 5003, 8191, 10007, 12289, 16411};
    struct batch batch = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *params = &batch.params;
    params->precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params->size[0] = primes[random_between(random, 0, 5)];
    params->batch = random_between(random, 1, 2);
    params->threads = (int)random_between(random, 1, 4);
    params->in_distance = params->out_distance = params->size[0] + 2;
    params->inverse_scale = 0.5;
    batch.direction = random_between(random, 0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    batch.in_place = random_between(random, 0, 1);
    if (random_chance(random, 0.3)) params->format = WEFT_PLANAR;
    measure(&batch);
    return batch;
}

static void tiny_caches(struct limits *limits)
{
    limits->shared_bytes = 32768;
    limits->cache_bytes[0] = 4096;
    limits->cache_bytes[1] = 131072;
}

static void primes_past_the_caches_are_the_same(void **state)
{
    (void)state;
    check_all(far_prime, 20, tiny_caches);
}

/* Lines without gaps, whose results begin anywhere in a line of the cache: halves of spectra too,
 * and in place those whose rows are padded. */
static struct batch packed_lines(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R};
    struct batch batch = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *params = &batch.params;
    params->kind = kinds[random_between(random, 0, 2)];
    params->precision = random_between(random, 0, 1) ? WEFT_F64 : WEFT_F32;
    params->size[0] = 2 * random_between(random, 4, random_chance(random, 0.5) ? 48 : 200);
    params->batch = random_between(random, 1, 100);
    params->threads = (int)random_between(random, 1, 2);
    params->forward_scale = random_chance(random, 0.3) ? 0.75 : 0;
    if (params->kind == WEFT_C2C && random_between(random, 0, 1)) batch.direction = WEFT_INVERSE;
    if (params->kind == WEFT_C2C) params->size[0] -= random_between(random, 0, 1);
    batch.in_place = random_chance(random, 0.3);
    params->in_offset = 2 * random_between(random, 0, 9);
    params->out_offset = batch.in_place ? params->in_offset : random_between(random, 0, 17);
    const int64_t n = params->size[0], half = n / 2 + 1;
    const int64_t apart = random_chance(random, 0.3) ? random_between(random, 0, n + 2) : 0;
    if (params->kind == WEFT_C2C) {
        params->in_distance = n + (batch.in_place ? 0 : apart);
    } else if (params->kind == WEFT_R2C) {
        params->in_distance = batch.in_place ? 2 * half : n + apart / 2 * 2;
        params->out_distance = half;
        if (batch.in_place) params->out_offset /= 2;
    } else if (params->kind == WEFT_C2R) {
        params->in_distance = half + (batch.in_place ? 0 : apart / 2);
        params->out_distance = batch.in_place ? 2 * half : n;
        if (batch.in_place) params->in_offset /= 2;
    }
    batch.reals = 4 * (n + 2) * params->batch + 40;
    batch.bytes = (size_t)batch.reals * (params->precision == WEFT_F64 ? 8 : 4);
    return batch;
}

static void packed_lines_past_the_caches_are_the_same(void **state)
{
    (void)state;
    check_all(packed_lines, 300, NULL);
}

static bool goes_past(weft_device *device, const weft_params *params)
{
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, params, &plan));
    const struct kernel *kernel = plan->executable->kernel[0];
    const bool past = kernel->past;
    assert_true(past == (kernel->in_place != NULL));
    if (past) assert_false(kernel->in_place->past);
    weft_plan_destroy(&plan);
    return past;
}

static void short_lines_one_behind_the_other_go_past_the_caches(void **state)
{
    (void)state;
    struct pair pair = {{NULL}};
    if (open_pair(&pair, "avx2")) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.precision = WEFT_F64;
        params.size[0] = 64;
        params.batch = 40;
        assert_true(goes_past(pair.device[AHEAD], &params));
        assert_false(goes_past(pair.device[BEHIND], &params));
        params.in_distance = 128;
        assert_true(goes_past(pair.device[AHEAD], &params));
        params.in_distance = 1000;
        assert_false(goes_past(pair.device[AHEAD], &params));
        params.in_distance = 0;
        params.out_distance = 65;
        assert_false(goes_past(pair.device[AHEAD], &params));
        params.out_distance = 0;
        params.rank = 2;
        params.size[1] = 64;
        assert_false(goes_past(pair.device[AHEAD], &params));
    }
    close_pair(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_are_the_same_whether_or_not_lines_are_asked_for_ahead),
        cmocka_unit_test(lines_one_by_one_are_as_a_lane_each),
        cmocka_unit_test(long_lines_past_the_caches_are_the_same),
        cmocka_unit_test(primes_past_the_caches_are_the_same),
        cmocka_unit_test(cubes_past_the_caches_are_the_same),
        cmocka_unit_test(packed_lines_past_the_caches_are_the_same),
        cmocka_unit_test(short_lines_one_behind_the_other_go_past_the_caches),
    };
    seed = random_seed();
    return cmocka_run_group_tests_name("ahead", tests, NULL, NULL);
}
