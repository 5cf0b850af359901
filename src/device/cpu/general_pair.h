/* Two lines of reals as one of complex numbers, and their halves of spectra (PASS_HALF_PART,
 * PASS_HALF_JOIN): a part of general_half.h. */

/* X[k] of both of Z[k], which is `own`, and Z[n-k]. */
static inline __attribute__((always_inline)) void
part_numbers(const REAL *restrict own_re, const REAL *restrict own_im, int64_t own_step,
             const REAL *restrict other_re, const REAL *restrict other_im, int64_t other_step,
             int64_t count, struct chunk *restrict one, struct chunk *restrict two)
{
    const REAL part = (REAL)0.5;
    for (int64_t j = 0; j < count; j++) {
        keep_apart(own_step);
        const REAL xr = part * own_re[j * own_step], xi = part * own_im[j * own_step];
        const REAL yr = part * other_re[j * other_step], yi = part * other_im[j * other_step];
        one->re[j] = xr + yr;
        one->im[j] = xi - yi;
        two->re[j] = xi + yi;
        two->im[j] = yr - xr;
    }
}

static void part_chunk(const struct half *half, const struct side *from, int64_t k, int64_t c,
                       bool across, int64_t count, struct chunk *one, struct chunk *two)
{
    const int64_t x = k * from->line + c * from->column;
    const int64_t y = (k == 0 ? 0 : half->h - k) * from->line + c * from->column;
    const REAL *xr = from->re + x, *xi = from->im + x, *yr = from->re + y, *yi = from->im + y;
    if (across) part_numbers(xr, xi, 1, yr, yi, 1, count, one, two);
    else if (from->line == 1) part_numbers(xr, xi, 1, yr, yi, -1, count, one, two);
    else part_numbers(xr, xi, from->line, yr, yi, -from->line, count, one, two);
}

/* Z[k] and Z[n-k] of X[k] of both lines. */
static inline __attribute__((always_inline)) void
join_numbers(const struct chunk *restrict one, const struct chunk *restrict two, REAL *own_re,
             REAL *own_im, int64_t own_step, REAL *other_re, REAL *other_im, int64_t other_step,
             int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        keep_apart(own_step);
        own_re[j * own_step] = one->re[j] - two->im[j];
        own_im[j * own_step] = one->im[j] + two->re[j];
    }
    for (int64_t j = 0; j < count; j++) {
        keep_apart(own_step);
        other_re[j * other_step] = one->re[j] + two->im[j];
        other_im[j * other_step] = two->re[j] - one->im[j];
    }
}

/* The middle number of an even line, as number 0, is its own mirror: only of spectra of complex
 * data has it an imaginary part. */
static void join_middle(const struct half *half, const struct row *row, struct chunk *x)
{
    const int64_t first = 2 * row->k == half->h ? 0 : row->count - 1;
    for (int64_t i = first; i < row->count; i++) {
        if (2 * (row->k + i * row->by) == half->h) x->im[i] = 0;
    }
}

/* Numbers of one k, or from k on, and those that mirror them in the tile. */
static void join_some(const struct half *half, const struct row *row, const struct side *to,
                      bool across)
{
    struct chunk one, two;
    struct row first = *row, second = *row;
    first.re = one.re;
    first.im = one.im;
    second.re = two.re;
    second.im = two.im;
    second.line += half->pair;
    second.line_im += half->pair;
    first.step = second.step = 1;
    load_half(half, &first);
    load_half(half, &second);
    join_middle(half, row, &one);
    join_middle(half, row, &two);
    const int64_t mirrored = row->k == 0 ? 0 : (half->h - 2 * row->k) * to->line;
    REAL *re = row->re + mirrored, *im = row->im + mirrored;
    const int64_t step = row->step;
    if (across) join_numbers(&one, &two, row->re, row->im, 1, re, im, 1, row->count);
    else if (step == 1) join_numbers(&one, &two, row->re, row->im, 1, re, im, -1, row->count);
    else join_numbers(&one, &two, row->re, row->im, step, re, im, -step, row->count);
}

/* A line, or some of its elements of all columns. */
static void join_row(const struct half *half, const struct row *row, const struct side *to,
                     bool across)
{
    int64_t count;
    for (int64_t i = 0; i < row->count; i += count) {
        struct row part = *row;
        /* Number 0 mirrors itself. */
        count = !across && i == 0 ? 1 : shorter(CHUNK, row->count - i);
        part.count = count;
        part.k += i * row->by;
        part.line += i * row->line_step;
        part.line_im += i * row->line_step;
        part.re += i * row->step;
        part.im += i * row->step;
        join_some(half, &part, to, across);
    }
}

/* Loops for lanes of a tile whose numbers are, at the other end, pairs beside each other or lines
 * of pairs. (Experiment "two lines beside each other" in docs/experiments.) */
enum two_lines { TWO_ANYWHERE, TWO_BESIDE, TWO_ALONG };

static enum two_lines find_two_lines(const struct half *half, const struct side *numbers,
                                     const struct side *tile, int64_t columns)
{
    const bool fill = columns * (int64_t)sizeof(REAL) >= BESIDE_BYTES;
    if (!fill || tile->column != 1 || numbers->im != numbers->re + 1) return TWO_ANYWHERE;
    if (half->pair == 2 && numbers->column == 4) return TWO_BESIDE;
    return numbers->line == 2 && half->h > 2 ? TWO_ALONG : TWO_ANYWHERE;
}

/* That have codelets of lines along which numbers follow one another. */
static const struct cpu_mirrors *mirrors_along(const struct half *half)
{
    const struct cpu_mirrors *narrower = half->mirrors->narrower;
    return narrower ? &narrower[sizeof(REAL) == sizeof(double)] : half->mirrors;
}

static void part_two_lines(const struct cpu_operation *op, const struct half *half, REAL factor,
                           const struct side *from, const struct side *to, enum two_lines lines)
{
    const REAL factors[] = {factor / 2, factor * half->sign / 2};
    const struct codelet_shape shape = {.rows = half->h,
                                        .lanes = op->columns,
                                        .in_row = from->line,
                                        .out_row = lines == TWO_BESIDE ? to->line : to->column,
                                        .out_leg = half->pair};
    (lines == TWO_BESIDE ? half->mirrors->part_halves : mirrors_along(half)->part_along)(
        &shape, from->re, from->im, to->re, to->im, NULL, factors);
}

static void join_two_lines(const struct cpu_operation *op, const struct half *half,
                           const struct side *from, const struct side *to, enum two_lines lines)
{
    const struct codelet_shape shape = {.rows = half->h,
                                        .lanes = op->columns,
                                        .in_row = lines == TWO_BESIDE ? from->line : from->column,
                                        .in_leg = half->pair,
                                        .out_row = to->line};
    (lines == TWO_BESIDE ? half->mirrors->join_halves : mirrors_along(half)->join_along)(
        &shape, from->re, from->im, to->re, to->im, NULL, &half->sign);
}

/* Numbers are those of whole lines, whatever they are at the other end. */
static void gather_joined(const struct cpu_operation *op, const struct half *pair,
                          const struct side *from, const struct side *to)
{
    const enum two_lines lines = find_two_lines(pair, from, to, op->columns);
    if (lines) {
        join_two_lines(op, pair, from, to, lines);
        return;
    }
    const bool across = op->columns > 1 && to->column == 1;
    struct half whole = *pair, *half = &whole;
    half->start = half->column = 0;
    half->line = 1;
    const int64_t last = half->h / 2;
    for (int64_t i = 0; i < (across ? last + 1 : op->columns); i++) {
        struct row row = row_of(half, half->step, from, to, across, i);
        row.count = across ? op->columns : last + 1;
        join_row(half, &row, to, across);
    }
}
