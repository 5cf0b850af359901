/* A part of odd_half_lines.h: four strands of singles at a time, of which numbers lie side by side
 * in the line. */
typedef REAL SIDE __attribute__((vector_size(8 * sizeof(REAL))));
typedef REAL SIDE_MEMORY
    __attribute__((vector_size(8 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

static inline __attribute__((always_inline)) void transpose_sides(SIDE v[4])
{
    const SIDE a = SHUFFLED(v[0], v[1], 0, 1, 8, 9, 4, 5, 12, 13);
    const SIDE b = SHUFFLED(v[0], v[1], 2, 3, 10, 11, 6, 7, 14, 15);
    const SIDE c = SHUFFLED(v[2], v[3], 0, 1, 8, 9, 4, 5, 12, 13);
    const SIDE d = SHUFFLED(v[2], v[3], 2, 3, 10, 11, 6, 7, 14, 15);
    v[0] = SHUFFLED(a, c, 0, 1, 2, 3, 8, 9, 10, 11);
    v[1] = SHUFFLED(b, d, 0, 1, 2, 3, 8, 9, 10, 11);
    v[2] = SHUFFLED(a, c, 4, 5, 6, 7, 12, 13, 14, 15);
    v[3] = SHUFFLED(b, d, 4, 5, 6, 7, 12, 13, 14, 15);
}

/* Strands from `strand` on; at least four numbers. */
static void move_four(const struct STRANDS *s, int64_t strand, int64_t begin, int64_t end)
{
    PAIR *const row = s->row + strand * s->step, *const line = s->line + strand;
    const int64_t next = s->back ? -s->r : s->r;
    const REAL re = s->factor[0], im = s->factor[1];
    const SIDE factor = {re, im, re, im, re, im, re, im};
    for (int64_t i = begin; i < end; i += 4) {
        const int64_t at = i + 4 > end ? end - 4 : i;
        PAIR *const numbers = s->back ? row - at - 3 : row + at;
        PAIR *const sides = line + s->r * (s->back ? at + 3 : at);
        PAIR *const from = s->opens ? sides : numbers, *const to = s->opens ? numbers : sides;
        const int64_t from_step = s->opens ? next : s->step, to_step = s->opens ? s->step : next;
        SIDE v[4];
        _Pragma("GCC unroll 4") for (int j = 0; j < 4; j++) v[j] =
            *(const SIDE_MEMORY *)(from + j * from_step);
        transpose_sides(v);
        _Pragma("GCC unroll 4") for (int j = 0; j < 4; j++)
            *(SIDE_MEMORY *)(to + j * to_step) = factor * v[j];
    }
}
