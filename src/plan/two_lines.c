#include "plan/two_lines.h"

#include "spec/matrix_shape.h"

int two_lines_loop(const struct lines *lines)
{
    int best = -1;
    for (int i = 0; i < lines->loops; i++) {
        const int64_t n = lines->loop[i].n, most = best < 0 ? 1 : lines->loop[best].n;
        const bool even = n % 2 == 0, best_even = best >= 0 && most % 2 == 0;
        if (n > 1 && (even == best_even ? n > most : even)) best = i;
    }
    return best;
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
