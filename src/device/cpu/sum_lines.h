/* Lines of one precision: a part of sum_template.h, included with REAL, PRECISION and
 * MOST_LANES. */
#define TERMS NAME_OF(sum_, terms, PRECISION)

/* What the results of a line are sums of: s_j and d_j in pairs, from j = 1 on. */
struct TERMS {
    int length, count;
    REAL first[2], sum[SUM_MOST - 1], difference[SUM_MOST - 1];
};

#define WIDTH_FILE "device/cpu/sum_results.h"
#include "device/cpu/each_width.h"

/* The results from number k on, two vectors of them at a time while there are; *table becomes the
 * factors of those that are left. */
static inline __attribute__((always_inline)) int
NAME_OF(sum_, pairs, PRECISION)(const struct TERMS *terms, REAL *y, int k, const REAL **table,
                                bool inverse)
{
    for (; k + 2 * MOST_LANES - 1 <= terms->count; k += 2 * MOST_LANES) {
        NAME_OF(sum_, two_results, PRECISION)(terms, y, k, *table, inverse);
        *table += 4 * MOST_LANES * terms->count;
    }
    return k;
}

static inline __attribute__((always_inline)) void
NAME_OF(sum_, line, PRECISION)(const REAL *x, REAL *y, int length, const REAL *table, bool inverse,
                               bool pairs)
{
    struct TERMS terms; /* an initializer would clear all of it */
    terms.length = length;
    terms.count = (length - 1) / 2;
    REAL re = terms.first[0] = x[0], im = terms.first[1] = x[1];
    UNROLLED
    for (int j = 0; j < terms.count; j++) {
        const REAL *a = x + 2 * (j + 1), *b = x + 2 * (length - 1 - j);
        re += terms.sum[2 * j] = a[0] + b[0];
        im += terms.sum[2 * j + 1] = a[1] + b[1];
        terms.difference[2 * j] = a[0] - b[0];
        terms.difference[2 * j + 1] = a[1] - b[1];
    }
    const int first =
        pairs ? NAME_OF(sum_, pairs, PRECISION)(&terms, y, 1, &table, inverse) : 1;
    UNROLLED
    for (int k = first, width; k <= terms.count; k += width) {
        width = sum_width(MOST_LANES, terms.count - k + 1);
#define STEP(lanes) \
    if (width == lanes) NAME_OF(results_, lanes, PRECISION)(&terms, y, k, table, inverse);
        EACH_WIDTH(STEP)
#undef STEP
        table += 2 * width * terms.count;
    }
    y[0] = re;
    y[1] = im;
}

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

#undef TERMS
