/* LANES results and their mirrors: a part of sum_lines.h, included with LANES for each width. */

/* Planar results from number k on, times their factors. */
static inline __attribute__((always_inline)) void
NAME_OF(turned_, LANES, PRECISION)(const struct ENDS *y, int k, VECTOR re, VECTOR im)
{
    const VECTOR cosine = AT(y->factors + k), sine = AT(y->factors + y->plane + k);
    PUT(y->re + k, re * cosine - im * sine);
    PUT(y->im + k, re * sine + im * cosine);
}

/* Results k to k + LANES - 1 of sums, and p - k down: where these are more than are left, they are
 * right nevertheless. */
static inline __attribute__((always_inline)) void
NAME_OF(put_, LANES, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k, VECTOR a_re,
                                VECTOR a_im, VECTOR b_re, VECTOR b_im)
{
    if (y->inverse) {
        b_re = -b_re;
        b_im = -b_im;
    }
    const int back = terms->length - k - LANES + 1;
    const VECTOR re = a_re + b_im, im = a_im - b_re, other_re = a_re - b_im, other_im = a_im + b_re;
    const VECTOR back_re = SHUFFLED(other_re, other_re, BACK);
    const VECTOR back_im = SHUFFLED(other_im, other_im, BACK);
    if (y->factors) {
        NAME_OF(turned_, LANES, PRECISION)(y, k, re, im);
        NAME_OF(turned_, LANES, PRECISION)(y, back, back_re, back_im);
        return;
    }
    PUT(y->re + 2 * k, SHUFFLED(re, im, LOW));
    PUT(y->re + 2 * k + LANES, SHUFFLED(re, im, HIGH));
    PUT(y->re + 2 * back, SHUFFLED(back_re, back_im, LOW));
    PUT(y->re + 2 * back + LANES, SHUFFLED(back_re, back_im, HIGH));
}

static inline __attribute__((always_inline)) void
NAME_OF(results_, LANES, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k,
                                    const REAL *table)
{
    const VECTOR zero = {0};
    VECTOR a_re = zero + terms->first[0], a_im = zero + terms->first[1], b_re = zero, b_im = zero;
    UNROLLED
    for (int j = 0; j < terms->count; j++, table += 2 * LANES) {
        const VECTOR cosine = AT(table), sine = AT(table + LANES);
        a_re += cosine * terms->sum[2 * j];
        a_im += cosine * terms->sum[2 * j + 1];
        b_re += sine * terms->difference[2 * j];
        b_im += sine * terms->difference[2 * j + 1];
    }
    NAME_OF(put_, LANES, PRECISION)(terms, y, k, a_re, a_im, b_re, b_im);
}
#if LANES == MOST_LANES
/* Two vectors of results: the sums of one alone wait for one another. */
static inline __attribute__((always_inline)) void
NAME_OF(sum_, two_results, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k,
                                      const REAL *table)
{
    const VECTOR zero = {0};
    const REAL *next = table + 2 * LANES * terms->count;
    VECTOR a_re = zero + terms->first[0], a_im = zero + terms->first[1], b_re = zero, b_im = zero;
    VECTOR c_re = a_re, c_im = a_im, d_re = zero, d_im = zero;
    for (int j = 0; j < terms->count; j++, table += 2 * LANES, next += 2 * LANES) {
        const VECTOR cosine = AT(table), sine = AT(table + LANES);
        const VECTOR other_cosine = AT(next), other_sine = AT(next + LANES);
        a_re += cosine * terms->sum[2 * j];
        a_im += cosine * terms->sum[2 * j + 1];
        b_re += sine * terms->difference[2 * j];
        b_im += sine * terms->difference[2 * j + 1];
        c_re += other_cosine * terms->sum[2 * j];
        c_im += other_cosine * terms->sum[2 * j + 1];
        d_re += other_sine * terms->difference[2 * j];
        d_im += other_sine * terms->difference[2 * j + 1];
    }
    NAME_OF(put_, LANES, PRECISION)(terms, y, k, a_re, a_im, b_re, b_im);
    NAME_OF(put_, LANES, PRECISION)(terms, y, k + LANES, c_re, c_im, d_re, d_im);
}
#endif
