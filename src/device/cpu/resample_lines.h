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

/* From the outermost ones to the middle one, which counts most: what a sum loses at a tap is by its
 * size there. (Experiment "outermost first" in docs/experiments.) */
#undef EACH_TAP
#if VECTOR_BYTES == 16 /* for its text */
#define EACH_TAP                                                                                   \
    for (int tap = 0; tap < TAPS; tap++)                                                           \
        TAP(tap % 2 ? TAPS - 1 - tap / 2 : tap / 2)
#elif MOST_LANES * 4 == VECTOR_BYTES
#define EACH_TAP TAP(0) TAP(4) TAP(1) TAP(3) TAP(2)
#else
#define EACH_TAP TAP(0) TAP(8) TAP(1) TAP(7) TAP(2) TAP(6) TAP(3) TAP(5) TAP(4)
#endif

#define BLOCK ((int)(WINDOW_BLOCK_BYTES / sizeof(REAL)))

/* Pairs of LANES numbers. */
static inline void NAME_OF(spread_vector_, LANES, PRECISION)(const struct resample_spread *s,
                                                             int64_t i)
{
    const REAL *from = (const REAL *)s->pair + 2 * i;
    REAL *even = (REAL *)s->even + 2 * i, *odd = (REAL *)s->odd + 2 * i;
    const VECTOR low = AT(from), high = AT(from + LANES);
    const VECTOR re = SHUFFLED(low, high, REALS), im = SHUFFLED(low, high, OTHERS);
    const int64_t at = s->back ? 1 - LANES - i : i;
    VECTOR weight = AT((const REAL *)s->weight + at), a = AT((const REAL *)s->turned_re + at);
    VECTOR b = (REAL)s->sign * AT((const REAL *)s->turned_im + at);
    if (s->back) {
        weight = SHUFFLED(weight, weight, BACK);
        a = SHUFFLED(a, a, BACK);
        b = -SHUFFLED(b, b, BACK);
    }
    const VECTOR odd_re = re * a - im * b, odd_im = re * b + im * a;
    PUT(even, low * SHUFFLED(weight, weight, LOW));
    PUT(even + LANES, high * SHUFFLED(weight, weight, HIGH));
    PUT(odd, SHUFFLED(odd_re, odd_im, LOW));
    PUT(odd + LANES, SHUFFLED(odd_re, odd_im, HIGH));
}

static inline void NAME_OF(spread_, one, PRECISION)(const struct resample_spread *s, int64_t i)
{
    const REAL re = ((const REAL *)s->pair)[2 * i], im = ((const REAL *)s->pair)[2 * i + 1];
    const int64_t at = s->back ? -i : i;
    const REAL weight = ((const REAL *)s->weight)[at], a = ((const REAL *)s->turned_re)[at];
    const REAL b = (REAL)(s->back ? -s->sign : s->sign) * ((const REAL *)s->turned_im)[at];
    REAL *even = (REAL *)s->even + 2 * i, *odd = (REAL *)s->odd + 2 * i;
    even[0] = re * weight + (s->adds ? even[0] : 0);
    even[1] = im * weight + (s->adds ? even[1] : 0);
    odd[0] = re * a - im * b + (s->adds ? odd[0] : 0);
    odd[1] = re * b + im * a + (s->adds ? odd[1] : 0);
}

/* Vectors lie as lines of the cache do where they go, but for the first and the last, which have
 * numbers in common with others. */
static void NAME_OF(, spread, PRECISION)(const struct resample_spread *spread)
{
    const struct resample_spread s = *spread; /* which no store changes */
    const int64_t last = s.count - LANES;
    if (last < 0 || s.adds) {
        for (int64_t i = 0; i < s.count; i++)
            NAME_OF(spread_, one, PRECISION)(&s, i);
        return;
    }
    int64_t next = LANES - (int64_t)((uintptr_t)s.even / (2 * sizeof(REAL)) % LANES);
    for (int64_t i = 0;; i = next < last ? next : last, next += LANES) {
        NAME_OF(spread_vector_, LANES, PRECISION)(&s, i);
        if (i == last) return;
    }
}

/* Pairs that the taps take, of neighbours and of mirrors, these from the last one back, so that
 * both have the same weights: vectors which begin p pairs after the first one. As long as a line of
 * the cache, most lie across two, which takes longer than to put them together from those that lie
 * one behind the other. */
#define RUN NAME_OF(resample_, run, PRECISION)
#undef PAIRS_FROM
#undef PAIRS_BACK_FROM
#define BACK_PAIRS(vector) SHUFFLED(vector, vector, PAIRS_BACK)
#if VECTOR_BYTES == 64
#define RUN_VECTORS ((TAPS - 1 + LANES / 2 - 1) / (LANES / 2) + 2)
struct RUN {
    VECTOR part[RUN_VECTORS];
};

static inline __attribute__((always_inline)) struct RUN
NAME_OF(resample_, read, PRECISION)(const REAL *pair, bool back)
{
    struct RUN run;
    _Pragma("GCC unroll 4") for (int i = 0; i < RUN_VECTORS; i++)
    {
        const VECTOR part = AT(back ? pair - i * LANES : pair + i * LANES);
        run.part[i] = back ? BACK_PAIRS(part) : part;
        READ_ONCE(run.part[i]);
    }
    return run;
}

#define PAIRS_FROM(run, p)                                                                         \
    (2 * (p) % LANES == 0                                                                          \
         ? run.part[2 * (p) / LANES]                                                               \
         : (VECTOR)_mm512_alignr_epi64((__m512i)run.part[(2 * (p) + LANES - 1) / LANES],           \
                                       (__m512i)run.part[2 * (p) / LANES],                         \
                                       2 * (p) % LANES * (int)sizeof(REAL) / 8))
#define PAIRS_BACK_FROM(run, p) PAIRS_FROM(run, p)
#else
struct RUN {
    const REAL *pair;
};

static inline struct RUN NAME_OF(resample_, read, PRECISION)(const REAL *pair, bool back)
{
    (void)back;
    return (struct RUN){pair};
}

#define PAIRS_FROM(run, p)      AT(run.pair + 2 * (p))
#define PAIRS_BACK_FROM(run, p) BACK_PAIRS(AT(run.pair - 2 * (p)))
#endif

/* Of the lanes' pairs those of the upper half are LANES reals further on than those of the lower
 * one. Mirrors are read from the last one back, where taps go backwards. */
#define TAP(t)                                                                                     \
    {                                                                                              \
        const VECTOR w = AT(weight + 2 * (t)*BLOCK);                                               \
        const VECTOR lower = SHUFFLED(w, w, LOWER), upper = SHUFFLED(w, w, UPPER);                 \
        sum[0] += lower * PAIRS_FROM(nears, t);                                                    \
        sum[1] += upper * PAIRS_FROM(nears, (t) + LANES / 2);                                      \
        if (mirrors) {                                                                             \
            sum[3] += lower * PAIRS_BACK_FROM(fars, t);                                            \
            sum[2] += upper * PAIRS_BACK_FROM(fars, (t) + LANES / 2);                              \
        }                                                                                          \
    }

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
    PUT(mirrored, scale * BACK_PAIRS(total[2]));
    PUT(mirrored + LANES, scale * BACK_PAIRS(total[3]));
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
    if (s->mirrored) NAME_OF(sum_, whole, PRECISION)(s, b, weight);
    else NAME_OF(sum_, half, PRECISION)(s, b, weight);
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
        const VECTOR low = AT(from + 2 * k), high = AT(from + 2 * k + LANES);
        const VECTOR re = SHUFFLED(low, high, REALS);
        const VECTOR im = (REAL)r->sign * SHUFFLED(low, high, OTHERS);
        ahead = re + im;
        back = re - im;
    } else if (r->pairs) {
        const REAL *mirrored = from + 2 * (r->n + 1 - LANES - k);
        const VECTOR low = AT(mirrored), high = AT(mirrored + LANES);
        ahead = SHUFFLED(AT(from + 2 * k), AT(from + 2 * k + LANES), REALS);
        back = SHUFFLED(low, high, REALS_BACK);
    } else {
        const VECTOR mirrored = AT(from + r->n + 1 - LANES - k);
        ahead = AT(from + k);
        back = SHUFFLED(mirrored, mirrored, BACK);
    }
    back *= weight;
    PUT((REAL *)r->to[0] + k, ahead * weight);
    PUT((REAL *)r->to[0] + 2 * r->h + 1 - LANES - k, SHUFFLED(back, back, BACK));
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
    const VECTOR low = AT(near), high = AT(near + LANES);
    const VECTOR far_low = AT(far), far_high = AT(far + LANES);
    const VECTOR re = SHUFFLED(low, high, REALS), im = SHUFFLED(low, high, OTHERS);
    const VECTOR far_re = SHUFFLED(far_low, far_high, REALS_BACK);
    const VECTOR far_im = SHUFFLED(far_low, far_high, OTHERS_BACK);
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
    for (int64_t l = r->begin; l < r->end; l += LANES) NAME_OF(unfold_, vector, PRECISION)(r, l);
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
    const VECTOR low = AT(from), high = AT(from + LANES);
    const VECTOR re = SHUFFLED(low, high, REALS), im = SHUFFLED(low, high, OTHERS);
    const VECTOR ahead = re - im, sum = re + im;
    const VECTOR back = r->half ? re : sum, back_im = r->half ? -im : sum;
    REAL *to = r->to[0];
    if (!r->half && !r->pairs) {
        PUT(to + k, ahead);
        PUT(to + r->n + 1 - LANES - k, SHUFFLED(back, back, BACK));
        return;
    }
    REAL *mirrored = to + 2 * (r->n + 1 - LANES - k);
    if (!r->half) {
        PUT(to + 2 * k, SHUFFLED(ahead, ahead, LOW));
        PUT(to + 2 * k + LANES, SHUFFLED(ahead, ahead, HIGH));
    }
    PUT(mirrored, SHUFFLED(back, back_im, LOW_BACK));
    PUT(mirrored + LANES, SHUFFLED(back, back_im, HIGH_BACK));
}

static void NAME_OF(, close, PRECISION)(const struct resample_reals *r)
{
    const int64_t last = r->end - LANES;
    int64_t k = r->begin;
    if (k == 0) NAME_OF(close_, one, PRECISION)(r, k++);
    if (last < k) {
        for (; k < r->end; k++) NAME_OF(close_, one, PRECISION)(r, k);
        return;
    }
    for (;; k = k + LANES < last ? k + LANES : last) {
        NAME_OF(close_, vector, PRECISION)(r, k);
        if (k == last) return;
    }
}
