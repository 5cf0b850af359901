/* One band after the other. Where the device's queues copy by themselves, bands take turns in two
 * slots: while one is transformed, the other is on its way in or out, and both ways are in use. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "stream/pass.h"

/* Shorter runs are gathered by the host: a queue would copy them one by one. */
#define LEAST_ROW_BYTES 256

/* A stream being run. */
struct run {
    struct stream *stream;
    weft_direction direction;
    struct far place[STREAM_PLACES];
};

/* One band of a pass: the first element along every dimension. */
struct band {
    const struct stream_pass *pass;
    int64_t first[BOX_MAX_DIMS];
};

enum device_pin stream_pin(struct device *device, void *memory, size_t bytes)
{
    const struct device_link *link = device->ops->link;
    return link && bytes > 0 ? link->pin(device, memory, bytes) : DEVICE_NOT_PINNED;
}

void stream_unpin(struct device *device, void *memory, enum device_pin pin)
{
    if (pin == DEVICE_PINNED) device->ops->link->unpin(device, memory);
}

/* ---- memory ---- */

static weft_status alloc_device(struct stream *s, size_t bytes, void **memory)
{
    if (*memory || bytes == 0) return WEFT_OK;
    return s->device->ops->alloc(s->device, bytes, memory);
}

static weft_status alloc_host(size_t bytes, const char *what, void **memory)
{
    if (*memory || bytes == 0) return WEFT_OK;
    *memory = memory_alloc_large(bytes);
    return *memory ? WEFT_OK : error_memory(what);
}

static weft_status complete_slot(struct stream *s, struct stream_slot *slot)
{
    weft_status status = WEFT_OK;
    for (int side = 0; side < 2 && !status; side++)
        status = alloc_device(s, s->near_bytes[side], &slot->near[side]);
    if (!status) status = alloc_device(s, s->scratch_bytes, &slot->scratch);
    const struct device_link *link = s->device->ops->link;
    if (status || !link || slot->queue) return status;
    return link->queue_create(s->device, &slot->queue);
}

/* What of it is there from the run before is kept. */
static weft_status complete_memory(struct stream *s, bool needs_spare)
{
    weft_status status = WEFT_OK;
    const size_t most =
        s->near_bytes[0] > s->near_bytes[1] ? s->near_bytes[0] : s->near_bytes[1];
    for (int i = 0; i < s->slots && !status; i++) status = complete_slot(s, &s->slot[i]);
    if (!status && !s->device->host_memory) status = alloc_host(most, "a band", &s->staging);
    if (!status) status = alloc_host(s->workspace_bytes, "a tile", &s->workspace);
    if (status || !needs_spare || s->spare) return status;
    status = alloc_host(stream_spare_bytes(s), "what lies between two passes", &s->spare);
    if (!status) s->spare_pin = stream_pin(s->device, s->spare, stream_spare_bytes(s));
    return status;
}

/* ---- a band's copies ---- */

static int64_t count_of(const struct band *band, int d, int side)
{
    const struct stream_dim *dim = &band->pass->dim[d];
    const int64_t left = dim->n[side] - band->first[d];
    return dim->line || left < dim->part ? left : dim->part;
}

/* Where the band lies in its large array, of which each element has so many bytes, and in near
 * memory: planes there are parts of pairs. */
static struct box box_of(const struct run *run, const struct band *band, int side)
{
    const struct stream_pass *pass = band->pass;
    const struct far *far = &run->place[pass->place[side]];
    const int64_t near = (int64_t)pass->element_bytes[side];
    struct box box = {.element = pass->element_bytes[side] / (far->im ? 2 : 1)};
    const int64_t element = (int64_t)box.element;
    int64_t first = far->first;
    for (int i = 0; i < pass->dims; i++) {
        const int d = pass->order[side][i];
        const struct stream_dim *dim = &pass->dim[d];
        first += band->first[d] * dim->far[side];
        const int64_t n = count_of(band, d, side);
        if (n == 1 || dim->near[side] == 0) continue;
        box.dim[box.dims++] =
            (struct box_dim){n, dim->far[side] * element, dim->near[side] * near};
    }
    box.far = first * element;
    return box;
}

static struct box plane_of(const struct box *box, int plane)
{
    struct box of = *box;
    of.near += plane * (int64_t)box->element;
    return of;
}

struct link_copy {
    const struct run *run;
    const struct stream_slot *slot;
    char *host;
    void *memory;
    bool up;
};

static weft_status copy_by_link(void *context, const struct box_rows *rows)
{
    const struct link_copy *copy = context;
    struct device *device = copy->run->stream->device;
    const struct device_rows there = {.memory = copy->memory,
                                      .offset = (size_t)rows->near,
                                      .pitch = (size_t)rows->near_step,
                                      .host = copy->host + rows->far,
                                      .host_pitch = (size_t)rows->far_step,
                                      .bytes = rows->bytes,
                                      .rows = (size_t)rows->count};
    return device->ops->link->copy(device, copy->slot->queue, &there, copy->up);
}

/* Whether the queue copies the band by itself. */
static bool links(const struct stream_slot *slot, const struct far *far, const struct box *box)
{
    for (int d = 0; d < box->dims; d++) {
        if (box->dim[d].far < 0) return false;
    }
    return slot->queue && far->pinned && !far->im && box_run(box) >= LEAST_ROW_BYTES;
}

static weft_status wait_for(const struct run *run, const struct stream_slot *slot)
{
    struct device *device = run->stream->device;
    return slot->queue ? device->ops->sync(device, slot->queue) : WEFT_OK;
}

static size_t near_bytes(const struct stream_pass *pass, int side)
{
    return (size_t)pass->elements[side] * pass->element_bytes[side];
}

static weft_status bring(const struct run *run, const struct stream_slot *slot,
                         const struct band *band)
{
    struct stream *s = run->stream;
    const struct far *far = &run->place[band->pass->place[0]];
    const struct box box = box_of(run, band, 0);
    if (links(slot, far, &box)) {
        struct link_copy copy = {run, slot, far->re, slot->near[0], true};
        return box_walk(&box, copy_by_link, &copy);
    }
    void *near = s->staging ? s->staging : slot->near[0];
    weft_status status = wait_for(run, slot);
    for (int plane = 0; plane < (far->im ? 2 : 1) && !status; plane++) {
        const struct box part = plane_of(&box, plane);
        status = far_gather(far, plane, &part, near);
    }
    if (status || !s->staging) return status;
    return s->device->ops->upload(s->device, slot->near[0], 0, near, near_bytes(band->pass, 0));
}

static weft_status take(const struct run *run, const struct stream_slot *slot,
                        const struct band *band)
{
    struct stream *s = run->stream;
    const struct far *far = &run->place[band->pass->place[1]];
    const struct box box = box_of(run, band, 1);
    if (links(slot, far, &box)) {
        struct link_copy copy = {run, slot, far->re, slot->near[1], false};
        return box_walk(&box, copy_by_link, &copy);
    }
    void *near = s->staging ? s->staging : slot->near[1];
    weft_status status = wait_for(run, slot);
    if (!status && s->staging) {
        status =
            s->device->ops->download(s->device, slot->near[1], 0, near, near_bytes(band->pass, 1));
    }
    for (int plane = 0; plane < (far->im ? 2 : 1) && !status; plane++) {
        const struct box part = plane_of(&box, plane);
        status = far_scatter(far, plane, &part, near);
    }
    return status;
}

/* ---- a band's transform ---- */

static weft_status run_slice(const struct run *run, const struct stream_slot *slot,
                             const struct band *band)
{
    const struct stream_pass *pass = band->pass;
    struct device *device = run->stream->device;
    struct pass_arguments arguments = {.direction = run->direction,
                                       .queue = slot->queue,
                                       .workspace = run->stream->workspace};
    arguments.slice = band->first[pass->columns] / pass->split.width;
    arguments.place[PASS_INPUT].re = slot->near[0];
    arguments.place[PASS_OUTPUT].re = slot->near[1];
    weft_status status =
        device->ops->pass_run(device, pass->whole.executable->kernel[0], &arguments);
    return status || slot->queue || !device->ops->sync ? status : device->ops->sync(device, NULL);
}

static weft_status transform(const struct run *run, const struct stream_slot *slot,
                             const struct band *band)
{
    const struct stream_pass *pass = band->pass;
    const struct device_memory in = {.re = slot->near[0]}, out = {.re = slot->near[1]};
    if (pass->columns >= 0) return run_slice(run, slot, band);
    const bool rest = pass->cut >= 0 && count_of(band, pass->cut, 1) < pass->dim[pass->cut].part;
    const struct runner_aids aids = {.scratch = slot->scratch, .queue = slot->queue};
    return runner_run(rest ? pass->rest.runner : pass->whole.runner, run->direction, in, out,
                      &aids);
}

/* ---- passes ---- */

/* The next band. False: that was the last. */
static bool next_band(struct band *band)
{
    for (int d = band->pass->dims - 1; d >= 0; d--) {
        const struct stream_dim *dim = &band->pass->dim[d];
        if (dim->line) continue;
        band->first[d] += dim->part;
        if (band->first[d] < dim->n[1]) return true;
        band->first[d] = 0;
    }
    return false;
}

static weft_status run_band(const struct run *run, const struct stream_slot *slot,
                            const struct band *band)
{
    weft_status status = bring(run, slot, band);
    if (!status) status = transform(run, slot, band);
    return status ? status : take(run, slot, band);
}

/* Nothing of a pass is on its way when it returns, whatever happened. */
static weft_status run_pass(const struct run *run, const struct stream_pass *pass)
{
    struct stream *s = run->stream;
    struct band band = {.pass = pass};
    weft_status status = WEFT_OK;
    int turn = 0;
    do {
        status = run_band(run, &s->slot[turn], &band);
        turn = (turn + 1) % s->slots;
    } while (!status && next_band(&band));
    for (int i = 0; i < s->slots; i++) {
        const weft_status waited = wait_for(run, &s->slot[i]);
        if (!status) status = waited;
    }
    return status;
}

/* Both parts of the spare array. */
static void place_spare(struct run *run, const struct far *spare)
{
    const struct stream *s = run->stream;
    const struct far own = {.re = s->spare, .pinned = s->spare_pin != DEVICE_NOT_PINNED};
    run->place[STREAM_SPARE] = run->place[STREAM_LINES] = spare ? *spare : own;
    run->place[STREAM_LINES].first += s->spare_elements;
}

static weft_status run_passes(struct run *run, const struct far *spare)
{
    struct stream *s = run->stream;
    weft_status status = complete_memory(s, !spare && stream_spare_bytes(s) > 0);
    place_spare(run, spare);
    for (int i = 0; i < s->passes && !status; i++) status = run_pass(run, &s->pass[i]);
    return status;
}

weft_status stream_run(struct stream *s, weft_direction direction, const struct far *in,
                       const struct far *out, const struct far *spare)
{
    struct run run = {.stream = s, .direction = direction, .place = {*in, *out}};
    if (problem_elements(&s->problem) == 0) return WEFT_OK;
    pthread_mutex_lock(&s->lock);
    weft_status status = run_passes(&run, spare);
    pthread_mutex_unlock(&s->lock);
    return status;
}
