#include "device/cpu/halves.h"

#include <string.h>

#include "device/cpu/mirror.h"
#include "device/cpu/tiles.h"

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
    return pass->half == PASS_HALF_REFLECT && pass->half_map.loop[0] == 1 &&
           pass->half_map.line == pass->half_rows && pass->loop[0].out_stride == 1 &&
           pass->line.out_stride == pass->half_rows && kernel->format[CPU_TO] == WEFT_INTERLEAVED;
}

bool halves_suit(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    if (pass->loops == 0 || !tiles_go_across(kernel, &shape) || kernel->own_pass) return false;
    if (pass->hook[1] || pass->reals[1].parts) return false;
    return suits_columns(kernel) || suits_rows(kernel);
}

bool halves_stream(const struct kernel *kernel)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const int64_t bytes = 2 * kernel->real_bytes * kernel->main.columns;
    return kernel->streams && halves_suit(kernel) && suits_rows(kernel) && !kernel->fill.runs &&
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

/* The number of the tile's first row. */
static int64_t first_row(const struct cpu_tile *tile)
{
    const struct pass *pass = tile->kernel->pass;
    int64_t row = 0;
    for (int l = 0; l < pass->loops; l++)
        row += pass->half_map.loop[l] * tile->counter[l];
    return row;
}

/* Lanes from c on of the elements from e on, to number k of the output. */
static void put(const struct cpu_operation *op, const struct cpu_tile *tile,
                codelet_function *codelet, struct codelet_shape shape, int64_t e, int64_t c,
                int64_t k)
{
    const int bytes = tile->kernel->real_bytes;
    const int64_t from = (e * op->columns + c) * bytes;
    char *to = tile->base[CPU_TO] + 2 * bytes * (k - first_row(tile));
    shape.in_row = op->columns;
    shape.fine_row = op->shape[tile->direction].fine_row;
    if (shape.rows > 0 && shape.lanes > 0)
        codelet(&shape, tile->re[op->from] + from, tile->im[op->from] + from, to, NULL,
                tile->carried, op->fine);
}

/* Whether results go past the caches: in whole lines of them, of which mirrored rows have two
 * tiles' numbers. */
static bool streams(const struct cpu_tile *tile)
{
    const int bytes = 2 * tile->kernel->real_bytes;
    const char *line = tile->base[CPU_TO] - bytes * first_row(tile);
    return tile->kernel->descends && (uintptr_t)line % STREAM_ALIGNMENT == 0 &&
           bytes * tile->kernel->pass->half_rows % STREAM_ALIGNMENT == 0;
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
    put(op, tile, mirrors_of(tile->kernel)->mirrored, shape, kept, low - first_row(tile),
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
    const int64_t first = first_row(tile), end = first + op->columns;
    const bool streamed = streams(tile), whole = streamed && op->columns % mirrors->lanes == 0;
    const struct codelet_shape shape = {.rows = kept, .lanes = op->columns, .out_row = rows};
    put(op, tile, whole ? mirrors->numbers_streamed : mirrors->numbers, shape, 0, 0, first);
    if (first == 0 && n % 2 == 0)
        put(op, tile, mirrors->numbers, (struct codelet_shape){.rows = 1, .lanes = 1}, kept, 0,
            kept * rows);
    if (streamed) stream_mirrored(op, tile, kept, first, end);
    else put_mirrored(op, tile, kept, first == 0 ? 1 : first, last_mirrored(tile, end));
}

static struct cpu_operation *add_rows(struct pipeline_builder *b, struct transform_end from)
{
    struct cpu_operation *op = pipeline_add(b, halves_scatter_rows);
    const struct cpu_table *factors = table_mirror_factors(b->kernel, true);
    op->from = from.operand;
    op->to = CPU_TO;
    op->elements = op->length = b->kernel->pass->line.n;
    for (int d = 0; d < 2; d++)
        op->shape[d].fine_row = TABLE_FACTORS_A_DIRECTION * d;
    if (factors) op->fine = factors->data;
    else b->failed = true;
    return op;
}

struct cpu_operation *halves_add_scatter(struct pipeline_builder *b, struct transform_end from)
{
    const bool columns = b->kernel->pass->half == PASS_HALF_PART;
    return columns ? add_columns(b, from) : add_rows(b, from);
}
