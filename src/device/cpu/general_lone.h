/* Lines of reals one by one, without imaginary parts, and their halves of spectra
 * (PASS_HALF_EXTEND, PASS_HALF_CUT): a part of general_half.h. */

static void gather_lone(const struct cpu_operation *op, const struct side *from,
                        const struct side *to)
{
    const bool across = op->columns > 1;
    const int64_t count = across ? op->columns : op->elements;
    for (int64_t i = 0; i < (across ? op->elements : 1); i++) {
        weigh(to->re + i * count, 1, from->re + i * from->line, across ? from->column : from->line,
              1, count);
    }
    memset(to->im, 0, (size_t)(op->elements * op->columns) * sizeof(REAL));
}

/* One line: the numbers that are there, and then the mirrors of those that are not. */
static void gather_extended_line(const struct cpu_operation *op, const struct half *half,
                                 const struct side *from, const struct side *to)
{
    struct half mirrored = *half;
    struct row row = row_of(half, half->step, from, to, false, 0);
    const int64_t kept = (half->n + 1) / 2;
    mirrored.sign = -half->sign;
    row.count = kept;
    load_half(half, &row);
    row.count = op->elements - kept;
    row.k = half->n - kept;
    row.by = -1;
    row.re += kept;
    row.im += kept;
    load_half(&mirrored, &row);
}

static void put_pairs(const struct side *from, int64_t i, const struct side *to, int64_t step,
                      REAL factor, REAL im_factor, int64_t count)
{
    const REAL *from_re = from->re + i * from->line, *from_im = from->im + i * from->line;
    REAL *re = to->re + i * to->line, *im = to->im + i * to->line;
    if (step == 2 && im == re + 1)
        put_numbers(from_re, from_im, factor, im_factor, re, re + 1, 2, count);
    else
        put_numbers(from_re, from_im, factor, im_factor, re, im, step, count);
}

/* All real parts, or the numbers that are kept. */
static void scatter_lone(const struct cpu_operation *op, const struct half *half, REAL factor,
                         const struct side *from, const struct side *to)
{
    const bool across = op->columns > 1, cut = half->kind == PASS_HALF_CUT;
    const int64_t elements = cut ? half->kept : op->elements;
    const int64_t count = across ? op->columns : elements;
    const int64_t step = across ? to->column : to->line;
    for (int64_t i = 0; i < (across ? elements : 1); i++) {
        if (to->im)
            put_pairs(from, i, to, step, factor, factor * half->sign, count);
        else
            weigh(to->re + i * to->line, step, from->re + i * from->line, 1, factor, count);
    }
}
