/* Lines beside each other, few enough to be taken one by one and more, by every instruction set:
 * each is what it is by itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/devices.h"
#include "support/numbers.h"

static struct random numbers;

/* Taken by Rader's algorithm, by Bluestein's, by steps, in pairs twice, in splits of few rows. */
static const int64_t lengths[] = {55,  60,   78,   101,  127,  211, 257,
                                  509, 1000, 1009, 2018, 3027, 5045};

/* Of butterflies around cores, alone and with others, and of radices that a line by itself is not
 * taken by. */
static const int64_t with_cores[] = {17, 19, 23, 34, 51, 57, 68, 97, 143, 147, 189, 289, 323};

enum { MOST_LINES = 17, MOST_SHORT = 25, MOST_SHORT_LINES = 40, MOST_OF_CORES = 35 };

struct batch {
    weft_precision precision;
    weft_format format;
    weft_direction direction;
    int64_t n, lines;
    bool in_place;
};

static size_t bytes_of(const struct batch *b)
{
    return (size_t)(2 * b->n * b->lines) * number_bytes(b->precision);
}

/* A part of element e of a line, of lines that are beside each other or one behind the other. */
static int64_t place(const struct batch *b, int64_t line, int64_t e, int part, bool beside)
{
    const int64_t at = beside ? e * b->lines + line : line * b->n + e;
    return b->format == WEFT_PLANAR ? at + part * b->n * b->lines : 2 * at + part;
}

static weft_buffer *wrap(weft_device *device, const struct batch *b, char *data)
{
    weft_buffer *buffer = NULL;
    const size_t half = bytes_of(b) / 2;
    assert_done(b->format == WEFT_PLANAR
                    ? weft_buffer_wrap_planar(device, data, data + half, half, &buffer)
                    : weft_buffer_wrap(device, data, bytes_of(b), &buffer));
    return buffer;
}

static void transform(weft_device *device, const struct batch *b, bool beside, char *in, char *out)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    params.size[0] = b->n;
    params.batch = b->lines;
    params.precision = b->precision;
    params.format = b->format;
    if (beside) {
        params.in_stride = params.out_stride = &b->lines;
        params.in_distance = params.out_distance = 1;
    }
    assert_done(weft_plan_create(device, &params, &plan));
    weft_buffer *to = wrap(device, b, out), *from = wrap(device, b, in);
    assert_done(weft_execute(plan, b->direction, from, to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

static void compare(const struct batch *b, const char *beside, const char *behind)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < 2 * b->n * b->lines; i++) {
        const int64_t line = i / 2 / b->n, e = i / 2 % b->n;
        const double x = number_at(b->precision, beside, place(b, line, e, (int)(i % 2), true));
        const double y = number_at(b->precision, behind, place(b, line, e, (int)(i % 2), false));
        off += (x - y) * (x - y);
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (b->precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%lld lines of %lld, precision %d, format %d, direction %d: off by %g",
                 (long long)b->lines, (long long)b->n, (int)b->precision, (int)b->format,
                 (int)b->direction, sqrt(off / norm));
}

static void check(weft_device *device, const struct batch *b)
{
    const size_t bytes = bytes_of(b);
    char *in[2] = {malloc(bytes), malloc(bytes)}, *out[2] = {malloc(bytes), malloc(bytes)};
    assert_true(in[0] && in[1] && out[0] && out[1]);
    for (int64_t i = 0; i < 2 * b->n * b->lines; i++) {
        const int64_t line = i / 2 / b->n, e = i / 2 % b->n;
        const double x = random_number(&numbers);
        for (int beside = 0; beside < 2; beside++)
            number_put(b->precision, in[beside], place(b, line, e, (int)(i % 2), beside), x);
    }
    if (b->in_place) memcpy(out[1], in[1], bytes);
    transform(device, b, false, in[0], out[0]);
    transform(device, b, true, b->in_place ? out[1] : in[1], out[1]);
    compare(b, out[1], out[0]);
    for (int i = 0; i < 2; i++) {
        free(in[i]);
        free(out[i]);
    }
}

static struct batch random_batch(int64_t n, int64_t lines)
{
    return (struct batch){
        .precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32,
        .format = random_chance(&numbers, 0.3) ? WEFT_PLANAR : WEFT_INTERLEAVED,
        .direction = random_chance(&numbers, 0.5) ? WEFT_INVERSE : WEFT_FORWARD,
        .n = n,
        .lines = lines,
        .in_place = random_chance(&numbers, 0.5)};
}

static const char *const isas[] = {"avx512", "avx2", "sse2", "scalar"};

#define ISAS (sizeof isas / sizeof *isas)

static void few_lines_beside_each_other_are_as_each_by_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < ISAS; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int64_t lines = 1; device && lines <= MOST_LINES; lines++) {
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                const struct batch batch = random_batch(lengths[l], lines);
                check(device, &batch);
            }
        }
        weft_device_close(&device);
    }
}

/* Packs, and what they leave over. */
static void short_lines_behind_each_other_are_as_beside_each_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < ISAS; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int64_t lines = 1; device && lines <= MOST_SHORT_LINES; lines++) {
            for (int64_t n = 2; n <= MOST_SHORT; n++) {
                const struct batch batch = random_batch(n, lines);
                check(device, &batch);
            }
        }
        weft_device_close(&device);
    }
}

/* Half a vector, more than that, and whole ones that overlap. */
static void lines_around_cores_are_as_each_by_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < ISAS; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int64_t lines = 1; device && lines <= MOST_OF_CORES; lines++) {
            for (size_t l = 0; l < sizeof with_cores / sizeof with_cores[0]; l++) {
                const struct batch batch = random_batch(with_cores[l], lines);
                check(device, &batch);
            }
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_lines_beside_each_other_are_as_each_by_itself),
        cmocka_unit_test(short_lines_behind_each_other_are_as_beside_each_other),
        cmocka_unit_test(lines_around_cores_are_as_each_by_itself),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("few_lines", tests, NULL, NULL);
}
