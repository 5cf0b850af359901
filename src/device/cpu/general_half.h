/* Half a spectrum at one end of the lines (enum pass_half): a part of general_template.h. */
#include "device/cpu/general_reals.h"

/* What the operations need of the half, found once for a tile. */
struct half {
    enum pass_half kind;
    int64_t n, h;                  /* reals, and n / 2 */
    int64_t start, line, column;   /* element e of column c is number start + e line + c column */
    int64_t step;                  /* reals from one number of the half to the next */
    int64_t kept;                  /* numbers that are written */
    REAL sign;                     /* the inverse direction's spectrum is the conjugate */
    const REAL *root;              /* exp(-2 pi i k / n); NULL: none are needed */
    int64_t root_plane;            /* from their real to their imaginary parts */
    struct real_end in, out;
};

static struct half half_of(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct pass *pass = tile->kernel->pass;
    const bool pairs = tile->kernel->format[CPU_FROM] == WEFT_INTERLEAVED;
    struct half half = {.kind = pass->half,
                        .n = pass->half_n,
                        .h = pass->half_n / 2,
                        .line = pass->half_map.line,
                        .column = pass->half_map.loop[0],
                        .step = pass->half_stride * (pairs ? 2 : 1),
                        .kept = pass_half_elements(pass, true),
                        .sign = tile->direction == WEFT_INVERSE && !pass_reflects(pass) ? -1 : 1,
                        .root = (const REAL *)op->half_table,
                        .root_plane = op->half_plane,
                        .in = real_end_of(op, tile, false),
                        .out = real_end_of(op, tile, true)};
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
    return half->kind != PASS_NO_HALF && half->kind != PASS_HALF_CUT;
}

static inline int64_t half_index(const struct half *half, int64_t e, int64_t c)
{
    return half->start + half->line * e + half->column * c;
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
    if (2 * k < half->n) return turned(half, read_place(s, at));
    const struct complex x = turned(half, read_place(s, at + (half->n - 2 * k) * half->step));
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
static inline struct complex read_line(const struct half *half, const struct side *s, int64_t e,
                                       int64_t c)
{
    const int64_t at = e * s->line + c * s->column;
    const int64_t k = half_index(half, e, c);
    if (half->in.reals->parts) return read_reflected(half, s->re + at - k * half->in.stride, k);
    if (!gathers_half(half)) return read_place(s, at);
    if (half->kind == PASS_HALF_EXTEND) return extend(half, s, at, k);
    return half->kind == PASS_HALF_FOLD ? fold(half, s, at, k) : unfold(half, s, at, k);
}

/* Writes a result, scaled where the scatter does it, unless it is in the half that is not kept. */
static inline void write_line(const struct half *half, REAL factor, const struct side *s, int64_t e,
                              int64_t c, struct complex x)
{
    x = (struct complex){x.re * factor, x.im * factor};
    if (half->kind == PASS_HALF_CUT) {
        if (half_index(half, e, c) >= half->kept) return;
        x = turned(half, x);
    }
    const int64_t at = e * s->line + c * s->column;
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

static void gather_folded(const struct cpu_operation *op, const struct half *half,
                          const struct side *from, const struct side *to)
{
    for (int64_t e = 0; e < op->elements; e++) {
        for (int64_t c = 0; c < op->columns; c++) {
            const int64_t at = e * from->line + c * from->column;
            write_side(to, e, c, fold(half, from, at, half_index(half, e, c)));
        }
    }
}

/* Whole lines, of one column after the other. */
static void copy_unfolded(const struct cpu_operation *op, const struct half *half,
                          const struct side *from, const struct side *to)
{
    for (int64_t c = 0; c < op->columns; c++) {
        for (int64_t k = 0; k <= half->h; k++)
            write_side(to, k, c, unfold(half, from, k * from->line + c * from->column, k));
    }
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
static struct row row_of(const struct half *half, const struct real_end *end, const struct side *s,
                         const struct side *complex, bool across, int64_t index)
{
    const int64_t e = across ? index : 0, c = across ? 0 : index, k = half_index(half, e, c);
    const int64_t by = across ? half->column : half->line;
    const int64_t line_step = (across ? s->column : s->line) - by * end->stride;
    const int64_t at = e * complex->line + c * complex->column;
    return (struct row){.k = k,
                        .by = by,
                        .line = s->re + e * s->line + c * s->column - k * end->stride,
                        .line_step = line_step,
                        .re = complex->re + at,
                        .im = complex->im + at,
                        .step = across ? complex->column : complex->line};
}

/* What a row's numbers are folded from: the parts of each and of its mirror image. */
static void fold_strands(const struct half *half, const struct row *row, int64_t i, int64_t count,
                         const struct strand strand[4])
{
    const REAL *x[4];
    for (int s = 0; s < 4; s++)
        x[s] = row->line + strand[s].at;
    for (int64_t j = 0; j < count; j++) {
        const int64_t k = row->k + (i + j) * row->by;
        struct complex own = {strand[0].weight * x[0][j * strand[0].step],
                              strand[1].weight * x[1][j * strand[1].step]};
        struct complex other = {strand[2].weight * x[2][j * strand[2].step],
                                strand[3].weight * x[3][j * strand[3].step]};
        own = turn_number(&half->in, k, own);
        other = turn_number(&half->in, half->h - k, other);
        const struct complex z = fold_pair(half, own, other, k);
        row->re[(i + j) * row->step] = z.re;
        row->im[(i + j) * row->step] = z.im;
    }
}

static void fold_row(const struct half *half, const struct row *row)
{
    for (int64_t i = 0; i < row->count;) {
        struct strand strand[4];
        int64_t count = row->count - i;
        for (int s = 0; s < 4; s++) {
            strand[s] = strand_at(&half->in, row, s % 2, i, s >= 2);
            count = shorter(count, strand[s].count);
        }
        fold_strands(half, row, i, count, strand);
        i += count;
    }
}

static void gather_reflected(const struct cpu_operation *op, const struct half *half,
                             const struct side *from, const struct side *to)
{
    const bool across = op->columns > 1;
    for (int64_t i = 0; i < (across ? op->elements : 1); i++) {
        struct row row = row_of(half, &half->in, from, to, across, i);
        row.count = across ? op->columns : op->elements;
        if (half->kind == PASS_HALF_FOLD) fold_row(half, &row);
        else gather_row(&half->in, &row);
    }
}

static void scatter_reflected(const struct cpu_operation *op, const struct half *half, REAL factor,
                              const struct side *from, const struct side *to)
{
    const bool across = op->columns > 1;
    for (int64_t i = 0; i < (across ? op->elements : 1); i++) {
        struct row row = row_of(half, &half->out, to, from, across, i);
        row.count = across ? op->columns : op->elements;
        scatter_row(&half->out, &row, factor);
    }
}
