/* Images of reals whose rows or columns have a large prime, so that sweeps make pairs of what lies
 * between axes: on the CPU, by every instruction set and several threads, with caches that hold all
 * or hardly anything, against exact results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "support/devices.h"
#include "support/exact_check.h"
#include "support/random.h"
#include "support/trial.h"

enum { MOST_DEVICES = 8, IMAGES = 10 };

static uint64_t seed;

static int64_t random_length(struct random *random)
{
    static const int64_t primes[] = {131, 137, 199, 211, 2 * 131, 2 * 137, 3 * 137, 337};
    return random_chance(random, 0.6) ? primes[random_between(random, 0, 7)]
                                      : random_between(random, 1, 40);
}

static struct trial random_image(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_C2R, WEFT_C2R, WEFT_R2C, WEFT_DCT2, WEFT_DCT3};
    const int rank = random_chance(random, 0.8) ? 2 : 3;
    int64_t size[3] = {random_length(random), random_length(random), 7};
    if (rank == 3) size[random_between(random, 0, 1)] = random_between(random, 2, 9);
    struct trial trial = trial_packed(rank, size, random_between(random, 1, 3));
    trial.params.kind = kinds[random_between(random, 0, 4)];
    trial.params.precision = random_between(random, 0, 1) ? WEFT_F32 : WEFT_F64;
    trial.params.threads = (int)random_between(random, 1, 3);
    if (random_chance(random, 0.3)) trial.params.forward_scale = 0.5;
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}

/* Returns whether what lies between sweeps is no place that axes have. */
static bool check_image(const struct test_device *on, struct random *random)
{
    static char text[20000];
    const struct trial trial = random_image(random);
    const weft_params params = trial_params(&trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(on->device, &params, &plan))
        fail_msg("%s: %s: %s", on->name, trial_text(&trial), weft_last_error());
    const struct exact_check check = {on->name, on->device, &trial, plan, 1};
    for (int direction = 0; direction < 2; direction++)
        exact_check(&check, random, (weft_direction)direction);
    (void)weft_plan_text(plan, text, sizeof text);
    weft_plan_destroy(&plan);
    return strstr(text, "middle") != NULL;
}

static void sweeps_between_axes_leave_these_alone(void **state)
{
    (void)state;
    struct test_device devices[MOST_DEVICES];
    const int count = devices_open_cpus(MOST_DEVICES, devices);
    int swept = 0;
    for (int d = 0; d < count; d++) {
        struct random random = {seed + (uint64_t)d};
        for (int i = 0; i < IMAGES; i++) {
            if (i == IMAGES / 2) devices[d].device->device.limits.cache_bytes[1] = 65536;
            swept += check_image(&devices[d], &random);
        }
    }
    devices_close(count, devices);
    assert_true(swept > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_between_axes_leave_these_alone)};
    seed = random_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
