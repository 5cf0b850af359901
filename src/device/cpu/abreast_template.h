/* Lines abreast, of both precisions (abreast.h): included with ABREAST, the table that is defined,
 * and VECTOR_BYTES. */
#include "device/cpu/abreast.h"
#include "weft/weft.h"

#define EACH(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < count; i++)

/* Where the block behind the one at `at` begins: the last of them may have some of what the one
 * before has, so that it is as large. */
static inline int64_t next_block(int64_t at, int64_t count, int64_t block)
{
    return at + block < count && at + 2 * block > count ? count - block : at + block;
}

#define EACH_BLOCK(i, count, block) \
    for (int64_t i = 0; i < (count); i = next_block(i, count, block))

#if VECTOR_BYTES <= 32
#include "device/cpu/abreast_moves.h"
#include "device/cpu/abreast_planes.h"
#endif
#if VECTOR_BYTES == 16
#define MOVE(size)  move_each_##size
#define PLANES(way) way##_basic
#else
#define MOVE(size)  laid_move_##size##_avx2
#define PLANES(way) laid_##way##_avx2
#endif

#define LINES_FILE "device/cpu/abreast_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_abreast ABREAST[2] = {
    [WEFT_F32] = {gather_abreast_f32, scatter_abreast_f32, turn_abreast_f32, MOVE(4), MOVE(8),
                  PLANES(join_4), PLANES(part_4), VECTOR_BYTES / 4},
    [WEFT_F64] = {gather_abreast_f64, scatter_abreast_f64, turn_abreast_f64, MOVE(8), MOVE(16),
                  PLANES(join_8), PLANES(part_8), VECTOR_BYTES / 8},
};
