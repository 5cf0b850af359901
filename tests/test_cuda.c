/* CUDA devices in the caller's context, with the caller's memory, streams and graphs. Runs on what
 * libcuda.so.1 finds: a GPU, or the pretended driver of tests/fake/, that ctest puts in its way. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/cuda.h"
#include "support/random.h"

#define NEED_DEVICE()                                                                              \
    if (!cuda_device) skip()

static void problems_on_the_callers_stream_match_the_reference(void **state)
{
    (void)state;
    NEED_DEVICE();
    static const struct cuda_problem problems[] = {
        {{16}, 1, 100, 0, WEFT_F32, WEFT_INTERLEAVED, false},
        {{60}, 1, 7, 3, WEFT_F64, WEFT_PLANAR, false},
        {{1009}, 1, 2, 5, WEFT_F32, WEFT_PLANAR, false},
        {{1000}, 1, 3, 0, WEFT_F32, WEFT_INTERLEAVED, true},
        {{12, 35}, 2, 2, 9, WEFT_F32, WEFT_INTERLEAVED, false},
        {{8, 9, 10}, 3, 1, 1, WEFT_F64, WEFT_INTERLEAVED, true},
        {{65536}, 1, 1, 0, WEFT_F32, WEFT_INTERLEAVED, false},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        cuda_try_problem(&problems[i], false);
        if (!problems[i].transposed) cuda_try_problem(&problems[i], true);
    }
}

static void what_is_current_stays_current(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct cuda_problem p = {{64}, 1, 2, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    context_handle now = NULL, popped = NULL;
    cuda_try_problem(&p, false);
    cuda.current(&now);
    assert_ptr_equal(now, cuda_context);
    /* Without any cuda_context of its own the caller can cuda_execute as well. */
    weft_plan *plan = cuda_make_plan(cuda_device, &p);
    struct cuda_side side = cuda_make_side(cuda_device, &p);
    assert_int_equal(cuda.pop(&popped), 0);
    cuda_execute(plan, WEFT_FORWARD, &side, &side, cuda_stream);
    cuda.current(&now);
    assert_null(now);
    weft_plan_destroy(&plan);
    assert_int_equal(cuda.push(popped), 0);
    cuda_free_side(&side);
}

/* Large enough to need scratch, which must not be allocated by the stream that is captured. */
static void an_execute_can_be_captured_and_replayed(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct cuda_problem p = {{65536}, 1, 2, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    weft_plan *plan = cuda_make_plan(cuda_device, &p);
    struct cuda_side in = cuda_make_side(cuda_device, &p), out = cuda_make_side(cuda_device, &p);
    graph_handle graph = NULL, executable = NULL;
    assert_int_equal(cuda.begin_capture(cuda_stream, CAPTURE_GLOBAL), 0);
    cuda_execute(plan, WEFT_FORWARD, &in, &out, cuda_stream);
    assert_int_equal(cuda.end_capture(cuda_stream, &graph), 0);
    assert_int_equal(cuda.instantiate(&executable, graph, 0), 0);
    for (uint64_t round = 0; round < 3; round++) {
        double *data = cuda_random_pairs(&p, round);
        cuda_put(&p, &in, data);
        assert_int_equal(cuda.launch(executable, cuda_stream), 0);
        double *result = cuda_get(&p, &out);
        cuda_compare(&p, WEFT_FORWARD, data, result);
        free(data);
        free(result);
    }
    assert_int_equal(cuda.destroy_executable(executable), 0);
    assert_int_equal(cuda.destroy_graph(graph), 0);
    cuda_free_side(&in);
    cuda_free_side(&out);
    weft_plan_destroy(&plan);
}

static void the_null_stream_is_the_default_one(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct cuda_problem p = {{100}, 1, 5, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    weft_plan *plan = cuda_make_plan(cuda_device, &p);
    struct cuda_side in = cuda_make_side(cuda_device, &p), out = cuda_make_side(cuda_device, &p);
    double *data = cuda_random_pairs(&p, 3);
    cuda_put(&p, &in, data);
    cuda_execute(plan, WEFT_FORWARD, &in, &out, NULL);
    assert_int_equal(cuda.stream_wait(NULL), 0);
    double *result = cuda_get(&p, &out);
    cuda_compare(&p, WEFT_FORWARD, data, result);
    free(data);
    free(result);
    cuda_free_side(&in);
    cuda_free_side(&out);
    weft_plan_destroy(&plan);
}

/* ---- several threads ---- */

enum { THREADS = 4, ROUNDS = 5 };

static const struct cuda_problem shared_problem = {{65536},          1,    1, 0, WEFT_F32,
                                                   WEFT_INTERLEAVED, false};

struct user {
    const weft_plan *plan;
    struct cuda_side in, out;
    stream_handle stream;
    weft_status status;
};

static void *use_plan(void *context_of_user)
{
    struct user *user = context_of_user;
    cuda.push(cuda_context);
    for (int i = 0; i < ROUNDS && !user->status; i++) {
        user->status = weft_cuda_execute(user->plan, WEFT_FORWARD, user->in.buffer,
                                         user->out.buffer, NULL, user->stream);
    }
    if (cuda.stream_wait(user->stream)) user->status = WEFT_ERROR_DEVICE;
    return NULL;
}

static void threads_share_a_plan_on_streams_of_their_own(void **state)
{
    (void)state;
    NEED_DEVICE();
    weft_plan *plan = cuda_make_plan(cuda_device, &shared_problem);
    struct user user[THREADS] = {0};
    pthread_t thread[THREADS];
    double *data[THREADS];
    for (int i = 0; i < THREADS; i++) {
        user[i] = (struct user){plan, cuda_make_side(cuda_device, &shared_problem),
                                cuda_make_side(cuda_device, &shared_problem), NULL, WEFT_OK};
        assert_int_equal(cuda.stream_create(&user[i].stream, NON_BLOCKING), 0);
        data[i] = cuda_random_pairs(&shared_problem, (uint64_t)i + 10);
        cuda_put(&shared_problem, &user[i].in, data[i]);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, use_plan, &user[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(user[i].status, WEFT_OK);
        double *result = cuda_get(&shared_problem, &user[i].out);
        cuda_compare(&shared_problem, WEFT_FORWARD, data[i], result);
        free(result);
        free(data[i]);
        cuda.stream_destroy(user[i].stream);
        cuda_free_side(&user[i].in);
        cuda_free_side(&user[i].out);
    }
    weft_plan_destroy(&plan);
}

/* ---- what is refused ---- */

static void expect(weft_status status, weft_status expected, const char *words)
{
    assert_int_equal(status, expected);
    if (!strstr(weft_last_error(), words))
        fail_msg("\"%s\" does not say \"%s\"", weft_last_error(), words);
}

static void memory_that_is_not_the_devices_is_refused(void **state)
{
    (void)state;
    NEED_DEVICE();
    static char host[64];
    weft_buffer *buffer = NULL;
    expect(weft_cuda_buffer_wrap(cuda_device, host, NULL, sizeof host, &buffer),
           WEFT_ERROR_ARGUMENT, "no memory that CUDA knows");
    expect(weft_cuda_buffer_wrap(cuda_device, NULL, NULL, 8, &buffer), WEFT_ERROR_ARGUMENT, "NULL");
    context_handle other;
    struct cuda_array array;
    assert_int_equal(cuda.create(&other, 0, 0), 0);
    assert_int_equal(cuda.alloc(&array.block, 64), 0);
    weft_status status =
        weft_cuda_buffer_wrap(cuda_device, (void *)(uintptr_t)array.block, NULL, 64, &buffer);
    cuda.free(array.block);
    cuda.destroy(other);
    expect(status, WEFT_ERROR_ARGUMENT, "another context");
    assert_null(buffer);
}

static void host_memory_is_refused_on_a_stream(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct cuda_problem p = {{8}, 1, 1, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    static float host[16];
    weft_plan *plan = cuda_make_plan(cuda_device, &p);
    weft_buffer *buffer = NULL;
    assert_int_equal(weft_buffer_wrap(cuda_device, host, sizeof host, &buffer), WEFT_OK);
    expect(weft_cuda_execute(plan, WEFT_FORWARD, buffer, buffer, NULL, cuda_stream),
           WEFT_ERROR_ARGUMENT, "host memory");
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
}

/* Through the plan and back, in place the second way; on two buffers of one plan. */
static void go_there_and_back(weft_device *on, const weft_params *params, float *x, float *y,
                              size_t bytes)
{
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    if (weft_plan_create(on, params, &plan)) fail_msg("%s", weft_last_error());
    assert_int_equal(weft_buffer_wrap(on, x, bytes, &in), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(on, y, bytes, &out), WEFT_OK);
    if (weft_execute(plan, WEFT_FORWARD, in, out)) fail_msg("%s", weft_last_error());
    if (weft_execute(plan, WEFT_INVERSE, out, out)) fail_msg("%s", weft_last_error());
    if (weft_execute(plan, WEFT_FORWARD, out, out)) fail_msg("%s", weft_last_error());
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
}

/* Rows long enough to be copied by streams, by engines or by a kernel, and such as the host
 * gathers. */
enum { POINTS = 1 << 14 };

static const struct {
    int64_t size[2], limit;
} bands[] = {{{1, POINTS}, 200000}, {{1, POINTS}, 80000},     {{1, POINTS}, 65536},
             {{128, 128}, 80000},   {{3, POINTS / 4}, 30000}, {{POINTS / 4, 4}, 30000}};

enum { BANDS = sizeof bands / sizeof *bands };

/* The first `count` of them. */
static void stream_bands(weft_device *on, int count)
{
    static float x[2 * POINTS], y[2 * POINTS], z[2 * POINTS];
    struct random random = {1};
    weft_device *cpu = NULL;
    assert_int_equal(weft_device_open("cpu", &cpu), WEFT_OK);
    for (int i = 0; i < 2 * POINTS; i++)
        x[i] = (float)random_number(&random);
    for (int i = 0; i < count; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.rank = 2;
        memcpy(params.size, bands[i].size, sizeof bands[i].size);
        params.inverse_scale = 1.0 / POINTS;
        go_there_and_back(cpu, &params, x, z, sizeof x);
        params.memory_limit = bands[i].limit;
        go_there_and_back(on, &params, x, y, sizeof x);
        for (int j = 0; j < 2 * POINTS; j++)
            assert_true(fabsf(y[j] - z[j]) < 1e-3f);
    }
    weft_device_close(&cpu);
}

static void bands_of_host_memory_go_through_streams(void **state)
{
    (void)state;
    NEED_DEVICE();
    stream_bands(cuda_device, BANDS);
}

/* The pretended compiler refuses the kernel that copies rows. */
static void engines_copy_rows_for_which_there_is_no_kernel(void **state)
{
    (void)state;
    weft_device *poor = NULL;
    NEED_DEVICE();
    setenv("FAKE_NVRTC_REFUSES", "weft_copy_rows", 1);
    assert_int_equal(weft_cuda_device_open(NULL, &poor), WEFT_OK);
    stream_bands(poor, 1);
    weft_device_close(&poor);
    unsetenv("FAKE_NVRTC_REFUSES");
}

static void memory_beyond_the_devices_is_told(void **state)
{
    (void)state;
    NEED_DEVICE();
    weft_buffer *buffer = NULL;
    expect(weft_buffer_create(cuda_device, (size_t)1 << 46, &buffer), WEFT_ERROR_MEMORY,
           "cuMemAlloc");
    assert_null(buffer);
}

static void devices_that_are_not_there_are_refused(void **state)
{
    (void)state;
    NEED_DEVICE();
    weft_device *none = NULL, *cpu = NULL;
    weft_buffer *buffer = NULL;
    expect(weft_device_open("cuda:99", &none), WEFT_ERROR_DEVICE, "no device 99");
    expect(weft_device_open("cuda:x", &none), WEFT_ERROR_ARGUMENT, "\"x\"");
    expect(weft_cuda_device_open(NULL, NULL), WEFT_ERROR_ARGUMENT, "NULL");
    assert_int_equal(weft_device_open("cpu", &cpu), WEFT_OK);
    expect(weft_cuda_buffer_wrap(cpu, &buffer, NULL, 8, &buffer), WEFT_ERROR_ARGUMENT, "cpu");
    expect(weft_cuda_execute(NULL, WEFT_FORWARD, NULL, NULL, NULL, NULL), WEFT_ERROR_ARGUMENT,
           "NULL");
    weft_device_close(&cpu);
    context_handle popped;
    assert_int_equal(cuda.pop(&popped), 0);
    expect(weft_cuda_device_open(NULL, &none), WEFT_ERROR_ARGUMENT, "no context");
    assert_int_equal(cuda.push(popped), 0);
    assert_null(none);
}

static void the_device_is_listed_by_its_name(void **state)
{
    (void)state;
    NEED_DEVICE();
    weft_device_info info;
    assert_int_equal(weft_device_describe(0, &info), WEFT_OK);
    assert_string_equal(info.name, "cuda:0");
    assert_int_equal(info.precisions, (1u << (WEFT_DD + 1)) - 1);
    assert_int_equal(info.storages, (1u << (WEFT_STORED_I16 + 1)) - 1);
    assert_true(info.memory_bytes > 0);
    print_message("%s\n", info.description);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_device_is_listed_by_its_name),
        cmocka_unit_test(problems_on_the_callers_stream_match_the_reference),
        cmocka_unit_test(what_is_current_stays_current),
        cmocka_unit_test(an_execute_can_be_captured_and_replayed),
        cmocka_unit_test(the_null_stream_is_the_default_one),
        cmocka_unit_test(threads_share_a_plan_on_streams_of_their_own),
        cmocka_unit_test(memory_that_is_not_the_devices_is_refused),
        cmocka_unit_test(host_memory_is_refused_on_a_stream),
        cmocka_unit_test(engines_copy_rows_for_which_there_is_no_kernel),
        cmocka_unit_test(bands_of_host_memory_go_through_streams),
        cmocka_unit_test(memory_beyond_the_devices_is_told),
        cmocka_unit_test(devices_that_are_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, cuda_start, cuda_stop);
}
