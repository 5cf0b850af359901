/* Mirrored numbers of both precisions (mirror.h): included with MIRRORS, the table that is defined,
 * and VECTOR_BYTES. */
#include "device/cpu/mirror.h"
#include "weft/weft.h"

#define TABLE_OF(precision, most_lanes)                                                       \
    {                                                                                         \
        .unfold = unfold_##precision, .fold = fold_##precision,                               \
        .unfold_turned = unfold_turned_##precision, .fold_turned = fold_turned_##precision,   \
        .part = part_reals_##precision, .join = join_reals_##precision, .lanes = most_lanes   \
    }

#define LINES_FILE "device/cpu/mirror_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_mirrors MIRRORS[2] = {
    [WEFT_F32] = TABLE_OF(f32, VECTOR_BYTES / 4),
    [WEFT_F64] = TABLE_OF(f64, VECTOR_BYTES / 8),
};
