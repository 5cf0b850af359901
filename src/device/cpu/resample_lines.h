/* A part of resample_template.h: lines of REAL. */
#include "device/cpu/widest_lanes.h"

#undef TAPS
#undef DEGREE
#undef EXACT
#if MOST_LANES * 4 == VECTOR_BYTES
#define TAPS   WINDOW_FLOAT_TAPS
#define DEGREE WINDOW_FLOAT_DEGREE
#define EXACT  false
#else
#define TAPS   WINDOW_DOUBLE_TAPS
#define DEGREE WINDOW_DOUBLE_DEGREE
#define EXACT  true
#endif

/* As many as TAPS + LANES / 2, or more: others are nothing. */
#undef EACH_STEP
#define EACH_STEP                                                                                  \
    STEP(0)                                                                                        \
    STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)      \
        STEP(12)

#define BLOCK ((int)(WINDOW_BLOCK_BYTES / sizeof(REAL)))
/* Of lanes for both parts of their pairs: of the lower half, or the upper, or backwards. */
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

/* Of the lanes' pairs those of the upper half are LANES reals further on than those of the lower
 * one, which tap LANES / 2 + t finds where tap t of the upper half does. So what lies at `s` is
 * read once; and at `s` from `mirror` back, where taps go backwards. */
#define STEP(s)                                                                                    \
    {                                                                                              \
        VECTOR near = AT(pair + 2 * (s)), far = AT(mirror + LANES - 2 * (s));                      \
        READ_ONCE(near);                                                                           \
        READ_ONCE(far);                                                                            \
        if ((s) < TAPS) {                                                                          \
            const VECTOR w = AT(weight + 2 * (s)*BLOCK);                                           \
            sum[0] += WIDE(w, LOW) * near;                                                         \
            sum[3] += WIDE(w, HIGH_BACK) * far;                                                    \
        }                                                                                          \
        if ((s) >= LANES / 2 && (s)-LANES / 2 < TAPS) {                                            \
            const VECTOR w = AT(weight + (2 * (s)-LANES) * BLOCK);                                 \
            sum[1] += WIDE(w, HIGH) * near;                                                        \
            sum[2] += WIDE(w, LOW_BACK) * far;                                                     \
        }                                                                                          \
    }

/* LANES numbers from `lane` on of block b, and their mirrors. */
static inline void NAME_OF(sum_lanes_, LANES, PRECISION)(const struct resample_sum *s, int64_t b,
                                                         int lane, const REAL *weight)
{
    const REAL scale = (REAL)s->scale;
    const int back = BLOCK - LANES - lane;
    REAL *to = (REAL *)s->pair + 2 * (b * BLOCK + lane);
    REAL *mirrored = (REAL *)s->mirrored + 2 * (back - b * BLOCK);
    VECTOR sum[4] = {{0}, {0}, {0}, {0}};
    for (int odd = 0; odd < 2; odd++, weight += BLOCK) {
        const int64_t first = 2 * s->first[odd][b];
        const REAL *pair = (const REAL *)s->line[odd] + first + 2 * lane;
        const REAL *mirror = (const REAL *)s->mirror[odd] - first + 2 * back;
        EACH_STEP
    }
    PUT(to, scale * sum[0]);
    PUT(to + LANES, scale * sum[1]);
    PUT(mirrored, scale * sum[2]);
    PUT(mirrored + LANES, scale * sum[3]);
}

static void NAME_OF(, sum, PRECISION)(const struct resample_sum *s)
{
    const REAL *weight = s->weight;
    for (int64_t b = 0; b < s->blocks; b++, weight += 2 * TAPS * BLOCK) {
        for (int lane = 0; lane < BLOCK; lane += LANES)
            NAME_OF(sum_lanes_, LANES, PRECISION)(s, b, lane, weight + lane);
    }
}
#undef STEP

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
