#include "stream/band.h"

#include "stream/reals.h"

int64_t band_count(const struct band *band, int d, int side)
{
    const struct stream_dim *dim = &band->pass->dim[d];
    const int64_t left = dim->n[side] - band->first[d];
    return dim->line || left < dim->part ? left : dim->part;
}

/* Of a line what there is of it. */
static struct share window_of(const struct band *band, int d, int side, const struct share *share)
{
    const struct stream_dim *dim = &band->pass->dim[d];
    const struct range range = stream_range(dim, side);
    if (share->d == d) return *share;
    if (dim->line) return (struct share){.d = d, .first = range.first, .n = range.count};
    return (struct share){.d = d, .n = band_count(band, d, side)};
}

struct box band_box(const struct band *band, int side, const struct far *far,
                    const struct share *share)
{
    const struct stream_pass *pass = band->pass;
    const int64_t near = (int64_t)pass->element_bytes[side];
    struct box box = {.element = pass->element_bytes[side] / (far->im ? 2 : 1)};
    const int64_t element = (int64_t)box.element;
    int64_t first = far->first + pass->first[side] + (share->mirrored ? pass->mirror_far : 0);
    for (int i = 0; i < pass->dims; i++) {
        const int d = pass->order[side][i];
        const struct stream_dim *dim = &pass->dim[d];
        const struct share window = window_of(band, d, side, share);
        const bool back = share->mirrored && d >= pass->dims - 2;
        const int64_t step = back ? -dim->far[side] : dim->far[side];
        first += (band->first[d] + window.first) * step;
        box.near += window.first * dim->near[side] * near;
        if (window.n == 1 || dim->near[side] == 0) continue;
        box.dim[box.dims++] = (struct box_dim){window.n, step * element, dim->near[side] * near};
    }
    box.far = first * element;
    return box;
}

/* ---- conjugates ---- */

struct conjugating {
    char *near;
    weft_precision precision;
};

/* Of pairs that lie one behind the other. */
static void conjugate_run(char *pairs, size_t bytes, weft_precision precision)
{
    if (precision == WEFT_F32) {
        float *number = (float *)(void *)pairs;
        for (size_t i = 1; i < bytes / sizeof *number; i += 2)
            number[i] = -number[i];
        return;
    }
    double *number = (double *)(void *)pairs;
    const size_t words = precision == WEFT_DD ? 2 : 1; /* of a real number */
    for (size_t i = 0; i < bytes / sizeof *number; i++) {
        if (i / words % 2 == 1) number[i] = -number[i];
    }
}

static weft_status conjugate_rows(void *context, const struct box_rows *rows)
{
    const struct conjugating *c = context;
    for (int64_t i = 0; i < rows->count; i++)
        conjugate_run(c->near + rows->near + i * rows->near_step, rows->bytes, c->precision);
    return WEFT_OK;
}

static void conjugate(const struct band *band, int side, const struct share *share,
                      weft_precision precision, char *near)
{
    const struct far pairs = {0};
    struct conjugating conjugating = {near, precision};
    struct box box = band_box(band, side, &pairs, share);
    for (int d = 0; d < box.dims; d++)
        box.dim[d].far = box.dim[d].near;
    (void)box_walk(&box, conjugate_rows, &conjugating);
}

/* ---- copies ---- */

/* The two shares of a mirrored band: the line's elements up to its middle, and those behind. */
static struct share half_of(const struct stream_pass *pass, int side, bool mirrored)
{
    const int last = pass->dims - 1, d = pass->dim[last].line ? last : last - 1;
    const int64_t n = pass->dim[d].n[side], middle = (n + 1) / 2;
    if (mirrored) return (struct share){d, middle, n - middle, true};
    return (struct share){.d = d, .n = middle};
}

static weft_status gather_share(const struct band *band, const struct far *far,
                                const struct share *share, void *near)
{
    struct box box = band_box(band, 0, far, share);
    weft_status status = far_gather(far, 0, &box, near);
    if (status || !far->im) return status;
    box.near += (int64_t)box.element;
    return far_gather(far, 1, &box, near);
}

static weft_status scatter_share(const struct band *band, const struct far *far,
                                 const struct share *share, const void *near)
{
    struct box box = band_box(band, 1, far, share);
    weft_status status = far_scatter(far, 0, &box, near);
    if (status || !far->im) return status;
    box.near += (int64_t)box.element;
    return far_scatter(far, 1, &box, near);
}

weft_status band_gather(const struct band *band, weft_precision precision, const struct far *far,
                        void *near)
{
    if (band->pass->reals[0].parts) return reals_gather(band, precision, far, near);
    if (!band->pass->mirrors[0]) return gather_share(band, far, &all_of_it, near);
    const struct share front = half_of(band->pass, 0, false), back = half_of(band->pass, 0, true);
    weft_status status = gather_share(band, far, &front, near);
    if (!status) status = gather_share(band, far, &back, near);
    if (!status) conjugate(band, 0, &back, precision, near);
    return status;
}

weft_status band_scatter(const struct band *band, weft_precision precision, const struct far *far,
                         void *near)
{
    if (band->pass->reals[1].parts) return reals_scatter(band, precision, far, near);
    if (!band->pass->mirrors[1]) return scatter_share(band, far, &all_of_it, near);
    const struct share front = half_of(band->pass, 1, false), back = half_of(band->pass, 1, true);
    weft_status status = scatter_share(band, far, &front, near);
    if (status) return status;
    conjugate(band, 1, &back, precision, near);
    return scatter_share(band, far, &back, near);
}
