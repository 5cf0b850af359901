/* Lines beside each other that are too long for a tile of a vector's lanes of them: each is what it
 * is by itself, in place and not, and what lies beside them stays. */
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

enum { APART = 2 }; /* elements that no line has, behind those of all lines */

struct trial {
    weft_kind kind;
    weft_precision precision;
    weft_direction direction;
    int64_t n, lines;
    bool in_place;
    int threads;
};

/* Of a side: reals of an element, and elements of a line. */
static int unit_of(weft_kind kind, bool out)
{
    return kind == WEFT_C2C || kind == (out ? WEFT_R2C : WEFT_C2R) ? 2 : 1;
}

static int64_t length_of(const struct trial *t, bool out)
{
    return t->kind == (out ? WEFT_R2C : WEFT_C2R) ? t->n / 2 + 1 : t->n;
}

static int64_t numbers_of(const struct trial *t, bool out)
{
    return length_of(t, out) * (t->lines + APART) * unit_of(t->kind, out);
}

static void *some_numbers(const struct trial *t, bool out)
{
    static struct random random = {.state = 3};
    const int64_t count = numbers_of(t, out);
    void *array = malloc((size_t)count * number_bytes(t->precision));
    assert_non_null(array);
    for (int64_t i = 0; i < count; i++)
        number_put(t->precision, array, i, random_number(&random));
    return array;
}

static void run(weft_device *device, const struct trial *t, const weft_params *params, void *in,
                void *out)
{
    weft_buffer *from = NULL, *to = NULL;
    weft_plan *plan = NULL;
    const size_t bytes = number_bytes(t->precision);
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_buffer_wrap(device, in, (size_t)numbers_of(t, false) * bytes, &from));
    if (out != in)
        assert_done(weft_buffer_wrap(device, out, (size_t)numbers_of(t, true) * bytes, &to));
    assert_done(weft_execute(plan, t->direction, from, to ? to : from));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

static weft_params params_of(const struct trial *t)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = t->kind;
    params.precision = t->precision;
    params.size[0] = t->n;
    return params;
}

/* Line l, contiguous; back: from there to where it lies. */
static void move_line(const struct trial *t, bool out, int64_t l, void *array, void *line,
                      bool back)
{
    const int64_t unit = unit_of(t->kind, out), apart = (t->lines + APART) * unit;
    for (int64_t i = 0; i < length_of(t, out) * unit; i++) {
        const int64_t at = i / unit * apart + l * unit + i % unit;
        if (back) number_put(t->precision, array, at, number_at(t->precision, line, i));
        else number_put(t->precision, line, i, number_at(t->precision, array, at));
    }
}

/* What each line is by itself, in an array that is otherwise `result`. */
static void transform_each(weft_device *device, const struct trial *t, void *array, void *result)
{
    const weft_params params = params_of(t);
    void *in = some_numbers(t, false), *out = some_numbers(t, true);
    for (int64_t l = 0; l < t->lines; l++) {
        move_line(t, false, l, array, in, false);
        run(device, t, &params, in, out);
        move_line(t, true, l, result, out, true);
    }
    free(in);
    free(out);
}

static void assert_near(const struct trial *t, const void *a, const void *b)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < numbers_of(t, true); i++) {
        const double x = number_at(t->precision, a, i), y = number_at(t->precision, b, i);
        off += (x - y) * (x - y);
        norm += x * x;
    }
    if (!(sqrt(off / norm) <= (t->precision == WEFT_F64 ? 3e-15 : 2e-6)))
        fail_msg("kind %d, precision %d, %lld lines of %lld: off by %g", (int)t->kind,
                 (int)t->precision, (long long)t->lines, (long long)t->n, sqrt(off / norm));
}

static void check(weft_device *device, const struct trial *t)
{
    void *in = some_numbers(t, false);
    void *out = t->in_place ? in : some_numbers(t, true);
    const size_t bytes = (size_t)numbers_of(t, true) * number_bytes(t->precision);
    void *each = malloc(bytes);
    const int64_t stride = t->lines + APART;
    weft_params params = params_of(t);
    assert_non_null(each);
    memcpy(each, out, bytes);
    transform_each(device, t, in, each);
    params.threads = t->threads;
    params.batch = t->lines;
    params.in_stride = params.out_stride = &stride;
    params.in_distance = params.out_distance = 1;
    run(device, t, &params, in, out);
    assert_near(t, each, out);
    free(each);
    if (out != in) free(out);
    free(in);
}

static void long_lines_are_as_each_by_itself(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", NULL};
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R, WEFT_DCT1, WEFT_DCT2, WEFT_DST3,
                                      WEFT_DHT};
    static const int64_t lengths[] = {2401, 3087, 5120, 6145, 10000}, lines[] = {1, 3, 8, 11};
    (void)state;
    for (int i = 0; isas[i]; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int j = 0; device && j < 7 * 5 * 4; j++) {
            const struct trial t = {.kind = kinds[j % 7],
                                    .precision = j % 3 ? WEFT_F64 : WEFT_F32,
                                    .direction = j % 5 ? WEFT_FORWARD : WEFT_INVERSE,
                                    .n = lengths[j / 7 % 5],
                                    .lines = lines[j / 35],
                                    .in_place = j % 2 && j % 7 != 1 && j % 7 != 2,
                                    .threads = 1 + j % 2};
            check(device, &t);
        }
        weft_device_close(&device);
    }
}

/* No tile has them whole, so that they are split where they are laid one behind the other. */
static void split_lines_are_as_each_by_itself(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "scalar", NULL};
    static const weft_kind kinds[] = {WEFT_C2C,  WEFT_R2C,  WEFT_C2R,  WEFT_DCT1,
                                      WEFT_DCT2, WEFT_DCT3, WEFT_DCT4, WEFT_DHT};
    static const int64_t lengths[] = {131072, 98306, 100001}, lines[] = {2, 3, 9};
    (void)state;
    for (int i = 0; isas[i]; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int j = 0; device && j < 8 * 3; j++) {
            const struct trial t = {.kind = kinds[j % 8],
                                    .precision = j % 3 ? WEFT_F64 : WEFT_F32,
                                    .direction = j % 5 ? WEFT_FORWARD : WEFT_INVERSE,
                                    .n = lengths[j / 8],
                                    .lines = lines[j * 7 % 3],
                                    .in_place = j % 2 && j % 8 != 1 && j % 8 != 2,
                                    .threads = 1 + j / 2 % 2};
            check(device, &t);
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_lines_are_as_each_by_itself),
        cmocka_unit_test(long_lines_are_as_each_by_itself),
    };
    return cmocka_run_group_tests_name("long lines", tests, NULL, NULL);
}
