#include "device/cpu/halves.h"

#include <string.h>

#include "device/cpu/mirror.h"
#include "device/cpu/tiles.h"
#include "device/cpu/turned.h"

static const struct cpu_mirrors *mirrors_of(const struct kernel *kernel)
{
    return &kernel->sets->mirrors[kernel->precision];
}

static bool suits_columns(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->half == PASS_HALF_PART && pass->twiddle_order && pass->twiddle_loop == 0 &&
           pass->half_pair == 1 && pass->loop[0].out_stride == 2 &&
           kernel->format[CPU_TO] == WEFT_PLANAR;
}

static bool suits_rows(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->half == PASS_HALF_REFLECT && !pass->reals[1].parts &&
           pass->half_map.loop[0] == 1 && pass->half_map.line == pass->half_rows &&
           pass->loop[0].out_stride == 1 &&
           pass->line.out_stride == pass->half_rows && kernel->format[CPU_TO] == WEFT_INTERLEAVED;
}

/* Lanes are neighbouring numbers of the line, whose elements lie as far apart as their numbers. */
static bool counts_lanes(const struct pass *pass, bool out)
{
    const struct dim *line = &pass->line, *lanes = &pass->loop[0];
    for (int l = 1; l < pass->loops; l++)
        if (pass->half_map.loop[l] != 0) return false;
    return pass->half_map.loop[0] == 1 && (out ? lanes->out_stride : lanes->in_stride) == 1 &&
           pass->half_map.line == (out ? line->out_stride : line->in_stride);
}

static bool goes_across(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    return kernel->pass->loops > 0 && tiles_go_across(kernel, &shape) && !kernel->own_pass;
}

/* Rows as reals that stand for more. */
static bool suits_turned_rows(const struct pass *pass)
{
    return pass->half == PASS_HALF_REFLECT && counts_lanes(pass, true) &&
           pass->reals[1].stride == 1 && turned_end(pass, true).exists;
}

/* Two lines at once at the end that a split's line from end to end has, every other real from the
 * first on and then the rest back: lanes take four neighbours each. */
static bool suits_others(const struct pass *pass, bool out)
{
    const struct reals *reals = &pass->reals[out];
    const int64_t lines = pass->half_map.line;
    for (int l = 1; l < pass->loops; l++)
        if (pass->half_map.loop[l] != 0) return false;
    return pass->half == (out ? PASS_HALF_JOIN : PASS_HALF_PART) && pass->line.n % 2 == 0 &&
           reals->stride == 1 && reals->n == lines * pass->line.n && pass->half_map.loop[0] == 2 &&
           2 * pass->loop[0].n == lines && turned_goes_there_and_back(reals, 1);
}

bool halves_suit(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!goes_across(kernel) || pass->hook[1]) return false;
    if (pass->reals[1].parts) return suits_turned_rows(pass) || suits_others(pass, true);
    return suits_columns(kernel) || suits_rows(kernel);
}

bool halves_suit_gather(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!goes_across(kernel) || pass->hook[0] || pass->body != PASS_TRANSFORM) return false;
    if (suits_others(pass, false)) return true;
    if (pass->chirp_before || !counts_lanes(pass, false)) return false;
    if (pass->reals[0].parts)
        return pass->half == PASS_NO_HALF && pass->reals[0].numbers == pass->half_n &&
               pass->reals[0].stride == 1 && turned_end(pass, false).exists;
    return pass->half == PASS_HALF_EXTEND && kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           pass->half_stride == 1 && pass->line.n % 2 == 0;
}

bool halves_stream(const struct kernel *kernel)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const bool numbers = suits_rows(kernel), rows = numbers || suits_turned_rows(kernel->pass);
    const int64_t bytes = (numbers ? 2 : 1) * kernel->real_bytes * kernel->main.columns;
    return kernel->streams && halves_suit(kernel) && rows && !kernel->fill.runs &&
           mirrors->numbers_streamed && kernel->main.columns % mirrors->lanes == 0 &&
           bytes % STREAM_ALIGNMENT == 0;
}

static struct cpu_operation *add_columns(struct pipeline_builder *b, struct transform_end from)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->codelet[0] = op->codelet[1] = mirrors_of(b->kernel)->columns;
    op->from = from.operand;
    op->to = CPU_TO;
    op->shape[0] = op->shape[1] = (struct codelet_shape){.rows = pass->length,
                                                         .lanes = op->columns,
                                                         .in_row = op->columns,
                                                         .out_row = pass->line.out_stride,
                                                         .fine_row = 2 * op->columns};
    return op;
}

/* The number of the tile's first lane. */
static int64_t first_number(const struct cpu_tile *tile)
{
    const struct pass *pass = tile->kernel->pass;
    int64_t number = 0;
    for (int l = 0; l < pass->loops; l++)
        number += pass->half_map.loop[l] * tile->counter[l];
    return number;
}

/* Lanes from c on of the elements from e on, to number k of the output. */
static void put(const struct cpu_operation *op, const struct cpu_tile *tile,
                codelet_function *codelet, struct codelet_shape shape, int64_t e, int64_t c,
                int64_t k)
{
    const int bytes = tile->kernel->real_bytes;
    const int64_t from = (e * op->columns + c) * bytes;
    char *to = tile->base[CPU_TO] + 2 * bytes * (k - first_number(tile));
    shape.in_row = op->columns;
    shape.fine_row = op->shape[tile->direction].fine_row;
    if (shape.rows > 0 && shape.lanes > 0)
        codelet(&shape, tile->re[op->from] + from, tile->im[op->from] + from, to, NULL,
                tile->carried, op->fine);
}

/* Whether results, which take up so many bytes each, go past the caches: in whole lines of them, of
 * which mirrored rows have two tiles' numbers. */
static bool streams(const struct cpu_tile *tile, int bytes)
{
    const char *line = tile->base[CPU_TO] - bytes * first_number(tile);
    return tile->kernel->descends && (uintptr_t)line % STREAM_ALIGNMENT == 0 &&
           bytes * tile->kernel->pass->half_map.line % STREAM_ALIGNMENT == 0;
}

/* Leaves the tile's first row, of elements from `kept` on, to the next tile. */
static void carry(const struct cpu_operation *op, const struct cpu_tile *tile, int64_t kept)
{
    const int64_t bytes = tile->kernel->real_bytes, count = op->elements - kept;
    const int64_t pitch = op->columns * bytes;
    const char *re = tile->re[op->from] + kept * pitch, *im = tile->im[op->from] + kept * pitch;
    for (int64_t i = 0; i < count; i++) {
        memcpy(tile->carried + i * bytes, re + i * pitch, (size_t)bytes);
        memcpy(tile->carried + (count + i) * bytes, im + i * pitch, (size_t)bytes);
    }
}

/* Elements from `kept` on of rows low to high - 1, as what they mirror. */
static void put_mirrored(const struct cpu_operation *op, const struct cpu_tile *tile, int64_t kept,
                         int64_t low, int64_t high)
{
    const int64_t rows = tile->kernel->pass->half_rows, count = op->elements - kept;
    const struct codelet_shape shape = {.rows = count, .lanes = high - low, .out_row = -rows};
    put(op, tile, mirrors_of(tile->kernel)->mirrored, shape, kept, low - first_number(tile),
        count * rows - high + 1);
}

/* Of rows up to `end` the first behind those that mirror others: the middle one mirrors itself. */
static int64_t last_mirrored(const struct cpu_tile *tile, int64_t end)
{
    return 2 * (end - 1) == tile->kernel->pass->half_rows ? end - 1 : end;
}

/* The same of rows first to end - 1 past the caches, one number later. */
static void stream_mirrored(const struct cpu_operation *op, const struct cpu_tile *tile,
                            int64_t kept, int64_t first, int64_t end)
{
    const int64_t rows = tile->kernel->pass->half_rows, count = op->elements - kept;
    const struct codelet_shape shape = {
        .rows = count, .lanes = op->columns, .out_row = -rows, .twiddle_plane = count};
    if (tile->begins)
        put_mirrored(op, tile, kept, first + 1, last_mirrored(tile, end));
    else
        put(op, tile, mirrors_of(tile->kernel)->mirrored_streamed, shape, kept, 0,
            count * rows - end);
    if (first == 0) return;
    if (tile->ends) put_mirrored(op, tile, kept, first, first + 1);
    else carry(op, tile, kept);
}

/* Number k of the line is element k / rows of row k % rows: the first half is written as it is, the
 * rest as what it mirrors, but for rows that are their own mirrors. */
void halves_scatter_rows(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct cpu_mirrors *mirrors = mirrors_of(tile->kernel);
    const int64_t rows = tile->kernel->pass->half_rows, n = op->elements, kept = (n + 1) / 2;
    const int64_t first = first_number(tile), end = first + op->columns;
    const bool streamed = streams(tile, 2 * tile->kernel->real_bytes);
    const bool whole = streamed && op->columns % mirrors->lanes == 0;
    const struct codelet_shape shape = {.rows = kept, .lanes = op->columns, .out_row = rows};
    put(op, tile, whole ? mirrors->numbers_streamed : mirrors->numbers, shape, 0, 0, first);
    if (first == 0 && n % 2 == 0)
        put(op, tile, mirrors->numbers, (struct codelet_shape){.rows = 1, .lanes = 1}, kept, 0,
            kept * rows);
    if (streamed) stream_mirrored(op, tile, kept, first, end);
    else put_mirrored(op, tile, kept, first == 0 ? 1 : first, last_mirrored(tile, end));
}

/* The factors of what is written, or read. */
static void use_factors(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct cpu_table *factors = table_mirror_factors(b->kernel, true);
    for (int d = 0; d < 2; d++)
        op->shape[d].fine_row = TABLE_FACTORS_A_DIRECTION * d;
    if (factors) op->fine = factors->data;
    else b->failed = true;
}

static struct cpu_operation *add_rows(struct pipeline_builder *b, struct transform_end from)
{
    struct cpu_operation *op = pipeline_add(b, halves_scatter_rows);
    op->from = from.operand;
    op->to = CPU_TO;
    op->elements = op->length = b->kernel->pass->line.n;
    use_factors(b, op);
    return op;
}

/* ---- reals that stand for more ---- */

/* Where a tile's numbers have their reals, and what they are turned by. */
struct turned_lanes {
    int64_t first;              /* the first lane's number */
    char *up, *down;            /* of that number's reals */
    char *number;               /* the real that number 0 is */
    const char *coarse, *fine;  /* of the direction; and of the tile's lanes */
    const char *factor;         /* of number 0 */
    bool rises;                 /* it is the line's first real, and n - k one further on than k */
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

/* The reals of the first lane that move by a lane, one a row, to or from the carried ones. */
static void carry_reals(const struct cpu_operation *op, const struct cpu_tile *tile,
                        const struct turned_lanes *lanes, bool out)
{
    const int64_t bytes = tile->kernel->real_bytes, step = lanes->step * bytes;
    for (int64_t row = 0; row < op->elements; row++) {
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
    /* Number n q of the first row is the mirror of another one of it. */
    if (lanes->first > 0 && tile->begins != tile->ends)
        carry_reals(op, tile, lanes, tile->ends);
}

void halves_scatter_turned(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct turned_lanes lanes = turned_lanes(op, tile, true);
    if (streams(tile, tile->kernel->real_bytes)) stream_turned(op, tile, &lanes);
    else turn_tile(op, tile, &lanes, true);
    if (lanes.first == 0) copy_first(tile->kernel, &lanes, tile->re[op->from], lanes.number);
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

static struct cpu_operation *add_turned_rows(struct pipeline_builder *b, struct transform_end from)
{
    struct cpu_operation *op = pipeline_add(b, halves_scatter_turned);
    op->from = from.operand;
    op->to = CPU_TO;
    op->elements = op->length = b->kernel->pass->line.n;
    use_turns(b, op, true);
    return op;
}

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

static struct cpu_operation *add_others(struct pipeline_builder *b, bool out,
                                        enum cpu_operand from, enum cpu_operand to)
{
    struct cpu_operation *op =
        pipeline_add(b, out ? halves_scatter_others : halves_gather_others);
    const struct cpu_table *signs = table_signs(b->kernel, out);
    op->from = from;
    op->to = to;
    op->elements = op->length = b->kernel->pass->line.n;
    for (int d = 0; d < 2; d++)
        op->shape[d].fine_row = TABLE_FACTORS_A_DIRECTION * d;
    if (signs) op->fine = signs->data;
    else b->failed = true;
    return op;
}

struct cpu_operation *halves_add_scatter(struct pipeline_builder *b, struct transform_end from)
{
    const struct pass *pass = b->kernel->pass;
    if (pass->half == PASS_HALF_PART) return add_columns(b, from);
    if (pass->half == PASS_HALF_JOIN) return add_others(b, true, from.operand, CPU_TO);
    return pass->reals[1].parts ? add_turned_rows(b, from) : add_rows(b, from);
}

/* ---- gathering columns ---- */

/* Half of the elements, from e on; `number` is that of the first lane's first. */
static void take(const struct cpu_operation *op, const struct cpu_tile *tile,
                 codelet_function *codelet, int64_t e, int64_t step, int64_t number)
{
    const int bytes = tile->kernel->real_bytes;
    const int64_t to = e * op->columns * bytes;
    const struct codelet_shape shape = {.rows = op->elements / 2,
                                        .lanes = op->columns,
                                        .in_row = step,
                                        .out_row = op->columns,
                                        .fine_row = op->shape[tile->direction].fine_row};
    const char *from = tile->base[CPU_FROM] + 2 * bytes * (number - first_number(tile));
    codelet(&shape, from, NULL, tile->re[op->to] + to, tile->im[op->to] + to, NULL, op->fine);
}

/* Only of complex data has the first number of the half, or the last, an imaginary part. */
static void clear_imaginary(const struct cpu_operation *op, const struct cpu_tile *tile, int64_t e)
{
    const size_t bytes = (size_t)tile->kernel->real_bytes;
    memset(tile->im[op->to] + (size_t)(e * op->columns) * bytes, 0, bytes);
}

/* Numbers up to the middle one, then those of the other end of the half, whose conjugates the rest
 * are. */
void halves_gather_columns(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct cpu_mirrors *mirrors = mirrors_of(tile->kernel);
    const struct pass *pass = tile->kernel->pass;
    const int64_t step = pass->half_map.line, middle = op->elements / 2;
    const int64_t first = first_number(tile);
    take(op, tile, mirrors->of_numbers, 0, step, first);
    take(op, tile, mirrors->of_mirrored, middle, -step, pass->half_n / 2 - first);
    if (first > 0) return;
    clear_imaginary(op, tile, 0);
    clear_imaginary(op, tile, middle);
}

void halves_gather_turned(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct turned_lanes lanes = turned_lanes(op, tile, false);
    turn_tile(op, tile, &lanes, false);
    if (lanes.first > 0) return;
    copy_first(tile->kernel, &lanes, lanes.number, tile->re[op->to]);
    clear_imaginary(op, tile, 0);
}

struct cpu_operation *halves_add_gather(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const bool turned = pass->reals[0].parts > 0;
    if (pass->half == PASS_HALF_PART) return add_others(b, false, CPU_FROM, CPU_TILE_A);
    struct cpu_operation *op =
        pipeline_add(b, turned ? halves_gather_turned : halves_gather_columns);
    op->from = CPU_FROM;
    op->to = CPU_TILE_A;
    op->elements = op->length = pass->line.n;
    if (turned) use_turns(b, op, false);
    else use_factors(b, op);
    return op;
}
