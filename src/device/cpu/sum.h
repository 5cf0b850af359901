/* Transforms of contiguous lines of an odd prime number of pairs as what they are by definition,
 * sums of products, a vector of results at a time: with s_j = x_j + x_{p-j}, d_j = x_j - x_{p-j},
 * j <= (p - 1) / 2,
 *     y_k, y_{p-k} = x_0 + sum s_j cos (2 pi j k / p) -+ i sum d_j sin (2 pi j k / p).
 * Codelets: lines are rows, lanes p; in place too. (Experiment "sums" in docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_SUM_H
#define WEFT_DEVICE_CPU_SUM_H

#include <stdbool.h>

#include "device/cpu/codelet.h"

#define SUM_LEAST 5
#define SUM_MOST  127

/* From here on vectors of results are summed two by two, all as wide as any. */
#define SUM_PAIRED 37

/* twiddles: for each vector of results, from number 1 on, the cosines and then the sines of every
 * j. They have `lanes` numbers, below SUM_PAIRED those that are left at last as few as a power of
 * two allows, not below 2: the width is that of sum_width(). */
struct cpu_sums {
    codelet_function *sum[2]; /* by direction */
    /* CODELET_OPEN_PLANAR and CODELET_OPEN of the radix out_row: the twiddles of table_results(),
     * and as `fine` cosines and sines. */
    codelet_function *open[2];
    codelet_function *circulant[2]; /* circulant.h; NULL: there are none */
    int lanes;
};

/* Lanes of the vector that the last `left` results begin with; paired: from SUM_PAIRED on. */
static inline int sum_width(int lanes, bool paired, int left)
{
    while (!paired && lanes > 2 && lanes / 2 >= left)
        lanes /= 2;
    return lanes;
}

/* By weft_precision. */
extern const struct cpu_sums sums_basic[2];
#if defined(__x86_64__)
extern const struct cpu_sums sums_avx2[2], sums_avx512[2];
#endif

#endif
