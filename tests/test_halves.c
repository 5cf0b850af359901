/* Long lines of reals, which the CPU takes in two passes of half their numbers, and batches of
 * short odd ones, against the complex transform of the same numbers: by every instruction set,
 * wherever the spectrum lies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/random.h"

#define SENTINEL 1234.5
#define GAP      9 /* numbers around the spectra that nobody may touch; an odd count of them */

static struct random numbers = {11};

struct line {
    int64_t n, batch, offset; /* of the first number of the output, in complex numbers */
    int threads;
};

/* Single or double, aligned as caches want it. */
struct array {
    weft_precision precision;
    int64_t reals;
    void *data;
    weft_buffer *buffer;
};

static struct array make_array(weft_device *device, weft_precision precision, int64_t reals)
{
    struct array array = {.precision = precision, .reals = reals};
    const size_t bytes = (size_t)reals * (precision == WEFT_F32 ? 4 : 8);
    array.data = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    assert_non_null(array.data);
    assert_done(weft_buffer_wrap(device, array.data, bytes, &array.buffer));
    return array;
}

static void free_array(struct array *array)
{
    weft_buffer_destroy(&array->buffer);
    free(array->data);
}

static void put(const struct array *array, int64_t i, double x)
{
    if (array->precision == WEFT_F32) ((float *)array->data)[i] = (float)x;
    else ((double *)array->data)[i] = x;
}

static double get(const struct array *array, int64_t i)
{
    if (array->precision == WEFT_F32) return (double)((const float *)array->data)[i];
    return ((const double *)array->data)[i];
}

static void run(weft_device *device, const weft_params *params, weft_direction direction,
                const struct array *in, const struct array *out)
{
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_execute(plan, direction, in->buffer, out->buffer));
    weft_plan_destroy(&plan);
}

/* The transform of the same reals as complex numbers. */
static struct array complex_spectra(weft_device *device, const struct line *line,
                                    const struct array *in)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.precision = WEFT_F64;
    params.size[0] = line->n;
    params.batch = line->batch;
    struct array x = make_array(device, WEFT_F64, 2 * line->n * line->batch);
    struct array spectra = make_array(device, WEFT_F64, x.reals);
    for (int64_t i = 0; i < in->reals; i++) {
        put(&x, 2 * i, get(in, i));
        put(&x, 2 * i + 1, 0);
    }
    run(device, &params, WEFT_FORWARD, &x, &spectra);
    free_array(&x);
    return spectra;
}

static void compare(const struct line *line, weft_direction direction, const struct array *found,
                    const struct array *wanted)
{
    const double sign = direction == WEFT_FORWARD ? 1 : -1;
    const int64_t kept = line->n / 2 + 1;
    double error = 0, norm = 0;
    for (int64_t b = 0; b < line->batch; b++) {
        for (int64_t k = 0; k < kept; k++) {
            const int64_t at = 2 * (line->offset + b * kept + k), own = 2 * (b * line->n + k);
            const double re = get(wanted, own), im = sign * get(wanted, own + 1);
            error += pow(get(found, at) - re, 2) + pow(get(found, at + 1) - im, 2);
            norm += re * re + im * im;
        }
    }
    assert_true(sqrt(error / norm) <= (found->precision == WEFT_F32 ? 4e-7 : 1e-15));
    for (int64_t i = 0; i < found->reals; i++) {
        const bool around =
            i < 2 * line->offset || i >= 2 * (line->offset + line->batch * kept);
        if (around) assert_true(get(found, i) == SENTINEL);
    }
}

static weft_params params_of(weft_precision precision, const struct line *line)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = WEFT_R2C;
    params.precision = precision;
    params.size[0] = line->n;
    params.batch = line->batch;
    params.threads = line->threads;
    return params;
}

static void try_line(weft_device *device, weft_precision precision, const struct line *line)
{
    weft_params params = params_of(precision, line);
    params.out_offset = line->offset;
    const int64_t kept = line->n / 2 + 1;
    struct array in = make_array(device, precision, line->n * line->batch);
    struct array out =
        make_array(device, precision, 2 * (line->offset + line->batch * kept + GAP));
    for (int64_t i = 0; i < in.reals; i++)
        put(&in, i, random_number(&numbers));
    struct array wanted = complex_spectra(device, line, &in);
    for (int d = 0; d < 2; d++) {
        for (int64_t i = 0; i < out.reals; i++)
            put(&out, i, SENTINEL);
        run(device, &params, (weft_direction)d, &in, &out);
        compare(line, (weft_direction)d, &out, &wanted);
    }
    free_array(&in);
    free_array(&out);
    free_array(&wanted);
}

static void try_lines(const char *isa, const struct line *lines, size_t count)
{
    weft_device *device = devices_open_cpu(isa);
    for (size_t i = 0; device && i < count; i++) {
        try_line(device, WEFT_F32, &lines[i]);
        try_line(device, WEFT_F64, &lines[i]);
    }
    weft_device_close(&device);
}

/* Beyond the second level of any cache; rows that are one, or several, of a whole tile; spectra
 * that begin anywhere; runs of tiles by several threads. */
static void long_real_lines_have_half_the_complex_spectrum(void **state)
{
    static const struct line lines[] = {
        {1 << 18, 1, 0, 1}, {1 << 20, 1, 0, 1}, {1 << 19, 2, 32, 2}, {1 << 19, 1, GAP, 1},
        {393216, 1, 0, 3},  {393660, 1, 0, 1},
    };
    (void)state;
    try_lines("", lines, sizeof lines / sizeof lines[0]);
}

static void narrower_instruction_sets_find_the_same(void **state)
{
    static const struct line lines[] = {{1 << 19, 2, 0, 2}, {331776, 1, 0, 1}};
    static const char *const narrower[] = {"avx2", "sse2", "neon", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof narrower / sizeof narrower[0]; i++)
        try_lines(narrower[i], lines, sizeof lines / sizeof lines[0]);
}

/* A batch of spectra so many bytes behind the begin of a line of the cache. */
static void run_beside(weft_device *device, weft_precision precision, const struct line *line,
                       const struct array *in, int64_t bytes, struct array *out)
{
    const weft_params params = params_of(precision, line);
    const size_t size = (size_t)out->reals * (precision == WEFT_F32 ? 4 : 8);
    struct array beside = {.precision = precision, .reals = out->reals - 2 * GAP};
    beside.data = (char *)out->data + bytes;
    assert_done(weft_buffer_wrap(device, beside.data, size - (size_t)bytes, &beside.buffer));
    for (int64_t i = 0; i < out->reals; i++)
        put(out, i, SENTINEL);
    run(device, &params, WEFT_FORWARD, in, &beside);
    weft_buffer_destroy(&beside.buffer);
}

/* Where numbers are not aligned as such, no line of a cache is written as a whole. */
static void try_places(weft_device *device, weft_precision precision, const struct line *line)
{
    const int64_t real = precision == WEFT_F32 ? 4 : 8, reals = line->batch * (line->n + 2);
    struct array in = make_array(device, precision, line->n * line->batch);
    struct array slow = make_array(device, precision, reals + 2 * GAP);
    struct array fast = make_array(device, precision, slow.reals);
    for (int64_t i = 0; i < in.reals; i++)
        put(&in, i, random_number(&numbers));
    run_beside(device, precision, line, &in, real, &slow);
    for (int64_t bytes = 0; bytes <= 64; bytes += 2 * real) {
        run_beside(device, precision, line, &in, bytes, &fast);
        const char *found = (const char *)fast.data + bytes;
        assert_memory_equal(found, (const char *)slow.data + real, (size_t)(reals * real));
        for (int64_t i = 0; i < fast.reals; i++) {
            const bool around = i < bytes / real || i >= bytes / real + reals;
            if (around) assert_true(get(&fast, i) == SENTINEL);
        }
    }
    free_array(&in);
    free_array(&slow);
    free_array(&fast);
}

/* Tiles leave numbers to the next one, of the same thread or not. */
static void spectra_are_the_same_wherever_they_begin(void **state)
{
    static const char *const sets[] = {"", "avx2"};
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        weft_device *device = devices_open_cpu(sets[s]);
        for (int threads = 1; device && threads <= 4; threads++) {
            const struct line lines[] = {
                {1 << 19, 3, 0, threads}, {786432, 1, 0, threads}, {1000000, 1, 0, threads}};
            for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
                try_places(device, WEFT_F32, &lines[i]);
                try_places(device, WEFT_F64, &lines[i]);
            }
        }
        weft_device_close(&device);
    }
}

/* Lines of few rows, of which a CPU with small caches makes tiles as of long ones. */
static void short_spectra_are_the_same_on_a_small_cpu(void **state)
{
    struct random random = {random_seed()};
    weft_device *device = devices_open_cpu(NULL);
    (void)state;
    assert_non_null(device);
    struct limits *limits = &device->device.limits;
    limits->shared_bytes = 16384;
    limits->cache_bytes[0] = 4096;
    limits->cache_bytes[1] = 8192;
    limits->cache_bytes[2] = 16384;
    for (int i = 0; i < 60; i++) {
        const int64_t n = 32 * random_between(&random, 1, 1024);
        const struct line line = {n, 1 + i % 3, 0, 1 + i % 4};
        try_places(device, WEFT_F32, &line);
        try_places(device, WEFT_F64, &line);
    }
    weft_device_close(&device);
}

/* Products with a matrix, or two by two, with one left over or not. */
static void batches_of_short_odd_lines_have_half_the_complex_spectrum(void **state)
{
    static const char *const sets[] = {"", "avx2", "sse2", "neon", "scalar"};
    struct line lines[100];
    size_t count = 0;
    (void)state;
    for (int64_t n = 1; n < 67; n += 2) {
        for (int64_t batch = 2; batch < 5; batch++)
            lines[count++] = (struct line){n, batch * batch, n % 4, 1};
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        try_lines(sets[i], lines, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_real_lines_have_half_the_complex_spectrum),
        cmocka_unit_test(narrower_instruction_sets_find_the_same),
        cmocka_unit_test(spectra_are_the_same_wherever_they_begin),
        cmocka_unit_test(short_spectra_are_the_same_on_a_small_cpu),
        cmocka_unit_test(batches_of_short_odd_lines_have_half_the_complex_spectrum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
