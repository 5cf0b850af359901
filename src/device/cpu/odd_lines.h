/* A part of odd_template.h: lines of REAL. */
#include "device/cpu/widest_lanes.h"

#undef NUMBERS
#define NUMBERS NAME_OF(odd_, numbers, PRECISION)
#undef TURN
#define TURN NAME_OF(odd_, turn, PRECISION)

/* Numbers of a row. */
struct NUMBERS {
    VECTOR re, im;
};

/* Sums of products with cosines and of others with sines, of both so many that four go together:
 * factors of those that are not there are 0. */
static inline __attribute__((always_inline)) struct NUMBERS
NAME_OF(odd_, sums, PRECISION)(const REAL *root, const VECTOR *a, const VECTOR *b, int rows)
{
    struct NUMBERS even = {{0}, {0}}, odd = even;
    for (int i = 0; i < rows; i += 4, root += 8) {
        even.re += root[0] * a[i];
        even.im += root[1] * b[i];
        odd.re += root[2] * a[i + 1];
        odd.im += root[3] * b[i + 1];
        even.re += root[4] * a[i + 2];
        even.im += root[5] * b[i + 2];
        odd.re += root[6] * a[i + 3];
        odd.im += root[7] * b[i + 3];
    }
    return (struct NUMBERS){even.re + odd.re, even.im + odd.im};
}

/* Numbers times the turns of a vector of row k, whose tables are there. */
static inline __attribute__((always_inline)) struct NUMBERS
TURN(const struct odd_numbers *run, const REAL *first, int k, struct NUMBERS x)
{
    const REAL *lane = (const REAL *)run->lane + 2 * LANES * k;
    const VECTOR lane_re = AT(lane), lane_im = AT(lane + LANES);
    const VECTOR re = first[2 * k] * lane_re - first[2 * k + 1] * lane_im;
    const VECTOR im = first[2 * k] * lane_im + first[2 * k + 1] * lane_re;
    return (struct NUMBERS){x.re * re - x.im * im, x.re * im + x.im * re};
}

static inline void NAME_OF(odd_, put, PRECISION)(REAL *to, VECTOR re, VECTOR im)
{
    PUT_PAIRS(to, re, im);
}

/* Reals from number `at` on. */
static inline VECTOR NAME_OF(odd_, get, PRECISION)(const struct odd_numbers *run, int64_t at)
{
    const REAL *from = (const REAL *)run->line + (run->pairs ? 2 * at : at);
    if (run->pairs) return REALS_AT(from);
    return AT(from);
}

static inline void NAME_OF(odd_, set, PRECISION)(const struct odd_numbers *run, int64_t at,
                                                 VECTOR x)
{
    REAL *to = (REAL *)run->line + (run->pairs ? 2 * at : at);
    if (run->pairs) NAME_OF(odd_, put, PRECISION)(to, x, (VECTOR){0});
    else PUT(to, x);
}

/* Sums of neighbours i and n - i, and differences, are what the cosines and the sines of the
 * butterfly have in common. */
static void NAME_OF(open_, reals, PRECISION)(const struct odd_numbers *run)
{
    const int rows = run->rows, factors = ODD_FACTORS(rows);
    const int64_t m = run->m;
    VECTOR sum[ODD_FACTORS(ODD_MOST_ROWS)], difference[ODD_FACTORS(ODD_MOST_ROWS)];
    for (int i = rows; i < factors; i++) sum[i] = difference[i] = (VECTOR){0};
    for (int64_t b = run->begin; b < run->end; b++) {
        const int64_t at = (b + 1) * LANES > m ? m - LANES : b * LANES;
        const REAL *first = (const REAL *)run->first + 2 * rows * b, *root = run->roots;
        REAL *to = (REAL *)run->rows_begin + 2 * at;
        const VECTOR alone = NAME_OF(odd_, get, PRECISION)(run, at), none = {0};
        VECTOR all = alone;
        for (int i = 0; i < rows; i++) {
            const VECTOR one = NAME_OF(odd_, get, PRECISION)(run, at + m * (i + 1));
            const VECTOR two = NAME_OF(odd_, get, PRECISION)(run, at + m * (2 * rows - i));
            sum[i] = one + two;
            difference[i] = one - two;
            all += sum[i];
        }
        NAME_OF(odd_, put, PRECISION)(to, all, none);
        for (int k = 0; k < rows; k++, root += 2 * factors) {
            struct NUMBERS x = NAME_OF(odd_, sums, PRECISION)(root, sum, difference, factors);
            x.re += alone;
            x = TURN(run, first, k, x);
            to += 2 * run->apart;
            NAME_OF(odd_, put, PRECISION)(to, x.re, x.im);
        }
    }
}

static void NAME_OF(close_, reals, PRECISION)(const struct odd_numbers *run)
{
    const int rows = run->rows, factors = ODD_FACTORS(rows);
    const int64_t m = run->m;
    const REAL factor = (REAL)run->factor[0];
    VECTOR re[ODD_FACTORS(ODD_MOST_ROWS)], im[ODD_FACTORS(ODD_MOST_ROWS)];
    for (int k = rows; k < factors; k++) re[k] = im[k] = (VECTOR){0};
    for (int64_t b = run->begin; b < run->end; b++) {
        const int64_t at = (b + 1) * LANES > m ? m - LANES : b * LANES;
        const REAL *from = (const REAL *)run->rows_begin + 2 * at;
        const REAL *first = (const REAL *)run->first + 2 * rows * b, *root = run->roots;
        const VECTOR alone = factor * REALS_AT(from);
        VECTOR all = alone;
        for (int k = 0; k < rows; k++) {
            from += 2 * run->apart;
            APART(from, own_re, own_im);
            const struct NUMBERS turned = TURN(run, first, k, ((struct NUMBERS){own_re, own_im}));
            re[k] = 2 * factor * turned.re;
            im[k] = 2 * factor * turned.im;
            all += re[k];
        }
        NAME_OF(odd_, set, PRECISION)(run, at, all);
        for (int i = 0; i < rows; i++, root += 2 * factors) {
            const struct NUMBERS s = NAME_OF(odd_, sums, PRECISION)(root, re, im, factors);
            NAME_OF(odd_, set, PRECISION)(run, at + m * (i + 1), (alone + s.re) - s.im);
            NAME_OF(odd_, set, PRECISION)(run, at + m * (2 * rows - i), (alone + s.re) + s.im);
        }
    }
}
