/* Transforms of short odd lines as sums of products (sum.h), of every instruction set this machine
 * has, against the direct sum in double precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <complex.h>
#include <stdlib.h>

#include "device/cpu/engine.h"
#include "device/cpu/sum.h"
#include "math/roots.h"
#include "support/numbers.h"

#define ROWS     3
#define PITCH    (SUM_MOST + 2)
#define SENTINEL 1234.5

struct trial {
    const struct cpu_sums *sums;
    weft_precision precision;
    weft_direction direction;
    bool in_place;
    int length;
};

static complex double root(const struct trial *t, int64_t k)
{
    double re, im;
    root_double(k % t->length, t->length, &re, &im);
    return re + I * (t->direction == WEFT_FORWARD ? im : -im);
}

static void *room(size_t reals)
{
    void *memory = malloc(reals * sizeof(double));
    assert_non_null(memory);
    return memory;
}

static void fill(const struct trial *t, complex double in[ROWS][PITCH], void *from, void *to)
{
    for (int64_t i = 0; i < 2 * ROWS * PITCH; i++) {
        const double x = (double)(float)((double)rand() / RAND_MAX - 0.5);
        const double value = i / 2 % PITCH < t->length ? x : SENTINEL;
        complex double *number = &in[i / 2 / PITCH][i / 2 % PITCH];
        *number = i % 2 ? *number + I * value : value;
        number_put(t->precision, from, i, value);
        number_put(t->precision, to, i, SENTINEL);
    }
}

static void fill_table(const struct trial *t, void *table)
{
    const int count = (t->length - 1) / 2;
    int64_t at = 0;
    for (int k = 1, width; k <= count; k += width) {
        width = sum_width(t->sums->lanes, t->length >= SUM_PAIRED, count - k + 1);
        for (int j = 1; j <= count; j++, at += 2 * width) {
            for (int i = 0; i < width; i++) {
                double re, im;
                root_double((int64_t)j * (k + i) % t->length, t->length, &re, &im);
                number_put(t->precision, table, at + i, re);
                number_put(t->precision, table, at + width + i, -im);
            }
        }
    }
}

static void compare(const struct trial *t, complex double in[ROWS][PITCH], const void *found)
{
    const double bound = (t->precision == WEFT_F32 ? 4e-6 : 8e-15) * (1 + t->length / 32);
    for (int64_t i = 0; i < ROWS * PITCH; i++) {
        const int64_t row = i / PITCH, k = i % PITCH;
        const double re = number_at(t->precision, found, 2 * i),
                     im = number_at(t->precision, found, 2 * i + 1);
        complex double sum = 0;
        for (int64_t j = 0; j < t->length; j++)
            sum += in[row][j] * root(t, j * k);
        if (k < t->length) assert_true(cabs(re + I * im - sum) <= bound);
        else assert_true(re == SENTINEL && im == SENTINEL);
    }
}

static void run_trial(const struct trial *t)
{
    void *from = room(2 * ROWS * PITCH), *to = room(2 * ROWS * PITCH);
    void *table = room(SUM_MOST * (SUM_MOST + 64));
    complex double in[ROWS][PITCH];
    const struct codelet_shape shape = {
        .rows = ROWS, .lanes = t->length, .in_row = PITCH, .out_row = PITCH};
    fill(t, in, from, to);
    fill_table(t, table);
    void *const out = t->in_place ? from : to;
    t->sums->sum[t->direction](&shape, from, NULL, out, NULL, table, NULL);
    compare(t, in, out);
    free(from);
    free(to);
    free(table);
}

/* The first step of a line of LANES butterflies: its input, and its factors. */
#define LANES 3

static void fill_line(const struct trial *t, void *from, void *factors)
{
    const int64_t n = (int64_t)LANES * t->length;
    for (int64_t i = 0; i < 2 * n; i++)
        number_put(t->precision, from, i, (double)(float)((double)rand() / RAND_MAX - 0.5));
    for (int64_t i = 0; i < n; i++) {
        double re, im;
        root_double(i / t->length * (i % t->length), n, &re, &im);
        number_put(t->precision, factors, i, re);
        number_put(t->precision, factors, i + n, im);
    }
}

static void compare_line(const struct trial *t, bool pairs, const void *from, const void *factors,
                         const void *found)
{
    const double bound = (t->precision == WEFT_F32 ? 4e-6 : 8e-15) * (1 + t->length / 32);
    const int64_t n = (int64_t)LANES * t->length;
    for (int64_t i = 0; i < n; i++) {
        complex double sum = 0;
        for (int64_t j = 0; j < t->length; j++) {
            const int64_t at = i / t->length + LANES * j;
            sum += (number_at(t->precision, from, pairs ? 2 * at : at) +
                    I * number_at(t->precision, from, pairs ? 2 * at + 1 : at + n)) *
                   root(t, j * (i % t->length));
        }
        sum *= number_at(t->precision, factors, i) + I * number_at(t->precision, factors, i + n);
        assert_true(cabs(number_at(t->precision, found, i) +
                         I * number_at(t->precision, found, i + n) - sum) <= bound);
    }
    assert_true(number_at(t->precision, found, 2 * n) == SENTINEL);
}

static void run_opening(const struct trial *t, bool pairs)
{
    const int64_t n = (int64_t)LANES * t->length;
    void *from = room((size_t)(2 * n)), *to = room((size_t)(2 * n + 1));
    void *factors = room((size_t)(2 * n)), *table = room(SUM_MOST * (SUM_MOST + 64));
    const struct codelet_shape shape = {.rows = 1, .lanes = LANES, .in_leg = LANES,
                                        .out_row = t->length, .twiddle_plane = n};
    char *const im = (char *)to + n * (t->precision == WEFT_F32 ? 4 : 8);
    const char *const in_im = (char *)from + n * (t->precision == WEFT_F32 ? 4 : 8);
    fill_line(t, from, factors);
    fill_table(t, table);
    number_put(t->precision, to, 2 * n, SENTINEL);
    t->sums->open[pairs](&shape, from, pairs ? NULL : in_im, to, im, factors, table);
    compare_line(t, pairs, from, factors, to);
    free(from);
    free(to);
    free(factors);
    free(table);
}

static void try_openings(const struct cpu_sums *sums)
{
    for (int i = 0; i < 4; i++) {
        struct trial t = {.precision = i & 1 ? WEFT_F64 : WEFT_F32};
        t.sums = &sums[t.precision];
        for (t.length = 3; t.length <= SUM_MOST; t.length += 2)
            run_opening(&t, i & 2);
    }
}

static void try_all(const struct cpu_sums *sums)
{
    for (int i = 0; i < 8; i++) {
        struct trial t = {.precision = i & 1 ? WEFT_F64 : WEFT_F32,
                          .direction = i & 2 ? WEFT_INVERSE : WEFT_FORWARD,
                          .in_place = i & 4};
        t.sums = &sums[t.precision];
        for (t.length = 3; t.length <= SUM_MOST; t.length += 2)
            run_trial(&t);
    }
    try_openings(sums);
}

static void every_width_of_vectors_sums_what_the_definition_says(void **state)
{
    (void)state;
    try_all(sums_basic);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) try_all(sums_avx2);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        try_all(sums_avx512);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_of_vectors_sums_what_the_definition_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
