/* A part of resample_template.h: lines of REAL. */
#include "device/cpu/widest_lanes.h"

#undef TAPS
#undef DEGREE
#undef EXACT
#undef EACH_TAP
#if MOST_LANES * 4 == VECTOR_BYTES
#define TAPS     WINDOW_FLOAT_TAPS
#define DEGREE   WINDOW_FLOAT_DEGREE
#define EXACT    false
#define EACH_TAP TAP(0) TAP(1) TAP(2) TAP(3) TAP(4)
#else
#define TAPS     WINDOW_DOUBLE_TAPS
#define DEGREE   WINDOW_DOUBLE_DEGREE
#define EXACT    true
#define EACH_TAP TAP(0) TAP(1) TAP(2) TAP(3) TAP(4) TAP(5) TAP(6) TAP(7) TAP(8)
#endif

#define BLOCK ((int)(WINDOW_BLOCK_BYTES / sizeof(REAL)))
/* Of lanes for both parts of their pairs: of the lower half, or the upper. */
#define WIDE(v, HALF) SHUFFLED(v, v, HALF)

/* Pairs of LANES numbers. */
static inline void NAME_OF(spread_vector_, LANES, PRECISION)(const struct resample_spread *s,
                                                             int64_t i)
{
    const REAL *from = (const REAL *)s->pair + 2 * i;
    REAL *even = (REAL *)s->even + 2 * i, *odd = (REAL *)s->odd + 2 * i;
    const VECTOR low = AT(from), high = AT(from + LANES), weight = AT((const REAL *)s->weight + i);
    const VECTOR re = SHUFFLED(low, high, REALS), im = SHUFFLED(low, high, OTHERS);
    const VECTOR a = AT((const REAL *)s->turned_re + i);
    const VECTOR b = (REAL)s->sign * AT((const REAL *)s->turned_im + i);
    const VECTOR odd_re = re * a - im * b, odd_im = re * b + im * a;
    PUT(even, low * WIDE(weight, LOW));
    PUT(even + LANES, high * WIDE(weight, HIGH));
    PUT(odd, SHUFFLED(odd_re, odd_im, LOW));
    PUT(odd + LANES, SHUFFLED(odd_re, odd_im, HIGH));
}

static inline void NAME_OF(spread_, one, PRECISION)(const struct resample_spread *s, int64_t i)
{
    const REAL re = ((const REAL *)s->pair)[2 * i], im = ((const REAL *)s->pair)[2 * i + 1];
    const REAL weight = ((const REAL *)s->weight)[i], a = ((const REAL *)s->turned_re)[i];
    const REAL b = (REAL)s->sign * ((const REAL *)s->turned_im)[i];
    ((REAL *)s->even)[2 * i] = re * weight;
    ((REAL *)s->even)[2 * i + 1] = im * weight;
    ((REAL *)s->odd)[2 * i] = re * a - im * b;
    ((REAL *)s->odd)[2 * i + 1] = re * b + im * a;
}

static void NAME_OF(, spread, PRECISION)(const struct resample_spread *s)
{
    int64_t i = 0;
    for (; i + LANES <= s->count; i += LANES)
        NAME_OF(spread_vector_, LANES, PRECISION)(s, i);
    for (; i < s->count; i++)
        NAME_OF(spread_, one, PRECISION)(s, i);
}

/* A tap of LANES lanes, of one parity: their numbers lie on from `pair`. Compilers read once what
 * several taps have in common. */
#define TAP(t)                                              \
    {                                                       \
        const VECTOR w = AT(weight + 2 * (t) * BLOCK);      \
        low += WIDE(w, LOW) * AT(pair + 2 * (t));           \
        high += WIDE(w, HIGH) * AT(pair + 2 * (t) + LANES); \
    }

static inline void NAME_OF(sum_taps_, LANES, PRECISION)(const REAL *pair, const REAL *weight,
                                                        VECTOR sum[2])
{
    VECTOR low = {0}, high = {0};
    EACH_TAP
    sum[0] = low;
    sum[1] = high;
}

static void NAME_OF(, sum, PRECISION)(const struct resample_sum *s)
{
    const REAL scale = (REAL)s->scale, *weight = s->weight;
    REAL *to = s->pair;
    for (int64_t b = 0; b < s->blocks; b++, weight += 2 * TAPS * BLOCK) {
        const REAL *even = (const REAL *)s->even + 2 * s->first[0][b];
        const REAL *odd = (const REAL *)s->odd + 2 * s->first[1][b];
        for (int lane = 0; lane < BLOCK; lane += LANES, to += 2 * LANES) {
            VECTOR a[2], c[2];
            NAME_OF(sum_taps_, LANES, PRECISION)(even + 2 * lane, weight + lane, a);
            NAME_OF(sum_taps_, LANES, PRECISION)(odd + 2 * lane, weight + BLOCK + lane, c);
            PUT(to, scale * (a[0] + c[0]));
            PUT(to + LANES, scale * (a[1] + c[1]));
        }
    }
}
#undef TAP

typedef REAL NAME_OF(narrow, , PRECISION)
    __attribute__((vector_size(DOUBLES * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define NARROW       NAME_OF(narrow, , PRECISION)
#define NARROW_AT(p) (*(NARROW *)(p))

static void NAME_OF(, weigh, PRECISION)(const struct resample_weigh *w)
{
    for (int lane = 0; lane < BLOCK; lane += DOUBLES) {
        const doubles y = w->y - lanes_from(lane) * w->step;
        REAL *const weight = (REAL *)w->weight + lane;
        REAL *const last = weight + 2 * (TAPS - 1) * BLOCK;
        for (int t = 0; 2 * t < TAPS; t++) {
            const double *fit = w->fit[t];
            const struct polynomial_halves sum = polynomial_halves(fit, DEGREE, y);
            const doubles near = polynomial_end(fit, y * sum.even + sum.odd, y, EXACT);
            const doubles far = polynomial_end(fit, y * sum.even - sum.odd, y, EXACT);
            NARROW_AT(weight + 2 * t * BLOCK) = __builtin_convertvector(near, NARROW);
            NARROW_AT(last - 2 * t * BLOCK) = __builtin_convertvector(far, NARROW);
        }
    }
}

static void NAME_OF(, factors, PRECISION)(const struct resample_factors *f)
{
    REAL *const weight = f->weight, *const re = f->turned_re, *const im = f->turned_im;
    const double all = (double)f->n * (double)f->n;
    for (int64_t j = 0; j < f->count; j += DOUBLES) {
        const doubles at = lanes_from((double)j), y = 8 * at * at / all;
        const struct polynomial_halves sum = polynomial_halves(f->fit, DEGREE, y);
        const NARROW value = __builtin_convertvector(
            polynomial_end(f->fit, y * sum.even + sum.odd, y, EXACT), NARROW);
        NARROW_AT(weight + j) = value;
        NARROW_AT(re + j) *= value;
        NARROW_AT(im + j) *= value;
    }
    for (int64_t i = f->n / 2 + 1; i < f->n; i++) {
        weight[i] = weight[f->n - i];
        re[i] = re[f->n - i];
        im[i] = -im[f->n - i];
    }
}
#undef NARROW
#undef NARROW_AT
