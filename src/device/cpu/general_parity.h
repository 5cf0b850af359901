/* From the first half of a tile to the second and back (parity.h): a part of general_template.h. */

/* So many bytes further on in its planes. */
static struct side further_on(struct side side, int64_t bytes)
{
    side.re += bytes / (int64_t)sizeof(REAL);
    side.im += bytes / (int64_t)sizeof(REAL);
    return side;
}

/* What of the tile's lines is behind their elements. */
static void clear_end(const struct cpu_operation *op, const struct side *to)
{
    const int64_t done = op->elements * op->columns;
    const size_t bytes = (size_t)(op->length * op->columns - done) * sizeof(REAL);
    memset(to->re + done, 0, bytes);
    memset(to->im + done, 0, bytes);
}

/* `count` numbers times factors that are neighbours, or all one. */
static inline __attribute__((always_inline)) void
turn_run(const REAL *re, const REAL *im, struct numbers factor, REAL *to_re, REAL *to_im,
         int64_t count)
{
    if (factor.step)
        multiply_to(re, im, 1, factor.re, factor.im, 1, 1, to_re, to_im, 1, count);
    else
        multiply_to(re, im, 1, factor.re, factor.im, 0, 1, to_re, to_im, 1, count);
}

/* The second half: the numbers of the first times the table, and zeros. */
static void part(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side from = tile_side(op, tile, op->from);
    const struct side to = further_on(from, op->to_bytes);
    const struct rows rows = rows_of(op, &from);
    for (int64_t r = 0; r < rows.rows; r++) {
        const int64_t at = r * rows.tile_row;
        turn_run(from.re + at, from.im + at, factors_at(op, r * rows.table_row, rows.table_step),
                 to.re + at, to.im + at, rows.count);
    }
    clear_end(op, &to);
}

/* Adds from * the factors' conjugates. */
static inline __attribute__((always_inline)) void
add_turned(const REAL *restrict from_re, const REAL *restrict from_im,
           const REAL *restrict factor_re, const REAL *restrict factor_im, int64_t factor,
           REAL *restrict re, REAL *restrict im, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const REAL x = from_re[i], y = from_im[i];
        const REAL a = factor_re[i * factor], b = factor_im[i * factor];
        re[i] += x * a + y * b;
        im[i] += y * a - x * b;
    }
}

/* To the first half is added what came of the second. */
static void join(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side to = tile_side(op, tile, op->from);
    const struct side from = further_on(to, op->to_bytes);
    const struct rows rows = rows_of(op, &from);
    for (int64_t r = 0; r < rows.rows; r++) {
        const int64_t at = r * rows.tile_row;
        const struct numbers f = factors_at(op, r * rows.table_row, rows.table_step);
        const REAL *re = from.re + at, *im = from.im + at;
        if (f.step) add_turned(re, im, f.re, f.im, 1, to.re + at, to.im + at, rows.count);
        else add_turned(re, im, f.re, f.im, 0, to.re + at, to.im + at, rows.count);
    }
}
