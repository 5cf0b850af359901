/* Checks an execute's buffers and runs the plan. On the way of every small transform: the checks
 * are a handful of comparisons, their messages are made elsewhere. */
#include "api/execute.h"

#include <stdint.h>

#include "api/overlap.h"
#include "api/stage.h"
#include "api/streamed.h"
#include "base/error.h"

static __attribute__((cold)) weft_status refuse_null(const weft_plan *plan, const weft_buffer *in)
{
    return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: %s is NULL",
                     !plan ? "plan"
                     : !in ? "in"
                           : "out");
}

static inline bool is_aligned(const weft_buffer *buffer, uintptr_t misaligned)
{
    const uintptr_t bits = buffer->plane[0].start | buffer->plane[1].start;
    return (bits & misaligned) == 0 || buffer->host;
}

__attribute__((cold)) weft_status execute_refuse_buffer(const weft_plan *plan,
                                                        const weft_buffer *buffer,
                                                        const char *name,
                                                        const struct side_layout *side)
{
    if (buffer->device != plan->device) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: %s belongs to another device", name);
    }
    if (buffer->image == BUFFER_BY_CALLS) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_execute: %s is reached by calls: accepted by plans that stream, "
                         "with a memory_limit",
                         name);
    }
    if (buffer->image != side->image) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_execute: %s is %s, the plan is for %s", name,
                         buffer->image ? "an image" : "a buffer",
                         !side->image    ? "a buffer"
                         : buffer->image ? "an image of another width or format"
                                         : "an image");
    }
    if (buffer->bytes < side->bytes) {
        return error_set(WEFT_ERROR_LAYOUT, "weft_execute: %s has %zu bytes, the plan needs %zu",
                         name, buffer->bytes, side->bytes);
    }
    if (!is_aligned(buffer, side->misaligned)) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_execute: %s is not aligned to its numbers of %d bytes", name,
                         (int)side->misaligned + 1);
    }
    return error_set(WEFT_ERROR_LAYOUT, "weft_execute: %s is %s, the plan is for %s", name,
                     buffer->memory.im ? "planar" : "one array, interleaved or of reals",
                     side->planar ? "planar data"
                     : side->real ? "one array of reals"
                                  : "interleaved data");
}

static inline bool fits(const weft_plan *plan, const weft_buffer *buffer,
                        const struct side_layout *side)
{
    return buffer->device == plan->device && buffer->bytes >= side->bytes &&
           side->planar == (buffer->memory.im != NULL) && side->image == buffer->image &&
           is_aligned(buffer, side->misaligned);
}

bool execute_fits(const weft_plan *plan, const weft_buffer *buffer,
                  const struct side_layout *side)
{
    return fits(plan, buffer, side);
}

static inline bool two_apart(const struct buffer_plane *a, size_t bytes_a,
                             const struct buffer_plane *b, size_t bytes_b)
{
    return a->start + bytes_a <= b->start || b->start + bytes_b <= a->start ||
           a->object != b->object;
}

/* The usual case of overlap_check(), decided without a call. */
static inline bool apart(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    const struct side_layout *from = &plan->layout.in, *to = &plan->layout.out;
    bool all = !to->planar || two_apart(&out->plane[0], to->bytes, &out->plane[1], to->bytes);
    for (int i = 0; i <= from->planar; i++) {
        for (int o = 0; o <= to->planar; o++)
            all = all && two_apart(&in->plane[i], from->bytes, &out->plane[o], to->bytes);
    }
    return all;
}

/* ---- running ---- */

struct planes {
    char *re, *im;
};

static inline struct planes planes_at(const struct device_memory *memory,
                                      const struct side_layout *side)
{
    const int64_t bytes = side->offset * (int64_t)side->element_bytes;
    char *const im = memory->im;
    return (struct planes){(char *)memory->re + bytes, im ? im + bytes : NULL};
}

static inline void take_shortcut(const weft_plan *plan, weft_direction direction,
                                 const weft_buffer *in, const weft_buffer *out)
{
    const struct pass_call *s = &plan->shortcut.call, *then = &plan->shortcut.then;
    const struct planes from = planes_at(&in->memory, &plan->layout.in);
    const struct planes to = planes_at(&out->memory, &plan->layout.out);
    if (direction == WEFT_INVERSE && plan->layout.in.planar && plan->layout.out.planar) {
        s->run[1](s->shape[1], from.im, from.re, to.im, to.re, s->twiddles[1], s->fine[1]);
    } else {
        s->run[direction](s->shape[direction], from.re, from.im, to.re, to.im,
                          s->twiddles[direction], s->fine[direction]);
    }
    if (then->run[direction]) {
        then->run[direction](then->shape[direction], to.re, to.im, to.re, to.im,
                             then->twiddles[direction], then->fine[direction]);
    }
}

/* Address bits that must be 0 of scratch and spectra. */
static uintptr_t misaligned_aid(const weft_plan *plan)
{
    const struct problem *problem = plan->problem;
    return (uintptr_t)precision_bytes(problem->precision) *
               (plan->device->device.host_memory ? 1 : 2) -
           1;
}

static weft_status check_scratch(const weft_plan *plan, const weft_buffer *in,
                                 const weft_buffer *out, const weft_buffer *scratch)
{
    const size_t needed = executable_scratch_bytes(plan->executable);
    const struct side_layout side = {.bytes = needed, .misaligned = misaligned_aid(plan)};
    if (needed == 0) return WEFT_OK;
    if (fits(plan, scratch, &side) && !scratch->host) {
        return overlap_check_scratch(plan, in, out, scratch, needed);
    }
    return error_set(WEFT_ERROR_LAYOUT,
                     "weft_execute: scratch must be one array in the device's memory, of the "
                     "plan's device, with at least %zu bytes, aligned to %d of them; it has %zu",
                     needed, (int)side.misaligned + 1, scratch->bytes);
}

/* What beyond its ends an execute was given. */
static __attribute__((cold)) weft_status check_spectrum(const weft_plan *plan,
                                                        weft_direction direction,
                                                        const weft_buffer *out,
                                                        const weft_execution *execution)
{
    const weft_buffer *spectrum = execution ? execution->spectrum : NULL;
    const struct side_layout side = {.bytes = plan->spectrum_bytes,
                                     .misaligned = misaligned_aid(plan)};
    if (plan->spectrum_bytes == 0) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: there is a spectrum, but the plan is "
                                              "a transform's: accepted is NULL");
    }
    if (direction != WEFT_FORWARD) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_execute: direction is WEFT_INVERSE: accepted "
                                              "for a convolution is WEFT_FORWARD");
    }
    const bool serves = spectrum && (plan->stream ? streamed_reaches(plan, spectrum, &side)
                                                  : fits(plan, spectrum, &side) && !spectrum->host);
    if (!serves) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_execute: a convolution takes its kernels' spectra, at least %zu "
                         "bytes in one array in memory of %s, by "
                         "weft_execution.spectrum; there %s",
                         plan->spectrum_bytes, plan->stream ? "the host" : "the plan's device",
                         spectrum ? "is another buffer" : "is none");
    }
    return overlap_check_spectrum(plan, spectrum, out, execution->scratch,
                                  weft_plan_scratch_bytes(plan));
}

static __attribute__((cold)) weft_status refuse_host(const weft_buffer *in)
{
    return error_set(WEFT_ERROR_ARGUMENT,
                     "weft_execute: %s wraps host memory; accepted on a queue is memory of the "
                     "device",
                     in->host ? "in" : "out");
}

static __attribute__((cold, noinline)) weft_status
execute_streamed(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                 weft_buffer *out, const weft_execution *execution, const void *queue)
{
    const weft_buffer *scratch = execution ? execution->scratch : NULL;
    const weft_buffer *spectrum = execution ? execution->spectrum : NULL;
    weft_status status = WEFT_OK;
    if (spectrum || plan->spectrum_bytes)
        status = check_spectrum(plan, direction, out, execution);
    if (status) return status;
    if (!queue) return streamed_execute(plan, direction, in, out, scratch, spectrum);
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "weft_execute: the plan streams, which waits for every band: it cannot go "
                     "into a queue");
}

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Whether it is a shortcut's turn, between buffers of which nothing is unusual: what is, execute()
 * looks into. Arrays that are apart take no branch: some processors need two cycles for each that
 * is taken, and a transform of 2 has fifteen in all. */
static inline bool goes_direct(const weft_plan *plan, weft_direction direction,
                               const weft_buffer *in, const weft_buffer *out)
{
    if (UNLIKELY(!plan || !in || !out || (unsigned)direction > WEFT_INVERSE)) return false;
    const struct layout *layout = &plan->layout;
    const void *device = plan->direct[direction];
    if (UNLIKELY(in->plain != device || out->plain != device)) return false;
    if (UNLIKELY(in->bytes < layout->in.bytes || out->bytes < layout->out.bytes)) return false;
    const uintptr_t from = (uintptr_t)in->memory.re, to = (uintptr_t)out->memory.re;
    if (UNLIKELY(to - from - layout->in.bytes > plan->apart)) return from == to && layout->same;
    return true;
}

static inline void call_direct(const struct pass_call *call, weft_direction direction, char *from,
                               char *to)
{
    call->run[direction](call->shape[direction], from, from, to, to, call->twiddles[direction],
                         call->fine[direction]);
}

static __attribute__((noinline)) weft_status run_twice(const weft_plan *plan,
                                                       weft_direction direction, char *from,
                                                       char *to)
{
    call_direct(&plan->shortcut.call, direction, from, to);
    call_direct(&plan->shortcut.then, direction, to, to);
    return WEFT_OK;
}

/* With one call nothing outlives it, so no register is saved. (Experiment "direct" in
 * docs/experiments.) */
static inline weft_status run_direct(const weft_plan *plan, weft_direction direction,
                                     const weft_buffer *in, const weft_buffer *out)
{
    char *const from = (char *)in->memory.re + plan->start[0];
    char *const to = (char *)out->memory.re + plan->start[1];
    if (UNLIKELY(plan->shortcut.then.run[direction]))
        return run_twice(plan, direction, from, to);
    call_direct(&plan->shortcut.call, direction, from, to);
    return WEFT_OK;
}

static __attribute__((noinline)) weft_status
execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in, weft_buffer *out,
        const weft_execution *execution, void *queue)
{
    if (!plan || !in || !out) return refuse_null(plan, in);
    if (direction != WEFT_FORWARD && direction != WEFT_INVERSE) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_execute: direction is %d: accepted are WEFT_FORWARD, WEFT_INVERSE",
                         (int)direction);
    }
    const weft_buffer *scratch = execution ? execution->scratch : NULL;
    const weft_buffer *spectrum = execution ? execution->spectrum : NULL;
    if (plan->stream) return execute_streamed(plan, direction, in, out, execution, queue);
    const struct layout *layout = &plan->layout;
    if (!fits(plan, in, &layout->in)) return execute_refuse_buffer(plan, in, "in", &layout->in);
    if (!fits(plan, out, &layout->out))
        return execute_refuse_buffer(plan, out, "out", &layout->out);
    weft_status status = apart(plan, in, out) ? WEFT_OK : overlap_check(plan, in, out);
    if (!status && scratch) status = check_scratch(plan, in, out, scratch);
    if (!status && (spectrum || plan->spectrum_bytes))
        status = check_spectrum(plan, direction, out, execution);
    if (status) return status;
    if (plan->shortcut.call.run[direction]) {
        take_shortcut(plan, direction, in, out);
        return WEFT_OK;
    }
    const struct runner_aids aids = {.scratch = scratch ? scratch->memory.re : NULL,
                                     .spectrum = spectrum ? spectrum->memory.re : NULL,
                                     .queue = queue};
    if (in->host || out->host) {
        return queue ? refuse_host(in) : stage_execute(plan, direction, in, out, &aids);
    }
    struct device_memory from = in->memory, to = out->memory;
    from.first += layout->in.offset;
    to.first += layout->out.offset;
    return runner_run(plan->runner, direction, from, to, &aids);
}

weft_status weft_execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                         weft_buffer *out)
{
    if (UNLIKELY(!goes_direct(plan, direction, in, out)))
        return execute(plan, direction, in, out, NULL, NULL);
    return run_direct(plan, direction, in, out);
}

weft_status weft_execute_with(const weft_plan *plan, weft_direction direction,
                              const weft_buffer *in, weft_buffer *out,
                              const weft_execution *execution)
{
    return execute(plan, direction, in, out, execution, NULL);
}

weft_status execute_on_queue(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                             weft_buffer *out, const weft_execution *execution, void *queue)
{
    return execute(plan, direction, in, out, execution, queue);
}
