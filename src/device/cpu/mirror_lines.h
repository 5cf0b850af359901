/* Lines of one precision: a part of mirror_template.h, included with REAL, PRECISION and
 * MOST_LANES. */
#define LINE    NAME_OF(mirrored_, line, PRECISION)
#define FACTORS NAME_OF(mirrored_, factors, PRECISION)
#define NUMBERS NAME_OF(beside_, numbers_of, PRECISION)
#define TURN    NAME_OF(beside_, turn_of, PRECISION)

/* One line, from place to place. */
struct LINE {
    const REAL *from;
    REAL *to;
    int64_t h;
    const REAL *roots;      /* of number 1 on; turned: of those that vectors begin with, */
    const REAL *lane_turns; /* ... of whose lanes these are, or else the former are listed */
    REAL first, middle;     /* the reals that numbers 0 and h are, */
    bool past;              /* ... written past the caches as all others */
};

/* Of the real and the imaginary parts, of what is read and of what is written. */
struct FACTORS {
    REAL in[2], out[2];
};

/* struct beside_numbers. */
struct NUMBERS {
    REAL *re, *im, *part[2];
    int64_t step, part_step[2];
    REAL weight[2];
    int has[2]; /* a scale may leave nothing of a weight */
    const REAL *turn_re, *turn_im;
    int64_t turn_step, second;
};

/* A number's turn times the weights of its parts. */
struct TURN {
    REAL re[2], im[2];
};

static inline struct NUMBERS NAME_OF(numbers, at, PRECISION)(const struct beside_numbers *n,
                                                             const struct beside_place *place)
{
    static const REAL none[] = {1, 0};
    const struct beside_reals *a = &n->part[0], *b = &n->part[1];
    const double factor = place->factor;
    return (struct NUMBERS){.re = (REAL *)(place->re + n->at),
                            .im = (REAL *)(place->im + n->at),
                            .part = {(REAL *)(place->line + a->first),
                                     (REAL *)(place->line + b->first)},
                            .step = n->step,
                            .part_step = {a->step, b->step},
                            .weight = {(REAL)(a->weight * factor), (REAL)(b->weight * factor)},
                            .has = {a->weight != 0, b->weight != 0},
                            .turn_re = n->turn_re ? n->turn_re : none,
                            .turn_im = n->turn_re ? n->turn_im : none + 1,
                            .turn_step = n->turn_step,
                            .second = n->second};
}

static inline __attribute__((always_inline)) struct TURN
NAME_OF(turn, at, PRECISION)(const struct NUMBERS *n, int64_t row)
{
    const REAL re = n->turn_re[row * n->turn_step], im = n->turn_im[row * n->turn_step];
    return (struct TURN){{re * n->weight[0], re * n->weight[1]},
                         {im * n->weight[0], im * n->weight[1]}};
}

#define UNUSED __attribute__((unused))
#define CODELET(verb, noun)                                                                        \
    static void NAME_OF(verb, noun, PRECISION)(                                                    \
        const struct codelet_shape *shape, const void *in_re, const void *in_im UNUSED,            \
        void *out_re, void *out_im UNUSED, const void *twiddles UNUSED, const void *fine UNUSED)

#define WIDTH_FILE "device/cpu/mirror_pairs.h"
#include "device/cpu/each_width.h"
#define WIDTH_FILE "device/cpu/mirror_turned.h"
#include "device/cpu/each_width.h"
#define WIDTH_FILE "device/cpu/mirror_split.h"
#include "device/cpu/each_width.h"
#define WIDTH_FILE "device/cpu/mirror_beside.h"
#include "device/cpu/each_width.h"
#define WIDTH_FILE "device/cpu/mirror_halves.h"
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

CODELET(, unfold)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const struct FACTORS factors = {{1, 1}, {factor[0], factor[1]}};
    for (int64_t row = 0; row < shape->rows; row++) {
        const struct LINE line = {(const REAL *)in_re + 2 * row * shape->in_row,
                                  (REAL *)out_re + 2 * row * shape->out_row, shape->lanes,
                                  twiddles, NULL, 0, 0, false};
        const REAL re = 2 * factor[0] * line.from[0], im = 2 * factor[0] * line.from[1];
        NAME_OF(mirror_, line, PRECISION)(&line, &factors);
        line.to[0] = re + im;
        line.to[1] = 0;
        line.to[2 * line.h] = re - im;
        line.to[2 * line.h + 1] = 0;
    }
}

/* X[0] and X[h] have imaginary parts only in spectra of complex data. */
CODELET(, fold)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const struct FACTORS factors = {{factor[0], factor[1]}, {1, 1}};
    for (int64_t row = 0; row < shape->rows; row++) {
        const struct LINE line = {(const REAL *)in_re + 2 * row * shape->in_row,
                                  (REAL *)out_re + 2 * row * shape->out_row, shape->lanes,
                                  twiddles, NULL, 0, 0, false};
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

/* A line's numbers by the widest vectors, or, where listed ones do not fill one, by half as wide
 * ones. */
#if MOST_LANES >= 16
#define BY_LIST(...) BY_WIDTHS(16, 8, __VA_ARGS__)
#elif MOST_LANES >= 8
#define BY_LIST(...) BY_WIDTHS(8, 4, __VA_ARGS__)
#elif MOST_LANES >= 4
#define BY_LIST(...) BY_WIDTHS(4, 2, __VA_ARGS__)
#else
#define BY_LIST(...) BY_WIDTHS(2, 1, __VA_ARGS__)
#endif
#define BY_WIDTHS(widest, half, verb, ...)                                                         \
    if (!mirrors_turns_listed(shape->lanes, sizeof(REAL)))                                         \
        NAME_OF(verb##_turned_, widest, PRECISION)(__VA_ARGS__);                                   \
    else if (mirrors_listed_width(MOST_LANES, shape->lanes) == widest)                             \
        NAME_OF(verb##_listed_, widest, PRECISION)(__VA_ARGS__);                                   \
    else                                                                                           \
        NAME_OF(verb##_listed_, half, PRECISION)(__VA_ARGS__);

/* Its turns: listed ones have none of lanes before them. */
static inline const REAL *NAME_OF(turns_, line, PRECISION)(const struct codelet_shape *shape,
                                                           const void *twiddles)
{
    const bool listed = mirrors_turns_listed(shape->lanes, sizeof(REAL));
    return (const REAL *)twiddles + (listed ? 0 : 4 * MOST_LANES);
}

/* Whether lines go past the caches: those that are asked to and aligned. */
static inline bool NAME_OF(goes_, past, PRECISION)(const struct codelet_shape *shape,
                                                   const void *to)
{
    return MAY_STREAM && shape->out_leg != 0 && (uintptr_t)to % VECTOR_BYTES == 0;
}

CODELET(unfold_, turned)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const REAL *turns = NAME_OF(turns_, line, PRECISION)(shape, twiddles);
    const bool past = NAME_OF(goes_, past, PRECISION)(shape, out_re);
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *from = (const REAL *)in_re + row * shape->in_row;
        REAL *to = (REAL *)out_re + row * shape->out_row;
        const REAL first = factor[2] * (from[0] + from[1]);
        const REAL middle = factor[3] * (from[0] - from[1]);
        struct LINE line = {from,  to + shape->turn, shape->lanes, turns, twiddles,
                            first, middle,           past};
        BY_LIST(unfold, &line, factor)
        to[NAME_OF(place_of, first, PRECISION)(shape)] = first;
        line.to[line.h] = middle;
    }
    FENCE(past);
}

CODELET(fold_, turned)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const REAL *turns = NAME_OF(turns_, line, PRECISION)(shape, twiddles);
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *from = (const REAL *)in_re + row * shape->in_row;
        REAL *to = (REAL *)out_re + row * shape->out_row;
        struct LINE line = {from + shape->turn, to, shape->lanes, turns, twiddles, 0, 0, false};
        const REAL first = factor[2] * from[NAME_OF(place_of, first, PRECISION)(shape)];
        const REAL last = factor[3] * line.from[line.h];
        BY_LIST(fold, &line, factor)
        to[0] = first + last;
        to[1] = first - last;
    }
}

/* By the widest vectors, by some of a quarter of them, or one by one: of tiles that are not as wide
 * there are few, and every width is text. (Experiment "other reals".) */
#if MOST_LANES >= 16
#define BY_LANES(step, ...) step(16, __VA_ARGS__) step(4, __VA_ARGS__) step(1, __VA_ARGS__)
#elif MOST_LANES >= 8
#define BY_LANES(step, ...) step(8, __VA_ARGS__) step(2, __VA_ARGS__) step(1, __VA_ARGS__)
#elif MOST_LANES >= 4
#define BY_LANES(step, ...) step(4, __VA_ARGS__) step(1, __VA_ARGS__)
#else
#define BY_LANES(step, ...) step(2, __VA_ARGS__) step(1, __VA_ARGS__)
#endif
/* All lanes, if they are a whole number of vectors; or those from c on, as far as vectors go. */
#define ALL(width, function, ...)                          \
    if (shape->lanes % width == 0) {                        \
        NAME_OF(function, width, PRECISION)(__VA_ARGS__);   \
        return;                                             \
    }
#define SOME(width, function, ...) c = NAME_OF(function, width, PRECISION)(__VA_ARGS__, c);

CODELET(part_, reals)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *from = (const REAL *)in_re + row * shape->in_row;
        REAL *to = (REAL *)out_re + row * shape->out_row;
        NAME_OF(parted_, line, PRECISION)(from, to, shape->lanes, factor);
    }
}

CODELET(join_, reals)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    const bool past = NAME_OF(goes_, past, PRECISION)(shape, out_re);
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *from = (const REAL *)in_re + row * shape->in_row;
        REAL *to = (REAL *)out_re + row * shape->out_row;
        NAME_OF(united_, line, PRECISION)(from, to, shape->lanes, factor, past);
    }
    FENCE(past);
}

#define ENDS_CODELET(verb)                                                                  \
    CODELET(verb, ends)                                                                     \
    {                                                                                       \
        const REAL *factor = (const REAL *)fine + shape->fine_row, *turns = twiddles;       \
        const bool past = NAME_OF(goes_, past, PRECISION)(shape, out_re);                   \
        const bool listed = mirrors_ends_listed(shape->lanes, sizeof(REAL));                \
        for (int64_t row = 0; row < shape->rows; row++) {                                   \
            const struct LINE line = {(const REAL *)in_re + row * shape->in_row,            \
                                      (REAL *)out_re + row * shape->out_row, shape->lanes,  \
                                      turns + (listed ? 0 : 2 * MOST_LANES), turns, 0, 0, past}; \
            if (listed) NAME_OF(listed_##verb, ends, PRECISION)(&line, factor);             \
            else NAME_OF(numbers_##verb, ends, PRECISION)(&line, factor);                   \
        }                                                                                   \
        FENCE(past);                                                                        \
    }
ENDS_CODELET(of_)
ENDS_CODELET(to_)
#undef ENDS_CODELET

CODELET(part_, columns)
{
    BY_LANES(ALL, columns_, shape, in_re, in_im, out_re, out_im, twiddles, fine, false)
}

CODELET(join_, rows)
{
    const int64_t lanes = shape->lanes, middle = shape->rows / 2 * lanes;
    const size_t bytes = (size_t)lanes * sizeof(REAL);
    memcpy(out_im, in_re, bytes); /* real numbers */
    memcpy((REAL *)out_im + middle, (const REAL *)in_re + middle, bytes);
    BY_LANES(ALL, joined_, shape, in_re, in_im, out_re, out_im)
}

CODELET(put_, numbers)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    BY_LANES(ALL, upright_, shape, in_re, in_im, out_re, factor)
}

CODELET(put_, mirrored)
{
    const REAL *factor = (const REAL *)fine + shape->fine_row;
    BY_LANES(ALL, mirrored_, shape, in_re, in_im, out_re, factor)
}

CODELET(to_, reals)
{
    int64_t c = 0;
    BY_LANES(SOME, to_reals_, shape, in_re, in_im, out_re, out_im, twiddles, fine)
}

CODELET(of_, reals)
{
    int64_t c = 0;
    BY_LANES(SOME, of_reals_, shape, in_re, in_im, out_re, out_im, twiddles, fine)
}

CODELET(to_, others)
{
    const REAL factor = *(const REAL *)fine;
    const int64_t step = shape->turn;
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

CODELET(of_, others)
{
    int64_t c = 0;
    const REAL factor = *(const REAL *)fine;
    if (shape->turn < 0) {
        BY_LANES(SOME, of_others_, shape, in_re, out_re, out_im, factor, true)
    } else {
        BY_LANES(SOME, of_others_, shape, in_re, out_re, out_im, factor, false)
    }
}

static inline void NAME_OF(take_, numbers, PRECISION)(const struct codelet_shape *shape,
                                                      const REAL *in, REAL *out_re, REAL *out_im,
                                                      const REAL *fine, bool back)
{
    int64_t c = 0;
    const REAL *factor = fine + shape->fine_row;
    BY_LANES(SOME, of_numbers_, shape, in, out_re, out_im, factor, back)
}

CODELET(of_, numbers)
{
    NAME_OF(take_, numbers, PRECISION)(shape, in_re, out_re, out_im, fine, false);
}

CODELET(of_, mirrored)
{
    NAME_OF(take_, numbers, PRECISION)(shape, in_re, out_re, out_im, fine, true);
}

/* The widest vectors that so many lanes fill, or those of BESIDE_BYTES. */
#if MOST_LANES == 16
#define BY_WIDEST(step, ...) step(16, __VA_ARGS__)
#define BY_VECTORS(step, ...) BY_WIDEST(step, __VA_ARGS__) step(4, __VA_ARGS__)
#elif MOST_LANES == 8 && VECTOR_BYTES == 64
#define BY_WIDEST(step, ...) step(8, __VA_ARGS__)
#define BY_VECTORS(step, ...) BY_WIDEST(step, __VA_ARGS__) step(2, __VA_ARGS__)
#elif MOST_LANES == 8
#define BY_WIDEST(step, ...) step(8, __VA_ARGS__)
#define BY_VECTORS(step, ...) BY_WIDEST(step, __VA_ARGS__) step(4, __VA_ARGS__)
#elif MOST_LANES == 4 && VECTOR_BYTES == 32
#define BY_WIDEST(step, ...) step(4, __VA_ARGS__)
#define BY_VECTORS(step, ...) BY_WIDEST(step, __VA_ARGS__) step(2, __VA_ARGS__)
#elif MOST_LANES == 4
#define BY_WIDEST(step, ...) step(4, __VA_ARGS__)
#define BY_VECTORS(step, ...) BY_WIDEST(step, __VA_ARGS__)
#else
#define BY_WIDEST(step, ...) step(2, __VA_ARGS__)
#define BY_VECTORS(step, ...) BY_WIDEST(step, __VA_ARGS__)
#endif
#define FILLED(width, work)                                                                        \
    if (rows->lanes >= width) {                                                                    \
        NAME_OF(all_rows_, width, PRECISION)(rows, place, rows->lanes,                             \
                                             NAME_OF(work, width, PRECISION));                     \
        return;                                                                                    \
    }
/* The functions of struct beside_list. */
#define BESIDE(verb, widths)                                                                       \
    static void NAME_OF(verb, beside, PRECISION)(const struct beside_rows *rows,                   \
                                                 const struct beside_place *place)                 \
    {                                                                                              \
        widths(FILLED, verb##mirrors_)                                                             \
    }

BESIDE(gather_, BY_VECTORS)
BESIDE(scatter_, BY_VECTORS)
BESIDE(fold_, BY_VECTORS)
BESIDE(unfold_, BY_VECTORS)
BESIDE(join_, BY_WIDEST)
BESIDE(part_, BY_WIDEST)

/* The widest vectors that lanes fill of fours that lie apart, or those of BESIDE_BYTES. */
#if MOST_LANES * 4 == VECTOR_BYTES
#define BY_FOURS(step, ...) step(4, __VA_ARGS__)
#elif MOST_LANES > 2
#define BY_FOURS(step, ...) step(4, __VA_ARGS__) step(2, __VA_ARGS__)
#else
#define BY_FOURS(step, ...) step(2, __VA_ARGS__)
#endif
#define PARTED(width, work)                                                                        \
    if (shape->lanes >= width) {                                                                   \
        const struct NAME_OF(two_lines_plane_, width, PRECISION) plane = {                         \
            (REAL *)(uintptr_t)in_re, (REAL *)(uintptr_t)in_im, shape->rows, shape->in_row};       \
        NAME_OF(work, width, PRECISION)(shape, plane, out_re, fine);                               \
        return;                                                                                    \
    }
#define JOINED_OF(width, work)                                                                     \
    if (shape->lanes >= width) {                                                                   \
        const struct NAME_OF(two_lines_plane_, width, PRECISION) plane = {                         \
            out_re, out_im, shape->rows, shape->out_row};                                          \
        NAME_OF(work, width, PRECISION)(shape, in_re, plane, *(const REAL *)fine);                 \
        return;                                                                                    \
    }

CODELET(part_, halves)
{
    BY_VECTORS(PARTED, part_beside_)
}

CODELET(join_, halves)
{
    BY_VECTORS(JOINED_OF, join_beside_)
}

#if VECTOR_BYTES < 64
CODELET(part_, along)
{
    BY_FOURS(PARTED, part_along_)
}

CODELET(join_, along)
{
    BY_FOURS(JOINED_OF, join_along_)
}
#endif

#undef BY_FOURS
#undef PARTED
#undef JOINED_OF
#undef BESIDE
#undef BY_VECTORS
#undef BY_WIDEST
#undef FILLED
#undef BY_LANES
#undef BY_LIST
#undef BY_WIDTHS
#undef ALL
#undef SOME
#undef CODELET
#undef UNUSED
#undef LINE
#undef FACTORS
#undef NUMBERS
#undef TURN
