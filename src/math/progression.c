/* Lists of roots as products of two short ones. Those for doubles are made two at a time, to about
 * 2^-77; where that leaves the rounding in doubt the root is computed by itself. */
#include <math.h>

#include "base/memory.h"
#include "math/factor.h"
#include "math/root_product.h"

/* Below this the product of two doubles is wrong by more than 2^-15 units in the last place of a
 * float. */
#define SMALL_FLOAT 0x1p-14

/* Factor times roots first, first + step, ... of order n, which are those of a row times some
 * columns; the row has the factor. */
struct run {
    int64_t n, first, step, count; /* 0 <= first, step < n */
    double factor;
    const double *column;
};

/* Products are made so many at a time, and columns are read so far beyond their last one. */
enum { BLOCK = 4, COLUMN_REALS = 4 };

typedef void run_function(const struct run *run, struct extended_root row, void *re, void *im);

static int64_t run_at(const struct run *run, int64_t j)
{
    const uint64_t n = (uint64_t)run->n;
    const uint64_t at = (uint64_t)run->first + multiply_mod((uint64_t)j, (uint64_t)run->step, n);
    return (int64_t)(at >= n ? at - n : at);
}

/* ---- columns: for each two neighbours re.hi, re.lo, im.hi, im.lo, two of each ---- */

static int64_t column_reals(int64_t columns)
{
    return COLUMN_REALS * (columns + columns % 2 + BLOCK);
}

static void column_store(double *column, int64_t j, struct extended_root root)
{
    double *at = column + j / 2 * 2 * COLUMN_REALS + j % 2;
    at[0] = root.re.hi;
    at[2] = root.re.lo;
    at[4] = root.im.hi;
    at[6] = root.im.lo;
}

static void columns_end(double *column, int64_t count)
{
    for (int64_t j = count; j < count + BLOCK; j++)
        column_store(column, j, (struct extended_root){{1, 0}, {0, 0}});
}

static inline struct root_pair column_pair(const double *at)
{
    return (struct root_pair){pair_part(pair_load(at), pair_load(at + 2)),
                              pair_part(pair_load(at + 4), pair_load(at + 6))};
}

/* ---- doubles ---- */

static void single(const struct run *run, int64_t j, double *re, double *im)
{
    const struct extended_root root = root_extended(run_at(run, j), run->n);
    *re = fma(run->factor, root.re.hi, run->factor * root.re.lo);
    *im = fma(run->factor, root.im.hi, run->factor * root.im.lo);
}

/* Those of BLOCK roots from number j on that have flags. */
static void mend(const struct run *run, int64_t j, pair_flags first, pair_flags second, double *re,
                 double *im)
{
    const int64_t flag[BLOCK] = {first[0], first[1], second[0], second[1]};
    for (int i = 0; i < BLOCK; i++) {
        if (flag[i]) single(run, j + i, &re[i], &im[i]);
    }
}

static inline __attribute__((always_inline)) pair_flags
two_doubles(const struct root_pair *row, const double *column, double small, double *re, double *im)
{
    const struct root_pair columns = column_pair(column);
    pair x, y;
    const pair_flags flags = root_pair_multiply(row, &columns, small, &x, &y);
    pair_store(re, x);
    pair_store(im, y);
    return flags;
}

static inline void block_double(const struct run *run, const struct root_pair *row, int64_t j,
                                double *re, double *im)
{
    const double *column = run->column + j * COLUMN_REALS;
    const double small = PAIR_SMALL * run->factor * run->factor;
    const pair_flags first = two_doubles(row, column, small, re, im);
    const pair_flags second = two_doubles(row, column + 2 * COLUMN_REALS, small, re + 2, im + 2);
    const pair_flags any = first | second;
    if (any[0] | any[1]) mend(run, j, first, second, re, im);
}

/* Of a step of 0: parts that are small would each be computed by themselves. */
static void fill_double(const struct run *run, double *re, double *im)
{
    single(run, 0, &re[0], &im[0]);
    for (int64_t j = 1; j < run->count; j++) {
        re[j] = re[0];
        im[j] = im[0];
    }
}

/* ---- floats ---- */

static inline pair_flags two_near(struct extended_root row, const double *column, double small,
                                  double *re, double *im)
{
    const pair c = pair_load(column), s = pair_load(column + 4);
    const pair x = row.re.hi * c - row.im.hi * s, y = row.re.hi * s + row.im.hi * c;
    pair_store(re, x);
    pair_store(im, y);
    return pair_is_small(x, y, small);
}

static inline void block_near(const struct run *run, struct extended_root row, int64_t j,
                              double *re, double *im)
{
    const double *column = run->column + j * COLUMN_REALS;
    const double small = SMALL_FLOAT * run->factor * run->factor;
    const pair_flags first = two_near(row, column, small, re, im);
    const pair_flags second = two_near(row, column + 2 * COLUMN_REALS, small, re + 2, im + 2);
    const pair_flags any = first | second;
    if (any[0] | any[1]) mend(run, j, first, second, re, im);
}

static void run_double(const struct run *run, struct extended_root row, void *to_re, void *to_im)
{
    double *re = to_re, *im = to_im, last_re[BLOCK], last_im[BLOCK];
    const struct root_pair twice = root_pair_twice(row);
    int64_t j = 0;
    if (run->step == 0) {
        fill_double(run, re, im);
        return;
    }
    for (; j + BLOCK <= run->count; j += BLOCK)
        block_double(run, &twice, j, re + j, im + j);
    if (j == run->count) return;
    block_double(run, &twice, j, last_re, last_im);
    memcpy(re + j, last_re, (size_t)(run->count - j) * sizeof *re);
    memcpy(im + j, last_im, (size_t)(run->count - j) * sizeof *im);
}

static inline void block_float(const struct run *run, struct extended_root row, int64_t j,
                               float *re, float *im)
{
    double x[BLOCK], y[BLOCK];
    block_near(run, row, j, x, y);
    for (int i = 0; i < BLOCK; i++) {
        re[i] = (float)x[i];
        im[i] = (float)y[i];
    }
}

static void fill_float(const struct run *run, float *re, float *im)
{
    double x, y;
    single(run, 0, &x, &y);
    for (int64_t j = 0; j < run->count; j++) {
        re[j] = (float)x;
        im[j] = (float)y;
    }
}

static void run_float(const struct run *run, struct extended_root row, void *to_re, void *to_im)
{
    float *re = to_re, *im = to_im, last_re[BLOCK], last_im[BLOCK];
    int64_t j = 0;
    if (run->step == 0) {
        fill_float(run, re, im);
        return;
    }
    for (; j + BLOCK <= run->count; j += BLOCK)
        block_float(run, row, j, re + j, im + j);
    if (j == run->count) return;
    block_float(run, row, j, last_re, last_im);
    memcpy(re + j, last_re, (size_t)(run->count - j) * sizeof *re);
    memcpy(im + j, last_im, (size_t)(run->count - j) * sizeof *im);
}

/* ---- progressions ---- */

static int64_t reduce(int64_t k, int64_t n)
{
    const int64_t rest = k % n;
    return rest < 0 ? rest + n : rest;
}

/* So many columns and rows take no memory of their own, which tables of many short rows would ask
 * for. */
enum { FEW = 16 };

/* A progression cut into rows of equal width: root j = row * width + column is the product of the
 * row's first root and of exp(-2 pi i column step / n), which is the same in all rows. */
struct progression {
    const struct root_table *table; /* of order n; or NULL */
    struct run run;                 /* all of it */
    int64_t width, rows;
    double *column;
    struct extended_root *row;
    double few_columns[COLUMN_REALS * (FEW + BLOCK)];
    struct extended_root few_rows[FEW];
};

static void list(const struct progression *p, int64_t first, int64_t step, int64_t count,
                 struct extended_root *root)
{
    if (!p->table) {
        roots_list(p->run.n, first, step, count, root);
        return;
    }
    const int64_t back = p->run.n - step;
    int64_t k = first;
    for (int64_t j = 0; j < count; j++) {
        root[j] = root_table_get_extended(p->table, k);
        k = k >= back ? k - back : k + step;
    }
}

static struct extended_root scaled(struct extended_root root, double factor)
{
    const struct extended by = {factor, 0};
    return (struct extended_root){extended_multiply(by, root.re), extended_multiply(by, root.im)};
}

/* The rows' place has the columns first. */
static bool progression_init(struct progression *p)
{
    const struct run *run = &p->run;
    p->width = (int64_t)ceil(sqrt((double)run->count));
    p->rows = (run->count + p->width - 1) / p->width;
    p->column = p->few_columns;
    p->row = p->few_rows;
    if (p->width > FEW) {
        const int64_t reals = column_reals(p->width);
        p->column = memory_alloc((size_t)(reals + COLUMN_REALS * p->width) * sizeof *p->column);
        if (!p->column) return false;
        p->row = (struct extended_root *)(p->column + reals);
    }
    list(p, 0, run->step, p->width, p->row);
    for (int64_t j = 0; j < p->width; j++)
        column_store(p->column, j, p->row[j]);
    columns_end(p->column, p->width);
    const struct run from_zero = {run->n, 0, run->step, run->count, 1, NULL};
    list(p, run->first, run_at(&from_zero, p->width), p->rows, p->row);
    for (int64_t r = 0; run->factor != 1 && r < p->rows; r++)
        p->row[r] = scaled(p->row[r], run->factor);
    return true;
}

static void progression_free(struct progression *p)
{
    if (p->column != p->few_columns) memory_free(p->column);
}

static bool fill(const struct root_table *table, run_function *fill_run, size_t bytes,
                 struct run run, void *re, void *im)
{
    struct progression p;
    if (run.count <= 0) return true;
    p.table = table;
    const int64_t n = run.n;
    run.first = reduce(run.first, n);
    run.step = reduce(run.step, n);
    p.run = run;
    if (!progression_init(&p)) return false;
    for (int64_t r = 0; r < p.rows; r++) {
        const int64_t done = r * p.width, left = run.count - done;
        const struct run row = {
            n, run_at(&run, done), run.step, left < p.width ? left : p.width, run.factor, p.column};
        fill_run(&row, p.row[r], (char *)re + (size_t)done * bytes,
                 (char *)im + (size_t)done * bytes);
    }
    progression_free(&p);
    return true;
}

bool roots_fill_double(int64_t n, int64_t first, int64_t step, int64_t count, double *re,
                       double *im)
{
    const struct run run = {n, first, step, count, 1, NULL};
    return fill(NULL, run_double, sizeof *re, run, re, im);
}

bool roots_fill_float(int64_t n, int64_t first, int64_t step, int64_t count, float *re, float *im)
{
    const struct run run = {n, first, step, count, 1, NULL};
    return fill(NULL, run_float, sizeof *re, run, re, im);
}

bool root_table_fill_double(const struct root_table *table, int64_t first, int64_t step,
                            int64_t count, double *re, double *im)
{
    const struct run run = {table->n, first, step, count, 1, NULL};
    return fill(table, run_double, sizeof *re, run, re, im);
}

bool root_table_fill_float(const struct root_table *table, int64_t first, int64_t step,
                           int64_t count, float *re, float *im)
{
    const struct run run = {table->n, first, step, count, 1, NULL};
    return fill(table, run_float, sizeof *re, run, re, im);
}

bool root_table_fill_turns(const struct root_table *table, double factor, int64_t first,
                           int64_t step, int64_t count, double *re, double *im)
{
    const struct run run = {table->n, first, step, count, factor, NULL};
    return fill(table, run_double, sizeof *re, run, re, im);
}

bool root_table_fill_turns_float(const struct root_table *table, double factor, int64_t first,
                                 int64_t step, int64_t count, float *re, float *im)
{
    const struct run run = {table->n, first, step, count, factor, NULL};
    return fill(table, run_float, sizeof *re, run, re, im);
}

bool roots_fill_extended(int64_t n, int64_t first, int64_t step, int64_t count, struct extended *re,
                         struct extended *im)
{
    const struct run run = {n, reduce(first, n), reduce(step, n), count, 1, NULL};
    const int64_t width = (int64_t)ceil(sqrt((double)count));
    if (count <= 0) return true;
    struct extended_root *columns = memory_alloc((size_t)width * sizeof *columns), row;
    if (!columns) return false;
    roots_list(n, 0, step, width, columns);
    for (int64_t j = 0; j < count; j++) {
        if (j % width == 0) row = root_extended(run_at(&run, j), n);
        const struct extended_root root = root_product(row, columns[j % width]);
        re[j] = root.re;
        im[j] = root.im;
    }
    memory_free(columns);
    return true;
}

/* ---- grids ---- */

static int64_t row_reals(const struct root_grid *grid)
{
    return column_reals(grid->columns);
}

bool root_grid_init(struct root_grid *grid, const struct root_table *table, int64_t step,
                    int64_t rows, int64_t columns)
{
    *grid = (struct root_grid){table, reduce(step, table->n), rows, columns, NULL};
    const int64_t reals = row_reals(grid);
    grid->column = memory_alloc((size_t)(rows * reals) * sizeof *grid->column);
    if (!grid->column) return false;
    const struct run steps = {table->n, 0, grid->step, rows, 1, NULL};
    for (int64_t r = 0; r < rows; r++) {
        const struct run run = {table->n, 0, run_at(&steps, r), columns, 1, NULL};
        double *column = grid->column + r * reals;
        for (int64_t c = 0; c < columns; c++)
            column_store(column, c, root_table_get_extended(table, run_at(&run, c)));
        columns_end(column, columns);
    }
    return true;
}

static void fill_grid(const struct root_grid *grid, int64_t first, run_function *fill_run,
                      size_t bytes, void *re, void *im)
{
    const int64_t n = grid->table->n, reals = row_reals(grid);
    const struct run steps = {n, 0, grid->step, grid->rows, 1, NULL};
    for (int64_t r = 0; r < grid->rows; r++) {
        const int64_t step = run_at(&steps, r);
        const int64_t at = (int64_t)multiply_mod((uint64_t)first, (uint64_t)step, (uint64_t)n);
        const struct run run = {n, at, step, grid->columns, 1, grid->column + r * reals};
        const size_t done = (size_t)(r * grid->columns) * bytes;
        fill_run(&run, root_table_get_extended(grid->table, at), (char *)re + done,
                 (char *)im + done);
    }
}

void root_grid_double(const struct root_grid *grid, int64_t first, double *re, double *im)
{
    fill_grid(grid, first, run_double, sizeof *re, re, im);
}

void root_grid_float(const struct root_grid *grid, int64_t first, float *re, float *im)
{
    fill_grid(grid, first, run_float, sizeof *re, re, im);
}

void root_grid_free(struct root_grid *grid)
{
    memory_free(grid->column);
}
