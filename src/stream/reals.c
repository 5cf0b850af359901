#include "stream/reals.h"

#include <string.h>

#include "base/error.h"

/* ---- ranges ---- */

/* Numbers from `real` on in steps until the reals are there, or no longer are. */
static int64_t numbers_alike(struct range range, int64_t real, int64_t step)
{
    const int64_t first = range.first, last = first + range.count - 1;
    const int64_t size = step < 0 ? -step : step;
    if (size == 0) return INT64_MAX;
    if (real >= first && real <= last) return (step > 0 ? last - real : real - first) / size + 1;
    if (real < first && step > 0) return (first - real - 1) / size + 1;
    if (real > last && step < 0) return (real - last - 1) / size + 1;
    return INT64_MAX;
}

void reals_clip(struct reals_run *run, struct range range, int64_t most)
{
    const int64_t alike = numbers_alike(range, run->real, run->step);
    const int64_t ahead = run->real - range.first;
    if (run->count > most) run->count = most;
    if (run->weight == 0) return;
    if (run->count > alike) run->count = alike;
    if (ahead < 0 || ahead >= range.count) run->weight = 0;
}

/* ---- parts ---- */

/* The reals of numbers from the chunk's i-th on, as long as they go on in one step. */
static struct reals_run run_at(const struct stream_end *end, int p, const struct numbers *x, int i)
{
    struct reals_run run = reals_run_at(end->reals, p, x->k + i, 1);
    reals_clip(&run, end->range, x->count - i);
    return run;
}

static struct box box_of(const struct stream_end *end, const struct reals_run *run)
{
    const int64_t bytes = precision_bytes(end->precision), stride = end->reals->stride;
    return (struct box){.dims = 1,
                        .dim = {{run->count, run->step * stride * bytes, bytes}},
                        .far = (end->first + run->real * stride) * bytes,
                        .element = (size_t)bytes};
}

static weft_status gather_part(const struct stream_end *end, int p, const struct numbers *x,
                               struct numbers_part *to)
{
    struct numbers_part raw;
    memset(to, 0, sizeof *to);
    for (int i = 0; i < x->count;) {
        const struct reals_run run = run_at(end, p, x, i);
        const struct box box = box_of(end, &run);
        const int count = (int)run.count;
        weft_status status = run.weight != 0 ? far_gather(end->far, 0, &box, &raw) : WEFT_OK;
        if (status) return status;
        if (run.weight != 0) {
            numbers_load(x, &raw, 1, count, to, i);
            numbers_weigh(x, run.weight, to, i, count);
        }
        i += count;
    }
    return WEFT_OK;
}

static weft_status scatter_part(const struct stream_end *end, int p, const struct numbers *x,
                                struct numbers_part *from)
{
    struct numbers_part raw;
    for (int i = 0; i < x->count;) {
        const struct reals_run run = run_at(end, p, x, i);
        const struct box box = box_of(end, &run);
        const int count = (int)run.count;
        if (run.weight != 0) {
            numbers_weigh(x, run.weight, from, i, count);
            numbers_store(x, &raw, 1, count, from, i);
        }
        weft_status status = run.weight != 0 ? far_scatter(end->far, 0, &box, &raw) : WEFT_OK;
        if (status) return status;
        i += count;
    }
    return WEFT_OK;
}

static weft_status turn(const struct reals *reals, struct numbers *x)
{
    const int64_t first = reals->turn + reals->turn_step * x->k;
    if (!reals_turn(reals)) return WEFT_OK;
    if (numbers_turn(x, reals->factor, reals->order, first, reals->turn_step)) return WEFT_OK;
    return error_memory("the turns of a band");
}

weft_status reals_read(const struct stream_end *end, struct numbers *x)
{
    weft_status status = gather_part(end, 0, x, &x->re);
    memset(&x->im, 0, sizeof x->im);
    if (!status && end->reals->parts == 2) status = gather_part(end, 1, x, &x->im);
    return status ? status : turn(end->reals, x);
}

weft_status reals_write(const struct stream_end *end, struct numbers *x)
{
    weft_status status = turn(end->reals, x);
    if (!status) status = scatter_part(end, 0, x, &x->re);
    if (status || end->reals->parts == 1) return status;
    numbers_weigh(x, end->reals->im_sign, &x->im, 0, x->count);
    return scatter_part(end, 1, x, &x->im);
}
