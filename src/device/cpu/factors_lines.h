/* Lines of one precision: a part of factors_template.h, included with REAL, PRECISION and
 * MOST_LANES. */
#define LINE NAME_OF(factors_, line, PRECISION)

struct LINE {
    int64_t count, half;
    REAL *pair, *re, *im;
    const REAL *factor_re, *factor_im, *root_re, *root_im;
    REAL sign, scale;
};

#define WIDTH_FILE "device/cpu/factors_width.h"
#include "device/cpu/each_width.h"
#define LANES 1
#include "device/cpu/lanes.h"
#include "device/cpu/factors_width.h"
#undef LANES

ALL_INLINE struct LINE NAME_OF(typed_, line, PRECISION)(const struct cpu_factors_line *line)
{
    return (struct LINE){.count = line->count,
                         .half = line->half,
                         .pair = line->pair,
                         .re = line->re,
                         .im = line->im,
                         .factor_re = line->factor_re,
                         .factor_im = line->factor_im,
                         .root_re = line->root_re,
                         .root_im = line->root_im,
                         .sign = (REAL)line->sign,
                         .scale = (REAL)line->scale};
}

/* By the widest vectors, by some of a quarter of them, and one by one: every width is text. */
#if MOST_LANES >= 16
#define BY_LANES(step) step(16) step(4) step(1)
#elif MOST_LANES >= 8
#define BY_LANES(step) step(8) step(2) step(1)
#elif MOST_LANES >= 4
#define BY_LANES(step) step(4) step(1)
#else
#define BY_LANES(step) step(2) step(1)
#endif

ALL_INLINE void NAME_OF(enter_, all, PRECISION)(const struct cpu_factors_line *line,
                                                bool parities)
{
    const struct LINE here = NAME_OF(typed_, line, PRECISION)(line);
    int64_t i = 0;
#define STEP(lanes) i = NAME_OF(enter_, lanes, PRECISION)(&here, parities, i);
    BY_LANES(STEP)
#undef STEP
}

ALL_INLINE void NAME_OF(leave_, all, PRECISION)(const struct cpu_factors_line *line,
                                                bool parities)
{
    const struct LINE here = NAME_OF(typed_, line, PRECISION)(line);
    int64_t i = 0;
#define STEP(lanes) i = NAME_OF(leave_, lanes, PRECISION)(&here, parities, i);
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(, enter, PRECISION)(const struct cpu_factors_line *line)
{
    if (line->root_re) NAME_OF(enter_, all, PRECISION)(line, true);
    else NAME_OF(enter_, all, PRECISION)(line, false);
}

static void NAME_OF(, leave, PRECISION)(const struct cpu_factors_line *line)
{
    if (line->root_re) NAME_OF(leave_, all, PRECISION)(line, true);
    else NAME_OF(leave_, all, PRECISION)(line, false);
}

ALL_INLINE void NAME_OF(stay_, all, PRECISION)(const struct cpu_factors_line *line, bool mirrored)
{
    const struct LINE here = NAME_OF(typed_, line, PRECISION)(line);
    int64_t i = 0;
#define STEP(lanes) i = NAME_OF(stay_, lanes, PRECISION)(&here, mirrored, i);
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(, stay, PRECISION)(const struct cpu_factors_line *line)
{
    NAME_OF(stay_, all, PRECISION)(line, false);
}

static void NAME_OF(, stay_mirrored, PRECISION)(const struct cpu_factors_line *line)
{
    NAME_OF(stay_, all, PRECISION)(line, true);
}

#if VECTOR_BYTES >= 32
/* ---- Rader's ---- */

#define UNUSED __attribute__((unused))
#define CODELET(noun)                                                                              \
    static void NAME_OF(rader_, noun, PRECISION)(                                                  \
        const struct codelet_shape *shape UNUSED, const void *in_re, const void *in_im UNUSED,     \
        void *out_re, void *out_im UNUSED, const void *twiddles UNUSED, const void *fine UNUSED)

/* Places of numbers that are `leg` apart. Compilers would make vectors of them, and take longer to
 * part these again than for the rest. (Experiment "permutations" in docs/experiments.) */
ALL_INLINE int64_t NAME_OF(rader_, place, PRECISION)(const int32_t *place, int64_t leg)
{
    int64_t at = *place;
    __asm__("" : "+r"(at));
    return 2 * at * leg;
}

/* An even number of them, for n is odd. */
ALL_INLINE void NAME_OF(picked_, pairs, PRECISION)(REAL *restrict to, const REAL *restrict from,
                                                 const int32_t *restrict place, int64_t leg,
                                                 int64_t count)
{
    for (int64_t e = 0; e < count; e += 2) {
        memcpy(to + 2 * e, from + NAME_OF(rader_, place, PRECISION)(place + e, leg),
               2 * sizeof *to);
        memcpy(to + 2 * e + 2, from + NAME_OF(rader_, place, PRECISION)(place + e + 1, leg),
               2 * sizeof *to);
    }
}

ALL_INLINE void NAME_OF(left_, pairs, PRECISION)(REAL *restrict to, const REAL *restrict from,
                                                  const int32_t *restrict place, int64_t leg,
                                                  int64_t count)
{
    for (int64_t e = 0; e < count; e += 2) {
        memcpy(to + NAME_OF(rader_, place, PRECISION)(place + e, leg), from + 2 * e,
               2 * sizeof *to);
        memcpy(to + NAME_OF(rader_, place, PRECISION)(place + e + 1, leg), from + 2 * e + 2,
               2 * sizeof *to);
    }
}

CODELET(pick)
{
    REAL *to = out_re, *first = to + 2 * shape->out_leg;
    const REAL *from = in_re;
    const int64_t leg = shape->in_leg, count = shape->lanes;
    for (int64_t row = 0; row < shape->rows; row++) {
        if (leg == 1) NAME_OF(picked_, pairs, PRECISION)(to, from, fine, 1, count);
        else NAME_OF(picked_, pairs, PRECISION)(to, from, fine, leg, count);
        memcpy(first, from, 2 * sizeof *to);
        from += 2 * shape->in_row;
        to += 2 * count;
        first += 2;
    }
}

CODELET(leave)
{
    REAL *to = out_re;
    const REAL *from = in_re;
    const int64_t leg = shape->out_leg, count = shape->lanes;
    for (int64_t row = 0; row < shape->rows; row++) {
        if (leg == 1) NAME_OF(left_, pairs, PRECISION)(to, from, fine, 1, count);
        else NAME_OF(left_, pairs, PRECISION)(to, from, fine, leg, count);
        from += 2 * count;
        to += 2 * shape->out_row;
    }
}

CODELET(first)
{
    for (int64_t row = 0; row < shape->rows; row++)
        memcpy((REAL *)out_re + 2 * row * shape->out_row, (const REAL *)in_re + 2 * row,
               2 * sizeof(REAL));
}

CODELET(turn)
{
    REAL *first = (REAL *)(uintptr_t)in_re, *x = out_re;
    const REAL sign = (REAL)shape->turn;
    const int64_t count = shape->lanes;
    for (int64_t row = 0; row < shape->rows; row++, first += 2, x += 2 * count) {
        const REAL re = first[0], im = first[1];
        int64_t i = 0;
        first[0] += x[0];
        first[1] += x[1];
#define STEP(lanes) i = NAME_OF(turn_, lanes, PRECISION)(x, twiddles, sign, count, i);
        EACH_WIDTH(STEP)
#undef STEP
        x[0] += re;
        x[1] += im;
    }
}

#undef UNUSED
#undef CODELET
#endif

#undef BY_LANES
#undef LINE
