/* The ends of a line of reals in two passes, LANES columns at a time (mirror.h): a part of
 * mirror_lines.h, included with LANES as mirror_pairs.h is. */
#include "device/cpu/mirror_store.h"

static inline __attribute__((always_inline)) void
NAME_OF(columns_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in_re,
                                    const REAL *in_im, REAL *out_re, REAL *out_im,
                                    const REAL *coarse, const REAL *fine, bool streamed)
{
    (void)streamed;
    for (int64_t k = 0; 2 * k <= shape->rows; k++) {
        const int64_t own = k * shape->in_row, other = (k ? shape->rows - k : 0) * shape->in_row;
        const REAL a = coarse[k] / 2, b = coarse[k + shape->twiddle_plane] / 2;
        const REAL *fine_re = fine + k * shape->fine_row, *fine_im = fine_re + shape->fine_plane;
        REAL *re = out_re + k * shape->out_row, *im = out_im + k * shape->out_row;
        for (int64_t c = 0; c < shape->lanes; c += LANES) {
            const VECTOR xr = AT(in_re + own + c), xi = AT(in_im + own + c);
            const VECTOR yr = AT(in_re + other + c), yi = AT(in_im + other + c);
            const VECTOR ar = xr + yr, ai = xi - yi, br = xi + yi, bi = yr - xr;
            const VECTOR first_re = SHUFFLED(ar, br, LOW), first_im = SHUFFLED(ai, bi, LOW);
            const VECTOR last_re = SHUFFLED(ar, br, HIGH), last_im = SHUFFLED(ai, bi, HIGH);
            const VECTOR p = AT(fine_re + 2 * c), q = AT(fine_im + 2 * c);
            const VECTOR r = AT(fine_re + 2 * c + LANES), s = AT(fine_im + 2 * c + LANES);
            const VECTOR pr = a * p - b * q, pi = a * q + b * p;
            const VECTOR rr = a * r - b * s, ri = a * s + b * r;
            STORE(streamed, re + 2 * c, first_re * pr - first_im * pi);
            STORE(streamed, im + 2 * c, first_re * pi + first_im * pr);
            STORE(streamed, re + 2 * c + LANES, last_re * rr - last_im * ri);
            STORE(streamed, im + 2 * c + LANES, last_re * ri + last_im * rr);
        }
    }
}

/* All but numbers 0 and rows / 2. */
static inline __attribute__((always_inline)) void
NAME_OF(joined_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in_re,
                                   const REAL *in_im, REAL *out_re, REAL *out_im)
{
    const int64_t lanes = shape->lanes, middle = shape->rows / 2 * lanes;
    for (int64_t own = lanes, other = 2 * middle - lanes; own < other; own += lanes, other -= lanes)
        for (int64_t c = 0; c < lanes; c += LANES) {
            ROW_BY_ROW();
            const VECTOR xr = AT(out_re + own + c), xi = AT(out_im + own + c);
            const VECTOR yr = AT(in_re + own + c), yi = AT(in_im + own + c);
            PUT(out_re + own + c, xr - yi);
            PUT(out_im + own + c, xi + yr);
            PUT(out_re + other + c, xr + yi);
            PUT(out_im + other + c, yr - xi);
        }
}

static inline __attribute__((always_inline)) void
NAME_OF(upright_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in_re,
                                    const REAL *in_im, REAL *out, const REAL *factor)
{
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *re = in_re + row * shape->in_row, *im = in_im + row * shape->in_row;
        REAL *to = out + 2 * row * shape->out_row;
        for (int64_t c = 0; c < shape->lanes; c += LANES) {
            const VECTOR x = AT(re + c) * factor[0], y = AT(im + c) * factor[1];
            PUT_PAIRS(to + 2 * c, x, y);
        }
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(mirrored_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in_re,
                                     const REAL *in_im, REAL *out, const REAL *factor)
{
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL *re = in_re + row * shape->in_row, *im = in_im + row * shape->in_row;
        REAL *to = out + 2 * row * shape->out_row;
        for (int64_t c = 0; c < shape->lanes; c += LANES) {
            const int64_t from = shape->lanes - LANES - c;
            const VECTOR x = AT(re + from) * factor[0], y = AT(im + from) * -factor[1];
            PUT_PAIRS_BACK(to + 2 * c, x, y);
        }
    }
}

/* Lanes from c on, as far as vectors of this width go. Returns the first that is left. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(to_reals_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in_re,
                                     const REAL *in_im, REAL *up, REAL *down, const REAL *coarse,
                                     const REAL *fine, int64_t c)
{
    const REAL sign = (REAL)shape->turn;
    for (; c + LANES <= shape->lanes; c += LANES) {
        const VECTOR p = AT(fine + c), q = AT(fine + shape->fine_plane + c);
        for (int64_t row = 0; row < shape->rows; row++) {
            ROW_BY_ROW();
            const REAL a = coarse[row], b = coarse[row + shape->twiddle_plane];
            const VECTOR x = AT(in_re + row * shape->in_row + c);
            const VECTOR y = AT(in_im + row * shape->in_row + c);
            const VECTOR re = a * p - b * q, im = a * q + b * p;
            const VECTOR other = (x * im + y * re) * sign;
            PUT(up + row * shape->out_row + c, x * re - y * im);
            PUT_BACK(down - row * shape->out_row - c - LANES + 1, other);
        }
    }
    return c;
}

/* The other way. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(of_reals_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *up,
                                     const REAL *down, REAL *out_re, REAL *out_im,
                                     const REAL *coarse, const REAL *fine, int64_t c)
{
    const REAL sign = (REAL)shape->turn;
    for (; c + LANES <= shape->lanes; c += LANES) {
        const VECTOR p = AT(fine + c), q = AT(fine + shape->fine_plane + c);
        for (int64_t row = 0; row < shape->rows; row++) {
            ROW_BY_ROW();
            const REAL a = coarse[row], b = coarse[row + shape->twiddle_plane];
            const VECTOR x = AT(up + row * shape->in_row + c);
            const VECTOR y = BACK_AT(down - row * shape->in_row - c - LANES + 1) * sign;
            const VECTOR re = a * p - b * q, im = a * q + b * p;
            PUT(out_re + row * shape->out_row + c, x * re - y * im);
            PUT(out_im + row * shape->out_row + c, x * im + y * re);
        }
    }
    return c;
}

/* `back`: pairs that follow one another downwards, conjugated. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(of_numbers_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in,
                                       REAL *out_re, REAL *out_im, const REAL *factor, bool back,
                                       int64_t c)
{
    const REAL real = factor[0], imaginary = back ? -factor[1] : factor[1];
    for (; c + LANES <= shape->lanes; c += LANES) {
        const int64_t column = back ? -c - LANES + 1 : c;
        for (int64_t row = 0; row < shape->rows; row++) {
            ROW_BY_ROW();
            const REAL *from = in + 2 * (row * shape->in_row + column);
            const VECTOR a = AT(from), b = AT(from + LANES);
            const VECTOR re = back ? SHUFFLED(a, b, REALS_BACK) : SHUFFLED(a, b, REALS);
            const VECTOR im = back ? SHUFFLED(a, b, OTHERS_BACK) : SHUFFLED(a, b, OTHERS);
            PUT(out_re + row * shape->out_row + c, re * real);
            PUT(out_im + row * shape->out_row + c, im * imaginary);
        }
    }
    return c;
}

/* `back`: reals that follow one another downwards; of the four that a lane counts the last and the
 * second then, in place of the first and the third. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(of_others_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in,
                                      REAL *out_re, REAL *out_im, REAL factor, bool back,
                                      int64_t c)
{
    for (; c + LANES <= shape->lanes; c += LANES) {
        const int64_t column = back ? -4 * (c + LANES) + 1 : 4 * c;
        for (int64_t row = 0; row < shape->rows; row++) {
            ROW_BY_ROW();
            const REAL *from = in + row * shape->in_row + column;
            const VECTOR v = AT(from), w = AT(from + LANES);
            const VECTOR x = AT(from + 2 * LANES), y = AT(from + 3 * LANES);
            const VECTOR a = back ? SHUFFLED(v, w, OTHERS) : SHUFFLED(v, w, REALS);
            const VECTOR b = back ? SHUFFLED(x, y, OTHERS) : SHUFFLED(x, y, REALS);
            const VECTOR re = back ? SHUFFLED(a, b, OTHERS_BACK) : SHUFFLED(a, b, REALS);
            const VECTOR im = back ? SHUFFLED(a, b, REALS_BACK) : SHUFFLED(a, b, OTHERS);
            PUT(out_re + row * shape->out_row + c, re * factor);
            PUT(out_im + row * shape->out_row + c, im * factor);
        }
    }
    return c;
}

#if LANES == MOST_LANES && defined(STREAMED)
CODELET(stream_, columns)
{
    NAME_OF(columns_, LANES, PRECISION)
    (shape, in_re, in_im, out_re, out_im, twiddles, fine, true);
    STREAMED();
}

/* Lanes from `c` on of a row whose first `left` ones are left to the next tile: behind the last one
 * come those that the tile before left, `others` in the last vector. */
typedef __typeof__((VECTOR){0} < (VECTOR){0}) NAME_OF(lanes_, LANES, PRECISION);

static inline __attribute__((always_inline)) VECTOR
NAME_OF(moved_, LANES, PRECISION)(const REAL *row, const REAL *carried, int64_t left,
                                  NAME_OF(lanes_, LANES, PRECISION) others, bool last)
{
    typedef NAME_OF(lanes_, LANES, PRECISION) BITS;
    const VECTOR own = AT(row + left);
    if (left == 0 || !last) return own;
    const VECTOR next = AT(carried + left - LANES);
    return (VECTOR)(((BITS)own & ~others) | ((BITS)next & others));
}

static inline __attribute__((always_inline)) void
NAME_OF(stream_moved_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *re,
                                         const REAL *im, REAL *out, const REAL *carried,
                                         const REAL *factor, bool back)
{
    static const REAL lane[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const int64_t left = shape->in_leg, lanes = shape->lanes, plane = shape->twiddle_plane;
    const int64_t in_row = shape->in_row, out_row = 2 * shape->out_row;
    const int64_t carried_row = shape->twiddle_row;
    const NAME_OF(lanes_, LANES, PRECISION) others = AT(lane) >= (REAL)(LANES - left);
    const REAL real = factor[0], imaginary = back ? -factor[1] : factor[1];
    for (int64_t row = shape->rows; row > 0; row--) {
        for (int64_t c = 0; c < lanes; c += LANES) {
            const int64_t from = back ? lanes - LANES - c : c;
            const bool last = from + LANES == lanes;
            const VECTOR x =
                NAME_OF(moved_, LANES, PRECISION)(re + from, carried, left, others, last) * real;
            const VECTOR y =
                NAME_OF(moved_, LANES, PRECISION)(im + from, carried + plane, left, others, last) *
                imaginary;
            const VECTOR u = back ? SHUFFLED(x, x, BACK) : x, v = back ? SHUFFLED(y, y, BACK) : y;
            STREAM(out + 2 * c, SHUFFLED(u, v, LOW));
            STREAM(out + 2 * c + LANES, SHUFFLED(u, v, HIGH));
        }
        re += in_row;
        im += in_row;
        out += out_row;
        carried += carried_row;
    }
}

CODELET(stream_, upright)
{
    NAME_OF(stream_moved_, LANES, PRECISION)
    (shape, in_re, in_im, out_re, twiddles, (const REAL *)fine + shape->fine_row, false);
}

CODELET(stream_, mirrored)
{
    NAME_OF(stream_moved_, LANES, PRECISION)
    (shape, in_re, in_im, out_re, twiddles, (const REAL *)fine + shape->fine_row, true);
}

/* `up`: the reals that count up are where vectors are aligned, and those that count down are when
 * they have moved by a lane; or the other way. */
static inline __attribute__((always_inline)) void
NAME_OF(stream_turned_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *in_re,
                                          const REAL *in_im, REAL *out, REAL *carried,
                                          const REAL *coarse, const REAL *fine, bool up)
{
    const REAL sign = (REAL)shape->turn;
    for (int64_t row = 0; row < shape->rows; row++) {
        const REAL a = coarse[row], b = coarse[row + shape->twiddle_plane];
        VECTOR next = {carried[row]};
        for (int64_t c = shape->lanes - LANES; c >= 0; c -= LANES) {
            const VECTOR p = AT(fine + c), q = AT(fine + shape->fine_plane + c);
            const VECTOR x = AT(in_re + row * shape->in_row + c);
            const VECTOR y = AT(in_im + row * shape->in_row + c);
            const VECTOR re = a * p - b * q, im = a * q + b * p;
            const VECTOR rising = x * re - y * im, falling = (x * im + y * re) * sign;
            const VECTOR moved = up ? SHUFFLED(falling, next, NEXT) : SHUFFLED(rising, next, NEXT);
            const VECTOR back = up ? moved : falling;
            REAL *rise = out + row * shape->out_row + c;
            REAL *fall = out + shape->out_leg - row * shape->out_row - c - LANES;
            STREAM(up ? rise : rise + 1, up ? rising : moved);
            STREAM(up ? fall : fall + 1, SHUFFLED(back, back, BACK));
            next = up ? falling : rising;
        }
        carried[row] = next[0];
    }
    STREAMED();
}

CODELET(stream_, reals)
{
    if (shape->in_leg == 0)
        NAME_OF(stream_turned_, LANES, PRECISION)
        (shape, in_re, in_im, out_re, out_im, twiddles, fine, true);
    else
        NAME_OF(stream_turned_, LANES, PRECISION)
        (shape, in_re, in_im, out_re, out_im, twiddles, fine, false);
}

/* The lines of a row, which begin behind its first `left` reals and end in what the tile before
 * left. */
static inline __attribute__((always_inline)) void
NAME_OF(stream_lines_, LANES, PRECISION)(const REAL *row, REAL *out, int64_t left, int64_t reals)
{
    for (int64_t i = left; i < left + reals; i += LANES) STREAM(out + i, AT(row + i));
}

CODELET(stream_, rows)
{
    const int64_t line = CODELET_LINE_BYTES / (int64_t)sizeof(REAL), reals = 2 * shape->lanes;
    const bool begins = shape->in_leg != 0, ends = shape->out_leg != 0;
    REAL *row = (REAL *)(uintptr_t)in_re, *out = out_re;
    (void)in_im, (void)out_im, (void)twiddles, (void)fine;
    for (int64_t i = shape->rows; i > 0; i--, row += 2 * shape->in_row, out += 2 * shape->out_row) {
        const int64_t past = (int64_t)((uintptr_t)out / sizeof(REAL)) % line;
        const int64_t left = (line - past) % line, late = begins && left > 0 ? line : 0;
        if (shape->onward) codelet_onward(shape->onward);
        NAME_OF(stream_lines_, LANES, PRECISION)(row, out, left, reals - late);
        for (int64_t j = reals + left - late; j < reals; j++) out[j] = row[j];
        for (int64_t j = 0; j < left && ends; j++) out[j] = row[j];
        for (int64_t j = 0; j < line; j += LANES) PUT(row + reals + j, AT(row + j));
    }
    STREAMED();
}
#endif
