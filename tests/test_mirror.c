/* Half a spectrum folded and unfolded where lines of pairs lie (mirror.h), of every instruction set
 * this machine has, against the formulas of enum pass_half, number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/cpu/engine.h"
#include "device/cpu/mirror.h"
#include "math/roots.h"

#define MOST_NUMBERS 70 /* more than two of the widest vectors, and what is left by each */
#define ROWS         3
#define GAP          2 /* numbers between two rows that nobody may touch */
#define SENTINEL     1234.5
#define PITCH        (MOST_NUMBERS + 1 + GAP)

struct trial {
    const struct cpu_mirrors *mirrors;
    weft_precision precision;
    bool folds, in_place;
    int64_t h;
    double factor[2]; /* of real and imaginary parts */
};

static double random_real(void)
{
    return (double)(float)((double)rand() / RAND_MAX - 0.5);
}

static complex double complex_of(double re, double im)
{
    return re + I * im;
}

static complex double root(int64_t k, int64_t n)
{
    double re, im;
    root_double(k, n, &re, &im);
    return complex_of(re, im);
}

static complex double scaled(const struct trial *t, complex double x)
{
    return complex_of(t->factor[0] * creal(x), t->factor[1] * cimag(x));
}

/* Number k of what becomes of the line. */
static complex double expected(const struct trial *t, const complex double *line, int64_t k)
{
    const int64_t h = t->h, first = t->folds ? h : 0; /* the mirror of number 0 */
    complex double x = line[k == h ? first : k], y = line[k == 0 ? first : h - k];
    if (!t->folds) return scaled(t, x + conj(y) - I * root(k, 2 * h) * (x - conj(y)));
    if (k == 0) x = creal(x), y = creal(y);
    x = scaled(t, x);
    y = scaled(t, y);
    return x + conj(y) + I * root(k, 2 * h) * (x - conj(y));
}

static void put(const struct trial *t, void *to, int64_t at, double x)
{
    if (t->precision == WEFT_F32) ((float *)to)[at] = (float)x;
    else ((double *)to)[at] = x;
}

static complex double number_at(const struct trial *t, const void *from, int64_t at)
{
    if (t->precision == WEFT_F64)
        return complex_of(((const double *)from)[2 * at], ((const double *)from)[2 * at + 1]);
    const float *single = from;
    return complex_of((double)single[2 * at], (double)single[2 * at + 1]);
}

static void fill(const struct trial *t, complex double in[ROWS][PITCH], void *from)
{
    for (int64_t i = 0; i < ROWS * PITCH; i++) {
        const bool there = i % PITCH < t->h + t->folds;
        const complex double x = there ? complex_of(random_real(), random_real()) : SENTINEL;
        in[i / PITCH][i % PITCH] = x;
        put(t, from, 2 * i, creal(x));
        put(t, from, 2 * i + 1, cimag(x));
    }
}

static void fill_roots(const struct trial *t, void *roots, void *factors)
{
    for (int64_t k = 1; 2 * k <= t->h; k++) {
        const complex double x = (t->folds ? I : -I) * root(k, 2 * t->h);
        put(t, roots, 2 * k - 2, creal(x));
        put(t, roots, 2 * k - 1, cimag(x));
    }
    for (int i = 0; i < 4; i++)
        put(t, factors, i, i < 2 ? SENTINEL : t->factor[i - 2]);
}

static void compare(const struct trial *t, complex double in[ROWS][PITCH], const void *found)
{
    const double bound = t->precision == WEFT_F32 ? 2e-6 : 4e-15;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t numbers = t->h + !t->folds, touched = t->in_place ? t->h + 1 : numbers;
        for (int64_t k = 0; k < numbers; k++) {
            const complex double x = number_at(t, found, row * PITCH + k);
            assert_true(cabs(x - expected(t, in[row], k)) <= bound);
        }
        for (int64_t k = touched; k < PITCH; k++)
            assert_true(creal(number_at(t, found, row * PITCH + k)) == SENTINEL);
    }
}

static void *room(size_t reals)
{
    void *memory = malloc(reals * sizeof(double));
    assert_non_null(memory);
    return memory;
}

static void run_trial(const struct trial *t)
{
    void *from = room(2 * ROWS * PITCH), *to = room(2 * ROWS * PITCH);
    void *roots = room(MOST_NUMBERS), *factors = room(4);
    complex double in[ROWS][PITCH];
    const struct codelet_shape shape = {
        .rows = ROWS, .lanes = t->h, .in_row = PITCH, .out_row = PITCH, .fine_row = 2};
    fill(t, in, from);
    fill_roots(t, roots, factors);
    for (int64_t i = 0; i < 2 * ROWS * PITCH; i++)
        put(t, to, i, SENTINEL);
    void *const out = t->in_place ? from : to;
    (t->folds ? t->mirrors->fold : t->mirrors->unfold)(&shape, from, NULL, out, NULL, roots,
                                                       factors);
    compare(t, in, out);
    free(from);
    free(to);
    free(roots);
    free(factors);
}

static void try_all(const struct cpu_mirrors *mirrors)
{
    const double factors[][2] = {{1, 1}, {0.5, -0.5}};
    for (int i = 0; i < 16; i++) {
        struct trial t = {.precision = i & 1 ? WEFT_F64 : WEFT_F32,
                          .folds = i & 2,
                          .in_place = i & 4};
        t.mirrors = &mirrors[t.precision];
        memcpy(t.factor, factors[i >> 3], sizeof t.factor);
        for (t.h = 1; t.h <= MOST_NUMBERS; t.h++)
            run_trial(&t);
    }
}

static void every_width_of_vectors_mirrors_numbers_as_the_formulas_say(void **state)
{
    (void)state;
    try_all(mirrors_basic);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) try_all(mirrors_avx2);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        try_all(mirrors_avx512);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_of_vectors_mirrors_numbers_as_the_formulas_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
