/* Short lines as products with matrices (matrix.h): every codelet of every instruction set this
 * machine has, against the sum of products in double precision. That the matrices are those of the
 * transforms is for test_every_size.c, and so are folded lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "device/cpu/matrix.h"
#include "support/numbers.h"

#define ROWS       3
#define MOST_LANES 16
#define MOST_COUNT 40
#define MOST       (5 * MOST_LANES)
#define ROOM       (ROWS * (2 * MOST_COUNT + MOST + 8))
#define SENTINEL   1234.5

struct trial {
    const struct matrix_codelet *codelet;
    struct codelet_shape shape;
    weft_precision precision;
    bool in_place;
};

static void *room(size_t reals)
{
    void *memory = malloc(reals * sizeof(double));
    assert_non_null(memory);
    return memory;
}

static double some(void)
{
    return (double)(float)((double)rand() / RAND_MAX - 0.5);
}

/* In[row][j] are what is read, and factor[j][result] the matrix. */
struct numbers {
    double in[ROWS][MOST_COUNT], factor[MOST_COUNT][MOST];
};

static int products_of(const struct trial *t)
{
    return matrix_products(t->codelet->form, (int)t->shape.in_count);
}

static void fill_table(const struct trial *t, const struct numbers *numbers, void *table)
{
    const int64_t lanes = t->codelet->lanes, vectors = t->codelet->vectors;
    int64_t at = t->shape.twiddle_plane;
    for (int64_t i = 0; t->codelet->form != MATRIX_SINGLE && i < lanes; i++, at++)
        number_put(t->precision, table, at, i % 2 ? -1 : 1);
    for (int product = 0; product < products_of(t); product++) {
        const int j = matrix_pair(t->codelet->form, (int)t->shape.in_count, product).first;
        for (int64_t i = 0; i < lanes * vectors; i++, at++) {
            const bool last = i / lanes == vectors - 1;
            number_put(t->precision, table, at,
                       numbers->factor[j][last ? t->shape.lanes - lanes + i % lanes : i]);
        }
    }
}

static void fill_factors(const struct trial *t, struct numbers *numbers)
{
    for (int product = 0; product < products_of(t); product++) {
        const struct matrix_pair pair =
            matrix_pair(t->codelet->form, (int)t->shape.in_count, product);
        for (int64_t k = 0; k < t->shape.lanes; k++) {
            const double factor = some();
            const bool minus = (k % 2 == 1) != pair.negated;
            numbers->factor[pair.first][k] = factor;
            if (pair.second >= 0) numbers->factor[pair.second][k] = minus ? -factor : factor;
        }
    }
}

static void fill(const struct trial *t, struct numbers *numbers, void *from, void *to)
{
    const struct codelet_shape *s = &t->shape;
    for (int64_t i = 0; i < ROOM; i++) {
        number_put(t->precision, from, i, SENTINEL);
        number_put(t->precision, to, i, SENTINEL);
    }
    for (int64_t j = 0; j < s->in_count; j++) {
        for (int64_t row = 0; row < ROWS; row++) {
            numbers->in[row][j] = some();
            number_put(t->precision, from, row * s->in_row + j * s->in_leg + (j > 0 ? s->turn : 0),
                       numbers->in[row][j]);
        }
    }
    fill_factors(t, numbers);
}

static void compare(const struct trial *t, const struct numbers *numbers, const void *found)
{
    const double bound = t->precision == WEFT_F32 ? 2e-6 : 4e-15;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t at = row * t->shape.out_row;
        for (int64_t k = 0; k < t->shape.lanes; k++) {
            double sum = 0;
            for (int64_t j = 0; j < t->shape.in_count; j++)
                sum += numbers->in[row][j] * numbers->factor[j][k];
            assert_true(fabs(number_at(t->precision, found, at + k) - sum) <= bound);
        }
        if (!t->in_place)
            assert_true(number_at(t->precision, found, at + t->shape.lanes) == SENTINEL);
    }
}

static void run_trial(const struct trial *t)
{
    static struct numbers numbers;
    void *from = room(ROOM), *to = room(ROOM), *table = room(MOST * (MOST_COUNT + 1));
    fill(t, &numbers, from, to);
    fill_table(t, &numbers, table);
    void *const out = t->in_place ? from : to;
    t->codelet->run(&t->shape, from, NULL, out, NULL, table, NULL);
    compare(t, &numbers, out);
    free(from);
    free(to);
    free(table);
}

/* Reals apart or side by side, the first of them further from the others or not. */
static void try_shapes(struct trial *t, int64_t count, int64_t results)
{
    for (int i = 0; i < 8; i++) {
        const int64_t step = i & 1 && !t->codelet->count ? 2 : 1, turn = i >> 1 & 1;
        const int64_t read = step * count + turn, longest = read > results ? read : results;
        t->in_place = i & 4;
        t->shape = (struct codelet_shape){.rows = ROWS,
                                          .lanes = results,
                                          .in_count = count,
                                          .in_leg = step,
                                          .turn = turn,
                                          .in_row = t->in_place ? longest + 1 : read,
                                          .out_row = t->in_place ? longest + 1 : results + 1,
                                          .twiddle_plane = 3};
        run_trial(t);
    }
}

static void try_all(const struct cpu_matrices matrices[2])
{
    for (int p = 0; p < 2; p++) {
        struct trial t = {.precision = p ? WEFT_F64 : WEFT_F32};
        for (size_t i = 0; i < matrices[t.precision].codelets; i++) {
            t.codelet = &matrices[t.precision].codelet[i];
            if (t.codelet->form == MATRIX_FOLDED) continue;
            const int64_t most = t.codelet->lanes * t.codelet->vectors;
            int64_t least = most > t.codelet->lanes ? most - t.codelet->lanes + 1 : most;
            if (t.codelet->form != MATRIX_SINGLE) least += least % 2; /* as lines of pairs have */
            for (int count = 1; count < MOST_COUNT; count++) {
                if (t.codelet->count && t.codelet->count != count) continue;
                try_shapes(&t, count, least);
                try_shapes(&t, count, most);
            }
        }
    }
}

static void every_codelet_multiplies_as_the_definition_says(void **state)
{
    (void)state;
    try_all(matrices_basic);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) try_all(matrices_avx2);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        try_all(matrices_avx512);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_codelet_multiplies_as_the_definition_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
