/* Circulants of one precision (circulant.h): included with REAL, PRECISION, MOST_LANES,
 * VECTOR_BYTES and SET, the instruction set's name, and functions `circulant_join`,
 * `circulant_part` and `circulant_each`: a vector of pairs from places of a line, counted in reals,
 * or to every second of places, and of one pair. */
#include "device/cpu/widest_lanes.h"

#undef HALF
#undef UNROLLED
#undef COMPLEX_AT
#undef PART
#undef EACH
#undef PAIR
#undef PUT_PAIR
#undef OTHERS_FIRST
#undef VECTORS
#define HALF                   (CIRCULANT_PARTS / 2)
#define UNROLLED               _Pragma("GCC unroll 4")
#define COMPLEX_AT(x, at)      NAME_OF(circulant_, join, PRECISION)(x, at)
#define PART(y, at, pairs)     NAME_OF(circulant_, part, PRECISION)(y, at, pairs)
#define EACH(place)            NAME_OF(circulant_, each, PRECISION)(place)
#define PAIR(place)            (*(const NAME_OF(circulant_, pair, PRECISION) *)(place))
#define PUT_PAIR(place, value) (*(NAME_OF(circulant_, pair, PRECISION) *)(place) = (value))
#if LANES == 8
#define OTHERS_FIRST 1, 0, 3, 2, 5, 4, 7, 6
#else
#define OTHERS_FIRST 1, 0, 3, 2
#endif
/* Of numbers at once: each takes four sums, of which others need not wait for the last one. */
#define VECTORS (VECTOR_BYTES == 64 ? 1 : 2)

typedef REAL NAME_OF(circulant_, pair, PRECISION)
    __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

/* Terms: of each row i, `side` reals of sums and as many of differences. */
static inline void NAME_OF(circulant_, collect, PRECISION)(const struct circulant *c, const REAL *x,
                                                           REAL *row)
{
    const int side = c->vectors * LANES;
    const uint16_t *at = c->from;
    for (const REAL *end = row + 2 * side * c->a; row < end; row += side) {
        for (const REAL *last = row + side; row < last; row += LANES, at += LANES) {
            const VECTOR u = COMPLEX_AT(x, at), v = COMPLEX_AT(x, at + LANES / 2);
            PUT(row, u + v);
            PUT(row + side, u - v);
        }
    }
}

/* The sum of u times cosines, or v times sines, of roots f, 2 f, ... of few; a root's mirror is its
 * conjugate. */
static inline __attribute__((always_inline)) VECTOR
NAME_OF(circulant_, turned, PRECISION)(const VECTOR *root, const bool sines, const int half,
                                       const int f, VECTOR sum, const VECTOR *u)
{
    UNROLLED
    for (int i = 0; i < half; i++) {
        const int k = f * (i + 1) % (2 * half + 1);
        const VECTOR product = root[k > half ? 2 * half + 1 - k : k] * u[i];
        if (k == 0) sum = sines ? sum : sum + u[i]; /* of 9 */
        else sum = k > half && sines ? sum - product : sum + product;
    }
    return sum;
}

/* Transforms columns of a reals, in place: to the real parts of numbers 0 to a / 2 and then the
 * imaginary ones of those from 1 on; or back. Of few parts all is kept in registers. */
static inline __attribute__((always_inline)) void
NAME_OF(circulant_, few, PRECISION)(const struct circulant *c, REAL *row, const bool back,
                                    const int half)
{
    const int width = 2 * c->vectors * LANES, parts = 2 * half + 1;
    const VECTOR zero = {0};
    const REAL *turn = c->turns;
    VECTOR cosine[CIRCULANT_FEW + 1] = {zero}, sine[CIRCULANT_FEW + 1] = {zero};
    VECTOR u[CIRCULANT_FEW], v[CIRCULANT_FEW], re[CIRCULANT_FEW], im[CIRCULANT_FEW];
    UNROLLED
    for (int k = 1; k <= half; k++, turn += 2) {
        cosine[k] = turn[0] - zero;
        sine[k] = turn[1] - zero;
    }
    for (const REAL *end = row + width; row < end; row += LANES) {
        const VECTOR first = AT(row);
        VECTOR total = first;
        UNROLLED
        for (int i = 0; i < half; i++) {
            const VECTOR x = AT(row + (i + 1) * width);
            const VECTOR y = AT(row + (back ? half + i + 1 : parts - 1 - i) * width);
            u[i] = back ? x : x + y;
            v[i] = back ? y : x - y;
            total += u[i];
        }
        PUT(row, total);
        UNROLLED
        for (int f = 0; f < half; f++)
            re[f] = NAME_OF(circulant_, turned, PRECISION)(cosine, false, half, f + 1, first, u);
        UNROLLED
        for (int f = 0; f < half; f++)
            im[f] = NAME_OF(circulant_, turned, PRECISION)(sine, true, half, f + 1, zero, v);
        UNROLLED
        for (int f = 0; f < half; f++) {
            PUT(row + (f + 1) * width, back ? re[f] + im[f] : re[f]);
            PUT(row + (back ? parts - 1 - f : half + 1 + f) * width, back ? re[f] - im[f] : im[f]);
        }
    }
}

/* As few(), of any number. */
static inline void NAME_OF(circulant_, many, PRECISION)(const struct circulant *c, REAL *row,
                                                        const bool back)
{
    const int width = 2 * c->vectors * LANES, parts = c->a, half = parts / 2;
    for (const REAL *end = row + width; row < end; row += LANES) {
        const REAL *turn = c->turns;
        VECTOR u[HALF], v[HALF], first = AT(row), total = first;
        for (int i = 1; i <= half; i++) {
            const VECTOR x = AT(row + i * width);
            const VECTOR y = AT(row + (back ? half + i : parts - i) * width);
            u[i - 1] = back ? x : x + y;
            v[i - 1] = back ? y : x - y;
            total += u[i - 1];
        }
        PUT(row, total);
        for (int f = 1; f <= half; f++) {
            VECTOR re = first, im = {0};
            UNROLLED
            for (int i = 0; i < half; i++, turn += 2) {
                re += turn[0] * u[i];
                im += turn[1] * v[i];
            }
            PUT(row + f * width, back ? re + im : re);
            PUT(row + (back ? parts - f : half + f) * width, back ? re - im : im);
        }
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(circulant_, transform, PRECISION)(const struct circulant *c, REAL *row, const bool back)
{
    switch (c->a) {
    case 3:
        NAME_OF(circulant_, few, PRECISION)(c, row, back, 1);
        break;
    case 5:
        NAME_OF(circulant_, few, PRECISION)(c, row, back, 2);
        break;
    case 7:
        NAME_OF(circulant_, few, PRECISION)(c, row, back, 3);
        break;
    case 9:
        NAME_OF(circulant_, few, PRECISION)(c, row, back, CIRCULANT_FEW);
        break;
    default:
        NAME_OF(circulant_, many, PRECISION)(c, row, back);
    }
}

static __attribute__((noinline)) void
NAME_OF(circulant_, there, PRECISION)(const struct circulant *c, REAL *row)
{
    NAME_OF(circulant_, transform, PRECISION)(c, row, false);
}

static __attribute__((noinline)) void
NAME_OF(circulant_, back, PRECISION)(const struct circulant *c, REAL *row)
{
    NAME_OF(circulant_, transform, PRECISION)(c, row, true);
}

/* Of f = 0. */
static inline VECTOR NAME_OF(circulant_, reals, PRECISION)(const REAL *window, const REAL *x, int b)
{
    VECTOR sum[2] = {{0}, {0}};
    int j = 0;
    for (; j + 1 < b; j += 2, window -= 4, x += 4) {
        sum[0] += AT(window) * EACH(x);
        sum[1] += AT(window - 2) * EACH(x + 2);
    }
    if (j < b) sum[0] += AT(window) * EACH(x);
    return sum[0] + sum[1];
}

/* Windows and numbers have imaginary parts so far behind. */
static inline __attribute__((always_inline)) void
NAME_OF(circulant_, numbers, PRECISION)(const REAL *window, int window_im, const REAL *x, int x_im,
                                        int b, REAL *re, REAL *im, const int vectors)
{
    VECTOR sum[VECTORS][4] = {{{0}, {0}, {0}, {0}}};
    for (int j = 0; j < b; j++, window -= 2, x += 2) {
        VECTOR x_re = EACH(x), y = EACH(x + x_im);
        READ_ONCE(x_re);
        READ_ONCE(y);
        UNROLLED
        for (int v = 0; v < vectors; v++) {
            VECTOR w = AT(window + v * LANES), w_im = AT(window + v * LANES + window_im);
            READ_ONCE(w);
            READ_ONCE(w_im);
            sum[v][0] += w * x_re;
            sum[v][1] += w_im * y;
            sum[v][2] += w * y;
            sum[v][3] += w_im * x_re;
        }
    }
    UNROLLED
    for (int v = 0; v < vectors; v++) {
        PUT(re + v * LANES, sum[v][0] - sum[v][1]);
        PUT(im + v * LANES, sum[v][2] + sum[v][3]);
    }
}

static inline void NAME_OF(circulant_, multiply, PRECISION)(const struct circulant *c,
                                                            const REAL *from, REAL *to)
{
    const int half = c->a / 2, side = c->vectors * LANES, width = 2 * side;
    const int apart = circulant_window(c, LANES), parts = half * width;
    const REAL *window = (const REAL *)c->factors + 2 * (c->b - 1);
    for (int s = 0; s < width; s += side) {
        for (int r = 0; r < side; r += LANES)
            PUT(to + s + r, NAME_OF(circulant_, reals, PRECISION)(window + r, from + s, c->b));
        window += apart;
        for (int f = 1; f <= half; f++, window += 2 * apart) {
            const REAL *x = from + f * width + s;
            REAL *y = to + f * width + s;
            int r = 0;
            for (; r + VECTORS * LANES <= side; r += VECTORS * LANES)
                NAME_OF(circulant_, numbers, PRECISION)(window + r, apart, x, parts, c->b, y + r,
                                                        y + r + parts, VECTORS);
            if (r < side)
                NAME_OF(circulant_, numbers, PRECISION)(window + r, apart, x, parts, c->b, y + r,
                                                        y + r + parts, 1);
        }
    }
}

/* With the line's first number, and -i or i times the sums of differences. */
static inline void NAME_OF(circulant_, spread, PRECISION)(const struct circulant *c,
                                                          const REAL first[2], REAL *row, REAL *y,
                                                          const uint16_t *at, bool inverse)
{
    const int side = c->vectors * LANES;
    const REAL signs[2] = {inverse ? -1 : 1, inverse ? 1 : -1};
    const VECTOR sign = EACH(signs), begin = EACH(first);
    const int b = c->b;
    for (const REAL *end = row + 2 * side * c->a; row < end; row += 2 * side) {
        for (int r = 0; r < side; r += LANES) {
            const VECTOR even = begin + AT(row + r), x = AT(row + side + r);
            const VECTOR odd = sign * SHUFFLED(x, x, OTHERS_FIRST);
            if (r + LANES <= 2 * b) {
                PART(y, at, even + odd);
                PART(y, at + 1, even - odd);
                at += LANES;
                continue;
            }
            PUT(row + r, even + odd);
            PUT(row + side + r, even - odd);
            for (int j = r; j < 2 * b; j += 2, at += 2) {
                PUT_PAIR(y + at[0], PAIR(row + j));
                PUT_PAIR(y + at[1], PAIR(row + side + j));
            }
        }
    }
}

/* One line, whose results go where `to` says, and the first one to y[zero]. */
static __attribute__((noinline)) void
NAME_OF(circulant_, line, PRECISION)(const struct circulant *c, const REAL *x, REAL *y,
                                     const uint16_t *to, int zero, bool inverse)
{
    REAL terms[CIRCULANT_REALS] __attribute__((aligned(64)));
    REAL sums[CIRCULANT_REALS] __attribute__((aligned(64)));
    const REAL first[2] = {x[0], x[1]};
    NAME_OF(circulant_, pair, PRECISION) total = PAIR(first);
    NAME_OF(circulant_, collect, PRECISION)(c, x, terms);
    NAME_OF(circulant_, there, PRECISION)(c, terms);
    for (int j = 0; j < c->b; j++)
        total += PAIR(terms + 2 * j);
    NAME_OF(circulant_, multiply, PRECISION)(c, terms, sums);
    NAME_OF(circulant_, back, PRECISION)(c, sums);
    NAME_OF(circulant_, spread, PRECISION)(c, first, sums, y, to, inverse);
    PUT_PAIR(y + zero, total);
}

/* Number j of the lines is the sum or difference of numbers 2 j and 2 j + p, modulo 2 p. */
static __attribute__((noinline)) void
NAME_OF(circulant_, two_lines, PRECISION)(const struct circulant *c, const REAL *x, REAL *y,
                                          bool inverse)
{
    REAL line[2][2 * CIRCULANT_MOST];
    const int p = c->p;
    for (int j = 0; j < p; j++) {
        const REAL *other = x + 4 * j + (2 * j < p ? 2 * p : -2 * p);
        PUT_PAIR(line[0] + 2 * j, PAIR(x + 4 * j) + PAIR(other));
        PUT_PAIR(line[1] + 2 * j, PAIR(x + 4 * j) - PAIR(other));
    }
    NAME_OF(circulant_, line, PRECISION)(c, line[0], y, c->to, 0, inverse);
    NAME_OF(circulant_, line, PRECISION)(c, line[1], y, c->to + 2 * c->a * c->b, 2 * p, inverse);
}

static inline void NAME_OF(circulant_, run, PRECISION)(const struct circulant *c,
                                                       const struct codelet_shape *shape,
                                                       const REAL *x, REAL *y, bool inverse)
{
    for (int64_t l = 0; l < shape->rows; l++, x += 2 * shape->in_row, y += 2 * shape->out_row) {
        if (c->lines == 1) NAME_OF(circulant_, line, PRECISION)(c, x, y, c->to, 0, inverse);
        else NAME_OF(circulant_, two_lines, PRECISION)(c, x, y, inverse);
    }
}

void NAME_OF(circulant_forward_, SET, PRECISION)(const struct codelet_shape *shape,
                                                 const void *in_re, const void *in_im, void *out_re,
                                                 void *out_im, const void *twiddles,
                                                 const void *fine)
{
    (void)in_im, (void)out_im, (void)twiddles;
    NAME_OF(circulant_, run, PRECISION)(fine, shape, in_re, out_re, false);
}

void NAME_OF(circulant_inverse_, SET, PRECISION)(const struct codelet_shape *shape,
                                                 const void *in_re, const void *in_im, void *out_re,
                                                 void *out_im, const void *twiddles,
                                                 const void *fine)
{
    (void)in_im, (void)out_im, (void)twiddles;
    NAME_OF(circulant_, run, PRECISION)(fine, shape, in_re, out_re, true);
}
