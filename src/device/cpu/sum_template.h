/* Sums of both precisions (sum.h): included with SUMS, the table that is defined, and
 * VECTOR_BYTES. */
#include "device/cpu/sum.h"
#include "weft/weft.h"

/* So often as the short lengths need to become straight-line code. */
#define UNROLLED _Pragma("GCC unroll 6")

/* Vectors of results at once, of four sums each, and of lines; the widest set has twice the
 * registers. */
#if VECTOR_BYTES == 64
#define SUM_VECTORS 4
#define SUM_LINES   2
#else
#define SUM_VECTORS 2
#define SUM_LINES   1
#endif

/* Two lines are summed at once if the table leaves the first level, or nearly so beside the factors
 * that a first step takes: otherwise the ends of a line go on beside the sums of the next.
 * (Experiment "two lines" in docs/experiments; lines that are no step are circulants then.) */
#define OPENING_BYTES (32 * 1024)

#define LINES_FILE "device/cpu/sum_lines.h"
#include "device/cpu/each_precision.h"

#ifndef CIRCULANTS_OF_SINGLES
#define CIRCULANTS_OF_SINGLES {NULL, NULL}
#endif
#ifndef CIRCULANTS_OF_DOUBLES
#define CIRCULANTS_OF_DOUBLES {NULL, NULL}
#endif

const struct cpu_sums SUMS[2] = {
    [WEFT_F32] = {{sum_forward_f32, sum_inverse_f32},
                  {sum_open_planar_f32, sum_open_f32},
                  CIRCULANTS_OF_SINGLES,
                  VECTOR_BYTES / 4},
    [WEFT_F64] = {{sum_forward_f64, sum_inverse_f64},
                  {sum_open_planar_f64, sum_open_f64},
                  CIRCULANTS_OF_DOUBLES,
                  VECTOR_BYTES / 8},
};
