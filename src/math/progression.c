/* Lists of roots as products of two short ones, which root_run.h makes. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/root_product.h"
#include "math/root_run.h"

/* ---- columns ---- */

static int64_t column_reals(int64_t columns)
{
    return ROOT_COLUMN_REALS * (columns + ROOT_MOST_LANES);
}

static int64_t column_place(int64_t j)
{
    return j / ROOT_BLOCK * ROOT_BLOCK * ROOT_COLUMN_REALS + j % ROOT_BLOCK;
}

static void column_store(double *column, int64_t j, struct extended_root root)
{
    double *at = column + column_place(j);
    at[0] = root.re.hi;
    at[ROOT_BLOCK] = root.re.lo;
    at[2 * ROOT_BLOCK] = root.im.hi;
    at[3 * ROOT_BLOCK] = root.im.lo;
}

static struct extended_root column_load(const double *column, int64_t j)
{
    const double *at = column + column_place(j);
    return (struct extended_root){{at[0], at[ROOT_BLOCK]},
                                  {at[2 * ROOT_BLOCK], at[3 * ROOT_BLOCK]}};
}

static void columns_end(double *column, int64_t count)
{
    for (int64_t j = count; j % ROOT_MOST_LANES != 0; j++)
        column_store(column, j, (struct extended_root){{1, 0}, {0, 0}});
}

/* ---- runs ---- */

/* From here on a run takes less time with some of eight lanes left over. */
enum { LONG_RUN = 16 };

const struct root_runs *root_runs(int64_t count)
{
    (void)count;
#if defined(__x86_64__)
    if (count >= LONG_RUN && __builtin_cpu_supports("avx512dq")) return &root_runs_avx512;
    if (__builtin_cpu_supports("avx2")) return &root_runs_avx2;
#endif
    return &root_runs_basic;
}

static const struct extended once = {1, 0};

static struct root_run run_of(int64_t n, int64_t first, int64_t step, int64_t count,
                              struct extended factor)
{
    return (struct root_run){
        .n = n, .first = first, .step = step, .count = count, .factor = factor};
}

static void single(const struct root_run *run, int64_t j, double *re, double *im)
{
    const struct extended_root root = root_extended(root_run_at(run, j), run->n);
    *re = extended_multiply(run->factor, root.re).hi;
    *im = extended_multiply(run->factor, root.im).hi;
}

void root_run_product(const struct root_run *run, int64_t j, double *re, double *im)
{
    const double square = run->factor.hi * run->factor.hi;
    const struct extended_root root = root_product(run->row, column_load(run->column, j));
    *re = root.re.hi;
    *im = root.im.hi;
    if (root_is_small(*re / square, *im)) single(run, j, re, im);
}

/* What roots are to become. */
struct element {
    bool floats;
    size_t bytes;
};

static struct element doubles(void)
{
    return (struct element){false, sizeof(double)};
}

static struct element floats(void)
{
    return (struct element){true, sizeof(float)};
}

static void make_run(struct element element, const struct root_run *run, void *re, void *im)
{
    const struct root_runs *runs = root_runs(run->count);
    (element.floats ? runs->to_float : runs->to_double)(run, re, im);
}

/* Of a step of 0 parts that are small would each be computed by themselves. */
static void repeat(struct element element, struct root_run run, char *re, char *im)
{
    const size_t end = (size_t)run.count * element.bytes;
    run.count = 1;
    make_run(element, &run, re, im);
    for (size_t at = element.bytes; at < end; at += element.bytes) {
        memcpy(re + at, re, element.bytes);
        memcpy(im + at, im, element.bytes);
    }
}

/* To number `done` of both lists on. */
static void fill_run(struct element element, const struct root_run *run, int64_t done, void *to_re,
                     void *to_im)
{
    char *re = (char *)to_re + (size_t)done * element.bytes;
    char *im = (char *)to_im + (size_t)done * element.bytes;
    if (run->step == 0) repeat(element, *run, re, im);
    else make_run(element, run, re, im);
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
    struct root_run run;            /* all of it */
    int64_t width, rows;
    double *column;
    struct extended_root *row;
    double few_columns[ROOT_COLUMN_REALS * (FEW + ROOT_MOST_LANES)];
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

static struct extended_root scaled(struct extended_root root, struct extended by)
{
    return (struct extended_root){extended_multiply(by, root.re), extended_multiply(by, root.im)};
}

/* The rows' place has the columns first. */
static bool progression_init(struct progression *p)
{
    const struct root_run *run = &p->run;
    p->width = (int64_t)ceil(sqrt((double)run->count));
    p->rows = (run->count + p->width - 1) / p->width;
    p->column = p->few_columns;
    p->row = p->few_rows;
    if (p->width > FEW) {
        const int64_t reals = column_reals(p->width);
        p->column =
            memory_alloc((size_t)(reals + ROOT_COLUMN_REALS * p->width) * sizeof *p->column);
        if (!p->column) return false;
        p->row = (struct extended_root *)(p->column + reals);
    }
    list(p, 0, run->step, p->width, p->row);
    for (int64_t j = 0; j < p->width; j++)
        column_store(p->column, j, p->row[j]);
    columns_end(p->column, p->width);
    const struct root_run from_zero = run_of(run->n, 0, run->step, run->count, once);
    list(p, run->first, root_run_at(&from_zero, p->width), p->rows, p->row);
    for (int64_t r = 0; run->factor.hi != 1 && r < p->rows; r++)
        p->row[r] = scaled(p->row[r], run->factor);
    return true;
}

static void progression_free(struct progression *p)
{
    if (p->column != p->few_columns) memory_free(p->column);
}

static bool fill(const struct root_table *table, struct element element, struct root_run run,
                 void *re, void *im)
{
    struct progression p;
    if (run.count <= 0) return true;
    p.table = table;
    const int64_t n = run.n;
    run.first = reduce(run.first, n);
    run.step = reduce(run.step, n);
    p.run = run;
    if (!progression_init(&p)) return false;
    run.column = p.column;
    for (int64_t r = 0; r < p.rows; r++) {
        const int64_t done = r * p.width, left = p.run.count - done;
        run.first = root_run_at(&p.run, done);
        run.count = left < p.width ? left : p.width;
        run.row = p.row[r];
        fill_run(element, &run, done, re, im);
    }
    progression_free(&p);
    return true;
}

bool roots_fill_double(int64_t n, int64_t first, int64_t step, int64_t count, double *re,
                       double *im)
{
    const struct root_run run = run_of(n, first, step, count, once);
    return fill(NULL, doubles(), run, re, im);
}

bool roots_fill_float(int64_t n, int64_t first, int64_t step, int64_t count, float *re, float *im)
{
    const struct root_run run = run_of(n, first, step, count, once);
    return fill(NULL, floats(), run, re, im);
}

bool root_table_fill_double(const struct root_table *table, int64_t first, int64_t step,
                            int64_t count, double *re, double *im)
{
    const struct root_run run = run_of(table->n, first, step, count, once);
    return fill(table, doubles(), run, re, im);
}

bool root_table_fill_float(const struct root_table *table, int64_t first, int64_t step,
                           int64_t count, float *re, float *im)
{
    const struct root_run run = run_of(table->n, first, step, count, once);
    return fill(table, floats(), run, re, im);
}

bool root_table_fill_turns(const struct root_table *table, struct extended factor, int64_t first,
                           int64_t step, int64_t count, double *re, double *im)
{
    const struct root_run run = run_of(table->n, first, step, count, factor);
    return fill(table, doubles(), run, re, im);
}

bool root_table_fill_turns_float(const struct root_table *table, struct extended factor,
                                 int64_t first, int64_t step, int64_t count, float *re, float *im)
{
    const struct root_run run = run_of(table->n, first, step, count, factor);
    return fill(table, floats(), run, re, im);
}

bool roots_fill_extended(int64_t n, int64_t first, int64_t step, int64_t count, struct extended *re,
                         struct extended *im)
{
    const struct root_run run = run_of(n, reduce(first, n), reduce(step, n), count, once);
    const int64_t width = (int64_t)ceil(sqrt((double)count));
    if (count <= 0) return true;
    struct extended_root *columns = memory_alloc((size_t)width * sizeof *columns), row;
    if (!columns) return false;
    roots_list(n, 0, step, width, columns);
    for (int64_t j = 0; j < count; j++) {
        if (j % width == 0) row = root_extended(root_run_at(&run, j), n);
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
    const struct root_run steps = run_of(table->n, 0, grid->step, rows, once);
    for (int64_t r = 0; r < rows; r++) {
        const struct root_run run = run_of(table->n, 0, root_run_at(&steps, r), columns, once);
        double *column = grid->column + r * reals;
        for (int64_t c = 0; c < columns; c++)
            column_store(column, c, root_table_get_extended(table, root_run_at(&run, c)));
        columns_end(column, columns);
    }
    return true;
}

static void fill_grid(const struct root_grid *grid, int64_t first, struct element element, void *re,
                      void *im)
{
    const int64_t n = grid->table->n;
    const struct root_run steps = run_of(n, 0, grid->step, grid->rows, once);
    for (int64_t r = 0; r < grid->rows; r++) {
        const int64_t step = root_run_at(&steps, r);
        const int64_t at = (int64_t)multiply_mod((uint64_t)first, (uint64_t)step, (uint64_t)n);
        struct root_run run = run_of(n, at, step, grid->columns, once);
        run.row = root_table_get_extended(grid->table, at);
        run.column = grid->column + r * row_reals(grid);
        fill_run(element, &run, r * grid->columns, re, im);
    }
}

void root_grid_double(const struct root_grid *grid, int64_t first, double *re, double *im)
{
    fill_grid(grid, first, doubles(), re, im);
}

void root_grid_float(const struct root_grid *grid, int64_t first, float *re, float *im)
{
    fill_grid(grid, first, floats(), re, im);
}

void root_grid_free(struct root_grid *grid)
{
    memory_free(grid->column);
}
