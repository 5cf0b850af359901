/* LANES numbers and their mirrors at a time, turned, of which one part counts up along reals and
 * the other one down: a part of mirror_lines.h, included with LANES as mirror_pairs.h is. Real and
 * imaginary parts are apart meanwhile: products take no shuffle then.
 * Of short lines all factors are listed. With e = x + y and d = x - y, where y is the mirror's
 * conjugate, u (e + t d) and c u (e - t d) are a x + b y and c b x + c a y of a = u + u t and
 * b = u - u t: no sum is rounded before it is multiplied, and no factor is of others that were.
 * (Experiment "listed turns" in docs/experiments.)
 * Of long ones lists would be as much memory as the line: u e and u t d are two products, whose
 * turns are a lane's, which stays in registers, times that of number k. (Experiment "short turns".)
 */
#include "device/cpu/mirror_store.h"

/* The first number of a vector, of which the last one may have some of the one before: nothing is
 * written where it is read. */
#define OVERLAPPING(k, end) ((k) + LANES < (end) ? (k) : (end) - LANES)

/* The factors of numbers from k on: a, b, c b and c a. */
#define LISTED(list)                                                                               \
    VECTOR ar = AT(list), ai = AT((list) + LANES);                                                 \
    VECTOR br = AT((list) + 2 * LANES), bi = AT((list) + 3 * LANES);                               \
    VECTOR mr = AT((list) + 4 * LANES), mi = AT((list) + 5 * LANES);                               \
    VECTOR nr = AT((list) + 6 * LANES), ni = AT((list) + 7 * LANES);                               \
    READ_ONCE(ar);                                                                                 \
    READ_ONCE(ai);                                                                                 \
    READ_ONCE(br);                                                                                 \
    READ_ONCE(bi);                                                                                 \
    READ_ONCE(mr);                                                                                 \
    READ_ONCE(mi);                                                                                 \
    READ_ONCE(nr);                                                                                 \
    READ_ONCE(ni)

/* Numbers 1 to h / 2, at least LANES, and their mirrors; line->to is x[o]. */
static inline __attribute__((always_inline)) void
NAME_OF(unfold_listed_, LANES, PRECISION)(struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    int64_t end = h / 2 + 1;
    UNKNOWN(end);
    const REAL up = factor[0], down = factor[1];
    for (int64_t i = 1; i < end; i += LANES, line->roots += 8 * LANES) {
        const int64_t k = OVERLAPPING(i, end), last = k + LANES - 1;
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * (h - last);
        APART(own, xr, xi);
        APART_BACK(other, yr, yi);
        LISTED(line->roots);
        const VECTOR own_re = xr * ar - xi * ai + yr * br + yi * bi;
        const VECTOR own_im = (xr * ai + xi * ar + yr * bi - yi * br) * down;
        const VECTOR other_re = (yr * nr + yi * ni + xr * mr - xi * mi) * up;
        const VECTOR other_im = yi * nr - yr * ni - xr * mi - xi * mr;
        PUT(line->to + k, own_re * up);
        PUT_BACK(line->to + 2 * h - last, own_im);
        PUT_BACK(line->to + h - last, other_re);
        PUT(line->to + h + k, other_im * down);
    }
}

/* The other way; line->from is x[o]. */
static inline __attribute__((always_inline)) void
NAME_OF(fold_listed_, LANES, PRECISION)(struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    int64_t end = h / 2 + 1;
    UNKNOWN(end);
    const REAL up = factor[0], down = factor[1];
    for (int64_t i = 1; i < end; i += LANES, line->roots += 8 * LANES) {
        const int64_t k = OVERLAPPING(i, end), last = k + LANES - 1;
        const REAL *from = line->from + k, *back = line->from + h - last;
        const VECTOR xr = AT(from) * up, xi = BACK_AT(back + h) * down;
        const VECTOR yr = BACK_AT(back) * up, yi = AT(from + h) * down;
        LISTED(line->roots);
        const VECTOR sr = yr * mr + yi * mi + xr * ar - xi * ai;
        const VECTOR si = yr * mi - yi * mr + xr * ai + xi * ar;
        const VECTOR fr = xr * br - xi * bi + yr * nr + yi * ni;
        const VECTOR fi = -(xr * bi) - xi * br + yi * nr - yr * ni;
        PUT_PAIRS(line->to + 2 * k, sr, si);
        PUT_PAIRS_BACK(line->to + 2 * (h - last), fr, fi);
    }
}
#undef LISTED

#if LANES == MOST_LANES
/* The lanes' turns, and those of numbers from k on. */
#define LANE_TURNS(line)                                                            \
    const VECTOR lane_ur = AT((line)->lane_turns);                                  \
    const VECTOR lane_ui = AT((line)->lane_turns + MOST_LANES);                     \
    const VECTOR lane_wr = AT((line)->lane_turns + 2 * MOST_LANES);                 \
    const VECTOR lane_wi = AT((line)->lane_turns + 3 * MOST_LANES)
#define TURNS(root)                                                                 \
    const VECTOR ur = (root)[0] * lane_ur - (root)[1] * lane_ui;                    \
    const VECTOR ui = (root)[0] * lane_ui + (root)[1] * lane_ur;                    \
    const VECTOR wr = (root)[2] * lane_wr - (root)[3] * lane_wi;                    \
    const VECTOR wi = (root)[2] * lane_wi + (root)[3] * lane_wr

/* The same of long lines. Past the caches runs that count up are a lane behind vectors of memory,
 * which begin with the last lane of the vector before, or with what number 0 is. */
static inline __attribute__((always_inline)) void
NAME_OF(unfold_turned_, LANES, PRECISION)(struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    int64_t end = h / 2 + 1;
    UNKNOWN(end);
    const REAL up = factor[0], down = factor[1];
    const REAL up_re = factor[4] * up, up_im = factor[5] * up;
    const REAL down_re = factor[4] * -down, down_im = factor[5] * -down;
    const bool past = line->past;
    VECTOR lower = {0}, upper = {0};
    lower[LANES - 1] = line->first;
    upper[LANES - 1] = line->middle;
    LANE_TURNS(line);
    for (int64_t i = 1; i < end; i += LANES, line->roots += 4) {
        const int64_t k = OVERLAPPING(i, end), last = k + LANES - 1;
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * (h - last);
        APART(own, xr, xi);
        APART_BACK(other, yr, yi);
        TURNS(line->roots);
        const VECTOR even_re = xr + yr, even_im = xi - yi, rest_re = xr - yr, rest_im = xi + yi;
        const VECTOR er = even_re * ur - even_im * ui, ei = even_re * ui + even_im * ur;
        const VECTOR dr = rest_re * wr - rest_im * wi, di = rest_re * wi + rest_im * wr;
        const VECTOR own_im = (ei + di) * down, mr = er - dr, mi = ei - di;
        const VECTOR mirrored_re = mr * up_re - mi * up_im;
        const VECTOR own_re = (er + dr) * up, mirrored_im = mr * down_im + mi * down_re;
        STORE_BACK(past, line->to + 2 * h - last, own_im);
        STORE_BACK(past, line->to + h - last, mirrored_re);
        STORE(past, line->to + k - past, past ? SHUFFLED(lower, own_re, PREVIOUS) : own_re);
        STORE(past, line->to + h + k - past,
              past ? SHUFFLED(upper, mirrored_im, PREVIOUS) : mirrored_im);
        lower = own_re;
        upper = mirrored_im;
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(fold_turned_, LANES, PRECISION)(struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    int64_t end = h / 2 + 1;
    UNKNOWN(end);
    const REAL up = factor[0], down = factor[1];
    const REAL up_re = factor[4] * up, up_im = factor[5] * up;
    const REAL down_re = factor[4] * -down, down_im = factor[5] * -down;
    LANE_TURNS(line);
    for (int64_t i = 1; i < end; i += LANES, line->roots += 4) {
        const int64_t k = OVERLAPPING(i, end), last = k + LANES - 1;
        const REAL *from = line->from + k, *back = line->from + h - last;
        const VECTOR a = AT(from) * up, b = BACK_AT(back + h) * down;
        const VECTOR c = BACK_AT(back), d = AT(from + h);
        const VECTOR mr = c * up_re - d * down_im, mi = c * up_im + d * down_re;
        TURNS(line->roots);
        const VECTOR even_re = a + mr, even_im = b + mi, rest_re = a - mr, rest_im = b - mi;
        const VECTOR er = even_re * ur - even_im * ui, ei = even_re * ui + even_im * ur;
        const VECTOR dr = rest_re * wr - rest_im * wi, di = rest_re * wi + rest_im * wr;
        const VECTOR sr = er + dr, si = ei + di, fr = er - dr, fi = di - ei;
        PUT_PAIRS(line->to + 2 * k, sr, si);
        PUT_PAIRS_BACK(line->to + 2 * (h - last), fr, fi);
    }
}

/* Every other one of 2 h reals, and those between them backwards to the other end. */
static inline __attribute__((always_inline)) void
NAME_OF(parted_, line, PRECISION)(const REAL *from, REAL *to, int64_t h, const REAL *factor)
{
    const REAL one = factor[0], other = factor[1];
    for (int64_t c = 0; c < h; c += LANES) {
        const int64_t i = OVERLAPPING(c, h);
        const VECTOR x = REALS_AT(from + 2 * i) * one, y = OTHERS_BACK_AT(from + 2 * i) * other;
        PUT(to + i, x);
        PUT(to + 2 * h - i - LANES, y);
    }
}

/* The other way. */
static inline __attribute__((always_inline)) void
NAME_OF(united_, line, PRECISION)(const REAL *from, REAL *to, int64_t h, const REAL *factor,
                                  bool past)
{
    const REAL one = factor[0], other = factor[1];
    for (int64_t c = 0; c < h; c += LANES) {
        const int64_t i = OVERLAPPING(c, h);
        const VECTOR x = AT(from + i) * one, y = BACK_AT(from + 2 * h - i - LANES) * other;
        STORE_PAIRS(past, to + 2 * i, x, y);
    }
}

/* As of_ends and to_ends. */
#define END_TURNS(root)                                                             \
    const VECTOR ur = (root)[0] * lane_ur - (root)[1] * lane_ui;                    \
    const VECTOR ui = (root)[0] * lane_ui + (root)[1] * lane_ur

/* Of short lines turns are listed, real parts before imaginary ones. */
static inline __attribute__((always_inline)) void
NAME_OF(listed_of_, ends, PRECISION)(const struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    for (int64_t c = 0; c < h; c += LANES) {
        const int64_t k = OVERLAPPING(c, h);
        const REAL *up = line->from + 2 * k, *down = line->from + 2 * (h - k - LANES);
        const VECTOR x = REALS_AT(up), y = OTHERS_BACK_AT(down) * factor[0];
        const VECTOR ur = AT(line->roots + k), ui = AT(line->roots + h + k);
        const VECTOR re = x * ur - y * ui, im = x * ui + y * ur;
        PUT_PAIRS(line->to + 2 * k, re, im);
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(listed_to_, ends, PRECISION)(const struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    for (int64_t c = 0; c < h; c += LANES) {
        const int64_t k = OVERLAPPING(c, h), mirrored = h - k - LANES;
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * mirrored;
        const REAL *turns = line->roots + k, *other_turns = line->roots + mirrored;
        APART(own, xr, xi);
        APART(other, yr, yi);
        const VECTOR re = (xr * AT(turns) - xi * AT(turns + h)) * factor[0];
        const VECTOR im = (yi * AT(other_turns) + yr * AT(other_turns + h)) * factor[3];
        const VECTOR back = SHUFFLED(im, im, BACK);
        STORE_PAIRS(line->past, line->to + 2 * k, re, back);
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(numbers_of_, ends, PRECISION)(const struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    const REAL *root = line->roots;
    const VECTOR lane_ur = AT(line->lane_turns), lane_ui = AT(line->lane_turns + LANES);
    for (int64_t c = 0; c < h; c += LANES, root += 2) {
        const int64_t k = OVERLAPPING(c, h);
        const REAL *up = line->from + 2 * k, *down = line->from + 2 * (h - k - LANES);
        const VECTOR x = REALS_AT(up), y = OTHERS_BACK_AT(down) * factor[0];
        END_TURNS(root);
        const VECTOR re = x * ur - y * ui, im = x * ui + y * ur;
        PUT_PAIRS(line->to + 2 * k, re, im);
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(numbers_to_, ends, PRECISION)(const struct LINE *line, const REAL *factor)
{
    const int64_t h = line->h;
    const REAL *root = line->roots;
    const VECTOR lane_ur = AT(line->lane_turns), lane_ui = AT(line->lane_turns + LANES);
    for (int64_t c = 0; c < h; c += LANES, root += 2) {
        const int64_t k = OVERLAPPING(c, h);
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * (h - k - LANES);
        APART(own, xr, xi);
        APART_BACK(other, yr, yi);
        END_TURNS(root);
        const VECTOR re = (xr * ur - xi * ui) * factor[0];
        const VECTOR im = ur * (yi * factor[1] + yr * factor[2]) +
                          ui * (yi * factor[2] - yr * factor[1]);
        STORE_PAIRS(line->past, line->to + 2 * k, re, im);
    }
}
#undef END_TURNS
#undef LANE_TURNS
#undef TURNS
#endif

#undef OVERLAPPING
