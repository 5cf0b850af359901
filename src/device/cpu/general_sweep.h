/* Sweeps that make numbers of reals that stand for more, or such reals of numbers: a part of
 * general_template.h. Some at a time, so that both are vectors. */

/* Numbers of the row from i on, in a chunk. */
static struct row chunk_of(const struct row *row, int64_t i, struct chunk *chunk)
{
    struct row part = *row;
    part.count = shorter(CHUNK, row->count - i);
    part.k += i * row->by;
    part.line += i * row->line_step;
    part.re = chunk->re;
    part.im = chunk->im;
    part.step = 1;
    return part;
}

static void sweep_in(const struct half *half, const struct row *row)
{
    struct chunk chunk;
    for (int64_t i = 0; i < row->count; i += CHUNK) {
        const struct row part = chunk_of(row, i, &chunk);
        REAL *re = row->re + i * row->step, *im = row->im + i * row->step;
        gather_row(&half->in, &part);
        for (int64_t j = 0; j < part.count; j++) {
            re[j * row->step] = chunk.re[j];
            im[j * row->step] = chunk.im[j];
        }
    }
}

static void sweep_out(const struct half *half, const struct row *row, REAL factor)
{
    struct chunk chunk;
    for (int64_t i = 0; i < row->count; i += CHUNK) {
        const struct row part = chunk_of(row, i, &chunk);
        const REAL *re = row->re + i * row->step, *im = row->im + i * row->step;
        for (int64_t j = 0; j < part.count; j++) {
            chunk.re[j] = re[j * row->step];
            chunk.im[j] = im[j * row->step];
        }
        scatter_row(&half->out, &part, factor);
    }
}

/* Whether one end has such reals, and the other the numbers. */
static bool sweeps_reals(const struct half *half, const struct side *from, const struct side *to)
{
    const bool in = half->in.reals->parts > 0, out = half->out.reals->parts > 0;
    return half->kind == PASS_NO_HALF && in != out && (in ? to : from)->im;
}

static void sweep_reals(const struct cpu_operation *op, const struct half *half, REAL factor,
                        const struct side *from, const struct side *to)
{
    const bool across = op->columns > op->elements, in = half->in.reals->parts > 0;
    const struct side *reals = in ? from : to, *numbers = in ? to : from;
    const int64_t stride = in ? half->in.stride : half->out.stride;
    for (int64_t i = 0; i < (across ? op->elements : op->columns); i++) {
        struct row row = row_of(half, stride, reals, numbers, across, i);
        row.count = across ? op->columns : op->elements;
        if (in) sweep_in(half, &row);
        else sweep_out(half, &row, factor);
    }
}
