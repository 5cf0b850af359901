/* The axes of a problem one by one. */
#include <string.h>

#include "spec/kind.h"
#include "spec/problem.h"

weft_kind problem_axis_kind(const struct problem *p, int i)
{
    return p->axis_kind[i] ? p->axis_kind[i] : p->kind;
}

void problem_set_axis_kind(struct problem *p, int i, weft_kind kind)
{
    if (i == 0) p->kind = kind;
    p->axis_kind[i] = kind == p->kind ? 0 : kind;
}

bool problem_mixes_kinds(const struct problem *p)
{
    for (int i = 0; i < p->axes; i++) {
        if (problem_axis_kind(p, i) != problem_axis_kind(p, 0)) return true;
    }
    return false;
}

bool problem_turn_kinds(struct problem *p)
{
    bool turns = kind_inverse(p->kind) != p->kind;
    p->kind = kind_inverse(p->kind);
    for (int i = 0; i < p->axes; i++) {
        turns |= kind_inverse(p->axis_kind[i]) != p->axis_kind[i];
        p->axis_kind[i] = kind_inverse(p->axis_kind[i]);
    }
    return turns;
}

/* Whether axes but the last are transformed where the output has them. A spectrum that becomes
 * reals is transformed along them before it does, as the input has it; elsewhere the first pass, of
 * the last axis, has written to the output what others find there. */
static bool others_lie_in_output(const struct problem *problem)
{
    return !kind_is_half(problem->kind) || !problem_is_real(problem, true);
}

struct problem problem_of_axis(const struct problem *problem, int axis)
{
    struct problem single = *problem;
    const bool in_output = others_lie_in_output(problem);
    single.axes = 1;
    single.axis[0] = problem->axis[axis];
    memset(single.axis_kind, 0, sizeof single.axis_kind);
    single.kind = problem_axis_kind(problem, axis);
    for (int out = 0; out < 2; out++) single.range[out][0] = problem->range[out][axis];
    for (int i = 0; i < problem->axes; i++) {
        if (i == axis) continue;
        struct dim *loop = &single.loop[single.loops++];
        *loop = problem->axis[i];
        if (axis < problem->axes - 1) loop->n = problem_side_length(problem, in_output, i);
    }
    if (axis == problem->axes - 1) return single;
    if (kind_is_half(single.kind)) single.kind = WEFT_C2C;
    for (int i = -1; i < single.loops; i++) {
        struct dim *dim = i < 0 ? &single.axis[0] : &single.loop[i];
        if (in_output) dim->in_stride = dim->out_stride;
        else dim->out_stride = dim->in_stride;
    }
    return single;
}
