/* A part of resample_template.h: lines of REAL. */
#include "device/cpu/widest_lanes.h"
#include "device/cpu/resample_weights.h"

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

#define BLOCK ((int)(WINDOW_BLOCK_BYTES / sizeof(REAL)))
#include "device/cpu/resample_spread.h"

#include "device/cpu/resample_taps.h"

/* LANES numbers from `lane` on of block b, and their mirrors. */
static inline __attribute__((always_inline)) void
NAME_OF(sum_lanes_, LANES, PRECISION)(const struct resample_sum *s, int64_t b, int lane,
                                      const REAL *weight, const bool mirrors)
{
    const REAL scale = (REAL)s->scale;
    const int behind = BLOCK - LANES - lane;
    REAL *to = (REAL *)s->pair + 2 * (b * BLOCK + lane);
    const VECTOR zero = {0};
    VECTOR total[4], sum[4];
    _Pragma("GCC unroll 2") for (int odd = 0; odd < 2; odd++, weight += BLOCK)
    {
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) sum[i] = zero;
        const int64_t first = 2 * s->first[odd][b];
        const REAL *pair = (const REAL *)s->line[odd] + first + 2 * lane;
        const REAL *mirror =
            mirrors ? (const REAL *)s->mirror[odd] - first + 2 * behind + LANES : pair;
        const struct RUN nears = NAME_OF(resample_, read, PRECISION)(pair, false);
        const struct RUN fars = mirrors ? NAME_OF(resample_, read, PRECISION)(mirror, true) : nears;
        EACH_TAP
        _Pragma("GCC unroll 4") for (int i = 0; i < 4; i++) total[i] =
            odd ? total[i] + sum[i] : sum[i];
    }
    PUT(to, scale * total[0]);
    PUT(to + LANES, scale * total[1]);
    if (!mirrors) return;
    REAL *mirrored = (REAL *)s->mirrored + 2 * (behind - b * BLOCK);
    PUT(mirrored, scale * MIRRORS_SUM(total[2]));
    PUT(mirrored + LANES, scale * MIRRORS_SUM(total[3]));
}

/* Functions, for their text. */
static __attribute__((noinline)) void NAME_OF(sum_, whole, PRECISION)(const struct resample_sum *s,
                                                                      int64_t b, const REAL *weight)
{
    for (int lane = 0; lane < BLOCK; lane += LANES)
        NAME_OF(sum_lanes_, LANES, PRECISION)(s, b, lane, weight + lane, true);
}

static __attribute__((noinline)) void NAME_OF(sum_, half, PRECISION)(const struct resample_sum *s,
                                                                     int64_t b, const REAL *weight)
{
    for (int lane = 0; lane < BLOCK; lane += LANES)
        NAME_OF(sum_lanes_, LANES, PRECISION)(s, b, lane, weight + lane, false);
}

static inline void NAME_OF(sum_, block, PRECISION)(const struct resample_sum *s, int64_t b,
                                                   const REAL *weight)
{
    if (s->mirrored)
        NAME_OF(sum_, whole, PRECISION)(s, b, weight);
    else
        NAME_OF(sum_, half, PRECISION)(s, b, weight);
}

#if MOST_LANES * 8 == VECTOR_BYTES
/* Weights of a block, as they lie in the table of all. */
static inline void NAME_OF(resample_, weights, PRECISION)(const struct resample_sum *s, int64_t b,
                                                          REAL *weight)
{
    static const REAL lanes[BLOCK] __attribute__((aligned(WINDOW_BLOCK_BYTES))) = {LANE_ORDER};
    const int vectors = BLOCK / LANES;
    for (int i = 0; i < 2 * vectors; i++) {
        const int odd = i / vectors, lane = i % vectors * LANES;
        const struct window_place *place = &s->place[odd][b];
        const double *cell = s->cell + place->cell * s->powers * TAPS;
        const VECTOR u = (REAL)place->u - (REAL)s->step * AT(lanes + lane);
        VECTOR sum[TAPS];
        _Pragma("GCC unroll 16") for (int t = 0; t < TAPS; t++) sum[t] =
            u * (REAL)cell[t] + (REAL)cell[TAPS + t];
        for (int p = 2; p < s->powers; p++) {
            cell += TAPS;
            _Pragma("GCC unroll 16") for (int t = 0; t < TAPS; t++) sum[t] =
                sum[t] * u + (REAL)cell[TAPS + t];
        }
        _Pragma("GCC unroll 16") for (int t = 0; t < TAPS; t++)
            PUT(weight + (2 * t + odd) * BLOCK + lane, sum[t]);
    }
}

static void NAME_OF(sum_, weighed, PRECISION)(const struct resample_sum *s)
{
    REAL weight[2 * TAPS * BLOCK] __attribute__((aligned(WINDOW_BLOCK_BYTES)));
    for (int64_t b = 0; b < s->blocks; b++) {
        NAME_OF(resample_, weights, PRECISION)(s, b, weight);
        NAME_OF(sum_, block, PRECISION)(s, b, weight);
    }
}

#endif

/* Those of the block so many further on: what fetches by itself begins anew in each page. */
#define WEIGHTS_AHEAD 8

static inline void NAME_OF(ask_, weights, PRECISION)(const REAL *weight)
{
    const char *line = (const char *)(weight + WEIGHTS_AHEAD * 2 * TAPS * BLOCK);
    _Pragma("GCC unroll 32") for (int i = 0; i < 2 * TAPS; i++)
        __builtin_prefetch(line + i * WINDOW_BLOCK_BYTES);
}

static void NAME_OF(, sum, PRECISION)(const struct resample_sum *s)
{
#if MOST_LANES * 8 == VECTOR_BYTES
    if (!s->weight) {
        NAME_OF(sum_, weighed, PRECISION)(s);
        return;
    }
#endif
    const REAL *weight = s->weight;
    for (int64_t b = 0; b < s->blocks; b++, weight += 2 * TAPS * BLOCK) {
        if (s->far) NAME_OF(ask_, weights, PRECISION)(weight);
        NAME_OF(sum_, block, PRECISION)(s, b, weight);
    }
}
#undef WEIGHTS_AHEAD
#undef TAP
#undef LOWER_TAP
#undef UPPER_TAP
#undef RUN
#undef RUN_VECTORS
#undef BACK_PAIRS

typedef REAL NAME_OF(narrow, , PRECISION)
    __attribute__((vector_size(DOUBLES * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define NARROW       NAME_OF(narrow, , PRECISION)
#define NARROW_AT(p) (*(NARROW *)(p))

static void NAME_OF(, weigh, PRECISION)(const struct resample_weigh *w)
{
    static const double lanes[BLOCK] __attribute__((aligned(WINDOW_BLOCK_BYTES))) = {LANE_ORDER};
    for (int lane = 0; lane < BLOCK; lane += DOUBLES) {
        const doubles y = w->y - *(const doubles *)(lanes + lane) * w->step;
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
        if (!re) continue;
        NARROW_AT(re + j) *= value;
        NARROW_AT(im + j) *= value;
    }
}
#undef NARROW
#undef NARROW_AT

/* ---- reals ---- */

static inline void NAME_OF(open_, vector, PRECISION)(const struct resample_reals *r, int64_t k)
{
    const REAL *from = r->from;
    const VECTOR weight = AT((const REAL *)r->factor[0] + k);
    VECTOR ahead, back;
    if (r->half) {
        APART(from + 2 * k, re, others);
        const VECTOR im = (REAL)r->sign * others;
        ahead = re + im;
        back = re - im;
    } else if (r->pairs) {
        const REAL *mirrored = from + 2 * (r->n + 1 - LANES - k);
        ahead = REALS_AT(from + 2 * k);
        back = SHUFFLED(AT(mirrored), AT(mirrored + LANES), REALS_BACK);
    } else {
        ahead = AT(from + k);
        back = BACK_AT(from + r->n + 1 - LANES - k);
    }
    back *= weight;
    PUT((REAL *)r->to[0] + k, ahead * weight);
    PUT_BACK((REAL *)r->to[0] + 2 * r->h + 1 - LANES - k, back);
}

static void NAME_OF(, open, PRECISION)(const struct resample_reals *r)
{
    const int64_t last = r->end - LANES;
    int64_t k = r->begin;
    if (k == 0) {
        *(REAL *)r->to[0] = *(const REAL *)r->from * *(const REAL *)r->factor[0];
        k = 1;
    }
    for (;; k = k + LANES < last ? k + LANES : last) {
        NAME_OF(open_, vector, PRECISION)(r, k);
        if (k == last) return;
    }
}

/* Numbers l and h - l of twice as many reals' spectrum, of those of the pairs' transform. */
static inline void NAME_OF(unfold_, vector, PRECISION)(const struct resample_reals *r, int64_t l)
{
    const REAL *near = (const REAL *)r->from + 2 * l;
    const REAL *far = (const REAL *)r->from + 2 * (r->h + 1 - LANES - l);
    REAL *even = r->to[0], *odd = r->to[1];
    APART(near, re, im);
    APART_BACK(far, far_re, far_im);
    const VECTOR a = AT((const REAL *)r->factor[0] + l), b = AT((const REAL *)r->factor[1] + l);
    const VECTOR sum_re = re + far_re, sum_im = im - far_im, rest_re = re - far_re;
    const VECTOR rest_im = im + far_im;
    const VECTOR turned_re = a * rest_re - b * rest_im, turned_im = a * rest_im + b * rest_re;
    const VECTOR near_re = sum_re + turned_im, far_to = sum_re - turned_im;
    const VECTOR near_im = (REAL)r->sign * (sum_im - turned_re);
    const VECTOR far_to_im = (REAL)-r->sign * (sum_im + turned_re);
    PUT(even + l, SHUFFLED(near_re, near_im, EVENS));
    PUT(odd + l, SHUFFLED(near_re, near_im, ODDS));
    PUT(even + r->h + 2 - LANES - l, SHUFFLED(far_to, far_to_im, EVENS_BACK));
    PUT(odd + r->h - LANES - l, SHUFFLED(far_to, far_to_im, ODDS_BACK));
}

static void NAME_OF(, unfold, PRECISION)(const struct resample_reals *r)
{
    for (int64_t l = r->begin; l < r->end; l += LANES)
        NAME_OF(unfold_, vector, PRECISION)(r, l);
}

static inline void NAME_OF(close_, one, PRECISION)(const struct resample_reals *r, int64_t k)
{
    const REAL re = ((const REAL *)r->from)[2 * k], im = ((const REAL *)r->from)[2 * k + 1];
    const int64_t unit = r->half || r->pairs ? 2 : 1;
    REAL *to = r->to[0], *mirrored = to + unit * (r->n - k);
    if (!r->half) to[unit * k] = re - im;
    if (k == 0) return;
    mirrored[0] = r->half ? re : re + im;
    if (r->half) mirrored[1] = -im;
}

static inline void NAME_OF(close_, vector, PRECISION)(const struct resample_reals *r, int64_t k)
{
    const REAL *from = (const REAL *)r->from + 2 * k;
    APART(from, re, im);
    const VECTOR ahead = re - im, sum = re + im;
    const VECTOR back = r->half ? re : sum, back_im = r->half ? -im : sum;
    REAL *to = r->to[0];
    if (!r->half && !r->pairs) {
        PUT(to + k, ahead);
        PUT_BACK(to + r->n + 1 - LANES - k, back);
        return;
    }
    REAL *mirrored = to + 2 * (r->n + 1 - LANES - k);
    if (!r->half) PUT_PAIRS(to + 2 * k, ahead, ahead);
    PUT_PAIRS_BACK(mirrored, back, back_im);
}

static void NAME_OF(, close, PRECISION)(const struct resample_reals *r)
{
    const int64_t last = r->end - LANES;
    int64_t k = r->begin;
    if (k == 0) NAME_OF(close_, one, PRECISION)(r, k++);
    if (last < k) {
        for (; k < r->end; k++)
            NAME_OF(close_, one, PRECISION)(r, k);
        return;
    }
    for (;; k = k + LANES < last ? k + LANES : last) {
        NAME_OF(close_, vector, PRECISION)(r, k);
        if (k == last) return;
    }
}
