/* A line that several steps take is read by one of them and written by another, in short runs from
 * all over it: what processors fetch by themselves are streams, and memory idles while there is
 * arithmetic. (Experiment "ahead" in docs/experiments, with all the numbers here.) */
#include "device/cpu/ahead.h"

#include <string.h>

#include "device/cpu/pipeline.h"
#include "device/cpu/ragged.h"
#include "device/cpu/tiles.h"
#include "spec/far_columns.h"

/* What is asked for in a row, in such lines: more, and it is waited for. */
#define BURST 32

/* Both ends of a pass stay in this share of the third level, which others use too. */
#define KEPT_SHARE 3.0

/* Likewise of a sweep whose results nothing reads. (Experiment "reals past the caches".) */
#define RESULTS_SHARE 6

/* Both ends of the next tile lie in this share of the first level, or of the second. */
#define TILE_SHARE 3

/* Fewer tiles in a row, and much of what is asked for is not what comes next. */
#define LEAST_TILES 4

/* Shorter lines, both ends of them, are convolved for longer by the asking. */
#define LEAST_CONVOLVED 2048

/* The shortest lines of halves of spectra that are unfolded while they are near, where both ends
 * take more than this share of the third level: a second sweep over all would find none there.
 * (Experiment "second sweeps" in docs/experiments.) */
#define UNFOLDED_LINE  256
#define UNFOLDED_SHARE 1.5

/* The longest short lines that are streams as they are read: one by one, and so many together as
 * there are lanes. */
#define STREAMED_LINE  1280
#define STREAMED_BLOCK 1536

/* ... which the widest set takes by the vector. */
#define TILE_GRAIN 16

/* The longest lines of reals, several a tile, that are streams anyway. (Experiment "reals
 * ahead".) */
#define STREAMED_REALS 256

/* The shortest line that is a stream by itself. (Experiment "packs".) */
#define STREAM_OF_ONE 256

/* From one number of an array to the next. */
static int64_t element_bytes(const struct kernel *kernel, enum cpu_operand end)
{
    return (kernel->format[end] == WEFT_INTERLEAVED ? 2 : 1) * (int64_t)kernel->real_bytes;
}

/* Of so many steps of a stage. */
static bool leaves_share(const struct kernel *kernel, int64_t steps, double share)
{
    const struct pass *pass = kernel->pass;
    const struct cpu_state *state = kernel->device->state;
    const int64_t both_ends = 4 * pass_lines(pass) * pass->line.n * kernel->real_bytes;
    return (double)both_ends * (double)steps > (double)state->shared_cache_bytes / share;
}

bool ahead_leaves_share(const struct kernel *kernel, double share)
{
    return leaves_share(kernel, 1, share);
}

bool ahead_writes_far(const struct kernel *kernel)
{
    if (!kernel->ends_stage || kernel->pass->from == kernel->pass->to) return false;
    return kernel->ranged ? kernel->far_ranges : ahead_leaves_share(kernel, AHEAD_AXIS_SHARE);
}

bool ahead_results_leave(const struct kernel *kernel)
{
    return leaves_share(kernel, kernel->steps, RESULTS_SHARE);
}

bool ahead_leaves_caches(const struct kernel *kernel)
{
    return leaves_share(kernel, kernel->steps, KEPT_SHARE);
}

/* Of a tile's lines, where they are one run of memory; otherwise 0. */
static int64_t run_bytes(const struct kernel *kernel, enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    const bool out = end == CPU_TO;
    const struct reals *reals = &pass->reals[out];
    const int64_t columns = kernel->main.columns, n = reals->parts ? reals->n : pass->line.n;
    if (pass_stride(pass, &pass->line, out) != 1) return 0;
    if (reals->parts && columns > 1 && n * kernel->real_bytes <= STREAMED_REALS) return 0;
    if (columns > 1 && pass_stride(pass, &pass->loop[0], out) != n) return 0;
    return columns * n * element_bytes(kernel, end);
}

/* What else wants to stay: the tile of a convolution, which is longer than its lines, and its
 * spectrum. */
static int64_t bytes_beside(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t numbers = pass->body == PASS_RADER ? pass->line.n : pass->length;
    return pass->body == PASS_TRANSFORM ? 0 : 6 * numbers * kernel->real_bytes;
}

void ahead_choose(struct kernel *kernel)
{
    if (kernel->descends || kernel->meets || kernel->past) return;
    if (kernel->pass->body == PASS_COPY) return;
    if (kernel->full_tiles < LEAST_TILES || !ahead_leaves_caches(kernel)) return;
    struct cpu_ahead *ahead = &kernel->ahead;
    for (int e = CPU_FROM; e <= CPU_TO; e++) {
        const enum cpu_operand end = (enum cpu_operand)e;
        if (kernel->staged[end].storage) continue;
        ahead->bytes[end] = run_bytes(kernel, end);
        ahead->step[end] = kernel->tile_step[end] * element_bytes(kernel, end);
    }
    const int64_t both_ends = ahead->bytes[CPU_FROM] + ahead->bytes[CPU_TO];
    const int64_t *cache = kernel->device->limits.cache_bytes;
    const int64_t least = kernel->pass->body == PASS_TRANSFORM ? 1 : LEAST_CONVOLVED;
    ahead->wanted =
        both_ends >= least && both_ends + bytes_beside(kernel) <= cache[1] / TILE_SHARE;
    ahead->near = both_ends <= cache[0] / TILE_SHARE;
}

static bool unfolds_near(const struct kernel *kernel, int64_t line)
{
    const bool unfolds = tiles_mirrors(kernel) && kernel->pass->half == PASS_HALF_SPREAD;
    return unfolds && line >= UNFOLDED_LINE && ahead_leaves_share(kernel, UNFOLDED_SHARE);
}

/* 0: nothing says so. */
static int64_t short_lines(const struct kernel *kernel, bool together)
{
    const int64_t line = 2 * kernel->pass->length * kernel->real_bytes;
    const int64_t lanes = cpu_widest_lanes(kernel);
    const int64_t fit = kernel->device->limits.cache_bytes[0] / TILE_SHARE / (2 * line);
    const bool streams = together ? lanes * line <= STREAMED_BLOCK : line <= STREAMED_LINE;
    if (streams && !unfolds_near(kernel, line)) return 0;
    return together ? fit / TILE_GRAIN * TILE_GRAIN : fit;
}

int64_t ahead_columns(const struct kernel *kernel, int64_t columns, bool together)
{
    const int64_t lines = ahead_leaves_caches(kernel) ? short_lines(kernel, together) : 0;
    return lines > 0 && lines < columns ? lines : columns;
}

/* Beyond the caches if a block of lines is no stream; beyond the second level if one line is. */
bool ahead_prefers_lines(const struct kernel *kernel)
{
    const int64_t line = 2 * kernel->pass->length * kernel->real_bytes;
    const int64_t lanes = cpu_widest_lanes(kernel);
    if (lanes * line <= STREAMED_BLOCK) return false;
    if (line < STREAM_OF_ONE) return ahead_leaves_caches(kernel);
    return 2 * pass_lines(kernel->pass) * line > kernel->device->limits.cache_bytes[1];
}

/* ---- rows ---- */

/* What both ends of a pass take of the third level before rows that begin anywhere in a line are
 * asked for, in lines how far ahead, and the shortest runs of planes that are: shorter ones come by
 * themselves. (Experiments "rows ahead" and "ragged rows".) */
#define RAGGED_SHARE 1.4
#define LINES_AHEAD  128
#define SHORTEST_RUN 1024

/* ... where vectors are half a line: of rows a power of two apart a smaller second level holds
 * fewer. */
#define HALVED_LINES_AHEAD 32

bool ahead_reads_far(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct cpu_state *state = kernel->device->state;
    const int64_t ends = pass->from == pass->to ? 1 : 2;
    const int64_t bytes = 2 * ends * pass_lines(pass) * pass->line.n * kernel->real_bytes;
    if (kernel->staged[CPU_FROM].storage) return false;
    return bytes > far_sweep_bytes(&kernel->device->limits, state->shared_cache_bytes) ||
           (double)bytes * (double)kernel->steps > (double)state->shared_cache_bytes;
}

static bool has_far_rows(const struct kernel *kernel, const struct codelet_fetch *fetch, bool pairs)
{
    if (!ahead_reads_far(kernel)) return false;
    const bool ragged = fetch->row % CODELET_LINE_BYTES != 0;
    if (ragged && !ahead_leaves_share(kernel, RAGGED_SHARE)) return false;
    return fetch->rows > 1 && (pairs || fetch->legs * fetch->run >= SHORTEST_RUN);
}

/* Rows that begin anywhere in a line end in one more. */
static int64_t line_more(int64_t pitch)
{
    return pitch % CODELET_LINE_BYTES != 0 ? CODELET_LINE_BYTES : 0;
}

bool ahead_fetch_rows(const struct kernel *kernel, struct cpu_operation *op)
{
    const struct codelet_shape *shape = &op->shape[0];
    const int64_t bytes = element_bytes(kernel, CPU_FROM);
    const int64_t step = kernel->tile_step[CPU_FROM] * bytes;
    const bool descends = ragged_descends(kernel, 0); /* of most arrays, where they decide */
    struct codelet_fetch fetch = {.rows = shape->rows,
                                  .row = shape->in_row * bytes,
                                  .legs = op->radix,
                                  .leg = shape->in_leg * bytes,
                                  .run = shape->lanes * bytes + line_more(shape->in_row * bytes),
                                  .next = descends ? -step : step};
    if (!op->set || !has_far_rows(kernel, &fetch, op->from_pair)) return true;
    const int64_t planes = op->from_pair ? 1 : 2;
    const int64_t run_lines = (fetch.run + CODELET_LINE_BYTES - 1) / CODELET_LINE_BYTES;
    const int64_t lines = planes * fetch.legs * run_lines;
    const bool halved = limits_halve_lines(&kernel->device->limits);
    const int64_t ahead = halved ? HALVED_LINES_AHEAD : LINES_AHEAD;
    fetch.ahead = (ahead + lines - 1) / lines;
    struct codelet_fetch *kept = arena_alloc(kernel->arena, sizeof *kept);
    if (!kept) return false;
    *kept = fetch;
    op->shape[WEFT_FORWARD].fetch = op->shape[WEFT_INVERSE].fetch = kept;
    return true;
}

/* ---- a step's columns ---- */

/* Both ends of all steps keep to this share of the third level. (Experiment "swept steps".) */
#define SWEPT_SHARE 4.5

/* Whether the pass reads each of its lines' numbers, as pairs where they lie. */
static bool reads_all_pairs(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return kernel->format[CPU_FROM] == WEFT_INTERLEAVED && !pass->real_in &&
           !kernel->real_place[CPU_FROM] && !pass->chirp_before && !pass->hook[0] &&
           !pass->range[0].range.count && !kernel->fill.runs && pass->half == PASS_NO_HALF;
}

/* Bytes that the pass reads, if they are one run of memory; otherwise 0. */
static int64_t run_of_all(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t elements = pass_lines(pass) * pass->line.n;
    int64_t last = (pass->line.n - 1) * pass->line.in_stride;
    for (int l = 0; l < pass->loops; l++) {
        if (pass->loop[l].in_stride <= 0) return 0;
        last += (pass->loop[l].n - 1) * pass->loop[l].in_stride;
    }
    const bool packed = pass->line.in_stride > 0 && last + 1 == elements;
    return packed && reads_all_pairs(kernel) ? elements * element_bytes(kernel, CPU_FROM) : 0;
}

/* Columns that a step begins with, which no cache has: nobody fetches their short runs, but all of
 * them from end to end are a stream. It takes loads that wait, not requests. (Experiment "swept
 * steps".) */
void ahead_choose_sweep(struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    const bool across = !shape.line_in && tiles_go_across(kernel, &shape);
    if (kernel->steps == 1 || kernel->threads > 1 || !across || kernel->staged[CPU_FROM].storage)
        return;
    if (kernel->pass->body != PASS_TRANSFORM) return;
    if (!leaves_share(kernel, kernel->steps, SWEPT_SHARE)) return;
    const int64_t bytes = run_of_all(kernel);
    if (2 * bytes <= kernel->device->limits.cache_bytes[1]) kernel->swept = bytes;
}

void ahead_sweep(const struct kernel *kernel, const struct device_memory *from)
{
    const int64_t first = from->first + kernel->pass->offset[CPU_FROM];
    const char *place = (const char *)from->re + first * element_bytes(kernel, CPU_FROM);
    for (int64_t i = 0; i < kernel->swept; i += CODELET_LINE_BYTES)
        (void)*(const volatile char *)(place + i);
}

/* ---- the next tile ---- */

/* What the first operation reads of a tile: `runs` of so many bytes, `pitch` bytes apart. */
struct tile_runs {
    int64_t runs, run, pitch;
};

/* Pieces of rows are one run, where they lie in blocks; columns have one for each of their rows. */
static struct tile_runs runs_of(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct codelet_shape *shape = &op->shape[0];
    const int64_t bytes = element_bytes(kernel, CPU_FROM);
    const int64_t lanes = shape->lanes * bytes, pitch = shape->in_row * bytes;
    if (op->kind == CODELET_ENTER && shape->in_leg == shape->rows * shape->in_row)
        return (struct tile_runs){shape->rows * op->radix, lanes, pitch};
    if (op->kind == CODELET_TRANSPOSE && shape->in_leg == shape->lanes)
        return (struct tile_runs){shape->rows, op->radix * lanes, pitch};
    return (struct tile_runs){0, 0, 0};
}

/* Both tile buffers and what comes next stay in this share of the second level. Short runs a power
 * of two apart reach few of its sets. (Experiment "onward".) */
#define ONWARD_SHARE       1
#define ONWARD_SHORT_SHARE 2
#define ONWARD_SHORT_RUN   512

static bool stays_until_read(const struct kernel *kernel, const struct tile_runs *runs)
{
    const int64_t tile = 2 * kernel->main.columns * kernel->pass->length * kernel->real_bytes;
    const int64_t share = runs->run < ONWARD_SHORT_RUN ? ONWARD_SHORT_SHARE : ONWARD_SHARE;
    return 3 * tile <= kernel->device->limits.cache_bytes[1] / share;
}

/* How often the operation asks: with each butterfly, or with each leg of a group of them. */
static int64_t times_of(const struct cpu_operation *op)
{
    const struct codelet_shape *shape = &op->shape[0];
    if (op->grouped) return op->lanes / op->group * op->grouped->radix;
    return shape->rows * ((shape->lanes + op->set->lanes - 1) / op->set->lanes);
}

/* Middle steps have no codelets that do: those are short lines' as well. */
static bool goes_onward(const struct cpu_operation *op)
{
    const bool has = op->streamed || codelet_kinds[op->kind].onward;
    if (op->grouped || op->ragged) return true;
    return op->set && has && op->run == pipeline_run_codelet;
}

struct codelet_onward ahead_onward(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const char *re = tile->re[CPU_FROM], *im = tile->im[CPU_FROM];
    const bool planes = tile->kernel->format[CPU_FROM] == WEFT_PLANAR;
    const uintptr_t first = (uintptr_t)(planes ? re : tile->base[CPU_FROM]);
    if (!op->onward) return (struct codelet_onward){0};
    struct codelet_onward onward = *op->onward;
    const int64_t more = line_more(onward.run * CODELET_LINE_BYTES + onward.gap);
    const bool turned = tile->descends != tile->kernel->descends;
    onward.place = first + (uintptr_t)(turned ? more - op->onward_bytes : op->onward_bytes);
    if (planes && im) onward.plane = (uintptr_t)im - (uintptr_t)re;
    return onward;
}

int64_t ahead_lines_a_row(const struct cpu_operation *op)
{
    const int64_t rows = op->shape[0].rows * op->radix;
    return op->onward ? (op->onward->lines * times_of(op) + rows - 1) / rows : 0;
}

void ahead_run(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    if (!op->onward) {
        pipeline_run_codelet(op, tile);
        return;
    }
    struct codelet_onward onward = ahead_onward(op, tile);
    struct cpu_operation asking = *op;
    for (int d = 0; d < 2; d++) asking.shape[d].onward = &onward;
    pipeline_run_codelet(&asking, tile);
}

static bool ask_onward(const struct kernel *kernel, const struct tile_runs *runs,
                       struct cpu_operation *op)
{
    const int64_t step = kernel->tile_step[CPU_FROM] * element_bytes(kernel, CPU_FROM);
    const int64_t run = (runs->run + CODELET_LINE_BYTES - 1) / CODELET_LINE_BYTES;
    const int64_t count = times_of(op);
    struct codelet_onward *onward = arena_alloc(kernel->arena, sizeof *onward);
    if (!onward) return false;
    *onward = (struct codelet_onward){.lines = (runs->runs * run + count - 1) / count,
                                      .run = run,
                                      .left = run,
                                      .gap = runs->pitch - run * CODELET_LINE_BYTES};
    if (!op->grouped && !op->ragged) op->run = ahead_run;
    op->onward = onward;
    /* The line that the next tile begins in is the last one of this tile. */
    op->onward_bytes = kernel->descends ? -step : step + line_more(runs->pitch);
    return true;
}

bool ahead_go_onward(const struct kernel *kernel, struct cpu_pipeline *pipeline)
{
    const int operations = pipeline->operations;
    const struct cpu_operation *first = &pipeline->operation[0];
    if (operations < 2 || !first->set || first->from != CPU_FROM) return true;
    const struct tile_runs runs = runs_of(kernel, first);
    struct cpu_operation *last = &pipeline->operation[operations - 1];
    if (!runs.runs || !goes_onward(last) || !ahead_reads_far(kernel)) return true;
    return !stays_until_read(kernel, &runs) || ask_onward(kernel, &runs, last);
}

/* ---- pieces of operations ---- */

/* Of an operation's rectangle. */
struct piece {
    int64_t row, rows, lane, lanes;
};

static int pieces_of(const struct kernel *kernel, const struct cpu_operation *op)
{
    const int64_t bytes = kernel->ahead.bytes[CPU_FROM] + kernel->ahead.bytes[CPU_TO];
    const struct codelet_shape *shape = &op->shape[0];
    if (!op->set) return 1;
    int64_t pieces = bytes / (CODELET_LINE_BYTES * BURST) / kernel->main.operations;
    const int64_t rows = shape->rows > 1 ? shape->rows : shape->lanes / op->set->lanes;
    const int64_t most = CPU_MAX_OPERATIONS / kernel->main.operations;
    if (pieces > rows) pieces = rows;
    if (pieces > most) pieces = most;
    return pieces > 1 ? (int)pieces : 1;
}

/* The i-th of so many: rows, or whole vectors of lanes where there is one row. */
static struct piece find_piece(const struct cpu_operation *op, int i, int pieces)
{
    const int64_t rows = op->shape[0].rows, lanes = op->shape[0].lanes;
    if (rows > 1) {
        const int64_t row = rows * i / pieces;
        return (struct piece){row, rows * (i + 1) / pieces - row, 0, lanes};
    }
    const int64_t width = op->set->lanes, vectors = lanes / width;
    const int64_t lane = vectors * i / pieces * width;
    const int64_t end = i + 1 == pieces ? lanes : vectors * (i + 1) / pieces * width;
    return (struct piece){0, 1, lane, end - lane};
}

static struct cpu_operation operation_of(const struct kernel *kernel,
                                         const struct cpu_operation *op, struct piece piece)
{
    const struct codelet_shape_of_kind *kind = &codelet_kinds[op->kind];
    const struct codelet_shape *shape = &op->shape[0];
    const int64_t bytes = kernel->real_bytes;
    const bool turned = kind->out == CODELET_TRANSPOSED || kind->out == CODELET_PACKED;
    const int64_t lane_out = turned ? op->radix : 1;
    const bool parted = kind->in == CODELET_PARTED;
    const int64_t reals = parted ? CODELET_PARTED_REALS : op->from_pair ? 2 : 1;
    struct cpu_operation part = *op;
    part.from_bytes += (piece.row * shape->in_row + piece.lane) * bytes * reals;
    if (parted) part.part_bytes -= 2 * piece.lane * bytes * reals; /* what lies backwards */
    part.to_bytes +=
        (piece.row * shape->out_row + piece.lane * lane_out) * bytes * (op->to_pair ? 2 : 1);
    if (kind->twiddle == CODELET_TWIDDLE_ROW)
        part.twiddles += piece.row * shape->twiddle_row * bytes;
    if (kind->twiddle == CODELET_TWIDDLE_LANE) part.twiddles += piece.lane * bytes;
    if (kind->twiddle == CODELET_TWIDDLE_PAIR)
        part.twiddles += piece.lane * CODELET_PAIR_REALS * (op->radix - 1) * bytes;
    for (int d = 0; d < 2; d++) {
        part.shape[d].rows = piece.rows;
        part.shape[d].lanes = piece.lanes;
        if (op->kind == CODELET_PAIRS_PARTED) part.shape[d].turn = -2 * piece.lane;
    }
    return part;
}

bool ahead_divide(struct kernel *kernel)
{
    struct cpu_pipeline *main = &kernel->main;
    if (!kernel->ahead.wanted || main->columns > 1) return true;
    const size_t size = sizeof *main->operation;
    struct cpu_operation *divided = arena_alloc(kernel->arena, CPU_MAX_OPERATIONS * size);
    if (!divided) return false;
    int count = 0;
    for (int o = 0; o < main->operations; o++) {
        const struct cpu_operation *op = &main->operation[o];
        const int pieces = pieces_of(kernel, op);
        for (int i = 0; i < pieces && pieces > 1; i++)
            divided[count++] = operation_of(kernel, op, find_piece(op, i, pieces));
        if (pieces == 1) divided[count++] = *op;
    }
    main->operation = divided;
    main->operations = count;
    return true;
}

/* ---- while tiles are computed ---- */

static void fetch(const char *tile, int64_t first, int64_t end, bool near)
{
    for (int64_t i = first; i < end; i += CODELET_LINE_BYTES) {
        const void *place = (const void *)((uintptr_t)tile + (uintptr_t)i);
        if (near) __builtin_prefetch(place, 0, 3);
        else __builtin_prefetch(place, 0, 2);
    }
}

void ahead_fetch(const struct cpu_tile *tile, int part, int parts)
{
    const struct kernel *kernel = tile->kernel;
    const struct cpu_ahead *ahead = &kernel->ahead;
    const bool in_place = tile->base[CPU_TO] == tile->base[CPU_FROM];
    for (int end = CPU_FROM; end <= (in_place ? CPU_FROM : CPU_TO); end++) {
        const int64_t share = ahead->bytes[end] / parts;
        const int64_t first = ahead->step[end] + part * share;
        const bool planes = kernel->format[end] == WEFT_PLANAR && !kernel->real_place[end];
        fetch(planes ? tile->re[end] : tile->base[end], first, first + share, ahead->near);
        if (planes) fetch(tile->im[end], first, first + share, ahead->near);
    }
}
