#include "stream/reals.h"

#include <string.h>

#include "base/error.h"
#include "spec/problem.h"
#include "stream/numbers.h"

struct end {
    const struct reals *reals;
    const struct far *far;
    int64_t first;      /* elements to real 0 of the line */
    struct range range; /* the reals that there are */
    weft_precision precision;
    bool pairs; /* near memory has those, not reals */
};

/* ---- near memory ---- */

static size_t real_bytes(const struct end *end)
{
    return (size_t)precision_bytes(end->precision);
}

static size_t number_bytes(const struct end *end)
{
    return (end->pairs ? 2 : 1) * real_bytes(end);
}

static void load_near(const struct end *end, const char *near, struct numbers *x)
{
    numbers_load(x, near, end->pairs ? 2 : 1, x->count, &x->re, 0);
    if (end->pairs) numbers_load(x, near + real_bytes(end), 2, x->count, &x->im, 0);
    else memset(&x->im, 0, sizeof x->im);
}

static void store_near(const struct end *end, const struct numbers *x, char *near)
{
    numbers_store(x, near, end->pairs ? 2 : 1, x->count, &x->re, 0);
    if (end->pairs) numbers_store(x, near + real_bytes(end), 2, x->count, &x->im, 0);
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
static struct reals_run run_at(const struct end *end, int p, const struct numbers *x, int i)
{
    struct reals_run run = reals_run_at(end->reals, p, x->k + i, 1);
    const int64_t alike = numbers_alike(end, run.real, run.step);
    const bool there = run.real - end->range.first >= 0 &&
                       run.real - end->range.first < end->range.count;
    if (run.count > x->count - i) run.count = x->count - i;
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

static weft_status gather_part(const struct end *end, int p, const struct numbers *x,
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

static weft_status scatter_part(const struct end *end, int p, const struct numbers *x,
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

static weft_status gather_numbers(const struct end *end, struct numbers *x, char *near)
{
    weft_status status = gather_part(end, 0, x, &x->re);
    memset(&x->im, 0, sizeof x->im);
    if (!status && end->reals->parts == 2) status = gather_part(end, 1, x, &x->im);
    if (!status) status = turn(end->reals, x);
    if (!status) store_near(end, x, near);
    return status;
}

static weft_status scatter_numbers(const struct end *end, struct numbers *x, const char *near)
{
    load_near(end, near, x);
    weft_status status = turn(end->reals, x);
    if (!status) status = scatter_part(end, 0, x, &x->re);
    if (status || end->reals->parts == 1) return status;
    numbers_weigh(x, end->reals->im_sign, &x->im, 0, x->count);
    return scatter_part(end, 1, x, &x->im);
}

/* ---- bands ---- */

static struct end end_of(const struct band *band, int side, weft_precision precision,
                         const struct far *far)
{
    const struct stream_pass *pass = band->pass;
    struct end end = {.reals = &pass->reals[side],
                      .far = far,
                      .first = far->first + pass->first[side],
                      .precision = precision};
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
    struct numbers x = {.precision = precision};
    for (int64_t i = 0; i < pass->dim[line].n[side]; i++) {
        const int64_t first = i * pass->dim[line].far[side] + band->first[other];
        char *row = near + (size_t)(i * pass->dim[line].near[side]) * number_bytes(&end);
        for (int64_t j = 0; j < count; j += NUMBERS_MOST) {
            char *at = row + (size_t)j * number_bytes(&end);
            x.k = first + j;
            x.count = (int)(count - j < NUMBERS_MOST ? count - j : NUMBERS_MOST);
            weft_status status =
                side ? scatter_numbers(&end, &x, at) : gather_numbers(&end, &x, at);
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
