/* Elements from anywhere in a line, and to anywhere in one. A part of general_template.h. */

static inline __attribute__((always_inline)) void
pick(const struct cpu_operation *op, const REAL *restrict from_re, const REAL *restrict from_im,
     int64_t line, int64_t column, REAL *restrict re, REAL *restrict im, int64_t columns)
{
    const int32_t *restrict place = op->permutation;
    for (int64_t e = 0; e < op->elements; e++) {
        const int64_t at = place[e] * line;
        for (int64_t c = 0; c < columns; c++) {
            re[e * columns + c] = from_re[at + c * column];
            im[e * columns + c] = from_im[at + c * column];
        }
    }
}

/* One by one: compilers make vectors of places, and take longer to part these again than for all
 * the rest. (Experiment "permutations" in docs/experiments.) */
static inline __attribute__((always_inline)) int64_t place_at(const int32_t *place)
{
    int64_t at = *place;
    __asm__("" : "+r"(at));
    return at;
}

/* Neighbouring pairs from all over a line, and back: `from` and `to` are the first ones. */
static inline __attribute__((always_inline)) void
pick_pairs(const struct cpu_operation *op, const REAL *restrict from, int64_t line,
           REAL *restrict to)
{
    const int32_t *restrict place = op->permutation;
    _Pragma("GCC unroll 8")
    for (int64_t e = 0; e < op->elements; e++)
        memcpy(to + 2 * e, from + place_at(place + e) * line, 2 * sizeof *to);
}

static inline __attribute__((always_inline)) void
leave_pairs(const struct cpu_operation *op, const REAL *restrict from, REAL *restrict to,
            int64_t line)
{
    const int32_t *restrict place = op->permutation;
    _Pragma("GCC unroll 8")
    for (int64_t e = 0; e < op->elements; e++)
        memcpy(to + place_at(place + e) * line, from + 2 * e, 2 * sizeof *to);
}

typedef REAL two_reals __attribute__((vector_size(2 * sizeof(REAL))));
typedef REAL two_in_memory
    __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#define TWO_AT(place) (*(two_in_memory *)(uintptr_t)(place))

/* Likewise to two planes, and back. There is an even number of them, for n is odd. */
static inline __attribute__((always_inline)) void
part_pairs(const struct cpu_operation *op, const REAL *from, int64_t line, REAL *re, REAL *im)
{
    const int32_t *const place = op->permutation;
    _Pragma("GCC unroll 4")
    for (int64_t e = 0; e < op->elements; e += 2) {
        const two_reals a = TWO_AT(from + place_at(place + e) * line);
        const two_reals b = TWO_AT(from + place_at(place + e + 1) * line);
        TWO_AT(re + e) = __builtin_shufflevector(a, b, 0, 2);
        TWO_AT(im + e) = __builtin_shufflevector(a, b, 1, 3);
    }
}

static inline __attribute__((always_inline)) void
join_pairs(const struct cpu_operation *op, const REAL *re, const REAL *im, REAL *to, int64_t line)
{
    const int32_t *const place = op->permutation;
    _Pragma("GCC unroll 4")
    for (int64_t e = 0; e < op->elements; e += 2) {
        const two_reals a = TWO_AT(re + e), b = TWO_AT(im + e);
        TWO_AT(to + place_at(place + e) * line) = __builtin_shufflevector(a, b, 0, 2);
        TWO_AT(to + place_at(place + e + 1) * line) = __builtin_shufflevector(a, b, 1, 3);
    }
}

/* A line whose parts lie apart. */
static void pick_parts(const struct cpu_operation *op, const struct side *from,
                       const struct side *to)
{
    const int32_t *const place = op->permutation;
    _Pragma("GCC unroll 4")
    for (int64_t e = 0; e < op->elements; e++) {
        const int64_t at = place_at(place + e) * from->line;
        const struct complex x = {from->re[at], from->im[at]};
        to->re[e] = x.re;
        to->im[e] = x.im;
    }
}

static REAL *pairs_of(const struct cpu_tile *tile, enum cpu_operand operand)
{
    return (REAL *)(void *)tile->base[operand];
}

static void gather_permuted_pairs(const struct cpu_operation *op, const struct cpu_tile *tile,
                                  int64_t line)
{
    const REAL *from = pairs_of(tile, op->from);
    if (line == 2) pick_pairs(op, from, 2, pairs_of(tile, op->to));
    else pick_pairs(op, from, line, pairs_of(tile, op->to));
}

static void scatter_permuted_pairs(const struct cpu_operation *op, const struct cpu_tile *tile,
                                   int64_t line)
{
    const REAL *from = pairs_of(tile, op->from);
    if (line == 2) leave_pairs(op, from, pairs_of(tile, op->to), 2);
    else leave_pairs(op, from, pairs_of(tile, op->to), line);
}

static void gather_permuted(const struct cpu_operation *op, const struct side *from,
                            const struct side *to)
{
    if (op->columns == 1 && from->im == from->re + 1)
        part_pairs(op, from->re, from->line, to->re, to->im);
    else if (op->columns == 1 && from->re == from->im + 1)
        part_pairs(op, from->im, from->line, to->im, to->re);
    else if (op->columns == 1)
        pick_parts(op, from, to);
    else if (from->column == 1)
        pick(op, from->re, from->im, from->line, 1, to->re, to->im, op->columns);
    else
        pick(op, from->re, from->im, from->line, from->column, to->re, to->im, op->columns);
}

static inline __attribute__((always_inline)) void
put(const struct cpu_operation *op, const REAL *restrict from_re, const REAL *restrict from_im,
    REAL *restrict re, REAL *restrict im, int64_t line, int64_t column, int64_t columns)
{
    const int32_t *restrict place = op->permutation;
    for (int64_t e = 0; e < op->elements; e++) {
        const int64_t at = place[e] * line;
        for (int64_t c = 0; c < columns; c++) {
            re[at + c * column] = from_re[e * columns + c];
            im[at + c * column] = from_im[e * columns + c];
        }
    }
}

static void scatter_permuted(const struct cpu_operation *op, const struct side *from,
                             const struct side *to)
{
    if (op->columns == 1 && to->im == to->re + 1)
        join_pairs(op, from->re, from->im, to->re, to->line);
    else if (op->columns == 1 && to->re == to->im + 1)
        join_pairs(op, from->im, from->re, to->im, to->line);
    else if (op->columns == 1)
        put(op, from->re, from->im, to->re, to->im, to->line, 0, 1);
    else if (to->column == 1)
        put(op, from->re, from->im, to->re, to->im, to->line, 1, op->columns);
    else
        put(op, from->re, from->im, to->re, to->im, to->line, to->column, op->columns);
}
