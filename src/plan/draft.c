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
    for (int i = p->loops - 1; i >= 0; i--) insert(&dims, &p->loop[i], p->loop[i].n);
    return dims;
}

/* Whether each dimension, as a whole, steps over all that smaller strides cover. */
static bool has_room(const struct problem *p)
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
    return problem_has_range(p, true) && problem_output_loses(p) && !has_room(p);
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

struct problem draft_onwards(const struct problem *p, const struct problem *drafted)
{
    struct problem onwards = *p;
    for (int i = 0; i < p->axes; i++) onwards.axis[i].in_stride = drafted->axis[i].out_stride;
    for (int i = 0; i < p->loops; i++) onwards.loop[i].in_stride = drafted->loop[i].out_stride;
    return onwards;
}
