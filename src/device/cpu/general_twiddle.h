/* Lines on their way to where they are neighbours, times the twiddles of a split's column each: a
 * run of CPU_TWIDDLED_RUN numbers after the other. A part of general_template.h. */

/* Where a line's numbers, the roots of its column and its results lie. */
struct twiddled_line {
    const REAL *from_re, *from_im, *root_re, *root_im;
    REAL *to_re, *to_im; /* of pairs: the first real, and nothing */
};

/* Times `base` and a root each. Inlined with `pairs`, `exchange` and, mostly, `count` known. */
static inline __attribute__((always_inline)) void
twiddle_run(const struct twiddled_line *t, int64_t first, struct complex base, bool pairs,
            bool exchange, int64_t count)
{
    const REAL *restrict from_re = t->from_re + first, *restrict from_im = t->from_im + first;
    const REAL *restrict root_re = t->root_re, *restrict root_im = t->root_im;
    REAL *restrict to_re = t->to_re + (pairs ? 2 : 1) * first;
    REAL *restrict to_im = pairs ? to_re : t->to_im + first;
    for (int64_t c = 0; c < count; c++) {
        const REAL p = base.re * root_re[c] - base.im * root_im[c];
        const REAL q = base.re * root_im[c] + base.im * root_re[c];
        const REAL re = from_re[c] * p - from_im[c] * q, im = from_re[c] * q + from_im[c] * p;
        if (pairs) {
            to_re[2 * c] = exchange ? im : re;
            to_re[2 * c + 1] = exchange ? re : im;
        } else {
            to_re[c] = re;
            to_im[c] = im;
        }
    }
}

/* coarse: the roots that runs begin with, `rows` to either part of each. */
static inline __attribute__((always_inline)) void
twiddle_line(const struct twiddled_line *t, int64_t length, const REAL *coarse, int64_t rows,
             bool pairs, bool exchange)
{
    int64_t done = 0;
    for (; done + CPU_TWIDDLED_RUN <= length; done += CPU_TWIDDLED_RUN, coarse += 2 * rows) {
        const struct complex base = {coarse[0], coarse[rows]};
        twiddle_run(t, done, base, pairs, exchange, CPU_TWIDDLED_RUN);
    }
    if (done == length) return;
    const struct complex base = {coarse[0], coarse[rows]};
    twiddle_run(t, done, base, pairs, exchange, length - done);
}

/* Backwards the parts of pairs are exchanged: the real part's address is the greater one. A product
 * with a conjugate is the product, where both what is multiplied and what comes of it have their
 * parts exchanged. */
static void scatter_twiddled(const struct cpu_operation *op, const struct cpu_tile *tile,
                             const struct side *from, const struct side *to)
{
    const int64_t column = tile->counter[tile->kernel->pass->twiddle_loop];
    const int64_t rows = op->shape[0].twiddle_plane;
    const REAL *coarse = (const REAL *)(const void *)op->twiddles + column;
    const REAL *fine = (const REAL *)(const void *)op->fine + column * CPU_TWIDDLED_RUN;
    const bool turned = op->conjugate, pairs = to->line == 2;
    REAL *const re = turned ? to->im : to->re, *const im = turned ? to->re : to->im;
    const bool exchange = pairs && re > im;
    const struct twiddled_line t = {turned ? from->im : from->re, turned ? from->re : from->im,
                                    fine, fine + op->shape[0].fine_plane, exchange ? im : re, im};
    if (!pairs) twiddle_line(&t, op->length, coarse, rows, false, false);
    else if (exchange) twiddle_line(&t, op->length, coarse, rows, true, true);
    else twiddle_line(&t, op->length, coarse, rows, true, false);
}
