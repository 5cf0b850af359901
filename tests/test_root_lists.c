/* Lists and tables of roots of unity, and of chirps, beside single roots: src/math/roots.h,
 * root_run.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "math/root_run.h"
#include "math/roots.h"
#include "support/random.h"

static struct random chance = {88172645463325252u};

/* Lists of roots. */

#define MOST 3000

static void assert_near_float(float x, double exact)
{
    const float rounded = (float)exact;
    assert_true(fabs(x - exact) <= 0.5001 * fabs(nextafterf(rounded, 4) - rounded));
}

static void assert_filled(int64_t n, int64_t first, int64_t step, int64_t count)
{
    static double re[MOST], im[MOST];
    static float re_float[MOST], im_float[MOST];
    assert_true(roots_fill_double(n, first, step, count, re, im));
    assert_true(roots_fill_float(n, first, step, count, re_float, im_float));
    for (int64_t j = 0; j < count; j++) {
        double x, y;
        root_double(first % n + (int64_t)((__extension__(__int128) j) * (step % n) % n), n, &x, &y);
        assert_true(re[j] == x && im[j] == y);
        assert_false(x == 0 && signbit(re[j]));
        assert_near_float(re_float[j], x);
        assert_near_float(im_float[j], y);
    }
}

static void filled_lists_equal_single_roots(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 200; n++)
        assert_filled(n, 0, 1, n);
    for (int64_t n = 200; n <= MOST; n += 97)
        assert_filled(n, 0, 1, n);
    for (int i = 0; i < 500; i++) {
        int64_t n = (int64_t)(random_bits(&chance) >> (2 + random_bits(&chance) % 58)) + 1;
        int64_t first = (int64_t)random_bits(&chance) >> random_bits(&chance) % 60;
        int64_t step = (int64_t)random_bits(&chance) >> random_bits(&chance) % 60;
        assert_filled(n, first, step, (int64_t)(random_bits(&chance) % 300));
    }
    assert_filled(65536, -32768, 32, 2048);
    assert_filled(4096, 0, -2, MOST);
    assert_filled(1024, 0, 256, 100);
    assert_filled((INT64_C(1) << 62) - 1, 0, 1, 100);
    assert_filled(5, 3, 0, 10);
}

static void tables_equal_single_roots(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        int64_t n = i < 40
                        ? i + 1
                        : (int64_t)(random_bits(&chance) >> (34 + random_bits(&chance) % 20)) + 1;
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int j = 0; j < 2000; j++) {
            int64_t k = (int64_t)(random_bits(&chance) % (uint64_t)n);
            if (j < 100) k = (k >> 40) % n;
            double re, im, x, y;
            root_table_get(&table, k, &re, &im);
            root_double(k, n, &x, &y);
            assert_true(re == x && im == y);
            root_table_get_near(&table, k, &re, &im);
            assert_true(fabs(re - x) <= 0x1p-52 && fabs(im - y) <= 0x1p-52);
            assert_true((re == x || fabs(x) >= 0x1p-15) && (im == y || fabs(y) >= 0x1p-15));
        }
        root_table_free(&table);
    }
}

static void lists_from_tables_equal_single_roots(void **state)
{
    (void)state;
    enum { LISTED_MOST = 301 };
    int64_t k[LISTED_MOST];
    double re[LISTED_MOST], im[LISTED_MOST];
    for (int i = 0; i < 300; i++) {
        const int64_t some =
            (int64_t)(random_bits(&chance) >> (30 + random_bits(&chance) % 24)) + 1;
        const int64_t n = i < 40 ? i + 1 : some;
        const int64_t count = (int64_t)(random_bits(&chance) % LISTED_MOST);
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int64_t j = 0; j < count; j++)
            k[j] = (int64_t)(random_bits(&chance) % (uint64_t)n) >> random_bits(&chance) % 20;
        root_table_list(&table, k, count, re, im);
        for (int64_t j = 0; j < count; j++) {
            double x, y;
            root_double(k[j], n, &x, &y);
            assert_true(re[j] == x && im[j] == y);
        }
        root_table_free(&table);
    }
}

/* Row and column of a grid, whose roots are the products of both. */
static void assert_grid(const struct root_table *table, int64_t first, int64_t step, int64_t rows,
                        int64_t columns)
{
    double re[400], im[400];
    float re_float[400], im_float[400];
    struct root_grid grid;
    assert_true(root_grid_init(&grid, table, step, rows, columns));
    root_grid_double(&grid, first, re, im);
    root_grid_float(&grid, first, re_float, im_float);
    for (int64_t j = 0; j < rows * columns; j++) {
        double x, y;
        root_double(j / columns * step * (first + j % columns), table->n, &x, &y);
        assert_true(re[j] == x && im[j] == y);
        assert_near_float(re_float[j], x);
        assert_near_float(im_float[j], y);
    }
    root_grid_free(&grid);
}

static void grids_equal_single_roots(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        const int64_t n =
            (int64_t)(random_bits(&chance) % (UINT64_C(1) << (1 + random_bits(&chance) % 30))) + 1;
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int64_t columns = 1; columns <= 20; columns++)
            assert_grid(&table, (int64_t)(random_bits(&chance) % (uint64_t)n),
                        (int64_t)(random_bits(&chance) % (uint64_t)n) % 100000,
                        (int64_t)(random_bits(&chance) % 20) + 1, columns);
        root_table_free(&table);
    }
}

static void turns_are_roots_times_a_factor_rounded_once(void **state)
{
    (void)state;
    static const struct extended factors[] = {
        {1, 0}, {2, 0}, {1.4142135623730951, -9.667293313452913e-17}, {-1.25, 0}};
    double re[300], im[300];
    float re_float[300], im_float[300];
    for (int i = 0; i < 400; i++) {
        const int64_t n = (int64_t)(random_bits(&chance) >> (34 + random_bits(&chance) % 30)) + 1;
        const int64_t first = (int64_t)(random_bits(&chance) >> 33),
                      step = (int64_t)(random_bits(&chance) >> 33);
        const int64_t count = (int64_t)(random_bits(&chance) % 300);
        const struct extended factor = factors[i % 4];
        struct root_table table;
        assert_true(root_table_init(&table, n));
        assert_true(root_table_fill_turns(&table, factor, first, step, count, re, im));
        assert_true(
            root_table_fill_turns_float(&table, factor, first, step, count, re_float, im_float));
        for (int64_t j = 0; j < count; j++) {
            const struct extended_root root = root_extended(first + j * step, n);
            assert_true(re[j] == extended_multiply(factor, root.re).hi);
            assert_true(im[j] == extended_multiply(factor, root.im).hi);
            assert_near_float(re_float[j], re[j]);
            assert_near_float(im_float[j], im[j]);
        }
        root_table_free(&table);
    }
}

static void progressions_from_tables_equal_single_roots(void **state)
{
    (void)state;
    double re[300], im[300];
    float re_float[300], im_float[300];
    for (int i = 0; i < 200; i++) {
        int64_t n = (int64_t)(random_bits(&chance) >> (34 + random_bits(&chance) % 30)) + 1;
        int64_t first = (int64_t)(random_bits(&chance) >> 8),
                step = (int64_t)(random_bits(&chance) >> 16);
        int64_t count = (int64_t)(random_bits(&chance) % 300);
        struct root_table table;
        assert_true(root_table_init(&table, n));
        assert_true(root_table_fill_double(&table, first, step, count, re, im));
        assert_true(root_table_fill_float(&table, first, step, count, re_float, im_float));
        for (int64_t j = 0; j < count; j++) {
            double x, y;
            root_double(first % n + (int64_t)((__extension__(__int128) j) * step % n), n, &x, &y);
            assert_true(re[j] == x && im[j] == y);
            assert_near_float(re_float[j], x);
            assert_near_float(im_float[j], y);
        }
        root_table_free(&table);
    }
}

/* Some runs, and the slow ones. */
static void assert_same_runs_as(const struct root_runs *fast, const struct root_run *run)
{
    double re[2][40], im[2][40];
    float re_float[2][40], im_float[2][40];
    const struct root_runs *runs[] = {&root_runs_basic, fast};
    for (int i = 0; i < 2; i++) {
        runs[i]->to_double(run, re[i], im[i]);
        runs[i]->to_float(run, re_float[i], im_float[i]);
    }
    for (int64_t j = 0; j < run->count; j++) {
        assert_true(re[0][j] == re[1][j] && im[0][j] == im[1][j]);
        assert_true(re_float[0][j] == re_float[1][j] && im_float[0][j] == im_float[1][j]);
    }
}

static void assert_same_runs(const struct root_run *run)
{
    assert_same_runs_as(root_runs(1), run);
    assert_same_runs_as(root_runs(INT64_MAX), run);
}

static void runs_by_vectors_of_any_width_have_the_same_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const int64_t n = (int64_t)(random_bits(&chance) >> (34 + random_bits(&chance) % 30)) + 1;
        struct root_run run = {.n = n, .factor = {i % 2 ? 1 : 1.4142135623730951, 0}};
        struct extended_root root[40];
        double column[ROOT_COLUMN_REALS * 40];
        run.first = (int64_t)(random_bits(&chance) % (uint64_t)n);
        run.step = (int64_t)(random_bits(&chance) % (uint64_t)n);
        run.count = (int64_t)(random_bits(&chance) % 40) + 1;
        run.row = root_extended(run.first, n);
        run.row.re = extended_multiply(run.factor, run.row.re);
        run.row.im = extended_multiply(run.factor, run.row.im);
        roots_list(n, 0, run.step, 40, root);
        for (int j = 0; j < 40; j++) {
            const int block = j / ROOT_BLOCK * ROOT_BLOCK * ROOT_COLUMN_REALS, at = j % ROOT_BLOCK;
            column[block + at] = root[j].re.hi;
            column[block + ROOT_BLOCK + at] = root[j].re.lo;
            column[block + 2 * ROOT_BLOCK + at] = root[j].im.hi;
            column[block + 3 * ROOT_BLOCK + at] = root[j].im.lo;
        }
        run.column = column;
        assert_same_runs(&run);
    }
}

static void lists_by_vectors_of_any_width_have_the_same_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++) {
        const int64_t n = (int64_t)(random_bits(&chance) >> (34 + random_bits(&chance) % 30)) + 1;
        int64_t k[40], count = (int64_t)(random_bits(&chance) % 40);
        double re[2][40], im[2][40];
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int j = 0; j < 40; j++)
            k[j] = (int64_t)(random_bits(&chance) % (uint64_t)n);
        root_runs_basic.list(&table, k, count, re[0], im[0]);
        root_runs(count)->list(&table, k, count, re[1], im[1]);
        for (int64_t j = 0; j < count; j++)
            assert_true(re[0][j] == re[1][j] && im[0][j] == im[1][j]);
        root_table_free(&table);
    }
}

static void chirps_come_from_exact_squares(void **state)
{
    (void)state;
    static double re[MOST], im[MOST];
    static const int64_t sizes[] = {1, 2, 3, 4, 7, 17, 100, 1009, 3001, 999983};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_true(chirp_fill(sizes[i], MOST, re, im));
        for (int64_t j = 0; j < MOST; j++) {
            double x, y;
            root_double(j * j, 2 * sizes[i], &x, &y);
            assert_true(re[j] == x && im[j] == y);
        }
        assert_true(chirp_fill_near(sizes[i], MOST, re, im));
        for (int64_t j = 0; j < MOST; j++) {
            double x, y;
            root_double(j * j, 2 * sizes[i], &x, &y);
            assert_true(fabs(re[j] - x) <= 0x1p-52 && fabs(im[j] - y) <= 0x1p-52);
        }
    }
}

static void lists_without_memory_are_refused(void **state)
{
    (void)state;
    double re[300], im[300]; /* short ones take none */
    float re_float[300], im_float[300];
    struct root_table table, kept;
    struct root_grid grid;
    assert_true(root_table_init(&kept, 7));
    int64_t before = memory_live_blocks();
    memory_fail_after(0);
    bool some = roots_fill_double(7, 0, 1, 300, re, im);
    some |= roots_fill_float(7, 0, 1, 300, re_float, im_float);
    some |= root_table_init(&table, 100);
    some |= root_grid_init(&grid, &kept, 1, 2, 3);
    some |= chirp_fill(7, 300, re, im);
    some |= chirp_fill_near(7, 300, re, im);
    memory_fail_after(-1);
    assert_false(some);
    assert_int_equal(memory_live_blocks(), before);
    root_table_free(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_lists_equal_single_roots),
        cmocka_unit_test(tables_equal_single_roots),
        cmocka_unit_test(lists_from_tables_equal_single_roots),
        cmocka_unit_test(grids_equal_single_roots),
        cmocka_unit_test(runs_by_vectors_of_any_width_have_the_same_digits),
        cmocka_unit_test(lists_by_vectors_of_any_width_have_the_same_digits),
        cmocka_unit_test(turns_are_roots_times_a_factor_rounded_once),
        cmocka_unit_test(progressions_from_tables_equal_single_roots),
        cmocka_unit_test(chirps_come_from_exact_squares),
        cmocka_unit_test(lists_without_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
