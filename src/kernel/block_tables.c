/* The contents of the kernels' tables. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/block_state.h"
#include "math/factor.h"
#include "math/roots.h"
#include "spec/block_counts.h"
#include "spec/problem.h"
#include "spec/spectrum_order.h"

static bool is_integer(const struct block_table *table)
{
    return table->kind == BLOCK_POWERS || table->kind == BLOCK_INVERSE_POWERS;
}

bool block_table_is_complex(const struct block_table *table)
{
    return !is_integer(table) && table->kind != BLOCK_SCALE;
}

size_t block_table_bytes(const struct block_kernel *info, const struct block_table *table)
{
    size_t length = (size_t)table->length;
    if (is_integer(table)) return length * sizeof(int32_t);
    size_t reals = block_table_is_complex(table) ? 2 * length : length;
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

/* `count` reals, rounded to single or double precision. */
static void write_reals(const struct block_kernel *info, void *data, int64_t first, int64_t step,
                        const double *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t place = first + i * step;
        if (info->precision == WEFT_F32) ((float *)data)[place] = (float)from[i];
        else ((double *)data)[place] = from[i];
    }
}

/* Reals of so many bytes, `step` bytes apart in two planes, as pairs. */
static inline void interleave_apart(const char *re, const char *im, size_t step, int64_t count,
                                    size_t bytes, char *pairs)
{
    for (int64_t e = 0; e < count; e++, re += step, im += step, pairs += 2 * bytes) {
        memcpy(pairs, re, bytes);
        memcpy(pairs + bytes, im, bytes);
    }
}

static inline void interleave(const char *planes, int64_t length, size_t bytes, char *pairs)
{
    interleave_apart(planes, planes + (size_t)length * bytes, bytes, length, bytes, pairs);
}

/* Two planes, of doubles, or of more where the kernel's reals have more. */
struct filling {
    bool extended;
    char *re, *im;
    bool failed; /* no memory */
};

/* exp(-2 pi i j step / order) for j < count, and on behind them. */
static void fill_roots(struct filling *f, int64_t order, int64_t step, int64_t count)
{
    void *re = f->re, *im = f->im;
    if (f->failed) return;
    f->failed = f->extended ? !roots_fill_extended(order, 0, step, count, re, im)
                            : !roots_fill_double(order, 0, step, count, re, im);
    const int64_t bytes = count * (f->extended ? sizeof(struct extended) : sizeof(double));
    f->re += bytes;
    f->im += bytes;
}

/* The twiddles of one axis's steps. */
static void fill_axis(struct filling *f, int radices, const int *radix, bool reversed)
{
    int64_t before = 1;
    for (int s = 0; s < radices; s++) {
        int r = radix[reversed ? radices - 1 - s : s];
        for (int j = 1; j < r && s > 0; j++) {
            if (block_root_row(r, before, j) >= 0) fill_roots(f, before * r, j, before);
        }
        before *= r;
    }
}

/* In the order of block_shape.c's steps. */
static void fill_step_roots(struct filling *f, const struct pass *pass)
{
    for (int i = pass->folds - 1; i >= 0; i--)
        fill_axis(f, pass->fold[i].radices, pass->fold[i].radix, false);
    fill_axis(f, pass->radices, pass->radix, false);
    if (pass->body != PASS_TRANSFORM)
        fill_axis(f, pass->radices, pass->radix, block_turns_back(pass));
}

static void write_planes(const struct block_kernel *info, const char *planes, int64_t length,
                         void *data)
{
    if (info->precision == WEFT_DD) {
        interleave(planes, length, sizeof(struct extended), data);
        return;
    }
    const double *re = (const double *)planes;
    write_reals(info, data, 0, 2, re, length);
    write_reals(info, data, 1, 2, re + length, length);
}

/* Roots, made as two planes. */
static weft_status fill_complex(const struct block_kernel *info, const struct block_table *table,
                                const struct pass *pass, void *data)
{
    const bool extended = info->precision == WEFT_DD;
    const size_t bytes = (size_t)table->length * (extended ? sizeof(struct extended)
                                                           : sizeof(double));
    char *planes = memory_alloc(2 * bytes);
    if (!planes) return error_memory("a table of roots");
    struct filling f = {extended, planes, planes + bytes, false};
    if (table->kind == BLOCK_STEP_ROOTS) fill_step_roots(&f, pass);
    else fill_roots(&f, table->order, table->step, table->length);
    if (!f.failed) write_planes(info, planes, table->length, data);
    memory_free(planes);
    return f.failed ? error_memory("a table of roots") : WEFT_OK;
}

static void fill_program_table(const struct block_kernel *info, const struct block_table *table,
                               const void *planes, void *data)
{
    if (info->precision == WEFT_F32) interleave(planes, table->length, sizeof(float), data);
    else if (info->precision == WEFT_F64) interleave(planes, table->length, sizeof(double), data);
    else interleave(planes, table->length, sizeof(struct extended), data);
}

static inline void reorder(const struct pass *pass, int64_t m, size_t bytes, const char *planes,
                           char *pairs)
{
    const struct spectrum_order order = spectrum_in_order(pass, false);
    const size_t step = (size_t)pass->spectrum_map.line * bytes;
    const int64_t run = SPECTRUM_RUN_BYTES / (int64_t)bytes;
    for (int64_t first = 0; first < pass->length; first += run) {
        const int64_t count = least(pass->length - first, run);
        struct spectrum_line line = {.from = 0};
        do {
            const char *re = planes + (size_t)line.from * bytes + (size_t)first * step;
            interleave_apart(re, re + (size_t)m * bytes, step, count, bytes,
                             pairs + 2 * (size_t)(line.to + first) * bytes);
        } while (spectrum_next_line(pass, &order, &line));
    }
}

static void fill_spectrum(const struct block_kernel *info, const struct block_table *table,
                          const struct program *program, const void *planes, void *data)
{
    const struct pass *pass = &program->pass[info->pass];
    const int64_t m = program->table[table->source].m;
    if (info->precision == WEFT_F32) reorder(pass, m, sizeof(float), planes, data);
    else if (info->precision == WEFT_F64) reorder(pass, m, sizeof(double), planes, data);
    else reorder(pass, m, sizeof(struct extended), planes, data);
}

static void fill_scale(const struct block_kernel *info, const struct problem *problem, void *data)
{
    if (info->precision != WEFT_DD) {
        write_reals(info, data, 0, 1, problem->scale, 2);
        return;
    }
    for (int d = 0; d < 2; d++)
        ((struct extended *)data)[d] =
            (struct extended){problem->scale[d], problem->scale_rest[d]};
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
        fill_program_table(info, table, tables[table->source], data);
        return WEFT_OK;
    case BLOCK_SPECTRUM:
        fill_spectrum(info, table, program, tables[table->source], data);
        return WEFT_OK;
    case BLOCK_SCALE:
        fill_scale(info, &program->problem, data);
        return WEFT_OK;
    default:
        fill_powers(table, data);
        return WEFT_OK;
    }
}
