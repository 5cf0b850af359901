#include "plan/draft.h"

#include "base/checked.h"
#include "plan/stride.h"

/* An output's dimensions, those of the least strides first. */
struct output_dims {
    int count;
    struct dim *dim[2 * PROBLEM_MAX_DIMS];
    int64_t n[2 * PROBLEM_MAX_DIMS];
};

static void insert(struct output_dims *dims, struct dim *dim, int64_t n)
{
    int i = dims->count++;
    for (; i > 0 && magnitude(dims->dim[i - 1]->out_stride) > magnitude(dim->out_stride); i--) {
        dims->dim[i] = dims->dim[i - 1];
        dims->n[i] = dims->n[i - 1];
    }
    dims->dim[i] = dim;
    dims->n[i] = n;
}

static struct output_dims sorted_dims(struct problem *p)
{
    struct output_dims dims = {.count = 0};
    for (int i = p->axes - 1; i >= 0; i--)
        insert(&dims, &p->axis[i], problem_side_length(p, true, i));
    for (int i = p->loops - 1; i >= 0; i--)
        insert(&dims, &p->loop[i], p->loop[i].n);
    return dims;
}

bool draft_has_room(const struct problem *p)
{
    struct problem copy = *p;
    const struct output_dims dims = sorted_dims(&copy);
    int64_t reach = 0;
    for (int i = 0; i < dims.count; i++) {
        const int64_t stride = magnitude(dims.dim[i]->out_stride);
        if (dims.n[i] > 1 && stride <= reach) return false;
        reach += (dims.n[i] - 1) * stride;
    }
    return true;
}

bool draft_is_packed(const struct problem *p)
{
    if (problem_convolves(p) || p->kind == WEFT_C2R) return false;
    return problem_has_range(p, true) && problem_output_loses(p) && !draft_has_room(p);
}

struct problem draft_pack(struct lowering *l, const struct problem *p)
{
    struct problem drafted = *p;
    const struct output_dims dims = sorted_dims(&drafted);
    const int64_t bytes = 2 * precision_bytes(p->precision);
    int64_t size = 1;
    for (int i = 0; i < dims.count; i++) {
        dims.dim[i]->out_stride = size;
        if (!checked_multiply(size, dims.n[i], &size)) l->failed = true;
    }
    if (size > l->limits->largest_buffer / bytes) l->failed = true;
    l->program->draft_elements = size;
    return drafted;
}

bool draft_takes_ranges(const struct limits *limits, const struct problem *p)
{
    return limits->vector_bytes > 0 && p->kind == WEFT_C2C && p->axes > 1 &&
           !problem_convolves(p) && problem_has_ranges(p);
}

/* Elements of an axis there are in the draft, as one run. */
static struct range between_groups(const struct problem *p, int axis, int begins, int ends)
{
    if (axis >= begins) return range_extent(p->range[1][axis], p->axis[axis].n);
    if (axis <= ends) return range_extent(p->range[0][axis], p->axis[axis].n);
    return (struct range){0, p->axis[axis].n};
}

/* Whether two dimensions are one run where the slowest axes are read, and so can be one loop: not
 * where others are taken before them. */
static bool stays_one_run(const struct lowering *l, const struct output_dims *dims, int i)
{
    const int64_t run = dims->n[i] * dims->dim[i]->in_stride;
    return l->mirrored && run == dims->dim[i + 1]->in_stride;
}

/* Gives dimensions that follow one another strides, rows whole lines of a cache. */
static int64_t pack(struct lowering *l, const struct output_dims *dims)
{
    const int64_t bytes = 2 * precision_bytes(l->problem->precision);
    int64_t size = 1;
    for (int i = 0; i < dims->count; i++) {
        dims->dim[i]->out_stride = size;
        if (!checked_multiply(size, dims->n[i], &size)) l->failed = true;
        if (i + 1 < dims->count && !stays_one_run(l, dims, i)) size = lowering_pitch(l, size);
    }
    if (size > l->limits->largest_buffer / bytes) l->failed = true;
    return size;
}

struct problem draft_pack_ranges(struct lowering *l, const struct problem *p, int begins, int ends)
{
    struct problem drafted = l->mirrored ? draft_towards(p, p) : *p;
    struct output_dims dims = {.count = 0};
    for (int i = p->axes - 1; i >= 0; i--)
        insert(&dims, &drafted.axis[i], between_groups(p, i, begins, ends).count);
    for (int i = p->loops - 1; i >= 0; i--)
        insert(&dims, &drafted.loop[i], p->loop[i].n);
    l->program->draft_elements = pack(l, &dims);
    l->program->draft_cut = true;
    for (int i = 0; i < p->axes; i++) {
        l->program->draft_first -=
            between_groups(p, i, begins, ends).first * drafted.axis[i].out_stride;
    }
    return drafted;
}

struct problem draft_within_step(struct lowering *l, const struct group *group,
                                 struct repeats *repeats, bool comes, bool goes)
{
    struct problem step = *l->problem, packed = step;
    struct repeats inside = *repeats;
    struct output_dims dims = {.count = 0};
    for (int i = group->last; i >= group->first; i--)
        insert(&dims, &packed.axis[i], packed.axis[i].n);
    for (int i = 0; i < inside.inside; i++)
        insert(&dims, &inside.in[i].dim, inside.in[i].dim.n);
    const int64_t size = pack(l, &dims);
    if (size > l->program->work_elements) l->program->work_elements = size;
    for (int i = 0; i < step.axes + inside.inside; i++) {
        const bool axis = i < step.axes;
        struct dim *to = axis ? &step.axis[i] : &repeats->in[i - step.axes].dim;
        const struct dim *from = axis ? &packed.axis[i] : &inside.in[i - step.axes].dim;
        if (comes) to->in_stride = from->out_stride;
        if (goes) to->out_stride = from->out_stride;
    }
    return step;
}

struct problem draft_pack_step(struct lowering *l, const struct problem *step)
{
    struct problem packed = draft_towards(step, step);
    struct output_dims dims = {.count = 0};
    for (int i = step->axes - 1; i >= 0; i--) insert(&dims, &packed.axis[i], step->axis[i].n);
    for (int i = 0; i < step->loops; i++) insert(&dims, &packed.loop[i], step->loop[i].n);
    /* Columns begin with lines of the cache: of loops alone one can be made. */
    for (int i = 0; i < step->axes - 1; i++) packed.axis[i].in_stride = 0;
    const int64_t size = pack(l, &dims);
    if (size > l->program->work_elements) l->program->work_elements = size;
    return packed;
}

struct problem draft_onwards(const struct problem *p, const struct problem *drafted)
{
    struct problem onwards = *p;
    for (int i = 0; i < p->axes; i++)
        onwards.axis[i].in_stride = drafted->axis[i].out_stride;
    for (int i = 0; i < p->loops; i++)
        onwards.loop[i].in_stride = drafted->loop[i].out_stride;
    return onwards;
}

struct problem draft_towards(const struct problem *p, const struct problem *reader)
{
    struct problem towards = *p;
    for (int i = 0; i < p->axes; i++)
        towards.axis[i].out_stride = reader->axis[i].in_stride;
    for (int i = 0; i < p->loops; i++)
        towards.loop[i].out_stride = reader->loop[i].in_stride;
    return towards;
}
