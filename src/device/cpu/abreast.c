#include "device/cpu/abreast.h"

#include "device/cpu/pairs.h"
#include "spec/abreast.h"

bool abreast_suits(const struct kernel *kernel)
{
    const struct limits *limits = &kernel->device->limits;
    const struct pass *pass = kernel->pass;
    const int lanes = kernel->sets->abreast[kernel->precision].lanes;
    if (pairs_suit(kernel)) return false;
    if (!tiles_transforms_pairs(kernel) || kernel->piece || pass->loops == 0) return false;
    if (pass->loop[0].n < lanes || pass->length < lanes / 2) return false;
    return 4 * pass->length * kernel->real_bytes * lanes <= limits->shared_bytes &&
           lines_abreast_of(limits, kernel->precision, pass);
}

static void add_transposition(struct pipeline_builder *b, codelet_function *transpose,
                              enum cpu_operand from, enum cpu_operand to)
{
    const struct pass *pass = b->kernel->pass;
    const struct dim *lines = &pass->loop[0];
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = to == CPU_TILE_A;
    op->to_pair = !op->from_pair;
    op->mixed = true;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = transpose;
        op->shape[d] = (struct codelet_shape){.rows = pass->length,
                                              .lanes = op->columns,
                                              .in_row = op->columns,
                                              .out_row = op->columns,
                                              .in_leg = pipeline_stride(lines, from),
                                              .out_leg = lines->out_stride};
    }
}

void abreast_build(struct pipeline_builder *b)
{
    const struct cpu_abreast *abreast = &b->kernel->sets->abreast[b->kernel->precision];
    const struct transform_twiddle none = {0, 0};
    add_transposition(b, abreast->gather, pipeline_source(b), CPU_TILE_A);
    const struct transform_end end = pipeline_transform(b, tile_end(b, CPU_TILE_A),
                                                        tile_end(b, CPU_TILE_B), false, none);
    add_transposition(b, abreast->scatter, end.operand, CPU_TO);
}
