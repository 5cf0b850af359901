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

#undef BY_LANES
#undef LINE
