/* Checks an execute's buffers and runs the plan. On the way of every small transform: the checks are
 * a handful of comparisons, their messages are made elsewhere. */
#include "api/handles.h"
#include "base/error.h"

static weft_status refuse_null(const weft_plan *plan, const weft_buffer *in)
{
    return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: %s is NULL",
                     !plan ? "plan" : !in ? "in" : "out");
}

static weft_status refuse_buffer(const weft_plan *plan, const weft_buffer *buffer, const char *name,
                                 size_t needed)
{
    if (buffer->device != plan->device) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: %s belongs to another device", name);
    }
    if (buffer->bytes < needed) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: %s has %zu bytes, the plan needs %zu",
                         name, buffer->bytes, needed);
    }
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: %s is %s, the plan is for %s data", name,
                     buffer->memory.im ? "planar" : "interleaved",
                     buffer->memory.im ? "interleaved" : "planar");
}

static inline bool fits(const weft_plan *plan, const weft_buffer *buffer, size_t needed)
{
    const bool planar = plan->program->problem.format == WEFT_PLANAR;
    return buffer->device == plan->device && buffer->bytes >= needed &&
           planar == (buffer->memory.im != NULL);
}

/* ---- overlap ---- */

/* Whether one plane of the input and one of the output share a byte that the problem touches. Lattices
 * of elements that interleave without touching (channels of one array) do not. */
static bool planes_meet(const struct layout *layout, const char *in, const char *out)
{
    const int64_t element = (int64_t)layout->element_bytes;
    const char *in_first = in + layout->in.first * element;
    const char *out_first = out + layout->out.first * element;
    const char *in_end = in + (layout->in.last + 1) * element;
    const char *out_end = out + (layout->out.last + 1) * element;
    if (in_end <= out_first || out_end <= in_first) return false;
    int64_t a = layout->in.unit, b = layout->out.unit;
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    const int64_t period = a * element;
    if (period == 0) return true;
    const int64_t apart = ((out_first - in_first) % period + period) % period;
    return apart < element || apart > period - element;
}

static bool partly_overlap(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    const struct layout *layout = &plan->layout;
    const char *const in_plane[2] = {in->memory.re, in->memory.im};
    const char *const out_plane[2] = {out->memory.re, out->memory.im};
    for (int i = 0; i < 2; i++) {
        for (int o = 0; o < 2; o++) {
            if (!in_plane[i] || !out_plane[o]) continue;
            if (planes_meet(layout, in_plane[i], out_plane[o])) return true;
        }
    }
    return false;
}

static weft_status check_overlap(const weft_plan *plan, const weft_buffer *in,
                                 const weft_buffer *out)
{
    const char *in_re = in->memory.re, *out_re = out->memory.re;
    if (!in->memory.im && (in_re + plan->layout.in_bytes <= out_re ||
                           out_re + plan->layout.out_bytes <= in_re)) {
        return WEFT_OK; /* the usual case, decided first */
    }
    const bool one = in->memory.re == out->memory.re && in->memory.im == out->memory.im;
    if (one && plan->layout.same) return WEFT_OK;
    if (!partly_overlap(plan, in, out)) return WEFT_OK;
    if (one) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: in place needs equal strides, distances "
                                            "and offsets of input and output");
    }
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: input and output overlap in part; accepted "
                                        "are the same memory or memory apart");
}

/* ---- running ---- */

static struct device_memory at_offset(const weft_plan *plan, struct device_memory memory,
                                      int64_t elements)
{
    if (elements == 0) return memory;
    const int64_t bytes = elements * (int64_t)plan->layout.element_bytes;
    memory.re = (char *)memory.re + bytes;
    if (memory.im) memory.im = (char *)memory.im + bytes;
    return memory;
}

static weft_status check_scratch(const weft_plan *plan, const weft_buffer *scratch)
{
    const size_t needed = executable_scratch_bytes(plan->executable);
    if (scratch->device == plan->device && scratch->bytes >= needed && !scratch->memory.im) {
        return WEFT_OK;
    }
    return error_set(WEFT_ERROR_LAYOUT,
                     "weft_execute: scratch must be one array of the plan's device with at least "
                     "%zu bytes; it has %zu",
                     needed, scratch->bytes);
}

static weft_status execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                           weft_buffer *out, const weft_buffer *scratch)
{
    if (!plan || !in || !out) return refuse_null(plan, in);
    if (direction != WEFT_FORWARD && direction != WEFT_INVERSE) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_execute: direction is %d: accepted are WEFT_FORWARD, WEFT_INVERSE",
                         (int)direction);
    }
    const struct layout *layout = &plan->layout;
    if (!fits(plan, in, layout->in_bytes)) return refuse_buffer(plan, in, "in", layout->in_bytes);
    if (!fits(plan, out, layout->out_bytes)) {
        return refuse_buffer(plan, out, "out", layout->out_bytes);
    }
    if (plan->program->passes == 0) return WEFT_OK;
    weft_status status = check_overlap(plan, in, out);
    if (!status && scratch) status = check_scratch(plan, scratch);
    if (status) return status;
    return executable_run(plan->executable, direction,
                          at_offset(plan, in->memory, layout->in.offset),
                          at_offset(plan, out->memory, layout->out.offset),
                          scratch ? scratch->memory.re : NULL);
}

weft_status weft_execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                         weft_buffer *out)
{
    return execute(plan, direction, in, out, NULL);
}

weft_status weft_execute_with(const weft_plan *plan, weft_direction direction,
                              const weft_buffer *in, weft_buffer *out,
                              const weft_execution *execution)
{
    return execute(plan, direction, in, out, execution ? execution->scratch : NULL);
}
