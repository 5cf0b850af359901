/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#include "device/cpu/circulant.h"

#define LANES CIRCULANT_LANES
#define HALF  (CIRCULANT_PARTS / 2)
#define UNROLLED _Pragma("GCC unroll 4")

typedef double vector __attribute__((vector_size(8 * LANES)));
typedef double half_vector __attribute__((vector_size(4 * LANES)));
typedef double pair __attribute__((vector_size(16)));
typedef double memory __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef double pair_memory __attribute__((vector_size(16), aligned(8), may_alias));

#define AT(place)              (*(const memory *)(place))
#define PUT(place, value)      (*(memory *)(place) = (value))
#define PAIR(place)            (*(const pair_memory *)(place))
#define PUT_PAIR(place, value) (*(pair_memory *)(place) = (value))
/* Compilers would read again for each use of a vector, as an operand. */
#ifdef __clang__
#define READ_ONCE(vector) ((void)0)
#else
#define READ_ONCE(vector) __asm__("" : "+v"(vector))
#endif

static inline vector join(pair a, pair b, pair c, pair d)
{
    const half_vector low = __builtin_shufflevector(a, b, 0, 1, 2, 3);
    const half_vector high = __builtin_shufflevector(c, d, 0, 1, 2, 3);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* A pair in all lanes. */
static inline vector each(const double *place)
{
    return _mm512_broadcast_f64x2(PAIR(place));
}

/* Terms: of each row i, `side` reals of sums and as many of differences. */
static inline void collect(const struct circulant *c, const double *x, double *row)
{
    const int side = c->vectors * LANES;
    const double *back = x + 2 * c->p;
    const uint8_t *at = c->from;
    for (int i = 0; i < c->a; i++, row += 2 * side) {
        for (int r = 0; r < side; r += LANES, at += LANES / 2) {
            const vector u = join(PAIR(x + 2 * at[0]), PAIR(x + 2 * at[1]), PAIR(x + 2 * at[2]),
                                  PAIR(x + 2 * at[3]));
            const vector v = join(PAIR(back - 2 * at[0]), PAIR(back - 2 * at[1]),
                                  PAIR(back - 2 * at[2]), PAIR(back - 2 * at[3]));
            PUT(row + r, u + v);
            PUT(row + side + r, u - v);
        }
    }
}

/* Transforms columns of a reals, in place: to the real parts of numbers 0 to a / 2 and then the
 * imaginary ones of those from 1 on; or back. */
static inline __attribute__((always_inline)) void
transform(const struct circulant *c, double *row, bool back, const int half)
{
    const int width = 2 * c->vectors * LANES, parts = 2 * half + 1;
    for (const double *end = row + width; row < end; row += LANES) {
        const double *turn = c->turns;
        vector u[HALF], v[HALF], first = AT(row), total = first;
        UNROLLED
        for (int i = 1; i <= half; i++) {
            const vector x = AT(row + i * width);
            const vector y = AT(row + (back ? half + i : parts - i) * width);
            u[i - 1] = back ? x : x + y;
            v[i - 1] = back ? y : x - y;
            total += u[i - 1];
        }
        PUT(row, total);
        for (int f = 1; f <= half; f++) {
            vector re = first, im = {0};
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

/* Of few parts all is kept in registers. */
static __attribute__((noinline)) void transform_any(const struct circulant *c, double *row,
                                                    bool back)
{
    switch (c->a) {
    case 5:
        transform(c, row, back, 2);
        break;
    case 7:
        transform(c, row, back, 3);
        break;
    case 9:
        transform(c, row, back, 4);
        break;
    default:
        transform(c, row, back, c->a / 2);
    }
}

/* Of f = 0. */
static inline vector multiply_reals(const double *window, const double *x, int b)
{
    vector sum[2] = {{0}, {0}};
    int j = 0;
    for (; j + 1 < b; j += 2, window -= 4, x += 4) {
        sum[0] += AT(window) * each(x);
        sum[1] += AT(window - 2) * each(x + 2);
    }
    if (j < b) sum[0] += AT(window) * each(x);
    return sum[0] + sum[1];
}

/* Windows and numbers have imaginary parts so far behind. */
static inline void multiply_numbers(const double *window, int window_im, const double *x, int x_im,
                                    int b, double *re, double *im)
{
    vector sum[4] = {{0}, {0}, {0}, {0}};
    for (int j = 0; j < b; j++, window -= 2, x += 2) {
        vector w = AT(window), w_im = AT(window + window_im), x_re = each(x), y = each(x + x_im);
        READ_ONCE(w);
        READ_ONCE(w_im);
        READ_ONCE(x_re);
        READ_ONCE(y);
        sum[0] += w * x_re;
        sum[1] += w_im * y;
        sum[2] += w * y;
        sum[3] += w_im * x_re;
    }
    PUT(re, sum[0] - sum[1]);
    PUT(im, sum[2] + sum[3]);
}

static inline void multiply(const struct circulant *c, const double *from, double *to)
{
    const int half = c->a / 2, side = c->vectors * LANES, width = 2 * side;
    const int apart = circulant_window(c), parts = half * width;
    const double *window = c->factors + 2 * (c->b - 1);
    for (int s = 0; s < width; s += side) {
        for (int r = 0; r < side; r += LANES)
            PUT(to + s + r, multiply_reals(window + r, from + s, c->b));
        window += apart;
        for (int f = 1; f <= half; f++, window += 2 * apart) {
            const double *x = from + f * width + s;
            double *y = to + f * width + s;
            for (int r = 0; r < side; r += LANES)
                multiply_numbers(window + r, apart, x, parts, c->b, y + r, y + r + parts);
        }
    }
}

/* With the line's first number, and -i or i times the sums of differences. */
static inline void spread(const struct circulant *c, const double first[2], double *row, double *y,
                          bool inverse)
{
    const int side = c->vectors * LANES;
    const pair signs = {inverse ? -1 : 1, inverse ? 1 : -1};
    const vector sign = each((const double *)&signs), begin = each(first);
    double *back = y + 2 * c->p;
    const uint8_t *at = c->to;
    for (int i = 0; i < c->a; i++, row += 2 * side) {
        for (int r = 0; r < side; r += LANES) {
            const vector even = begin + AT(row + r), x = AT(row + side + r);
            const vector odd = sign * __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6);
            PUT(row + r, even + odd);
            PUT(row + side + r, even - odd);
        }
        for (int j = 0; j < c->b; j++, at++) {
            PUT_PAIR(y + 2 * *at, PAIR(row + 2 * j));
            PUT_PAIR(back - 2 * *at, PAIR(row + side + 2 * j));
        }
    }
}

static __attribute__((noinline)) void run(const struct circulant *c,
                                          const struct codelet_shape *shape, const double *x,
                                          double *y, bool inverse)
{
    double terms[CIRCULANT_REALS] __attribute__((aligned(64)));
    double sums[CIRCULANT_REALS] __attribute__((aligned(64)));
    for (int64_t l = 0; l < shape->rows; l++, x += 2 * shape->in_row, y += 2 * shape->out_row) {
        const double first[2] = {x[0], x[1]};
        pair total = PAIR(first);
        collect(c, x, terms);
        transform_any(c, terms, false);
        for (int j = 0; j < c->b; j++)
            total += PAIR(terms + 2 * j);
        multiply(c, terms, sums);
        transform_any(c, sums, true);
        spread(c, first, sums, y, inverse);
        PUT_PAIR(y, total);
    }
}

void circulant_forward(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                       void *out_re, void *out_im, const void *twiddles, const void *fine)
{
    (void)in_im, (void)out_im, (void)twiddles;
    run(fine, shape, in_re, out_re, false);
}

void circulant_inverse(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                       void *out_re, void *out_im, const void *twiddles, const void *fine)
{
    (void)in_im, (void)out_im, (void)twiddles;
    run(fine, shape, in_re, out_re, true);
}
#endif
