/* One precision's: a part of core_template.h, included with REAL, PRECISION and MOST_LANES. */
#include "device/cpu/widest_lanes.h"

#define FACTOR     NAME_OF(core_, factor, PRECISION)
#define FACTORS    NAME_OF(core_, factors, PRECISION)
#define RESULTS    NAME_OF(core_, results, PRECISION)
#define LINES_OF   NAME_OF(core_, lines, PRECISION)
#define ROW_OF     NAME_OF(core_, row, PRECISION)
#define PAIR       NAME_OF(core_, pair, PRECISION)
#define SUMS       NAME_OF(core_, sums, PRECISION)
#define SUMS_OF    NAME_OF(sums_, of, PRECISION)
#define ALL_INLINE static inline __attribute__((always_inline))

/* Vectors whose second halves are `high` lanes behind their first ones, LANES / 2 unless there are
 * fewer than LANES of them, and half as many at least: then some are in both. */
#undef FIRST_LANES
#undef LAST_LANES
#undef HALVED
#undef TWO_AT
#undef PUT_TWO
#if VECTOR_BYTES >= 32
#if LANES == 16
#define FIRST_LANES 0, 1, 2, 3, 4, 5, 6, 7
#define LAST_LANES  8, 9, 10, 11, 12, 13, 14, 15
#elif LANES == 8
#define FIRST_LANES 0, 1, 2, 3
#define LAST_LANES  4, 5, 6, 7
#else
#define FIRST_LANES 0, 1
#define LAST_LANES  2, 3
#endif
#define HALVED 1
#undef HALF
#define HALF NAME_OF(core_half_, LANES, PRECISION)
typedef REAL HALF
    __attribute__((vector_size(LANES * sizeof(REAL) / 2), aligned(sizeof(REAL)), may_alias));
#define TWO_AT(place, high)                                                                        \
    (VECTOR) SHUFFLED(*(const HALF *)(place), *(const HALF *)((place) + (high)), FIRST_LANES,      \
                      LAST_LANES)
#define PUT_TWO(place, high, v)                                                                    \
    (*(HALF *)(place) = (HALF)SHUFFLED(v, v, FIRST_LANES),                                         \
     *(HALF *)((place) + (high)) = (HALF)SHUFFLED(v, v, LAST_LANES))
#else
#define HALVED 0
#define TWO_AT(place, high)     ((void)(high), AT(place))
#define PUT_TWO(place, high, v) PUT(place, v)
#endif

/* Reals from the first half of a vector's pairs to the second. */
#undef PAIRS_BEHIND
#define PAIRS_BEHIND(high) (HALVED ? 2 * (high) : LANES)

/* A complex number a lane. */
struct FACTOR {
    VECTOR re, im;
};

/* What the results of a row from some lane on are multiplied with: at the first, and from one to
 * the next. */
struct FACTORS {
    enum codelet_twiddle kind;
    const REAL *row, *fine;
    int64_t row_plane, fine_leg, fine_plane, high;
};

/* Where they go. */
struct RESULTS {
    bool pairs;
    REAL *re, *im;
    int64_t leg, turn, high;
};

ALL_INLINE struct FACTOR NAME_OF(core_, product, PRECISION)(struct FACTOR a, struct FACTOR b)
{
    return (struct FACTOR){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

ALL_INLINE void NAME_OF(load_, planes, PRECISION)(const REAL *re, const REAL *im, int64_t stride,
                                                  int64_t high, int radix, VECTOR *x)
{
    const bool apart = HALVED && high != LANES / 2;
    for (int leg = 0; leg < radix; leg++, re += stride, im += stride) {
        if (apart) {
            x[2 * leg] = TWO_AT(re, high);
            x[2 * leg + 1] = TWO_AT(im, high);
        } else {
            x[2 * leg] = AT(re);
            x[2 * leg + 1] = AT(im);
        }
    }
}

ALL_INLINE void NAME_OF(load_, pairs, PRECISION)(const REAL *at, int64_t stride, int64_t turn,
                                                 int64_t high, int radix, VECTOR *x)
{
    for (int leg = 0; leg < radix; leg++) {
        APART_AT(at, at + PAIRS_BEHIND(high), re, im);
        x[2 * leg] = re;
        x[2 * leg + 1] = im;
        at += 2 * (stride + (leg == 0 ? turn : 0));
    }
}

/* The first factor of a row is 1, and is not in its table. */
ALL_INLINE struct FACTOR NAME_OF(core_, twiddled, PRECISION)(const struct FACTORS *factors,
                                                             enum codelet_twiddle kind, int leg,
                                                             struct FACTOR y)
{
    const VECTOR zero = {0};
    const REAL *row = factors->row;
    const int64_t high = factors->high;
    if (kind == CODELET_TWIDDLE_SPLIT) {
        const REAL *fine = factors->fine + leg * factors->fine_leg;
        const struct FACTOR of_row = {TWO_AT(row, high), TWO_AT(row + factors->row_plane, high)};
        const struct FACTOR of_leg = {TWO_AT(fine, high), TWO_AT(fine + factors->fine_plane, high)};
        const struct FACTOR factor = NAME_OF(core_, product, PRECISION)(of_row, of_leg);
        return NAME_OF(core_, product, PRECISION)(y, factor);
    }
    if (kind == CODELET_TWIDDLE_NONE || leg == 0) return y;
    const struct FACTOR factor = {zero + row[leg - 1], zero + row[leg - 1 + factors->row_plane]};
    return NAME_OF(core_, product, PRECISION)(y, factor);
}

ALL_INLINE void NAME_OF(store_, legs, PRECISION)(struct RESULTS to, bool pairs,
                                                 const struct FACTORS *factors,
                                                 enum codelet_twiddle kind,
                                                 const struct codelet_core *core,
                                                 const VECTOR *results)
{
    const int radix = core->radix;
    for (int leg = 0; leg < radix; leg++) {
        const unsigned char *place = core->place + 2 * leg;
        struct FACTOR y = {results[place[0]], results[place[1]]};
        y = NAME_OF(core_, twiddled, PRECISION)(factors, kind, leg, y);
        const int64_t step = to.leg + (leg == 0 ? to.turn : 0);
        if (pairs) {
            PUT_PAIRS_AT(to.re, to.re + PAIRS_BEHIND(to.high), y.re, y.im);
            to.re += 2 * step;
            continue;
        }
        if (HALVED && to.high != LANES / 2) {
            PUT_TWO(to.re, to.high, y.re);
            PUT_TWO(to.im, to.high, y.im);
        } else {
            PUT(to.re, y.re);
            PUT(to.im, y.im);
        }
        to.re += step;
        to.im += step;
    }
}

/* A loop for each combination of an end and a kind of twiddle that there is. */
ALL_INLINE void NAME_OF(store_, results, PRECISION)(const struct RESULTS *to,
                                                    const struct FACTORS *factors,
                                                    const struct codelet_core *core,
                                                    const VECTOR *y)
{
    if (to->pairs) {
        NAME_OF(store_, legs, PRECISION)(*to, true, factors, CODELET_TWIDDLE_NONE, core, y);
    } else if (factors->kind == CODELET_TWIDDLE_SPLIT) {
        NAME_OF(store_, legs, PRECISION)(*to, false, factors, CODELET_TWIDDLE_SPLIT, core, y);
    } else if (factors->kind == CODELET_TWIDDLE_ROW) {
        NAME_OF(store_, legs, PRECISION)(*to, false, factors, CODELET_TWIDDLE_ROW, core, y);
    } else {
        NAME_OF(store_, legs, PRECISION)(*to, false, factors, CODELET_TWIDDLE_NONE, core, y);
    }
}

/* ---- butterflies by sums ---- */

/* x_j + x_{p-j} and x_j - x_{p-j}. */
struct PAIR {
    VECTOR sum_re, sum_im, difference_re, difference_im;
};

/* So many results and their mirrors, from the b-th power of the generator on. */
ALL_INLINE void SUMS(const struct codelet_core *core, const struct PAIR *pairs, const VECTOR *first,
                     int b, int results, VECTOR *restrict y)
{
    const REAL *cosines = (const REAL *)core->cosines + b, *sines = (const REAL *)core->sines + b;
    const VECTOR zero = {0};
    struct PAIR total[SUMS_AT_ONCE];
    UNROLLED
    for (int i = 0; i < results; i++)
        total[i] = (struct PAIR){first[0], first[1], zero, zero};
    for (int a = 0; a < core->radix / 2; a++, cosines++, sines++) {
        /* Of the roots that it read before, gcc would make vectors by shuffles. */
        __asm__("" : "+r"(cosines), "+r"(sines));
        UNROLLED
        for (int i = 0; i < results; i++) {
            total[i].sum_re += pairs[a].sum_re * cosines[i];
            total[i].sum_im += pairs[a].sum_im * cosines[i];
            total[i].difference_re += pairs[a].difference_re * sines[i];
            total[i].difference_im += pairs[a].difference_im * sines[i];
        }
    }
    UNROLLED
    for (int i = 0; i < results; i++) {
        VECTOR *at = y + 2 * core->power[b + i];
        VECTOR *mirrored = y + 2 * (core->radix - core->power[b + i]);
        at[0] = total[i].sum_re + total[i].difference_im;
        at[1] = total[i].sum_im - total[i].difference_re;
        mirrored[0] = total[i].sum_re - total[i].difference_im;
        mirrored[1] = total[i].sum_im + total[i].difference_re;
    }
}

/* A prime by definition, in the order of the powers of a generator. */
static void SUMS_OF(const struct codelet_core *core, const VECTOR *restrict x, VECTOR *restrict y)
{
    struct PAIR pairs[CODELET_MAX_RADIX / 2];
    const int count = core->radix / 2;
    y[0] = x[0];
    y[1] = x[1];
    for (int a = 0; a < count; a++) {
        const VECTOR *one = x + 2 * core->power[a], *other = x + 2 * (core->radix - core->power[a]);
        pairs[a] = (struct PAIR){one[0] + other[0], one[1] + other[1], one[0] - other[0],
                                 one[1] - other[1]};
        y[0] += pairs[a].sum_re;
        y[1] += pairs[a].sum_im;
    }
    for (int b = 0, calls = (count + SUMS_AT_ONCE - 1) / SUMS_AT_ONCE; calls > 0; calls--) {
        const int results = (count - b + calls - 1) / calls;
        if (results == SUMS_AT_ONCE) SUMS(core, pairs, x, b, SUMS_AT_ONCE, y);
        else if (results == SUMS_AT_ONCE - 1) SUMS(core, pairs, x, b, SUMS_AT_ONCE - 1, y);
        else SUMS(core, pairs, x, b, SUMS_AT_ONCE - 2, y);
        b += results;
    }
}

/* Where a codelet's numbers lie, and how far behind the first half of a vector the second is. */
struct LINES_OF {
    const struct codelet_core *core;
    const struct codelet_shape *shape;
    const REAL *in_re, *in_im;
    REAL *out_re, *out_im;
    const REAL *twiddles, *fine;
    bool in_pairs, out_pairs;
    enum codelet_twiddle twiddle;
    int64_t high;
};

ALL_INLINE void NAME_OF(core_, load, PRECISION)(const struct LINES_OF *l, int64_t row, int64_t lane,
                                                VECTOR *x)
{
    const struct codelet_shape *s = l->shape;
    const int64_t at = row * s->in_row + lane;
    const int radix = l->core->radix;
    if (l->in_pairs)
        NAME_OF(load_, pairs, PRECISION)(l->in_re + 2 * at, s->in_leg, s->turn, l->high, radix, x);
    else
        NAME_OF(load_, planes, PRECISION)(l->in_re + at, l->in_im + at, s->in_leg, l->high, radix,
                                          x);
}

ALL_INLINE void NAME_OF(core_, store, PRECISION)(const struct LINES_OF *l, int64_t row,
                                                 int64_t lane, const VECTOR *y)
{
    const struct codelet_shape *s = l->shape;
    const bool split = l->twiddle == CODELET_TWIDDLE_SPLIT;
    const int64_t at = (l->out_pairs ? 2 : 1) * (row * s->out_row + lane);
    const struct RESULTS results = {.pairs = l->out_pairs,
                                    .re = l->out_re + at,
                                    .im = l->out_pairs ? NULL : l->out_im + at,
                                    .leg = s->out_leg,
                                    .turn = l->in_pairs ? 0 : s->turn,
                                    .high = l->high};
    const struct FACTORS factors = {
        l->twiddle,
        l->twiddle ? l->twiddles + row * s->twiddle_row + (split ? lane : 0) : NULL,
        split ? l->fine + lane : NULL,
        s->twiddle_plane,
        s->fine_leg,
        s->fine_plane,
        l->high};
    NAME_OF(store_, results, PRECISION)(&results, &factors, l->core, y);
}

/* A row. The last vector's lanes are read before those of the one before are written, for some may
 * be the same. Loops are short, and may take nearly twice as long where they begin elsewhere.
 * (Experiment "long primes" in docs/experiments.) */
__attribute__((aligned(64))) static void ROW_OF(const struct LINES_OF *l, int64_t row)
{
    VECTOR x[2 * CODELET_MAX_RADIX], y[2 * CODELET_MAX_RADIX];
    const int64_t last = l->shape->lanes > LANES ? l->shape->lanes - LANES : 0;
    NAME_OF(core_, load, PRECISION)(l, row, 0, x);
    for (int64_t lane = 0, next;; lane = next) {
        if (l->core->run) l->core->run(x, y);
        else SUMS_OF(l->core, x, y);
        next = lane + LANES < last ? lane + LANES : last;
        if (lane < last) NAME_OF(core_, load, PRECISION)(l, row, next, x);
        NAME_OF(core_, store, PRECISION)(l, row, lane, y);
        if (lane == last) break;
    }
}

void NAME_OF(codelet_by_core_, ISA, PRECISION)(const struct codelet_shape *s, const void *in_re,
                                               const void *in_im, void *out_re, void *out_im,
                                               const void *twiddles, const void *fine)
{
    const struct codelet_shape_of_kind *k = &codelet_kinds[s->kind];
    const struct LINES_OF lines = {
        .core = s->set->core[s->radix],
        .shape = s,
        .in_re = in_re,
        .in_im = in_im,
        .out_re = out_re,
        .out_im = out_im,
        .twiddles = twiddles,
        .fine = fine,
        .in_pairs = k->in == CODELET_INTERLEAVED,
        .out_pairs = k->out == CODELET_INTERLEAVED,
        .twiddle = k->twiddle,
        .high = s->lanes < LANES && 2 * s->lanes >= LANES ? s->lanes - LANES / 2 : LANES / 2};
    for (int64_t row = 0; row < s->rows; row++) ROW_OF(&lines, row);
}
