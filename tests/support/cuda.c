#include "support/cuda.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/policy.h"
#include "reference/reference.h"
#include "support/random.h"

enum { GUARD = 4096 };

struct cuda_driver cuda;

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

context_handle cuda_context;

weft_device *cuda_device;

stream_handle cuda_stream;

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

int cuda_start(void **state)
{
    (void)state;
    if (!open_driver()) {
        print_message("not tried: no CUDA driver, or no device\n");
        return 0;
    }
    context_handle created;
    assert_int_equal(cuda.create(&created, 0, 0), 0);
    cuda_context = created;
    assert_int_equal(cuda.stream_create(&cuda_stream, NON_BLOCKING), 0);
    if (weft_cuda_device_open(NULL, &cuda_device))
        print_message("not tried: %s\n", weft_last_error());
    return 0;
}

int cuda_stop(void **state)
{
    (void)state;
    weft_device_close(&cuda_device);
    if (cuda_stream) cuda.stream_destroy(cuda_stream);
    if (cuda_context) cuda.destroy(cuda_context);
    return 0;
}

static void upload(uint64_t to, const void *from, size_t bytes)
{
    assert_int_equal(cuda.upload(to, from, bytes, cuda_stream), 0);
    assert_int_equal(cuda.stream_wait(cuda_stream), 0);
}

static void download(void *to, uint64_t from, size_t bytes)
{
    assert_int_equal(cuda.download(to, from, bytes, cuda_stream), 0);
    assert_int_equal(cuda.stream_wait(cuda_stream), 0);
}

static struct cuda_array make_array(size_t bytes)
{
    struct cuda_array array = {0, bytes};
    assert_int_equal(cuda.alloc(&array.block, bytes + 2 * GUARD), 0);
    unsigned char *guards = malloc(bytes + 2 * GUARD);
    assert_non_null(guards);
    memset(guards, 0xff, bytes + 2 * GUARD);
    upload(array.block, guards, bytes + 2 * GUARD);
    free(guards);
    return array;
}

static void *start_of(const struct cuda_array *array)
{
    return (void *)(uintptr_t)(array->block + GUARD);
}

static void check_guards(const struct cuda_array *array)
{
    unsigned char guard[2][GUARD];
    download(guard[0], array->block, GUARD);
    download(guard[1], array->block + GUARD + array->bytes, GUARD);
    for (int i = 0; i < GUARD; i++)
        if (guard[0][i] != 0xff || guard[1][i] != 0xff) fail_msg("a guard was overwritten");
}

static void free_array(struct cuda_array *array)
{
    check_guards(array);
    assert_int_equal(cuda.free(array->block), 0);
}

static int64_t points_of(const struct cuda_problem *p)
{
    int64_t points = 1;
    for (int i = 0; i < p->rank; i++)
        points *= p->size[i];
    return points;
}

static size_t number_bytes(const struct cuda_problem *p)
{
    return p->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
}

/* Places of each side, gaps included. */
static int64_t span_of(const struct cuda_problem *p)
{
    return p->batch * (points_of(p) + p->padding);
}

weft_plan *cuda_make_plan(weft_device *on, const struct cuda_problem *p)
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

static int64_t place_of(const struct cuda_problem *p, bool out, int64_t array, int64_t element)
{
    if (out && p->transposed) return element * p->batch + array;
    return array * (points_of(p) + p->padding) + element;
}

/* A side on the host as the device has it, from and to packed pairs of doubles. */
static void *spread(const struct cuda_problem *p, const double *pairs)
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

static double *gather(const struct cuda_problem *p, const void *side)
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

double *cuda_random_pairs(const struct cuda_problem *p, uint64_t seed)
{
    struct random random = {seed};
    const int64_t count = 2 * points_of(p) * p->batch;
    double *pairs = malloc((size_t)count * sizeof *pairs);
    assert_non_null(pairs);
    for (int64_t i = 0; i < count; i++)
        pairs[i] = (double)(float)random_number(&random);
    return pairs;
}

void cuda_compare(const struct cuda_problem *p, weft_direction direction, const double *in,
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

struct cuda_side cuda_make_side(weft_device *on, const struct cuda_problem *p)
{
    const size_t plane = (size_t)span_of(p) * number_bytes(p);
    struct cuda_side side = {.array = make_array(2 * plane)};
    char *re = start_of(&side.array);
    const bool planar = p->format == WEFT_PLANAR;
    if (weft_cuda_buffer_wrap(on, re, planar ? re + plane : NULL, planar ? plane : 2 * plane,
                              &side.buffer)) {
        fail_msg("%s", weft_last_error());
    }
    return side;
}

void cuda_free_side(struct cuda_side *side)
{
    weft_buffer_destroy(&side->buffer);
    free_array(&side->array);
}

void cuda_put(const struct cuda_problem *p, struct cuda_side *side, const double *pairs)
{
    void *data = spread(p, pairs);
    upload(side->array.block + GUARD, data, side->array.bytes);
    free(data);
}

double *cuda_get(const struct cuda_problem *p, const struct cuda_side *side)
{
    void *data = malloc(side->array.bytes);
    assert_non_null(data);
    download(data, side->array.block + GUARD, side->array.bytes);
    double *pairs = gather(p, data);
    free(data);
    return pairs;
}

void cuda_execute(const weft_plan *plan, weft_direction direction, struct cuda_side *in,
                  struct cuda_side *out, stream_handle on)
{
    if (weft_cuda_execute(plan, direction, in->buffer, out->buffer, NULL, on))
        fail_msg("%s", weft_last_error());
}

void cuda_try_problem(const struct cuda_problem *p, bool in_place)
{
    weft_plan *plan = cuda_make_plan(cuda_device, p);
    struct cuda_side in = cuda_make_side(cuda_device, p), out = cuda_make_side(cuda_device, p);
    for (int d = 0; d < 2; d++) {
        const weft_direction direction = d ? WEFT_INVERSE : WEFT_FORWARD;
        double *data = cuda_random_pairs(p, (uint64_t)d + 1);
        cuda_put(p, &in, data);
        cuda_execute(plan, direction, &in, in_place ? &in : &out, cuda_stream);
        double *result = cuda_get(p, in_place ? &in : &out);
        cuda_compare(p, direction, data, result);
        free(data);
        free(result);
    }
    cuda_free_side(&in);
    cuda_free_side(&out);
    weft_plan_destroy(&plan);
}
