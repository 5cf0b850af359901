/* The end of a pass along an axis of reals where they stand for more: for the line without ends
 * that they become by being reflected at two mirrors, as each DCT and DST reflects them. So cosines
 * and sines of n reals are a Fourier transform of some longer line, of which a pass gathers or
 * scatters only what it takes to know (Makhoul 1980; Chan and Ho 1990).
 *
 * Coordinates count half steps, so that a mirror may stand on a real or between two: real j is at
 * 2 j + first, the mirrors are at 0 and at `mirror`. Where there is no real at a mirror or beside
 * it, 0 is read and nothing is written.
 *
 * Number k of the transform's line has `parts` coordinates, at + step k, and a factor
 *   t = factor exp(-2 pi i (turn + turn_step k) / order):
 *   gathered, it is  t (x[first part] + i x[second part]);
 *   scattered, Re(t X) goes to the first part and im_sign Im(t X) to the second. */
#ifndef WEFT_SPEC_REALS_H
#define WEFT_SPEC_REALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "math/roots.h"

struct reals_part {
    int64_t at, step;
};

struct reals {
    int parts;       /* 0: this is no such end; 1: there is no second part; 2 */
    int64_t n;       /* reals, */
    int64_t stride;  /* in memory from one to the next */
    int64_t numbers; /* of the transform's line, k = 0 .. numbers - 1 */
    int64_t first, mirror;
    int left, right; /* the sign that the mirrors at 0 and at `mirror` give: 1 or -1 */
    struct reals_part part[2];
    int eighths; /* the first part is further on by 4 mirror ((eighths k) mod 8) / 8 */
    int im_sign;
    double factor;
    int64_t order, turn, turn_step;
    double on_mirror; /* what a real on a mirror is multiplied by besides */
};

/* Reals that neighbouring numbers of the line take their parts from. */
struct reals_run {
    int64_t real, step; /* the first number's, and from one number's to the next one's */
    int64_t count;      /* numbers that it goes on like this, at least 1 */
    double weight;      /* of each of them; 0: there are no such reals, and real and step are 0 */
};

/* Where the part p of the numbers k, k + by, ... is. */
struct reals_run reals_run_at(const struct reals *reals, int p, int64_t k, int64_t by);

/* Whether number k is real k, and nothing else. */
bool reals_are_line(const struct reals *reals);
/* Whether numbers are multiplied by something. */
bool reals_turn(const struct reals *reals);
/* By what, where turn_step is 0: rounded once, since an error would be in every result. */
void reals_constant_turn(const struct reals *reals, double *re, double *im);
/* Likewise in extended precision. */
struct extended_root reals_extended_turn(const struct reals *reals);
/* What `factor` or `on_mirror` is the nearest double of: the square root of a power of two. */
struct extended reals_extended_factor(double factor);

/* All that a pass's kernel depends on. */
void reals_print(struct text *t, const struct reals *reals);

#endif
