/* Half a spectrum folded and unfolded where lines of pairs lie (mirror.h), of every instruction set
 * this machine has, against the formulas of enum pass_half, number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "support/mirror_trial.h"
#include "support/numbers.h"

#define MOST_NUMBERS 70 /* more than two of the widest vectors, and what is left by each */
#define ROWS         3
#define GAP          2 /* numbers between two rows that nobody may touch */
#define PITCH        (MOST_NUMBERS + 1 + GAP)

/* Number k of what becomes of the line. */
static complex double expected(const struct mirror_trial *t, const complex double *line, int64_t k)
{
    const int64_t h = t->h, first = t->folds ? h : 0; /* the mirror of number 0 */
    complex double x = line[k == h ? first : k], y = line[k == 0 ? first : h - k];
    if (!t->folds) return mirror_scaled(t, x + conj(y) - I * mirror_root(k, 2 * h) * (x - conj(y)));
    if (k == 0) x = creal(x), y = creal(y);
    x = mirror_scaled(t, x);
    y = mirror_scaled(t, y);
    return x + conj(y) + I * mirror_root(k, 2 * h) * (x - conj(y));
}

static void fill(const struct mirror_trial *t, complex double in[ROWS][PITCH], void *from)
{
    for (int64_t i = 0; i < ROWS * PITCH; i++) {
        const bool there = i % PITCH < t->h + t->folds;
        const complex double x =
            there ? mirror_complex(mirror_random(), mirror_random()) : MIRROR_SENTINEL;
        in[i / PITCH][i % PITCH] = x;
        number_put(t->precision, from, 2 * i, creal(x));
        number_put(t->precision, from, 2 * i + 1, cimag(x));
    }
}

static void fill_roots(const struct mirror_trial *t, void *roots, void *factors)
{
    for (int64_t k = 1; 2 * k <= t->h; k++) {
        const complex double x = (t->folds ? I : -I) * mirror_root(k, 2 * t->h);
        number_put(t->precision, roots, 2 * k - 2, creal(x));
        number_put(t->precision, roots, 2 * k - 1, cimag(x));
    }
    for (int i = 0; i < 4; i++)
        number_put(t->precision, factors, i, i < 2 ? MIRROR_SENTINEL : t->factor[i - 2]);
}

static void compare(const struct mirror_trial *t, complex double in[ROWS][PITCH], const void *found)
{
    const double bound = t->precision == WEFT_F32 ? 2e-6 : 4e-15;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t numbers = t->h + !t->folds, touched = t->in_place ? t->h + 1 : numbers;
        for (int64_t k = 0; k < numbers; k++) {
            const complex double x = mirror_number(t, found, row * PITCH + k);
            assert_true(cabs(x - expected(t, in[row], k)) <= bound);
        }
        for (int64_t k = touched; k < PITCH; k++)
            assert_true(creal(mirror_number(t, found, row * PITCH + k)) == MIRROR_SENTINEL);
    }
}

static void run_trial(const struct mirror_trial *t)
{
    static double from[2 * ROWS * PITCH], to[2 * ROWS * PITCH], roots[MOST_NUMBERS], factors[4];
    complex double in[ROWS][PITCH];
    const struct codelet_shape shape = {
        .rows = ROWS, .lanes = t->h, .in_row = PITCH, .out_row = PITCH, .fine_row = 2};
    fill(t, in, from);
    fill_roots(t, roots, factors);
    for (int64_t i = 0; i < 2 * ROWS * PITCH; i++)
        number_put(t->precision, to, i, MIRROR_SENTINEL);
    void *const out = t->in_place ? from : to;
    (t->folds ? t->mirrors->fold : t->mirrors->unfold)(&shape, from, NULL, out, NULL, roots,
                                                       factors);
    compare(t, in, out);
}

static void try_all(const struct cpu_mirrors *mirrors)
{
    const double factors[][2] = {{1, 1}, {0.5, -0.5}};
    for (int i = 0; i < 16; i++) {
        struct mirror_trial t = {
            .precision = i & 1 ? WEFT_F64 : WEFT_F32, .folds = i & 2, .in_place = i & 4};
        t.mirrors = &mirrors[t.precision];
        memcpy(t.factor, factors[i >> 3], sizeof t.factor);
        for (t.h = 1; t.h <= MOST_NUMBERS; t.h++)
            run_trial(&t);
    }
}

static void every_width_of_vectors_mirrors_numbers_as_the_formulas_say(void **state)
{
    (void)state;
    mirror_on_every_width(try_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_of_vectors_mirrors_numbers_as_the_formulas_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
