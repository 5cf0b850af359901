/* Images of reals that are one column wide, whose spectra are those of the columns, on every
 * device: against complex columns, and back. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/devices.h"
#include "support/numbers.h"

enum { MOST_DEVICES = 32, REALS = 1, NUMBERS = 2 };

static struct random numbers;

/* `beside`: by end, numbers of a column are as far apart as there are columns. */
struct columns {
    weft_precision precision;
    int64_t n, columns;
    bool beside[2];
};

static size_t bytes_of(const struct columns *c, int reals)
{
    return (size_t)(c->n * c->columns * reals) * number_bytes(c->precision);
}

static void transform(const struct test_device *on, const struct columns *c, weft_kind kind,
                      weft_direction direction, char *in, char *out)
{
    const int64_t wide[2] = {c->columns, c->columns}, narrow[2] = {1, 1};
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = kind;
    params.precision = c->precision;
    params.rank = 2;
    params.size[0] = c->n;
    params.size[1] = 1;
    params.batch = c->columns;
    params.in_stride = c->beside[0] ? wide : narrow;
    params.out_stride = c->beside[1] ? wide : narrow;
    params.in_distance = c->beside[0] ? 1 : c->n;
    params.out_distance = c->beside[1] ? 1 : c->n;
    numbers_transform(on->device, &params, direction, in,
                      bytes_of(c, kind == WEFT_R2C ? REALS : NUMBERS), out,
                      bytes_of(c, kind == WEFT_C2R ? REALS : NUMBERS));
}

static void compare(const struct test_device *on, const struct columns *c, const char *found,
                    const char *expected, int reals, double factor)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < c->n * c->columns * reals; i++) {
        const double y = factor * number_at(c->precision, expected, i);
        const double x = number_at(c->precision, found, i);
        off += (x - y) * (x - y);
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (c->precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%s: %lld columns of %lld, precision %d, beside %d %d: off by %g", on->name,
                 (long long)c->columns, (long long)c->n, (int)c->precision, c->beside[0],
                 c->beside[1], sqrt(off / norm));
}

static void check(const struct test_device *on, const struct columns *c)
{
    char *reals = malloc(bytes_of(c, REALS)), *back = malloc(bytes_of(c, REALS));
    char *whole = malloc(bytes_of(c, NUMBERS)), *out = malloc(bytes_of(c, NUMBERS));
    char *expected = malloc(bytes_of(c, NUMBERS));
    assert_true(reals && back && whole && out && expected);
    for (int64_t i = 0; i < c->n * c->columns; i++) {
        const double x = random_number(&numbers);
        number_put(c->precision, reals, i, x);
        number_put(c->precision, whole, 2 * i, x);
        number_put(c->precision, whole, 2 * i + 1, 0);
    }
    transform(on, c, WEFT_R2C, WEFT_FORWARD, reals, out);
    transform(on, c, WEFT_C2C, WEFT_FORWARD, whole, expected);
    compare(on, c, out, expected, NUMBERS, 1);
    const struct columns turned = {c->precision, c->n, c->columns, {c->beside[1], c->beside[0]}};
    transform(on, &turned, WEFT_C2R, WEFT_INVERSE, expected, back);
    compare(on, c, back, reals, REALS, (double)c->n);
    free(reals);
    free(back);
    free(whole);
    free(out);
    free(expected);
}

static struct columns random_columns(int64_t n, int64_t columns)
{
    return (struct columns){.precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32,
                            .n = n,
                            .columns = columns,
                            .beside = {random_chance(&numbers, 0.5), random_chance(&numbers, 0.5)}};
}

static void spectra_are_those_of_columns(void **state)
{
    static const int64_t lengths[] = {1, 2, 5, 16, 37, 100, 240}, columns[] = {1, 2, 3, 20};
    struct test_device devices[MOST_DEVICES];
    const int device_count = devices_open(MOST_DEVICES, devices);
    (void)state;
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        for (size_t m = 0; m < sizeof columns / sizeof *columns; m++) {
            const struct columns c = random_columns(lengths[n], columns[m]);
            for (int d = 0; d < device_count; d++) check(&devices[d], &c);
        }
    }
    devices_close(device_count, devices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spectra_are_those_of_columns)};
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("one column", tests, NULL, NULL);
}
