/* One precision's: a part of core_template.h, included with REAL, PRECISION and MOST_LANES. */
#include "device/cpu/widest_lanes.h"

#define FACTOR     NAME_OF(core_, factor, PRECISION)
#define FACTORS    NAME_OF(core_, factors, PRECISION)
#define RESULTS    NAME_OF(core_, results, PRECISION)
#define LANES_OF   NAME_OF(core_, lanes, PRECISION)
#define PAIR       NAME_OF(core_, pair, PRECISION)
#define SUMS       NAME_OF(core_, sums, PRECISION)
#define SUMS_OF    NAME_OF(sums_, of, PRECISION)
#define ALL_INLINE static inline __attribute__((always_inline))

/* A complex number a lane. */
struct FACTOR {
    VECTOR re, im;
};

/* What the results of a row from some lane on are multiplied with: at the first, and from one to
 * the next. */
struct FACTORS {
    enum codelet_twiddle kind;
    const REAL *row, *fine;
    int64_t row_plane, fine_leg, fine_plane;
};

/* Where they go. */
struct RESULTS {
    bool pairs;
    REAL *re, *im;
    int64_t leg, turn;
};

ALL_INLINE struct FACTOR NAME_OF(core_, product, PRECISION)(struct FACTOR a, struct FACTOR b)
{
    return (struct FACTOR){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

ALL_INLINE void NAME_OF(load_, planes, PRECISION)(const REAL *re, const REAL *im, int64_t stride,
                                                  int radix, VECTOR *x)
{
    for (int leg = 0; leg < radix; leg++, re += stride, im += stride) {
        x[2 * leg] = AT(re);
        x[2 * leg + 1] = AT(im);
    }
}

ALL_INLINE void NAME_OF(load_, pairs, PRECISION)(const REAL *at, int64_t stride, int64_t turn,
                                                 int radix, VECTOR *x)
{
    for (int leg = 0; leg < radix; leg++) {
        APART(at, re, im);
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
    if (kind == CODELET_TWIDDLE_SPLIT) {
        const REAL *fine = factors->fine + leg * factors->fine_leg;
        const struct FACTOR of_row = {AT(row), AT(row + factors->row_plane)};
        const struct FACTOR of_leg = {AT(fine), AT(fine + factors->fine_plane)};
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
            PUT_PAIRS(to.re, y.re, y.im);
            to.re += 2 * step;
        } else {
            PUT(to.re, y.re);
            PUT(to.im, y.im);
            to.re += step;
            to.im += step;
        }
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

/* LANES lanes of a row, at both ends of re and im. The loops are short, and may take nearly twice
 * as long where they begin elsewhere. (Experiment "long primes" in docs/experiments.) */
__attribute__((aligned(64))) static void
LANES_OF(const struct codelet_core *core, const struct codelet_shape *s, bool pairs, const REAL *re,
         const REAL *im, const struct RESULTS *to, const struct FACTORS *factors)
{
    VECTOR x[2 * CODELET_MAX_RADIX], y[2 * CODELET_MAX_RADIX];
    if (pairs) NAME_OF(load_, pairs, PRECISION)(re, s->in_leg, s->turn, core->radix, x);
    else NAME_OF(load_, planes, PRECISION)(re, im, s->in_leg, core->radix, x);
    if (core->run) core->run(x, y);
    else SUMS_OF(core, x, y);
    NAME_OF(store_, results, PRECISION)(to, factors, core, y);
}

void NAME_OF(codelet_by_core_, ISA, PRECISION)(const struct codelet_shape *s, const void *in_re,
                                               const void *in_im, void *out_re, void *out_im,
                                               const void *twiddles, const void *fine)
{
    const struct codelet_core *core = s->set->core[s->radix];
    const struct codelet_shape_of_kind *k = &codelet_kinds[s->kind];
    const bool in_pairs = k->in == CODELET_INTERLEAVED, out_pairs = k->out == CODELET_INTERLEAVED;
    const bool split = k->twiddle == CODELET_TWIDDLE_SPLIT;
    const int in_unit = in_pairs ? 2 : 1, out_unit = out_pairs ? 2 : 1;
    const int64_t last = s->lanes - LANES;
    for (int64_t row = 0; row < s->rows; row++) {
        for (int64_t lane = 0;; lane = lane + LANES < last ? lane + LANES : last) {
            const int64_t from = in_unit * (row * s->in_row + lane);
            const int64_t to = out_unit * (row * s->out_row + lane);
            const struct RESULTS results = {out_pairs, (REAL *)out_re + to,
                                            out_pairs ? NULL : (REAL *)out_im + to, s->out_leg,
                                            in_pairs ? 0 : s->turn};
            const struct FACTORS factors = {
                k->twiddle,
                k->twiddle ? (const REAL *)twiddles + row * s->twiddle_row + (split ? lane : 0)
                           : NULL,
                split ? (const REAL *)fine + lane : NULL,
                s->twiddle_plane,
                s->fine_leg,
                s->fine_plane};
            LANES_OF(core, s, in_pairs, (const REAL *)in_re + from,
                     in_pairs ? NULL : (const REAL *)in_im + from, &results, &factors);
            if (lane >= last) break;
        }
    }
}

#undef FACTOR
#undef FACTORS
#undef RESULTS
#undef LANES_OF
#undef PAIR
#undef SUMS
#undef SUMS_OF
#undef ALL_INLINE
#undef LANES
