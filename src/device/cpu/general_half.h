/* Half a spectrum at one end of the lines (enum pass_half): a part of general_template.h. */
#include "device/cpu/general_reals.h"
#include "device/cpu/mirror.h"

/* What the operations need of the half, found once for a tile. */
struct half {
    enum pass_half kind;
    int64_t n, h;                  /* reals, and n / 2, or n of two lines and of what is extended:
                                    * numbers k and h - k belong together */
    int64_t start, line, column;   /* element e of column c is number start + e line + c column */
    int64_t step;                  /* reals from one number of the half to the next, */
    int64_t pair;                  /* ... and to that of the other half */
    int64_t kept;                  /* numbers that are written */
    int64_t rows;                  /* of the line's split, whose elements k follow one another so */
    REAL sign;                     /* the inverse direction's spectrum is the conjugate */
    const REAL *root;              /* exp(-2 pi i k / n); NULL: none are needed */
    int64_t root_plane;            /* from their real to their imaginary parts */
    struct real_end in, out;
    const struct cpu_mirrors *mirrors;
};

/* Written field by field: short lines notice a copy of it. */
static struct half half_of(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct pass *pass = tile->kernel->pass;
    const bool pairs = tile->kernel->format[CPU_FROM] == WEFT_INTERLEAVED;
    struct half half;
    half.kind = pass->half;
    half.n = pass->half_n;
    const bool whole = pass_half_pairs(pass) || pass->half == PASS_HALF_EXTEND;
    half.h = whole ? pass->half_n : pass->half_n / 2;
    half.start = 0;
    half.line = pass->half_map.line;
    half.column = pass->half_map.loop[0];
    half.step = pass->half_stride * (pairs ? 2 : 1);
    half.pair = pass->half_pair *
                (tile->kernel->format[pass_scatters_half(pass)] == WEFT_INTERLEAVED ? 2 : 1);
    half.rows = pass->half_rows;
    half.kept = half.kind == PASS_HALF_REFLECT ? half.n / 2 + 1 : pass_half_elements(pass, true);
    half.sign = tile->direction == WEFT_INVERSE && pass_half_directed(pass) ? -1 : 1;
    half.root = (const REAL *)op->half_table;
    half.root_plane = op->half_plane;
    half.mirrors = mirrors_of(tile->kernel);
    set_real_end(&half.in, op, pass, false);
    set_real_end(&half.out, op, pass, true);
    for (int l = 0; l < pass->loops; l++)
        half.start += pass->half_map.loop[l] * tile->counter[l];
    return half;
}

/* Reals have imaginary parts of 0. */
static inline struct complex read_place(const struct side *s, int64_t at)
{
    return (struct complex){s->re[at], s->im ? s->im[at] : 0};
}

static bool gathers_half(const struct half *half)
{
    return half->kind >= PASS_HALF_EXTEND || half->kind == PASS_HALF_UNFOLD;
}

static inline int64_t half_index(const struct half *half, int64_t e, int64_t c)
{
    return half->start + half->line * e + half->column * c;
}

/* Whether element e of every column is number e. */
static bool counts_numbers(const struct half *half)
{
    return half->start == 0 && half->line == 1 && half->column == 0;
}

static inline struct complex turned(const struct half *half, struct complex x)
{
    return (struct complex){x.re, half->sign * x.im};
}

/* x + conj y, and (x - conj y) exp(-2 pi i k / n). */
struct even_odd {
    struct complex even, odd;
};

static inline struct even_odd even_and_odd(const struct half *half, struct complex x,
                                           struct complex y, int64_t k)
{
    const REAL re = half->root[k], im = half->root[k + half->root_plane];
    const struct complex even = {x.re + y.re, x.im - y.im}, rest = {x.re - y.re, x.im + y.im};
    const struct complex odd = {rest.re * re - rest.im * im, rest.re * im + rest.im * re};
    return (struct even_odd){even, odd};
}

/* In these `at` is the place of number k of the half. */
static inline struct complex extend(const struct half *half, const struct side *s, int64_t at,
                                    int64_t k)
{
    struct complex x;
    if (2 * k < half->n) {
        x = turned(half, read_place(s, at));
        if (k == 0) x.im = 0; /* only spectra of complex data have this part */
        return x;
    }
    x = turned(half, read_place(s, at + (half->n - 2 * k) * half->step));
    return (struct complex){x.re, -x.im};
}

static inline struct complex fold_pair(const struct half *half, struct complex x, struct complex y,
                                       int64_t k)
{
    if (k == 0) x.im = y.im = 0; /* only spectra of complex data have these parts */
    const struct even_odd parts = even_and_odd(half, x, y, k);
    return (struct complex){parts.even.re - parts.odd.im, parts.even.im + parts.odd.re};
}

static inline struct complex fold(const struct half *half, const struct side *s, int64_t at,
                                  int64_t k)
{
    const struct complex x = turned(half, read_place(s, at));
    const struct complex y = turned(half, read_place(s, at + (half->h - 2 * k) * half->step));
    return fold_pair(half, x, y, k);
}

static inline struct complex unfold(const struct half *half, const struct side *s, int64_t at,
                                    int64_t k)
{
    const int64_t own = k == half->h ? 0 : k, other = k == 0 ? 0 : half->h - k;
    const struct complex x = read_place(s, at + (own - k) * half->step);
    const struct complex y = read_place(s, at + (other - k) * half->step);
    const struct even_odd parts = even_and_odd(half, x, y, k);
    const REAL part = (REAL)0.5;
    return turned(half, (struct complex){part * (parts.even.re + parts.odd.im),
                                         part * (parts.even.im - parts.odd.re)});
}

/* Number k of a line whose reals stand for more. */
static struct complex read_reflected(const struct half *half, const REAL *line, int64_t k)
{
    const struct complex x = read_number(&half->in, line, k);
    if (half->kind != PASS_HALF_FOLD) return x;
    return fold_pair(half, x, read_number(&half->in, line, half->h - k), k);
}

/* Element e of the caller's line at column c, as the transform takes it. */
static inline __attribute__((always_inline)) struct complex
read_line(const struct half *half, const struct side *s, int64_t e, int64_t c)
{
    const int64_t at = e * s->line + c * s->column;
    const int64_t k = half_index(half, e, c);
    if (half->in.reals->parts) return read_reflected(half, s->re + at - k * half->in.stride, k);
    if (!gathers_half(half)) return read_place(s, at);
    if (half->kind == PASS_HALF_EXTEND) return extend(half, s, at, k);
    return half->kind == PASS_HALF_FOLD ? fold(half, s, at, k) : unfold(half, s, at, k);
}

/* Likewise where few are read. */
static SELDOM struct complex read_one(const struct half *half, const struct side *s, int64_t e,
                                      int64_t c)
{
    return read_line(half, s, e, c);
}

/* Whether number n - k is in the same row as number k. */
static inline bool is_own_mirror(const struct half *half, int64_t k)
{
    return 2 * k % half->rows == 0;
}

/* Writes a result, scaled where the scatter does it, unless it is in the half that is not kept. */
static inline void write_line(const struct half *half, REAL factor, const struct side *s, int64_t e,
                              int64_t c, struct complex x)
{
    x = (struct complex){x.re * factor, x.im * factor};
    int64_t at = e * s->line + c * s->column;
    if (half->kind == PASS_HALF_CUT || half->kind == PASS_HALF_REFLECT) {
        const int64_t k = half_index(half, e, c);
        x = turned(half, x);
        if (k >= half->kept && (half->kind == PASS_HALF_CUT || is_own_mirror(half, k))) return;
        /* Number n - k would go to the same reals. */
        if (k >= half->kept && !half->out.reals->parts) {
            at += (half->n - 2 * k) * (s->line / half->line);
            x.im = -x.im;
        }
    }
    if (half->out.reals->parts) {
        const int64_t k = half_index(half, e, c);
        write_number(&half->out, s->re + at - k * half->out.stride, k, x);
        return;
    }
    s->re[at] = x.re;
    if (s->im) s->im[at] = x.im;
}

/* The scale that the scatter applies. */
static REAL scatter_factor(const struct cpu_tile *tile)
{
    const struct kernel *kernel = tile->kernel;
    return tiles_scatters_some(kernel->pass) ? (REAL)kernel->scale[tile->direction] : 1;
}

static void copy_mapped(const struct cpu_operation *op, const struct cpu_tile *tile,
                        const struct half *half, const struct side *from, const struct side *to)
{
    const REAL factor = scatter_factor(tile);
    for (int64_t e = 0; e < op->elements; e++) {
        for (int64_t c = 0; c < op->columns; c++)
            write_line(half, factor, to, e, c, read_line(half, from, e, c));
    }
}

/* ---- reals that stand for more ---- */

/* Neighbours of element e, or of column c, whichever are along the vectors of the tile. */
static struct row row_of(const struct half *half, int64_t stride, const struct side *s,
                         const struct side *complex, bool across, int64_t index)
{
    const int64_t e = across ? index : 0, c = across ? 0 : index, k = half_index(half, e, c);
    const int64_t by = across ? half->column : half->line;
    const int64_t line_step = (across ? s->column : s->line) - by * stride;
    const int64_t at = e * complex->line + c * complex->column;
    const int64_t zero = e * s->line + c * s->column - k * stride;
    return (struct row){.k = k,
                        .by = by,
                        .line = s->re + zero,
                        .line_im = s->im ? s->im + zero : NULL,
                        .line_step = line_step,
                        .re = complex->re + at,
                        .im = complex->im + at,
                        .step = across ? complex->column : complex->line};
}

/* z[k] of X[k], which is `own`, and X[h-k]. */
static inline __attribute__((always_inline)) void
fold_steps(const struct chunk *restrict own, const struct chunk *restrict other,
           const REAL *restrict root_re, const REAL *restrict root_im, int64_t by,
           REAL *restrict re, REAL *restrict im, int64_t step, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        keep_apart(step);
        const REAL a = root_re[j * by], b = root_im[j * by];
        const REAL x = own->re[j] - other->re[j], y = own->im[j] + other->im[j];
        re[j * step] = own->re[j] + other->re[j] - (x * b + y * a);
        im[j * step] = own->im[j] - other->im[j] + (x * a - y * b);
    }
}

static void fold_chunk(const struct half *half, const struct row *row, const struct chunk *own,
                       const struct chunk *other)
{
    const REAL *re = half->root + row->k, *im = re + half->root_plane;
    const int64_t count = row->count;
    if (row->step != 1)
        fold_steps(own, other, re, im, row->by, row->re, row->im, row->step, count);
    else if (row->by == 1)
        fold_steps(own, other, re, im, 1, row->re, row->im, 1, count);
    else if (row->by == 0)
        fold_steps(own, other, re, im, 0, row->re, row->im, 1, count);
    else
        fold_steps(own, other, re, im, row->by, row->re, row->im, 1, count);
}

static void load_half(const struct half *half, const struct row *row)
{
    const int64_t step = row->line_step + row->by * half->step, last = row->count - 1;
    const REAL *re = row->line + row->k * half->step, *im = row->line_im + row->k * half->step;
    if (step == 2 && im == re + 1) {
        part_steps(row->re, 1, row->im, 1, re, 1, half->sign, row->count);
    } else if (step == -2 && im == re + 1) {
        part_steps(row->re + last, -1, row->im + last, -1, re - 2 * last, 1, half->sign,
                   row->count);
    } else {
        weigh(row->re, 1, re, step, 1, row->count);
        weigh(row->im, 1, im, step, half->sign, row->count);
    }
    /* Only spectra of complex data have these parts. */
    const int64_t zeros = row->k % half->h != 0 ? 0 : row->by ? 1 : row->count;
    for (int64_t i = 0; i < zeros; i++)
        row->im[i] = 0;
}

static void load_numbers(const struct half *half, const struct row *row)
{
    if (!half->in.reals->parts) load_half(half, row);
    else if (row->line_im) gather_two(&half->in, row);
    else gather_row(&half->in, row);
}

static void fold_row(const struct half *half, const struct row *row)
{
    struct chunk own, other;
    for (int64_t i = 0; i < row->count; i += CHUNK) {
        struct row part = *row;
        part.count = shorter(CHUNK, row->count - i);
        part.k += i * row->by;
        part.line += i * row->line_step;
        if (part.line_im) part.line_im += i * row->line_step;
        struct row mirrored = part;
        part.re = own.re;
        part.im = own.im;
        mirrored.k = half->h - part.k;
        mirrored.by = -part.by;
        mirrored.re = other.re;
        mirrored.im = other.im;
        part.step = mirrored.step = 1;
        load_numbers(half, &part);
        load_numbers(half, &mirrored);
        part.re = row->re + i * row->step;
        part.im = row->im + i * row->step;
        part.step = row->step;
        fold_chunk(half, &part, &own, &other);
    }
}

static void gather_reflected(const struct cpu_operation *op, const struct half *half,
                             const struct side *from, const struct side *to)
{
    const bool across = op->columns > 1;
    const int64_t stride = half->in.reals->parts ? half->in.stride : half->step;
    for (int64_t i = 0; i < (across ? op->elements : 1); i++) {
        struct row row = row_of(half, stride, from, to, across, i);
        row.count = across ? op->columns : op->elements;
        if (half->kind == PASS_HALF_FOLD) fold_row(half, &row);
        else load_numbers(half, &row);
    }
}

static void scatter_reflected(const struct cpu_operation *op, const struct half *half, REAL factor,
                              const struct side *from, const struct side *to)
{
    const bool across = op->columns > 1;
    for (int64_t i = 0; i < (across ? op->elements : 1); i++) {
        struct row row = row_of(half, half->out.stride, to, from, across, i);
        row.count = across ? op->columns : op->elements;
        scatter_row(&half->out, &row, factor);
        if (!row.line_im) continue;
        row.line = row.line_im;
        row.re = row.im;
        scatter_row(&half->out, &row, factor);
    }
}

#include "device/cpu/general_pair.h"
#include "device/cpu/general_split.h"
#include "device/cpu/general_lone.h"

/* ---- unfolding ---- */

/* Some numbers as they are scattered: k, k + by, ... of one column, or, by 0, number k of the
 * columns from c on. */
struct unfolded {
    int64_t k, by, c, count;
    struct chunk *chunk;
};

/* X[k], which is `own`, and X[h-k] of Z[k] and Z[h-k]: one product does for both. */
static inline __attribute__((always_inline)) void
unfold_steps(const REAL *restrict own_re, const REAL *restrict own_im, int64_t own_step,
             const REAL *restrict other_re, const REAL *restrict other_im, int64_t other_step,
             const REAL *restrict root_re, const REAL *restrict root_im, int64_t root_step,
             int64_t count, struct chunk *restrict own, struct chunk *restrict other)
{
    const REAL part = (REAL)0.5;
    for (int64_t j = 0; j < count; j++) {
        keep_apart(own_step);
        const REAL xr = part * own_re[j * own_step], xi = part * own_im[j * own_step];
        const REAL yr = part * other_re[j * other_step], yi = part * other_im[j * other_step];
        const REAL a = root_re[j * root_step], b = root_im[j * root_step];
        const REAL odd_re = (xr - yr) * a - (xi + yi) * b, odd_im = (xr - yr) * b + (xi + yi) * a;
        own->re[j] = xr + yr + odd_im;
        own->im[j] = xi - yi - odd_re;
        other->re[j] = xr + yr - odd_im;
        other->im[j] = yi - xi - odd_re;
    }
}

static void unfold_chunk(const struct half *half, const struct side *from, int64_t k, int64_t c,
                         bool across, int64_t count, struct chunk *own, struct chunk *other)
{
    const int64_t x = k * from->line + c * from->column;
    const int64_t y = (k == 0 ? 0 : half->h - k) * from->line + c * from->column;
    const REAL *root = half->root + k, *root_im = root + half->root_plane;
    const int64_t step = across ? from->column : from->line;
    const REAL *xr = from->re + x, *xi = from->im + x, *yr = from->re + y, *yi = from->im + y;
    if (across && step == 1)
        unfold_steps(xr, xi, 1, yr, yi, 1, root, root_im, 0, count, own, other);
    else if (step == 1)
        unfold_steps(xr, xi, 1, yr, yi, -1, root, root_im, 1, count, own, other);
    else
        unfold_steps(xr, xi, step, yr, yi, across ? step : -step, root, root_im, !across, count,
                     own, other);
}

static inline __attribute__((always_inline)) void
store_steps(const struct chunk *restrict chunk, REAL *restrict re, REAL *restrict im, int64_t step,
            REAL re_factor, REAL im_factor, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        keep_apart(step);
        re[j * step] = re_factor * chunk->re[j];
        im[j * step] = im_factor * chunk->im[j];
    }
}

/* As half a spectrum. Pairs are one run of memory. */
static void store_half(const struct half *half, REAL factor, const struct side *to,
                       const struct unfolded *some)
{
    const int64_t at = some->k * to->line + some->c * to->column;
    const int64_t step = some->by ? some->by * to->line : to->column;
    REAL *re = to->re + at, *im = to->im + at;
    if (step == 2 && im == re + 1)
        store_steps(some->chunk, re, re + 1, 2, factor, factor * half->sign, some->count);
    else
        store_steps(some->chunk, re, im, step, factor, factor * half->sign, some->count);
}

static __attribute__((noinline)) void
store_unfolded(const struct half *half, REAL factor, const struct side *to,
                           const struct unfolded *some)
{
    if (!half->out.reals->parts) {
        store_half(half, factor, to, some);
        return;
    }
    const struct row row = {.count = some->count,
                            .k = some->k,
                            .by = some->by,
                            .line = to->re + some->c * to->column,
                            .line_step = some->by ? 0 : to->column,
                            .re = some->chunk->re,
                            .im = some->chunk->im,
                            .step = 1};
    scatter_row(&half->out, &row, factor);
}

/* X[k] of one line of two, or the reals of that and of its mirror, X[h-k]. */
static void store_parted(const struct half *half, REAL factor, const struct side *to,
                         const struct unfolded *some)
{
    struct chunk chunk;
    const bool mirrors = half->out.reals->parts == 1 && some->k > 0;
    const struct unfolded mirrored = {half->h - some->k, -some->by, some->c, some->count, &chunk};
    for (int64_t j = 0; mirrors && j < some->count; j++) {
        chunk.re[j] = some->chunk->re[j];
        chunk.im[j] = -some->chunk->im[j];
    }
    store_unfolded(half, factor, to, some);
    if (mirrors) store_unfolded(half, factor, to, &mirrored);
}

/* Numbers k and h - k, or k of two halves; if across, those of `count` columns from c on. */
static void unfold_some(const struct half *half, REAL factor, const struct side *from,
                        const struct side *to, int64_t k, int64_t c, bool across, int64_t count)
{
    struct chunk own, other;
    const struct unfolded first = {k, !across, c, count, &own};
    if (half->kind == PASS_HALF_PART) {
        const struct side pair = {to->re + half->pair, to->im + half->pair, to->line, to->column};
        const struct unfolded second = {k, !across, c, count, &other};
        part_chunk(half, from, k, c, across, count, &own, &other);
        store_parted(half, factor, to, &first);
        store_parted(half, factor, &pair, &second);
    } else {
        const struct unfolded second = {half->h - k, across ? 0 : -1, c, count, &other};
        unfold_chunk(half, from, k, c, across, count, &own, &other);
        store_unfolded(half, factor, to, &first);
        store_unfolded(half, factor, to, &second);
    }
}

/* Whole lines: along them, or, where they are short or columns closer to each other, along columns.
 */
static void scatter_unfolded(const struct cpu_operation *op, REAL factor, const struct half *half,
                             const struct side *from, const struct side *to)
{
    const int64_t last = half->h / 2, columns = op->columns;
    const bool parts = half->kind == PASS_HALF_PART && !half->out.reals->parts;
    const enum two_lines lines = parts ? find_two_lines(half, to, from, columns) : TWO_ANYWHERE;
    if (lines) {
        part_two_lines(op, half, factor, from, to, lines);
        return;
    }
    /* Half a spectrum is found with less ado. */
    const int64_t few = half->out.reals->parts ? TILES_SHORT_LINE : TILES_SHORT_LINE / 4;
    const bool beside = llabs(to->column) < llabs(to->line) || half->h <= few;
    const bool follow = half->kind != PASS_HALF_PART || from->column == 1;
    const bool across = columns > 1 && beside && follow;
    for (int64_t k = 0; across && k <= last; k++) {
        for (int64_t c = 0; c < columns; c += CHUNK)
            unfold_some(half, factor, from, to, k, c, true, shorter(CHUNK, columns - c));
    }
    for (int64_t c = 0; !across && c < columns; c++) {
        unfold_some(half, factor, from, to, 0, c, false, 1);
        for (int64_t k = 1; k <= last; k += CHUNK)
            unfold_some(half, factor, from, to, k, c, false, shorter(CHUNK, last + 1 - k));
    }
}
