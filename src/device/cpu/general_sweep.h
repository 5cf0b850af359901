/* Sweeps that make numbers of reals, or of half a spectrum, or reals of numbers: a part of
 * general_template.h. Some at a time, so that both are vectors. */

/* Numbers of the row from i on, in a chunk. */
static struct row chunk_of(const struct row *row, int64_t i, struct chunk *chunk)
{
    struct row part = *row;
    part.count = shorter(CHUNK, row->count - i);
    part.k += i * row->by;
    part.line += i * row->line_step;
    if (part.line_im) part.line_im += i * row->line_step;
    part.re = chunk->re;
    part.im = chunk->im;
    part.step = 1;
    return part;
}

static inline __attribute__((always_inline)) void put_steps(const struct chunk *restrict chunk,
                                                            REAL *restrict re, REAL *restrict im,
                                                            int64_t step, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        keep_apart(step);
        re[j * step] = chunk->re[j];
        im[j * step] = chunk->im[j];
    }
}

static void put_chunk(const struct chunk *chunk, const struct row *row, int64_t i, int64_t count)
{
    REAL *re = row->re + i * row->step, *im = row->im + i * row->step;
    if (row->step == 2 && im == re + 1)
        put_steps(chunk, re, re + 1, 2, count);
    else
        put_steps(chunk, re, im, row->step, count);
}

static void take_chunk(struct chunk *chunk, const struct row *row, int64_t i, int64_t count)
{
    const REAL *re = row->re + i * row->step, *im = row->im + i * row->step;
    if (row->step == 2 && im == re + 1) {
        part_steps(chunk->re, 1, chunk->im, 1, re, 1, 1, count);
        return;
    }
    weigh(chunk->re, 1, re, row->step, 1, count);
    weigh(chunk->im, 1, im, row->step, 1, count);
}

static void load_row(const struct half *half, const struct row *row)
{
    if (half->in.reals->parts || half->kind == PASS_HALF_EXTEND) {
        load_numbers(half, row);
        return;
    }
    weigh(row->re, 1, row->line, row->line_step, 1, row->count);
    memset(row->im, 0, (size_t)row->count * sizeof(REAL));
}

/* Of two lines, whose results are reals, those of the other are the imaginary parts. */
static void store_row(const struct half *half, const struct row *row, REAL factor)
{
    struct row other = *row;
    if (!half->out.reals->parts) {
        weigh(row->line, row->line_step, row->re, 1, factor, row->count);
        return;
    }
    scatter_row(&half->out, row, factor);
    if (!row->line_im) return;
    other.line = row->line_im;
    other.re = row->im;
    scatter_row(&half->out, &other, factor);
}

static void sweep_in(const struct half *half, const struct row *row)
{
    struct chunk chunk;
    for (int64_t i = 0; i < row->count; i += CHUNK) {
        const struct row part = chunk_of(row, i, &chunk);
        load_row(half, &part);
        put_chunk(&chunk, row, i, part.count);
    }
}

static void sweep_out(const struct half *half, const struct row *row, REAL factor)
{
    struct chunk chunk;
    for (int64_t i = 0; i < row->count; i += CHUNK) {
        const struct row part = chunk_of(row, i, &chunk);
        take_chunk(&chunk, row, i, part.count);
        store_row(half, &part, factor);
    }
}

/* The numbers of a line that are there, then the mirrors of those that are not. */
static void sweep_extended(const struct half *half, const struct row *row)
{
    struct half other = *half;
    struct row own = *row, mirrored = *row;
    own.count = (half->n + 1) / 2;
    sweep_in(half, &own);
    other.sign = -half->sign;
    mirrored.count = row->count - own.count;
    mirrored.k = half->n - own.count;
    mirrored.by = -1;
    mirrored.re += own.count * row->step;
    mirrored.im += own.count * row->step;
    sweep_in(&other, &mirrored);
}

/* Whether one end has reals, or half a spectrum of whole lines, and the other the numbers. */
static bool sweeps_reals(const struct half *half, const struct side *from, const struct side *to)
{
    if (half->kind == PASS_HALF_FOLD) return half->in.reals->parts && to->im;
    if (half->kind == PASS_HALF_EXTEND) return from->im && to->im && counts_numbers(half);
    if (half->kind != PASS_NO_HALF) return false;
    return !from->im != !to->im || !half->in.reals->parts != !half->out.reals->parts;
}

static void sweep_reals(const struct cpu_operation *op, const struct half *half, REAL factor,
                        const struct side *from, const struct side *to)
{
    const bool extends = half->kind == PASS_HALF_EXTEND;
    const bool in = extends || !from->im || half->in.reals->parts;
    const bool across = op->columns > op->elements && !extends;
    const struct side *reals = in ? from : to, *numbers = in ? to : from;
    const struct real_end *end = in ? &half->in : &half->out;
    const int64_t stride = extends ? half->step : end->reals->parts ? end->stride : 0;
    for (int64_t i = 0; i < (across ? op->elements : op->columns); i++) {
        struct row row = row_of(half, stride, reals, numbers, across, i);
        row.count = across ? op->columns : op->elements;
        if (extends) sweep_extended(half, &row);
        else if (half->kind == PASS_HALF_FOLD) fold_row(half, &row);
        else if (in) sweep_in(half, &row);
        else sweep_out(half, &row, factor);
    }
}
