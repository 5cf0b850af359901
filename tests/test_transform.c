/* Transforms of random problems in random layouts, against the defining sum or, where that takes
 * too long, a transform in extended precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/attempt.h"

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
    RANGED_EVALUATED_PROBLEMS = 25
};

static void random_problems_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &small_range, CPU_PROBLEMS, attempt_against_sum);
}

static void problems_of_up_to_eight_axes_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &many_axes_range, MANY_AXES_PROBLEMS, attempt_against_sum);
}

static void long_problems_match_the_reference(void **state)
{
    (void)state;
    attempt_many(false, &long_range, LONG_PROBLEMS, attempt_against_reference);
}

static void random_problems_match_the_direct_sum_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &evaluated_range, EVALUATED_PROBLEMS, attempt_against_sum);
}

static void random_storages_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &stored_range, STORED_PROBLEMS, attempt_against_sum);
}

static void long_storages_match_the_reference(void **state)
{
    (void)state;
    attempt_many(false, &long_stored_range, LONG_STORED_PROBLEMS, attempt_against_reference);
}

static void random_storages_match_the_direct_sum_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &evaluated_stored_range, STORED_EVALUATED_PROBLEMS, attempt_against_sum);
}

static void what_is_out_of_range_is_zero_or_untouched(void **state)
{
    (void)state;
    attempt_many(false, &ranged_range, RANGED_PROBLEMS, attempt_against_sum);
}

/* What is drafted between axes is in planes, of which the largest butterflies know nothing. */
static void drafts_of_ranges_take_every_length(void **state)
{
    (void)state;
    static const int64_t out_count[] = {1, 2};
    for (int d = 0; d < attempt_device_count; d++) {
        for (int64_t n = 2; n <= 70; n++) {
            weft_params params = WEFT_PARAMS_DEFAULT;
            weft_plan *plan = NULL;
            params.rank = 2;
            params.size[0] = n;
            params.size[1] = 2;
            params.precision = n % 3 ? WEFT_F32 : WEFT_F64;
            params.out_count = out_count;
            if (weft_plan_create(attempt_devices[d].device, &params, &plan))
                fail_msg("%s, %d: %s", attempt_devices[d].name, (int)n, weft_last_error());
            weft_plan_destroy(&plan);
        }
    }
}

static void long_ranges_match_the_reference(void **state)
{
    (void)state;
    attempt_many(false, &long_ranged_range, LONG_RANGED_PROBLEMS, attempt_against_reference);
}

static void ranges_of_other_storages_match_the_direct_sum(void **state)
{
    (void)state;
    attempt_many(false, &stored_ranged_range, STORED_RANGED_PROBLEMS, attempt_against_sum);
}

static void what_is_out_of_range_is_zero_or_untouched_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &evaluated_ranged_range, RANGED_EVALUATED_PROBLEMS, attempt_against_sum);
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
    attempts_begin();
    for (int d = 0; d < attempt_device_count; d++) {
        for (int64_t n = 1; n <= 64 && !attempt_devices[d].evaluated; n++) {
            for (int i = 0; i < 16; i++) {
                struct trial trial =
                    round_trip(n, i & 1 ? WEFT_F64 : WEFT_F32,
                               i & 2 ? WEFT_PLANAR : WEFT_INTERLEAVED, i & 4, i & 8);
                attempt_trial(&attempt_devices[d], &trial,
                              (struct random){attempt_seed + (uint64_t)(16 * n + i)},
                              attempt_against_sum);
            }
        }
    }
    attempts_end();
}

/* ---- half spectra across each other ---- */

/* Of a 4 x 4 x n array, its elements along the last axis 16 apart, all of its lowest frequencies
 * that are 2 along the first axis and 0 along the second. */
static struct trial lowest_of_across(int64_t n, weft_precision precision)
{
    const int64_t size[] = {4, 4, n}, stride[] = {16 * (n / 2 + 1), 4, 1, 16};
    const int64_t count[] = {1, 1, 1, n / 8};
    struct trial trial = trial_packed(3, size, 1);
    trial.params.kind = WEFT_C2R;
    trial.params.precision = precision;
    trial_set_sides(&trial);
    trial_pack(&trial);
    trial.in.packed = false;
    trial.in.elements = stride[0];
    trial_range_whole(&trial, &trial.in);
    for (int i = 0; i < trial.dims; i++) {
        trial.in.stride[i] = stride[i];
        trial.in.count[i] = count[i];
    }
    trial.in.first[1] = 2;
    return trial;
}

static void ranges_of_spectra_across_each_other_match_the_direct_sum(void **state)
{
    (void)state;
    attempts_begin();
    for (int d = 0; d < attempt_device_count; d++) {
        for (int64_t n = 16; n <= 304 && !attempt_devices[d].evaluated; n += 96) {
            for (int doubles = 0; doubles < 2; doubles++) {
                struct trial trial = lowest_of_across(n, doubles ? WEFT_F64 : WEFT_F32);
                attempt_trial(&attempt_devices[d], &trial,
                              (struct random){attempt_seed + (uint64_t)n}, attempt_against_sum);
            }
        }
    }
    attempts_end();
}

/* ---- two lines of a range at once ---- */

/* Of two arrays of 5 x n reals the 3 rows from the second one on: in memory of a step's own lines
 * are at another distance from each other. */
static struct trial rows_of_two_arrays(weft_kind kind, int64_t n)
{
    const int64_t size[] = {5, n};
    struct trial trial = trial_packed(2, size, 2);
    trial.params.kind = kind;
    trial_set_sides(&trial);
    trial_pack(&trial);
    trial_range_whole(&trial, &trial.out);
    trial.out.first[1] = 1;
    trial.out.count[1] = 3;
    return trial;
}

static void ranges_of_two_lines_at_once_match_the_direct_sum(void **state)
{
    static const weft_kind kinds[] = {WEFT_DCT2, WEFT_DCT3, WEFT_DST2, WEFT_DST3, WEFT_DHT};
    (void)state;
    attempts_begin();
    for (int d = 0; d < attempt_device_count; d++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !attempt_devices[d].evaluated; k++) {
            struct trial trial = rows_of_two_arrays(kinds[k], 521);
            attempt_trial(&attempt_devices[d], &trial, (struct random){attempt_seed + k},
                          attempt_against_reference);
        }
    }
    attempts_end();
}

/* ---- rows of reals that begin at any of them ---- */

/* Three rows of n reals, n + 3 reals apart, and half a spectrum of each behind another, whose
 * numbers are so far apart. */
static struct trial rows_at_any_real(weft_kind kind, int64_t n, weft_precision precision,
                                     int64_t apart)
{
    const int64_t size[] = {3, n};
    struct trial trial = trial_packed(2, size, 1);
    trial.params.kind = kind;
    trial.params.precision = precision;
    trial_set_sides(&trial);
    trial_pack(&trial);
    struct trial_side *reals = kind == WEFT_R2C ? &trial.in : &trial.out;
    struct trial_side *spectrum = kind == WEFT_R2C ? &trial.out : &trial.in;
    reals->packed = spectrum->packed = false;
    reals->stride[1] = n + 3;
    reals->stride[0] = reals->elements = 3 * (n + 3);
    spectrum->stride[2] = apart;
    spectrum->stride[1] = apart * n;
    spectrum->stride[0] = spectrum->elements = 3 * apart * n;
    return trial;
}

static void rows_at_any_real_match_the_reference(void **state)
{
    static const int64_t lengths[] = {1502, 3076, 3694, 6148}; /* of which some are resampled */
    (void)state;
    attempts_begin();
    for (int d = 0; d < attempt_device_count; d++) {
        for (size_t i = 0; i < 8 * (sizeof lengths / sizeof *lengths); i++) {
            if (attempt_devices[d].evaluated) continue;
            struct trial trial = rows_at_any_real(i & 1 ? WEFT_C2R : WEFT_R2C, lengths[i / 8],
                                                  i & 2 ? WEFT_F64 : WEFT_F32, i & 4 ? 3 : 1);
            attempt_trial(&attempt_devices[d], &trial, (struct random){attempt_seed + i},
                          attempt_against_reference);
        }
    }
    attempts_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_match_the_direct_sum),
        cmocka_unit_test(problems_of_up_to_eight_axes_match_the_direct_sum),
        cmocka_unit_test(long_problems_match_the_reference),
        cmocka_unit_test(random_problems_match_the_direct_sum_when_evaluated),
        cmocka_unit_test(random_storages_match_the_direct_sum),
        cmocka_unit_test(long_storages_match_the_reference),
        cmocka_unit_test(random_storages_match_the_direct_sum_when_evaluated),
        cmocka_unit_test(what_is_out_of_range_is_zero_or_untouched),
        cmocka_unit_test(drafts_of_ranges_take_every_length),
        cmocka_unit_test(long_ranges_match_the_reference),
        cmocka_unit_test(ranges_of_other_storages_match_the_direct_sum),
        cmocka_unit_test(what_is_out_of_range_is_zero_or_untouched_when_evaluated),
        cmocka_unit_test(the_inverse_alone_may_be_scaled),
        cmocka_unit_test(ranges_of_spectra_across_each_other_match_the_direct_sum),
        cmocka_unit_test(ranges_of_two_lines_at_once_match_the_direct_sum),
        cmocka_unit_test(rows_at_any_real_match_the_reference),
    };
    return cmocka_run_group_tests(tests, attempts_open, attempts_close);
}
