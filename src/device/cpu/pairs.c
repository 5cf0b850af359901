#include "device/cpu/pairs.h"

#include "device/cpu/abreast.h"
#include "device/cpu/paired.h"
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

/* The longest step of a line that is taken in two of pairs, and the longest such line: singles fill
 * wider vectors. */
#define LONGEST_STEP    16
#define LONGEST_DOUBLES 160
#define LONGEST_SINGLES 96

static const struct codelet_set *find_set(const struct kernel *kernel, int64_t n)
{
    if (n > CODELET_MAX_RADIX) return NULL;
    for (int i = 0; i < kernel->sets->count[kernel->precision]; i++) {
        const struct codelet_set *set = kernel->sets->set[kernel->precision][i];
        if (set->function[CODELET_PAIRS][n]) return set;
    }
    return NULL;
}

bool pairs_exist(const struct kernel *kernel, int64_t n)
{
    return find_set(kernel, n) != NULL;
}

bool pairs_are_at_both_ends(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return tiles_direct(kernel) && !pass->twiddle_order &&
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
    if (tiles_prefer_line_of_pairs(kernel)) return false;
    if (tiles_fill_packs(kernel, shape) || leaves_vector_empty(shape->columns, rows)) return false;
    if (fills || (line && n <= SHORT_LINE)) return shape->columns >= FEW_VECTORS * rows;
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

/* The fewest lanes that columns of one step fill. */
static int64_t column_lanes(const struct kernel *kernel)
{
    const int64_t lanes = cpu_widest_lanes(kernel);
    return is_long(kernel) && lanes < COLUMN_LANES ? lanes : COLUMN_LANES;
}

static bool columns_suit(const struct kernel *kernel, int64_t columns)
{
    const int64_t n = kernel->pass->length;
    const int64_t lanes = cpu_widest_lanes(kernel), least = column_lanes(kernel);
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
    if (!pairs_are_at_both_ends(kernel) || shape.columns < 2) return false;
    if (!find_set(kernel, kernel->pass->length)) return false;
    if (shape.line_in && shape.line_out) return lines_suit(kernel, &shape);
    return !shape.column_in || !shape.column_out || columns_suit(kernel, shape.columns);
}

static struct cpu_operation *add(struct pipeline_builder *b, enum cpu_operand from,
                                 enum cpu_operand to, int64_t n, struct codelet_shape shape)
{
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = op->to_pair = true;
    op->shape[0] = shape;
    op->shape[0].lanes = 1;
    pipeline_set_codelet(b, op, find_set(b->kernel, n), CODELET_PAIRS, (int)n);
    return op;
}

void pairs_build(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const enum cpu_operand source = pipeline_source(b);
    const struct codelet_shape shape = {.rows = b->pipeline->columns,
                                        .in_row = pipeline_stride(&pass->loop[0], source),
                                        .in_leg = pipeline_stride(&pass->line, source),
                                        .out_row = pass->loop[0].out_stride,
                                        .out_leg = pass->line.out_stride};
    add(b, source, CPU_TO, pass->length, shape);
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
    rest.in_row = rest.out_row = 1;
    if (set->lanes >= column_lanes(kernel) || !pairs_are_at_both_ends(kernel)) return false;
    const int64_t n = kernel->pass->length;
    if (!find_set(kernel, n) || !is_worth_finishing(kernel, rest.rows)) return false;
    struct cpu_operation *op = add(b, pipeline_source(b), CPU_TO, n, rest);
    op->from_bytes = op->to_bytes = 2 * done * kernel->real_bytes;
    return true;
}

/* Of two factors of the length the larger one; 0: there are no two that have codelets, or other
 * ways are as fast. Butterflies of these primes are functions elsewhere. (Experiment "two steps in
 * pairs" in docs/experiments.) */
static int64_t first_factor(const struct kernel *kernel)
{
    const int64_t n = kernel->pass->length;
    const bool doubles = kernel->precision == WEFT_F64;
    if (n % 11 != 0 && n % 13 != 0) return 0;
    if (n > (doubles ? LONGEST_DOUBLES : LONGEST_SINGLES)) return 0;
    for (int64_t first = 2; first <= LONGEST_STEP; first++) {
        const int64_t second = n / first;
        if (n % first != 0 || second > first) continue;
        return find_set(kernel, first) && find_set(kernel, second) ? first : 0;
    }
    return 0;
}

bool pairs_take_apart(const struct kernel *kernel)
{
    return first_factor(kernel) != 0;
}

bool pairs_take_line(const struct kernel *kernel)
{
    return pairs_take_apart(kernel) || paired_takes(kernel);
}

static void add_turn(struct pipeline_builder *b, int64_t legs)
{
    struct kernel *kernel = b->kernel;
    const int64_t n = kernel->pass->length;
    const struct cpu_table *turns = table_pairs(kernel, n, (int)legs);
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    b->failed = b->failed || !turns;
    if (b->failed) return;
    op->from = CPU_TILE_A;
    op->to = CPU_TILE_B;
    op->from_pair = op->to_pair = true;
    op->twiddles = turns->data;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = kernel->sets->abreast[kernel->precision].turn;
        op->shape[d] = (struct codelet_shape){.lanes = n, .twiddle_plane = (d + 1) * turns->plane};
    }
}

/* Columns, their results times roots, and rows, which leave their results a column's length apart
 * (Bailey 1990). */
bool pairs_build_line(struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const struct dim *line = &kernel->pass->line;
    const enum cpu_operand source = pipeline_source(b);
    const int64_t first = first_factor(kernel), in = pipeline_stride(line, source);
    if (first == 0 || b->across || b->pipeline->columns > 1 || !pairs_are_at_both_ends(kernel))
        return false;
    const int64_t second = kernel->pass->length / first, out = line->out_stride;
    add(b, source, CPU_TILE_A, first,
        (struct codelet_shape){
            .rows = second, .in_row = in, .in_leg = second * in, .out_row = first, .out_leg = 1});
    add_turn(b, first);
    add(b, CPU_TILE_B, CPU_TO, second,
        (struct codelet_shape){
            .rows = first, .in_row = 1, .in_leg = first, .out_row = out, .out_leg = first * out});
    return true;
}
