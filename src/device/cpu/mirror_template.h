/* Mirrored numbers of both precisions (mirror.h): included with MIRRORS, the table that is defined,
 * and VECTOR_BYTES; and STREAM_f32 and STREAM_f64(place, v) and STREAMED() where vectors are stored
 * past the caches. */
#include <stdbool.h>
#include <string.h>

#include "device/cpu/mirror.h"
#include "weft/weft.h"

#ifdef STREAMED
#define MAY_STREAM (VECTOR_BYTES == 64) /* of two widths they would be twice the text */
#define FENCE(past)            \
    do {                       \
        if (past) STREAMED();  \
    } while (0)
static void fence_streamed(void)
{
    STREAMED();
}

typedef float vector_streamed __attribute__((vector_size(VECTOR_BYTES), may_alias));
static void stream_lines(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += VECTOR_BYTES)
        STREAM_f32((float *)(void *)(to + i), *(const vector_streamed *)(const void *)(from + i));
}

#define STREAMS_OF(precision)                                                                 \
    .fence = fence_streamed,                                                                  \
    .lines_streamed = stream_lines,                                                           \
    .columns_streamed = stream_columns_##precision,                                           \
    .numbers_streamed = stream_upright_##precision,                                           \
    .reals_streamed = stream_reals_##precision,                                               \
    .rows_streamed = stream_rows_##precision,                                                 \
    .mirrored_streamed = stream_mirrored_##precision,
#else
#define FENCE(past) (void)(past)
#define MAY_STREAM  false
#define STREAMS_OF(precision)
#endif

/* Of vectors of 64 bytes no more than half would be filled. */
#if VECTOR_BYTES == 64
#define ALONG_OF(precision) .narrower = mirrors_avx2
#else
#define ALONG_OF(precision) \
    .part_along = part_along_##precision, .join_along = join_along_##precision
#endif

#define TABLE_OF(precision, most_lanes)                                                       \
    {                                                                                         \
        .unfold = unfold_##precision, .fold = fold_##precision,                               \
        .unfold_turned = unfold_turned_##precision, .fold_turned = fold_turned_##precision,   \
        .part = part_reals_##precision, .join = join_reals_##precision, .lanes = most_lanes,  \
        .joined = join_rows_##precision,                                                      \
        .of_ends = of_ends_##precision, .to_ends = to_ends_##precision,                       \
        .columns = part_columns_##precision, .numbers = put_numbers_##precision,              \
        .mirrored = put_mirrored_##precision, .to_reals = to_reals_##precision,               \
        .of_reals = of_reals_##precision, .of_numbers = of_numbers_##precision,               \
        .to_others = to_others_##precision, .of_others = of_others_##precision,               \
        .of_mirrored = of_mirrored_##precision, .gather_beside = gather_beside_##precision,   \
        .scatter_beside = scatter_beside_##precision, .fold_beside = fold_beside_##precision, \
        .unfold_beside = unfold_beside_##precision, .join_beside = join_beside_##precision,   \
        .part_beside = part_beside_##precision, .part_halves = part_halves_##precision,       \
        .join_halves = join_halves_##precision, ALONG_OF(precision), STREAMS_OF(precision)    \
    }

#define LINES_FILE "device/cpu/mirror_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_mirrors MIRRORS[2] = {
    [WEFT_F32] = TABLE_OF(f32, VECTOR_BYTES / 4),
    [WEFT_F64] = TABLE_OF(f64, VECTOR_BYTES / 8),
};
