/* Sums of both precisions (sum.h): included with SUMS, the table that is defined, and
 * VECTOR_BYTES. */
#include "device/cpu/sum.h"
#include "weft/weft.h"

/* So often as the short lengths need to become straight-line code. */
#define UNROLLED _Pragma("GCC unroll 6")

/* Vectors of results at once, of four sums each; the widest set has twice the registers. */
#if VECTOR_BYTES == 64
#define SUM_VECTORS 4
#else
#define SUM_VECTORS 2
#endif

#define LINES_FILE "device/cpu/sum_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_sums SUMS[2] = {
    [WEFT_F32] = {{sum_forward_f32, sum_inverse_f32},
                  {sum_open_planar_f32, sum_open_f32},
                  VECTOR_BYTES / 4},
    [WEFT_F64] = {{sum_forward_f64, sum_inverse_f64},
                  {sum_open_planar_f64, sum_open_f64},
                  VECTOR_BYTES / 8},
};
