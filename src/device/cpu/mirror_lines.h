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

#define WIDTH_FILE "device/cpu/mirror_pairs.h"
#include "device/cpu/each_width.h"
#define WIDTH_FILE "device/cpu/mirror_turned.h"
#include "device/cpu/each_width.h"
#define WIDTH_FILE "device/cpu/mirror_split.h"
#include "device/cpu/each_width.h"
#define LANES 1
#include "device/cpu/lanes.h"
#include "device/cpu/mirror_turned.h"
#include "device/cpu/mirror_split.h"
#undef LANES

/* All numbers but the first; the middle one is its own mirror. */
static inline __attribute__((always_inline)) void
NAME_OF(mirror_, line, PRECISION)(const struct LINE *line, const struct FACTORS *factors)
{
    int64_t k = 1;
#define STEP(lanes) k = NAME_OF(pairs_, lanes, PRECISION)(line, factors, k);
    EACH_WIDTH(STEP)
#undef STEP
}

static void NAME_OF(, unfold, PRECISION)(const struct codelet_shape *shape, const void *in_re,
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
static void NAME_OF(, fold, PRECISION)(const struct codelet_shape *shape, const void *in_re,
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

/* The real that number 0 is. */
static int64_t NAME_OF(place_of, first, PRECISION)(const struct codelet_shape *shape)
{
    return shape->turn == 0 ? 0 : 2 * shape->lanes - 1;
}

static void NAME_OF(unfold_, turned, PRECISION)(const struct codelet_shape *shape,
                                                const void *in_re, const void *in_im, void *out_re,
                                                void *out_im, const void *twiddles,
                                                const void *fine)
{
    const REAL *from = in_re, *factor = (const REAL *)fine + shape->fine_row;
    const struct LINE line = {from, (REAL *)out_re + shape->turn, shape->lanes, twiddles};
    int64_t k = 1;
    (void)in_im;
    (void)out_im;
#define STEP(lanes) k = NAME_OF(unfold_turned_, lanes, PRECISION)(&line, factor, k);
    EACH_WIDTH(STEP)
    STEP(1)
#undef STEP
    ((REAL *)out_re)[NAME_OF(place_of, first, PRECISION)(shape)] = factor[2] * (from[0] + from[1]);
    line.to[line.h] = factor[3] * (from[0] - from[1]);
}

static void NAME_OF(fold_, turned, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                              const void *in_im, void *out_re, void *out_im,
                                              const void *twiddles, const void *fine)
{
    REAL *to = out_re;
    const REAL *factor = (const REAL *)fine + shape->fine_row, *from = in_re;
    const struct LINE line = {from + shape->turn, to, shape->lanes, twiddles};
    const REAL first = factor[2] * from[NAME_OF(place_of, first, PRECISION)(shape)];
    const REAL last = factor[3] * line.from[line.h];
    int64_t k = 1;
    (void)in_im;
    (void)out_im;
#define STEP(lanes) k = NAME_OF(fold_turned_, lanes, PRECISION)(&line, factor, k);
    EACH_WIDTH(STEP)
    STEP(1)
#undef STEP
    to[0] = first + last;
    to[1] = first - last;
}

static void NAME_OF(part_, reals, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                             const void *in_im, void *out_re, void *out_im,
                                             const void *twiddles, const void *fine)
{
    const REAL *restrict from = in_re;
    const REAL *factor = (const REAL *)fine + shape->fine_row, a = factor[0], b = factor[1];
    REAL *restrict first = out_re, *restrict last = first + 2 * shape->lanes - 1;
    (void)in_im;
    (void)out_im;
    (void)twiddles;
    for (int64_t i = 0; i < shape->lanes; i++) {
        first[i] = a * from[2 * i];
        last[-i] = b * from[2 * i + 1];
    }
}

static void NAME_OF(join_, reals, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                             const void *in_im, void *out_re, void *out_im,
                                             const void *twiddles, const void *fine)
{
    const REAL *restrict first = in_re, *restrict last = first + 2 * shape->lanes - 1;
    const REAL *factor = (const REAL *)fine + shape->fine_row, a = factor[0], b = factor[1];
    REAL *restrict to = out_re;
    (void)in_im;
    (void)out_im;
    (void)twiddles;
    for (int64_t i = 0; i < shape->lanes; i++) {
        to[2 * i] = a * first[i];
        to[2 * i + 1] = b * last[-i];
    }
}

/* By the widest vectors, by some of a quarter of them, or one by one: of tiles that are not as wide
 * there are few, and every width is text. (Experiment "other reals".) */
#if MOST_LANES >= 16
#define BY_LANES(step) step(16) step(4) step(1)
#elif MOST_LANES >= 8
#define BY_LANES(step) step(8) step(2) step(1)
#elif MOST_LANES >= 4
#define BY_LANES(step) step(4) step(1)
#else
#define BY_LANES(step) step(2) step(1)
#endif

static void NAME_OF(part_, columns, PRECISION)(const struct codelet_shape *shape,
                                               const void *in_re, const void *in_im, void *out_re,
                                               void *out_im, const void *twiddles,
                                               const void *fine)
{
#define STEP(width)                                                                              \
    if (shape->lanes % width == 0) {                                                              \
        NAME_OF(columns_, width, PRECISION)                                                       \
        (shape, in_re, in_im, out_re, out_im, twiddles, fine);                                    \
        return;                                                                                   \
    }
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(put_, numbers, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                              const void *in_im, void *out_re, void *out_im,
                                              const void *twiddles, const void *fine)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    (void)out_im;
    (void)twiddles;
#define STEP(width)                                                                              \
    if (shape->lanes % width == 0) {                                                              \
        NAME_OF(upright_, width, PRECISION)(shape, in_re, in_im, out_re, factor, false);          \
        return;                                                                                   \
    }
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(put_, mirrored, PRECISION)(const struct codelet_shape *shape,
                                               const void *in_re, const void *in_im, void *out_re,
                                               void *out_im, const void *twiddles,
                                               const void *fine)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    (void)out_im;
    (void)twiddles;
#define STEP(width)                                                                              \
    if (shape->lanes % width == 0) {                                                              \
        NAME_OF(mirrored_, width, PRECISION)(shape, in_re, in_im, out_re, factor);                \
        return;                                                                                   \
    }
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(to_, reals, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                           const void *in_im, void *out_re, void *out_im,
                                           const void *twiddles, const void *fine)
{
    int64_t c = 0;
#define STEP(width)                                                                               \
    c = NAME_OF(to_reals_, width, PRECISION)(shape, in_re, in_im, out_re, out_im, twiddles, fine, \
                                           c);
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(of_, reals, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                           const void *in_im, void *out_re, void *out_im,
                                           const void *twiddles, const void *fine)
{
    int64_t c = 0;
#define STEP(width)                                                                               \
    c = NAME_OF(of_reals_, width, PRECISION)(shape, in_re, in_im, out_re, out_im, twiddles, fine, \
                                           c);
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(to_, others, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                            const void *in_im, void *out_re, void *out_im,
                                            const void *twiddles, const void *fine)
{
    const REAL factor = *(const REAL *)fine;
    const int64_t step = shape->turn;
    (void)out_im;
    (void)twiddles;
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *restrict re = (const REAL *)in_re + row * shape->in_row;
        const REAL *restrict im = (const REAL *)in_im + row * shape->in_row;
        REAL *restrict to = (REAL *)out_re + row * shape->out_row;
        for (int64_t c = 0; c < shape->lanes; c++) {
            SCALAR();
            to[4 * c * step] = re[c] * factor;
            to[(4 * c + 2) * step] = im[c] * factor;
        }
    }
}

static void NAME_OF(of_, others, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                            const void *in_im, void *out_re, void *out_im,
                                            const void *twiddles, const void *fine)
{
    int64_t c = 0;
    const REAL factor = *(const REAL *)fine;
    const bool back = shape->turn < 0;
    (void)in_im;
    (void)twiddles;
#define STEP(width)                                                                              \
    if (back)                                                                                     \
        c = NAME_OF(of_others_, width, PRECISION)(shape, in_re, out_re, out_im, factor, true, c); \
    else                                                                                          \
        c = NAME_OF(of_others_, width, PRECISION)(shape, in_re, out_re, out_im, factor, false, c);
    BY_LANES(STEP)
#undef STEP
}

static inline void NAME_OF(take_, numbers, PRECISION)(const struct codelet_shape *shape,
                                                      const REAL *in, REAL *out_re, REAL *out_im,
                                                      const REAL *fine, bool back)
{
    int64_t c = 0;
    const REAL *factor = fine + shape->fine_row;
#define STEP(width)                                                                              \
    c = NAME_OF(of_numbers_, width, PRECISION)(shape, in, out_re, out_im, factor, back, c);
    BY_LANES(STEP)
#undef STEP
}

static void NAME_OF(of_, numbers, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                             const void *in_im, void *out_re, void *out_im,
                                             const void *twiddles, const void *fine)
{
    (void)in_im;
    (void)twiddles;
    NAME_OF(take_, numbers, PRECISION)(shape, in_re, out_re, out_im, fine, false);
}

static void NAME_OF(of_, mirrored, PRECISION)(const struct codelet_shape *shape, const void *in_re,
                                              const void *in_im, void *out_re, void *out_im,
                                              const void *twiddles, const void *fine)
{
    (void)in_im;
    (void)twiddles;
    NAME_OF(take_, numbers, PRECISION)(shape, in_re, out_re, out_im, fine, true);
}

#undef BY_LANES
#undef LINE
#undef FACTORS
