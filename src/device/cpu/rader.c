#include "device/cpu/rader.h"

#include "device/cpu/factors.h"
#include "device/cpu/paired.h"
#include "device/cpu/table_maker.h"

#define PARTS_OF_PAIR 2

static const struct cpu_factors *factors_of(const struct kernel *kernel)
{
    return &kernel->sets->factors[kernel->precision];
}

static bool suits(const struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    if (!factors_of(kernel)->rader_pick) return false;
    if (b->across || b->pipeline->columns > 1 || pass->twiddle_order) return false;
    if (kernel->format[CPU_FROM] != WEFT_INTERLEAVED) return false;
    if (kernel->format[CPU_TO] != WEFT_INTERLEAVED || pass->spectrum_map.line != 1) return false;
    if (tiles_gathers_general(pass) || tiles_scatters_some(pass)) return false;
    if (pass->range[0].range.count || pass->range[1].range.count || kernel->piece) return false;
    return kernel->pair_steps.count > 0;
}

/* ---- the spectrum ---- */

static double number_at(const struct kernel *kernel, const void *data, int64_t i)
{
    return kernel->real_bytes == sizeof(float) ? (double)((const float *)data)[i]
                                               : ((const double *)data)[i];
}

/* Of pairs, one after the other. NULL: no memory. */
static const struct cpu_table *table_pairs_of_spectrum(struct pipeline_builder *b)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const int64_t plane = b->program->table[pass->spectrum_table].m, n = pass->length;
    const void *spectrum = b->tables[pass->spectrum_table];
    const struct cpu_table *old = table_find(kernel, TABLE_SPECTRUM, PARTS_OF_PAIR, n, 0);
    if (old) return old;
    struct cpu_table *t =
        table_add(kernel, TABLE_SPECTRUM, PARTS_OF_PAIR, n, 0, 1, PARTS_OF_PAIR * n);
    for (int64_t i = 0; t && i < PARTS_OF_PAIR * n; i++)
        table_store(kernel, t, i,
                    number_at(kernel, spectrum, i / PARTS_OF_PAIR + i % PARTS_OF_PAIR * plane));
    return t;
}

/* ---- operations ---- */

static struct cpu_operation *add(struct pipeline_builder *b, codelet_function *codelet,
                                 enum cpu_operand from, enum cpu_operand to)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = op->to_pair = true;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = codelet;
        op->shape[d] = (struct codelet_shape){.lanes = pass->length,
                                              .in_leg = pass->line.in_stride,
                                              .out_leg = pass->line.out_stride,
                                              .turn = d == WEFT_INVERSE ? -1 : 1};
    }
    return op;
}

/* The line's first number lies behind the others in tile buffer A. */
static void add_turn(struct pipeline_builder *b, enum cpu_operand at, int64_t first)
{
    const struct cpu_table *spectrum = table_pairs_of_spectrum(b);
    struct cpu_operation *op = add(b, factors_of(b->kernel)->rader_turn, CPU_TILE_A, at);
    op->from_bytes = first;
    if (spectrum) op->twiddles = spectrum->data;
    else b->failed = true;
}

bool rader_build(struct pipeline_builder *b, const int32_t *inverse_powers, const int32_t *powers)
{
    const struct kernel *kernel = b->kernel;
    const struct cpu_factors *factors = factors_of(kernel);
    if (!suits(b)) return false;
    const int64_t first = PARTS_OF_PAIR * kernel->pass->length * kernel->real_bytes;
    add(b, factors->rader_pick, CPU_FROM, CPU_TILE_A)->fine = (const char *)inverse_powers;
    const enum cpu_operand at = paired_build(b, CPU_TILE_A, CPU_TILE_B);
    add_turn(b, at, first);
    const enum cpu_operand end = paired_build_back(b, at);
    add(b, factors->rader_leave, end, CPU_TO)->fine = (const char *)powers;
    add(b, factors->rader_first, CPU_TILE_A, CPU_TO)->from_bytes = first;
    return true;
}

const char *rader_name(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct cpu_factors *factors = factors_of(kernel);
    if (!factors->rader_pick) return NULL;
    if (op->codelet[WEFT_FORWARD] == factors->rader_pick) return "gather";
    if (op->codelet[WEFT_FORWARD] == factors->rader_turn) return "rader";
    if (op->codelet[WEFT_FORWARD] == factors->rader_leave) return "scatter";
    return op->codelet[WEFT_FORWARD] == factors->rader_first ? "first number" : NULL;
}
