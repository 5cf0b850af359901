/* Odd lines of reals in rows, of both precisions (odd.h): included with ODD, the table that is
 * defined, and VECTOR_BYTES. */
#include "device/cpu/odd.h"

#define TABLE_OF(precision, real)                                                                  \
    {                                                                                              \
        .open_reals = open_reals_##precision, .close_reals = close_reals_##precision,              \
        .lanes = VECTOR_BYTES / (int)sizeof(real)                                                  \
    }

#define LINES_FILE "device/cpu/odd_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_odd ODD[2] = {
    [WEFT_F32] = TABLE_OF(f32, float),
    [WEFT_F64] = TABLE_OF(f64, double),
};
