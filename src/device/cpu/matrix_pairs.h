/* Reals of a line that a matrix multiplies by the same factors but for signs: they are added or
 * subtracted first, so that they take one product, and one rounding error that is often none, since
 * both have as many digits. Compilers know the pairs of a codelet for so many reals. (Experiment
 * "matrices" in docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_MATRIX_PAIRS_H
#define WEFT_DEVICE_CPU_MATRIX_PAIRS_H

#include <stdbool.h>

enum matrix_form {
    MATRIX_SINGLE,   /* no pairs */
    MATRIX_MIRRORED, /* of real x_j and x_(n-j), which differ by sign in sines: R2C */
    MATRIX_HALVED,   /* of numbers k and n / 2 - k, which differ so in odd results: C2R of even n */
    MATRIX_FOLDED    /* of any number of reals (struct matrix_folds) */
};

/* Real `first` plus the other one, in odd results minus, or, if it is negated, the other way round.
 * Reals count in the order in which they are read. */
struct matrix_pair {
    int first, second; /* < 0: there is none */
    bool negated;
};

#define MATRIX_INLINE static inline __attribute__((always_inline))

/* The ends or the middle of the line, and those left of an even one. */
MATRIX_INLINE struct matrix_pair matrix_mirrored_pair(int reals, int i)
{
    const int alone = 2 - reals % 2;
    if (i < alone) return (struct matrix_pair){i * (reals / 2), -1, false};
    const int j = i - alone + 1;
    return (struct matrix_pair){j, reals - j, false};
}

/* Number k > 0 is reals 2 k - 1 and 2 k; n / 2, which has no imaginary part, the last one. */
MATRIX_INLINE struct matrix_pair matrix_halved_pair(int reals, int i)
{
    const int k = (i + 1) / 2, imaginary = i > 0 && i % 2 == 0, other = reals / 2 - k;
    if (i == 0) return (struct matrix_pair){0, reals - 1, false};
    if (k == other) return (struct matrix_pair){2 * k - 1 + imaginary, -1, false};
    return (struct matrix_pair){2 * k - 1 + imaginary, 2 * other - 1 + imaginary, imaginary};
}

/* How many products there are for so many reals, and what the i-th is of. */
MATRIX_INLINE int matrix_products(enum matrix_form form, int reals)
{
    if (form == MATRIX_MIRRORED) return reals / 2 + 1;
    if (form == MATRIX_HALVED) return reals / 4 * 2 + 1;
    return reals;
}

MATRIX_INLINE struct matrix_pair matrix_pair(enum matrix_form form, int reals, int i)
{
    if (form == MATRIX_MIRRORED) return matrix_mirrored_pair(reals, i);
    if (form == MATRIX_HALVED) return matrix_halved_pair(reals, i);
    return (struct matrix_pair){i, -1, false};
}

/* Which of so many sums the i-th product comes to, so that products that are exact and those that
 * are not come to different ones: reals beside the ends of a mirrored line, of half a spectrum
 * imaginary parts apart from real ones, singles of an odd number two by two. */
MATRIX_INLINE int matrix_sum(enum matrix_form form, int reals, int i, int sums)
{
    const int alone = 2 - reals % 2;
    if (form == MATRIX_MIRRORED) return i < alone ? 0 : ((i - alone) / 2 + 1) % sums;
    if (form == MATRIX_HALVED) return i > 0 && i % 2 == 0;
    return reals % 2 == 0 ? i % sums : i / 2 % sums;
}

#endif
