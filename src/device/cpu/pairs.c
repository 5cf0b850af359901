#include "device/cpu/pairs.h"

#include "device/cpu/tiles.h"
#include "math/factor.h"

/* Of a vector of pairs, whatever the set. */
#define VECTOR_BYTES 32

/* Lines that have a codelet of their own for one row go by it if they are so few, short ones, and
 * singles that fill wider vectors by themselves, if they are so few vectors. (Experiment "lines in
 * pairs" in docs/experiments, with all the numbers here.) */
#define FEW_LINES    4
#define FEW_VECTORS  4
#define SHORT_LINE   8
#define LONG_SINGLES 24

/* Columns fill vectors of so many lanes by butterflies from place to place, short ones, and long
 * ones where no vectors are wider, half as many; of short singles, and of a long one, what is left
 * over is not worth a codelet more; */
#define COLUMN_LANES 8
#define SHORT_COLUMN 4
#define LONG_COLUMN  12
/* ... of doubles up to this prime, for longer ones are functions; */
#define LONGEST_PRIME 7
/* ... and of several steps tiles of so many vectors of doubles, or columns of singles. */
#define TILE_VECTORS 4
#define TILE_SINGLES 12

static const struct codelet_set *find_set(const struct kernel *kernel)
{
    if (kernel->pass->length > CODELET_MAX_RADIX) return NULL;
    for (int i = 0; i < kernel->sets->count[kernel->precision]; i++) {
        const struct codelet_set *set = kernel->sets->set[kernel->precision][i];
        if (set->function[CODELET_PAIRS][kernel->pass->length]) return set;
    }
    return NULL;
}

static bool is_between_pairs(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return tiles_direct(kernel) && !pass->twiddle_order && pass->loops > 0 &&
           kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED;
}

/* Of few vectors the last one has one row of many. */
static bool leaves_vector_empty(int64_t lines, int64_t rows)
{
    return lines == rows + 1 && rows > 2;
}

static bool lines_suit(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const int64_t n = kernel->pass->length, rows = VECTOR_BYTES / (2 * kernel->real_bytes);
    const struct codelet_set *line = tiles_line_set(kernel);
    const bool lone = line && line->lanes == 1;
    const bool fills = kernel->precision == WEFT_F32 && n > LONG_SINGLES;
    if (tiles_fill_packs(kernel, shape) || leaves_vector_empty(shape->columns, rows)) return false;
    if (fills || (lone && n <= SHORT_LINE)) return shape->columns >= FEW_VECTORS * rows;
    return shape->columns >= (lone ? FEW_LINES : rows);
}

static bool is_long(const struct kernel *kernel)
{
    return kernel->pass->length >= LONG_COLUMN && !is_prime(kernel->pass->length);
}

static bool are_short(const struct kernel *kernel, int64_t columns)
{
    if (kernel->pass->length > SHORT_COLUMN) return false;
    return kernel->precision == WEFT_F64 ? 2 * columns == COLUMN_LANES
                                         : 2 * columns <= COLUMN_LANES;
}

static int64_t widest_lanes(const struct kernel *kernel)
{
    return kernel->sets->set[kernel->precision][0]->lanes;
}

/* The fewest lanes that columns of one step fill. */
static int64_t column_lanes(const struct kernel *kernel)
{
    const int64_t lanes = widest_lanes(kernel);
    return is_long(kernel) && lanes < COLUMN_LANES ? lanes : COLUMN_LANES;
}

static bool columns_suit(const struct kernel *kernel, int64_t columns)
{
    const int64_t n = kernel->pass->length;
    const int64_t lanes = widest_lanes(kernel), least = column_lanes(kernel);
    const bool doubles = kernel->precision == WEFT_F64;
    if (kernel->pass->radices > 1)
        return doubles ? columns < TILE_VECTORS * lanes : columns < lanes && columns < TILE_SINGLES;
    if (!codelet_exists(CODELET_WHOLE, (int)n)) return true;
    if (doubles && n > LONGEST_PRIME && is_prime(n)) return true;
    return !are_short(kernel, columns) && (columns < least || lanes < least);
}

bool pairs_suit(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    if (!is_between_pairs(kernel) || shape.columns < 2 || !find_set(kernel)) return false;
    if (shape.line_in && shape.line_out) return lines_suit(kernel, &shape);
    return !shape.column_in || !shape.column_out || columns_suit(kernel, shape.columns);
}

static void add(struct pipeline_builder *b, const struct codelet_shape *shape, int64_t done)
{
    const struct kernel *kernel = b->kernel;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = pipeline_source(b);
    op->to = CPU_TO;
    op->from_pair = op->to_pair = true;
    op->from_bytes = 2 * done * shape->in_row * kernel->real_bytes;
    op->to_bytes = 2 * done * shape->out_row * kernel->real_bytes;
    op->shape[0] = *shape;
    pipeline_set_codelet(b, op, find_set(kernel), CODELET_PAIRS, (int)kernel->pass->length);
}

void pairs_build(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const enum cpu_operand source = pipeline_source(b);
    const struct codelet_shape shape = {.rows = b->pipeline->columns,
                                        .lanes = 1,
                                        .in_row = pipeline_stride(&pass->loop[0], source),
                                        .in_leg = pipeline_stride(&pass->line, source),
                                        .out_row = pass->loop[0].out_stride,
                                        .out_leg = pass->line.out_stride};
    add(b, &shape, 0);
}

static bool is_worth_finishing(const struct kernel *kernel, int64_t columns)
{
    const bool single = kernel->precision == WEFT_F32;
    if (single && kernel->pass->length <= SHORT_COLUMN) return false;
    return !are_short(kernel, columns) && !(single && columns == 1 && is_long(kernel));
}

bool pairs_finish(struct pipeline_builder *b, const struct codelet_set *set,
                  const struct codelet_shape *shape, int64_t done)
{
    const struct kernel *kernel = b->kernel;
    struct codelet_shape rest = *shape;
    rest.rows = shape->lanes - done;
    rest.lanes = rest.in_row = rest.out_row = 1;
    if (set->lanes >= column_lanes(kernel) || !is_between_pairs(kernel)) return false;
    if (!find_set(kernel) || !is_worth_finishing(kernel, rest.rows)) return false;
    add(b, &rest, done);
    return true;
}
