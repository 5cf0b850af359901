/* Steps dealt to threads and passes shared by them as chance has it, and not as the model of a CPU
 * does (plan/cost_program.c): whatever is beside whatever, results are right. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "api/handles.h"
#include "plan/cost.h"
#include "support/assert_status.h"
#include "support/convolved.h"
#include "support/devices.h"
#include "support/exact_check.h"
#include "support/quota.h"

enum { TRANSFORMS = 120, LINES = 600, STREAMS = 60, CONVOLUTIONS = 60 };

/* Times the limit: plans for caches that are not the machine's may round more often. */
static const double allowed = 1.5;

static uint64_t seed;

/* ---- the model's decisions, by chance ---- */

static struct {
    bool on;
    uint64_t seed; /* the same program made twice is dealt alike */
} chance;

/* All calls of it in the library are of the latter (cmake/tests.cmake). */
void __real_cost_program(struct program *program, const struct limits *limits);
void __wrap_cost_program(struct program *program, const struct limits *limits);

void __wrap_cost_program(struct program *program, const struct limits *limits)
{
    struct random random = {chance.seed};
    __real_cost_program(program, limits);
    if (!chance.on || program->problem.threads == 1) return;
    for (int s = 0; s < program->stages; s++) {
        struct program_stage *stage = &program->stage[s];
        const bool shares = random_chance(&random, 0.8);
        if (random_chance(&random, 0.5)) stage->dealt = false;
        for (int i = stage->first; i < stage->first + stage->passes; i++) {
            const bool shared = shares && random_chance(&random, 0.5);
            program->pass[i].shared = shared && !stage->dealt;
        }
    }
}

/* ---- devices ---- */

/* Evenly in the logarithm. */
static int64_t random_size(struct random *random, double least, double most)
{
    const double share = (random_number(random) + 1) / 2;
    return (int64_t)(least * pow(most / least, share));
}

/* Caches of any size, and arithmetic that makes even short steps worth a thread. */
static void random_limits(struct random *random, struct limits *limits)
{
    enum { SLOWER = 4096 };
    limits->cache_bytes[0] = random_size(random, 256, 32768);
    limits->cache_bytes[1] = random_size(random, (double)limits->cache_bytes[0], 1 << 20);
    limits->cache_bytes[2] = random_size(random, (double)limits->cache_bytes[1], 1 << 26);
    /* A step of radix 17, which no plan of such a length is without, has room. */
    limits->shared_bytes = random_size(random, 640, random_chance(random, 0.5) ? 8192 : 1 << 20);
    limits->cores = (int)random_between(random, 1, 8);
    for (int p = 0; p <= WEFT_DD; p++)
        if (random_chance(random, 0.7)) limits->flops[p] /= SLOWER;
}

static struct test_device random_device(struct random *random)
{
    static const char *const sets[] = {NULL, NULL, "avx2", "sse2", "scalar"};
    const char *set = sets[random_between(random, 0, 4)];
    struct test_device on = {.device = devices_open_cpu(set)};
    if (!on.device) on.device = devices_open_cpu(NULL);
    if (!on.device) abort();
    struct limits *limits = &on.device->device.limits;
    random_limits(random, limits);
    chance.on = true;
    chance.seed = random_bits(random);
    snprintf(on.name, sizeof on.name, "cpu (%s, tiles %lld, caches %lld %lld %lld)",
             set ? set : "any", (long long)limits->shared_bytes, (long long)limits->cache_bytes[0],
             (long long)limits->cache_bytes[1], (long long)limits->cache_bytes[2]);
    return on;
}

static void close_device(struct test_device *on)
{
    chance.on = false;
    weft_device_close(&on->device);
}

/* ---- what holds ---- */

static struct trial random_trial(struct random *random, bool streamed)
{
    const struct trial_range range = {streamed ? 2000 : 6000,     12000, 4, 4, true, true,
                                      random_chance(random, 0.25)};
    struct trial trial;
    trial_random(random, &range, &trial);
    if (trial.params.threads == 1) trial.params.threads = 2;
    if (!streamed) return trial;
    trial_straighten(&trial);
    const int64_t bytes = 16 * trial_elements(&trial);
    trial.params.memory_limit = random_between(random, bytes / 4 + 512, 4 * bytes + 512);
    return trial;
}

/* Whether there was memory enough for it. */
static bool attempt(uint64_t number, bool streamed)
{
    struct random random = {number};
    const struct trial trial = random_trial(&random, streamed);
    struct test_device on = random_device(&random);
    const weft_params params = trial_params(&trial);
    weft_plan *plan = NULL;
    const weft_status status = weft_plan_create(on.device, &params, &plan);
    const struct exact_check check = {on.name, on.device, &trial, plan, allowed};
    if (!streamed || status != WEFT_ERROR_UNSUPPORTED) assert_done(status);
    if (plan) exact_check(&check, &random, (weft_direction)random_between(&random, 0, 1));
    weft_plan_destroy(&plan);
    close_device(&on);
    return !status;
}

static void transforms_are_right_however_they_are_dealt(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < TRANSFORMS; i++)
        (void)attempt(seed + i, false);
}

static void so_are_those_that_go_through_bands(void **state)
{
    (void)state;
    for (struct quota quota = {.wanted = STREAMS}; quota_open(&quota);)
        quota.done += attempt(seed + 10000 + (uint64_t)quota.drawn, true);
}

static void so_are_convolutions(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CONVOLUTIONS; i++) {
        struct random random = {seed + 20000 + i};
        struct convolved c;
        convolved_random(&random, 500, &c);
        c.params.threads = (int)random_between(&random, 2, 4);
        struct test_device on = random_device(&random);
        const char *wrong = convolved_run(&c, on.device, &random);
        if (wrong) fail_msg("%s: %s: %s", on.name, convolved_text(&c), wrong);
        close_device(&on);
    }
}

/* ---- many lines, against one thread ---- */

/* Packed lines of small primes, which several passes take where caches are small, or of any length,
 * often one alone, which may be interpolated among the numbers of a longer one. */
static struct trial packed_lines(struct random *random)
{
    enum { MOST = 4000, MOST_ELEMENTS = 16000 };
    static const int64_t factors[] = {2, 2, 3, 3, 5, 5, 7, 13, 17};
    int64_t n = 1, factor = 2;
    for (; n * factor <= MOST; factor = factors[random_between(random, 0, 8)])
        n *= factor;
    const bool odd = random_chance(random, 0.3), one = odd && random_chance(random, 0.7);
    if (odd) n = random_between(random, MOST / 10, MOST);
    const int64_t most = one ? 1 : MOST_ELEMENTS / n;
    struct trial trial = trial_packed(1, &n, random_between(random, 1, most));
    trial.params.kind = one ? WEFT_C2C : (weft_kind)random_between(random, WEFT_C2C, WEFT_DHT);
    trial.params.precision = random_chance(random, 0.5) ? WEFT_F32 : WEFT_F64;
    trial.params.threads = (int)random_between(random, 2, 4);
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}

static double *run(const struct test_device *on, const struct trial *trial,
                   weft_direction direction, double *in)
{
    double *out = calloc(2 * (size_t)trial_elements(trial), sizeof *out);
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (!out) abort();
    assert_done(weft_plan_create(on->device, &params, &plan));
    const char *wrong = trial_run(trial, plan, on->device, direction, in, out);
    if (wrong) fail_msg("%s, %s: %s", on->name, trial_text(trial), wrong);
    weft_plan_destroy(&plan);
    return out;
}

static double distance(int64_t numbers, const double *x, const double *y)
{
    double apart = 0, norm = 0;
    for (int64_t i = 0; i < numbers; i++) {
        apart += (x[i] - y[i]) * (x[i] - y[i]);
        norm += y[i] * y[i];
    }
    return sqrt(apart / norm);
}

static void compare_with_one_thread(struct random *random, const struct trial *trial)
{
    struct test_device on = random_device(random);
    struct trial alone = *trial;
    const int64_t elements = trial_elements(trial);
    const weft_direction direction = (weft_direction)random_between(random, 0, 1);
    double *in = malloc(2 * (size_t)elements * sizeof *in);
    if (!in) abort();
    for (int64_t i = 0; i < 2 * elements; i++)
        in[i] = random_number(random);
    alone.params.threads = 1;
    double *dealt = run(&on, trial, direction, in), *expected = run(&on, &alone, direction, in);
    const double apart = distance(2 * trial_side_elements(trial, &trial->out), dealt, expected);
    if (!(apart <= 2 * allowed * exact_limit(trial, on.name)))
        fail_msg("%s, %s, direction %d: %g apart", on.name, trial_text(trial), (int)direction,
                 apart);
    free(in);
    free(dealt);
    free(expected);
    close_device(&on);
}

static void compare_lines(uint64_t own_seed)
{
    struct random random = {own_seed};
    const struct trial trial = packed_lines(&random);
    compare_with_one_thread(&random, &trial);
}

static void lines_are_as_by_one_thread(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < LINES; i++)
        compare_lines(seed + 30000 + i);
}

/* Several lines a step that were one call of codelets too near each other. */
static void lines_that_once_were_wrong_are_right(void **state)
{
    (void)state;
    compare_lines(125094);
    compare_lines(38248);
}

int main(void)
{
    seed = random_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_are_right_however_they_are_dealt),
        cmocka_unit_test(so_are_those_that_go_through_bands),
        cmocka_unit_test(so_are_convolutions),
        cmocka_unit_test(lines_are_as_by_one_thread),
        cmocka_unit_test(lines_that_once_were_wrong_are_right),
    };
    return cmocka_run_group_tests_name("dealt", tests, NULL, NULL);
}
