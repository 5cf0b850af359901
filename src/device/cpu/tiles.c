/* How a pass is cut into tiles, by its strides and the caches. */
#include "device/cpu/tiles.h"

#include "device/cpu/abreast.h"
#include "device/cpu/ahead.h"
#include "device/cpu/engine.h"
#include "device/cpu/laid.h"
#include "device/cpu/paired.h"
#include "device/cpu/pairs.h"
#include "device/cpu/parity.h"
#include "device/cpu/past.h"
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
    const bool turned =
        turned_suits(kernel) && (tiles_line_set(kernel) || tiles_transforms_by_sums(kernel));
    return pass_reflects(kernel->pass) && kernel->pass->length <= TILES_SHORT_LINE && !turned;
}

/* Whether the lanes of the vectors shall be columns: there are enough, and a tile holds them. */
bool tiles_go_across(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t narrowest = LIMITS_NARROWEST_VECTOR / kernel->real_bytes;
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
    const bool reals = pass->real_out && (pass->lone || pass->reals[1].parts > 0);
    return pass->chirp_after || reals || pass->hook[1] || pass_scatters_half(pass);
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

bool tiles_direct(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (tiles_mirrors(kernel)) return true;
    return pass->body == PASS_TRANSFORM && !pass->backward && !tiles_gathers_general(pass) &&
           !tiles_scatters_some(pass);
}

bool tiles_transforms_pairs(const struct kernel *kernel)
{
    return tiles_direct(kernel) && tiles_lines_of_pairs(kernel);
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
    return tiles_direct(kernel) && pass->radices == 1 && !pass->twiddle_order &&
           codelet_exists(tiles_whole_kind(kernel), pass->radix[0]);
}

bool tiles_packed(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct pass *pass = kernel->pass;
    return shape->line_in && shape->line_out && pass->loops &&
           pass->loop[0].in_stride == pass->length && pass->loop[0].out_stride == pass->length &&
           kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED && pass->length <= CODELET_MAX_RADIX &&
           kernel->sets->set[kernel->precision][0]->function[CODELET_PACK][pass->length];
}

/* Of narrower vectors lines that have codelets are done one by one, and of shorter lines all that
 * would take a pack and lines beside it. (Experiment "few lines" in docs/experiments.) */
#define PACK_LANES  8
#define PACK_LENGTH 8

int64_t tiles_pack_lanes(const struct kernel *kernel)
{
    const int64_t widest = cpu_widest_lanes(kernel);
    return widest < PACK_LANES ? widest : PACK_LANES;
}

/* Butterflies of this length leave the registers, where steps of a line between vectors of pairs do
 * not. (Experiment "lines of two steps in registers" in docs/experiments.) */
#define LONG_BUTTERFLY 16

/* Whether the set's line codelet is two steps between vectors of pairs. */
static bool is_of_pairs(const struct kernel *kernel, const struct codelet_set *set)
{
    return line_is_of_pairs(set->lanes, kernel->precision, (int)kernel->pass->length);
}

bool tiles_prefer_line_of_pairs(const struct kernel *kernel)
{
    const struct codelet_set *set = tiles_line_set(kernel);
    return set && kernel->pass->length >= LONG_BUTTERFLY && is_of_pairs(kernel, set);
}

bool tiles_fill_packs(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    if (tiles_mirrors(kernel) || !tiles_packed(kernel, shape)) return false;
    if (tiles_prefer_line_of_pairs(kernel)) return false;
    const int64_t columns = shape->columns, lanes = tiles_pack_lanes(kernel);
    const int64_t widest = cpu_widest_lanes(kernel);
    const bool both = columns % lanes != 0 && kernel->pass->length >= PACK_LENGTH;
    if (columns < lanes) return false;
    const bool line = tiles_line_set(kernel) != NULL;
    if (columns < widest && !(line && (both || columns == lanes))) return false;
    return !(ahead_prefers_lines(kernel) && line);
}

const struct codelet_set *tiles_line(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    if (!tiles_direct(kernel) || pass->twiddle_order) return NULL;
    if (!tiles_lines_of_pairs(kernel) || tiles_fill_packs(kernel, &shape)) return NULL;
    return paired_suits(kernel) ? NULL : tiles_line_set(kernel);
}

const struct codelet_set *tiles_line_set(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct codelet_set *best = NULL;
    for (int i = 0; i < kernel->sets->count[kernel->precision]; i++) {
        const struct codelet_set *set = kernel->sets->set[kernel->precision][i];
        if (!codelet_line(set, pass->length)) continue;
        if (!best || (set->lanes == 1 && !is_of_pairs(kernel, best))) best = set;
    }
    return best;
}

/* A split's columns in one step, from place to place. */
bool tiles_whole_split(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct pass *pass = kernel->pass;
    return tiles_direct(kernel) && pass->radices == 1 && pass->twiddle_order &&
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
    if (pairs_suit(kernel)) return true;
    if (abreast_suits(kernel)) return false;
    if (tiles_bare_copy(pass) || pass_sweeps_half(pass)) return true;
    if (kernel->products || tiles_sums(kernel)) return true;
    if (paired_suits(kernel)) return false;
    return tiles_line(kernel) || tiles_whole(kernel) || tiles_whole_split(kernel, &shape);
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
    const bool codelets = line || tiles_whole(kernel) || pairs_suit(kernel);
    if (!shape.line_in || !shape.line_out || !codelets) return columns;
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

/* Tiles across may leave the first-level cache so far. */
#define WIDEST_TILE 2

/* Whether columns that are left over, and fill no vector, are quicker beside those of the last full
 * tile. (Experiment "leftovers" in docs/experiments.) */
static bool takes_rest(const struct kernel *kernel, int64_t tile, int64_t rest)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    const int64_t lanes = cpu_widest_lanes(kernel);
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

/* Of a tile's plane: a line's first step may write a whole vector's lanes where there are fewer,
 * and Rader's lines have their first numbers behind all others. */
static int64_t plane_numbers(const struct kernel *kernel, int64_t columns)
{
    const struct pass *pass = kernel->pass;
    const int64_t vector = cpu_widest_lanes(kernel) * pass->radix[0];
    const bool rader = pass->body == PASS_RADER;
    const int64_t numbers = columns * (rader ? pass->line.n + pass_cofactor(pass) : pass->length);
    return columns == 1 && numbers < vector ? vector : numbers;
}

void tiles_choose(struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    const int64_t staged = staged_columns(kernel), laid = laid_columns(kernel);
    const int64_t most = laid < staged ? laid : staged;
    int64_t tile = 1;
    if (kernel->past) {
        tile = past_columns(kernel, shape.columns);
    } else if (tiles_whole_split(kernel, &shape)) {
        tile = (WHOLE_SPLIT_ELEMENTS / pass->length + 15) / 16 * 16;
        if (tile > shape.columns) tile = shape.columns;
    } else if (is_tileless(kernel)) {
        tile = tileless_columns(kernel, shape.columns < most ? shape.columns : most);
    } else if (tiles_go_across(kernel, &shape)) {
        tile = tiles_across_columns(kernel, shape.columns);
    } else if (paired_suits(kernel)) {
        tile = paired_columns(kernel, shape.columns);
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
    const int64_t numbers = plane_numbers(kernel, widest);
    kernel->tile_plane = pass_parts_parities(pass)
                             ? parity_plane(pass, widest, padding)
                             : (numbers + 15) / 16 * 16 + padding;
    kernel->workspace = (size_t)(4 * kernel->tile_plane * kernel->real_bytes + 63) / 64 * 64;
}
