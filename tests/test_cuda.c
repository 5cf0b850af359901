/* CUDA devices in the caller's context, with the caller's memory, streams and graphs. Runs on what
 * libcuda.so.1 finds: a GPU, or the pretended driver of tests/fake/, that ctest puts in its way. */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <weft/cuda.h>

#include "reference/policy.h"
#include "reference/reference.h"
#include "support/random.h"

/* ---- the caller's side of the driver ---- */

typedef struct CUctx_st *context_handle;
typedef struct CUstream_st *stream_handle;
typedef struct CUgraph_st *graph_handle;

static struct {
    int (*init)(unsigned flags);
    int (*device_count)(int *count);
    int (*primary_retain)(context_handle *context, int device);
    int (*primary_release)(int device);
    int (*create)(context_handle *context, unsigned flags, int device);
    int (*destroy)(context_handle context);
    int (*push)(context_handle context);
    int (*pop)(context_handle *context);
    int (*current)(context_handle *context);
    int (*alloc)(uint64_t *memory, size_t bytes);
    int (*free)(uint64_t memory);
    int (*upload)(uint64_t to, const void *from, size_t bytes, stream_handle stream);
    int (*download)(void *to, uint64_t from, size_t bytes, stream_handle stream);
    int (*stream_create)(stream_handle *stream, unsigned flags);
    int (*stream_destroy)(stream_handle stream);
    int (*stream_wait)(stream_handle stream);
    int (*begin_capture)(stream_handle stream, int mode);
    int (*end_capture)(stream_handle stream, graph_handle *graph);
    int (*instantiate)(graph_handle *executable, graph_handle graph, unsigned long long flags);
    int (*launch)(graph_handle executable, stream_handle stream);
    int (*destroy_executable)(graph_handle executable);
    int (*destroy_graph)(graph_handle graph);
} cuda;

struct entry {
    const char *name;
    void *function; /* the address of the pointer to it */
};

static const struct entry entries[] = {
    {"cuInit", &cuda.init},
    {"cuDeviceGetCount", &cuda.device_count},
    {"cuDevicePrimaryCtxRetain", &cuda.primary_retain},
    {"cuDevicePrimaryCtxRelease_v2", &cuda.primary_release},
    {"cuCtxCreate_v2", &cuda.create},
    {"cuCtxDestroy_v2", &cuda.destroy},
    {"cuCtxPushCurrent_v2", &cuda.push},
    {"cuCtxPopCurrent_v2", &cuda.pop},
    {"cuCtxGetCurrent", &cuda.current},
    {"cuMemAlloc_v2", &cuda.alloc},
    {"cuMemFree_v2", &cuda.free},
    {"cuMemcpyHtoDAsync_v2", &cuda.upload},
    {"cuMemcpyDtoHAsync_v2", &cuda.download},
    {"cuStreamCreate", &cuda.stream_create},
    {"cuStreamDestroy_v2", &cuda.stream_destroy},
    {"cuStreamSynchronize", &cuda.stream_wait},
    {"cuStreamBeginCapture_v2", &cuda.begin_capture},
    {"cuStreamEndCapture", &cuda.end_capture},
    {"cuGraphInstantiateWithFlags", &cuda.instantiate},
    {"cuGraphLaunch", &cuda.launch},
    {"cuGraphExecDestroy", &cuda.destroy_executable},
    {"cuGraphDestroy", &cuda.destroy_graph},
};

enum { NON_BLOCKING = 1, CAPTURE_GLOBAL = 0 };

/* A context of the caller's own, a device in it, and a stream. */
static context_handle context;
static weft_device *device;
static stream_handle stream;

static bool open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *symbol = library ? dlsym(library, entries[i].name) : NULL;
        if (!symbol) return false;
        memcpy(entries[i].function, &symbol, sizeof symbol);
    }
    int count = 0;
    return cuda.init(0) == 0 && cuda.device_count(&count) == 0 && count > 0;
}

static int start(void **state)
{
    (void)state;
    if (!open_driver()) {
        print_message("not tried: no CUDA driver, or no device\n");
        return 0;
    }
    context_handle created;
    assert_int_equal(cuda.create(&created, 0, 0), 0);
    context = created;
    assert_int_equal(cuda.stream_create(&stream, NON_BLOCKING), 0);
    if (weft_cuda_device_open(NULL, &device)) print_message("not tried: %s\n", weft_last_error());
    return 0;
}

static int stop(void **state)
{
    (void)state;
    weft_device_close(&device);
    if (stream) cuda.stream_destroy(stream);
    if (context) cuda.destroy(context);
    return 0;
}

/* ---- arrays on the device, between guards ---- */

enum { GUARD = 4096 };

struct array {
    uint64_t block;
    size_t bytes; /* between the guards */
};

static void upload(uint64_t to, const void *from, size_t bytes)
{
    assert_int_equal(cuda.upload(to, from, bytes, stream), 0);
    assert_int_equal(cuda.stream_wait(stream), 0);
}

static void download(void *to, uint64_t from, size_t bytes)
{
    assert_int_equal(cuda.download(to, from, bytes, stream), 0);
    assert_int_equal(cuda.stream_wait(stream), 0);
}

static struct array make_array(size_t bytes)
{
    struct array array = {0, bytes};
    assert_int_equal(cuda.alloc(&array.block, bytes + 2 * GUARD), 0);
    unsigned char *guards = malloc(bytes + 2 * GUARD);
    assert_non_null(guards);
    memset(guards, 0xff, bytes + 2 * GUARD);
    upload(array.block, guards, bytes + 2 * GUARD);
    free(guards);
    return array;
}

static void *start_of(const struct array *array)
{
    return (void *)(uintptr_t)(array->block + GUARD);
}

static void check_guards(const struct array *array)
{
    unsigned char guard[2][GUARD];
    download(guard[0], array->block, GUARD);
    download(guard[1], array->block + GUARD + array->bytes, GUARD);
    for (int i = 0; i < GUARD; i++)
        if (guard[0][i] != 0xff || guard[1][i] != 0xff) fail_msg("a guard was overwritten");
}

static void free_array(struct array *array)
{
    check_guards(array);
    assert_int_equal(cuda.free(array->block), 0);
}

/* ---- one problem ---- */

/* Packed but for the distance from a batch's array to the next and, if transposed, the output,
 * which has the batch as its fastest axis. */
struct problem {
    int64_t size[3];
    int rank;
    int64_t batch, padding;
    weft_precision precision;
    weft_format format;
    bool transposed;
};

static int64_t points_of(const struct problem *p)
{
    int64_t points = 1;
    for (int i = 0; i < p->rank; i++)
        points *= p->size[i];
    return points;
}

static size_t number_bytes(const struct problem *p)
{
    return p->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
}

/* Places of each side, gaps included. */
static int64_t span_of(const struct problem *p)
{
    return p->batch * (points_of(p) + p->padding);
}

static weft_plan *make_plan(weft_device *on, const struct problem *p)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    int64_t out_stride[3], stride = p->batch;
    params.rank = p->rank;
    params.batch = p->batch;
    params.precision = p->precision;
    params.format = p->format;
    params.in_distance = points_of(p) + p->padding;
    params.out_distance = params.in_distance;
    for (int i = p->rank - 1; i >= 0; i--) {
        params.size[i] = p->size[i];
        out_stride[i] = stride;
        stride *= p->size[i];
    }
    if (p->transposed) {
        params.out_stride = out_stride;
        params.out_distance = 1;
    }
    weft_plan *plan = NULL;
    if (weft_plan_create(on, &params, &plan)) fail_msg("%s", weft_last_error());
    return plan;
}

static int64_t place_of(const struct problem *p, bool out, int64_t array, int64_t element)
{
    if (out && p->transposed) return element * p->batch + array;
    return array * (points_of(p) + p->padding) + element;
}

/* A side on the host as the device has it, from and to packed pairs of doubles. */
static void *spread(const struct problem *p, const double *pairs)
{
    const size_t bytes = (size_t)span_of(p) * 2 * number_bytes(p);
    void *side = malloc(bytes);
    float *singles = side;
    double *doubles = side;
    assert_non_null(side);
    memset(side, 0xff, bytes);
    for (int64_t a = 0; a < p->batch; a++) {
        for (int64_t e = 0; e < points_of(p); e++) {
            for (int part = 0; part < 2; part++) {
                int64_t place = place_of(p, false, a, e);
                place = p->format == WEFT_PLANAR ? part * span_of(p) + place : 2 * place + part;
                const double number = pairs[2 * (a * points_of(p) + e) + part];
                if (p->precision == WEFT_F64)
                    doubles[place] = number;
                else
                    singles[place] = (float)number;
            }
        }
    }
    return side;
}

static double *gather(const struct problem *p, const void *side)
{
    double *pairs = malloc((size_t)(points_of(p) * p->batch) * 2 * sizeof *pairs);
    const float *singles = side;
    const double *doubles = side;
    assert_non_null(pairs);
    for (int64_t a = 0; a < p->batch; a++) {
        for (int64_t e = 0; e < points_of(p); e++) {
            for (int part = 0; part < 2; part++) {
                int64_t place = place_of(p, true, a, e);
                place = p->format == WEFT_PLANAR ? part * span_of(p) + place : 2 * place + part;
                pairs[2 * (a * points_of(p) + e) + part] =
                    p->precision == WEFT_F64 ? doubles[place] : (double)singles[place];
            }
        }
    }
    return pairs;
}

/* Random numbers that single precision holds. */
static double *random_pairs(const struct problem *p, uint64_t seed)
{
    struct random random = {seed};
    const int64_t count = 2 * points_of(p) * p->batch;
    double *pairs = malloc((size_t)count * sizeof *pairs);
    assert_non_null(pairs);
    for (int64_t i = 0; i < count; i++)
        pairs[i] = (double)(float)random_number(&random);
    return pairs;
}

static void compare(const struct problem *p, weft_direction direction, const double *in,
                    const double *out)
{
    int64_t size[4] = {p->batch};
    memcpy(size + 1, p->size, sizeof p->size);
    const uint32_t axes = ((1u << p->rank) - 1) << 1;
    const int64_t elements = points_of(p) * p->batch;
    struct reference_extended *exact = malloc((size_t)elements * 2 * sizeof *exact);
    assert_non_null(exact);
    assert_true(reference_dft_axes_extended(p->rank + 1, size, axes,
                                            direction == WEFT_FORWARD ? -1 : 1, in, exact));
    const double error = reference_error_f64(elements, out, exact);
    const double limit = (p->precision == WEFT_F64 ? policy_limit_f64
                                                   : policy_limit_f32)("cuda:0", p->rank, p->size);
    if (!(error <= 1.5 * limit))
        fail_msg("%lld x %lld: error %.3g, limit %.3g", (long long)p->size[0],
                 (long long)p->size[1], error, limit);
    free(exact);
}

/* ---- executing ---- */

struct side {
    struct array array;
    weft_buffer *buffer;
};

static struct side make_side(weft_device *on, const struct problem *p)
{
    const size_t plane = (size_t)span_of(p) * number_bytes(p);
    struct side side = {.array = make_array(2 * plane)};
    char *re = start_of(&side.array);
    const bool planar = p->format == WEFT_PLANAR;
    if (weft_cuda_buffer_wrap(on, re, planar ? re + plane : NULL, planar ? plane : 2 * plane,
                              &side.buffer)) {
        fail_msg("%s", weft_last_error());
    }
    return side;
}

static void free_side(struct side *side)
{
    weft_buffer_destroy(&side->buffer);
    free_array(&side->array);
}

static void put(const struct problem *p, struct side *side, const double *pairs)
{
    void *data = spread(p, pairs);
    upload(side->array.block + GUARD, data, side->array.bytes);
    free(data);
}

static double *get(const struct problem *p, const struct side *side)
{
    void *data = malloc(side->array.bytes);
    assert_non_null(data);
    download(data, side->array.block + GUARD, side->array.bytes);
    double *pairs = gather(p, data);
    free(data);
    return pairs;
}

static void execute(const weft_plan *plan, weft_direction direction, struct side *in,
                    struct side *out, stream_handle on)
{
    if (weft_cuda_execute(plan, direction, in->buffer, out->buffer, NULL, on))
        fail_msg("%s", weft_last_error());
}

static void try_problem(const struct problem *p, bool in_place)
{
    weft_plan *plan = make_plan(device, p);
    struct side in = make_side(device, p), out = make_side(device, p);
    for (int d = 0; d < 2; d++) {
        const weft_direction direction = d ? WEFT_INVERSE : WEFT_FORWARD;
        double *data = random_pairs(p, (uint64_t)d + 1);
        put(p, &in, data);
        execute(plan, direction, &in, in_place ? &in : &out, stream);
        double *result = get(p, in_place ? &in : &out);
        compare(p, direction, data, result);
        free(data);
        free(result);
    }
    free_side(&in);
    free_side(&out);
    weft_plan_destroy(&plan);
}

#define NEED_DEVICE()                                                                              \
    if (!device) skip()

static void problems_on_the_callers_stream_match_the_reference(void **state)
{
    (void)state;
    NEED_DEVICE();
    static const struct problem problems[] = {
        {{16}, 1, 100, 0, WEFT_F32, WEFT_INTERLEAVED, false},
        {{60}, 1, 7, 3, WEFT_F64, WEFT_PLANAR, false},
        {{1009}, 1, 2, 5, WEFT_F32, WEFT_PLANAR, false},
        {{1000}, 1, 3, 0, WEFT_F32, WEFT_INTERLEAVED, true},
        {{12, 35}, 2, 2, 9, WEFT_F32, WEFT_INTERLEAVED, false},
        {{8, 9, 10}, 3, 1, 1, WEFT_F64, WEFT_INTERLEAVED, true},
        {{65536}, 1, 1, 0, WEFT_F32, WEFT_INTERLEAVED, false},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        try_problem(&problems[i], false);
        if (!problems[i].transposed) try_problem(&problems[i], true);
    }
}

static void what_is_current_stays_current(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct problem p = {{64}, 1, 2, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    context_handle now = NULL, popped = NULL;
    try_problem(&p, false);
    cuda.current(&now);
    assert_ptr_equal(now, context);
    /* Without any context of its own the caller can execute as well. */
    weft_plan *plan = make_plan(device, &p);
    struct side side = make_side(device, &p);
    assert_int_equal(cuda.pop(&popped), 0);
    execute(plan, WEFT_FORWARD, &side, &side, stream);
    cuda.current(&now);
    assert_null(now);
    weft_plan_destroy(&plan);
    assert_int_equal(cuda.push(popped), 0);
    free_side(&side);
}

/* Large enough to need scratch, which must not be allocated by the stream that is captured. */
static void an_execute_can_be_captured_and_replayed(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct problem p = {{65536}, 1, 2, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    weft_plan *plan = make_plan(device, &p);
    struct side in = make_side(device, &p), out = make_side(device, &p);
    graph_handle graph = NULL, executable = NULL;
    assert_int_equal(cuda.begin_capture(stream, CAPTURE_GLOBAL), 0);
    execute(plan, WEFT_FORWARD, &in, &out, stream);
    assert_int_equal(cuda.end_capture(stream, &graph), 0);
    assert_int_equal(cuda.instantiate(&executable, graph, 0), 0);
    for (uint64_t round = 0; round < 3; round++) {
        double *data = random_pairs(&p, round);
        put(&p, &in, data);
        assert_int_equal(cuda.launch(executable, stream), 0);
        double *result = get(&p, &out);
        compare(&p, WEFT_FORWARD, data, result);
        free(data);
        free(result);
    }
    assert_int_equal(cuda.destroy_executable(executable), 0);
    assert_int_equal(cuda.destroy_graph(graph), 0);
    free_side(&in);
    free_side(&out);
    weft_plan_destroy(&plan);
}

static void the_null_stream_is_the_default_one(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct problem p = {{100}, 1, 5, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    weft_plan *plan = make_plan(device, &p);
    struct side in = make_side(device, &p), out = make_side(device, &p);
    double *data = random_pairs(&p, 3);
    put(&p, &in, data);
    execute(plan, WEFT_FORWARD, &in, &out, NULL);
    assert_int_equal(cuda.stream_wait(NULL), 0);
    double *result = get(&p, &out);
    compare(&p, WEFT_FORWARD, data, result);
    free(data);
    free(result);
    free_side(&in);
    free_side(&out);
    weft_plan_destroy(&plan);
}

/* ---- several threads ---- */

enum { THREADS = 4, ROUNDS = 5 };
static const struct problem shared_problem = {{65536}, 1, 1, 0, WEFT_F32, WEFT_INTERLEAVED, false};

struct user {
    const weft_plan *plan;
    struct side in, out;
    stream_handle stream;
    weft_status status;
};

static void *use_plan(void *context_of_user)
{
    struct user *user = context_of_user;
    cuda.push(context);
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
    weft_plan *plan = make_plan(device, &shared_problem);
    struct user user[THREADS] = {0};
    pthread_t thread[THREADS];
    double *data[THREADS];
    for (int i = 0; i < THREADS; i++) {
        user[i] = (struct user){plan, make_side(device, &shared_problem),
                                make_side(device, &shared_problem), NULL, WEFT_OK};
        assert_int_equal(cuda.stream_create(&user[i].stream, NON_BLOCKING), 0);
        data[i] = random_pairs(&shared_problem, (uint64_t)i + 10);
        put(&shared_problem, &user[i].in, data[i]);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, use_plan, &user[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(user[i].status, WEFT_OK);
        double *result = get(&shared_problem, &user[i].out);
        compare(&shared_problem, WEFT_FORWARD, data[i], result);
        free(result);
        free(data[i]);
        cuda.stream_destroy(user[i].stream);
        free_side(&user[i].in);
        free_side(&user[i].out);
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
    expect(weft_cuda_buffer_wrap(device, host, NULL, sizeof host, &buffer), WEFT_ERROR_ARGUMENT,
           "no memory that CUDA knows");
    expect(weft_cuda_buffer_wrap(device, NULL, NULL, 8, &buffer), WEFT_ERROR_ARGUMENT, "NULL");
    context_handle other;
    struct array array;
    assert_int_equal(cuda.create(&other, 0, 0), 0);
    assert_int_equal(cuda.alloc(&array.block, 64), 0);
    weft_status status =
        weft_cuda_buffer_wrap(device, (void *)(uintptr_t)array.block, NULL, 64, &buffer);
    cuda.free(array.block);
    cuda.destroy(other);
    expect(status, WEFT_ERROR_ARGUMENT, "another context");
    assert_null(buffer);
}

static void host_memory_is_refused_on_a_stream(void **state)
{
    (void)state;
    NEED_DEVICE();
    const struct problem p = {{8}, 1, 1, 0, WEFT_F32, WEFT_INTERLEAVED, false};
    static float host[16];
    weft_plan *plan = make_plan(device, &p);
    weft_buffer *buffer = NULL;
    assert_int_equal(weft_buffer_wrap(device, host, sizeof host, &buffer), WEFT_OK);
    expect(weft_cuda_execute(plan, WEFT_FORWARD, buffer, buffer, NULL, stream), WEFT_ERROR_ARGUMENT,
           "host memory");
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
} bands[] = {{{1, POINTS}, 200000},    {{1, POINTS}, 80000}, {{1, POINTS}, 65536},
             {{128, 128}, 80000},      {{3, POINTS / 4}, 30000},
             {{POINTS / 4, 4}, 30000}};
enum { BANDS = sizeof bands / sizeof *bands };

/* The first `count` of them. */
static void stream_bands(weft_device *on, int count)
{
    static float x[2 * POINTS], y[2 * POINTS], z[2 * POINTS];
    struct random random = {1};
    weft_device *cpu = NULL;
    assert_int_equal(weft_device_open("cpu", &cpu), WEFT_OK);
    for (int i = 0; i < 2 * POINTS; i++) x[i] = (float)random_number(&random);
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
    stream_bands(device, BANDS);
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
    expect(weft_buffer_create(device, (size_t)1 << 46, &buffer), WEFT_ERROR_MEMORY, "cuMemAlloc");
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
    return cmocka_run_group_tests(tests, start, stop);
}
