/* Plans on several threads, and several threads with one plan: whoever runs a plan gets the same
 * bits, and plans for different numbers of threads agree but for roundings. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "weft/weft.h"

/* Builds that watch every access take fifty times as long. */
#if defined(__SANITIZE_THREAD__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED 1
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

enum { CALLERS = 4, MOST_THREADS = 4 };

/* Each byte of what is not written, of which some kinds leave a part: numbers, to be compared. */
#define UNTOUCHED 0x40

static weft_device *device;

/* A problem with its input and the output that a lone caller gets. */
struct problem {
    weft_params params;
    size_t bytes;
    float *in, *expected;
};

static void *checked(void *memory)
{
    if (!memory) abort();
    return memory;
}

static weft_plan *plan_for(const weft_params *params)
{
    weft_plan *plan = NULL;
    if (weft_plan_create(device, params, &plan)) fail_msg("no plan: %s", weft_last_error());
    return plan;
}

/* True if it went well. Called from other threads, so nothing is asserted here. */
static bool execute(const weft_plan *plan, const void *in, void *out, size_t bytes)
{
    weft_buffer *from = NULL, *to = NULL;
    void *data = (void *)(uintptr_t)in;
    bool done = weft_buffer_wrap(device, data, bytes, &from) == WEFT_OK &&
                weft_buffer_wrap(device, out, bytes, &to) == WEFT_OK &&
                weft_execute(plan, WEFT_FORWARD, from, to) == WEFT_OK;
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    return done;
}

static void create_problem(struct problem *problem, const weft_params *params)
{
    struct random random = {1};
    problem->params = *params;
    int64_t numbers = 2 * params->batch;
    for (int i = 0; i < params->rank; i++) numbers *= params->size[i];
    problem->bytes = (size_t)numbers * sizeof(float);
    problem->in = checked(malloc(problem->bytes));
    problem->expected = checked(malloc(problem->bytes));
    memset(problem->expected, UNTOUCHED, problem->bytes);
    for (int64_t i = 0; i < numbers; i++) problem->in[i] = (float)random_number(&random);
    weft_plan *plan = plan_for(params);
    assert_true(execute(plan, problem->in, problem->expected, problem->bytes));
    weft_plan_destroy(&plan);
}

static void destroy_problem(struct problem *problem)
{
    free(problem->in);
    free(problem->expected);
}

static weft_params sizes(int rank, int64_t a, int64_t b, int64_t batch)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = rank;
    params.size[0] = a;
    params.size[1] = b;
    params.batch = batch;
    return params;
}

static weft_params of_kind(weft_kind kind, weft_params params)
{
    params.kind = kind;
    return params;
}

/* Of every kind of plan one or two. */
static int problems(weft_params *params)
{
    const int64_t large = WATCHED ? 1 << 14 : 1 << 19;
    int count = 0;
    params[count++] = sizes(1, 1, 0, 1);
    params[count++] = sizes(1, 16, 0, 1000);
    params[count++] = sizes(1, 360, 0, 37);
    params[count++] = sizes(1, 1009, 0, 5);
    params[count++] = sizes(1, large, 0, 1);
    params[count++] = sizes(1, large - 1, 0, 1);
    params[count++] = sizes(2, 100, 130, 3);
    params[count++] = sizes(2, 37, 64, 1);
    params[count++] = sizes(2, 250, 251, 1);
    params[count++] = sizes(2, 64, 60, WATCHED ? 20 : 200);
    params[count++] = sizes(1, large / 8, 0, 5);
    params[count++] = of_kind(WEFT_R2C, sizes(2, 64, 60, WATCHED ? 20 : 200));
    params[count++] = of_kind(WEFT_C2R, sizes(2, 60, 64, WATCHED ? 20 : 200));
    params[count++] = of_kind(WEFT_DHT, sizes(2, 60, 60, WATCHED ? 20 : 200));
    params[count++] = of_kind(WEFT_DCT2, sizes(1, large / 2, 0, 3));
    return count;
}

enum { MOST_PROBLEMS = 16 };

/* ||x - y|| / ||y||; the plans may differ, so their roundings may. */
static double difference(size_t numbers, const float *x, const float *y)
{
    double off = 0, norm = 0;
    for (size_t i = 0; i < numbers; i++) {
        off += ((double)x[i] - (double)y[i]) * ((double)x[i] - (double)y[i]);
        norm += (double)y[i] * (double)y[i];
    }
    return sqrt(off / norm);
}

static void any_number_of_threads_gives_the_same_result(void **state)
{
    (void)state;
    weft_params params[MOST_PROBLEMS];
    const int count = problems(params);
    for (int i = 0; i < count; i++) {
        struct problem alone, together;
        create_problem(&alone, &params[i]);
        for (int threads = 0; threads <= MOST_THREADS; threads++) {
            params[i].threads = threads;
            create_problem(&together, &params[i]);
            const size_t numbers = alone.bytes / sizeof(float);
            assert_true(difference(numbers, together.expected, alone.expected) < 5e-7);
            destroy_problem(&together);
        }
        destroy_problem(&alone);
    }
}

/* ---- several callers ---- */

struct caller {
    const struct problem *problem;
    const weft_plan *plan; /* NULL: one of its own each time */
    int repeats;
    atomic_int *wrong;
};

static bool call_once(const struct caller *caller, float *out)
{
    const struct problem *problem = caller->problem;
    weft_plan *own = NULL;
    if (!caller->plan && weft_plan_create(device, &problem->params, &own)) return false;
    memset(out, UNTOUCHED, problem->bytes);
    const bool done =
        execute(caller->plan ? caller->plan : own, problem->in, out, problem->bytes) &&
        memcmp(out, problem->expected, problem->bytes) == 0;
    weft_plan_destroy(&own);
    return done;
}

static void *call(void *argument)
{
    const struct caller *caller = argument;
    float *out = checked(malloc(caller->problem->bytes));
    for (int i = 0; i < caller->repeats; i++)
        if (!call_once(caller, out)) atomic_fetch_add(caller->wrong, 1);
    free(out);
    return NULL;
}

static void let_callers_run(const struct problem *problem, const weft_plan *plan, int repeats)
{
    atomic_int wrong = 0;
    pthread_t thread[CALLERS];
    struct caller caller = {problem, plan, repeats, &wrong};
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, call, &caller), 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(thread[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
}

static void several_callers_share_a_plan(void **state)
{
    (void)state;
    weft_params params[MOST_PROBLEMS];
    const int count = problems(params);
    for (int i = 0; i < count; i++) {
        for (int threads = 1; threads <= 3; threads++) {
            struct problem problem;
            params[i].threads = threads;
            create_problem(&problem, &params[i]);
            weft_plan *plan = plan_for(&problem.params);
            let_callers_run(&problem, plan, 5);
            weft_plan_destroy(&plan);
            destroy_problem(&problem);
        }
    }
}

static void several_callers_make_plans_for_one_device(void **state)
{
    (void)state;
    weft_params params[MOST_PROBLEMS];
    const int count = problems(params);
    for (int i = 0; i < count; i++) {
        struct problem problem;
        params[i].threads = i % 3 + 1;
        create_problem(&problem, &params[i]);
        let_callers_run(&problem, NULL, 2);
        destroy_problem(&problem);
    }
}

static void *fail_on_purpose(void *argument)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    bool right = strcmp(weft_last_error(), "") == 0;
    params.rank = (int)(intptr_t)argument + 100;
    for (int i = 0; i < 100; i++) {
        right = right && weft_plan_create(device, &params, &plan) == WEFT_ERROR_ARGUMENT;
        right = right && strtol(weft_last_error() + strlen("rank is "), NULL, 10) == params.rank;
    }
    return right ? NULL : argument;
}

static void every_thread_has_its_own_message(void **state)
{
    (void)state;
    pthread_t thread[CALLERS];
    for (intptr_t i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, fail_on_purpose, (void *)(i + 1)), 0);
    for (int i = 0; i < CALLERS; i++) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        assert_null(wrong);
    }
}

static void *open_and_close(void *argument)
{
    for (int i = 0; i < 20; i++) {
        weft_device *own = NULL;
        if (weft_device_open(NULL, &own)) return argument;
        weft_device_close(&own);
    }
    return NULL;
}

static void devices_can_be_opened_from_several_threads(void **state)
{
    (void)state;
    pthread_t thread[CALLERS];
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, open_and_close, device), 0);
    for (int i = 0; i < CALLERS; i++) {
        void *wrong;
        pthread_join(thread[i], &wrong);
        assert_null(wrong);
    }
}

static int open_device(void **state)
{
    (void)state;
    return weft_device_open("cpu", &device) ? -1 : 0;
}

static int close_device(void **state)
{
    (void)state;
    weft_device_close(&device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_result),
        cmocka_unit_test(several_callers_share_a_plan),
        cmocka_unit_test(several_callers_make_plans_for_one_device),
        cmocka_unit_test(every_thread_has_its_own_message),
        cmocka_unit_test(devices_can_be_opened_from_several_threads),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
