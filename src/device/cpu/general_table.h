/* Elements copied, times factors of a table or not, in loops that compilers make vectors of. A part
 * of general_template.h. (Experiment "primes" in docs/experiments.) */

/* A run of complex numbers: number i at re[i * step], im[i * step]. */
struct numbers {
    REAL *re, *im;
    int64_t step;
};

/* from * factor * scale, the factor's imaginary part times `sign`; everything known where it is
 * inlined but the pointers and the count. */
static inline __attribute__((always_inline)) void
multiply_signed(const REAL *restrict from_re, const REAL *restrict from_im, int64_t from,
                const REAL *restrict factor_re, const REAL *restrict factor_im, int64_t factor,
                REAL scale, REAL sign, REAL *restrict re, REAL *restrict im, int64_t to,
                int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const REAL x = scale * from_re[i * from], y = scale * from_im[i * from];
        const REAL a = factor_re[i * factor], b = sign * factor_im[i * factor];
        re[i * to] = x * a - y * b;
        im[i * to] = x * b + y * a;
    }
}

static inline __attribute__((always_inline)) void
multiply_to(const REAL *from_re, const REAL *from_im, int64_t from, const REAL *factor_re,
            const REAL *factor_im, int64_t factor, REAL scale, REAL *re, REAL *im, int64_t to,
            int64_t count)
{
    multiply_signed(from_re, from_im, from, factor_re, factor_im, factor, scale, 1, re, im, to,
                    count);
}

static inline __attribute__((always_inline)) void
copy_to(const REAL *restrict from_re, const REAL *restrict from_im, int64_t from,
        REAL *restrict re, REAL *restrict im, int64_t to, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        re[i * to] = from_re[i * from];
        im[i * to] = from_im[i * from];
    }
}

/* How the numbers of a run lie. That pairs are neighbours must be seen where they are read and
 * written, or compilers do so one by one. */
enum order { ORDER_PLANES, ORDER_PAIRS, ORDER_TURNED_PAIRS /* im before re */, ORDER_APART };

static enum order order_of(struct numbers x)
{
    if (x.step == 1) return ORDER_PLANES;
    if (x.step == 2 && x.im == x.re + 1) return ORDER_PAIRS;
    return x.step == 2 && x.re == x.im + 1 ? ORDER_TURNED_PAIRS : ORDER_APART;
}

/* Likewise of `rows` runs, each so many reals, or factors, further on than the one before. */
struct grid {
    int64_t rows, from_row, factor_row, to_row;
};

static inline __attribute__((always_inline)) void
multiply_rows(const struct grid *grid, const REAL *from_re, const REAL *from_im, int64_t from,
              const REAL *factor_re, const REAL *factor_im, int64_t factor, REAL scale, REAL sign,
              REAL *re, REAL *im, int64_t to, int64_t count)
{
    for (int64_t r = 0; r < grid->rows; r++)
        multiply_signed(from_re + r * grid->from_row, from_im + r * grid->from_row, from,
                        factor_re + r * grid->factor_row, factor_im + r * grid->factor_row, factor,
                        scale, sign, re + r * grid->to_row, im + r * grid->to_row, to, count);
}

static void exchange_parts(struct numbers *x)
{
    REAL *re = x->re;
    x->re = x->im;
    x->im = re;
}

/* From one array to another. Exchanged parts times a factor are those times its conjugate. */
static void multiply_numbers(const struct grid *grid, struct numbers from, struct numbers factor,
                             REAL scale, struct numbers to, int64_t count)
{
    const REAL *a = factor.re, *b = factor.im;
    const bool turned = order_of(from) == ORDER_TURNED_PAIRS || order_of(to) == ORDER_TURNED_PAIRS;
    const REAL sign = turned ? -1 : 1;
    if (turned) {
        exchange_parts(&from);
        exchange_parts(&to);
    }
    const enum order in = factor.step <= 1 ? order_of(from) : ORDER_APART, out = order_of(to);
    const bool alike = factor.step == 0; /* the numbers of a run have one factor */
    if (in == ORDER_PAIRS && out == ORDER_PLANES && !alike)
        multiply_rows(grid, from.re, from.re + 1, 2, a, b, 1, scale, sign, to.re, to.im, 1, count);
    else if (in == ORDER_PLANES && out == ORDER_PAIRS && !alike)
        multiply_rows(grid, from.re, from.im, 1, a, b, 1, scale, sign, to.re, to.re + 1, 2, count);
    else if (in == ORDER_PLANES && out == ORDER_PLANES && !alike)
        multiply_rows(grid, from.re, from.im, 1, a, b, 1, scale, sign, to.re, to.im, 1, count);
    else if (in == ORDER_PLANES && out == ORDER_PAIRS)
        multiply_rows(grid, from.re, from.im, 1, a, b, 0, scale, sign, to.re, to.re + 1, 2, count);
    else if (in == ORDER_PLANES && out == ORDER_PLANES)
        multiply_rows(grid, from.re, from.im, 1, a, b, 0, scale, sign, to.re, to.im, 1, count);
    else
        multiply_rows(grid, from.re, from.im, from.step, a, b, factor.step, scale, sign, to.re,
                      to.im, to.step, count);
}

static void copy_pairs(const REAL *restrict from, int64_t from_step, REAL *restrict to,
                       int64_t to_step, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        memcpy(to + i * to_step, from + i * from_step, 2 * sizeof(REAL));
}

static void copy_numbers(struct numbers from, struct numbers to, int64_t count)
{
    const enum order in = order_of(from), out = order_of(to);
    if (in == ORDER_PAIRS && out == ORDER_PLANES)
        copy_to(from.re, from.re + 1, 2, to.re, to.im, 1, count);
    else if (in == ORDER_TURNED_PAIRS && out == ORDER_PLANES)
        copy_to(from.im + 1, from.im, 2, to.re, to.im, 1, count);
    else if (in == ORDER_PLANES && out == ORDER_PAIRS)
        copy_to(from.re, from.im, 1, to.re, to.re + 1, 2, count);
    else if (in == ORDER_PLANES && out == ORDER_TURNED_PAIRS)
        copy_to(from.re, from.im, 1, to.im + 1, to.im, 2, count);
    else if (in == ORDER_PLANES && out == ORDER_PLANES)
        copy_to(from.re, from.im, 1, to.re, to.im, 1, count);
    else if (from.im == from.re + 1 && to.im == to.re + 1)
        copy_pairs(from.re, from.step, to.re, to.step, count);
    else
        copy_to(from.re, from.im, from.step, to.re, to.im, to.step, count);
}

static inline __attribute__((always_inline)) void
multiply_at(REAL *restrict re, REAL *restrict im, const REAL *restrict factor_re,
            const REAL *restrict factor_im, int64_t factor, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        keep_apart(factor);
        const REAL x = re[i], y = im[i], a = factor_re[i * factor], b = factor_im[i * factor];
        re[i] = x * a - y * b;
        im[i] = x * b + y * a;
    }
}

/* Of a tile, where it lies. */
static void multiply_in_place(REAL *re, REAL *im, struct numbers factor, int64_t count)
{
    if (factor.step == 1) multiply_at(re, im, factor.re, factor.im, 1, count);
    else if (factor.step == 0) multiply_at(re, im, factor.re, factor.im, 0, count);
    else multiply_at(re, im, factor.re, factor.im, factor.step, count);
}

/* How the elements of a tile are taken up: a row is an element of all columns, or all elements of
 * the only column, neighbours in the tile. From one row, and from one of its elements, to the
 * next: */
struct rows {
    int64_t rows, count;
    int64_t tile_row;              /* in reals */
    int64_t side_row, side_step;   /* likewise */
    int64_t table_row, table_step; /* in factors */
};

static struct rows rows_of(const struct cpu_operation *op, const struct side *side)
{
    const struct pass_map *map = &op->table_map;
    if (op->columns == 1)
        return (struct rows){1, op->elements, 0, 0, side->line, 0, map->line};
    return (struct rows){op->elements, op->columns,  op->columns, side->line,
                         side->column, map->line, map->loop[0]};
}

static struct numbers factors_at(const struct cpu_operation *op, int64_t index, int64_t step)
{
    REAL *re = (REAL *)(uintptr_t)op->table + index;
    return (struct numbers){re, re + op->table_plane, step};
}

/* How many of a row's elements, from the first on, have a factor; the others are zeros. */
static int64_t with_factors(const struct cpu_operation *op, const struct rows *rows, int64_t index)
{
    const int64_t left = op->table_end - index, step = rows->table_step;
    if (left <= 0) return 0;
    return left > (rows->count - 1) * step ? rows->count : (left + step - 1) / step;
}

/* How many rows from number `first` on are alike: all of their elements have factors, or none have;
 * failing that, one. */
static int64_t alike_rows(const struct cpu_operation *op, const struct rows *rows, int64_t start,
                          int64_t first)
{
    const int64_t index = start + first * rows->table_row, left = rows->rows - first;
    const int64_t count = with_factors(op, rows, index);
    if (count == 0) return left;
    if (count < rows->count || rows->table_row <= 0) return 1;
    const int64_t last = op->table_end - 1 - (rows->count - 1) * rows->table_step;
    const int64_t whole = (last - index) / rows->table_row + 1;
    return whole < left ? whole : left;
}

static void clear_rows(const struct rows *rows, int64_t count, REAL *re, REAL *im)
{
    const size_t bytes = (size_t)(rows->count * count) * sizeof *re;
    memset(re, 0, bytes);
    memset(im, 0, bytes);
}

static const struct cpu_factors *factors_of(const struct cpu_tile *tile)
{
    return &tile->kernel->sets->factors[tile->kernel->precision];
}

/* The tile's only line, and where its pairs are. */
static struct cpu_factors_line line_of(const struct cpu_operation *op, int64_t index,
                                       const struct side *end, const struct side *tile)
{
    const REAL *factor = (const REAL *)op->table + index, *root = (const REAL *)op->root_table;
    const bool turned = end->re > end->im;
    return (struct cpu_factors_line){.count = op->elements,
                                     .pair = turned ? end->im : end->re,
                                     .re = turned ? tile->im : tile->re,
                                     .im = turned ? tile->re : tile->im,
                                     .sign = turned ? -1 : 1,
                                     .factor_re = factor,
                                     .factor_im = factor + op->table_plane,
                                     .root_re = root,
                                     .root_im = root ? root + op->root_plane : NULL,
                                     .half = op->root_bytes / (int64_t)sizeof(REAL)};
}

/* Whether it is one of neighbouring pairs that all have a factor. */
static bool is_line_of_pairs(const struct cpu_operation *op, int64_t index, const struct side *end)
{
    const enum order order = order_of((struct numbers){end->re, end->im, end->line});
    return op->columns == 1 && op->table_map.line == 1 && index + op->elements <= op->table_end &&
           (order == ORDER_PAIRS || order == ORDER_TURNED_PAIRS);
}

static void gather_table(const struct cpu_operation *op, const struct cpu_tile *tile,
                         const struct side *from, const struct side *to)
{
    const struct rows rows = rows_of(op, from);
    const int64_t start = table_start(op, tile);
    if (is_line_of_pairs(op, start, from)) {
        const struct cpu_factors_line line = line_of(op, start, from, to);
        factors_of(tile)->enter(&line);
        return;
    }
    for (int64_t r = 0, some; r < rows.rows; r += some) {
        some = alike_rows(op, &rows, start, r);
        const int64_t index = start + r * rows.table_row, at = r * rows.side_row;
        const int64_t count = with_factors(op, &rows, index);
        const struct grid grid = {some, rows.side_row, rows.table_row, rows.tile_row};
        REAL *re = to->re + r * rows.tile_row, *im = to->im + r * rows.tile_row;
        if (count < rows.count) clear_rows(&rows, some, re, im);
        multiply_numbers(&grid, (struct numbers){from->re + at, from->im + at, rows.side_step},
                         factors_at(op, index, rows.table_step), 1, (struct numbers){re, im, 1},
                         count);
    }
}

static void scatter_table(const struct cpu_operation *op, const struct cpu_tile *tile,
                          const struct side *from, const struct side *to)
{
    const struct rows rows = rows_of(op, to);
    const int64_t start = table_start(op, tile);
    const REAL scale = scatter_factor(tile);
    if (is_line_of_pairs(op, start, to)) {
        struct cpu_factors_line line = line_of(op, start, to, from);
        line.scale = scale;
        factors_of(tile)->leave(&line);
        return;
    }
    for (int64_t r = 0, some; r < rows.rows; r += some) {
        some = alike_rows(op, &rows, start, r);
        const int64_t index = start + r * rows.table_row, at = r * rows.side_row;
        const int64_t own = r * rows.tile_row;
        const struct grid grid = {some, rows.tile_row, rows.table_row, rows.side_row};
        multiply_numbers(&grid, (struct numbers){from->re + own, from->im + own, 1},
                         factors_at(op, index, rows.table_step), scale,
                         (struct numbers){to->re + at, to->im + at, rows.side_step},
                         with_factors(op, &rows, index));
    }
}

/* The tile's only line, of which neighbours of the table are the factors. */
static void multiply_line(const struct cpu_operation *op, const struct cpu_tile *tile, REAL *re,
                          REAL *im, int64_t start, int64_t count)
{
    const bool mirrored = op->table_mirrored && 2 * start > op->table_mirrored;
    const struct numbers factor =
        factors_at(op, mirrored ? op->table_mirrored - start : start, 1);
    const struct cpu_factors_line line = {
        .count = count, .re = re, .im = im, .factor_re = factor.re, .factor_im = factor.im};
    const struct cpu_factors *factors = factors_of(tile);
    (mirrored ? factors->stay_mirrored : factors->stay)(&line);
}

/* Elements `first` to the end of all columns. */
static void multiply_tile(const struct cpu_operation *op, const struct cpu_tile *tile,
                          int64_t first)
{
    struct cpu_operation some = *op;
    some.elements = op->length - first;
    const struct side at = tile_side(op, tile, op->from);
    const struct rows rows = rows_of(&some, &at);
    const int64_t start = table_start(op, tile) + first * op->table_map.line;
    const int64_t ahead = op->from_bytes / (int64_t)sizeof(REAL) + first * op->columns;
    REAL *re = at.re + ahead, *im = at.im + ahead;
    if (op->columns == 1 && rows.table_step == 1) {
        multiply_line(op, tile, re, im, start, rows.count);
        return;
    }
    for (int64_t r = 0; r < rows.rows; r++) {
        multiply_in_place(re + r * rows.tile_row, im + r * rows.tile_row,
                          factors_at(op, start + r * rows.table_row, rows.table_step), rows.count);
    }
}

/* ---- copies ---- */

/* A block of elements small enough that both sides of a transposing copy stay in the first-level
 * cache. */
#define GENERAL_BLOCK 16
/* Lines that a row of columns is dealt to, or taken from, at once. */
#define TURNED_COLUMNS 32

static struct numbers numbers_at(const struct side *s, int64_t e, int64_t c, int64_t step)
{
    const int64_t at = e * s->line + c * s->column;
    return (struct numbers){s->re + at, s->im + at, step};
}

/* Whether columns are neighbours at both sides, so that elements are to be copied one by one. */
static bool has_rows(const struct cpu_operation *op, const struct side *from,
                     const struct side *to)
{
    const bool near = from->column >= 1 && from->column <= 2 && to->column >= 1 && to->column <= 2;
    return near && op->columns > 1;
}

/* Whether columns of pairs become lines of such, or lines columns. */
static bool turns_pairs(const struct cpu_operation *op, const struct side *from,
                        const struct side *to)
{
    const bool pairs = from->im == from->re + 1 && to->im == to->re + 1;
    const bool lines = from->column == 2 && to->line == 2;
    const bool columns = from->line == 2 && to->column == 2;
    return op->columns > 1 && pairs && (lines || columns);
}

/* Rows of columns, which may lie so far apart that a few of them fill a set of the caches, are read
 * or written once. */
static void turn_pairs(const struct cpu_operation *op, const struct side *from,
                       const struct side *to)
{
    for (int64_t c = 0; c < op->columns; c += TURNED_COLUMNS) {
        const int64_t left = op->columns - c, count = left < TURNED_COLUMNS ? left : TURNED_COLUMNS;
        for (int64_t e = 0; e < op->elements; e++)
            copy_pairs(numbers_at(from, e, c, 0).re, from->column, numbers_at(to, e, c, 0).re,
                       to->column, count);
    }
}

static void gather_plain(const struct cpu_operation *op, struct side from, struct side to)
{
    if (turns_pairs(op, &from, &to)) {
        turn_pairs(op, &from, &to);
        return;
    }
    if (has_rows(op, &from, &to)) {
        for (int64_t e = 0; e < op->elements; e++)
            copy_numbers(numbers_at(&from, e, 0, from.column), numbers_at(&to, e, 0, to.column),
                         op->columns);
        return;
    }
    const int64_t block = op->columns == 1 ? op->elements : GENERAL_BLOCK;
    for (int64_t e = 0; e < op->elements; e += block) {
        const int64_t left = op->elements - e, count = left < block ? left : block;
        for (int64_t c = 0; c < op->columns; c++)
            copy_numbers(numbers_at(&from, e, c, from.line), numbers_at(&to, e, c, to.line),
                         count);
    }
}

/* ---- the twiddle of a split ---- */

/* Elements that share a root, and columns done side by side. */
#define TWIDDLE_RUN 16

/* Roots of the order of a split, exp(-2 pi i k j / order): k is an element, j the number of the
 * tile's first column of the split plus `step` for each column of the tile. */
struct twiddles {
    const struct cpu_operation *op;
    int64_t order, first, step;
};

static struct complex twiddle_root(const struct twiddles *t, int64_t element, int64_t column)
{
    /* Below the order, but beyond the end of a last slice. */
    const int64_t exponent = element * (t->first + t->step * column);
    return split_root(t->op, exponent < t->order ? exponent : exponent % t->order);
}

/* A root for every TWIDDLE_RUN elements of a line is taken from the tables, times those of the
 * first few elements. */
static void twiddle_one(const struct twiddles *t, REAL *re, REAL *im)
{
    const int64_t length = t->op->length;
    REAL fine_re[TWIDDLE_RUN], fine_im[TWIDDLE_RUN], own_re[TWIDDLE_RUN], own_im[TWIDDLE_RUN];
    for (int64_t i = 0; i < TWIDDLE_RUN && i < length; i++) {
        const struct complex root = twiddle_root(t, i, 0);
        fine_re[i] = root.re;
        fine_im[i] = root.im;
    }
    for (int64_t e = 0; e < length; e += TWIDDLE_RUN) {
        const int64_t count = length - e < TWIDDLE_RUN ? length - e : TWIDDLE_RUN;
        struct complex base = twiddle_root(t, e, 0);
        multiply_to(fine_re, fine_im, 1, &base.re, &base.im, 0, 1, own_re, own_im, 1, count);
        multiply_at(re + e, im + e, own_re, own_im, 1, count);
    }
}

/* Likewise neighbouring columns. */
static void twiddle_several(const struct twiddles *t, REAL *re, REAL *im, int64_t first,
                            int64_t count)
{
    const int64_t length = t->op->length, columns = t->op->columns;
    REAL fine_re[TWIDDLE_RUN][TWIDDLE_RUN], fine_im[TWIDDLE_RUN][TWIDDLE_RUN];
    REAL base_re[TWIDDLE_RUN], base_im[TWIDDLE_RUN], own_re[TWIDDLE_RUN], own_im[TWIDDLE_RUN];
    for (int64_t i = 0; i < TWIDDLE_RUN && i < length; i++) {
        for (int64_t c = 0; c < count; c++) {
            const struct complex root = twiddle_root(t, i, first + c);
            fine_re[i][c] = root.re;
            fine_im[i][c] = root.im;
        }
    }
    for (int64_t e = 0; e < length; e++) {
        for (int64_t c = 0; c < count && e % TWIDDLE_RUN == 0; c++) {
            const struct complex root = twiddle_root(t, e, first + c);
            base_re[c] = root.re;
            base_im[c] = root.im;
        }
        multiply_to(fine_re[e % TWIDDLE_RUN], fine_im[e % TWIDDLE_RUN], 1, base_re, base_im, 1, 1,
                    own_re, own_im, 1, count);
        multiply_at(re + e * columns + first, im + e * columns + first, own_re, own_im, 1, count);
    }
}

static SELDOM void twiddle_permuted(const struct twiddles *t, const struct side *at)
{
    const struct cpu_operation *op = t->op;
    for (int64_t e = 0; e < op->length; e++) {
        for (int64_t c = 0; c < op->columns; c++) {
            const struct complex root = twiddle_root(t, op->permutation[e], c);
            const struct complex x = read_side(at, e, c);
            write_side(at, e, c,
                       (struct complex){x.re * root.re - x.im * root.im,
                                        x.re * root.im + x.im * root.re});
        }
    }
}

/* Which column of the split the tile's first is, or, where loop[0] does not count, all are. */
static int64_t twiddle_column(const struct cpu_tile *tile)
{
    const struct pass *pass = tile->kernel->pass;
    const int64_t column = tile->counter[pass->twiddle_loop];
    return pass->slice_columns ? column + pass->slice_columns * tile->counter[pass->loops - 1]
                               : column;
}

static void twiddle(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct side at = tile_side(op, tile, op->from);
    const struct pass *pass = tile->kernel->pass;
    const struct twiddles t = {op, pass->twiddle_order, twiddle_column(tile),
                               pass->twiddle_loop == 0};
    if (op->permutation) {
        twiddle_permuted(&t, &at);
    } else if (op->columns == 1) {
        twiddle_one(&t, at.re, at.im);
    } else {
        for (int64_t c = 0; c < op->columns; c += TWIDDLE_RUN) {
            const int64_t left = op->columns - c;
            twiddle_several(&t, at.re, at.im, c, left < TWIDDLE_RUN ? left : TWIDDLE_RUN);
        }
    }
}
