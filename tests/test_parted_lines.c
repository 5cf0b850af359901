/* Even lines of cosines and sines, whose first step may read its reals where they lie: alone and
 * several, as far apart as is odd or even, in place and not, against the definition. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/numbers.h"

enum { MOST_REALS = 5 * 2050, SAMPLES = 12 };

static weft_device *cpu;
static struct random numbers;

/* Of element j in result k, as FFTW has them. */
static double factor_of(weft_kind kind, int64_t n, int64_t j, int64_t k)
{
    const double quarter = acos(-1) / (double)(2 * n);
    if (kind == WEFT_DCT2) return 2 * cos(quarter * (double)((2 * j + 1) * k % (4 * n)));
    return 2 * sin(quarter * (double)((2 * j + 1) * (k + 1) % (4 * n)));
}

static void compare_line(const weft_params *params, const void *x, const void *y, int64_t first)
{
    const int64_t n = params->size[0];
    double error = 0, size = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const int64_t k = random_between(&numbers, 0, n - 1);
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += factor_of(params->kind, n, j, k) * number_at(params->precision, x, first + j);
        error += pow(number_at(params->precision, y, first + k) - sum, 2);
        size += sum * sum;
    }
    const double limit = params->precision == WEFT_F32 ? 2e-6 : 1e-13;
    if (!(sqrt(error) <= limit * sqrt(size)))
        fail_msg("kind %d, %d reals, %d lines, %d apart: error %g", (int)params->kind, (int)n,
                 (int)params->batch, (int)params->in_distance, sqrt(error / size));
}

static void try_lines(const weft_params *params, bool in_place)
{
    const size_t bytes = MOST_REALS * number_bytes(params->precision);
    void *x = malloc(bytes), *y = malloc(bytes);
    assert_true(x && y);
    numbers_fill(params->precision, x, MOST_REALS, &numbers);
    memcpy(y, x, bytes);
    numbers_transform(cpu, params, WEFT_FORWARD, in_place ? y : x, bytes, y, bytes);
    for (int64_t line = 0; line < params->batch; line++)
        compare_line(params, x, y, line * params->in_distance);
    const int64_t end = (params->batch - 1) * params->in_distance + params->size[0];
    for (int64_t i = end; i < MOST_REALS; i++)
        assert_true(number_at(params->precision, x, i) == number_at(params->precision, y, i));
    free(x);
    free(y);
}

static void lines_are_what_their_kind_says(void **state)
{
    static const int64_t lengths[] = {144, 200, 256, 360, 720, 1000, 1024, 2048};
    (void)state;
    for (int i = 0; i < 2 * 2 * 8 * 6; i++) {
        const int64_t n = lengths[i / 4 % 8], lines = 1 + i / 32 % 3 * 2;
        weft_params params = WEFT_PARAMS_DEFAULT;
        params.kind = i % 2 ? WEFT_DCT2 : WEFT_DST2;
        params.precision = i / 2 % 2 ? WEFT_F32 : WEFT_F64;
        params.rank = 1;
        params.size[0] = n;
        params.batch = lines;
        params.in_distance = params.out_distance = n + random_between(&numbers, 0, 2);
        try_lines(&params, i / 96 % 2);
    }
}

static int open_device(void **state)
{
    (void)state;
    numbers.state = random_seed();
    return weft_device_open("cpu", &cpu) != WEFT_OK;
}

static int close_device(void **state)
{
    (void)state;
    weft_device_close(&cpu);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_what_their_kind_says)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
