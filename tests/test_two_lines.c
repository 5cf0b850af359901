/* Lines of reals that are taken two by two, or that a GPU unfolds as it leaves them, of odd lengths
 * and of those that are convolved, on evaluated devices and on the CPU: against the exact
 * transform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/devices.h"
#include "support/exact.h"
#include "support/random.h"
#include "support/trial.h"

#define GPU "null:shared=49152,threads=256"

enum { TRIALS = 60 };

static uint64_t seed;
static weft_device *gpu, *cpu;

static int open_devices(void **state)
{
    (void)state;
    seed = random_seed();
    return weft_device_open(GPU, &gpu) || weft_device_open("cpu", &cpu);
}

static int close_devices(void **state)
{
    (void)state;
    weft_device_close(&gpu);
    weft_device_close(&cpu);
    return 0;
}

static weft_plan *plan_of(weft_device *device, const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    return plan;
}

static void check(weft_device *device, const struct trial *trial, const weft_plan *plan,
                  weft_direction direction, struct random *random)
{
    const size_t numbers = (size_t)(2 * trial_elements(trial));
    double *in = malloc(numbers * sizeof *in), *out = malloc(numbers * sizeof *out);
    if (!in || !out) abort();
    for (size_t i = 0; i < numbers; i++) in[i] = out[i] = random_number(random);
    const char *wrong = trial_run(trial, plan, device, direction, in, out);
    if (wrong) fail_msg("%s: %s", trial_text(trial), wrong);
    const double error = exact_error(trial, direction, in, out);
    const double limit = exact_limit(trial, device == gpu ? GPU : "cpu");
    if (!(error <= limit)) fail_msg("%s: error %g, limit %g", trial_text(trial), error, limit);
    free(in);
    free(out);
}

/* Blocks, Rader's convolutions and Bluestein's, by themselves and of half the length. */
static struct trial random_lines(struct random *random, int64_t length)
{
    const int rank = (int)random_between(random, 1, 2);
    const int64_t size[2] = {rank == 1 ? length : random_between(random, 2, 6), length};
    struct trial trial = trial_packed(rank, size, random_between(random, 1, 5));
    trial.params.kind = (weft_kind)random_between(random, WEFT_R2C, WEFT_DHT);
    trial.params.precision = random_between(random, 0, 1) ? WEFT_F32 : WEFT_F64;
    trial.params.format = random_between(random, 0, 2) ? WEFT_INTERLEAVED : WEFT_PLANAR;
    trial.params.forward_scale = 0.5 * (double)random_between(random, 0, 1);
    trial.params.inverse_scale = 0.25 * (double)random_between(random, 0, 1);
    const bool cosines = trial.params.kind >= WEFT_DCT1;
    trial.params.orthonormal = cosines && random_between(random, 0, 1);
    trial.in_place = cosines && random_between(random, 0, 1);
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}

static void check_lines(weft_device *device, const int64_t *lengths, int count)
{
    struct random random = {seed};
    for (int i = 0; i < TRIALS; i++) {
        const int64_t length = lengths[random_between(&random, 0, count - 1)];
        const struct trial trial = random_lines(&random, length);
        weft_plan *plan = plan_of(device, &trial);
        check(device, &trial, plan, WEFT_FORWARD, &random);
        check(device, &trial, plan, WEFT_INVERSE, &random);
        weft_plan_destroy(&plan);
    }
}

static void lines_are_right(void **state)
{
    (void)state;
    static const int64_t lengths[] = {3, 9, 15, 27, 35, 45, 17, 37, 61, 74, 118, 47, 59, 83, 94};
    check_lines(gpu, lengths, sizeof lengths / sizeof *lengths);
}

/* ... which convolves them or has tiles for them, and takes 256 numbers at a time. */
static void lines_of_a_cpu_are_right(void **state)
{
    (void)state;
    static const int64_t lengths[] = {211, 225, 311, 509, 518, 525, 769, 1001};
    check_lines(cpu, lengths, sizeof lengths / sizeof *lengths);
}

/* Whether the plan's description says so of a pass. */
static bool says(weft_device *device, weft_kind kind, int64_t n, const char *word)
{
    char text[4096];
    struct trial trial = trial_packed(1, &n, 8);
    trial.params.kind = kind;
    trial_set_sides(&trial);
    trial_pack(&trial);
    weft_plan *plan = plan_of(device, &trial);
    (void)weft_plan_text(plan, text, sizeof text);
    weft_plan_destroy(&plan);
    return strstr(text, word);
}

static void primes_are_taken_two_by_two(void **state)
{
    (void)state;
    static const int64_t lengths[] = {37, 47, 1009};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_true(says(gpu, WEFT_R2C, lengths[i], "parted"));
        assert_true(says(gpu, WEFT_C2R, lengths[i], "joined"));
        assert_true(says(gpu, WEFT_DCT2, lengths[i], "parted"));
        assert_true(says(gpu, WEFT_R2C, 2 * lengths[i], "spread"));
    }
    for (weft_kind kind = WEFT_R2C; kind <= WEFT_DHT; kind++) {
        const bool parts = kind == WEFT_R2C || kind == WEFT_DCT2 || kind == WEFT_DHT;
        if (parts) assert_true(says(cpu, kind, 1009, "parted"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_right),
        cmocka_unit_test(lines_of_a_cpu_are_right),
        cmocka_unit_test(primes_are_taken_two_by_two),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
