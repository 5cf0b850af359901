#include "api/streamed.h"

#include "api/execute.h"
#include "api/overlap.h"
#include "base/error.h"

/* Of the device's memory, streams take this share where no limit is given: others use it too. */
#define SHARE_OF_MEMORY(bytes) ((bytes) / 4 * 3)

/* ---- which plans stream ---- */

static int64_t span_bytes(const struct side_layout *side)
{
    const int64_t planes = side->planar ? 2 : 1;
    return planes * (side->last - side->first + 1) * (int64_t)side->element_bytes;
}

int64_t streamed_limit(const weft_device *device, const weft_params *params,
                       const struct layout *layout)
{
    const struct device *d = &device->device;
    const int64_t in = span_bytes(&layout->in), out = span_bytes(&layout->out);
    const int64_t larger = in > out ? in : out;
    if (larger <= 0 || layout->in.image || layout->out.image) return 0;
    if (params->memory_limit || d->host_memory) return params->memory_limit;
    const int64_t room = SHARE_OF_MEMORY(d->limits.memory_bytes);
    const bool fits = d->limits.memory_bytes == 0 || in <= room - out;
    if (fits && larger <= d->limits.largest_buffer) return 0;
    return d->limits.memory_bytes ? room : d->limits.largest_buffer;
}

/* ---- buffers ---- */

bool streamed_reaches(const weft_plan *plan, const weft_buffer *buffer,
                      const struct side_layout *side)
{
    weft_buffer plain = *buffer;
    if (plain.image == BUFFER_BY_CALLS) plain.image = 0;
    return execute_fits(plan, &plain, side) &&
           (buffer->host || plan->device->device.host_memory);
}

static weft_status check_buffer(const weft_plan *plan, const weft_buffer *buffer, const char *name,
                                const struct side_layout *side)
{
    weft_buffer plain = *buffer;
    if (plain.image == BUFFER_BY_CALLS) plain.image = 0;
    if (!execute_fits(plan, &plain, side))
        return execute_refuse_buffer(plan, &plain, name, side);
    if (buffer->host || plan->device->device.host_memory) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT,
                     "weft_execute: %s is in the device's memory; the plan streams: accepted are "
                     "memory of the host and weft_buffer_wrap_calls()",
                     name);
}

static weft_status check_scratch(const weft_plan *plan, const weft_buffer *in,
                                 const weft_buffer *out, const weft_buffer *scratch)
{
    const size_t needed = stream_spare_bytes(plan->stream);
    const struct side_layout side = {
        .bytes = needed,
        .misaligned = (uintptr_t)precision_bytes(plan->problem->precision) - 1};
    if (needed == 0) return WEFT_OK;
    weft_status status = check_buffer(plan, scratch, "scratch", &side);
    return status ? status : overlap_check_scratch(plan, in, out, scratch, needed);
}

/* Once for all executes with the buffer. What fails is copied by the host instead. */
static bool pin(weft_buffer *buffer)
{
    if (!buffer->host || buffer->image == BUFFER_BY_CALLS || buffer->memory.im) return false;
    if (atomic_load(&buffer->pin) != DEVICE_NOT_PINNED) return true;
    const enum device_pin pinned =
        stream_pin(&buffer->device->device, buffer->memory.re, buffer->bytes);
    /* Of two threads that come here at once the second finds it pinned, by the first. */
    int none = DEVICE_NOT_PINNED;
    if (!atomic_compare_exchange_strong(&buffer->pin, &none, (int)pinned) &&
        pinned == DEVICE_PINNED) {
        atomic_store(&buffer->pin, DEVICE_PINNED);
    }
    return pinned != DEVICE_NOT_PINNED;
}

static struct far far_of(const weft_buffer *buffer, int64_t first)
{
    struct far far = {.re = buffer->memory.re, .im = buffer->memory.im, .first = first};
    if (buffer->image == BUFFER_BY_CALLS) far.calls = &buffer->calls;
    far.pinned = pin((weft_buffer *)(uintptr_t)buffer);
    return far;
}

weft_status streamed_execute(const weft_plan *plan, weft_direction direction,
                             const weft_buffer *in, weft_buffer *out, const weft_buffer *scratch,
                             const weft_buffer *spectrum)
{
    weft_status status = check_buffer(plan, in, "in", &plan->layout.in);
    if (!status) status = check_buffer(plan, out, "out", &plan->layout.out);
    if (!status) status = overlap_check(plan, in, out);
    if (!status && scratch) status = check_scratch(plan, in, out, scratch);
    if (status) return status;
    const struct far from = far_of(in, plan->layout.in.offset);
    const struct far to = far_of(out, plan->layout.out.offset);
    struct far between = {0}, factors = {0};
    if (scratch) between = far_of(scratch, 0);
    if (spectrum) factors = far_of(spectrum, 0);
    const struct stream_aids aids = {scratch ? &between : NULL, &factors};
    return stream_run(plan->stream, direction, &from, &to, &aids);
}
