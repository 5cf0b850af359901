/* The transform of an even sequence by one of half its length. */
#ifndef WEFT_RUN_EVEN_H
#define WEFT_RUN_EVEN_H

#include <stdint.h>

#include "weft/weft.h"

/* x[p] for |p| < n, in planes of the p >= 0; 0 beyond, as far as m / 2. m is even, m >= 2n - 1. */
struct even_sequence {
    int64_t n, m;
    const double *re, *im;
};

/* Fills m / 2 numbers whose transform even_unfold() takes. */
void even_fold(const struct even_sequence *x, double *re, double *im);

/* The conjugate of x's transform times `scale`: m real and then m imaginary parts. The errors of
 * the transform re, im grow as the root of m: by so much less than doubles have to spare beyond
 * floats, but not for doubles. The only error is MEMORY. */
weft_status even_unfold(const struct even_sequence *x, const double *re, const double *im,
                        double scale, float *result);

#endif
