/* Both halves lie in tile buffer A and are transformed there and back by way of B. */
#include "device/cpu/parity.h"

#include "device/cpu/tiles.h"

int64_t parity_plane(const struct pass *pass, int64_t columns, int64_t padding)
{
    return 2 * ((columns * (pass->length / 2) + 15) / 16 * 16 + padding);
}

static int64_t half_bytes(const struct pipeline_builder *b, enum cpu_operand operand, int half)
{
    return operand == CPU_TILE_A ? half * b->kernel->tile_plane / 2 * b->kernel->real_bytes : 0;
}

static struct cpu_operation *add_general(struct pipeline_builder *b, cpu_operation_function *run,
                                         enum cpu_operand operand)
{
    struct cpu_operation *op = pipeline_add(b, run);
    op->from = op->to = operand;
    op->elements = b->kernel->pass->line.n;
    op->length = b->kernel->pass->length / 2;
    return op;
}

bool parity_has_end(const struct pipeline_builder *b, bool out)
{
    const struct shape_of_pass shape = tiles_shape(b->kernel->pass);
    return b->pipeline->columns == 1 && (out ? shape.line_out : shape.line_in) &&
           pipeline_has_pairs(b, out);
}

/* Those that go with the odd frequencies. */
static const struct cpu_table *roots_of(struct pipeline_builder *b)
{
    const struct cpu_table *roots = table_row(b->kernel, 2, b->kernel->pass->length / 2);
    b->failed = b->failed || !roots;
    return roots;
}

void parity_use_roots(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct cpu_table *roots = roots_of(b);
    if (!roots) return;
    op->root_table = roots->data;
    op->root_plane = roots->plane;
    op->root_bytes = half_bytes(b, CPU_TILE_A, 1);
}

/* Between the first half and the second. */
static void add_turn(struct pipeline_builder *b, cpu_operation_function *run)
{
    const struct cpu_table *roots = roots_of(b);
    struct cpu_operation *op = add_general(b, run, CPU_TILE_A);
    if (!roots) return;
    op->to_bytes = half_bytes(b, CPU_TILE_A, 1);
    op->table = roots->data;
    op->table_plane = roots->plane;
    op->table_map.line = 1;
    op->table_end = op->elements;
}

static void add_product(struct pipeline_builder *b, enum cpu_operand operand, int half)
{
    const struct pass *pass = b->kernel->pass;
    const struct cpu_table *spectrum =
        table_parities(b->kernel, b->tables[pass->spectrum_table], pass->length);
    struct cpu_operation *op = add_general(b, b->general->multiply, operand);
    if (!spectrum) {
        b->failed = true;
        return;
    }
    op->table = (const char *)spectrum->data + half * op->length * b->kernel->real_bytes;
    op->table_plane = spectrum->plane;
    op->table_map.line = 1;
}

/* There and back: as many steps each, so that the results are where the numbers were. */
static void add_half(struct pipeline_builder *b, int half)
{
    const struct transform_end from = tile_end(b, CPU_TILE_A);
    const int first = b->pipeline->operations;
    const struct transform_end middle = pipeline_half(b, from, false);
    add_product(b, middle.operand, half);
    pipeline_half(b, middle, true);
    for (int o = first; o < b->pipeline->operations; o++) {
        struct cpu_operation *op = &b->operation[o];
        op->from_bytes = half_bytes(b, op->from, half);
        op->to_bytes = half_bytes(b, op->to, half);
    }
}

void parity_part(struct pipeline_builder *b)
{
    add_turn(b, b->general->part);
}

void parity_convolve(struct pipeline_builder *b)
{
    add_half(b, 0);
    add_half(b, 1);
}

void parity_join(struct pipeline_builder *b)
{
    add_turn(b, b->general->join);
}
