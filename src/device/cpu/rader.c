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
    struct cpu_operation *op = paired_add(b, from, to);
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = codelet;
        op->shape[d] = (struct codelet_shape){.rows = pass_cofactor(pass),
                                              .lanes = pass->length,
                                              .turn = d == WEFT_INVERSE ? -1 : 1};
    }
    return op;
}

/* Behind all others of the lines in tile buffer A. */
static int64_t bytes_to_first(const struct kernel *kernel)
{
    return PARTS_OF_PAIR * kernel->pass->line.n * kernel->real_bytes;
}

static void add_pick(struct pipeline_builder *b, const int32_t *inverse_powers)
{
    const struct pass *pass = b->kernel->pass;
    const int64_t stride = pass->line.in_stride;
    struct cpu_operation *op = add(b, factors_of(b->kernel)->rader_pick, CPU_FROM, CPU_TILE_A);
    op->fine = (const char *)inverse_powers;
    for (int d = 0; d < 2; d++) {
        op->shape[d].in_row = stride;
        op->shape[d].in_leg = pass_cofactor(pass) * stride;
        op->shape[d].out_leg = pass->line.n;
    }
}

static void add_turn(struct pipeline_builder *b, enum cpu_operand at)
{
    const struct cpu_table *spectrum = table_pairs_of_spectrum(b);
    struct cpu_operation *op = add(b, factors_of(b->kernel)->rader_turn, CPU_TILE_A, at);
    op->from_bytes = bytes_to_first(b->kernel);
    if (spectrum) op->twiddles = spectrum->data;
    else b->failed = true;
}

/* Lines one behind the other; to the caller there is one. */
static struct cpu_operation *add_scatter(struct pipeline_builder *b, codelet_function *codelet,
                                         enum cpu_operand from, enum cpu_operand to)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = add(b, codelet, from, to);
    for (int d = 0; d < 2; d++) {
        op->shape[d].out_row = pass->length + 1;
        op->shape[d].out_leg = to == CPU_TO ? pass->line.out_stride : 1;
    }
    return op;
}

bool rader_build(struct pipeline_builder *b, const int32_t *inverse_powers, const int32_t *powers)
{
    const struct cpu_factors *factors = factors_of(b->kernel);
    const bool joins = pass_joins_lines(b->kernel->pass);
    if (!suits(b)) {
        b->failed = b->failed || joins; /* never: there is no other way (plan/joined.c) */
        return joins;
    }
    add_pick(b, inverse_powers);
    const enum cpu_operand at = paired_build(b, CPU_TILE_A, CPU_TILE_B);
    add_turn(b, at);
    const enum cpu_operand end = paired_build_back(b, at);
    const enum cpu_operand other = end == CPU_TILE_A ? CPU_TILE_B : CPU_TILE_A;
    const enum cpu_operand to = joins ? other : CPU_TO;
    add_scatter(b, factors->rader_leave, end, to)->fine = (const char *)powers;
    add_scatter(b, factors->rader_first, CPU_TILE_A, to)->from_bytes = bytes_to_first(b->kernel);
    if (joins) paired_build_last(b, to);
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
