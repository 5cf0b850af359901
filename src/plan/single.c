#include "plan/single.h"

#include "plan/stride.h"
#include "spec/abreast.h"
#include "spec/kind.h"

bool single_is_real(const struct problem *problem, int axis)
{
    return kind_is_half(problem->kind) && axis == problem->axes - 1;
}

struct problem single_axis(const struct problem *problem, int axis)
{
    struct problem single = *problem;
    const bool half_out = !problem_is_real(problem, true);
    single.axes = 1;
    single.axis[0] = problem->axis[axis];
    for (int out = 0; out < 2; out++) single.range[out][0] = problem->range[out][axis];
    for (int i = 0; i < problem->axes; i++) {
        if (i == axis) continue;
        struct dim *loop = &single.loop[single.loops++];
        *loop = problem->axis[i];
        if (axis < problem->axes - 1) loop->n = problem_side_length(problem, half_out, i);
    }
    if (axis == problem->axes - 1) return single;
    if (kind_is_half(single.kind)) single.kind = WEFT_C2C;
    for (int i = -1; i < single.loops; i++) {
        struct dim *dim = i < 0 ? &single.axis[0] : &single.loop[i];
        if (half_out) dim->in_stride = dim->out_stride;
        else dim->out_stride = dim->in_stride;
    }
    return single;
}

/* Lines that lie beside each other, or are taken so; 1: nothing is beside the line. */
static int64_t columns_beside(const struct search *s, const struct problem *single)
{
    const struct dim *line = &single->axis[0], *nearest = NULL;
    if (magnitude(line->in_stride) == 1 && magnitude(line->out_stride) == 1)
        return lines_abreast_in(s->limits, single);
    for (int i = 0; i < single->loops; i++) {
        const struct dim *loop = &single->loop[i];
        bool nearer = !nearest || magnitude(loop->out_stride) < magnitude(nearest->out_stride);
        if (nearer) nearest = loop;
    }
    return nearest ? nearest->n : 1;
}

struct task single_task(const struct search *s, const struct problem *single)
{
    const int64_t n = single->axis[0].n, beside = columns_beside(s, single);
    return (struct task){.n = n, .columns = cost_columns(&s->machine, n, beside),
                         .role = LINE_WHOLE,
                         .apart = beside > 1};
}
