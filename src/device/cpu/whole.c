/* Passes of one step, or of short lines: a codelet takes every line from place to place. */
#include "device/cpu/paired.h"
#include "device/cpu/pairs.h"
#include "device/cpu/pipeline.h"
#include "device/cpu/sum.h"
#include "device/cpu/tiles.h"

/* Contiguous lines of a prime that fill no vectors as butterflies. */
static bool is_summed(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const int radix = kernel->pass->radix[0];
    const bool prime = radix == 5 || (radix % 2 != 0 && radix % 3 != 0 && radix % 5 != 0);
    const bool pairs =
        kernel->format[CPU_FROM] == WEFT_INTERLEAVED && kernel->format[CPU_TO] == WEFT_INTERLEAVED;
    return prime && pairs && radix >= SUM_LEAST && radix <= SUM_MOST && shape->line_in &&
           shape->line_out && !tiles_fill_packs(kernel, shape);
}

static struct cpu_operation *add_line(struct pipeline_builder *b, const struct codelet_set *set,
                                      enum cpu_operand from, int64_t from_row, enum cpu_operand to,
                                      int64_t to_row)
{
    const int length = (int)b->kernel->pass->length;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = op->to_pair = true;
    const struct line *line = line_find(set->lanes, b->kernel->precision, length);
    const struct cpu_table *table = table_line(b->kernel, line);
    pipeline_set_twiddles(b, op, table);
    /* Those of pairs take a plane of the direction, others what the direction shuffles by. */
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = codelet_line(set, length)[d];
        op->shape[d] = (struct codelet_shape){.rows = b->pipeline->columns,
                                              .in_row = from_row,
                                              .out_row = to_row,
                                              .twiddle_plane = table ? d * table->plane : 0,
                                              .exchange = set->exchange[line->width][d]};
    }
    return op;
}

/* As many lines as fill packs, and one by one those that are left if they have a codelet. */
static void build_packs(struct pipeline_builder *b, struct codelet_shape shape)
{
    const struct kernel *kernel = b->kernel;
    const int64_t lines = shape.lanes, n = kernel->pass->length;
    const struct codelet_set *set = tiles_line_set(kernel);
    const int64_t rest = set ? lines % tiles_pack_lanes(kernel) : 0;
    shape.lanes = lines - rest;
    pipeline_whole(b, CODELET_PACK, (int)n, shape, n, (struct transform_twiddle){0, 0});
    if (rest == 0) return;
    struct cpu_operation *op = add_line(b, set, CPU_FROM, n, CPU_TO, n);
    op->shape[WEFT_FORWARD].rows = op->shape[WEFT_INVERSE].rows = rest;
    op->from_bytes = op->to_bytes = (lines - rest) * n * 2 * kernel->real_bytes;
}

static void build_whole(struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const int radix = pass->radix[0];
    const struct transform_twiddle none = {0, 0};
    const enum cpu_operand source = pipeline_source(b);
    struct codelet_shape s = {.rows = 1, .lanes = b->pipeline->columns};
    s.in_leg = pipeline_stride(&pass->line, source);
    s.out_leg = pass->line.out_stride;
    if (is_summed(kernel, shape)) {
        pipeline_build_sums(b);
        return;
    }
    if (tiles_packed(kernel, shape)) {
        build_packs(b, s);
        return;
    }
    if (!(shape->column_in && shape->column_out) && pass->loops) {
        s.rows = b->pipeline->columns;
        s.lanes = 1;
        s.in_row = pipeline_stride(&pass->loop[0], source);
        s.out_row = pass->loop[0].out_stride;
    }
    pipeline_whole(b, tiles_whole_kind(kernel), radix, s, 1, none);
}

static void build_whole_split(struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct transform_twiddle twiddle = {pass->twiddle_order,
                                              pass->twiddle_order / pass->length};
    struct codelet_shape s = {.rows = 1, .lanes = b->pipeline->columns};
    s.in_leg = pass->line.in_stride;
    s.out_leg = pass->line.out_stride;
    pipeline_whole(b, CODELET_STEP_SPLIT, pass->radix[0], s, 1, twiddle);
}

struct cpu_operation *pipeline_line(struct pipeline_builder *b, struct transform_end from,
                                    int64_t from_row, struct transform_end to, int64_t to_row)
{
    const struct codelet_set *set = tiles_line_set(b->kernel);
    return set ? add_line(b, set, from.operand, from_row, to.operand, to_row) : NULL;
}

static void build_line(struct pipeline_builder *b, const struct codelet_set *set)
{
    const struct pass *pass = b->kernel->pass;
    const enum cpu_operand source = pipeline_source(b);
    const struct dim *lines = &pass->loop[0]; /* without strides where there are no loops */
    add_line(b, set, source, pipeline_stride(lines, source), CPU_TO, lines->out_stride);
}

bool pipeline_build_short(struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    const struct codelet_set *line = tiles_line(b->kernel);
    if (paired_suits(b->kernel)) return false;
    if (pairs_suit(b->kernel)) pairs_build(b);
    else if (line) build_line(b, line);
    else if (tiles_whole(b->kernel)) build_whole(b, shape);
    else if (tiles_whole_split(b->kernel, shape)) build_whole_split(b);
    else return false;
    return true;
}
