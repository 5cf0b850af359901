#include "api/overlap.h"

#include "base/error.h"
#include "math/factor.h"

/* One plane of a buffer, as the plan reads or writes it. */
struct plane {
    struct buffer_plane memory;
    bool written;
};

/* ---- two planes ---- */

static const struct side_layout *side_of(const weft_plan *plan, struct plane plane)
{
    return plane.written ? &plan->layout.out : &plan->layout.in;
}

/* Of the first element that is touched, and behind the last. */
static uintptr_t first_byte(const weft_plan *plan, struct plane plane)
{
    return plane.memory.start + (uintptr_t)side_of(plan, plane)->first * plan->layout.element_bytes;
}

static uintptr_t end_byte(const weft_plan *plan, struct plane plane)
{
    return plane.memory.start +
           (uintptr_t)(side_of(plan, plane)->last + 1) * plan->layout.element_bytes;
}

/* An interval of elements, relative to the element (0, ..., 0). */
struct interval {
    int64_t first, last;
};

static void widen(struct interval *interval, const struct dim *dim, bool written, int64_t period)
{
    const int64_t stride = written ? dim->out_stride : dim->in_stride;
    if (stride % period == 0) return;
    const int64_t reach = (dim->n - 1) * stride;
    if (reach < 0)
        interval->first += reach;
    else
        interval->last += reach;
}

/* What holds all elements of a side if places are counted modulo `period`: dimensions that step by
 * multiples of it stay where they are. */
static struct interval interval_modulo(const struct problem *problem, bool written, int64_t period)
{
    struct interval interval = {0, 0};
    for (int i = 0; i < problem->axes; i++)
        widen(&interval, &problem->axis[i], written, period);
    for (int i = 0; i < problem->loops; i++)
        widen(&interval, &problem->loop[i], written, period);
    return interval;
}

/* Whether the intervals of both planes, wound around a circle of `period` elements, keep apart.
 * True proves that no byte is shared; some period proves it for all layouts of practice. */
static bool apart_modulo(const weft_plan *plan, struct plane a, struct plane b, int64_t period)
{
    const struct problem *problem = &plan->program->problem;
    const int64_t element = (int64_t)plan->layout.element_bytes, circle = period * element;
    const struct interval in_a = interval_modulo(problem, a.written, period);
    const struct interval in_b = interval_modulo(problem, b.written, period);
    const int64_t bytes_a = (in_a.last - in_a.first + 1) * element;
    const int64_t bytes_b = (in_b.last - in_b.first + 1) * element;
    const int64_t start_a = (side_of(plan, a)->offset + in_a.first) * element;
    const int64_t start_b = (side_of(plan, b)->offset + in_b.first) * element;
    const int64_t between = (int64_t)(b.memory.start - a.memory.start) + start_b - start_a;
    const int64_t ahead = (between % circle + circle) % circle;
    return ahead >= bytes_a && ahead <= circle - bytes_b;
}

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static bool apart_modulo_strides(const weft_plan *plan, struct plane a, struct plane b,
                                 const struct dim *dim, int count)
{
    for (int i = 0; i < count; i++) {
        const int64_t in = magnitude(dim[i].in_stride), out = magnitude(dim[i].out_stride);
        if (in && apart_modulo(plan, a, b, in)) return true;
        if (out && apart_modulo(plan, a, b, out)) return true;
    }
    return false;
}

static bool planes_meet(const weft_plan *plan, struct plane a, struct plane b)
{
    if (a.memory.object != b.memory.object) return false;
    if (end_byte(plan, a) <= first_byte(plan, b) || end_byte(plan, b) <= first_byte(plan, a)) {
        return false;
    }
    const struct problem *problem = &plan->program->problem;
    const int64_t unit = gcd(side_of(plan, a)->unit, side_of(plan, b)->unit);
    if (unit && apart_modulo(plan, a, b, unit)) return false;
    return !apart_modulo_strides(plan, a, b, problem->axis, problem->axes) &&
           !apart_modulo_strides(plan, a, b, problem->loop, problem->loops);
}

/* ---- input and output ---- */

static bool sides_meet(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    const int planes = plan->layout.planar ? 2 : 1;
    for (int i = 0; i < planes; i++) {
        for (int o = 0; o < planes; o++) {
            const struct plane read = {in->plane[i], false}, written = {out->plane[o], true};
            if (planes_meet(plan, read, written)) return true;
        }
    }
    return false;
}

static bool output_planes_meet(const weft_plan *plan, const weft_buffer *out)
{
    return plan->layout.planar && planes_meet(plan, (struct plane){out->plane[0], true},
                                              (struct plane){out->plane[1], true});
}

/* OpenCL leaves undefined what comes of two handles of one place. */
static bool is_one(const weft_buffer *in, const weft_buffer *out)
{
    return in->memory.re == out->memory.re && in->memory.im == out->memory.im;
}

weft_status overlap_check(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    if (output_planes_meet(plan, out)) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: the output's real and imaginary planes "
                                            "overlap; accepted are planes apart");
    }
    const bool one = is_one(in, out);
    if (one && plan->layout.same) return WEFT_OK;
    if (!sides_meet(plan, in, out)) return WEFT_OK;
    if (one) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: in place needs equal strides, distances "
                                            "and offsets of input and output");
    }
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: input and output overlap in part; accepted "
                                        "are the same memory or memory apart");
}

/* ---- scratch ---- */

static bool plane_meets(const weft_plan *plan, struct plane plane,
                        const struct buffer_plane *scratch, size_t bytes)
{
    return plane.memory.object == scratch->object &&
           first_byte(plan, plane) < scratch->start + bytes &&
           scratch->start < end_byte(plan, plane);
}

weft_status overlap_check_scratch(const weft_plan *plan, const weft_buffer *in,
                                  const weft_buffer *out, const weft_buffer *scratch, size_t bytes)
{
    for (int i = 0; i < (plan->layout.planar ? 2 : 1); i++) {
        const struct plane read = {in->plane[i], false}, written = {out->plane[i], true};
        if (plane_meets(plan, read, &scratch->plane[0], bytes) ||
            plane_meets(plan, written, &scratch->plane[0], bytes)) {
            return error_set(WEFT_ERROR_LAYOUT, "weft_execute: scratch overlaps the input or the "
                                                "output; accepted is memory apart");
        }
    }
    return WEFT_OK;
}
