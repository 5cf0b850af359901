/* Transforms whose results are rounded once: of each operation the rounding error is kept, too.
 * For tables, where a program in extended precision would take longer to plan than to run. */
#ifndef WEFT_RUN_COMPENSATED_H
#define WEFT_RUN_COMPENSATED_H

#include <stdbool.h>
#include <stdint.h>

#include "math/extended.h"
#include "weft/weft.h"

/* Whether there is such a transform of that length. */
bool compensated_suits(int64_t n);

/* The forward transform of n numbers. */
weft_status compensated_transform(int64_t n, const struct extended *in_re,
                                  const struct extended *in_im, double *out_re, double *out_im);

#endif
