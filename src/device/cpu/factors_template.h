/* Lines times factors of both precisions (factors.h): included with FACTORS, the table that is
 * defined, and VECTOR_BYTES. */
#include <stdbool.h>
#include <string.h>

#include "device/cpu/factors.h"
#include "weft/weft.h"

#define ALL_INLINE static inline __attribute__((always_inline))
/* Steps between pairs are of vectors of 32 and 64 bytes. */
#if VECTOR_BYTES >= 32
#define RADERS_OF(precision)                                                                  \
    .rader_pick = rader_pick_##precision, .rader_turn = rader_turn_##precision,               \
    .rader_leave = rader_leave_##precision, .rader_first = rader_first_##precision
#else
#define RADERS_OF(precision) .rader_pick = NULL
#endif
#define TABLE_OF(precision)                                                                   \
    {                                                                                         \
        .enter = enter_##precision, .leave = leave_##precision, .stay = stay_##precision,     \
        .stay_mirrored = stay_mirrored_##precision, RADERS_OF(precision)                      \
    }

#define LINES_FILE "device/cpu/factors_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_factors FACTORS[2] = {
    [WEFT_F32] = TABLE_OF(f32),
    [WEFT_F64] = TABLE_OF(f64),
};
