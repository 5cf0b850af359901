/* Lines of one precision: a part of sum_template.h, included with REAL, PRECISION and
 * MOST_LANES. */
#define TERMS NAME_OF(sum_, terms, PRECISION)
#define ENDS  NAME_OF(sum_, ends, PRECISION)

/* What the results of a line are sums of: s_j and d_j in pairs, from j = 1 on. */
struct TERMS {
    int length, count;
    REAL first[2], sum[SUM_MOST - 1], difference[SUM_MOST - 1];
};

/* Where they go: pairs at re; or, if there are factors, which they are multiplied by, planes. */
struct ENDS {
    REAL *re, *im;
    const REAL *factors; /* im `plane` further on */
    int64_t plane;
    bool inverse; /* by sums of the other sign */
};

#define WIDTH_FILE "device/cpu/sum_results.h"
#include "device/cpu/each_width.h"

/* All results but number 0. Of many several vectors at a time, as wide as any. */
static inline __attribute__((always_inline)) void
NAME_OF(sum_, results, PRECISION)(const struct TERMS *terms, const struct ENDS *y,
                                  const REAL *table, bool pairs)
{
    const int count = terms->count;
    int k = 1;
    while (pairs && k + MOST_LANES <= count) {
        const int vectors = NAME_OF(sum_, next_vectors, PRECISION)(terms, y, k, table);
        table += 2 * vectors * MOST_LANES * count;
        k += vectors * MOST_LANES;
    }
    UNROLLED
    for (int width; k <= count; k += width) {
        width = sum_width(MOST_LANES, pairs, count - k + 1);
#define STEP(lanes) \
    if (width == lanes) NAME_OF(results_, lanes, PRECISION)(terms, y, k, table);
        EACH_WIDTH(STEP)
#undef STEP
        table += 2 * width * count;
    }
}

/* The terms of a line, and its result number 0. */
static inline __attribute__((always_inline)) void
NAME_OF(sum_, collect, PRECISION)(struct TERMS *terms, const REAL *x, int length, REAL total[2])
{
    terms->length = length;
    terms->count = (length - 1) / 2;
    REAL re = terms->first[0] = x[0], im = terms->first[1] = x[1];
    UNROLLED
    for (int j = 0; j < terms->count; j++) {
        const REAL *a = x + 2 * (j + 1), *b = x + 2 * (length - 1 - j);
        re += terms->sum[2 * j] = a[0] + b[0];
        im += terms->sum[2 * j + 1] = a[1] + b[1];
        terms->difference[2 * j] = a[0] - b[0];
        terms->difference[2 * j + 1] = a[1] - b[1];
    }
    total[0] = re;
    total[1] = im;
}

static inline __attribute__((always_inline)) void
NAME_OF(sum_, line, PRECISION)(const REAL *x, REAL *y, int length, const REAL *table, bool inverse,
                               bool pairs)
{
    const struct ENDS ends = {.re = y, .inverse = inverse};
    struct TERMS terms; /* an initializer would clear all of it */
    REAL total[2];
    NAME_OF(sum_, collect, PRECISION)(&terms, x, length, total);
    NAME_OF(sum_, results, PRECISION)(&terms, &ends, table, pairs);
    y[0] = total[0];
    y[1] = total[1];
}

#if SUM_LINES == 2
/* Whether two butterflies are summed at once: a large table is read once for both. */
static inline bool NAME_OF(sum_, shares, PRECISION)(int length, int64_t lines)
{
    const int count = (length - 1) / 2, vectors = (count - 1) / MOST_LANES + 1;
    const int bytes = 2 * count * vectors * VECTOR_BYTES;
    return lines >= 2 && length >= SUM_PAIRED && bytes >= OPENING_BYTES;
}
#endif

static inline __attribute__((always_inline)) void
NAME_OF(sum_, rows, PRECISION)(const struct codelet_shape *shape, int length, const REAL *in,
                               REAL *out, const REAL *table, bool inverse, bool pairs)
{
    for (int64_t row = 0; row < shape->rows; row++) {
        NAME_OF(sum_, line, PRECISION)(in + 2 * row * shape->in_row, out + 2 * row * shape->out_row,
                                       length, table, inverse, pairs);
    }
}

static __attribute__((noinline)) void
NAME_OF(sum_, any, PRECISION)(const struct codelet_shape *shape, const REAL *in, REAL *out,
                              const REAL *table, bool inverse)
{
    NAME_OF(sum_, rows, PRECISION)(shape, (int)shape->lanes, in, out, table, inverse, false);
}

static __attribute__((noinline)) void
NAME_OF(sum_, paired, PRECISION)(const struct codelet_shape *shape, const REAL *in, REAL *out,
                                 const REAL *table, bool inverse)
{
    NAME_OF(sum_, rows, PRECISION)(shape, (int)shape->lanes, in, out, table, inverse, true);
}

/* Short lines are straight-line code each: their sums stay in registers. */
static inline __attribute__((always_inline)) void
NAME_OF(sum_, lengths, PRECISION)(const struct codelet_shape *shape, const REAL *in, REAL *out,
                                  const REAL *table, bool inverse)
{
    switch (shape->lanes) {
    case 5:
        NAME_OF(sum_, rows, PRECISION)(shape, 5, in, out, table, inverse, false);
        break;
    case 7:
        NAME_OF(sum_, rows, PRECISION)(shape, 7, in, out, table, inverse, false);
        break;
    case 11:
        NAME_OF(sum_, rows, PRECISION)(shape, 11, in, out, table, inverse, false);
        break;
    case 13:
        NAME_OF(sum_, rows, PRECISION)(shape, 13, in, out, table, inverse, false);
        break;
    default:
        (shape->lanes < SUM_PAIRED ? NAME_OF(sum_, any, PRECISION)
                                   : NAME_OF(sum_, paired, PRECISION))(shape, in, out, table,
                                                                       inverse);
    }
}

static void NAME_OF(sum_, forward, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                              const void *in_im, void *out_re, void *out_im,
                                              const void *twiddles, const void *fine)
{
    (void)in_im;
    (void)out_im;
    (void)fine;
    NAME_OF(sum_, lengths, PRECISION)(shape, in_re, out_re, twiddles, false);
}

static void NAME_OF(sum_, inverse, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                              const void *in_im, void *out_re, void *out_im,
                                              const void *twiddles, const void *fine)
{
    (void)in_im;
    (void)out_im;
    (void)fine;
    NAME_OF(sum_, lengths, PRECISION)(shape, in_re, out_re, twiddles, true);
}

/* The elements of one butterfly of a longer line, `leg` reals from one to the next and `turn` more
 * to the second. */
static inline __attribute__((always_inline)) void
NAME_OF(sum_, gather, PRECISION)(struct TERMS *terms, const REAL *re, const REAL *im, int64_t leg,
                                 int64_t turn, REAL total[2])
{
    int64_t a = turn + leg, b = turn + (terms->length - 1) * leg;
    total[0] = terms->first[0] = re[0];
    total[1] = terms->first[1] = im[0];
    for (int j = 0; j < terms->count; j++, a += leg, b -= leg) {
        const REAL a_re = re[a], a_im = im[a], b_re = re[b], b_im = im[b];
        total[0] += terms->sum[2 * j] = a_re + b_re;
        total[1] += terms->sum[2 * j + 1] = a_im + b_im;
        terms->difference[2 * j] = a_re - b_re;
        terms->difference[2 * j + 1] = a_im - b_im;
    }
}

#if SUM_LINES == 2
/* As opening(), of two butterflies. */
static __attribute__((noinline)) void
NAME_OF(sum_, two_open, PRECISION)(const struct codelet_shape *shape, int unit, const REAL *re,
                                   const REAL *im, const struct ENDS *y, const REAL *table)
{
    struct TERMS terms[2];
    struct ENDS ends[2];
    REAL total[2][2];
    const int length = (int)shape->out_row;
    for (int l = 0; l < 2; l++) {
        ends[l] = *y;
        ends[l].re += l * length;
        ends[l].im += l * length;
        ends[l].factors += l * length;
        terms[l].length = length;
        terms[l].count = (length - 1) / 2;
        NAME_OF(sum_, gather, PRECISION)(&terms[l], re + l * unit, im + l * unit,
                                         unit * shape->in_leg, unit * shape->turn, total[l]);
    }
    NAME_OF(sum_two_lines, , PRECISION)(terms, ends, table);
    for (int l = 0; l < 2; l++) {
        ends[l].re[0] = total[l][0];
        ends[l].im[0] = total[l][1];
    }
}
#endif

/* `unit` reals from a number to the next at the input; `twiddles` has those of a butterfly one
 * behind the other, from that of number 0 on. */
static void NAME_OF(sum_, opening, PRECISION)(const struct codelet_shape *shape, int unit,
                                              const REAL *re, const REAL *im, struct ENDS y,
                                              const REAL *table)
{
    struct TERMS terms;
    terms.length = (int)shape->out_row;
    terms.count = (terms.length - 1) / 2;
    int64_t lane = 0;
#if SUM_LINES == 2
    for (; NAME_OF(sum_, shares, PRECISION)(terms.length, shape->lanes - lane);
         lane += 2, re += 2 * unit, im += 2 * unit) {
        NAME_OF(sum_, two_open, PRECISION)(shape, unit, re, im, &y, table);
        y.re += 2 * terms.length;
        y.im += 2 * terms.length;
        y.factors += 2 * terms.length;
    }
#endif
    for (; lane < shape->lanes; lane++, re += unit, im += unit) {
        REAL total[2];
        NAME_OF(sum_, gather, PRECISION)(&terms, re, im, unit * shape->in_leg,
                                         unit * shape->turn, total);
        if (terms.length < SUM_PAIRED)
            NAME_OF(sum_, results, PRECISION)(&terms, &y, table, false);
        else NAME_OF(sum_, results, PRECISION)(&terms, &y, table, true);
        y.re[0] = total[0];
        y.im[0] = total[1];
        y.re += terms.length;
        y.im += terms.length;
        y.factors += terms.length;
    }
}

static void NAME_OF(sum_, open_planar, PRECISION)(const struct codelet_shape *shape,
                                                  const void *in_re, const void *in_im,
                                                  void *out_re, void *out_im, const void *twiddles,
                                                  const void *fine)
{
    const struct ENDS y = {out_re, out_im, twiddles, shape->twiddle_plane, false};
    NAME_OF(sum_, opening, PRECISION)(shape, 1, in_re, in_im, y, fine);
}

static void NAME_OF(sum_, open, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                           const void *in_im, void *out_re, void *out_im,
                                           const void *twiddles, const void *fine)
{
    const struct ENDS y = {out_re, out_im, twiddles, shape->twiddle_plane, false};
    (void)in_im;
    NAME_OF(sum_, opening, PRECISION)(shape, 2, in_re, (const REAL *)in_re + 1, y, fine);
}

#undef TERMS
#undef ENDS
