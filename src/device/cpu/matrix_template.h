/* Products with matrices of both precisions (matrix.h): included with MATRICES, the table that is
 * defined, and VECTOR_BYTES. */
#include "device/cpu/matrix.h"
#include "weft/weft.h"

#define CODELET_PARAMETERS                                                                         \
    const struct codelet_shape *shape, const void *in, const void *in_im, void *out, void *out_im, \
        const void *factors, const void *fine

#define EACH(i, count) _Pragma("GCC unroll 16") for (int i = 0; i < count; i++)

/* Does it for each vector v: in loops around loops gcc keeps arrays in memory else. */
#define VECTOR_IF(number, ...)                                                                     \
    {                                                                                              \
        enum { v = number };                                                                       \
        if (v < vectors) __VA_ARGS__;                                                              \
    }
#define EACH_VECTOR(...)                                                                           \
    VECTOR_IF(0, __VA_ARGS__) VECTOR_IF(1, __VA_ARGS__) VECTOR_IF(2, __VA_ARGS__)                  \
    VECTOR_IF(3, __VA_ARGS__) VECTOR_IF(4, __VA_ARGS__) VECTOR_IF(5, __VA_ARGS__)                  \
    VECTOR_IF(6, __VA_ARGS__) VECTOR_IF(7, __VA_ARGS__)

/* Products that are summed up before they are added to others, if registers have room for both and
 * vectors are not too short to be worth the text; and the reals of a line from which there are four
 * sums in place of two. */
#define REGISTERS           (VECTOR_BYTES == 64 ? 32 : 16)
#define TOGETHER            6
#define LEAST_IN_FOUR       10
#define IN_ONE_SUM(vectors) (3 * (vectors) >= REGISTERS || LANES * sizeof(REAL) < 32)
#define IN_FOUR(vectors)    (4 * (vectors) < REGISTERS)

/* Real j's sum, and whether it begins one: in turns, of an odd number two by two after the first,
 * so that products that are exact and those that are not come to different sums. */
#define SUM_OF(j, sums, count) ((count) % 2 ? ((j) + 1) / 2 % (sums) : (j) % (sums))
#define BEGINS_SUM(j, sums, count)                                                                 \
    ((j) > 0 && ((count) % 2 ? (j) % 2 == 1 && (j) < 2 * (sums) - 1 : (j) < (sums)))

/* The counts of reals up to 16 that lines have whose results fill so many vectors of so many lanes:
 * squares, and half spectra of as many reals as there are results, or one less, or two. Whatever is
 * narrower than the widest vector fills 2 of them at most. */
#define COUNTS_OF_2(lanes, row) row(2, 1, lanes) row(3, 2, lanes)
#define COUNTS_OF_4(lanes, row)                                                                    \
    row(2, 1, lanes) row(3, 1, lanes) row(4, 1, lanes) row(4, 2, lanes) row(5, 2, lanes)           \
        row(6, 2, lanes) row(7, 2, lanes)
#define COUNTS_OF_8(lanes, row)                                                                    \
    row(6, 1, lanes) row(7, 1, lanes) row(8, 1, lanes) row(8, 2, lanes) row(9, 2, lanes)           \
        row(10, 2, lanes) row(11, 2, lanes) row(12, 2, lanes) row(13, 2, lanes) row(14, 2, lanes)  \
            row(15, 2, lanes)
#define COUNTS_OF_16(lanes, row)                                                                   \
    row(14, 1, lanes) row(15, 1, lanes) row(16, 1, lanes) row(16, 2, lanes)
#define MORE_OF_4(lanes, row)                                                                      \
    row(8, 2, lanes) row(8, 3, lanes) row(9, 3, lanes) row(10, 3, lanes) row(11, 3, lanes)         \
        row(12, 3, lanes) row(12, 4, lanes) row(13, 4, lanes) row(14, 4, lanes) row(15, 4, lanes)  \
            row(16, 4, lanes) row(16, 5, lanes)
#define MORE_OF_8(lanes, row)   row(16, 2, lanes) row(16, 3, lanes)
#define EACH_NARROW(lanes, row) row(0, 1, lanes) row(0, 2, lanes)
#define EACH_WIDEST(lanes, row)                                                                    \
    row(0, 1, lanes) row(0, 2, lanes) row(0, 3, lanes) row(0, 4, lanes) row(0, 5, lanes)           \
        row(0, 6, lanes) row(0, 7, lanes) row(0, 8, lanes)

#if VECTOR_BYTES == 64
#define ROWS_OF_f32(row)                                                                           \
    EACH_NARROW(2, row)                                                                            \
    COUNTS_OF_2(2, row) EACH_NARROW(4, row) COUNTS_OF_4(4, row) EACH_NARROW(8, row)                \
        COUNTS_OF_8(8, row) EACH_WIDEST(16, row) COUNTS_OF_16(16, row)
#define ROWS_OF_f64(row)                                                                           \
    EACH_NARROW(2, row)                                                                            \
    COUNTS_OF_2(2, row) EACH_NARROW(4, row) COUNTS_OF_4(4, row) EACH_WIDEST(8, row)                \
        COUNTS_OF_8(8, row) MORE_OF_8(8, row)
#elif VECTOR_BYTES == 32
#define ROWS_OF_f32(row)                                                                           \
    EACH_NARROW(2, row)                                                                            \
    COUNTS_OF_2(2, row) EACH_NARROW(4, row) COUNTS_OF_4(4, row) EACH_WIDEST(8, row)                \
        COUNTS_OF_8(8, row) MORE_OF_8(8, row)
#define ROWS_OF_f64(row)                                                                           \
    EACH_NARROW(2, row)                                                                            \
    COUNTS_OF_2(2, row) EACH_WIDEST(4, row) COUNTS_OF_4(4, row) MORE_OF_4(4, row)
#else
#define ROWS_OF_f32(row) EACH_NARROW(2, row) EACH_WIDEST(4, row)
#define ROWS_OF_f64(row) EACH_WIDEST(2, row)
#endif

#define LINES_FILE "device/cpu/matrix_lines.h"
#include "device/cpu/each_precision.h"

#define TABLE_OF(list, most_lanes)                                                                 \
    {                                                                                              \
        list, sizeof list / sizeof *list, most_lanes                                               \
    }

const struct cpu_matrices MATRICES[2] = {
    [WEFT_F32] = TABLE_OF(all_products_f32, VECTOR_BYTES / 4),
    [WEFT_F64] = TABLE_OF(all_products_f64, VECTOR_BYTES / 8),
};
