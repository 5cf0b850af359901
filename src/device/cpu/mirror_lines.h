/* Lines of one precision: a part of mirror_template.h, included with REAL, PRECISION and
 * MOST_LANES. */
#define LINE    NAME_OF(mirrored_, line, PRECISION)
#define FACTORS NAME_OF(mirrored_, factors, PRECISION)

/* One line, from place to place. */
struct LINE {
    const REAL *from;
    REAL *to;
    int64_t h;
    const REAL *roots; /* of number 1 on */
};

/* Of the real and the imaginary parts, of what is read and of what is written. */
struct FACTORS {
    REAL in[2], out[2];
};

#if MOST_LANES >= 16
#define LANES 16
#include "device/cpu/mirror_pairs.h"
#undef LANES
#endif
#if MOST_LANES >= 8
#define LANES 8
#include "device/cpu/mirror_pairs.h"
#undef LANES
#endif
#if MOST_LANES >= 4
#define LANES 4
#include "device/cpu/mirror_pairs.h"
#undef LANES
#endif
#define LANES 2
#include "device/cpu/mirror_pairs.h"
#undef LANES

#define PAIRS(lanes) NAME_OF(pairs_, lanes, PRECISION)

/* All numbers but the first; the middle one is its own mirror. */
static inline __attribute__((always_inline)) void
NAME_OF(mirror_, line, PRECISION)(const struct LINE *line, const struct FACTORS *factors)
{
    int64_t k = 1;
#if MOST_LANES >= 16
    k = PAIRS(16)(line, factors, k);
#endif
#if MOST_LANES >= 8
    k = PAIRS(8)(line, factors, k);
#endif
#if MOST_LANES >= 4
    k = PAIRS(4)(line, factors, k);
#endif
    PAIRS(2)(line, factors, k);
}

static void NAME_OF(unf, old, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                         const void *in_im, void *out_re, void *out_im,
                                         const void *twiddles, const void *fine)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const struct FACTORS factors = {{1, 1}, {factor[0], factor[1]}};
    (void)in_im;
    (void)out_im;
    for (int64_t row = 0; row < shape->rows; row++) {
        const struct LINE line = {(const REAL *)in_re + 2 * row * shape->in_row,
                                  (REAL *)out_re + 2 * row * shape->out_row, shape->lanes,
                                  twiddles};
        const REAL re = 2 * factor[0] * line.from[0], im = 2 * factor[0] * line.from[1];
        NAME_OF(mirror_, line, PRECISION)(&line, &factors);
        line.to[0] = re + im;
        line.to[1] = 0;
        line.to[2 * line.h] = re - im;
        line.to[2 * line.h + 1] = 0;
    }
}

/* X[0] and X[h] have imaginary parts only in spectra of complex data. */
static void NAME_OF(fo, ld, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                       const void *in_im, void *out_re, void *out_im,
                                       const void *twiddles, const void *fine)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const struct FACTORS factors = {{factor[0], factor[1]}, {1, 1}};
    (void)in_im;
    (void)out_im;
    for (int64_t row = 0; row < shape->rows; row++) {
        const struct LINE line = {(const REAL *)in_re + 2 * row * shape->in_row,
                                  (REAL *)out_re + 2 * row * shape->out_row, shape->lanes,
                                  twiddles};
        const REAL first = factor[0] * line.from[0], last = factor[0] * line.from[2 * line.h];
        NAME_OF(mirror_, line, PRECISION)(&line, &factors);
        line.to[0] = first + last;
        line.to[1] = first - last;
    }
}

#undef LINE
#undef FACTORS
#undef PAIRS
