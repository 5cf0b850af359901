/* Lines times factors of both precisions (factors.h): included with FACTORS, the table that is
 * defined, and VECTOR_BYTES. */
#include <stdbool.h>
#include <string.h>

#include "device/cpu/factors.h"
#include "weft/weft.h"

#define ALL_INLINE static inline __attribute__((always_inline))
#define TABLE_OF(precision)                                                                   \
    {                                                                                         \
        enter_##precision, leave_##precision, stay_##precision, stay_mirrored_##precision,    \
            rader_forth_##precision, rader_turn_##precision, rader_back_##precision,          \
            rader_first_##precision                                                           \
    }

#define LINES_FILE "device/cpu/factors_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_factors FACTORS[2] = {
    [WEFT_F32] = TABLE_OF(f32),
    [WEFT_F64] = TABLE_OF(f64),
};
