/* One band after the other. Where the device's queues copy by themselves, one comes while the one
 * before is going, so both ways are in use. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "stream/band.h"
#include "stream/convolve.h"

/* Shorter runs are gathered by the host: a queue would copy them one by one. */
#define LEAST_ROW_BYTES 256

/* A stream being run. */
struct run {
    struct stream *stream;
    weft_direction direction;
    struct far place[STREAM_PLACES];
    const struct stream_pass *before; /* the pass before the one that is run; NULL: there is none */
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

static weft_status complete_queues(struct stream *s)
{
    const struct device_link *link = s->device->ops->link;
    weft_status status = WEFT_OK;
    for (int i = 0; link && i < STREAM_QUEUES && !status; i++) {
        if (!s->queue[i]) status = link->queue_create(s->device, &s->queue[i]);
    }
    return status;
}

/* What of it is there from the run before is kept. */
static weft_status complete_memory(struct stream *s, bool needs_spare)
{
    const size_t most =
        s->near_bytes[0] > s->near_bytes[1] ? s->near_bytes[0] : s->near_bytes[1];
    weft_status status = complete_queues(s);
    for (int side = 0; side < 2 && !status; side++)
        status = alloc_device(s, s->near_bytes[side], &s->near[side]);
    if (!status) status = alloc_device(s, s->scratch_bytes, &s->scratch);
    if (!status && !s->device->host_memory) status = alloc_host(most, "a band", &s->staging);
    if (!status) status = alloc_host(s->workspace_bytes, "a tile", &s->workspace);
    if (status || !needs_spare || s->spare) return status;
    status = alloc_host(stream_spare_bytes(s), "what lies between two passes", &s->spare);
    if (!status) s->spare_pin = stream_pin(s->device, s->spare, stream_spare_bytes(s));
    return status;
}

/* ---- a band's copies ---- */

struct link_copy {
    struct stream *stream;
    const struct stream_pass *pass;
    char *host;
    int side;
};

static weft_status copy_by_link(void *context, const struct box_rows *rows)
{
    const struct link_copy *copy = context;
    struct stream *s = copy->stream;
    const struct device_rows there = {.memory = s->near[copy->side],
                                      .offset = (size_t)rows->near,
                                      .pitch = (size_t)rows->near_step,
                                      .host = copy->host + rows->far,
                                      .host_pitch = (size_t)rows->far_step,
                                      .bytes = rows->bytes,
                                      .rows = (size_t)rows->count,
                                      .scattered = stream_is_scattered(copy->pass)};
    const bool up = copy->side == 0;
    void *queue = s->queue[up ? STREAM_COMING : STREAM_GOING];
    return s->device->ops->link->copy(s->device, queue, &there, up);
}

/* Whether a queue copies the band by itself. */
static bool links(const struct stream *s, const struct band *band, int side, const struct far *far)
{
    const struct box box = band_box(band, side, far, &all_of_it);
    for (int d = 0; d < box.dims; d++) {
        if (box.dim[d].far < 0) return false;
    }
    if (!s->queue[0] || !far->pinned || far->im) return false;
    if (band->pass->mirrors[side] || stream_carries(band->pass, side)) return false;
    if (band->pass->window[side].range.count > 0) return false;
    return box_run(&box) >= LEAST_ROW_BYTES;
}

static weft_status wait_for(const struct stream *s, enum stream_queue queue)
{
    return s->queue[queue] ? s->device->ops->sync(s->device, s->queue[queue]) : WEFT_OK;
}

static weft_status follow(const struct stream *s, enum stream_queue queue, enum stream_queue other)
{
    if (!s->queue[queue]) return WEFT_OK;
    return s->device->ops->link->follow(s->device, s->queue[queue], s->queue[other]);
}

static size_t near_bytes(const struct stream_pass *pass, int side)
{
    return (size_t)pass->elements[side] * pass->element_bytes[side];
}

static weft_status bring_share(const struct run *run, const struct band *band,
                               const struct share *share)
{
    const struct far *far = &run->place[band->pass->place[0]];
    const struct box box = band_box(band, 0, far, share);
    struct link_copy copy = {run->stream, band->pass, far->re, 0};
    return box_walk(&box, copy_by_link, &copy);
}

/* What of the band is there before the last band of the pass before is: the rows of a split, but
 * for the columns that are still to come. */
static struct share ready_share(const struct run *run)
{
    const struct stream_pass *before = run->before;
    if (!before || before->columns < 0) return (struct share){0};
    const struct stream_dim *columns = &before->dim[before->columns];
    const int64_t last = (columns->n[1] - 1) / columns->part * columns->part;
    return (struct share){.last[1] = {0, last}};
}

/* The queue waits for the last transform, and so for all but the last band of the pass before. */
static weft_status bring_first(const struct run *run, const struct band *band)
{
    const struct share ready = ready_share(run);
    const int64_t there = ready.last[1].count, n = band->pass->dim[band->pass->dims - 1].n[0];
    weft_status status = there > 0 ? bring_share(run, band, &ready) : WEFT_OK;
    if (!status) status = follow(run->stream, STREAM_COMING, STREAM_GOING);
    if (status || there == 0) return status ? status : bring_share(run, band, &all_of_it);
    return bring_share(run, band, &(struct share){.last[1] = {there, n - there}});
}

static weft_status gather(const struct run *run, const struct band *band)
{
    struct stream *s = run->stream;
    const struct far *far = &run->place[band->pass->place[0]];
    void *near = s->staging ? s->staging : s->near[0];
    weft_status status = wait_for(s, STREAM_TRANSFORMS);
    if (!status && band->opens) status = wait_for(s, STREAM_GOING);
    if (!status) status = band_gather(band, s->problem.precision, far, near);
    if (status || !s->staging) return status;
    return s->device->ops->upload(s->device, s->near[0], 0, near, near_bytes(band->pass, 0));
}

static weft_status bring(const struct run *run, const struct band *band)
{
    if (!links(run->stream, band, 0, &run->place[band->pass->place[0]])) return gather(run, band);
    weft_status status = follow(run->stream, STREAM_COMING, STREAM_TRANSFORMS);
    if (status) return status;
    return band->opens ? bring_first(run, band) : bring_share(run, band, &all_of_it);
}

static weft_status scatter(const struct run *run, const struct band *band)
{
    struct stream *s = run->stream;
    const struct far *far = &run->place[band->pass->place[1]];
    void *near = s->staging ? s->staging : s->near[1];
    weft_status status = wait_for(s, STREAM_TRANSFORMS);
    if (!status && s->staging) {
        status =
            s->device->ops->download(s->device, s->near[1], 0, near, near_bytes(band->pass, 1));
    }
    return status ? status : band_scatter(band, s->problem.precision, far, near);
}

static weft_status take(const struct run *run, const struct band *band)
{
    const struct far *far = &run->place[band->pass->place[1]];
    const struct box box = band_box(band, 1, far, &all_of_it);
    if (!links(run->stream, band, 1, far)) return scatter(run, band);
    struct link_copy copy = {run->stream, band->pass, far->re, 1};
    weft_status status = follow(run->stream, STREAM_GOING, STREAM_TRANSFORMS);
    return status ? status : box_walk(&box, copy_by_link, &copy);
}

/* ---- a band's transform ---- */

/* Of the band's element 0 in the whole array; columns count their own slice. */
static void position_of(const struct band *band, int64_t position[2])
{
    for (int side = 0; side < 2; side++) position[side] = band->pass->first_position[side];
    for (int d = 0; d < band->pass->dims; d++) {
        for (int side = 0; side < 2 && d != band->pass->columns; side++)
            position[side] += band->first[d] * band->pass->dim[d].position[side];
    }
}

static weft_direction direction_of(const struct run *run, const struct stream_pass *pass)
{
    return pass->one_way ? WEFT_FORWARD : run->direction;
}

static weft_status run_slice(const struct run *run, const struct band *band)
{
    const struct stream_pass *pass = band->pass;
    struct stream *s = run->stream;
    struct pass_arguments arguments = {.direction = direction_of(run, pass),
                                       .queue = s->queue[STREAM_TRANSFORMS],
                                       .workspace = s->workspace};
    position_of(band, arguments.position);
    arguments.slice = band->first[pass->columns] / pass->split.width;
    arguments.place[PASS_INPUT].re = s->near[0];
    arguments.place[PASS_OUTPUT].re = s->near[1];
    weft_status status =
        s->device->ops->pass_run(s->device, pass->whole.executable->kernel[0], &arguments);
    if (status || arguments.queue || !s->device->ops->sync) return status;
    return s->device->ops->sync(s->device, NULL);
}

/* When the band is there, and the one before has gone. */
static weft_status transform(const struct run *run, const struct band *band)
{
    const struct stream_pass *pass = band->pass;
    struct stream *s = run->stream;
    const struct device_memory in = {.re = s->near[0]}, out = {.re = s->near[1]};
    weft_status status = follow(s, STREAM_TRANSFORMS, STREAM_COMING);
    if (!status) status = follow(s, STREAM_TRANSFORMS, STREAM_GOING);
    if (status || pass->columns >= 0) return status ? status : run_slice(run, band);
    const bool rest = pass->cut >= 0 && band_count(band, pass->cut, 1) < pass->dim[pass->cut].part;
    const struct stream_kernel *kernel = rest ? &pass->rest : &pass->whole;
    struct runner_aids aids = {.scratch = kernel->in_band ? s->near[0] : s->scratch,
                               .queue = s->queue[STREAM_TRANSFORMS]};
    position_of(band, aids.position);
    return runner_run(kernel->runner, direction_of(run, pass), in, out, &aids);
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

/* If anybody wants it. */
static weft_status run_band(const struct run *run, struct band *band)
{
    if (!band_is_there(band, 1)) return WEFT_OK;
    weft_status status = bring(run, band);
    band->opens = false;
    if (!status) status = transform(run, band);
    return status ? status : take(run, band);
}

static weft_status run_pass(const struct run *run, const struct stream_pass *pass)
{
    struct band band = {
        .pass = pass, .opens = true, .chirps = &run->place[STREAM_CHIRPS]};
    weft_status status = run_band(run, &band);
    while (!status && next_band(&band)) status = run_band(run, &band);
    return status;
}

/* Nothing is on its way when it returns, whatever happened. */
static weft_status finish(const struct stream *s, weft_status status)
{
    for (int i = 0; i < STREAM_QUEUES; i++) {
        const weft_status waited = wait_for(s, i);
        if (!status) status = waited;
    }
    return status;
}

/* All parts of the spare array. */
static void place_spare(struct run *run, const struct far *spare)
{
    const struct stream *s = run->stream;
    const struct far own = {.re = s->spare, .pinned = s->spare_pin != DEVICE_NOT_PINNED};
    for (int place = STREAM_SPARE; place < STREAM_PLACES; place++)
        run->place[place] = spare ? *spare : own;
    run->place[STREAM_LINES].first += s->spare_elements;
    run->place[STREAM_CHIRPS].first += s->spare_elements + s->line_elements;
}

static weft_status run_passes(struct run *run, const struct far *spare)
{
    struct stream *s = run->stream;
    weft_status status = complete_memory(s, !spare && stream_spare_bytes(s) > 0);
    place_spare(run, spare);
    for (int i = 0; i < s->passes && !status; i++) {
        if (!s->pass[i].runs[run->direction]) continue;
        status = run_pass(run, &s->pass[i]);
        run->before = &s->pass[i];
    }
    return finish(s, status);
}

weft_status stream_run(struct stream *s, weft_direction direction, const struct far *in,
                       const struct far *out, const struct stream_aids *aids)
{
    struct run run = {.stream = s, .direction = direction, .place = {*in, *out}};
    if (problem_elements(&s->problem) == 0) return WEFT_OK;
    pthread_mutex_lock(&s->lock);
    weft_status status =
        s->way[0] ? convolve_run(s, in, out, aids) : run_passes(&run, aids->spare);
    pthread_mutex_unlock(&s->lock);
    return status;
}
