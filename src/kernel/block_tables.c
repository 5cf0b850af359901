/* The contents of the kernels' tables. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/block_state.h"
#include "math/factor.h"
#include "math/roots.h"
#include "spec/problem.h"

static bool is_integer(const struct block_table *table)
{
    return table->kind == BLOCK_POWERS || table->kind == BLOCK_INVERSE_POWERS;
}

size_t block_table_bytes(const struct block_kernel *info, const struct block_table *table)
{
    size_t length = (size_t)table->length;
    if (is_integer(table)) return length * sizeof(int32_t);
    size_t reals = table->kind == BLOCK_SCALE ? length : 2 * length;
    return reals * (size_t)precision_bytes(info->precision);
}

static void fill_powers(const struct block_table *table, int32_t *data)
{
    uint64_t order = (uint64_t)table->order;
    uint64_t step = (uint64_t)primitive_root(table->order), power = 1;
    if (table->kind == BLOCK_INVERSE_POWERS) step = inverse_mod(step, order);
    const struct multiplier next = multiplier_of(step, order);
    for (int64_t i = 0; i < table->length; i++) {
        data[i] = (int32_t)power - 1;
        power = multiplier_apply(&next, power);
    }
}

/* `count` reals, rounded to the kernel's precision. */
static void write_reals(const struct block_kernel *info, void *data, int64_t first, int64_t step,
                        const double *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t place = first + i * step;
        if (info->precision == WEFT_F32) ((float *)data)[place] = (float)from[i];
        else ((double *)data)[place] = from[i];
    }
}

/* Two planes as pairs. */
static void interleave_single(const float *planes, int64_t length, float *pairs)
{
    for (int64_t i = 0; i < length; i++) {
        pairs[2 * i] = planes[i];
        pairs[2 * i + 1] = planes[length + i];
    }
}

static void interleave_double(const double *planes, int64_t length, double *pairs)
{
    for (int64_t i = 0; i < length; i++) {
        pairs[2 * i] = planes[i];
        pairs[2 * i + 1] = planes[length + i];
    }
}

/* Planes that are being filled. */
struct filling {
    double *re, *im;
    bool failed; /* no memory */
};

/* The twiddles of one axis's steps. */
static void fill_axis(struct filling *f, int radices, const int *radix, bool reversed)
{
    int64_t before = 1;
    for (int s = 0; s < radices; s++) {
        int r = radix[reversed ? radices - 1 - s : s];
        for (int j = 1; j < r && s > 0 && !f->failed; j++) {
            if (block_root_row(r, before, j) < 0) continue;
            f->failed = !roots_fill_double(before * r, 0, j, before, f->re, f->im);
            f->re += before;
            f->im += before;
        }
        before *= r;
    }
}

/* In the order of block_shape.c's steps. */
static bool fill_step_roots(const struct pass *pass, double *re, double *im)
{
    struct filling f = {re, im, false};
    for (int i = pass->folds - 1; i >= 0; i--)
        fill_axis(&f, pass->fold[i].radices, pass->fold[i].radix, false);
    fill_axis(&f, pass->radices, pass->radix, false);
    if (pass->body != PASS_TRANSFORM)
        fill_axis(&f, pass->radices, pass->radix, block_turns_back(pass));
    return !f.failed;
}

static bool fill_planes(const struct block_table *table, const struct pass *pass, double *re,
                        double *im)
{
    if (table->kind == BLOCK_STEP_ROOTS) return fill_step_roots(pass, re, im);
    return roots_fill_double(table->order, 0, table->step, table->length, re, im);
}

/* Roots, made as two planes. */
static weft_status fill_complex(const struct block_kernel *info, const struct block_table *table,
                                const struct pass *pass, void *data)
{
    double *plane = memory_alloc(2 * (size_t)table->length * sizeof *plane);
    if (!plane) return error_memory("a table of roots");
    double *re = plane, *im = plane + table->length;
    bool filled = fill_planes(table, pass, re, im);
    if (filled) {
        write_reals(info, data, 0, 2, re, table->length);
        write_reals(info, data, 1, 2, im, table->length);
    }
    memory_free(plane);
    return filled ? WEFT_OK : error_memory("a table of roots");
}

weft_status block_table_fill(const struct block_kernel *info, const struct block_table *table,
                             const struct program *program, const void *const *tables,
                             void *data)
{
    switch (table->kind) {
    case BLOCK_ROOTS:
    case BLOCK_STEP_ROOTS:
        return fill_complex(info, table, &program->pass[info->pass], data);
    case BLOCK_PROGRAM:
        if (info->precision == WEFT_F32)
            interleave_single(tables[table->source], table->length, data);
        else
            interleave_double(tables[table->source], table->length, data);
        return WEFT_OK;
    case BLOCK_SCALE:
        write_reals(info, data, 0, 1, program->problem.scale, 2);
        return WEFT_OK;
    default:
        fill_powers(table, data);
        return WEFT_OK;
    }
}
