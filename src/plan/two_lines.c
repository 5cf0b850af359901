#include "plan/two_lines.h"

#include "plan/stride.h"
#include "spec/matrix_shape.h"

int two_lines_best(const struct dim *loop, int loops)
{
    int best = -1;
    for (int i = 0; i < loops; i++) {
        const int64_t n = loop[i].n, most = best < 0 ? 1 : loop[best].n;
        const bool even = n % 2 == 0, best_even = best >= 0 && most % 2 == 0;
        if (n > 1 && (even == best_even ? n > most : even)) best = i;
    }
    return best;
}

int two_lines_loop(const struct lines *lines)
{
    return two_lines_best(lines->loop, lines->loops);
}

bool two_lines_fill(const struct limits *limits, weft_precision precision, int64_t lines)
{
    return limits->vector_bytes > 0 && lines % 2 == 0 &&
           lines / 2 * precision_bytes(precision) >= LIMITS_NARROWEST_VECTOR;
}

static int64_t stride_of(const struct dim *dim, bool out)
{
    return magnitude(out ? dim->out_stride : dim->in_stride);
}

int two_lines_loop_of_halves(const struct lowering *l, const struct lines *lines, bool out)
{
    const weft_precision precision = l->program->problem.precision;
    int nearest = -1;
    for (int i = 0; i < lines->loops; i++) {
        const int64_t apart = stride_of(&lines->loop[i], out);
        if (lines->loop[i].n == 1) continue;
        if (nearest < 0 || apart < stride_of(&lines->loop[nearest], out)) nearest = i;
    }
    const int64_t beside = nearest < 0 ? 0 : lines->loop[nearest].n;
    return beside && two_lines_fill(l->limits, precision, beside) ? nearest : two_lines_loop(lines);
}

void two_lines_pair(struct lines *lines, int loop)
{
    struct dim *dim = &lines->loop[loop];
    *dim = (struct dim){dim->n / 2, 2 * dim->in_stride, 2 * dim->out_stride};
}

void two_lines_last(struct lines *lines, int loop)
{
    const struct dim dim = lines->loop[loop];
    lines->goes_on = true;
    lines->first.offset[0] += (dim.n - 1) * dim.in_stride;
    lines->first.offset[1] += (dim.n - 1) * dim.out_stride;
    for (int i = loop; i + 1 < lines->loops; i++)
        lines->loop[i] = lines->loop[i + 1];
    lines->loops--;
}

bool two_lines_are_products(const struct lowering *l, int64_t n)
{
    const int lanes = limits_lanes(l->limits, l->program->problem.precision);
    return lanes > 0 && n <= MATRIX_MOST_REALS && matrix_shape_serves(l->limits, n, lanes);
}

bool two_lines_copied(const struct lowering *l, const struct lines *lines, bool out)
{
    return l->program->problem.side[out].storage != 0 || lines->range[out].count > 0;
}
