#include "api/stage.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* One side of an execute. */
struct side {
    struct device *device;
    const struct side_layout *layout;
    const weft_buffer *buffer;
    int64_t start;               /* the first element that the copy in device memory has; not */
    struct device_memory memory; /* behind (0, ..., 0), at which the plan is run */
};

static int64_t start_of(const struct side_layout *layout)
{
    return layout->first < layout->offset ? layout->first : layout->offset;
}

static size_t span_bytes(const struct side *side)
{
    return (size_t)(side->layout->last - side->start + 1) * side->layout->element_bytes;
}

static size_t first_byte(const struct side *side)
{
    return (size_t)side->start * side->layout->element_bytes;
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
    side->memory.first = side->layout->offset - side->start;
    weft_status status = device->ops->alloc(device, bytes, &side->memory.re);
    if (!status && side->buffer->memory.im) {
        status = device->ops->alloc(device, bytes, &side->memory.im);
    }
    return status;
}

/* Ranges may begin at different places: the copy does at the first of them. */
static void begin_together(struct side *from, struct side *to)
{
    const size_t in = from->layout->element_bytes, out = to->layout->element_bytes;
    size_t first = first_byte(from) < first_byte(to) ? first_byte(from) : first_byte(to);
    first -= first % (in > out ? in : out);
    from->start = (int64_t)(first / in);
    to->start = (int64_t)(first / out);
}

/* Half a spectrum is longer than its reals. */
static weft_status alloc_in_place(struct side *from, struct side *to)
{
    begin_together(from, to);
    const size_t in = span_bytes(from), out = span_bytes(to);
    weft_status status = alloc_side(from, in > out ? in : out);
    to->memory = from->memory;
    to->memory.first = to->layout->offset - to->start;
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

/* A dimension of the output, and how far a walk along it has come. */
struct walk {
    int64_t n, stride;
    struct range range;
    int64_t index, counter; /* the index begins anew at 0 behind the last, the counter does not */
};

static struct walk walk_along(int64_t n, int64_t stride, struct range range)
{
    if (range.count == 0) range = (struct range){0, n};
    return (struct walk){n, stride, range, range.first, 0};
}

/* One on. Returns how many places that is. */
static int64_t step(struct walk *walk)
{
    const int64_t from = walk->index;
    walk->index = ++walk->counter < walk->range.count ? (from + 1) % walk->n : walk->range.first;
    if (walk->counter == walk->range.count) walk->counter = 0;
    return (walk->index - from) * walk->stride;
}

/* The fastest last. Returns how many dimensions there are. */
static int walk_output(const struct problem *problem, struct walk *walk)
{
    const struct range all = {0, 0};
    int dims = 0;
    for (int i = 0; i < problem->loops; i++)
        walk[dims++] = walk_along(problem->loop[i].n, problem->loop[i].out_stride, all);
    if (problem_convolves(problem))
        walk[dims++] = walk_along(problem->kernel.n, problem->kernel.out_stride, all);
    for (int i = 0; i < problem->axes; i++) {
        walk[dims++] = walk_along(problem_side_length(problem, true, i),
                                  problem->axis[i].out_stride, problem->range[1][i]);
    }
    return dims;
}

static int64_t wanted_elements(const struct problem *problem)
{
    struct walk walk[2 * PROBLEM_MAX_DIMS];
    int64_t elements = 1;
    for (int d = walk_output(problem, walk) - 1; d >= 0; d--) elements *= walk[d].range.count;
    return elements;
}

/* Copies the output's elements and nothing that lies between them. */
static void copy_elements(const struct problem *problem, const struct side *side, char *to,
                          const char *from)
{
    struct walk walk[2 * PROBLEM_MAX_DIMS];
    const int dims = walk_output(problem, walk);
    int64_t place = side->layout->offset - side->start;
    for (int d = 0; d < dims; d++) place += walk[d].index * walk[d].stride;
    for (int64_t rest = wanted_elements(problem); rest > 0; rest--) {
        const size_t byte = (size_t)place * side->layout->element_bytes;
        memcpy(to + byte, from + byte, side->layout->element_bytes);
        for (int d = dims - 1; d >= 0; d--) {
            place += step(&walk[d]);
            if (walk[d].counter) break;
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
    const bool dense = side->layout->last - side->start + 1 == wanted_elements(problem);
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
    const struct layout *layout = &plan->layout;
    struct side from = {device, &layout->in, in, start_of(&layout->in), {0}};
    struct side to = {device, &layout->out, out, start_of(&layout->out), {0}};
    return run(plan, direction, &from, &to, aids);
}
