/* A part of abreast_template.h: rectangles of elements copied (laid.h). */
#include <stdint.h>

/* Elements are aligned to a real. */
typedef uint32_t element_4 __attribute__((may_alias));
typedef uint64_t element_8 __attribute__((may_alias, aligned(4)));
typedef uint64_t element_16 __attribute__((vector_size(16), may_alias, aligned(8)));

/* One by one, the more of rows and columns in the inner loop. */
#define MOVE_EACH(size)                                                                            \
    static void move_each_##size(const struct laid_move *m, const char *from, char *to)            \
    {                                                                                              \
        const bool columns = m->columns > m->rows;                                                 \
        const int64_t inner = columns ? m->columns : m->rows;                                      \
        const int64_t from_step = columns ? m->from_column : m->from_row;                          \
        const int64_t to_step = columns ? m->to_column : m->to_row;                                \
        const int64_t from_outer = columns ? m->from_row : m->from_column;                         \
        const int64_t to_outer = columns ? m->to_row : m->to_column;                               \
        for (int64_t o = columns ? m->rows : m->columns; o > 0; o--) {                             \
            const char *x = from;                                                                  \
            char *y = to;                                                                          \
            for (int64_t i = inner; i > 0; i--, x += from_step, y += to_step) {                    \
                __asm__("" : "+r"(x), "+r"(y)); /* no vectors of single elements */                \
                *(element_##size *)y = *(const element_##size *)x;                                 \
            }                                                                                      \
            from += from_outer;                                                                    \
            to += to_outer;                                                                        \
        }                                                                                          \
    }
MOVE_EACH(4)
MOVE_EACH(8)
MOVE_EACH(16)

#if VECTOR_BYTES == 32
typedef uint32_t four_4 __attribute__((vector_size(16)));
typedef uint64_t four_8 __attribute__((vector_size(32)));
typedef uint32_t four_memory_4 __attribute__((vector_size(16), may_alias, aligned(4)));
typedef uint64_t four_memory_8 __attribute__((vector_size(32), may_alias, aligned(4)));

#define ROW(size, place)      (*(const four_memory_##size *)(place))
#define PUT_ROW(size, place)  *(four_memory_##size *)(place)
#define DEALT(a, b, ...)      __builtin_shufflevector(a, b, __VA_ARGS__)

/* Four by four, or two by two, where what is a row at one end is a column at the other; by shuffles
 * that stay within 16 bytes as long as they can. */
static inline void transpose_4(const char *from, int64_t from_row, char *to, int64_t to_row)
{
    const four_4 a = ROW(4, from), b = ROW(4, from + from_row), c = ROW(4, from + 2 * from_row),
                 d = ROW(4, from + 3 * from_row);
    const four_4 ab = DEALT(a, b, 0, 4, 1, 5), cd = DEALT(c, d, 0, 4, 1, 5);
    const four_4 ab_more = DEALT(a, b, 2, 6, 3, 7), cd_more = DEALT(c, d, 2, 6, 3, 7);
    PUT_ROW(4, to) = DEALT(ab, cd, 0, 1, 4, 5);
    PUT_ROW(4, to + to_row) = DEALT(ab, cd, 2, 3, 6, 7);
    PUT_ROW(4, to + 2 * to_row) = DEALT(ab_more, cd_more, 0, 1, 4, 5);
    PUT_ROW(4, to + 3 * to_row) = DEALT(ab_more, cd_more, 2, 3, 6, 7);
}

static inline void transpose_8(const char *from, int64_t from_row, char *to, int64_t to_row)
{
    const four_8 a = ROW(8, from), b = ROW(8, from + from_row), c = ROW(8, from + 2 * from_row),
                 d = ROW(8, from + 3 * from_row);
    const four_8 ab = DEALT(a, b, 0, 4, 2, 6), cd = DEALT(c, d, 0, 4, 2, 6);
    const four_8 ab_more = DEALT(a, b, 1, 5, 3, 7), cd_more = DEALT(c, d, 1, 5, 3, 7);
    PUT_ROW(8, to) = DEALT(ab, cd, 0, 1, 4, 5);
    PUT_ROW(8, to + to_row) = DEALT(ab_more, cd_more, 0, 1, 4, 5);
    PUT_ROW(8, to + 2 * to_row) = DEALT(ab, cd, 2, 3, 6, 7);
    PUT_ROW(8, to + 3 * to_row) = DEALT(ab_more, cd_more, 2, 3, 6, 7);
}

static inline void transpose_16(const char *from, int64_t from_row, char *to, int64_t to_row)
{
    const four_8 a = ROW(8, from), b = ROW(8, from + from_row);
    PUT_ROW(8, to) = DEALT(a, b, 0, 1, 4, 5);
    PUT_ROW(8, to + to_row) = DEALT(a, b, 2, 3, 6, 7);
}

/* The last of some rows, or columns, overlap those before them. */
#define MOVE_BLOCKS(size, block)                                                                   \
    static inline void move_rows_##size(const struct laid_move *m, const char *from, char *to)     \
    {                                                                                              \
        const int64_t column = m->from_column, row = m->to_row;                                    \
        const int64_t back = (block - m->columns % block) % block;                                 \
        for (int64_t left = m->columns / block; left > 0; left--) {                                \
            transpose_##size(from, column, to, row);                                               \
            from += block * column;                                                                \
            to += block * size;                                                                    \
        }                                                                                          \
        if (back > 0) transpose_##size(from - back * column, column, to - back * size, row);       \
    }                                                                                              \
                                                                                                   \
    void laid_move_##size##_avx2(const struct laid_move *m, const char *from, char *to)            \
    {                                                                                              \
        const bool blocks = m->rows >= block && m->columns >= block;                               \
        if (!blocks || m->from_row != size || m->to_column != size) {                              \
            move_each_##size(m, from, to);                                                         \
            return;                                                                                \
        }                                                                                          \
        EACH_BLOCK(r, m->rows, block) move_rows_##size(m, from + r * size, to + r * m->to_row);    \
    }
MOVE_BLOCKS(4, 4)
MOVE_BLOCKS(8, 4)
MOVE_BLOCKS(16, 2)
#endif
