/* Passes of one step: a codelet takes every line from place to place. */
#include "device/cpu/pipeline.h"
#include "device/cpu/sum.h"
#include "device/cpu/tiles.h"

/* Contiguous lines of a prime that fill no vectors as butterflies. */
static bool is_summed(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const int radix = kernel->pass->radix[0];
    const bool prime = radix == 5 || (radix % 2 != 0 && radix % 3 != 0 && radix % 5 != 0);
    const bool pairs = kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
                       kernel->format[CPU_TO] == WEFT_INTERLEAVED;
    return prime && pairs && radix >= SUM_LEAST && radix <= SUM_MOST && shape->line_in &&
           shape->line_out && !tiles_fill_packs(kernel, shape);
}

void pipeline_build_whole(struct pipeline_builder *b, const struct shape_of_pass *shape)
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
        pipeline_whole(b, CODELET_PACK, radix, s, radix, none);
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

void pipeline_build_whole_split(struct pipeline_builder *b)
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
