/* Odd lines of reals beside each other, which a CPU takes two by two as lines of complex numbers:
 * each is what it is by itself, whatever its spectrum's first imaginary part, by every instruction
 * set. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/devices.h"
#include "support/numbers.h"

static struct random numbers;

enum { MOST_LINES = 40, MOST_ROWS = 4, LONGEST = 300, ROOM = 3, TRIALS = 120 };

/* Rows of lines that are beside each other, `pitch` to an element; or, at the spectra's end, one
 * behind the other. */
struct lines {
    weft_params params;
    weft_direction direction;
    int64_t pitch, rows;
    bool behind;
};

static bool are_reals(const struct lines *l, bool out)
{
    return l->params.kind == (out ? WEFT_C2R : WEFT_R2C);
}

static int64_t elements_of(const struct lines *l, bool out)
{
    const int64_t n = l->params.size[1];
    return are_reals(l, out) ? n : n / 2 + 1;
}

static int64_t elements_of_row(const struct lines *l, bool out)
{
    return elements_of(l, out) * l->pitch;
}

/* Of all lines, and what lies between them. */
static int64_t reals_of(const struct lines *l, bool out)
{
    return l->rows * elements_of_row(l, out) * (are_reals(l, out) ? 1 : 2);
}

/* From an element to the next, and from a line. */
static int64_t stride_of(const struct lines *l, bool out)
{
    return l->behind && !are_reals(l, out) ? 1 : l->pitch;
}

static int64_t distance_of(const struct lines *l, bool out)
{
    return l->behind && !are_reals(l, out) ? elements_of(l, out) : 1;
}

static int64_t bytes_to(const struct lines *l, bool out, int64_t row, int64_t line)
{
    const int64_t at = row * elements_of_row(l, out) + line * distance_of(l, out);
    return at * (are_reals(l, out) ? 1 : 2) * (int64_t)number_bytes(l->params.precision);
}

static size_t bytes_of(const struct lines *l, bool out)
{
    return (size_t)reals_of(l, out) * number_bytes(l->params.precision);
}

/* So many rows of so many lines, from one of a row on. */
static void transform(weft_device *device, const struct lines *l, int64_t row, int64_t rows,
                      int64_t line, int64_t count, char *in, char *out)
{
    const int64_t from = bytes_to(l, false, row, line), to = bytes_to(l, true, row, line);
    const int64_t in_stride[] = {elements_of_row(l, false), stride_of(l, false)};
    const int64_t out_stride[] = {elements_of_row(l, true), stride_of(l, true)};
    weft_params params = l->params;
    params.size[0] = rows;
    params.batch = count;
    params.in_stride = in_stride;
    params.out_stride = out_stride;
    params.in_distance = distance_of(l, false);
    params.out_distance = distance_of(l, true);
    numbers_transform(device, &params, l->direction, in + from, bytes_of(l, false) - (size_t)from,
                      out + to, bytes_of(l, true) - (size_t)to);
}

/* What is no number, in place of imaginary parts that count as 0. */
static void spoil(const struct lines *l, char *in)
{
    for (int64_t row = 0; row < l->rows; row++)
        for (int64_t line = 0; line < l->params.batch; line++)
            number_put(l->params.precision, in + bytes_to(l, false, row, line), 1, NAN);
}

static void compare(const struct lines *l, const char *found, const char *expected)
{
    const weft_precision precision = l->params.precision;
    double off = 0, norm = 0;
    for (int64_t i = 0; i < reals_of(l, true); i++) {
        const double x = number_at(precision, found, i), y = number_at(precision, expected, i);
        off += (x - y) * (x - y);
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%lld x %lld lines of %lld, %lld apart, kind %d, precision %d, direction %d, "
                 "behind %d: off by %g",
                 (long long)l->rows, (long long)l->params.batch, (long long)l->params.size[1],
                 (long long)l->pitch, (int)l->params.kind, (int)precision, (int)l->direction,
                 l->behind, sqrt(off / norm));
}

static void check(weft_device *device, const struct lines *l)
{
    char *in = malloc(bytes_of(l, false)), *together = malloc(bytes_of(l, true));
    char *alone = malloc(bytes_of(l, true));
    assert_true(in && together && alone);
    numbers_fill(l->params.precision, in, reals_of(l, false), &numbers);
    numbers_fill(l->params.precision, together, reals_of(l, true), &numbers);
    memcpy(alone, together, bytes_of(l, true)); /* what lies between lines stays */
    for (int64_t row = 0; row < l->rows; row++)
        for (int64_t line = 0; line < l->params.batch; line++)
            transform(device, l, row, 1, line, 1, in, alone);
    if (l->params.kind == WEFT_C2R && l->params.batch > 1) spoil(l, in);
    transform(device, l, 0, l->rows, 0, l->params.batch, in, together);
    compare(l, together, alone);
    free(in);
    free(together);
    free(alone);
}

static struct lines random_lines(void)
{
    struct lines l = {.params = WEFT_PARAMS_DEFAULT};
    l.params.kind = random_chance(&numbers, 0.5) ? WEFT_R2C : WEFT_C2R;
    l.params.precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32;
    l.params.rank = 2;
    l.params.axes = 1 << 1;
    l.params.size[1] = 2 * random_between(&numbers, 1, LONGEST / 2) + 1;
    l.params.batch = random_between(&numbers, 2, MOST_LINES);
    l.params.forward_scale = random_chance(&numbers, 0.3) ? 0.25 : 0;
    l.direction = random_chance(&numbers, 0.5) ? WEFT_INVERSE : WEFT_FORWARD;
    l.pitch = l.params.batch + random_between(&numbers, 0, ROOM);
    l.rows = random_chance(&numbers, 0.5) ? 1 : random_between(&numbers, 2, MOST_ROWS);
    l.behind = random_chance(&numbers, 0.5);
    return l;
}

static void odd_lines_beside_each_other_are_as_each_by_itself(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "neon", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int trial = 0; device && trial < TRIALS; trial++) {
            const struct lines lines = random_lines();
            check(device, &lines);
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_lines_beside_each_other_are_as_each_by_itself),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("odd lines beside each other", tests, NULL, NULL);
}
