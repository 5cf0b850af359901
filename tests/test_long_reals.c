/* Lines of reals in two passes: with caches so small that short ones are split, against the same in
 * one pass. */
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
#include "support/assert_status.h"
#include "support/random.h"
#include "weft/weft.h"

enum { MOST_REALS = 60000 };

static const weft_kind kinds[] = {WEFT_R2C,  WEFT_C2R,  WEFT_DCT2, WEFT_DCT3,
                                  WEFT_DST2, WEFT_DST3, WEFT_DHT};
static const int64_t lengths[] = {720, 1024, 1152, 2000, 2048, 4096, 6144};

static weft_device *whole, *small;
static struct random numbers;

static double value(const void *data, weft_precision precision, int64_t i)
{
    return precision == WEFT_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* As lines of a cache are, so that whole ones of them can be written. */
static void *aligned_reals(void)
{
    void *data = aligned_alloc(64, MOST_REALS * sizeof(double));
    assert_non_null(data);
    return data;
}

static void *random_reals(weft_precision precision)
{
    void *data = aligned_reals();
    memset(data, 0, MOST_REALS * sizeof(double));
    for (int64_t i = 0; i < MOST_REALS; i++) {
        if (precision == WEFT_F32)
            ((float *)data)[i] = (float)random_number(&numbers);
        else
            ((double *)data)[i] = random_number(&numbers);
    }
    return data;
}

static weft_plan_info run(weft_device *device, const weft_params *params, weft_direction direction,
                          void *in, void *out)
{
    weft_plan_info info;
    weft_plan *plan = NULL;
    weft_buffer *from = NULL, *to = NULL;
    const size_t bytes = MOST_REALS * sizeof(double);
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_buffer_wrap(device, in, bytes, &from));
    assert_done(weft_buffer_wrap(device, out, bytes, &to));
    assert_done(weft_execute(plan, direction, from, to));
    assert_done(weft_plan_describe(plan, &info));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
    return info;
}

static void assert_near(const weft_params *params, const void *a, const void *b)
{
    double error = 0, size = 0;
    for (int64_t i = 0; i < MOST_REALS; i++) {
        const double x = value(a, params->precision, i), y = value(b, params->precision, i);
        error += (x - y) * (x - y);
        size += x * x;
    }
    const double limit = params->precision == WEFT_F32 ? 1e-6 : 2e-15;
    if (!(sqrt(error) <= limit * sqrt(size)))
        fail_msg("kind %d, length %d, batch %d: error %g", (int)params->kind, (int)params->size[0],
                 (int)params->batch, sqrt(error / size));
}

/* Passes of their own go that way. */
static bool has_way_back(weft_kind kind)
{
    return kind == WEFT_DCT2 || kind == WEFT_DCT3 || kind == WEFT_DST2 || kind == WEFT_DST3;
}

/* What neither touches stays as it is: the outputs begin equal. */
static void compare(const weft_params *params, weft_direction direction)
{
    void *in = random_reals(params->precision), *expected = random_reals(params->precision);
    void *out = aligned_reals();
    memcpy(out, expected, MOST_REALS * sizeof(double));
    run(whole, params, direction, in, expected);
    const weft_plan_info info = run(small, params, direction, in, out);
    assert_true(info.passes >= (has_way_back(params->kind) ? 4 : 2));
    assert_near(params, expected, out);
    free(in);
    free(expected);
    free(out);
}

static void every_direction(const weft_params *params)
{
    compare(params, WEFT_FORWARD);
    compare(params, WEFT_INVERSE);
}

static void each_problem(void (*try)(weft_params params))
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
            weft_params params = WEFT_PARAMS_DEFAULT;
            params.kind = kinds[k];
            params.size[0] = lengths[l];
            params.precision = random_between(&numbers, 0, 1) ? WEFT_F64 : WEFT_F32;
            params.inverse_scale = 0.5;
            params.orthonormal = random_between(&numbers, 0, 1) == 0;
            try(params);
        }
    }
}

static void try_packed(weft_params params)
{
    every_direction(&params);
    params.batch = 3;
    every_direction(&params);
}

static void lines_one_after_the_other_are_as_in_one_pass(void **state)
{
    (void)state;
    each_problem(try_packed);
}

static void try_strided(weft_params params)
{
    const int64_t in_stride = 2, out_stride = 3;
    params.in_stride = &in_stride;
    params.out_stride = &out_stride;
    params.in_offset = 5;
    every_direction(&params);
}

static void lines_with_gaps_are_as_in_one_pass(void **state)
{
    (void)state;
    each_problem(try_strided);
}

static void try_threads(weft_params params)
{
    params.threads = 2;
    params.forward_scale = -3;
    every_direction(&params);
}

static void threads_share_the_tiles(void **state)
{
    (void)state;
    each_problem(try_threads);
}

/* With some of these batches threads share the second pass alone, which reads by tiles what the
 * first wrote by tiles. */
static void passes_that_are_shared_read_what_others_wrote(void **state)
{
    (void)state;
    static const int64_t odd_halves[] = {1326, 1530, 2210};
    struct limits *limits = &small->device.limits, kept = *limits;
    limits->shared_bytes = 2048;
    limits->cache_bytes[0] = 512;
    limits->cache_bytes[1] = whole->device.limits.cache_bytes[1];
    for (int i = 0; i < 3; i++) {
        for (int64_t batch = 5; batch * odd_halves[i] <= MOST_REALS / 2; batch += 3) {
            weft_params params = WEFT_PARAMS_DEFAULT;
            params.kind = WEFT_DCT3;
            params.size[0] = odd_halves[i];
            params.batch = batch;
            params.threads = (int)random_between(&numbers, 2, 4);
            every_direction(&params);
        }
    }
    *limits = kept;
}

/* Where whole lines of a cache cannot be written, results are the same to the last bit. */
static void compare_places(weft_params params)
{
    const size_t real = params.precision == WEFT_F32 ? sizeof(float) : sizeof(double);
    const size_t bytes = (size_t)(params.size[0] * params.batch) * real;
    void *in = random_reals(params.precision), *out = aligned_reals();
    char *moved = aligned_reals();
    for (params.out_offset = 0; params.out_offset < 2; params.out_offset++)
        run(small, &params, WEFT_FORWARD, in, params.out_offset ? moved : out);
    assert_memory_equal(out, moved + real, bytes);
    free(in);
    free(out);
    free(moved);
}

/* Of tiles as wide as vectors, with more tiles than one. */
static void rows_past_the_caches_are_as_in_one_pass(void **state)
{
    static const int64_t longer[] = {8192, 9216, 12288, 16384};
    struct limits *limits = &small->device.limits, kept = *limits;
    (void)state;
    limits->cache_bytes[0] = limits->shared_bytes = limits->cache_bytes[1] = 16384;
    limits->cache_bytes[2] = 32768;
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        for (size_t l = 0; l < sizeof longer / sizeof *longer; l++) {
            weft_params params = WEFT_PARAMS_DEFAULT;
            params.kind = kinds[i / 2];
            params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
            params.size[0] = longer[l];
            params.batch = random_between(&numbers, 1, 3);
            params.threads = (int)random_between(&numbers, 1, 3);
            params.out_offset = random_between(&numbers, 0, 3) / 3;
            params.inverse_scale = 0.5;
            every_direction(&params);
            if (params.kind > WEFT_C2R) compare_places(params);
        }
    }
    *limits = kept;
}

/* Of lines that are more than a cache's share. */
static void tiles_of_a_gpu_meet_as_in_one_pass(void **state)
{
    weft_device *processors = small;
    (void)state;
    assert_done(weft_device_open("null:shared=1024", &small));
    small->device.limits.cache_bytes[1] = 8192;
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = kinds[i / 2];
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = random_between(&numbers, 0, 1) ? 4096 : 2304;
        params.batch = random_between(&numbers, 1, 3);
        every_direction(&params);
    }
    weft_device_close(&small);
    small = processors;
}

/* Lengths that leave no even parts to split. */
static void half_a_spectrum_is_turned_where_it_lies(void **state)
{
    static const int64_t halves[] = {625, 675, 1125, 1155, 2025, 3125, 2003};
    (void)state;
    for (size_t i = 0; i < 8 * sizeof halves / sizeof *halves; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = i / 4 % 2 ? WEFT_C2R : WEFT_R2C;
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = 2 * halves[i / 8];
        params.batch = 1 + 2 * (int64_t)(i / 2 % 2);
        params.threads = (int)random_between(&numbers, 1, 3);
        params.forward_scale = 0.25;
        params.out_offset = random_between(&numbers, 0, 1);
        every_direction(&params);
    }
}

/* Which are planned as if the third level had them, and find that it has nothing. */
static void rows_that_are_unfolded_go_past_the_caches(void **state)
{
    static const int64_t unfolded[] = {2250, 6250, 4096, 8192, 9216, 12288, 16384, 20000};
    struct limits *limits = &small->device.limits, kept = *limits;
    struct cpu_state *cpu = small->device.state;
    const int64_t shared = cpu->shared_cache_bytes;
    int unfold = 0;
    (void)state;
    limits->cache_bytes[0] = 16384;
    limits->cache_bytes[2] = INT64_C(1) << 40;
    cpu->shared_cache_bytes = 1;
    for (size_t i = 0; i < 4 * sizeof unfolded / sizeof *unfolded; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = WEFT_R2C;
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = unfolded[i / 4];
        params.batch = random_between(&numbers, 1, 2);
        limits->shared_bytes = params.size[0] * (i % 2 ? 8 : 4);
        limits->cache_bytes[1] = limits->shared_bytes;
        params.threads = (int)random_between(&numbers, 1, 3);
        params.out_offset = random_between(&numbers, 0, 2);
        void *in = random_reals(params.precision), *out = aligned_reals();
        unfold += run(small, &params, WEFT_FORWARD, in, out).passes == 3;
        free(in);
        free(out);
        every_direction(&params);
    }
    assert_true(unfold > 8);
    cpu->shared_cache_bytes = shared;
    *limits = kept;
}

/* One's line ends before the other's does. */
static void reals_and_their_spectrum_give_way_to_each_other(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = i / 2 % 2 ? WEFT_C2R : WEFT_R2C;
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = i < 4 ? 2048 : 2250;
        void *data = random_reals(params.precision), *expected = aligned_reals();
        memcpy(expected, data, MOST_REALS * sizeof(double));
        run(whole, &params, WEFT_FORWARD, data, expected);
        assert_true(run(small, &params, WEFT_FORWARD, data, data).passes >= 3);
        assert_near(&params, expected, data);
        free(data);
        free(expected);
    }
}

/* Of kinds and lengths that are no splits of reals. */
static void sweeps_make_numbers_of_reals(void **state)
{
    static const struct {
        weft_kind kind;
        int64_t n;
    } swept[] = {{WEFT_DCT4, 4096}, {WEFT_DST4, 2000},  {WEFT_DCT4, 3125}, {WEFT_DCT1, 4097},
                 {WEFT_DST1, 2047}, {WEFT_DCT2, 2187},  {WEFT_DST3, 3125}, {WEFT_DHT, 2187},
                 {WEFT_DCT3, 4374}, {WEFT_DST4, 3 * 729}};
    (void)state;
    for (size_t i = 0; i < 8 * sizeof swept / sizeof *swept; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = swept[i / 8].kind;
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.rank = 2;
        params.axes = i / 2 % 2 ? 2 : 1; /* lines, or columns */
        params.size[i / 2 % 2] = swept[i / 8].n;
        params.size[1 - i / 2 % 2] = random_between(&numbers, 1, 5);
        params.orthonormal = i / 4 % 2;
        params.threads = (int)random_between(&numbers, 1, 2);
        void *in = random_reals(params.precision), *expected = random_reals(params.precision);
        void *out = aligned_reals();
        memcpy(out, expected, MOST_REALS * sizeof(double));
        run(whole, &params, WEFT_FORWARD, in, expected);
        const weft_plan_info info = run(small, &params, WEFT_FORWARD, in, out);
        assert_true(info.passes >= 3);
        assert_near(&params, expected, out);
        free(in);
        free(expected);
        free(out);
    }
}

/* Their halves are odd: there is no split of the reals. */
static void lines_are_pairs_between_sweeps(void **state)
{
    static const weft_kind swept_kinds[] = {WEFT_DCT2, WEFT_DCT3, WEFT_DST2, WEFT_DST3,
                                            WEFT_DCT4, WEFT_DST4, WEFT_DHT};
    static const int64_t swept[] = {1250, 2250, 4050, 4374};
    (void)state;
    for (size_t i = 0; i < 16 * sizeof swept_kinds / sizeof *swept_kinds; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = swept_kinds[i / 16];
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = swept[i / 2 % 4];
        params.batch = i / 8 % 2 ? random_between(&numbers, 2, 5) : 1;
        params.forward_scale = 0.25;
        params.in_offset = random_between(&numbers, 0, 1);
        params.orthonormal = random_between(&numbers, 0, 1) == 0;
        params.threads = (int)random_between(&numbers, 1, 4);
        every_direction(&params);
        params.in_offset = 0;
        void *data = random_reals(params.precision), *expected = aligned_reals();
        memcpy(expected, data, MOST_REALS * sizeof(double));
        run(whole, &params, WEFT_FORWARD, data, expected);
        const int passes = run(small, &params, WEFT_FORWARD, data, data).passes;
        assert_true(passes >= (has_way_back(params.kind) ? 8 : 3));
        assert_near(&params, expected, data);
        free(data);
        free(expected);
    }
}

static bool reads_with_its_columns(const weft_params *params)
{
    char text[4096];
    weft_plan *plan = NULL;
    bool found = false;
    assert_done(weft_plan_create(small, params, &plan));
    for (int pass = 0; !found && weft_plan_source(plan, pass, text, sizeof text) > 0; pass++)
        found = strstr(text, "enter_parted");
    weft_plan_destroy(&plan);
    return found;
}

/* Where the second level holds them, and there are codelets that do; the twin has none. */
static void columns_read_reals_there_and_back(void **state)
{
    static const weft_kind parted[] = {WEFT_DCT2, WEFT_DST2};
    static const int64_t divided[] = {16384, 24576, 32768, 40960, 49152};
    struct limits *limits = &small->device.limits, *others = &whole->device.limits;
    const struct limits kept = *limits, kept_others = *others;
    int so_read = 0;
    (void)state;
    limits->cache_bytes[0] = limits->shared_bytes = 1 << 15;
    limits->cache_bytes[1] = 1 << 20;
    memset(others->parted, 0, sizeof others->parted);
    for (int i = 0; i < 40; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = parted[i % 2];
        params.precision = i / 2 % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = divided[i / 4 % 5];
        params.batch = random_between(&numbers, 1, MOST_REALS / params.size[0]);
        params.forward_scale = 0.25;
        params.in_offset = random_between(&numbers, 0, 1);
        params.threads = (int)random_between(&numbers, 1, 4);
        every_direction(&params);
        so_read += reads_with_its_columns(&params);
    }
    *limits = kept;
    *others = kept_others;
    if (limits->parted[16]) assert_true(so_read > 0);
}

static void assert_two_trees(const weft_params *params)
{
    char text[4096];
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(small, params, &plan));
    weft_plan_text(plan, text, sizeof text);
    assert_non_null(strstr(text, "split(16384: "));
    assert_non_null(strstr(text, "split(8192: "));
    weft_plan_destroy(&plan);
}

/* Three passes of splits of reals serve type II alone. (In doubles it has one tree there.) */
static void directions_have_trees_of_their_own(void **state)
{
    weft_device *processors = small;
    (void)state;
    assert_done(weft_device_open("null:shared=256,threads=16", &small));
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = kinds[i / 2];
        if (!has_way_back(params.kind)) continue;
        params.precision = i % 2 ? WEFT_F64 : WEFT_F32;
        params.size[0] = 16384;
        if (i % 2 == 0 && (params.kind == WEFT_DCT2 || params.kind == WEFT_DST2))
            assert_two_trees(&params);
        every_direction(&params);
        params.rank = 2;
        params.size[0] = 3;
        params.size[1] = 16384;
        every_direction(&params);
    }
    weft_device_close(&small);
    small = processors;
}

static int open_devices(void **state)
{
    (void)state;
    if (weft_device_open("cpu", &whole) || weft_device_open("cpu", &small)) return -1;
    struct limits *limits = &small->device.limits;
    limits->cache_bytes[0] = limits->shared_bytes = 4096;
    limits->cache_bytes[1] = 8192;
    /* They are split that no tile holds, not taken in steps between pairs. */
    memset(limits->pair_step, 0, sizeof limits->pair_step);
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    weft_device_close(&whole);
    weft_device_close(&small);
    return 0;
}

int main(void)
{
    numbers.state = random_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_one_after_the_other_are_as_in_one_pass),
        cmocka_unit_test(lines_with_gaps_are_as_in_one_pass),
        cmocka_unit_test(threads_share_the_tiles),
        cmocka_unit_test(passes_that_are_shared_read_what_others_wrote),
        cmocka_unit_test(rows_past_the_caches_are_as_in_one_pass),
        cmocka_unit_test(tiles_of_a_gpu_meet_as_in_one_pass),
        cmocka_unit_test(half_a_spectrum_is_turned_where_it_lies),
        cmocka_unit_test(rows_that_are_unfolded_go_past_the_caches),
        cmocka_unit_test(reals_and_their_spectrum_give_way_to_each_other),
        cmocka_unit_test(sweeps_make_numbers_of_reals),
        cmocka_unit_test(lines_are_pairs_between_sweeps),
        cmocka_unit_test(columns_read_reals_there_and_back),
        cmocka_unit_test(directions_have_trees_of_their_own),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
