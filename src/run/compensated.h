/* Transforms whose results are rounded once: of each operation the rounding error is kept, too.
 * For tables, where a program in extended precision would take longer to plan than to run. */
#ifndef WEFT_RUN_COMPENSATED_H
#define WEFT_RUN_COMPENSATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/extended.h"

/* Whether there is such a transform of that length. */
bool compensated_suits(int64_t n);

/* The forward transform of n numbers, which takes memory of so many bytes. */
size_t compensated_bytes(int64_t n);
void compensated_transform(int64_t n, const struct extended *in_re, const struct extended *in_im,
                           double *out_re, double *out_im, void *memory);

#endif
