/* A part of abreast_template.h: rectangles of pairs made of planes, and parted (laid.h). */
#include <stdint.h>

/* Rows that touch are one; where those of planes are apart what follows one another is a row. */
static struct laid_move runs_of(const struct laid_move *m, int64_t bytes)
{
    struct laid_move runs = *m;
    if (m->from_row == m->columns * m->from_column && m->to_row == m->columns * m->to_column) {
        runs.columns *= runs.rows;
        runs.rows = 1;
    } else if (m->from_column != bytes && m->rows > m->columns) {
        runs = (struct laid_move){m->from_column, m->from_row, m->to_column,
                                  m->to_row,      m->columns,  m->rows};
    }
    return runs;
}

/* Of vectors, how many numbers are. */
#if VECTOR_BYTES == 32
typedef uint32_t eight_4 __attribute__((vector_size(32)));
typedef uint32_t eight_memory_4 __attribute__((vector_size(32), may_alias, aligned(4)));
#define WHOLE_4(place) (*(eight_memory_4 *)(place))
#define WHOLE_8(place) (*(four_memory_8 *)(place))

static inline int64_t join_vectors_4(const char *re, const char *im, char *pairs, int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const eight_4 a = WHOLE_4(re + 4 * i), b = WHOLE_4(im + 4 * i);
        WHOLE_4(pairs + 8 * i) = DEALT(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
        WHOLE_4(pairs + 8 * i + 32) = DEALT(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
    return i;
}

static inline int64_t join_vectors_8(const char *re, const char *im, char *pairs, int64_t count)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const four_8 a = WHOLE_8(re + 8 * i), b = WHOLE_8(im + 8 * i);
        WHOLE_8(pairs + 16 * i) = DEALT(a, b, 0, 4, 1, 5);
        WHOLE_8(pairs + 16 * i + 32) = DEALT(a, b, 2, 6, 3, 7);
    }
    return i;
}

static inline int64_t part_vectors_4(const char *pairs, char *re, char *im, int64_t count)
{
    int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const eight_4 a = WHOLE_4(pairs + 8 * i), b = WHOLE_4(pairs + 8 * i + 32);
        WHOLE_4(re + 4 * i) = DEALT(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
        WHOLE_4(im + 4 * i) = DEALT(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    }
    return i;
}

static inline int64_t part_vectors_8(const char *pairs, char *re, char *im, int64_t count)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const four_8 a = WHOLE_8(pairs + 16 * i), b = WHOLE_8(pairs + 16 * i + 32);
        WHOLE_8(re + 8 * i) = DEALT(a, b, 0, 2, 4, 6);
        WHOLE_8(im + 8 * i) = DEALT(a, b, 1, 3, 5, 7);
    }
    return i;
}
#define VECTORS(size, way, ...) near ? way##_vectors_##size(__VA_ARGS__) : 0
#define WAY(way)                laid_##way##_avx2
#else
#define VECTORS(size, way, ...) 0
#define WAY(way)                way##_basic
#endif
#define WAY_OF(way, size) WAY(way##_##size)

#define PLANES_OF(size, LINKAGE)                                                                   \
    LINKAGE void WAY_OF(join, size)(const struct laid_move *m, const char *re, const char *im,     \
                                    char *pairs)                                                   \
    {                                                                                              \
        const struct laid_move runs = runs_of(m, size);                                            \
        const bool near = runs.from_column == size && runs.to_column == 2 * size;                  \
        for (int64_t r = runs.rows; r > 0; r--) {                                                  \
            for (int64_t i = VECTORS(size, join, re, im, pairs, runs.columns); i < runs.columns;   \
                 i++) {                                                                            \
                const int64_t at = i * runs.from_column;                                           \
                element_##size *const y = (element_##size *)(pairs + i * runs.to_column);          \
                y[0] = *(const element_##size *)(re + at);                                         \
                y[1] = *(const element_##size *)(im + at);                                         \
            }                                                                                      \
            re += runs.from_row;                                                                   \
            im += runs.from_row;                                                                   \
            pairs += runs.to_row;                                                                  \
        }                                                                                          \
        (void)near;                                                                                \
    }                                                                                              \
                                                                                                   \
    LINKAGE void WAY_OF(part, size)(const struct laid_move *m, const char *pairs, char *re,        \
                                    char *im)                                                      \
    {                                                                                              \
        const struct laid_move runs = runs_of(m, size);                                            \
        const bool near = runs.from_column == size && runs.to_column == 2 * size;                  \
        for (int64_t r = runs.rows; r > 0; r--) {                                                  \
            for (int64_t i = VECTORS(size, part, pairs, re, im, runs.columns); i < runs.columns;   \
                 i++) {                                                                            \
                const int64_t at = i * runs.from_column;                                           \
                const element_##size *const x =                                                    \
                    (const element_##size *)(pairs + i * runs.to_column);                          \
                *(element_##size *)(re + at) = x[0];                                               \
                *(element_##size *)(im + at) = x[1];                                               \
            }                                                                                      \
            re += runs.from_row;                                                                   \
            im += runs.from_row;                                                                   \
            pairs += runs.to_row;                                                                  \
        }                                                                                          \
        (void)near;                                                                                \
    }
#if VECTOR_BYTES == 32
PLANES_OF(4, )
PLANES_OF(8, )
#else
PLANES_OF(4, static)
PLANES_OF(8, static)
#endif
