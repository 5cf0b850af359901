/* The general operations for one precision: included with REAL, the OTHER type and
 * its OTHER_STORAGE, and GENERAL_TABLE defined. */
#include <stdlib.h>
#include <string.h>

#include "device/cpu/factors.h"
#include "device/cpu/general.h"
#include "device/cpu/tiles.h"

/* One side of an operation: element e of column c at [e * line + c * column]. */
struct side {
    REAL *re, *im;        /* im == NULL: reals, for read_line() and write_line() alone */
    int64_t line, column; /* in reals */
};

struct complex {
    REAL re, im;
};

/* What is seldom done, or takes long for each number anyway: short rather than fast. */
#define SELDOM __attribute__((cold, noinline))

static struct side tile_side(const struct cpu_operation *op, const struct cpu_tile *tile,
                             enum cpu_operand operand)
{
    return (struct side){(REAL *)tile->re[operand], (REAL *)tile->im[operand], op->columns, 1};
}

static struct side caller_side(const struct cpu_operation *op, const struct cpu_tile *tile,
                               enum cpu_operand operand)
{
    const struct pass *pass = tile->kernel->pass;
    const bool out = operand == CPU_TO;
    const int64_t unit = tile->kernel->format[out] == WEFT_INTERLEAVED ? 2 : 1;
    const int64_t line = out ? pass->line.out_stride : pass->line.in_stride;
    int64_t column = 0;
    if (pass->loops) column = out ? pass->loop[0].out_stride : pass->loop[0].in_stride;
    (void)op;
    return (struct side){(REAL *)tile->re[operand], (REAL *)tile->im[operand], unit * line,
                         unit * column};
}

/* The table index of element 0 of the tile's first column. */
static int64_t table_start(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    int64_t index = 0;
    for (int l = 0; l < tile->kernel->pass->loops; l++) {
        index += op->table_map.loop[l] * tile->counter[l];
    }
    return index;
}

static inline struct complex times(const struct cpu_operation *op, struct complex x, int64_t index)
{
    const REAL *re = (const REAL *)op->table;
    const REAL *im = re + op->table_plane;
    const REAL a = re[index], b = op->conjugate ? -im[index] : im[index];
    return (struct complex){x.re * a - x.im * b, x.re * b + x.im * a};
}

/* In a loop: compilers make no vectors of its numbers. */
#define ONE_BY_ONE() __asm__ volatile("")

/* Likewise where compilers do not see how far apart they lie, which is `step`: they would put
 * vectors together number by number and part them again, in a multiple of the text. (Experiment
 * "text" in docs/experiments.) */
static inline __attribute__((always_inline)) void keep_apart(int64_t step)
{
    if (!__builtin_constant_p(step)) ONE_BY_ONE();
}

/* ---- gather and scatter ---- */

static inline struct complex read_side(const struct side *s, int64_t e, int64_t c)
{
    const int64_t at = e * s->line + c * s->column;
    return (struct complex){s->re[at], s->im[at]};
}

static inline void write_side(const struct side *s, int64_t e, int64_t c, struct complex x)
{
    const int64_t at = e * s->line + c * s->column;
    s->re[at] = x.re;
    s->im[at] = x.im;
}

/* Short runs are most of them: one loop, which nothing is decided before. */
static inline void scale_run(REAL *run, int64_t count, REAL factor)
{
    typedef REAL vector __attribute__((vector_size(32), aligned(sizeof(REAL)), may_alias));
    const int64_t lanes = sizeof(vector) / sizeof(REAL);
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        *(vector *)(run + i) *= factor;
    for (; i < count; i++)
        run[i] *= factor;
}

#include "device/cpu/general_half.h"
#include "device/cpu/general_hook.h"
#include "device/cpu/general_storage.h"
#include "device/cpu/general_table.h"
#include "device/cpu/general_permuted.h"
#include "device/cpu/general_parity.h"

/* Numbers that stand for others, permuted or times a table. */
static void gather_mapped(const struct cpu_operation *op, const struct cpu_tile *tile,
                          const struct half *half, struct side from, struct side to)
{
    const int64_t start = table_start(op, tile);
    for (int64_t e = 0; e < op->elements; e++) {
        const int64_t place = op->permutation ? op->permutation[e] : e;
        for (int64_t c = 0; c < op->columns; c++) {
            const int64_t index = start + op->table_map.line * e + op->table_map.loop[0] * c;
            struct complex x = {0, 0};
            if (!op->table || index < op->table_end) {
                x = read_line(half, &from, place, c);
                if (op->table) x = times(op, x, index);
            }
            write_side(&to, e, c, x);
        }
    }
}

/* A line that comes to lie as it lay, but for the gaps between its pieces. */
static void join_pieces(const struct cpu_operation *op, const struct kernel *kernel,
                        struct side from, struct side to)
{
    for (int64_t done = 0; done < op->elements; done += kernel->piece) {
        const int64_t left = op->elements - done;
        const int64_t count = left < kernel->piece ? left : kernel->piece;
        memcpy(to.re + done, from.re, (size_t)count * sizeof *to.re);
        memcpy(to.im + done, from.im, (size_t)count * sizeof *to.im);
        from.re += kernel->piece_pitch;
        from.im += kernel->piece_pitch;
    }
}

/* Lines that lie in pieces: scratch in blocks. */
static void gather_pieces(const struct cpu_operation *op, const struct kernel *kernel,
                          struct side from, struct side to)
{
    if (op->columns == 1 && from.line == 1 && to.line == 1) {
        join_pieces(op, kernel, from, to);
        return;
    }
    struct cpu_operation part = *op;
    for (int64_t done = 0; done < op->elements; done += kernel->piece) {
        const int64_t left = op->elements - done;
        part.elements = left < kernel->piece ? left : kernel->piece;
        gather_plain(&part, from, to);
        from.re += kernel->piece_pitch;
        from.im += kernel->piece_pitch;
        to.re += kernel->piece * to.line;
        to.im += kernel->piece * to.line;
    }
}

static void gather(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side from = caller_side(op, tile, op->from);
    const struct side to = tile_side(op, tile, op->to);
    const struct half half = half_of(op, tile);
    const bool mapped = op->table || op->permutation;
    if (tile->kernel->hook[0]) {
        gather_hooked(op, tile, &half, &from, &to);
        return;
    }
    if (!mapped && (half.in.reals->parts || half.kind == PASS_HALF_FOLD)) {
        gather_reflected(op, &half, &from, &to);
    } else if (half.kind == PASS_HALF_EXTEND && !mapped && from.im && half.column == 1) {
        gather_extended(op, &half, &from, &to);
    } else if (half.kind == PASS_HALF_EXTEND && !mapped && from.im && op->columns == 1 &&
               counts_numbers(&half)) {
        gather_extended_line(op, &half, &from, &to);
    } else if (half.kind == PASS_HALF_JOIN) {
        gather_joined(op, &half, &from, &to);
    } else if (!mapped && !gathers_half(&half) && !from.im) {
        gather_lone(op, &from, &to);
    } else if (gathers_half(&half) || !from.im) {
        gather_mapped(op, tile, &half, from, to);
    } else if (op->table) {
        gather_table(op, tile, &from, &to);
    } else if (op->to_pair) {
        gather_permuted_pairs(op, tile, from.line);
    } else if (op->permutation) {
        gather_permuted(op, &from, &to);
    } else if (tile->kernel->piece) {
        gather_pieces(op, tile->kernel, from, to);
    } else {
        gather_plain(op, from, to);
    }
    clear_end(op, &to);
    if (!op->root_table) return;
    const struct side second = further_on(to, op->root_bytes);
    clear_end(op, &second);
}

/* Not all results are written as they are. */
static void scatter_mapped(const struct cpu_operation *op, const struct cpu_tile *tile,
                           struct side from, struct side to)
{
    const int64_t start = table_start(op, tile);
    const struct half half = half_of(op, tile);
    const REAL factor = scatter_factor(tile);
    for (int64_t e = 0; e < op->elements; e++) {
        const int64_t place = op->permutation ? op->permutation[e] : e;
        for (int64_t c = 0; c < op->columns; c++) {
            const int64_t index = start + op->table_map.line * e + op->table_map.loop[0] * c;
            struct complex x = read_side(&from, e, c);
            if (op->table && index >= op->table_end) continue;
            if (op->table) x = times(op, x, index);
            write_line(&half, factor, &to, place, c, x);
        }
    }
}

/* Whether numbers are written as they are, but for a factor. */
static bool scatters_numbers(const struct pass *pass, const struct side *to)
{
    return to->im && pass->half == PASS_NO_HALF && !pass->reals[1].parts;
}

/* Results that are not written each in its own place. */
static void scatter_half(const struct cpu_operation *op, const struct cpu_tile *tile,
                         const struct half *half, const struct side *from, const struct side *to)
{
    if (half->kind == PASS_HALF_REFLECT)
        scatter_rows(op, half, scatter_factor(tile), from, to);
    else if (op->fine)
        scatter_columns(op, tile, half, from, to);
    else if (op->table)
        scatter_slow_columns(op, tile, half, from, to);
    else
        scatter_unfolded(op, scatter_factor(tile), half, from, to);
}

#include "device/cpu/general_twiddle.h"

static void scatter(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side from = tile_side(op, tile, op->from);
    const struct side to = caller_side(op, tile, op->to);
    const struct pass *pass = tile->kernel->pass;
    const struct half half = half_of(op, tile);
    const bool mapped = op->table || op->permutation;
    if (tile->kernel->hook[1]) {
        scatter_hooked(op, tile, &from, &to);
    } else if (pass_half_mirrors(pass) || pass->half == PASS_HALF_REFLECT) {
        scatter_half(op, tile, &half, &from, &to);
    } else if (pass->reals[1].parts && !mapped) {
        scatter_reflected(op, &half, scatter_factor(tile), &from, &to);
    } else if (!mapped && (half.kind == PASS_HALF_CUT ? counts_numbers(&half) : !to.im)) {
        scatter_lone(op, &half, scatter_factor(tile), &from, &to);
    } else if (op->table && scatters_numbers(pass, &to)) {
        scatter_table(op, tile, &from, &to);
    } else if (tiles_scatters_some(pass)) {
        scatter_mapped(op, tile, from, to);
    } else if (op->from_pair) {
        scatter_permuted_pairs(op, tile, to.line);
    } else if (op->permutation) {
        scatter_permuted(op, &from, &to);
    } else if (op->fine) {
        scatter_twiddled(op, tile, &from, &to);
    } else {
        gather_plain(op, from, to);
    }
}

/* ---- products ---- */

static void multiply(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    multiply_tile(op, tile, 0);
}

#include "device/cpu/general_product.h"

/* Element 0 of every column. */
static SELDOM void rader_first(const struct cpu_operation *op, const struct cpu_tile *tile,
                               const struct half *half, const struct side *at)
{
    const struct side from = caller_side(op, tile, CPU_FROM);
    const struct side to = caller_side(op, tile, CPU_TO);
    const REAL factor = scatter_factor(tile);
    for (int64_t c = 0; c < op->columns; c++) {
        const struct complex first = read_one(half, &from, 0, c), sum = read_side(at, 0, c);
        write_line(half, factor, &to, 0, c,
                   (struct complex){first.re + sum.re, first.im + sum.im});
        const struct complex product = times(op, sum, 0);
        write_side(at, 0, c, (struct complex){product.re + first.re, product.im + first.im});
    }
}

static void rader(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side at = tile_side(op, tile, op->from);
    const struct half half = half_of(op, tile);
    if (tile->kernel->hook[0] || tile->kernel->hook[1]) rader_hooked(op, tile, &half, &at);
    else rader_first(op, tile, &half, &at);
    multiply_tile(op, tile, 1);
}

static __attribute__((noinline)) void scale_rows(const struct codelet_shape *shape, REAL *re,
                                                 REAL *im, int64_t unit, REAL factor)
{
    for (int64_t leg = 0; leg < shape->turn; leg++) {
        for (int64_t row = 0; row < shape->rows; row++) {
            const int64_t at = unit * (leg * shape->out_leg + row * shape->out_row);
            scale_run(re + at, unit * shape->lanes, factor);
            if (im) scale_run(im + at, shape->lanes, factor);
        }
    }
}

/* One run of pairs is what short lines have. */
static void scale(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                  void *out_re, void *out_im, const void *factors, const void *fine)
{
    const REAL factor = ((const REAL *)factors)[shape->twiddle_plane];
    const bool planes = shape->fine_plane != 0, one = shape->turn == 1 && shape->rows == 1;
    (void)in_re, (void)in_im, (void)fine;
    if (one && !planes) scale_run(out_re, 2 * shape->lanes, factor);
    else scale_rows(shape, out_re, planes ? out_im : NULL, planes ? 1 : 2, factor);
}

#include "device/cpu/general_sweep.h"

static void copy(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side from = caller_side(op, tile, CPU_FROM), to = caller_side(op, tile, CPU_TO);
    const struct half half = half_of(op, tile);
    if (tile->kernel->pass->spectrum_given) {
        multiply_lines(op, tile, &from, &to);
    } else if (tile->kernel->hook[0] || tile->kernel->hook[1]) {
        copy_hooked(op, tile, &half, &from, &to);
    } else if (half.kind == PASS_HALF_UNFOLD || half.kind == PASS_HALF_PART) {
        scatter_unfolded(op, scatter_factor(tile), &half, &from, &to);
    } else if (half.kind == PASS_HALF_JOIN) {
        gather_joined(op, &half, &from, &to);
    } else if (sweeps_reals(&half, &from, &to)) {
        sweep_reals(op, &half, scatter_factor(tile), &from, &to);
    } else if (gathers_half(&half) || tiles_scatters_some(tile->kernel->pass) || !from.im) {
        copy_mapped(op, tile, &half, &from, &to);
    } else if (from.re != to.re) { /* otherwise it lies where it shall */
        gather_plain(op, from, to);
    }
}

static bool fill_roots(const struct root_range *range, const struct root_table *roots, void *re,
                       void *im)
{
    if (range->stride == 1) {
        return TABLE_FILL(roots, range->first, range->step, range->count, re, im);
    }
    REAL re_chunk[2048], im_chunk[2048];
    if (!TABLE_FILL(roots, range->first, range->step, range->count, re_chunk, im_chunk)) {
        return false;
    }
    for (int64_t j = 0; j < range->count; j++) {
        ((REAL *)re)[j * range->stride] = re_chunk[j];
        ((REAL *)im)[j * range->stride] = im_chunk[j];
    }
    return true;
}

/* Reflects roots 0 .. at/2 of a circle to at/2 .. at, the angle of `at` being 1/parts of a turn. */
static void reflect(REAL *re, REAL *im, int64_t at, int parts)
{
    for (int64_t k = 0; 2 * k < at; k++) {
        const REAL x = re[k], y = im[k];
        re[at - k] = parts == 4 ? -y : parts == 2 ? -x : x;
        im[at - k] = parts == 4 ? -x : parts == 2 ? y : -y;
    }
}

static bool fill_circle(int64_t n, void *re, void *im)
{
    const int parts = n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 1;
    const int64_t first = n / parts / 2 + 1;
    if (!ROOTS_FILL(n, 0, 1, first, re, im)) return false;
    for (int p = parts; p > 1; p /= 2)
        reflect(re, im, n / p, p);
    /* The whole turn would be written to index n: it stops short of it. */
    REAL *x = re, *y = im;
    for (int64_t k = 1; 2 * k < n; k++) {
        x[n - k] = x[k];
        y[n - k] = -y[k];
    }
    return true;
}

static void pick_roots(const struct root_range *range, const void *circle, void *re, void *im)
{
    const REAL *circle_re = circle, *circle_im = circle_re + range->n;
    int64_t index = 0;
    for (int64_t j = 0; j < range->count; j++) {
        ((REAL *)re)[j * range->stride] = circle_re[index];
        ((REAL *)im)[j * range->stride] = circle_im[index];
        index += range->step;
        if (index >= range->n) index -= range->n;
    }
}

#include "device/cpu/general_turns.h"

const struct cpu_general GENERAL_TABLE = {
    .load = LOADS,
    .store = STORES,
    .gather = gather,
    .scatter = scatter,
    .multiply = multiply,
    .part = part,
    .join = join,
    .product = product,
    .twiddle = twiddle,
    .rader = rader,
    .scale = scale,
    .copy = copy,
    .fill_roots = fill_roots,
    .fill_circle = fill_circle,
    .pick_roots = pick_roots,
    .lay_turns = lay_turns,
    .scale_reals = scale_reals,
};
