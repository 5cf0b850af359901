/* The contents of the kernels' tables. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/block.h"
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
    for (int64_t i = 0; i < table->length; i++) {
        data[i] = (int32_t)power;
        power = multiply_mod(power, step, order);
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

/* The twiddles of one transform's steps, as two planes. Returns how many; 0: no memory. */
static int64_t fill_transform(const struct pass *pass, bool reversed, double *re, double *im)
{
    int64_t before = 1, count = 0;
    for (int s = 0; s < pass->radices; s++) {
        int radix = pass->radix[reversed ? pass->radices - 1 - s : s];
        for (int j = 1; j < radix && s > 0; j++) {
            if (!roots_fill_double(before * radix, 0, j, before, re + count, im + count)) return 0;
            count += before;
        }
        before *= radix;
    }
    return count;
}

static bool fill_step_roots(const struct pass *pass, int64_t length, double *re, double *im)
{
    int64_t count = fill_transform(pass, false, re, im);
    if (count == 0 || count == length) return count > 0;
    return fill_transform(pass, true, re + count, im + count) > 0;
}

static bool fill_planes(const struct block_table *table, const struct pass *pass, double *re,
                        double *im)
{
    switch (table->kind) {
    case BLOCK_STEP_ROOTS: return fill_step_roots(pass, table->length, re, im);
    case BLOCK_CHIRP: return chirp_fill(table->order, table->length, re, im);
    default: return roots_fill_double(table->order, 0, table->step, table->length, re, im);
    }
}

/* Roots or a chirp, made as two planes. */
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
                             const struct program *program, const double *const *tables,
                             void *data)
{
    switch (table->kind) {
    case BLOCK_ROOTS:
    case BLOCK_STEP_ROOTS:
    case BLOCK_CHIRP:
        return fill_complex(info, table, &program->pass[info->pass], data);
    case BLOCK_SPECTRUM:
        write_reals(info, data, 0, 1, tables[table->source], 2 * table->length);
        return WEFT_OK;
    case BLOCK_SCALE:
        write_reals(info, data, 0, 1, program->problem.scale, 2);
        return WEFT_OK;
    default:
        fill_powers(table, data);
        return WEFT_OK;
    }
}
