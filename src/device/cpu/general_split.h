/* A line of reals in two passes: the ends of its columns and rows (plan/halves.c). A part of
 * general_half.h. */

/* ---- two columns at once ---- */

/* A number of both columns of every pair, times the split's twiddles of either, which are `base`
 * times fine[2 c] and fine[2 c + 1]. */
static inline __attribute__((always_inline)) void
part_columns(const REAL *restrict own_re, const REAL *restrict own_im,
             const REAL *restrict other_re, const REAL *restrict other_im, struct complex base,
             const REAL *restrict fine_re, const REAL *restrict fine_im, REAL *restrict re,
             REAL *restrict im, int64_t step, int64_t pair, int64_t count)
{
    const REAL part = (REAL)0.5, a = part * base.re, b = part * base.im;
    for (int64_t c = 0; c < count; c++) {
        keep_apart(step);
        const REAL xr = own_re[c], xi = own_im[c], yr = other_re[c], yi = other_im[c];
        const REAL p = fine_re[2 * c], q = fine_im[2 * c];
        const REAL r = fine_re[2 * c + 1], s = fine_im[2 * c + 1];
        const REAL one_re = a * p - b * q, one_im = a * q + b * p;
        const REAL two_re = a * r - b * s, two_im = a * s + b * r;
        const REAL ar = xr + yr, ai = xi - yi, br = xi + yi, bi = yr - xr;
        re[c * step] = ar * one_re - ai * one_im;
        im[c * step] = ar * one_im + ai * one_re;
        re[c * step + pair] = br * two_re - bi * two_im;
        im[c * step + pair] = br * two_im + bi * two_re;
    }
}

/* Columns that are neighbours in scratch, with the tables of CODELET_TWIDDLE_SPLIT. */
static void scatter_columns(const struct cpu_operation *op, const struct cpu_tile *tile,
                            const struct half *half, const struct side *from,
                            const struct side *to)
{
    const int64_t columns = op->columns, step = to->column, pair = half->pair;
    const REAL *coarse = (const REAL *)(const void *)(op->twiddles +
                                                      tile->index * op->twiddle_tile_bytes);
    const REAL *fine = (const REAL *)(const void *)op->fine;
    for (int64_t k = 0; k <= half->h / 2; k++) {
        const int64_t x = k * columns, y = (k == 0 ? 0 : half->h - k) * columns;
        const struct complex base = {coarse[k], coarse[k + op->shape[0].twiddle_plane]};
        const REAL *p = fine + 2 * x, *q = p + op->shape[0].fine_plane;
        REAL *re = to->re + k * to->line, *im = to->im + k * to->line;
        if (step == 2 && pair == 1)
            part_columns(from->re + x, from->im + x, from->re + y, from->im + y, base, p, q, re,
                         im, 2, 1, columns);
        else
            part_columns(from->re + x, from->im + x, from->re + y, from->im + y, base, p, q, re,
                         im, step, pair, columns);
    }
}

/* exp(-2 pi i exponent / order) of table_roots(). */
static struct complex split_root(const struct cpu_operation *op, int64_t exponent)
{
    const int64_t fine = INT64_C(1) << op->shift;
    const struct complex one = {1, 0};
    const struct complex low = times(op, one, exponent & (fine - 1));
    return times(op, low, fine + (exponent >> op->shift));
}

/* Columns that are one of a slower loop. */
static SELDOM void scatter_slow_columns(const struct cpu_operation *op,
                                        const struct cpu_tile *tile, const struct half *half,
                                        const struct side *from, const struct side *to)
{
    const int64_t columns = op->columns;
    const int64_t counter = 2 * tile->counter[tile->kernel->pass->twiddle_loop];
    for (int64_t k = 0; k <= half->h / 2; k++) {
        const int64_t other = k == 0 ? 0 : half->h - k;
        const struct complex one = split_root(op, k * counter);
        const struct complex two = split_root(op, k * (counter + 1));
        const REAL fine_re[] = {one.re, two.re}, fine_im[] = {one.im, two.im};
        for (int64_t c = 0; c < columns; c++) {
            const int64_t x = k * columns + c, y = other * columns + c;
            const int64_t at = k * to->line + c * to->column;
            part_columns(from->re + x, from->im + x, from->re + y, from->im + y,
                         (struct complex){1, 0}, fine_re, fine_im, to->re + at, to->im + at, 0,
                         half->pair, 1);
        }
    }
}

/* ---- rows up to the middle one ---- */

static inline __attribute__((always_inline)) void
put_numbers(const REAL *restrict from_re, const REAL *restrict from_im, REAL re_factor,
            REAL im_factor, REAL *restrict re, REAL *restrict im, int64_t step, int64_t count)
{
    for (int64_t c = 0; c < count; c++) {
        keep_apart(step);
        re[c * step] = re_factor * from_re[c];
        im[c * step] = im_factor * from_im[c];
    }
}

/* As many of the rows from `first` on as lie on one side of the middle, and none of which is its
 * own mirror; 0: there are none, or they are not neighbours. */
static int64_t plain_rows(const struct half *half, int64_t e, int64_t first, int64_t columns)
{
    const int64_t k = half_index(half, e, first), row = k % half->rows;
    const int64_t most = (half->rows + 1) / 2 - row, count = shorter(columns - first, most);
    if (half->column != 1 || row == 0 || count <= 0) return 0;
    return (k < half->kept) == (k + count - 1 < half->kept) ? count : 0;
}

static void put_rows(const struct half *half, REAL factor, const struct side *from,
                     const struct side *to, int64_t e, int64_t c, int64_t count)
{
    const int64_t k = half_index(half, e, c), unit = to->line / half->line;
    const bool mirrored = k >= half->kept;
    const REAL im_factor = factor * (mirrored ? -half->sign : half->sign);
    const int64_t at = e * to->line + c * to->column + (mirrored ? (half->n - 2 * k) * unit : 0);
    const REAL *from_re = from->re + e * from->line + c, *from_im = from->im + e * from->line + c;
    REAL *re = to->re + at, *im = to->im + at;
    if (unit == 2 && im == re + 1 && mirrored)
        put_numbers(from_re, from_im, factor, im_factor, re, re + 1, -2, count);
    else if (unit == 2 && im == re + 1)
        put_numbers(from_re, from_im, factor, im_factor, re, re + 1, 2, count);
    else
        put_numbers(from_re, from_im, factor, im_factor, re, im, mirrored ? -unit : unit, count);
}

/* Likewise to the reals that they stand for. */
static void put_reals(const struct half *half, REAL factor, const struct side *from,
                      const struct side *to, int64_t e, int64_t c, int64_t count)
{
    const int64_t at = e * from->line + c * from->column, k = half_index(half, e, c);
    const struct row row = {.count = count,
                            .k = k,
                            .by = half->column,
                            .line = to->re + e * to->line + c * to->column - k * half->out.stride,
                            .re = from->re + at,
                            .im = from->im + at,
                            .step = from->column};
    scatter_row(&half->out, &row, factor);
}

static void scatter_rows(const struct cpu_operation *op, const struct half *half, REAL factor,
                         const struct side *from, const struct side *to)
{
    for (int64_t e = 0; e < op->elements; e++) {
        int64_t count;
        for (int64_t c = 0; c < op->columns; c += count) {
            count = plain_rows(half, e, c, op->columns);
            if (count > 0 && half->out.reals->parts) {
                put_reals(half, factor, from, to, e, c, count);
            } else if (count > 0) {
                put_rows(half, factor, from, to, e, c, count);
            } else {
                write_line(half, factor, to, e, c, read_side(from, e, c));
                count = 1;
            }
        }
    }
}

/* ---- columns up to the middle one ---- */

/* Neighbouring columns of element e: numbers that are there, or whose mirrors are. False: some are
 * and some are not. */
static bool gather_extended_row(const struct half *half, const struct half *mirrored,
                                struct row *row)
{
    const int64_t k = row->k, last = k + row->count - 1;
    if (2 * last < half->n) {
        load_half(half, row);
        return true;
    }
    if (2 * k < half->n) return false;
    row->k = half->n - k;
    row->by = -1;
    load_half(mirrored, row);
    return true;
}

/* Columns of element e one by one. */
static SELDOM void gather_extended_each(const struct cpu_operation *op, const struct half *half,
                                        const struct side *from, const struct side *to, int64_t e)
{
    for (int64_t c = 0; c < op->columns; c++) write_side(to, e, c, read_one(half, from, e, c));
}

/* Tiles whose lanes are neighbouring numbers. */
static void gather_extended(const struct cpu_operation *op, const struct half *half,
                            const struct side *from, const struct side *to)
{
    struct half mirrored = *half;
    mirrored.sign = -half->sign;
    for (int64_t e = 0; e < op->elements; e++) {
        struct row row = row_of(half, half->step, from, to, true, e);
        row.count = op->columns;
        if (!gather_extended_row(half, &mirrored, &row))
            gather_extended_each(op, half, from, to, e);
    }
}
