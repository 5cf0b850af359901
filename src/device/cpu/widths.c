/* How many columns a tile across has. */
#include "device/cpu/abreast.h"
#include "device/cpu/ahead.h"
#include "device/cpu/beside.h"
#include "device/cpu/pipeline.h"
#include "device/cpu/tiles.h"
#include "spec/far_columns.h"

/* A column's elements so far apart are in one set of the first-level cache, or in a few. */
#define SET_BYTES      4096
#define AXIS_SET_BYTES 2048

/* ... or do so with a third array. (Experiment "columns between".) */
#define BETWEEN_SHARE 3

/* Columns of an axis in place, which meet at both ends, where memory is not what they wait for. */
static bool is_near_axis(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool in_place = pass->from == pass->to && pass->from != PASS_SCRATCH;
    return in_place && pass->body == PASS_TRANSFORM &&
           !ahead_leaves_share(kernel, AHEAD_AXIS_SHARE);
}

/* Caches keep little of such columns from one access to the next, so that each should take more of
 * their lines. Gathers of halves take more anyway. (Experiment "sets" in docs/experiments, with
 * all the numbers here.) */
static bool meets_in_sets(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t bytes = 2 * kernel->real_bytes;
    const int64_t apart = is_near_axis(kernel) ? AXIS_SET_BYTES : SET_BYTES;
    const bool whole = pass->half == PASS_NO_HALF || pass->half == PASS_HALF_PART;
    const bool gathers = !whole || tiles_gathers_general(pass);
    return (!gathers && pass->line.in_stride * bytes % apart == 0) ||
           pass->line.out_stride * bytes % apart == 0;
}

/* Whether a tile of so many columns would be without the codelet that transposes rows, which are
 * brought there number by number then. (Experiment "blocks" in docs/experiments.) */
static bool lacks_transposes(const struct kernel *kernel, int64_t columns)
{
    const struct pass *pass = kernel->pass;
    const bool rows = pass->line.in_stride == 1 && pass->body == PASS_TRANSFORM &&
                      kernel->format[CPU_FROM] == WEFT_PLANAR && !tiles_gathers_general(pass);
    if (!rows) return false;
    return columns > CODELET_MAX_RADIX || !codelet_exists(CODELET_TRANSPOSE, (int)columns);
}

/* Reals beside each other are gathered and scattered by rows, of so many lines of the cache.
 * (Experiments "long rows" and "short rows" in docs/experiments.) */
#define LONG_ROW_LINES  6
#define SHORT_ROW_LINES 2

/* Both buffers of a tile that is as wide as the memory likes take one part in so many of the second
 * level. */
#define LONG_RUN_SHARE 4

/* Columns of tiles that are about as wide as wanted, a multiple of `grain`, and the last one not
 * much narrower. */
static int64_t even_columns(int64_t columns, int64_t wanted, int64_t grain)
{
    const int64_t tiles = columns < wanted ? 1 : (columns + wanted / 2) / wanted;
    return ((columns + tiles - 1) / tiles + grain - 1) / grain * grain;
}

static bool goes_by_rows(const struct pass *pass)
{
    const struct shape_of_pass shape = tiles_shape(pass);
    return pass_reflects(pass) && shape.column_in && shape.column_out;
}

/* Whether the second level holds no more of such columns than they have reals, so that each line of
 * it should be a neighbour of another. */
static bool meets_in_second(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t apart = pass->line.out_stride * kernel->real_bytes, power = apart & -apart;
    return pass->reals[1].n * power >= kernel->device->limits.cache_bytes[1];
}

/* As many as the first level holds, both buffers and the reals; long ones where these come from
 * afar, or are every so many of a longer line. */
static int64_t row_lines(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct limits *limits = &kernel->device->limits;
    const bool own = pass->half == PASS_NO_HALF || pass->half == PASS_HALF_FOLD ||
                     pass->half == PASS_HALF_SPREAD;
    const int64_t held = limits->cache_bytes[0] / (6 * pass->length * limits->coalescing_bytes);
    if (!own || held > LONG_ROW_LINES || meets_in_second(kernel)) return LONG_ROW_LINES;
    return held < SHORT_ROW_LINES ? SHORT_ROW_LINES : held;
}

/* Half as many, and the fewest before none. */
static int64_t shorter_row(int64_t lines)
{
    return lines > SHORT_ROW_LINES && lines / 2 < SHORT_ROW_LINES ? SHORT_ROW_LINES : lines / 2;
}

static int64_t row_columns(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    const struct pass *pass = kernel->pass;
    const struct limits *limits = &kernel->device->limits;
    const int64_t line = limits->coalescing_bytes / kernel->real_bytes;
    const int64_t lanes = cpu_widest_lanes(kernel);
    const int64_t most = limits->cache_bytes[1] / (meets_in_sets(kernel) ? 2 : 4);
    for (int64_t lines = row_lines(kernel); lines >= SHORT_ROW_LINES; lines = shorter_row(lines)) {
        const int64_t row = even_columns(columns, lines * line, lanes);
        const int64_t lines_in_tile = beside_joins(kernel, row) ? beside_joined(row) : row;
        if (row < tile || 4 * pass->length * kernel->real_bytes * lines_in_tile > most) continue;
        if (kernel->threads == 1 || row * kernel->threads <= columns) return row;
    }
    return tile;
}

/* Cache lines that a row of a tile has where columns meet in sets, while both buffers stay in such
 * a share of the second level; where they are those of an axis; and of an axis if that is too much
 * and tiles fit at all, so many for a thread that none has much more to do. */
#define MEETING_LINES      2
#define MEETING_SHARE      2
#define MEETING_AXIS_LINES 4
#define MEETING_AXIS_SHARE 8
#define MEETING_WIDE_LINES 3
#define MEETING_WIDE_TILES 8

static int64_t meeting_axis_columns(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t line = limits->coalescing_bytes / kernel->real_bytes;
    const int64_t wide = MEETING_WIDE_LINES * line, threads = kernel->threads;
    const int64_t share = limits->cache_bytes[1] / MEETING_AXIS_SHARE;
    const int64_t first = tile;
    while (tile < MEETING_AXIS_LINES * line && 2 * tile * threads <= columns &&
           2 * tile * column_bytes <= share) {
        tile *= 2;
    }
    const bool even = threads == 1 || MEETING_WIDE_TILES * wide * threads <= columns;
    const bool fits = wide <= columns && wide * column_bytes <= limits->shared_bytes;
    return tile == first && tile < wide && even && fits ? wide : tile;
}

/* Of a split's columns where vectors are half a line of the cache and the second level is small:
 * one line of pairs, if both buffers of four leave such a share of that level. (Experiment "one
 * line or four" in docs/experiments.) */
#define MEETING_SPLIT_SHARE 8

static bool meets_by_one(const struct kernel *kernel, int64_t column_bytes)
{
    const struct limits *limits = &kernel->device->limits;
    const struct pass *pass = kernel->pass;
    const int64_t wide = MEETING_LINES * limits->coalescing_bytes / kernel->real_bytes;
    const bool begins = pass->from != PASS_SCRATCH && kernel->format[CPU_FROM] != WEFT_PLANAR;
    return far_columns_are_wide(limits) && begins && pass->to == PASS_SCRATCH &&
           pass->body == PASS_TRANSFORM &&
           wide * column_bytes > limits->cache_bytes[1] / MEETING_SPLIT_SHARE;
}

static int64_t meeting_columns(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t line = limits->coalescing_bytes / kernel->real_bytes;
    const int64_t share = limits->cache_bytes[1] / MEETING_SHARE;
    if (meets_by_one(kernel, column_bytes)) return line / 2;
    while (tile < MEETING_LINES * line && 2 * tile * column_bytes <= share)
        tile *= 2;
    return is_near_axis(kernel) ? meeting_axis_columns(kernel, columns, tile) : tile;
}

bool tiles_stream_columns(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    const bool across = !shape.line_out && shape.column_out;
    const bool lines = pass->line.out_stride * 2 * kernel->real_bytes % STREAM_ALIGNMENT == 0;
    if (!across || pass->body != PASS_TRANSFORM) return false;
    if (pass->to == PASS_WORK)
        return pass->from == PASS_INPUT && lines && ahead_leaves_share(kernel, BETWEEN_SHARE);
    const bool ends = pass->to == PASS_OUTPUT || (kernel->ranged && pass->to == PASS_DRAFT);
    const bool begins = pass->from == PASS_INPUT || (kernel->ranged && pass->from != PASS_SCRATCH);
    return begins && ends && ahead_writes_far(kernel);
}

/* Whether columns in what no cache keeps are read and written in longer runs: a convolution's that
 * go to scratch, those that come from there where they meet in sets (experiment "long primes" in
 * docs/experiments), those that go past the caches (experiment "columns first"), and those of which
 * a range is copied (experiment "packed drafts"). */
static bool wants_long_runs(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (tiles_stream_columns(kernel)) return true;
    if (pass->body != PASS_TRANSFORM || !ahead_leaves_caches(kernel)) return false;
    if (kernel->ranged && kernel->staged[CPU_TO].storage && pass->from == PASS_INPUT) return true;
    return pass->chirp_before || (pass->chirp_after && meets_in_sets(kernel));
}

/* Columns of a tile, of which one has so many bytes, that are read and written in long runs. */
static int64_t long_runs(const struct kernel *kernel, int64_t columns, int64_t tile,
                         int64_t column_bytes)
{
    const int64_t most = kernel->device->limits.cache_bytes[1] / LONG_RUN_SHARE;
    while (2 * tile * kernel->threads <= columns && 2 * tile * column_bytes <= most)
        tile *= 2;
    return tile;
}

/* Whether rows of an axis in place begin anywhere in a line: a run of two lines lies in three, read
 * and written. */
static bool has_ragged_rows(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t row = pass->line.out_stride * 2 * kernel->real_bytes;
    const bool in_place = pass->from == pass->to && pass->line.in_stride == pass->line.out_stride;
    return in_place && pass->from == PASS_OUTPUT && pass->body == PASS_TRANSFORM &&
           !pass_reflects(pass) && row % kernel->device->limits.coalescing_bytes != 0;
}

/* Runs twice as long of what leaves the first level anyway. (Experiment "ragged columns" in
 * docs/experiments.) */
#define RAGGED_LINES 2
#define RAGGED_SHARE 2

static int64_t ragged_columns(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t wide = RAGGED_LINES * limits->coalescing_bytes / kernel->real_bytes;
    const bool near = tile * column_bytes <= limits->cache_bytes[0];
    const bool fits = wide * column_bytes <= limits->cache_bytes[1] / RAGGED_SHARE;
    return !near && fits && wide * kernel->threads <= columns ? wide : tile;
}

static bool reads_far_columns(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return far_columns_are_wide(&kernel->device->limits) && pass->body == PASS_TRANSFORM &&
           pass->line.in_stride != 1 && ahead_reads_far(kernel);
}

static int64_t far_tile(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    return far_columns(&kernel->device->limits, kernel->precision, kernel->pass->length, tile,
                       columns / kernel->threads);
}

/* Reals as if two were a number: two columns are, or half of each one's. */
static int64_t far_row(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t length = kernel->pass->length;
    const int64_t line = limits->coalescing_bytes / kernel->real_bytes;
    const int64_t n = beside_joins(kernel, columns) ? length : 2 * length;
    const int64_t pairs = far_columns(limits, kernel->precision, n, tile > 1 ? tile / 2 : 1,
                                      columns / 2 / kernel->threads);
    return 2 * pairs > tile ? even_columns(columns, 2 * pairs, line) : tile;
}

/* Columns of a tile across: a cache line of them in either plane, more while both buffers fit the
 * first-level cache, and where columns meet in sets or runs shall be long, fewer (to one line of
 * pairs) while they do not fit the second, but where they come from afar. A split's columns that
 * meet may be of one line sooner. */
int64_t tiles_across_columns(const struct kernel *kernel, int64_t columns)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t line = limits->coalescing_bytes / kernel->real_bytes;
    const int64_t lanes = kernel->sets->abreast[kernel->precision].lanes;
    const bool abreast = abreast_suits(kernel);
    int64_t tile = abreast && line < lanes ? lanes : line;
    while (2 * tile <= columns && 2 * tile * column_bytes <= limits->cache_bytes[0] / 4 * 3 &&
           !lacks_transposes(kernel, 2 * tile)) {
        tile *= 2;
    }
    if (goes_by_rows(kernel->pass))
        tile = row_columns(kernel, columns, line);
    else if (meets_in_sets(kernel))
        tile = meeting_columns(kernel, columns, tile);
    else if (has_ragged_rows(kernel))
        tile = ragged_columns(kernel, columns, tile);
    if (wants_long_runs(kernel)) tile = long_runs(kernel, columns, tile, column_bytes);
    const int64_t narrowest = abreast ? lanes : line / 2;
    while (tile * column_bytes > limits->shared_bytes && tile > narrowest)
        tile /= 2;
    if (reads_far_columns(kernel))
        tile = goes_by_rows(kernel->pass) ? far_row(kernel, columns, tile)
                                          : far_tile(kernel, columns, tile);
    return tile < columns ? tile : columns;
}
