/* Pairs, all of a line or those of half a spectrum. */
#include <string.h>

#include "stream/reals.h"

/* The elements of numbers from the i-th on, as long as they go on in one step; weight -1: they are
 * the conjugates. Half a spectrum is written as far as it goes. */
static struct reals_run run_at(const struct stream_end *end, bool writes, const struct numbers *x,
                               int i)
{
    const struct stream_carry *carry = end->carry;
    const int64_t k = x->k + i, n = carry->n, front = carry->half ? n / 2 + 1 : n;
    struct reals_run run = {.real = k, .step = 1, .count = front - k, .weight = 1};
    if (k >= front && k < n && !writes)
        run = (struct reals_run){.real = n - k, .step = -1, .count = n - k, .weight = -1};
    else if (k >= front)
        run = (struct reals_run){.count = INT64_MAX};
    reals_clip(&run, end->range, x->count - i);
    return run;
}

static struct box box_of(const struct stream_end *end, const struct reals_run *run)
{
    const int64_t bytes = precision_bytes(end->precision) * (end->far->im ? 1 : 2);
    const int64_t stride = end->carry->stride;
    return (struct box){.dims = 1,
                        .dim = {{run->count, run->step * stride * bytes, bytes}},
                        .far = (end->first + run->real * stride) * bytes,
                        .element = (size_t)bytes};
}

/* Planes, or the parts of pairs. */
struct raw {
    struct numbers_part part[2];
};

static char *part_of(const struct stream_end *end, struct raw *raw, int part)
{
    if (end->far->im) return (char *)&raw->part[part];
    return (char *)raw + part * precision_bytes(end->precision);
}

static weft_status read_run(const struct stream_end *end, const struct reals_run *run,
                            struct numbers *x, int i)
{
    struct raw raw;
    const struct box box = box_of(end, run);
    const int step = end->far->im ? 1 : 2, count = (int)run->count;
    weft_status status = far_gather(end->far, 0, &box, part_of(end, &raw, 0));
    if (!status && end->far->im) status = far_gather(end->far, 1, &box, part_of(end, &raw, 1));
    if (status) return status;
    numbers_load(x, part_of(end, &raw, 0), step, count, &x->re, i);
    numbers_load(x, part_of(end, &raw, 1), step, count, &x->im, i);
    numbers_weigh(x, run->weight, &x->im, i, count);
    return WEFT_OK;
}

static weft_status write_run(const struct stream_end *end, const struct reals_run *run,
                             const struct numbers *x, int i)
{
    struct raw raw;
    const struct box box = box_of(end, run);
    const int step = end->far->im ? 1 : 2, count = (int)run->count;
    numbers_store(x, part_of(end, &raw, 0), step, count, &x->re, i);
    numbers_store(x, part_of(end, &raw, 1), step, count, &x->im, i);
    weft_status status = far_scatter(end->far, 0, &box, part_of(end, &raw, 0));
    if (status || !end->far->im) return status;
    return far_scatter(end->far, 1, &box, part_of(end, &raw, 1));
}

weft_status pairs_read(const struct stream_end *end, struct numbers *x)
{
    weft_status status = WEFT_OK;
    memset(&x->re, 0, sizeof x->re);
    memset(&x->im, 0, sizeof x->im);
    for (int i = 0; i < x->count && !status;) {
        const struct reals_run run = run_at(end, false, x, i);
        if (run.weight != 0) status = read_run(end, &run, x, i);
        i += (int)run.count;
    }
    return status;
}

weft_status pairs_write(const struct stream_end *end, struct numbers *x)
{
    weft_status status = WEFT_OK;
    for (int i = 0; i < x->count && !status;) {
        const struct reals_run run = run_at(end, true, x, i);
        if (run.weight != 0) status = write_run(end, &run, x, i);
        i += (int)run.count;
    }
    return status;
}
