#include "api/overlap.h"

#include "base/error.h"
#include "math/factor.h"
#include "spec/kind.h"

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
    const struct side_layout *side = side_of(plan, plane);
    return plane.memory.start + (uintptr_t)side->first * side->element_bytes;
}

static uintptr_t end_byte(const weft_plan *plan, struct plane plane)
{
    const struct side_layout *side = side_of(plan, plane);
    return plane.memory.start + (uintptr_t)(side->last + 1) * side->element_bytes;
}

/* An interval of bytes, relative to the first of the element (0, ..., 0). */
struct interval {
    int64_t first, last;
};

/* `period` and `element` in bytes, of a side's elements. */
struct winding {
    int64_t period, element;
};

static void widen(struct interval *interval, const struct winding *winding, struct range extent,
                  int64_t stride)
{
    const int64_t step = stride * winding->element, reach = (extent.count - 1) * step;
    if (step % winding->period == 0) return;
    interval->first += extent.first * step;
    interval->last += extent.first * step;
    if (reach < 0)
        interval->first += reach;
    else
        interval->last += reach;
}

/* What holds all bytes of a side's elements if places are counted modulo a period: dimensions that
 * step by multiples of it stay where they are. */
static struct interval interval_modulo(const struct problem *problem, bool out,
                                       const struct winding *winding)
{
    struct interval interval = {0, winding->element};
    for (int i = 0; i < problem->axes; i++) {
        const struct dim *dim = &problem->axis[i];
        const int64_t n = problem_side_length(problem, out, i);
        widen(&interval, winding, range_extent(problem->range[out][i], n),
              out ? dim->out_stride : dim->in_stride);
    }
    for (int i = 0; i < problem->loops; i++) {
        const struct dim *dim = &problem->loop[i];
        widen(&interval, winding, (struct range){0, dim->n},
              out ? dim->out_stride : dim->in_stride);
    }
    if (out && problem_convolves(problem))
        widen(&interval, winding, (struct range){0, problem->kernel.n},
              problem->kernel.out_stride);
    return interval;
}

static struct interval plane_modulo(const weft_plan *plan, struct plane plane, int64_t period)
{
    const struct side_layout *side = side_of(plan, plane);
    const struct winding winding = {period, (int64_t)side->element_bytes};
    struct interval interval = interval_modulo(plan->problem, plane.written, &winding);
    interval.first += side->offset * winding.element;
    interval.last += side->offset * winding.element;
    return interval;
}

/* Whether the intervals of both planes, wound around a circle of `period` bytes, keep apart. True
 * proves that no byte is shared; some period proves it for all layouts of practice. */
static bool apart_modulo(const weft_plan *plan, struct plane a, struct plane b, int64_t period)
{
    const struct interval in_a = plane_modulo(plan, a, period);
    const struct interval in_b = plane_modulo(plan, b, period);
    const int64_t between = (int64_t)(b.memory.start - a.memory.start) + in_b.first - in_a.first;
    const int64_t ahead = (between % period + period) % period;
    return ahead >= in_a.last - in_a.first && ahead <= period - (in_b.last - in_b.first);
}

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static bool apart_modulo_strides(const weft_plan *plan, struct plane a, struct plane b,
                                 const struct dim *dim, int count)
{
    const int64_t in_element = (int64_t)plan->layout.in.element_bytes;
    const int64_t out_element = (int64_t)plan->layout.out.element_bytes;
    for (int i = 0; i < count; i++) {
        const int64_t in = magnitude(dim[i].in_stride), out = magnitude(dim[i].out_stride);
        if (in && apart_modulo(plan, a, b, in * in_element)) return true;
        if (out && apart_modulo(plan, a, b, out * out_element)) return true;
    }
    return false;
}

static bool planes_meet(const weft_plan *plan, struct plane a, struct plane b)
{
    if (a.memory.object != b.memory.object) return false;
    if (end_byte(plan, a) <= first_byte(plan, b) || end_byte(plan, b) <= first_byte(plan, a)) {
        return false;
    }
    const struct problem *problem = plan->problem;
    const struct side_layout *side_a = side_of(plan, a), *side_b = side_of(plan, b);
    const int64_t unit = gcd(side_a->unit * (int64_t)side_a->element_bytes,
                             side_b->unit * (int64_t)side_b->element_bytes);
    if (unit && apart_modulo(plan, a, b, unit)) return false;
    return !apart_modulo_strides(plan, a, b, problem->axis, problem->axes) &&
           !apart_modulo_strides(plan, a, b, problem->loop, problem->loops);
}

/* ---- input and output ---- */

static bool sides_meet(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    for (int i = 0; i < (plan->layout.in.planar ? 2 : 1); i++) {
        for (int o = 0; o < (plan->layout.out.planar ? 2 : 1); o++) {
            const struct plane read = {in->plane[i], false}, written = {out->plane[o], true};
            if (planes_meet(plan, read, written)) return true;
        }
    }
    return false;
}

static bool output_planes_meet(const weft_plan *plan, const weft_buffer *out)
{
    return plan->layout.out.planar && planes_meet(plan, (struct plane){out->plane[0], true},
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
    const struct problem *problem = plan->problem;
    if (one && kind_is_half(problem->kind) && !problem_convolves(problem)) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_execute: real data in place need neighbours in each line, and all "
                         "other strides, distances and offsets of the reals twice those of the "
                         "complex side: rows padded to 2 (n / 2 + 1) reals");
    }
    if (one) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: in place needs equal strides, distances "
                                            "and offsets of input and output");
    }
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: input and output overlap in part; accepted "
                                        "are the same memory or memory apart");
}

/* ---- scratch and spectra ---- */

static bool plane_meets(const weft_plan *plan, struct plane plane,
                        const struct buffer_plane *scratch, size_t bytes)
{
    return plane.memory.object == scratch->object &&
           first_byte(plan, plane) < scratch->start + bytes &&
           scratch->start < end_byte(plan, plane);
}

/* Whether an element of the output lies in the first `bytes` bytes of the buffer. */
static bool output_meets(const weft_plan *plan, const weft_buffer *out, const weft_buffer *buffer,
                         size_t bytes)
{
    bool meets = false;
    for (int i = 0; i < (plan->layout.out.planar ? 2 : 1); i++) {
        const struct plane written = {out->plane[i], true};
        meets = meets || plane_meets(plan, written, &buffer->plane[0], bytes);
    }
    return meets;
}

weft_status overlap_check_scratch(const weft_plan *plan, const weft_buffer *in,
                                  const weft_buffer *out, const weft_buffer *scratch, size_t bytes)
{
    bool meets = output_meets(plan, out, scratch, bytes);
    for (int i = 0; i < (plan->layout.in.planar ? 2 : 1); i++) {
        const struct plane read = {in->plane[i], false};
        meets = meets || plane_meets(plan, read, &scratch->plane[0], bytes);
    }
    if (!meets) return WEFT_OK;
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: scratch overlaps the input or the output; "
                                        "accepted is memory apart");
}

weft_status overlap_check_spectrum(const weft_plan *plan, const weft_buffer *spectrum,
                                   const weft_buffer *out, const weft_buffer *scratch, size_t bytes)
{
    const struct buffer_plane *a = &spectrum->plane[0], *b = scratch ? &scratch->plane[0] : NULL;
    const bool meets = b && a->object == b->object && a->start < b->start + bytes &&
                       b->start < a->start + plan->spectrum_bytes;
    if (!meets && !output_meets(plan, out, spectrum, plan->spectrum_bytes)) return WEFT_OK;
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: the spectrum overlaps the output or the "
                                        "scratch; accepted is memory apart");
}
