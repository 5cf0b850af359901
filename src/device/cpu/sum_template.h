/* Sums of both precisions (sum.h): included with SUMS, the table that is defined, and
 * VECTOR_BYTES. */
#include "device/cpu/sum.h"
#include "weft/weft.h"

#define JOIN_NAMES(a, b, c) a##b##_##c
#define NAME_OF(a, b, c)    JOIN_NAMES(a, b, c)

#define REAL       float
#define PRECISION  f32
#define MOST_LANES (VECTOR_BYTES / 4)
#include "device/cpu/sum_lines.h"
#undef REAL
#undef PRECISION
#undef MOST_LANES

#define REAL       double
#define PRECISION  f64
#define MOST_LANES (VECTOR_BYTES / 8)
#include "device/cpu/sum_lines.h"

const struct cpu_sums SUMS[2] = {
    [WEFT_F32] = {{sum_forward_f32, sum_inverse_f32}, VECTOR_BYTES / 4},
    [WEFT_F64] = {{sum_forward_f64, sum_inverse_f64}, VECTOR_BYTES / 8},
};
