#include "api/stage.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* One side of an execute. */
struct side {
    struct device *device;
    const struct side_layout *layout;
    const weft_buffer *buffer;
    struct device_memory memory; /* what the plan is run on, at the element (0, ..., 0) */
};

static size_t span_bytes(const struct side *side)
{
    return (size_t)(side->layout->last - side->layout->first + 1) * side->layout->element_bytes;
}

static size_t first_byte(const struct side *side)
{
    return (size_t)side->layout->first * side->layout->element_bytes;
}

/* ---- device memory ---- */

/* `bytes` a plane, where it is host memory. */
static weft_status alloc_side(struct side *side, size_t bytes)
{
    struct device *device = side->device;
    if (!side->buffer->host) {
        side->memory = side->buffer->memory;
        side->memory.first += side->layout->offset;
        return WEFT_OK;
    }
    side->memory.first = side->layout->offset - side->layout->first;
    weft_status status = device->ops->alloc(device, bytes, &side->memory.re);
    if (!status && side->buffer->memory.im) {
        status = device->ops->alloc(device, bytes, &side->memory.im);
    }
    return status;
}

/* What is in place begins at one place, but half a spectrum is longer than its reals. */
static weft_status alloc_in_place(struct side *from, struct side *to)
{
    const size_t in = span_bytes(from), out = span_bytes(to);
    weft_status status = alloc_side(from, in > out ? in : out);
    to->memory = from->memory;
    to->memory.first = to->layout->offset - to->layout->first;
    return status;
}

static void free_side(const struct side *side)
{
    if (!side->buffer->host) return;
    if (side->memory.re) side->device->ops->free(side->device, side->memory.re);
    if (side->memory.im) side->device->ops->free(side->device, side->memory.im);
}

static weft_status upload_plane(const struct side *side, void *memory, const void *data)
{
    const char *from = (const char *)data + first_byte(side);
    return side->device->ops->upload(side->device, memory, 0, from, span_bytes(side));
}

static weft_status upload(const struct side *side)
{
    if (!side->buffer->host) return WEFT_OK;
    weft_status status = upload_plane(side, side->memory.re, side->buffer->memory.re);
    if (status || !side->memory.im) return status;
    return upload_plane(side, side->memory.im, side->buffer->memory.im);
}

/* ---- bringing the output back ---- */

/* Copies the output's elements and nothing that lies between them. */
static void copy_elements(const struct problem *problem, const struct side *side, char *to,
                          const char *from)
{
    struct dim dim[2 * PROBLEM_MAX_DIMS];
    int64_t counter[2 * PROBLEM_MAX_DIMS] = {0}, place = side->layout->offset;
    int dims = 0;
    for (int i = 0; i < problem->loops; i++)
        dim[dims++] = problem->loop[i];
    if (problem_convolves(problem)) dim[dims++] = problem->kernel;
    for (int i = 0; i < problem->axes; i++) {
        dim[dims] = problem->axis[i];
        dim[dims++].n = problem_side_length(problem, true, i);
    }
    for (int64_t rest = problem_side_elements(problem, true); rest > 0; rest--) {
        const size_t byte = (size_t)(place - side->layout->first) * side->layout->element_bytes;
        memcpy(to + byte, from + byte, side->layout->element_bytes);
        for (int d = dims - 1; d >= 0; d--) {
            place += dim[d].out_stride;
            if (++counter[d] < dim[d].n) break;
            place -= dim[d].n * dim[d].out_stride;
            counter[d] = 0;
        }
    }
}

static weft_status download_elements(const struct problem *problem, const struct side *side,
                                     const void *memory, char *to)
{
    char *copy = memory_alloc_large(span_bytes(side));
    if (!copy) return error_memory("a copy of the output");
    weft_status status =
        side->device->ops->download(side->device, memory, 0, copy, span_bytes(side));
    if (!status) copy_elements(problem, side, to, copy);
    memory_free(copy);
    return status;
}

static weft_status download_plane(const struct problem *problem, const struct side *side,
                                  const void *memory, void *data)
{
    char *to = (char *)data + first_byte(side);
    const bool dense =
        side->layout->last - side->layout->first + 1 == problem_side_elements(problem, true);
    if (!dense) return download_elements(problem, side, memory, to);
    return side->device->ops->download(side->device, memory, 0, to, span_bytes(side));
}

static weft_status download(const struct problem *problem, const struct side *side)
{
    const struct device_memory *data = &side->buffer->memory;
    if (!side->buffer->host) return WEFT_OK;
    weft_status status = download_plane(problem, side, side->memory.re, data->re);
    if (status || !data->im) return status;
    return download_plane(problem, side, side->memory.im, data->im);
}

/* ---- the whole ---- */

static bool is_in_place(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out)
{
    return plan->layout.same && in->host && out->host && in->memory.re == out->memory.re &&
           in->memory.im == out->memory.im;
}

static weft_status run(const weft_plan *plan, weft_direction direction, struct side *from,
                       struct side *to, const struct runner_aids *aids)
{
    const bool in_place = is_in_place(plan, from->buffer, to->buffer);
    weft_status status =
        in_place ? alloc_in_place(from, to) : alloc_side(from, span_bytes(from));
    if (!status && !in_place) status = alloc_side(to, span_bytes(to));
    if (!status) status = upload(from);
    if (!status) {
        status = runner_run(plan->runner, direction, from->memory, to->memory, aids);
    }
    if (!status) status = download(plan->problem, to);
    free_side(from);
    if (!in_place) free_side(to);
    return status;
}

weft_status stage_execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                          weft_buffer *out, const struct runner_aids *aids)
{
    if (problem_elements(plan->problem) == 0) return WEFT_OK;
    struct device *device = &plan->device->device;
    struct side from = {.device = device, .layout = &plan->layout.in, .buffer = in};
    struct side to = {.device = device, .layout = &plan->layout.out, .buffer = out};
    return run(plan, direction, &from, &to, aids);
}
