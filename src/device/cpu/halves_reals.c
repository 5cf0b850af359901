/* Reals at the ends of a line's columns and rows (halves.h), as codelets take them. */
#include "device/cpu/halves_parts.h"
#include "device/cpu/turned.h"

/* ---- numbers that are turned ---- */

/* Where a tile's numbers have their reals, and what they are turned by. */
struct turned_lanes {
    int64_t first;              /* the first lane's number */
    char *up, *down;            /* of that number's reals */
    char *number;               /* the real that number 0 is */
    const char *coarse, *fine;  /* of the direction; and of the tile's lanes */
    const char *factor;         /* of number 0 */
    bool rises;                 /* reals that count up, not those that count down, begin where lines
                                 * of a cache do */
    int64_t step;               /* from one row to the next */
    struct codelet_shape shape; /* without lanes and rows */
};

static struct turned_lanes turned_lanes(const struct cpu_operation *op,
                                        const struct cpu_tile *tile, bool out)
{
    const struct pass *pass = tile->kernel->pass;
    const struct turned_end end = turned_end(pass, out);
    const int64_t bytes = tile->kernel->real_bytes, n = pass->half_n, rows = pass->line.n;
    const int64_t first = first_number(tile);
    char *line = tile->base[out ? CPU_TO : CPU_FROM] - bytes * first;
    const char *coarse = op->twiddles + tile->direction * TABLE_ROW_TURNS_REALS(rows) * bytes;
    const double sign = end.up == 0 ? end.weight[1] : -end.weight[0];
    return (struct turned_lanes){.first = first,
                                 .up = line + bytes * (first + end.o),
                                 .down = line + bytes * (n - first + end.o),
                                 .number = line + bytes * (end.o == 0 ? 0 : n - 1),
                                 .coarse = coarse,
                                 .rises = end.o == 0,
                                 .fine = op->fine + bytes * first,
                                 .factor = coarse + 2 * rows * bytes,
                                 .step = pass->half_map.line,
                                 .shape = {.turn = sign * end.weight[end.up] < 0 ? -1 : 1,
                                           .twiddle_plane = rows,
                                           .fine_plane = pass->loop[0].n}};
}

/* Number 0, which one real is. */
static void copy_first(const struct kernel *kernel, const struct turned_lanes *lanes,
                       const char *from, char *to)
{
    if (kernel->precision == WEFT_F32)
        *(float *)(void *)to =
            *(const float *)(const void *)from * *(const float *)(const void *)lanes->factor;
    else
        *(double *)(void *)to =
            *(const double *)(const void *)from * *(const double *)(const void *)lanes->factor;
}

/* A tile's numbers from the lane `first` of its row `row` on, to or from their reals. */
static void turn(const struct cpu_operation *op, const struct cpu_tile *tile,
                 const struct turned_lanes *lanes, bool out, int64_t row, int64_t first,
                 int64_t rows)
{
    const struct cpu_mirrors *mirrors = mirrors_of(tile->kernel);
    const int64_t bytes = tile->kernel->real_bytes, columns = op->columns;
    const int64_t along = (row * lanes->step + first) * bytes, at = (row * columns + first) * bytes;
    const enum cpu_operand operand = out ? op->from : op->to;
    char *re = tile->re[operand] + at, *im = tile->im[operand] + at;
    char *up = lanes->up + along, *down = lanes->down - along;
    const char *coarse = lanes->coarse + row * bytes, *fine = lanes->fine + first * bytes;
    struct codelet_shape shape = lanes->shape;
    shape.rows = rows;
    shape.lanes = columns - first;
    shape.in_row = out ? columns : lanes->step;
    shape.out_row = out ? lanes->step : columns;
    if (out) mirrors->to_reals(&shape, re, im, up, down, coarse, fine);
    else mirrors->of_reals(&shape, up, down, re, im, coarse, fine);
}

/* Rows that are their own mirrors write reals twice, but number 0 has no second one. */
static void turn_tile(const struct cpu_operation *op, const struct cpu_tile *tile,
                      const struct turned_lanes *lanes, bool out)
{
    const int64_t alone = lanes->first == 0;
    if (alone) turn(op, tile, lanes, out, 0, 1, 1);
    turn(op, tile, lanes, out, alone, 0, op->elements - alone);
}

/* The reals of the first lane that move by a lane, one of each row from `row` on, to or from the
 * carried ones. */
static void carry_reals(const struct cpu_operation *op, const struct cpu_tile *tile,
                        const struct turned_lanes *lanes, bool out, int64_t row)
{
    const int64_t bytes = tile->kernel->real_bytes, step = lanes->step * bytes;
    for (; row < op->elements; row++) {
        char *real = lanes->rises ? lanes->down - row * step : lanes->up + row * step;
        char *carried = tile->carried + row * bytes;
        memcpy(out ? real : carried, out ? carried : real, (size_t)bytes);
    }
}

/* The same past the caches. The first tile is written as ever, and what is to move is read again.
 */
static void stream_turned(const struct cpu_operation *op, const struct cpu_tile *tile,
                          const struct turned_lanes *lanes)
{
    struct codelet_shape shape = lanes->shape;
    shape.rows = op->elements;
    shape.lanes = shape.in_row = op->columns;
    shape.out_row = lanes->step;
    shape.in_leg = !lanes->rises;
    shape.out_leg = (lanes->down - lanes->up) / tile->kernel->real_bytes;
    if (tile->begins) turn_tile(op, tile, lanes, true);
    else
        mirrors_of(tile->kernel)
            ->reals_streamed(&shape, tile->re[op->from], tile->im[op->from], lanes->up,
                             tile->carried, lanes->coarse, lanes->fine);
    /* Number n q of the first row is the mirror of another one of it: the later row's real stays,
     * as in turn_tile, so that results do not depend on where they go. */
    const int64_t later = (op->elements + lanes->rises) / 2 + !lanes->rises;
    if (tile->begins != tile->ends)
        carry_reals(op, tile, lanes, tile->ends, lanes->first > 0 ? 0 : later);
}

void halves_scatter_turned(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct turned_lanes lanes = turned_lanes(op, tile, true);
    if (streams(tile, tile->kernel->real_bytes, STREAM_ALIGNMENT)) stream_turned(op, tile, &lanes);
    else turn_tile(op, tile, &lanes, true);
    if (lanes.first == 0) copy_first(tile->kernel, &lanes, tile->re[op->from], lanes.number);
}

void halves_gather_turned(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct turned_lanes lanes = turned_lanes(op, tile, false);
    turn_tile(op, tile, &lanes, false);
    if (lanes.first > 0) return;
    copy_first(tile->kernel, &lanes, lanes.number, tile->re[op->to]);
    clear_imaginary(op, tile, 0);
}

static void use_turns(struct pipeline_builder *b, struct cpu_operation *op, bool out)
{
    const struct turned_end end = turned_end(b->kernel->pass, out);
    const struct cpu_table *lanes = table_lane_turns(b->kernel, out, end.up == 1);
    const struct cpu_table *rows = table_row_turns(b->kernel, out, end.up, end.weight);
    if (!lanes || !rows) {
        b->failed = true;
        return;
    }
    op->fine = lanes->data;
    op->twiddles = rows->data;
}

/* ---- every other real ---- */

/* Half of the elements, from e on, of lanes that take every other real: upwards from the line's
 * first one, or downwards from its last one. */
static void move_others(const struct cpu_operation *op, const struct cpu_tile *tile, bool out,
                        bool back)
{
    const struct pass *pass = tile->kernel->pass;
    const int64_t bytes = tile->kernel->real_bytes, columns = op->columns, half = op->elements / 2;
    const int64_t first = first_number(tile), lines = pass->half_map.line, step = 2 * lines;
    const int64_t real = back ? pass->reals[out].n - 1 - 2 * first : 2 * first;
    const enum cpu_operand operand = out ? op->from : op->to;
    const int64_t at = (back ? half : 0) * columns * bytes;
    char *re = tile->re[operand] + at, *im = tile->im[operand] + at;
    char *line = tile->base[out ? CPU_TO : CPU_FROM] + (real - first) * bytes;
    const char *factors = op->fine + op->shape[tile->direction].fine_row * bytes + back * bytes;
    const int64_t row = back ? -step : step;
    const struct codelet_shape shape = {.rows = half,
                                        .lanes = columns,
                                        .turn = back ? -1 : 1,
                                        .in_row = out ? columns : row,
                                        .out_row = out ? row : columns};
    if (out) mirrors_of(tile->kernel)->to_others(&shape, re, im, line, NULL, NULL, factors);
    else mirrors_of(tile->kernel)->of_others(&shape, line, NULL, re, im, NULL, factors);
}

void halves_scatter_others(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    move_others(op, tile, true, false);
    move_others(op, tile, true, true);
}

void halves_gather_others(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    move_others(op, tile, false, false);
    move_others(op, tile, false, true);
}

static void use_signs(struct pipeline_builder *b, struct cpu_operation *op, bool out)
{
    const struct cpu_table *signs = table_signs(b->kernel, out);
    for (int d = 0; d < 2; d++)
        op->shape[d].fine_row = TABLE_FACTORS_A_DIRECTION * d;
    if (signs) op->fine = signs->data;
    else b->failed = true;
}

struct cpu_operation *halves_add_reals(struct pipeline_builder *b, bool out,
                                       enum cpu_operand operand)
{
    static cpu_operation_function *const moves[2][2] = {
        {halves_gather_turned, halves_scatter_turned},
        {halves_gather_others, halves_scatter_others}};
    const struct pass *pass = b->kernel->pass;
    const bool others = pass->half == (out ? PASS_HALF_JOIN : PASS_HALF_PART);
    struct cpu_operation *op = pipeline_add(b, moves[others][out]);
    op->from = out ? operand : CPU_FROM;
    op->to = out ? CPU_TO : operand;
    op->elements = op->length = pass->line.n;
    if (others) use_signs(b, op, out);
    else use_turns(b, op, out);
    return op;
}
