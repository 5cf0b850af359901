/* How a pass is cut into blocks: columns of a tile, threads, steps and their order. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/block_corners.h"
#include "kernel/block_state.h"
#include "spec/block_counts.h"
#include "spec/block_half.h"

/* One end of the pass: how far neighbouring elements and neighbouring columns lie apart. */
struct end {
    int64_t line, column;
    int64_t together; /* elements of a line with its folds that follow one another so */
};

static struct end end_of(const struct pass *pass, bool out)
{
    const struct dim *column = pass->loops ? &pass->loop[0] : NULL;
    struct end end = {.line = llabs(pass_stride(pass, &pass->line, out)), .together = pass->line.n};
    for (int i = 0; i < pass->folds; i++) {
        const struct dim *dim = &pass->fold[i].dim;
        if (pass_stride(pass, dim, out) != end.together * pass_stride(pass, &pass->line, out))
            break;
        end.together *= dim->n;
    }
    if (column) end.column = llabs(pass_stride(pass, column, out));
    return end;
}

/* Neighbouring threads' elements that are neighbours in memory, if `run` of them follow a line. */
static int64_t line_run(const struct block_shape *shape, const struct end *end, int64_t run)
{
    if (end->line != 1) return 1;
    if (run > end->together) return end->together;
    return run == shape->length && end->column == run ? run * shape->columns : run;
}

static int64_t column_run(const struct block_shape *shape, const struct end *end)
{
    return end->column == 1 ? shape->columns : 1;
}

static bool columns_first(const struct block_shape *shape, const struct end *end, int64_t run)
{
    int64_t line = line_run(shape, end, run), column = column_run(shape, end);
    if (run == 1 && line <= column) return true;
    return line == column ? end->column < end->line && shape->columns > 1 : column > line;
}

static int64_t best_run(const struct block_shape *shape, const struct end *end, int64_t run)
{
    int64_t line = line_run(shape, end, run), column = column_run(shape, end);
    return line > column ? line : column;
}

/* True if a step that takes or makes runs of elements would leave the end less coalesced than
 * moving single ones. */
static bool wants_move(const struct block_shape *shape, const struct end *end, int64_t run,
                       int64_t coalesced)
{
    int64_t direct = best_run(shape, end, run);
    int64_t moved = best_run(shape, end, shape->length);
    return least(direct, coalesced) < least(moved, coalesced);
}

/* A step that moves single elements. */
static void add_move(struct block_shape *shape, bool order)
{
    shape->step[shape->steps++] = (struct block_step){
        .radix = 1, .before = 1, .n = shape->length, .inner = 1, .turned = 1,
        .columns_first = order};
}

/* What unfolds a line's results as they are scattered, or an image's, or folds those. */
static void add_mirrored(struct block_shape *shape, const struct pass *pass, bool order)
{
    const bool rader = pass->body == PASS_RADER, shares = shape->cluster > 1;
    const int64_t n = shares ? shape->length : pass_line_elements(pass);
    shape->step[shape->steps++] = (struct block_step){
        .radix = pass_reflects(pass) ? block_corners(pass) : 2, .before = 1,
        .n = rader ? shape->length - 1 : n, .inner = 1, .turned = 1,
        .columns_first = order, .mirrored = true, .omits_zero = rader,
        .mirrors = shares ? shape->run[1] / 2 : 0,
        .image = pass->folds > 0 ? pass : NULL};
}

static void add_axis(struct block_shape *shape, int64_t n, int64_t inner, int radices,
                     const int *radix, bool reversed)
{
    int64_t before = 1;
    for (int i = 0; i < radices; i++) {
        int r = radix[reversed ? radices - 1 - i : i];
        shape->step[shape->steps++] =
            (struct block_step){.radix = r, .before = before, .n = n, .inner = inner, .turned = 1};
        before *= r;
    }
}

/* A block has so many columns of the split, then so many rows. */
static void add_split(struct block_shape *shape, const struct pass *pass)
{
    const int cut = pass_cluster_cut(pass);
    int64_t columns = shape->length / shape->run[0], rows = shape->length / shape->run[1];
    add_axis(shape, columns, shape->run[0], cut, pass->radix, false);
    shape->sending = shape->steps - 1;
    add_axis(shape, rows, shape->run[1], pass->radices - cut, pass->radix + cut, false);
    for (int s = shape->sending + 1; s < shape->steps; s++)
        shape->step[s].turned = columns;
}

/* The slowest axis first: its first step takes whole rows, and the line's last step, which is the
 * last of all, makes runs. */
static void add_transform(struct block_shape *shape, const struct pass *pass, bool reversed)
{
    int first = shape->steps;
    int64_t inner = shape->length;
    for (int i = pass->folds - 1; i >= 0; i--) {
        const struct pass_fold *fold = &pass->fold[i];
        inner /= fold->dim.n;
        add_axis(shape, fold->dim.n, inner, fold->radices, fold->radix, reversed);
    }
    int64_t n = pass->folds > 0 ? pass->line.n : shape->length;
    if (shape->cluster > 1) add_split(shape, pass);
    else add_axis(shape, n, 1, pass->radices, pass->radix, reversed);
    if (shape->steps == first) add_move(shape, false);
}

/* Elements of the tile that follow one another as an axis's first step takes them, or as its last
 * one makes them. */
static int64_t run_of(const struct block_step *step)
{
    return step->n / step->radix * step->inner;
}

static void add_body(struct block_shape *shape, const struct pass *pass)
{
    add_transform(shape, pass, false);
    if (!pass_convolves(pass)) return;
    shape->turn = shape->steps - 1;
    add_transform(shape, pass, block_turns_back(pass));
}

/* Runs of elements that the body's first step takes and its last one makes. */
struct ends_runs {
    int64_t in, out;
};

static struct ends_runs runs_of(const struct block_shape *shape, const struct pass *pass)
{
    struct block_shape body = {.length = shape->length};
    if (shape->cluster > 1) return (struct ends_runs){shape->run[0], shape->run[1]};
    add_body(&body, pass);
    return (struct ends_runs){run_of(&body.step[0]), run_of(&body.step[body.steps - 1])};
}

/* Whether a step, done in that order, has mirrored elements in one thread; rows: of a cluster, in
 * its rows, or its columns. */
static bool can_pair(const struct block_shape *shape, int s, bool order, bool rows,
                     weft_precision precision, const struct limits *limits)
{
    const struct block_half_step step = {shape->columns, shape->length, shape->step[s].radix,
                                         shape->threads, shape->run[rows], !order};
    return block_half_pairs(&step, precision, limits);
}

/* What unfolds or parts a line's results. */
static void end_mirrored(struct block_shape *shape, const struct pass *pass, int begin, bool order,
                         weft_precision precision, const struct limits *limits)
{
    const int s = shape->steps - 1;
    struct block_step *last = &shape->step[s];
    if (s == begin || pass->folds > 0 || pass_convolves(pass) ||
        !can_pair(shape, s, order, true, precision, limits)) {
        add_mirrored(shape, pass, order);
        return;
    }
    last->paired = true;
    last->columns_first = order;
    last->mirrors = shape->cluster > 1 ? shape->run[1] / 2 : 0;
}

/* What folds a line's numbers. */
static void begin_mirrored(struct block_shape *shape, const struct pass *pass, bool order,
                           weft_precision precision, const struct limits *limits)
{
    struct block_step *first = &shape->step[0];
    const bool deals = pass_cluster_mirrors(pass) == PLAN_COLUMN_MIRRORS;
    if (shape->cluster > 1 && !deals) return;
    first->paired = can_pair(shape, 0, order, false, precision, limits);
    shape->mirrors[0] = deals && first->paired;
    first->mirrors = shape->mirrors[0] ? shape->run[0] / 2 : 0;
}

static void choose_steps(struct block_shape *shape, const struct pass *pass,
                         weft_precision precision, const struct limits *limits)
{
    const int64_t elements = limits->coalescing_bytes / (2 * precision_bytes(precision));
    const int64_t coalesced = elements > 1 ? elements : 1;
    struct end in = end_of(pass, false), out = end_of(pass, true);
    shape->steps = 0;
    shape->turn = -1;
    struct ends_runs run = runs_of(shape, pass);
    bool permutes = pass->body == PASS_RADER;
    /* A cluster's tile has no longer runs than these. */
    bool may_move = shape->cluster == 1;
    bool moves_in = permutes || (may_move && wants_move(shape, &in, run.in, coalesced));
    bool moves_out = permutes || (may_move && wants_move(shape, &out, run.out, coalesced));
    bool order_in = columns_first(shape, &in, moves_in ? shape->length : run.in);
    bool order_out = columns_first(shape, &out, moves_out ? shape->length : run.out);

    const bool folds = pass->folds > 0 && pass->half == PASS_HALF_FOLD;
    if (folds) add_mirrored(shape, pass, columns_first(shape, &in, shape->length));
    else if (moves_in) add_move(shape, order_in);
    moves_in |= folds;
    int begin = shape->steps;
    add_body(shape, pass);
    for (int s = begin; s < shape->steps; s++) shape->step[s].columns_first = order_in;
    if (pass_folds_line(pass) && begin == 0)
        begin_mirrored(shape, pass, order_in, precision, limits);
    /* The last step can take an order of its own unless it is bound to the first one's. */
    if (pass_half_mirrors(pass)) {
        end_mirrored(shape, pass, begin, columns_first(shape, &out, shape->length), precision,
                     limits);
        return;
    }
    bool bound = shape->steps - begin < 2 || shape->turn == shape->steps - 2;
    moves_out = moves_out || (bound && order_in != order_out && !moves_in);
    if (moves_out) {
        add_move(shape, columns_first(shape, &out, shape->length));
    } else {
        if (bound && moves_in) shape->step[begin].columns_first = order_out;
        shape->step[shape->steps - 1].columns_first = order_out;
    }
}

static void take_tile(struct block_shape *shape, const struct pass *pass,
                      const struct block_tile *tile)
{
    memset(shape, 0, sizeof *shape);
    shape->columns = tile->columns;
    shape->length = tile->length;
    shape->threads = tile->threads;
    shape->cluster = pass->cluster > 0 ? pass->cluster : 1;
    shape->resident = tile->resident;
    shape->sending = -1;
    shape->mirrors[1] = pass_cluster_mirrors(pass) == PLAN_ROW_MIRRORS;
    for (int out = 0; out < 2 && pass->cluster > 0; out++)
        shape->run[out] = pass_cluster_run(pass, out);
    shape->tiles = quotient_up(pass->loops ? pass->loop[0].n : 1, tile->columns);
    shape->chunks = pass->body == PASS_COPY ? quotient_up(pass->line.n, tile->length) : 1;
}

#define NO_FIT INT64_MAX

static bool is_power_of_two(int64_t x)
{
    return (x & (x - 1)) == 0;
}

/* NO_FIT, or the conflicts of parts that are exchanged together, as pairs, or apart. */
static int64_t try_exchange(struct block_shape *shape, const struct limits *limits, int words,
                            bool apart)
{
    int64_t conflicts;
    shape->apart = apart;
    words *= apart ? 1 : 2;
    bool fits = block_choose_layouts(shape, limits->simd_width, words,
                                     limits->shared_bytes / (4 * words), &conflicts);
    return fits ? conflicts : NO_FIT;
}

/* Components together or apart: as the tile would have it, unless that does not fit or, of a power
 * of two, only the other way is free of conflicts. Returns the conflicts, or NO_FIT. */
static int64_t choose_exchange(struct block_shape *shape, const struct limits *limits, int words,
                               bool apart)
{
    struct block_shape other = *shape;
    int64_t conflicts = try_exchange(shape, limits, words, apart);
    bool settled = conflicts == 0 || !is_power_of_two(shape->length * shape->columns);
    if (conflicts != NO_FIT && settled) return conflicts;
    int64_t other_conflicts = try_exchange(&other, limits, words, !apart);
    if (other_conflicts >= conflicts) return conflicts;
    *shape = other;
    return other_conflicts;
}

bool block_choose_shape(struct block_shape *shape, const struct program *program,
                        const struct pass *pass, const struct limits *limits)
{
    weft_precision precision = program->problem.precision;
    int bytes = precision_bytes(precision);
    struct block_tile tile = {.columns = 2 * BLOCK_TILE_MOST_COLUMNS};
    int64_t fewest = NO_FIT;
    /* Padding may make a tile too large that would just have fitted; and powers of two, which can
     * do without conflicts, shall not have them for want of space. */
    while (tile.columns > 1 && fewest > 0 &&
           block_tile_choose(pass, precision, limits, tile.columns / 2, &tile)) {
        struct block_shape other;
        take_tile(&other, pass, &tile);
        choose_steps(&other, pass, precision, limits);
        int64_t conflicts = choose_exchange(&other, limits, bytes / 4, tile.apart);
        if (conflicts < fewest) *shape = other;
        if (conflicts < fewest) fewest = conflicts;
        if (fewest != NO_FIT && !is_power_of_two(other.length * other.columns)) break;
    }
    if (fewest != NO_FIT) return true;
    error_set(WEFT_ERROR_UNSUPPORTED,
              "a block of %lld elements needs %lld bytes of shared memory, %s has %lld",
              (long long)pass->length, (long long)(pass->length * bytes), limits->name,
              (long long)limits->shared_bytes);
    return false;
}
