/* Tables of lines that are steps between pairs. */
#include "base/memory.h"
#include "device/cpu/handed.h"
#include "device/cpu/table_maker.h"
#include "device/cpu/tables.h"
#include "math/roots.h"

/* Stores rows of `count` roots in a table: of a step with so many legs, its lanes'. */
struct row_filler {
    struct kernel *kernel;
    const struct cpu_table *table;
    int64_t legs, count, pairs; /* of a step; pairs: of a vector */
    void (*store)(const struct row_filler *filler, int64_t row, const double *re, const double *im);
};

/* Row after row: the roots row * column / n of all columns. */
static bool fill_rows(const struct row_filler *f, int64_t n, int64_t rows)
{
    const struct root_table *roots = handed_roots(f->kernel, n);
    double *re = roots ? memory_alloc((size_t)(2 * f->count) * sizeof *re) : NULL;
    bool filled = re != NULL;
    for (int64_t row = 0; row < rows && filled; row++) {
        filled = root_table_fill_double(roots, 0, row, f->count, re, re + f->count);
        if (filled) f->store(f, row, re, re + f->count);
    }
    memory_free(re);
    return filled;
}

/* The second plane has what crossed numbers are multiplied by, the third its negative. */
static void store_line_row(const struct row_filler *f, int64_t row, const double *re,
                           const double *im)
{
    for (int64_t leg = 0; leg < f->count; leg++) {
        const int64_t at = 2 * (row * f->count + leg), plane = f->table->plane;
        for (int64_t part = 0; part < 2; part++) {
            table_store(f->kernel, f->table, at + part, re[leg]);
            table_store(f->kernel, f->table, plane + at + part, part ? im[leg] : -im[leg]);
            table_store(f->kernel, f->table, 2 * plane + at + part, part ? -im[leg] : im[leg]);
        }
    }
}

const struct cpu_table *table_pairs(struct kernel *kernel, int64_t n, int legs)
{
    const struct cpu_table *old = table_find(kernel, TABLE_PAIRS, legs, n, 0);
    if (old) return old;
    const int64_t plane = 2 * n;
    struct cpu_table *t = table_add(kernel, TABLE_PAIRS, legs, n, 0, plane, 3 * plane);
    if (!t) return NULL;
    const struct row_filler filler = {
        .kernel = kernel, .table = t, .count = legs, .store = store_line_row};
    return fill_rows(&filler, n, n / legs) ? t : NULL;
}

/* Reals of a step's legs, behind those that its plane begins with. */
static int64_t reals_of(const struct row_filler *f)
{
    return (f->count + f->pairs - 1) / f->pairs * (f->legs - 1) * 4 * f->pairs;
}

/* A leg's vectors, of both parts: as they are, and what crossed numbers are multiplied by. */
static void store_leg(const struct row_filler *f, bool inverse, int64_t leg, const double *re,
                      const double *im)
{
    const int64_t plane = inverse ? f->table->plane : 0, begin = f->table->plane - reals_of(f);
    const int64_t vector = 4 * f->pairs, at = plane + begin + (leg - 1) * vector;
    const struct turn_lanes lanes = {.count = f->count,
                                     .pairs = f->pairs,
                                     .step = (f->legs - 1) * vector,
                                     .sign = inverse ? -1 : 1};
    cpu_general_of(f->kernel)->lay_turns(&lanes, re, im,
                                         (char *)f->table->data + at * f->kernel->real_bytes);
}

/* Steps of the inverse transform read their legs in opposite order: their roots are those of
 * others. */
static void store_step_row(const struct row_filler *f, int64_t leg, const double *re,
                           const double *im)
{
    if (leg == 0) return;
    store_leg(f, false, leg, re, im);
    store_leg(f, true, f->legs - leg, re, im);
}

const struct cpu_table *table_pairs_beside(struct kernel *kernel, int64_t lanes, int radix,
                                           int64_t pairs)
{
    const struct cpu_table *old = table_find(kernel, TABLE_PAIRS_BESIDE, radix, lanes, pairs);
    if (old) return old;
    struct row_filler filler = {kernel, NULL, radix, lanes, pairs, store_step_row};
    const int64_t plane = reals_of(&filler);
    struct cpu_table *t =
        table_add(kernel, TABLE_PAIRS_BESIDE, radix, lanes, pairs, plane, 2 * plane);
    filler.table = t;
    return t && fill_rows(&filler, radix * lanes, radix) ? t : NULL;
}

/* Legs are in one order, and row 0 has the signs, of re and im. */
static void store_line_step_row(const struct row_filler *f, int64_t leg, const double *re,
                                const double *im)
{
    for (int inverse = 0; inverse < 2; inverse++) {
        for (int64_t i = 0; leg == 0 && i < 2 * f->pairs; i++)
            table_store(f->kernel, f->table, inverse * f->table->plane + i,
                        i % 2 == inverse ? 1 : -1);
        if (leg > 0) store_leg(f, inverse == 1, leg, re, im);
    }
}

const struct cpu_table *table_line_of_pairs(struct kernel *kernel, const struct line *line)
{
    const int lanes = line->radix[0], radix = line->radix[1];
    const int64_t pairs = line->width / 2;
    struct row_filler filler = {kernel, NULL, radix, lanes, pairs, store_line_step_row};
    const int64_t plane = 2 * pairs + reals_of(&filler);
    struct cpu_table *t = table_add(kernel, TABLE_LINE, line->n, line->lanes, 0, plane, 2 * plane);
    filler.table = t;
    return t && fill_rows(&filler, line->n, radix) ? t : NULL;
}
