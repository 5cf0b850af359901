#include "device/cpu/moved.h"

#include "device/cpu/abreast.h"
#include "device/cpu/tiles.h"

/* Elements of all lines that are moved at once: the first level keeps a line of the cache for each,
 * which lines beside each other share. */
#define MOVED_ELEMENTS 256

static bool is_plain(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!tiles_bare_copy(pass) || pass->half != PASS_NO_HALF || pass->spectrum_given) return false;
    if (pass->reals[0].parts || pass->reals[1].parts || kernel->precision > WEFT_F64) return false;
    if (kernel->own_pass || pass->hook[0] || pass->hook[1] || pass->offset[0] || pass->offset[1])
        return false;
    return pass->range[0].range.count == 0 && pass->range[1].range.count == 0;
}

static bool are_pairs(const struct kernel *kernel)
{
    return kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED;
}

bool moved_suits(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    const bool turns = (shape.line_in && shape.column_out) || (shape.column_in && shape.line_out);
    const bool reals = pass->lone && pass->real_in && pass->real_out;
    return is_plain(kernel) && (reals || (turns && are_pairs(kernel)));
}

/* From one element to the next in bytes. */
static struct laid_move move_of(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct dim *line = &pass->line, *lines = &pass->loop[0];
    const int64_t bytes = kernel->real_bytes * (are_pairs(kernel) ? 2 : 1);
    return (struct laid_move){.from_row = lines->in_stride * bytes,
                              .from_column = line->in_stride * bytes,
                              .to_row = lines->out_stride * bytes,
                              .to_column = line->out_stride * bytes};
}

/* With rows for columns: those follow one another where they are read, these where they are
 * written. */
static struct laid_move turned(struct laid_move move)
{
    return (struct laid_move){move.from_column, move.from_row, move.to_column, move.to_row,
                              move.columns, move.rows};
}

static void move_lines(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct kernel *kernel = tile->kernel;
    const struct cpu_abreast *abreast = &kernel->sets->abreast[kernel->precision];
    laid_mover *mover = are_pairs(kernel) ? abreast->move_pairs : abreast->move;
    struct laid_move move = move_of(kernel);
    move.rows = op->columns;
    const bool columns_in = kernel->pass->line.out_stride == 1;
    for (int64_t e = 0; e < op->elements; e += MOVED_ELEMENTS) {
        const int64_t left = op->elements - e;
        move.columns = left < MOVED_ELEMENTS ? left : MOVED_ELEMENTS;
        const struct laid_move part = columns_in ? move : turned(move);
        mover(&part, tile->base[CPU_FROM] + e * move.from_column,
              tile->base[CPU_TO] + e * move.to_column);
    }
}

void moved_build(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = pipeline_add(b, move_lines);
    op->from = CPU_FROM;
    op->to = CPU_TO;
    op->elements = pass->line.n;
    op->length = pass->length;
}
