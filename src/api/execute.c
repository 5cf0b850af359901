/* Checks an execute's buffers and runs the plan. On the way of every small transform: the checks
 * are a handful of comparisons, their messages are made elsewhere. */
#include "api/execute.h"

#include <stdint.h>

#include "api/overlap.h"
#include "api/stage.h"
#include "base/error.h"

static __attribute__((cold)) weft_status refuse_null(const weft_plan *plan, const weft_buffer *in)
{
    return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: %s is NULL",
                     !plan ? "plan"
                     : !in ? "in"
                           : "out");
}

static inline bool is_aligned(const weft_plan *plan, const weft_buffer *buffer)
{
    const uintptr_t bits = buffer->plane[0].start | buffer->plane[1].start;
    return (bits & plan->layout.misaligned) == 0 || buffer->host;
}

static __attribute__((cold)) weft_status
refuse_buffer(const weft_plan *plan, const weft_buffer *buffer, const char *name, size_t needed)
{
    if (buffer->device != plan->device) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: %s belongs to another device", name);
    }
    if (buffer->bytes < needed) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: %s has %zu bytes, the plan needs %zu",
                         name, buffer->bytes, needed);
    }
    if (!is_aligned(plan, buffer)) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_execute: %s is not aligned to its numbers of %d bytes", name,
                         (int)plan->layout.misaligned + 1);
    }
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: %s is %s, the plan is for %s data", name,
                     buffer->memory.im ? "planar" : "interleaved",
                     buffer->memory.im ? "interleaved" : "planar");
}

static inline bool fits(const weft_plan *plan, const weft_buffer *buffer, size_t needed,
                        bool planar)
{
    return buffer->device == plan->device && buffer->bytes >= needed &&
           planar == (buffer->memory.im != NULL) && is_aligned(plan, buffer);
}

/* The usual case of overlap_check(), decided without a call. */
static inline bool apart(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    const struct buffer_plane *from = &in->plane[0], *to = &out->plane[0];
    return !plan->layout.planar &&
           (from->start + plan->layout.in_bytes <= to->start ||
            to->start + plan->layout.out_bytes <= from->start || from->object != to->object);
}

/* ---- running ---- */

struct planes {
    char *re, *im;
};

static inline struct planes planes_at(const weft_plan *plan, const struct device_memory *memory,
                                      int64_t elements)
{
    const int64_t bytes = elements * (int64_t)plan->layout.element_bytes;
    char *const im = memory->im;
    return (struct planes){(char *)memory->re + bytes, im ? im + bytes : NULL};
}

static inline void take_shortcut(const weft_plan *plan, weft_direction direction,
                                 const weft_buffer *in, const weft_buffer *out)
{
    const struct pass_shortcut *s = &plan->shortcut;
    const struct planes from = planes_at(plan, &in->memory, plan->layout.in.offset);
    const struct planes to = planes_at(plan, &out->memory, plan->layout.out.offset);
    if (direction == WEFT_INVERSE && plan->layout.planar) {
        s->run[1](s->shape, from.im, from.re, to.im, to.re, s->twiddles, s->fine);
    } else {
        s->run[direction](s->shape, from.re, from.im, to.re, to.im, s->twiddles, s->fine);
    }
}

static weft_status check_scratch(const weft_plan *plan, const weft_buffer *in,
                                 const weft_buffer *out, const weft_buffer *scratch)
{
    const size_t needed = executable_scratch_bytes(plan->executable);
    if (needed == 0) return WEFT_OK;
    if (fits(plan, scratch, needed, false) && !scratch->host) {
        return overlap_check_scratch(plan, in, out, scratch, needed);
    }
    return error_set(WEFT_ERROR_LAYOUT,
                     "weft_execute: scratch must be one array in the device's memory, of the "
                     "plan's device, with at least %zu bytes, aligned to numbers of %d; it has %zu",
                     needed, (int)plan->layout.misaligned + 1, scratch->bytes);
}

static __attribute__((cold)) weft_status refuse_host(const weft_buffer *in)
{
    return error_set(WEFT_ERROR_ARGUMENT,
                     "weft_execute: %s wraps host memory; accepted on a queue is memory of the "
                     "device",
                     in->host ? "in" : "out");
}

/* Inlined into the public calls: small transforms notice every call. */
static inline __attribute__((always_inline)) weft_status
execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in, weft_buffer *out,
        const weft_buffer *scratch, void *queue)
{
    if (!plan || !in || !out) return refuse_null(plan, in);
    if (direction != WEFT_FORWARD && direction != WEFT_INVERSE) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_execute: direction is %d: accepted are WEFT_FORWARD, WEFT_INVERSE",
                         (int)direction);
    }
    const struct layout *layout = &plan->layout;
    if (!fits(plan, in, layout->in_bytes, layout->planar)) {
        return refuse_buffer(plan, in, "in", layout->in_bytes);
    }
    if (!fits(plan, out, layout->out_bytes, layout->planar)) {
        return refuse_buffer(plan, out, "out", layout->out_bytes);
    }
    weft_status status = apart(plan, in, out) ? WEFT_OK : overlap_check(plan, in, out);
    if (!status && scratch) status = check_scratch(plan, in, out, scratch);
    if (status) return status;
    if (plan->shortcut.run[direction]) {
        take_shortcut(plan, direction, in, out);
        return WEFT_OK;
    }
    void *const given = scratch ? scratch->memory.re : NULL;
    if (in->host || out->host) {
        return queue ? refuse_host(in) : stage_execute(plan, direction, in, out, given);
    }
    struct device_memory from = in->memory, to = out->memory;
    from.first += layout->in.offset;
    to.first += layout->out.offset;
    return runner_run(plan->runner, direction, from, to, given, queue);
}

weft_status weft_execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                         weft_buffer *out)
{
    return execute(plan, direction, in, out, NULL, NULL);
}

weft_status weft_execute_with(const weft_plan *plan, weft_direction direction,
                              const weft_buffer *in, weft_buffer *out,
                              const weft_execution *execution)
{
    return execute(plan, direction, in, out, execution ? execution->scratch : NULL, NULL);
}

weft_status execute_on_queue(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                             weft_buffer *out, const weft_execution *execution, void *queue)
{
    return execute(plan, direction, in, out, execution ? execution->scratch : NULL, queue);
}
