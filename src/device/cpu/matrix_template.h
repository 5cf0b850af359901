/* Products with matrices of both precisions (matrix.h): included with MATRICES, the table that is
 * defined, VECTOR_BYTES, and NARROWER, the table that has shorter vectors' if this has not. */
#include "device/cpu/matrix.h"
#include "device/cpu/matrix_pairs.h"
#include "weft/weft.h"

#define CODELET_PARAMETERS                                                                         \
    const struct codelet_shape *shape, const void *in, const void *in_im, void *out, void *out_im, \
        const void *factors, const void *fine

/* That lines of straight-line code fill at most. */
#define MOST_VECTORS 5

#define EACH(i, count) _Pragma("GCC unroll 32") for (int i = 0; i < count; i++)

/* Does it for each vector v: in loops around loops gcc keeps arrays in memory else. */
#define VECTOR_IF(number, ...)                                                                     \
    {                                                                                              \
        enum { v = number };                                                                       \
        if (v < vectors) __VA_ARGS__;                                                              \
    }
#define EACH_VECTOR(...)                                                                           \
    VECTOR_IF(0, __VA_ARGS__) VECTOR_IF(1, __VA_ARGS__) VECTOR_IF(2, __VA_ARGS__)                  \
    VECTOR_IF(3, __VA_ARGS__) VECTOR_IF(4, __VA_ARGS__)

/* Products that are summed up before they are added to others, if registers have room for both and
 * vectors are not too short to be worth the text; and the reals of a line from which there are four
 * sums in place of two. */
#define REGISTERS           (VECTOR_BYTES == 64 ? 32 : 16)
#define TOGETHER            6
#define FOLDED_TOGETHER     12
#define LEAST_IN_FOUR       10
#define IN_ONE_SUM(vectors) (3 * (vectors) >= REGISTERS || LANES * sizeof(REAL) < 32)
#define IN_FOUR(vectors)    (4 * (vectors) < REGISTERS)

/* The counts of reals that lines have whose results fill so many vectors of so many lanes: as many,
 * or 2 or 1 more of R2C. Whatever is narrower than the widest vector fills 2 at most. Beyond 16
 * reals they are of even lines, as long as the results fill few vectors. */
/* clang-format off */
#define COUNTS_OF_2(lanes, row) row(SINGLE, 2, 1, lanes) row(SINGLE, 3, 2, lanes)
#define COUNTS_OF_4(lanes, row)                                                                    \
    row(SINGLE, 2, 1, lanes) row(SINGLE, 4, 1, lanes) row(SINGLE, 5, 2, lanes)                     \
    row(SINGLE, 6, 2, lanes) row(SINGLE, 7, 2, lanes) row(MIRRORED, 3, 1, lanes)                   \
    row(MIRRORED, 4, 2, lanes) row(MIRRORED, 5, 2, lanes) row(HALVED, 4, 1, lanes)                 \
    row(HALVED, 6, 2, lanes)
#define COUNTS_OF_8(lanes, row)                                                                    \
    row(SINGLE, 8, 1, lanes) row(SINGLE, 9, 2, lanes) row(SINGLE, 10, 2, lanes)                    \
    row(SINGLE, 11, 2, lanes) row(SINGLE, 12, 2, lanes) row(SINGLE, 13, 2, lanes)                  \
    row(SINGLE, 14, 2, lanes) row(SINGLE, 15, 2, lanes) row(MIRRORED, 6, 1, lanes)                 \
    row(MIRRORED, 7, 1, lanes) row(MIRRORED, 8, 2, lanes) row(MIRRORED, 9, 2, lanes)               \
    row(MIRRORED, 10, 2, lanes) row(MIRRORED, 11, 2, lanes) row(MIRRORED, 12, 2, lanes)            \
    row(MIRRORED, 13, 2, lanes) row(HALVED, 8, 1, lanes) row(HALVED, 10, 2, lanes)                 \
    row(HALVED, 12, 2, lanes) row(HALVED, 14, 2, lanes)
#define COUNTS_OF_16(lanes, row)                                                                   \
    row(SINGLE, 16, 1, lanes) row(MIRRORED, 14, 1, lanes) row(MIRRORED, 15, 1, lanes)              \
    row(MIRRORED, 16, 2, lanes) row(HALVED, 16, 1, lanes)
#define MORE_OF_4(lanes, row)                                                                      \
    row(SINGLE, 8, 2, lanes) row(SINGLE, 9, 3, lanes) row(SINGLE, 10, 3, lanes)                    \
    row(SINGLE, 11, 3, lanes) row(SINGLE, 12, 3, lanes) row(SINGLE, 13, 4, lanes)                  \
    row(SINGLE, 14, 4, lanes) row(SINGLE, 15, 4, lanes) row(SINGLE, 16, 4, lanes)                  \
    row(MIRRORED, 6, 2, lanes) row(MIRRORED, 7, 2, lanes) row(MIRRORED, 8, 3, lanes)               \
    row(MIRRORED, 9, 3, lanes) row(MIRRORED, 10, 3, lanes) row(MIRRORED, 11, 3, lanes)             \
    row(MIRRORED, 12, 4, lanes) row(MIRRORED, 13, 4, lanes) row(MIRRORED, 14, 4, lanes)            \
    row(MIRRORED, 15, 4, lanes) row(HALVED, 8, 2, lanes)                                           \
    row(HALVED, 10, 3, lanes) row(HALVED, 12, 3, lanes) row(HALVED, 14, 4, lanes)                  \
    row(HALVED, 16, 4, lanes)
#define MORE_OF_8(lanes, row)                                                                      \
    row(SINGLE, 16, 2, lanes) row(MIRRORED, 14, 2, lanes) row(MIRRORED, 15, 2, lanes)              \
    row(MIRRORED, 16, 3, lanes) row(HALVED, 16, 2, lanes)
#define LONG_OF_8(lanes, row)                                                                      \
    row(MIRRORED, 18, 3, lanes) row(MIRRORED, 20, 3, lanes) row(MIRRORED, 22, 3, lanes)            \
    row(MIRRORED, 24, 4, lanes) row(MIRRORED, 26, 4, lanes) row(MIRRORED, 28, 4, lanes)            \
    row(MIRRORED, 30, 4, lanes) row(HALVED, 18, 3, lanes) row(HALVED, 20, 3, lanes)                \
    row(HALVED, 22, 3, lanes) row(HALVED, 24, 3, lanes) row(HALVED, 26, 4, lanes)                  \
    row(HALVED, 28, 4, lanes) row(HALVED, 30, 4, lanes) row(HALVED, 32, 4, lanes)
#define LONG_OF_16(lanes, row)                                                                     \
    row(MIRRORED, 18, 2, lanes) row(MIRRORED, 20, 2, lanes) row(MIRRORED, 22, 2, lanes)            \
    row(MIRRORED, 24, 2, lanes) row(MIRRORED, 26, 2, lanes) row(MIRRORED, 28, 2, lanes)            \
    row(MIRRORED, 30, 2, lanes) row(MIRRORED, 32, 3, lanes) row(MIRRORED, 34, 3, lanes)            \
    row(MIRRORED, 36, 3, lanes) row(MIRRORED, 38, 3, lanes) row(MIRRORED, 40, 3, lanes)            \
    row(MIRRORED, 42, 3, lanes) row(MIRRORED, 44, 3, lanes) row(MIRRORED, 46, 3, lanes)            \
    row(HALVED, 18, 2, lanes) row(HALVED, 20, 2, lanes) row(HALVED, 22, 2, lanes)                  \
    row(HALVED, 24, 2, lanes) row(HALVED, 26, 2, lanes) row(HALVED, 28, 2, lanes)                  \
    row(HALVED, 30, 2, lanes) row(HALVED, 32, 2, lanes) row(HALVED, 34, 3, lanes)                  \
    row(HALVED, 36, 3, lanes) row(HALVED, 38, 3, lanes) row(HALVED, 40, 3, lanes)                  \
    row(HALVED, 42, 3, lanes) row(HALVED, 44, 3, lanes) row(HALVED, 46, 3, lanes)                  \
    row(HALVED, 48, 3, lanes)
#define EACH_NARROW(lanes, row) row(SINGLE, 0, 1, lanes) row(SINGLE, 0, 2, lanes)
#define EACH_TO_4(lanes, row)                                                                      \
    EACH_NARROW(lanes, row) row(SINGLE, 0, 3, lanes) row(SINGLE, 0, 4, lanes)
/* clang-format on */

/* Lines of fewer results than fill a vector are left to narrower sets, whose codelets for those are
 * no slower, but for SSE2's. */
#if VECTOR_BYTES == 64
#define ROWS_OF_f32(row) EACH_TO_4(16, row) COUNTS_OF_16(16, row) LONG_OF_16(16, row)
#define ROWS_OF_f64(row) EACH_TO_4(8, row) COUNTS_OF_8(8, row) MORE_OF_8(8, row) LONG_OF_8(8, row)
#elif VECTOR_BYTES == 32
#define ROWS_OF_f32(row)                                                                           \
    EACH_NARROW(2, row)                                                                            \
    COUNTS_OF_2(2, row) EACH_NARROW(4, row) COUNTS_OF_4(4, row) EACH_TO_4(8, row)                  \
        COUNTS_OF_8(8, row) MORE_OF_8(8, row) LONG_OF_8(8, row)
#define ROWS_OF_f64(row)                                                                           \
    EACH_NARROW(2, row)                                                                            \
    COUNTS_OF_2(2, row) EACH_TO_4(4, row) COUNTS_OF_4(4, row) MORE_OF_4(4, row)
#else
#define ROWS_OF_f32(row) EACH_NARROW(2, row) EACH_TO_4(4, row)
#define ROWS_OF_f64(row) EACH_TO_4(2, row)
#endif

#define LINES_FILE "device/cpu/matrix_lines.h"
#include "device/cpu/each_precision.h"

#if VECTOR_BYTES >= 32
#define ALL_INLINE inline __attribute__((always_inline))
#undef REAL
#undef PRECISION
#undef MOST_LANES
#undef LINES_FILE
#define LINES_FILE "device/cpu/matrix_beside.h"
#include "device/cpu/each_precision.h"
#undef ALL_INLINE
#define BESIDE_OF(name) {reals_beside_##name, spectra_beside_##name}
#else
#define BESIDE_OF(name) {NULL, NULL}
#endif

#ifdef NARROWER
#define NARROWER_OF(precision) &NARROWER[precision]
#else
#define NARROWER_OF(precision) NULL
#endif
#define TABLE_OF(list, precision, real, name)                                                      \
    [precision] = {list, sizeof list / sizeof *list, VECTOR_BYTES / sizeof(real),                  \
                   NARROWER_OF(precision), BESIDE_OF(name)}

const struct cpu_matrices MATRICES[2] = {
    TABLE_OF(all_products_f32, WEFT_F32, float, f32),
    TABLE_OF(all_products_f64, WEFT_F64, double, f64),
};
