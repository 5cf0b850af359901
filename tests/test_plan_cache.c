/* Plans of one problem share what was made for the first, and nobody notices but by the time it
 * takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "weft/weft.h"

static weft_device *open_cpu(void)
{
    weft_device *device = NULL;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    return device;
}

static weft_params params_of(int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    return params;
}

static weft_plan *make_plan(weft_device *device, const weft_params *params)
{
    weft_plan *plan = NULL;
    assert_int_equal(weft_plan_create(device, params, &plan), WEFT_OK);
    return plan;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void making_a_plan_again_takes_less_than_fifty_microseconds(void **state)
{
    (void)state;
    static const int64_t sizes[] = {64, 1024, 1009, 65536, 100003};
    weft_device *device = open_cpu();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const weft_params params = params_of(sizes[i]);
        double least = 1;
        for (int round = 0; round < 20; round++) {
            const double start = now();
            weft_plan *plan = make_plan(device, &params);
            const double elapsed = now() - start;
            if (round > 0 && elapsed < least) least = elapsed;
            weft_plan_destroy(&plan);
        }
        assert_true(least < 50e-6);
    }
    weft_device_close(&device);
}

/* Transforms an impulse: every result is 1 times the scale. */
static bool works(weft_device *device, const weft_plan *plan, int64_t n, float scale)
{
    float *data = calloc((size_t)n * 4, sizeof *data);
    weft_buffer *in = NULL, *out = NULL;
    const size_t bytes = (size_t)n * 2 * sizeof *data;
    bool good = data && weft_buffer_wrap(device, data, bytes, &in) == WEFT_OK &&
                weft_buffer_wrap(device, data + 2 * n, bytes, &out) == WEFT_OK;
    if (good) data[0] = 1;
    good = good && weft_execute(plan, WEFT_FORWARD, in, out) == WEFT_OK;
    for (int64_t i = 0; good && i < n; i++) {
        const float re = data[2 * (n + i)] - scale, im = data[2 * (n + i) + 1];
        good = re * re + im * im < 1e-9f * scale * scale;
    }
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    free(data);
    return good;
}

static void plans_outlive_those_they_were_copied_from(void **state)
{
    (void)state;
    weft_device *device = open_cpu();
    const weft_params params = params_of(1 << 17); /* with scratch */
    for (int order = 0; order < 6; order++) {
        weft_plan *plan[3];
        for (int i = 0; i < 3; i++)
            plan[i] = make_plan(device, &params);
        for (int i = 0; i < 3; i++)
            assert_true(works(device, plan[i], 1 << 17, 1));
        const int first = order % 3, second = (first + 1 + order / 3) % 3;
        const int third = 3 - first - second;
        weft_plan_destroy(&plan[first]);
        assert_true(works(device, plan[second], 1 << 17, 1));
        weft_plan_destroy(&plan[second]);
        assert_true(works(device, plan[third], 1 << 17, 1));
        weft_plan_destroy(&plan[third]);
    }
    weft_device_close(&device);
}

/* All that problems can differ in. */
static void other_problems_get_other_plans(void **state)
{
    (void)state;
    weft_device *device = open_cpu();
    weft_params params = params_of(360);
    weft_plan *plan = make_plan(device, &params);
    params.forward_scale = 0.25;
    weft_plan *scaled = make_plan(device, &params);
    assert_true(works(device, plan, 360, 1));
    assert_true(works(device, scaled, 360, 0.25f));
    weft_plan_destroy(&plan);
    params.forward_scale = 1; /* is what 0 stands for */
    plan = make_plan(device, &params);
    assert_true(works(device, plan, 360, 1));
    assert_true(works(device, scaled, 360, 0.25f));
    weft_plan_destroy(&scaled);
    params.precision = WEFT_F64;
    weft_plan *wide = make_plan(device, &params);
    assert_false(works(device, wide, 360, 1)); /* refuses the buffers */
    weft_plan_destroy(&wide);
    params.precision = WEFT_F32;
    params.out_offset = 1; /* is no part of what is shared, and must not be */
    weft_plan *shifted = make_plan(device, &params);
    assert_false(works(device, shifted, 360, 1));
    weft_plan_destroy(&shifted);
    assert_true(works(device, plan, 360, 1));
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

static void what_is_kept_is_bounded(void **state)
{
    (void)state;
    const int64_t before = memory_live_blocks();
    weft_device *device = open_cpu();
    int64_t live[3];
    for (int round = 0; round < 3; round++) {
        for (int64_t n = 2; n < 400; n++) {
            const weft_params params = params_of(n);
            weft_plan *plan = make_plan(device, &params);
            weft_plan_destroy(&plan);
        }
        live[round] = memory_live_blocks();
    }
    assert_int_equal(live[0], live[1]);
    assert_int_equal(live[0], live[2]);
    assert_true(live[0] - before < 2000);
    weft_device_close(&device);
    assert_int_equal(memory_live_blocks(), before);
}

/* Memory that only kept plans hold is given back when another plan needs it. */
static void kept_plans_give_way(void **state)
{
    (void)state;
    weft_device *device = open_cpu();
    const int64_t empty = memory_live_blocks();
    weft_params params = params_of(1024);
    weft_plan *plan = make_plan(device, &params);
    weft_plan_destroy(&plan);
    assert_true(memory_live_blocks() > empty);
    params.size[0] = 2048;
    memory_fail_after(5);
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_ERROR_MEMORY);
    memory_fail_after(-1);
    assert_int_equal(memory_live_blocks(), empty);
    weft_device_close(&device);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 60 };

struct crowd {
    weft_device *device;
    atomic_int wrong;
};

static void *make_and_use(void *argument)
{
    static const int64_t sizes[] = {30, 1009, 1 << 14, 4096, 65537};
    struct crowd *crowd = argument;
    for (int round = 0; round < ROUNDS; round++) {
        const int64_t n = sizes[round % 5];
        const weft_params params = params_of(n);
        weft_plan *plan = NULL;
        const bool good = weft_plan_create(crowd->device, &params, &plan) == WEFT_OK &&
                          works(crowd->device, plan, n, 1);
        if (!good) atomic_fetch_add(&crowd->wrong, 1);
        weft_plan_destroy(&plan);
    }
    return NULL;
}

static void threads_may_make_and_destroy_the_same_plans(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    struct crowd crowd = {.device = open_cpu()};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, make_and_use, &crowd), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&crowd.wrong), 0);
    weft_device_close(&crowd.device);
}

int main(void)
{
    setenv("WEFT_CACHE_DIR", "", 1); /* no plans but the model's */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making_a_plan_again_takes_less_than_fifty_microseconds),
        cmocka_unit_test(plans_outlive_those_they_were_copied_from),
        cmocka_unit_test(other_problems_get_other_plans),
        cmocka_unit_test(what_is_kept_is_bounded),
        cmocka_unit_test(kept_plans_give_way),
        cmocka_unit_test(threads_may_make_and_destroy_the_same_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
