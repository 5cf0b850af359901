/* How a pass is cut into tiles, by its strides and the caches. */
#include "device/cpu/tiles.h"

#include "device/cpu/abreast.h"
#include "device/cpu/ahead.h"
#include "device/cpu/beside.h"
#include "device/cpu/engine.h"
#include "device/cpu/parity.h"
#include "device/cpu/staged.h"
#include "device/cpu/turned.h"
#include "kernel/line.h"
#include "spec/lone_lines.h"

/* Tiles of this many bytes a plane and more are spread over memory so that re and im, A and B do
 * not meet in the same cache sets: 4 KB aliasing. */
#define PLANE_PADDING_BYTES 192

struct shape_of_pass tiles_shape(const struct pass *pass)
{
    struct shape_of_pass shape = {.columns = 1};
    shape.line_in = pass->line.in_stride == 1;
    shape.line_out = pass->line.out_stride == 1;
    if (pass->loops) {
        shape.columns = pass->loop[0].n;
        shape.column_in = pass->loop[0].in_stride == 1;
        shape.column_out = pass->loop[0].out_stride == 1;
    }
    return shape;
}

/* Finding where the reals of a line lie takes longer than a short line itself: as columns many
 * lines share it, where no codelets take them. (Experiments "rows" and "turned together".) */
static bool is_short_reflected(const struct kernel *kernel)
{
    const bool turned = turned_suits(kernel) && tiles_line_set(kernel);
    return pass_reflects(kernel->pass) && kernel->pass->length <= TILES_SHORT_LINE && !turned;
}

/* Whether the lanes of the vectors shall be columns: there are enough, and a tile holds them. */
bool tiles_go_across(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t narrowest = 16 / kernel->real_bytes;
    const int64_t bytes = narrowest * 4 * kernel->pass->length * kernel->real_bytes;
    if (abreast_suits(kernel)) return true;
    if (shape->line_in && shape->line_out && !is_short_reflected(kernel)) return false;
    return bytes <= limits->shared_bytes && !lone_lines_of(limits, kernel->precision, kernel->pass);
}

bool tiles_gathers_general(const struct pass *pass)
{
    const bool lone = pass->real_in && pass->lone;
    return pass->chirp_before || lone || pass->hook[0] || pass_half_elements(pass, false) > 0;
}

bool tiles_scatters_some(const struct pass *pass)
{
    const bool lone = pass->real_out && pass->lone;
    return pass->chirp_after || lone || pass->hook[1] || pass_scatters_half(pass);
}

bool tiles_lines_of_pairs(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    return shape.line_in && shape.line_out && kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED;
}

bool tiles_halves(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (pass->half != PASS_HALF_SPREAD && pass->half != PASS_HALF_FOLD) return false;
    if (pass->body != PASS_TRANSFORM || pass->length != pass->half_n / 2) return false;
    if (pass_reflects(pass) || pass->twiddle_order || pass->hook[0] || pass->hook[1]) return false;
    return tiles_lines_of_pairs(kernel);
}

bool tiles_mirrors(const struct kernel *kernel)
{
    return kernel->pass->radices > 0 && tiles_halves(kernel);
}

static bool is_direct(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (tiles_mirrors(kernel)) return true;
    return pass->body == PASS_TRANSFORM && !pass->backward && !tiles_gathers_general(pass) &&
           !tiles_scatters_some(pass);
}

bool tiles_transforms_pairs(const struct kernel *kernel)
{
    return is_direct(kernel) && tiles_lines_of_pairs(kernel);
}

enum codelet_kind tiles_whole_kind(const struct kernel *kernel)
{
    const bool in = kernel->format[CPU_FROM] == WEFT_INTERLEAVED;
    const bool out = kernel->format[CPU_TO] == WEFT_INTERLEAVED;
    if (in) return out ? CODELET_WHOLE : CODELET_ENTER;
    return out ? CODELET_LEAVE : CODELET_STEP_PLAIN;
}

bool tiles_whole(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return is_direct(kernel) && pass->radices == 1 && !pass->twiddle_order &&
           codelet_exists(tiles_whole_kind(kernel), pass->radix[0]);
}

static int64_t widest_lanes(const struct kernel *kernel)
{
    return kernel->sets->set[kernel->precision][0]->lanes;
}

bool tiles_packed(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct pass *pass = kernel->pass;
    return shape->line_in && shape->line_out && pass->loops &&
           pass->loop[0].in_stride == pass->length && pass->loop[0].out_stride == pass->length &&
           kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED &&
           codelet_exists(CODELET_PACK, (int)pass->length);
}

/* Of doubles eight at once: what fills less than such a vector, but more than half of it, comes to
 * its lanes by more shuffles than one line's own vectors take. (Experiment "packs".) */
static bool is_unfit_for_packs(const struct kernel *kernel)
{
    const int64_t n = kernel->pass->length, lanes = widest_lanes(kernel);
    return kernel->precision == WEFT_F64 && lanes == 8 && 2 * n > lanes && n < lanes;
}

bool tiles_fill_packs(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    if (tiles_mirrors(kernel) || !tiles_packed(kernel, shape)) return false;
    if (shape->columns < widest_lanes(kernel)) return false;
    const bool sooner = is_unfit_for_packs(kernel) || ahead_prefers_lines(kernel);
    return !(sooner && tiles_line_set(kernel));
}

const struct codelet_set *tiles_line(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    if (!is_direct(kernel) || pass->twiddle_order) return NULL;
    if (!tiles_lines_of_pairs(kernel) || tiles_fill_packs(kernel, &shape)) return NULL;
    return tiles_line_set(kernel);
}

const struct codelet_set *tiles_line_set(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct codelet_set *widest = NULL;
    if (pass->length > LINE_MAX_LENGTH) return NULL;
    for (int i = 0; i < kernel->sets->count[kernel->precision]; i++) {
        const struct codelet_set *set = kernel->sets->set[kernel->precision][i];
        if (!set->line[pass->length][WEFT_FORWARD]) continue;
        if (set->lanes == 1) return set;
        if (!widest) widest = set;
    }
    return widest;
}

/* A split's columns in one step, from place to place. */
bool tiles_whole_split(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct pass *pass = kernel->pass;
    return is_direct(kernel) && pass->radices == 1 && pass->twiddle_order &&
           pass->twiddle_loop == 0 && !pass->twiddle_conjugate && !pass->slice_columns &&
           shape->column_in && shape->column_out && kernel->format[CPU_FROM] == WEFT_PLANAR &&
           codelet_exists(CODELET_STEP_SPLIT, pass->radix[0]);
}

/* Between the inner parts of a very long convolution a copy carries a twiddle. */
bool tiles_bare_copy(const struct pass *pass)
{
    return pass->body == PASS_COPY && !pass->twiddle_order;
}

/* Whether the pass has no tile: its lines go from place to place at once. */
static bool is_tileless(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    if (abreast_suits(kernel)) return false;
    if (tiles_bare_copy(pass) || pass_sweeps_half(pass)) return true;
    return kernel->products || tiles_sums(kernel) || tiles_line(kernel) || tiles_whole(kernel) ||
           tiles_whole_split(kernel, &shape);
}

/* Columns of a split that has one step: the fine twiddles of a tile shall stay in the first-level
 * cache, and calls shall be few. */
#define WHOLE_SPLIT_ELEMENTS 1024

/* Work that is worth handing out: some 1 us. */
#define GRAIN_ELEMENTS 2048

#define TILELESS_GRAIN 64

/* Lines that go to a step's own memory: so many at a time the next ones are asked for. (Experiment
 * "packed drafts" in docs/experiments.) */
#define WORK_LINES 16

static int64_t most_tileless_columns(const struct kernel *kernel, int64_t columns)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    const bool line = tiles_line(kernel) != NULL;
    if (!shape.line_in || !shape.line_out || !(line || tiles_whole(kernel))) return columns;
    if (columns > WORK_LINES && kernel->ranged && kernel->pass->to == PASS_WORK &&
        ahead_leaves_caches(kernel))
        return WORK_LINES;
    return ahead_columns(kernel, columns, !line);
}

static int64_t tileless_columns(const struct kernel *kernel, int64_t columns)
{
    if (pass_sweeps_half(kernel->pass) || turned_sweeps(kernel)) return 1;
    const int64_t most = most_tileless_columns(kernel, columns);
    if (kernel->threads == 1) return most;
    const int64_t share = columns / (kernel->threads * TILES_A_THREAD);
    const int64_t tile = (share + TILELESS_GRAIN - 1) / TILELESS_GRAIN * TILELESS_GRAIN;
    return tile > most || tile == 0 ? most : tile;
}

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

/* Columns of tiles that are about as wide as wanted, and the last one not much narrower. */
static int64_t even_columns(const struct kernel *kernel, int64_t columns, int64_t wanted)
{
    const int64_t lanes = kernel->sets->set[kernel->precision][0]->lanes;
    const int64_t tiles = columns < wanted ? 1 : (columns + wanted / 2) / wanted;
    return ((columns + tiles - 1) / tiles + lanes - 1) / lanes * lanes;
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
    const int64_t most = limits->cache_bytes[1] / (meets_in_sets(kernel) ? 2 : 4);
    for (int64_t lines = row_lines(kernel); lines >= SHORT_ROW_LINES; lines = shorter_row(lines)) {
        const int64_t row = even_columns(kernel, columns, lines * line);
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

static int64_t meeting_columns(const struct kernel *kernel, int64_t columns, int64_t tile)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t line = limits->coalescing_bytes / kernel->real_bytes;
    const int64_t share = limits->cache_bytes[1] / MEETING_SHARE;
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

/* Columns of a tile across: a cache line of them, more while both buffers fit the first-level
 * cache, and where columns meet in sets or runs shall be long, fewer (to a narrow vector) while
 * they do not fit the second. */
static int64_t across_columns(const struct kernel *kernel, int64_t columns)
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
    if (wants_long_runs(kernel)) tile = long_runs(kernel, columns, tile, column_bytes);
    const int64_t narrowest = abreast ? lanes : 16 / kernel->real_bytes;
    while (tile * column_bytes > limits->shared_bytes && tile > narrowest)
        tile /= 2;
    return tile < columns ? tile : columns;
}

/* Tiles across may leave the first-level cache so far. */
#define WIDEST_TILE 2

/* Whether columns that are left over, and fill no vector, are quicker beside those of the last full
 * tile. (Experiment "leftovers" in docs/experiments.) */
static bool takes_rest(const struct kernel *kernel, int64_t tile, int64_t rest)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t lanes = kernel->sets->set[kernel->precision][0]->lanes;
    if (rest == 0 || shape.columns < tile) return false;
    if (rest < lanes && abreast_suits(kernel)) return true;
    if (rest < tile / 2 && shape.columns > 2 * tile) return true;
    if (is_tileless(kernel) || rest >= lanes || 2 * rest == lanes) return false;
    return (tile + rest) * column_bytes <= WIDEST_TILE * kernel->device->limits.cache_bytes[0];
}

static void divide_columns(struct kernel *kernel, int64_t columns, int64_t tile)
{
    kernel->main.columns = tile;
    kernel->full_tiles = columns / tile;
    kernel->rest.columns = columns % tile;
    if (takes_rest(kernel, tile, kernel->rest.columns)) {
        kernel->rest.columns += tile;
        kernel->full_tiles--;
    }
    if (kernel->full_tiles == 0) { /* one for all */
        kernel->main.columns = kernel->rest.columns;
        kernel->full_tiles = 1;
        kernel->rest.columns = 0;
    }
    kernel->tiles = kernel->full_tiles + (kernel->rest.columns > 0);
}

void tiles_choose(struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    const int64_t staged = staged_columns(kernel);
    int64_t tile = 1;
    if (tiles_whole_split(kernel, &shape)) {
        tile = (WHOLE_SPLIT_ELEMENTS / pass->length + 15) / 16 * 16;
        if (tile > shape.columns) tile = shape.columns;
    } else if (is_tileless(kernel)) {
        tile = tileless_columns(kernel, shape.columns < staged ? shape.columns : staged);
    } else if (tiles_go_across(kernel, &shape)) {
        tile = across_columns(kernel, shape.columns);
    } else if (turned_suits(kernel)) {
        tile = turned_columns(kernel, shape.columns);
    }
    divide_columns(kernel, shape.columns, tile);
    kernel->grain = GRAIN_ELEMENTS / (kernel->main.columns * pass->line.n) + 1;
    kernel->outer_tiles = 1;
    for (int l = 1; l < pass->loops; l++)
        kernel->outer_tiles *= pass->loop[l].n;
    if (is_tileless(kernel)) return;
    const int64_t widest =
        kernel->rest.columns > kernel->main.columns ? kernel->rest.columns : kernel->main.columns;
    const int64_t padding = PLANE_PADDING_BYTES / kernel->real_bytes;
    kernel->tile_plane = pass_parts_parities(pass)
                             ? parity_plane(pass, widest, padding)
                             : (widest * pass->length + 15) / 16 * 16 + padding;
    kernel->workspace = (size_t)(4 * kernel->tile_plane * kernel->real_bytes + 63) / 64 * 64;
}
