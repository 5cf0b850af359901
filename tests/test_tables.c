/* The tables of programs: chirps and spectra. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "math/roots.h"
#include "run/even.h"
#include "run/host_transform.h"
#include "run/tables.h"
#include "support/cpu_device.h"

/* A program that has nothing but the tables of Bluestein's algorithm, or of Rader's. */
static struct program *program_of(weft_precision precision, int threads, int64_t n, int64_t m)
{
    struct program_room *room = calloc(1, sizeof *room);
    assert_non_null(room);
    struct program *program = program_of_room(room);
    program->problem.precision = precision;
    program->problem.threads = threads;
    if (m == n - 1) {
        program->table[program->tables++] = (struct program_table){TABLE_RADER_SPECTRUM, n, m};
        return program;
    }
    program->table[program->tables++] = (struct program_table){TABLE_CHIRP, n, n};
    program->table[program->tables++] = (struct program_table){TABLE_BLUESTEIN_SPECTRUM, n, m};
    return program;
}

/* The difference over the norm. */
static double distance(const float *single, const double *real, int64_t count)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += ((double)single[i] - real[i]) * ((double)single[i] - real[i]);
        norm += real[i] * real[i];
    }
    return sqrt(difference / norm);
}

/* As little as rounding the doubles makes. */
static void assert_tables_agree(struct device *device, int threads, int64_t n, int64_t m)
{
    struct program *single = program_of(WEFT_F32, threads, n, m);
    struct program *real = program_of(WEFT_F64, threads, n, m);
    void *single_table[2] = {0}, *real_table[2] = {0};
    assert_int_equal(run_tables_make(device, single, single_table), WEFT_OK);
    assert_int_equal(run_tables_make(device, real, real_table), WEFT_OK);
    for (int t = 0; t < single->tables; t++) {
        const double found = distance(single_table[t], real_table[t], 2 * single->table[t].m);
        if (found > 0x1p-24) fail_msg("table %d of %d: %g", t, (int)n, found);
    }
    run_tables_free(single, single_table);
    run_tables_free(real, real_table);
    free(single);
    free(real);
}

static const int64_t lengths[][2] = {
    {2, 4},   {3, 6},   {3, 5},         {4, 8},           {5, 9},       {5, 10},
    {5, 16},  {6, 12},  {7, 14},        {7, 30},          {37, 74},     {37, 75},
    {37, 96}, {64, 128}, {101, 216},    {127, 254},       {509, 1024},  {10007, 20736},
    {3, 2},   {17, 16}, {4093, 4092},   {65537, 138240},  {100003, 200704},
};

static void tables_in_single_precision_are_the_rounded_doubles(void **state)
{
    struct device other = {.ops = NULL};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        assert_tables_agree(*state, 1, lengths[i][0], lengths[i][1]);
        assert_tables_agree(*state, 2, lengths[i][0], lengths[i][1]);
        assert_tables_agree(&other, 1, lengths[i][0], lengths[i][1]);
    }
}

/* Against the sum itself, whose spectrum is the conjugate's. */
static void an_even_sequence_takes_a_transform_of_half_the_length(void **state)
{
    enum { MOST_N = 20, MOST_M = 48 };
    double re[MOST_N], im[MOST_N], half_re[MOST_M / 2], half_im[MOST_M / 2];
    float result[2 * MOST_M];
    for (int j = 0; j < MOST_N; j++) {
        re[j] = (j * 37 % 11 - 5) * 0.25;
        im[j] = (j * 23 % 13 - 6) * 0.25;
    }
    for (int64_t m = 2; m <= MOST_M; m += 2) {
        for (int64_t n = 1; n <= MOST_N && 2 * n - 1 <= m; n++) {
            const struct even_sequence x = {n, m, re, im};
            even_fold(&x, half_re, half_im);
            assert_int_equal(host_transform(*state, 1, m / 2, half_re, half_im, NO_SPARE), WEFT_OK);
            assert_int_equal(even_unfold(&x, half_re, half_im, 0.5, result), WEFT_OK);
            for (int64_t k = 0; k < m; k++) {
                double sum_re = re[0], sum_im = im[0];
                for (int64_t j = 1; j < n; j++) {
                    double cosine, sine;
                    root_double(j * k, m, &cosine, &sine);
                    sum_re += 2 * cosine * re[j];
                    sum_im += 2 * cosine * im[j];
                }
                assert_true(fabs((double)result[k] - 0.5 * sum_re) < 1e-6);
                assert_true(fabs((double)result[m + k] + 0.5 * sum_im) < 1e-6);
            }
        }
    }
}

static void tables_without_memory_leave_nothing_behind(void **state)
{
    static const int64_t few[][2] = {{37, 96}, {37, 75}, {10007, 20736}, {17, 16}};
    for (int i = 0; i < 8; i++) {
        const int64_t *length = few[i / 2];
        struct program *program = program_of(i % 2 ? WEFT_F64 : WEFT_F32, 1, length[0], length[1]);
        const int64_t before = memory_live_blocks();
        weft_status status = WEFT_ERROR_MEMORY;
        for (int64_t successes = 0; status; successes++) {
            void *table[2] = {0};
            memory_fail_after(successes);
            status = run_tables_make(*state, program, table);
            memory_fail_after(-1);
            assert_true(status == WEFT_OK || status == WEFT_ERROR_MEMORY);
            run_tables_free(program, table);
            assert_int_equal(memory_live_blocks(), before);
        }
        free(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_even_sequence_takes_a_transform_of_half_the_length),
        cmocka_unit_test(tables_in_single_precision_are_the_rounded_doubles),
        cmocka_unit_test(tables_without_memory_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
