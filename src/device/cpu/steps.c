/* The Stockham steps of one transform as codelets over rectangles.
 *
 * Before step t, with s = columns * r_1 ... r_{t-1} and m = n / (r_1 ... r_t), element q + s (p + k
 * m) of a buffer holds what butterfly (q, p) takes as its k-th input; its k-th output, times exp(-2
 * pi i p k / (r_t m)), goes to q + s (r_t p + k). The lanes are q, the rows p. With one column the
 * first step has s == 1: its lanes are p, and it stores transposed. (Stockham autosort, Govindaraju
 * et al. 2008, fig. 2, decimated in frequency.) */
#include "base/error.h"
#include "device/cpu/ahead.h"
#include "device/cpu/beside.h"
#include "device/cpu/groups.h"
#include "device/cpu/pairs.h"
#include "device/cpu/pipeline.h"
#include "device/cpu/ragged.h"
#include "device/cpu/scaling.h"
#include "device/cpu/steps.h"
#include "device/cpu/turned.h"

/* ---- codelets ---- */

void pipeline_run_codelet(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const bool inverse =
        op->directed ? tile->direction == WEFT_INVERSE : tile->exchange != op->reversed;
    const bool crossed = op->mixed && inverse;
    const bool swap_from = op->swap_from != (crossed && !op->from_pair);
    const bool swap_to = op->swap_to != (crossed && !op->to_pair);
    char *const re = tile->re[op->from];
    char *const im = op->parts ? re + op->part_bytes : tile->im[op->from];
    const char *in_re = op->from_pair ? tile->base[op->from] : swap_from ? im : re;
    char *in_im = swap_from ? re : im;
    char *out_re = op->to_pair ? tile->base[op->to] : swap_to ? tile->im[op->to] : tile->re[op->to];
    char *out_im = swap_to ? tile->re[op->to] : tile->im[op->to];
    const uintptr_t places = (uintptr_t)out_re | (op->to_pair ? 0 : (uintptr_t)out_im);
    const bool apart = tile->base[CPU_FROM] != tile->base[CPU_TO];
    codelet_function *codelet = op->streamed && apart && places % STREAM_ALIGNMENT == 0
                                    ? op->streamed : op->codelet[inverse];
    codelet(&op->shape[inverse], in_re + op->from_bytes, cpu_further(in_im, op->from_bytes),
            out_re + op->to_bytes, cpu_further(out_im, op->to_bytes),
            cpu_twiddles(op, tile->direction) + tile->index * op->twiddle_tile_bytes,
            op->fine ? op->fine + tile->index * op->fine_tile_bytes : NULL);
}

static bool is_buffer(enum cpu_operand operand)
{
    return operand == CPU_TILE_A || operand == CPU_TILE_B;
}

/* Comes when the operation has its ends and its lanes. Halves of buffers end where others begin. */
static const struct codelet_set *set_for(const struct kernel *kernel,
                                         const struct cpu_operation *op, enum codelet_kind kind,
                                         int radix)
{
    const bool buffers = is_buffer(op->from) && is_buffer(op->to);
    return cpu_sets_best(kernel->sets, kernel->precision, kind, radix,
                         (struct cpu_run){op->shape[0].lanes, kernel->tile_plane,
                                          buffers && !pass_parts_parities(kernel->pass)});
}

/* The kind of codelet between two ends. */
static enum codelet_kind kind_of(struct transform_end from, bool out_pair,
                                 enum codelet_twiddle twiddle)
{
    const bool in_pair = from.pair;
    if (from.parted)
        return twiddle == CODELET_TWIDDLE_LANE ? CODELET_OPEN_PARTED : CODELET_ENTER_PARTED;
    if (from.reals && from.reals->mirrored) return CODELET_REFLECT;
    if (in_pair && out_pair) return CODELET_WHOLE;
    if (out_pair) return CODELET_LEAVE;
    if (in_pair) return twiddle == CODELET_TWIDDLE_LANE ? CODELET_OPEN : CODELET_ENTER;
    if (twiddle == CODELET_TWIDDLE_LANE) return CODELET_OPEN_PLANAR;
    if (twiddle == CODELET_TWIDDLE_SPLIT) return CODELET_STEP_SPLIT;
    return twiddle == CODELET_TWIDDLE_ROW ? CODELET_STEP : CODELET_STEP_PLAIN;
}

struct codelet_shape pipeline_turned(enum codelet_kind kind, int radix, struct codelet_shape shape)
{
    const struct codelet_shape_of_kind *k = &codelet_kinds[kind];
    if (k->in == CODELET_INTERLEAVED) {
        shape.turn = radix * shape.in_leg;
        shape.in_leg = -shape.in_leg;
        shape.twiddle_plane *= 2;
    } else if (k->out == CODELET_INTERLEAVED) {
        shape.turn = radix * shape.out_leg;
        shape.out_leg = -shape.out_leg;
    }
    return shape;
}

void pipeline_set_codelet(struct pipeline_builder *b, struct cpu_operation *op,
                          const struct codelet_set *set, enum codelet_kind kind, int radix)
{
    if (!set || !set->function[kind][radix]) {
        b->failed = true;
        return;
    }
    op->set = set;
    op->kind = kind;
    op->radix = radix;
    if (codelet_is_narrow(set, kind, radix))
        op->shape[WEFT_FORWARD].absent = codelet_absent(set, op->shape[WEFT_FORWARD].lanes);
    op->codelet[WEFT_FORWARD] = set->function[kind][radix];
    op->codelet[WEFT_INVERSE] = set->function[kind == CODELET_PACK ? kind + 1 : kind][radix];
    op->shape[WEFT_INVERSE] = pipeline_turned(kind, radix, op->shape[WEFT_FORWARD]);
    for (int d = 0; d < 2; d++) {
        op->shape[d].set = set;
        op->shape[d].kind = kind == CODELET_PACK ? kind + d : kind;
        op->shape[d].radix = radix;
        if (kind == CODELET_PACK) op->shape[d].exchange = set->exchange[CODELET_PACK_EXCHANGE][d];
    }
    op->mixed = op->from_pair != op->to_pair;
}

void pipeline_set_twiddles(struct pipeline_builder *b, struct cpu_operation *op,
                           const struct cpu_table *table)
{
    if (!table) {
        b->failed = true;
        return;
    }
    op->twiddles = table->data;
    op->shape[0].twiddle_plane = table->plane;
}

/* ---- steps ---- */

/* Strides of the end a step reads: the caller's array for the first step of a tile across, with the
 * rows p; a buffer otherwise. */
static void shape_in(const struct pipeline_builder *b, const struct step *step,
                     struct transform_end from, struct codelet_shape *shape)
{
    shape->rows = step->m;
    shape->lanes = step->s;
    shape->in_row = step->first ? from.stride : step->s;
    shape->in_leg = step->m * shape->in_row;
    if (step->first && !b->across && !step->last) {
        shape->rows = 1;
        shape->lanes = step->m;
        shape->in_row = 0;
    }
}

static void shape_out(const struct pipeline_builder *b, const struct step *step,
                      struct transform_end to, bool split_twiddle, struct codelet_shape *shape)
{
    const int64_t columns = b->pipeline->columns;
    if (!step->last) {
        shape->out_row = step->s * step->radix;
        shape->out_leg = step->s;
        return;
    }
    shape->out_leg = step->s / columns * to.stride;
    if (!b->across || (is_buffer(to.operand) && !split_twiddle)) return;
    /* Rows are the low part of the result's index, lanes the columns. */
    shape->rows = step->s / columns;
    shape->lanes = columns;
    if (!step->first) shape->in_row = columns;
    shape->out_row = to.stride;
}

static enum codelet_twiddle twiddle_of(const struct pipeline_builder *b, const struct step *step,
                                       struct transform_end from, struct transform_end to,
                                       struct transform_twiddle twiddle)
{
    if (step->last) {
        if (twiddle.order) return CODELET_TWIDDLE_SPLIT;
        /* There is no codelet from pairs to planes without twiddles: they are all 1 here. */
        const bool reflects = from.reals && from.reals->mirrored;
        return (from.pair || reflects) && !to.pair ? CODELET_TWIDDLE_ROW : CODELET_TWIDDLE_NONE;
    }
    return step->first && !b->across ? CODELET_TWIDDLE_LANE : CODELET_TWIDDLE_ROW;
}

/* rows: the low part of the result's index, so that result row + k * rows takes that factor. */
static void split_twiddles(struct pipeline_builder *b, struct cpu_operation *op, int64_t rows,
                           struct transform_twiddle twiddle)
{
    const struct table_tiles tiles = {b->first_column, b->pipeline->columns, b->tiles};
    const int64_t order = twiddle.order;
    pipeline_set_twiddles(b, op, table_split(b->kernel, order, 1, rows, tiles));
    const int64_t legs = order / twiddle.columns / rows;
    const struct cpu_table *fine = table_split(b->kernel, order, rows, legs, tiles);
    if (!fine) {
        b->failed = true;
        return;
    }
    op->fine = fine->data;
    op->shape[0].twiddle_row = op->shape[0].fine_leg = tiles.lanes;
    op->shape[0].fine_plane = fine->plane;
    if (b->tiles == 1) return;
    op->twiddle_tile_bytes = 2 * op->shape[0].twiddle_plane * b->kernel->real_bytes;
    op->fine_tile_bytes = 2 * fine->plane * b->kernel->real_bytes;
}

static void step_twiddles(struct pipeline_builder *b, struct cpu_operation *op,
                          const struct step *step, enum codelet_twiddle kind,
                          struct transform_twiddle twiddle, int block)
{
    const int64_t columns = b->pipeline->columns;
    if (kind == CODELET_TWIDDLE_ROW) {
        pipeline_set_twiddles(b, op, table_row(b->kernel, step->radix, step->m));
        op->shape[0].twiddle_row = step->radix - 1;
    } else if (kind == CODELET_TWIDDLE_LANE) {
        pipeline_set_twiddles(b, op, table_lane(b->kernel, step->radix, step->m, block));
        op->shape[0].twiddle_leg = table_lane_leg(step->m, block);
    } else if (kind == CODELET_TWIDDLE_SPLIT) {
        split_twiddles(b, op, step->s / columns, twiddle);
    }
}

static bool is_aligned(const struct kernel *kernel, const struct cpu_operation *op,
                       int64_t elements)
{
    return elements * (op->to_pair ? 2 : 1) * kernel->real_bytes % STREAM_ALIGNMENT == 0;
}

/* The codelet that does the same past the caches; NULL: none does. */
static codelet_function *streamed(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct codelet_shape *shape = &op->shape[0];
    const bool split = op->kind == CODELET_STEP_SPLIT;
    if (!kernel->streams || (!split && op->kind != CODELET_LEAVE)) return NULL;
    if (op->to != CPU_TO || shape->lanes % op->set->lanes != 0) return NULL;
    if (!is_aligned(kernel, op, shape->out_leg) || !is_aligned(kernel, op, shape->out_row))
        return NULL;
    return op->set->function[split ? CODELET_STREAM_SPLIT : CODELET_STREAM][op->radix];
}

/* The last leg's first number has the last of the reals. */
static void use_parted(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct kernel *kernel = b->kernel;
    const struct cpu_table *signs = table_signs(b->kernel, false);
    op->parts = true;
    if (b->across) op->run = turned_enter;
    op->part_bytes = CODELET_PARTED_REALS * (op->shape[0].in_leg - 1) * kernel->real_bytes;
    if (signs) op->fine = (const char *)signs->data + kernel->real_bytes;
    else b->failed = true;
}

/* Whether the first step of a line can read its reals where they lie. */
bool pipeline_opens_parted(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct codelet_set *widest = kernel->sets->set[kernel->precision][0];
    return pass->radices > 1 && pass->length / pass->radix[0] >= widest->lanes &&
           widest->function[CODELET_OPEN_PARTED][pass->radix[0]];
}

static void add_step(struct pipeline_builder *b, const struct step *step, struct transform_end from,
                     struct transform_end to, bool backward, struct transform_twiddle twiddle)
{
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    const enum codelet_twiddle kind = twiddle_of(b, step, from, to, twiddle);
    op->from = from.operand;
    op->to = to.operand;
    op->from_pair = from.pair;
    op->to_pair = to.pair;
    op->swap_from = backward && step->first;
    op->swap_to = backward && step->last;
    shape_in(b, step, from, &op->shape[0]);
    shape_out(b, step, to, kind == CODELET_TWIDDLE_SPLIT, &op->shape[0]);
    const enum codelet_kind codelet = kind_of(from, to.pair, kind);
    op->reversed = backward && (from.pair || to.pair);
    if (from.reals && !beside_use_legs(b->kernel, op, from.reals)) b->failed = true;
    if (from.parted) use_parted(b, op);
    if (sums_open(b->kernel, codelet, step->radix, op->shape[0].lanes)) {
        pipeline_open_sums(b, op, codelet, step->radix);
        return;
    }
    const struct codelet_set *set = set_for(b->kernel, op, codelet, step->radix);
    const int block = set ? codelet_block(set, codelet, step->radix) : 1;
    step_twiddles(b, op, step, kind, twiddle, block);
    pipeline_set_codelet(b, op, set, codelet, step->radix);
    if (b->across && codelet == CODELET_ENTER && from.operand == CPU_FROM)
        b->failed = !ahead_fetch_rows(b->kernel, op) || b->failed;
    if (op->set) op->streamed = streamed(b->kernel, op);
    ragged_use(b, op);
}

struct transform_end steps_add(struct pipeline_builder *b, struct step step, int first, int end,
                               struct transform_end from, struct transform_end to, bool backward,
                               struct transform_twiddle twiddle)
{
    const struct pass *pass = b->kernel->pass;
    struct transform_end here = from;
    for (int t = first; t < end; t++) {
        step.radix = pass->radix[t];
        step.m /= step.radix;
        step.first = t == first;
        step.last = t == pass->radices - 1;
        struct transform_end next =
            tile_end(b, here.operand == CPU_TILE_A ? CPU_TILE_B : CPU_TILE_A);
        if (step.last && to.operand == CPU_TO) next = to;
        else if (step.last) next.pair = to.pair;
        add_step(b, &step, here, next, backward, twiddle);
        if (t + 1 == step.scaling) scaling_of_step(b, &b->operation[b->pipeline->operations - 1]);
        step.s *= step.radix;
        here = next;
    }
    return here;
}

struct transform_end pipeline_transform(struct pipeline_builder *b, struct transform_end from,
                                        struct transform_end to, bool backward,
                                        struct transform_twiddle twiddle)
{
    const struct pass *pass = b->kernel->pass;
    const bool grouped = !backward && !twiddle.order && groups_suit(b, to);
    const int alone = pass->radices - (grouped ? GROUPED_STEPS : 1);
    const struct step step = {.s = b->pipeline->columns,
                              .m = pass->length,
                              .scaling = !backward && scaling_joins_steps(b) ? alone : 0};
    if (!grouped) return steps_add(b, step, 0, pass->radices, from, to, backward, twiddle);
    groups_add(b, steps_add(b, step, 0, alone, from, to, false, twiddle), to);
    return to;
}

struct transform_end pipeline_half(struct pipeline_builder *b, struct transform_end from,
                                   bool backward)
{
    const struct pass *pass = b->kernel->pass;
    const struct step step = {.s = b->pipeline->columns, .m = pass->length / 2};
    return steps_add(b, step, 1, pass->radices, from, tile_end(b, CPU_TILE_B), backward,
                     (struct transform_twiddle){0, 0});
}

/* How many of the lanes the set's codelet takes: whole vectors, or, around a core, which reads
 * lanes of the last one before it writes those of the one before, all from half a vector on. */
static int64_t whole_lanes(const struct kernel *kernel, const struct codelet_set *set,
                           enum codelet_kind kind, int radix, int64_t lanes)
{
    const bool all = codelet_is_by_core(set, kind, radix) &&
                     lanes >= codelet_least_of_core(set, kernel->real_bytes);
    return all ? lanes : lanes / set->lanes * set->lanes;
}

void pipeline_whole(struct pipeline_builder *b, enum codelet_kind kind, int radix,
                    struct codelet_shape shape, int64_t lane_elements,
                    struct transform_twiddle twiddle)
{
    const struct kernel *kernel = b->kernel;
    const struct cpu_sets *sets = kernel->sets;
    const int64_t lanes = shape.lanes;
    const enum cpu_operand source = pipeline_source(b);
    int64_t done = 0;
    for (int i = 0; i < sets->count[kernel->precision] && done < lanes; i++) {
        const struct codelet_set *set = sets->set[kernel->precision][i];
        const int64_t count = whole_lanes(kernel, set, kind, radix, lanes - done);
        if (kind == CODELET_WHOLE && pairs_finish(b, set, &shape, done)) return;
        if (!count || !set->function[kind][radix]) continue;
        struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
        op->from = source;
        op->to = CPU_TO;
        op->from_pair = kernel->format[CPU_FROM] == WEFT_INTERLEAVED;
        op->to_pair = kernel->format[CPU_TO] == WEFT_INTERLEAVED;
        op->shape[0] = shape;
        op->shape[0].lanes = count;
        op->from_bytes = done * lane_elements * kernel->real_bytes * (op->from_pair ? 2 : 1);
        op->to_bytes = done * lane_elements * kernel->real_bytes * (op->to_pair ? 2 : 1);
        /* There is no codelet from pairs to planes without twiddles: they are all 1 here. */
        if (kind == CODELET_ENTER) pipeline_set_twiddles(b, op, table_row(b->kernel, radix, 1));
        if (twiddle.order) {
            split_twiddles(b, op, 1, twiddle);
            if (b->failed) return;
            op->twiddles += done * kernel->real_bytes;
            op->fine += done * kernel->real_bytes;
        }
        pipeline_set_codelet(b, op, set, kind, radix);
        done += count;
    }
}

/* `rows` pieces of lines, `lanes` elements each, from the piece number `first` on. */
static void add_transpose(struct pipeline_builder *b, struct transform_end from,
                          struct transform_end to, int64_t first, int64_t rows, int64_t lanes)
{
    const struct kernel *kernel = b->kernel;
    const int64_t columns = b->pipeline->columns;
    if (!rows || !lanes) return;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from.operand;
    op->to = to.operand;
    op->from_bytes = first * kernel->piece_pitch * kernel->real_bytes;
    op->to_bytes = first * kernel->piece * columns * kernel->real_bytes;
    op->shape[0] = (struct codelet_shape){.rows = rows,
                                          .lanes = lanes,
                                          .in_row = kernel->piece_pitch,
                                          .in_leg = kernel->pass->loop[0].in_stride,
                                          .out_row = lanes * columns};
    const struct codelet_set *set = set_for(kernel, op, CODELET_TRANSPOSE, (int)columns);
    pipeline_set_codelet(b, op, set, CODELET_TRANSPOSE, (int)columns);
    if (from.operand == CPU_FROM) b->failed = !ahead_fetch_rows(kernel, op) || b->failed;
}

bool pipeline_transpose(struct pipeline_builder *b, struct transform_end from,
                        struct transform_end to, int64_t elements)
{
    const int64_t columns = b->pipeline->columns;
    if (from.pair || from.stride != 1 || !b->across || columns > CODELET_MAX_RADIX ||
        !codelet_exists(CODELET_TRANSPOSE, (int)columns)) {
        return false;
    }
    const int64_t piece = b->kernel->piece ? b->kernel->piece : elements;
    add_transpose(b, from, to, 0, elements / piece, piece);
    add_transpose(b, from, to, elements / piece, 1, elements % piece);
    return true;
}
