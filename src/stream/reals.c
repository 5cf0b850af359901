#include "stream/reals.h"

#include <string.h>

#include "base/error.h"
#include "math/roots.h"

/* Numbers on their way, in the first-level cache. */
#define CHUNK 256

struct chunk {
    int64_t k; /* the first's number along the line, the others follow */
    int count;
    double re[CHUNK], im[CHUNK];
};

struct end {
    const struct reals *reals;
    const struct far *far;
    int64_t first; /* elements to real 0 of the line */
    struct range range; /* the reals that there are */
    bool single;   /* precision */
    bool pairs;    /* near memory has those, not reals */
};

/* ---- numbers and memory ---- */

static void load(const void *array, bool single, int step, int count, double *to)
{
    const float *floats = array;
    const double *doubles = array;
    for (int i = 0; i < count; i++) to[i] = single ? (double)floats[step * i] : doubles[step * i];
}

static void store(void *array, bool single, int step, int count, const double *from)
{
    float *floats = array;
    double *doubles = array;
    for (int i = 0; i < count; i++) {
        if (single) floats[step * i] = (float)from[i];
        else doubles[step * i] = from[i];
    }
}

static size_t real_bytes(const struct end *end)
{
    return end->single ? sizeof(float) : sizeof(double);
}

static size_t number_bytes(const struct end *end)
{
    return (end->pairs ? 2 : 1) * real_bytes(end);
}

static void load_near(const struct end *end, const char *near, struct chunk *chunk)
{
    load(near, end->single, end->pairs ? 2 : 1, chunk->count, chunk->re);
    memset(chunk->im, 0, sizeof chunk->im);
    if (end->pairs) load(near + real_bytes(end), end->single, 2, chunk->count, chunk->im);
}

static void store_near(const struct end *end, const struct chunk *chunk, char *near)
{
    store(near, end->single, end->pairs ? 2 : 1, chunk->count, chunk->re);
    if (end->pairs) store(near + real_bytes(end), end->single, 2, chunk->count, chunk->im);
}

/* ---- parts ---- */

/* Numbers from `real` on in steps until the reals are there, or no longer are. */
static int64_t numbers_alike(const struct end *end, int64_t real, int64_t step)
{
    const int64_t first = end->range.first, last = first + end->range.count - 1;
    const int64_t size = step < 0 ? -step : step;
    if (size == 0) return INT64_MAX;
    if (real >= first && real <= last) return (step > 0 ? last - real : real - first) / size + 1;
    if (real < first && step > 0) return (first - real - 1) / size + 1;
    if (real > last && step < 0) return (real - last - 1) / size + 1;
    return INT64_MAX;
}

/* The reals of numbers from the chunk's i-th on, as long as they go on in one step. */
static struct reals_run run_at(const struct end *end, int p, const struct chunk *chunk, int i)
{
    struct reals_run run = reals_run_at(end->reals, p, chunk->k + i, 1);
    const int64_t alike = numbers_alike(end, run.real, run.step);
    const bool there = run.real - end->range.first >= 0 &&
                       run.real - end->range.first < end->range.count;
    if (run.count > chunk->count - i) run.count = chunk->count - i;
    if (run.weight == 0) return run;
    if (run.count > alike) run.count = alike;
    if (!there) run.weight = 0;
    return run;
}

static struct box box_of(const struct end *end, const struct reals_run *run)
{
    const int64_t bytes = (int64_t)real_bytes(end), stride = end->reals->stride;
    return (struct box){.dims = 1,
                        .dim = {{run->count, run->step * stride * bytes, bytes}},
                        .far = (end->first + run->real * stride) * bytes,
                        .element = (size_t)bytes};
}

static weft_status gather_part(const struct end *end, int p, const struct chunk *chunk, double *to)
{
    double raw[CHUNK];
    memset(to, 0, sizeof raw);
    for (int i = 0; i < chunk->count;) {
        const struct reals_run run = run_at(end, p, chunk, i);
        const struct box box = box_of(end, &run);
        weft_status status = run.weight != 0 ? far_gather(end->far, 0, &box, raw) : WEFT_OK;
        if (status) return status;
        if (run.weight != 0) load(raw, end->single, 1, (int)run.count, to + i);
        for (int j = 0; j < run.count; j++) to[i + j] *= run.weight;
        i += (int)run.count;
    }
    return WEFT_OK;
}

static weft_status scatter_part(const struct end *end, int p, const struct chunk *chunk,
                                double *from)
{
    double raw[CHUNK];
    for (int i = 0; i < chunk->count;) {
        const struct reals_run run = run_at(end, p, chunk, i);
        const struct box box = box_of(end, &run);
        for (int j = 0; j < run.count; j++) from[i + j] *= run.weight;
        store(raw, end->single, 1, (int)run.count, from + i);
        weft_status status = run.weight != 0 ? far_scatter(end->far, 0, &box, raw) : WEFT_OK;
        if (status) return status;
        i += (int)run.count;
    }
    return WEFT_OK;
}

static weft_status turn(const struct reals *reals, struct chunk *chunk)
{
    double re[CHUNK], im[CHUNK];
    if (!reals_turn(reals)) return WEFT_OK;
    const int64_t first = reals->turn + reals->turn_step * chunk->k;
    if (!roots_fill_double(reals->order, first, reals->turn_step, chunk->count, re, im))
        return error_memory("the turns of a band");
    for (int i = 0; i < chunk->count; i++) {
        const double x = chunk->re[i] * reals->factor, y = chunk->im[i] * reals->factor;
        chunk->re[i] = x * re[i] - y * im[i];
        chunk->im[i] = x * im[i] + y * re[i];
    }
    return WEFT_OK;
}

static weft_status gather_chunk(const struct end *end, struct chunk *chunk, char *near)
{
    weft_status status = gather_part(end, 0, chunk, chunk->re);
    memset(chunk->im, 0, sizeof chunk->im);
    if (!status && end->reals->parts == 2) status = gather_part(end, 1, chunk, chunk->im);
    if (!status) status = turn(end->reals, chunk);
    if (!status) store_near(end, chunk, near);
    return status;
}

static weft_status scatter_chunk(const struct end *end, struct chunk *chunk, const char *near)
{
    load_near(end, near, chunk);
    weft_status status = turn(end->reals, chunk);
    if (!status) status = scatter_part(end, 0, chunk, chunk->re);
    if (status || end->reals->parts == 1) return status;
    for (int i = 0; i < chunk->count; i++) chunk->im[i] *= end->reals->im_sign;
    return scatter_part(end, 1, chunk, chunk->im);
}

/* ---- bands ---- */

static struct end end_of(const struct band *band, int side, weft_precision precision,
                         const struct far *far)
{
    const struct stream_pass *pass = band->pass;
    struct end end = {.reals = &pass->reals[side],
                      .far = far,
                      .first = far->first + pass->first[side],
                      .single = precision == WEFT_F32};
    end.pairs = pass->element_bytes[side] > real_bytes(&end);
    end.range = pass->window[side].range;
    if (end.range.count == 0) end.range.count = end.reals->n;
    for (int d = 0; d < pass->dims - 2; d++) end.first += band->first[d] * pass->dim[d].far[side];
    return end;
}

/* Numbers of each of the line's indices are neighbours along the other of the last dimensions. */
static weft_status copy(const struct band *band, int side, weft_precision precision,
                        const struct far *far, char *near)
{
    const struct stream_pass *pass = band->pass;
    const struct end end = end_of(band, side, precision, far);
    const int line = pass->dim[pass->dims - 1].line ? pass->dims - 1 : pass->dims - 2;
    const int other = 2 * pass->dims - 3 - line;
    const int64_t count = band_count(band, other, side);
    struct chunk chunk;
    for (int64_t i = 0; i < pass->dim[line].n[side]; i++) {
        const int64_t first = i * pass->dim[line].far[side] + band->first[other];
        char *row = near + (size_t)(i * pass->dim[line].near[side]) * number_bytes(&end);
        for (int64_t j = 0; j < count; j += CHUNK) {
            char *at = row + (size_t)j * number_bytes(&end);
            chunk.k = first + j;
            chunk.count = (int)(count - j < CHUNK ? count - j : CHUNK);
            weft_status status =
                side ? scatter_chunk(&end, &chunk, at) : gather_chunk(&end, &chunk, at);
            if (status) return status;
        }
    }
    return WEFT_OK;
}

weft_status reals_gather(const struct band *band, weft_precision precision, const struct far *far,
                         void *near)
{
    return copy(band, 0, precision, far, near);
}

weft_status reals_scatter(const struct band *band, weft_precision precision, const struct far *far,
                          const void *near)
{
    return copy(band, 1, precision, far, (void *)(uintptr_t)near);
}
