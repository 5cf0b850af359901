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

/* Neighbouring pairs from all over a line, and back: `from` and `to` are the first ones. */
static inline __attribute__((always_inline)) void
pick_pairs(const struct cpu_operation *op, const REAL *restrict from, int64_t line,
           REAL *restrict to)
{
    const int32_t *restrict place = op->permutation;
    for (int64_t e = 0; e < op->elements; e++)
        memcpy(to + 2 * e, from + place[e] * line, 2 * sizeof *to);
}

static inline __attribute__((always_inline)) void
leave_pairs(const struct cpu_operation *op, const REAL *restrict from, REAL *restrict to,
          int64_t line)
{
    const int32_t *restrict place = op->permutation;
    for (int64_t e = 0; e < op->elements; e++)
        memcpy(to + place[e] * line, from + 2 * e, 2 * sizeof *to);
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
    if (op->columns == 1 && from->line == 2)
        pick(op, from->re, from->im, 2, 0, to->re, to->im, 1);
    else if (op->columns == 1)
        pick(op, from->re, from->im, from->line, 0, to->re, to->im, 1);
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
    if (op->columns == 1 && to->line == 2)
        put(op, from->re, from->im, to->re, to->im, 2, 0, 1);
    else if (op->columns == 1)
        put(op, from->re, from->im, to->re, to->im, to->line, 0, 1);
    else if (to->column == 1)
        put(op, from->re, from->im, to->re, to->im, to->line, 1, op->columns);
    else
        put(op, from->re, from->im, to->re, to->im, to->line, to->column, op->columns);
}
