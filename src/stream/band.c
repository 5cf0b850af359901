#include "stream/band.h"

#include <string.h>

#include "stream/carry.h"

int64_t band_count(const struct band *band, int d, int side)
{
    const struct stream_dim *dim = &band->pass->dim[d];
    const int64_t left = dim->n[side] - band->first[d];
    return dim->line || left < dim->part ? left : dim->part;
}

/* Of a line what there is of it. */
static struct range range_of(const struct band *band, int d, int side, const struct share *share)
{
    const struct stream_dim *dim = &band->pass->dim[d];
    const int last = d - band->pass->dims + 2;
    if (last >= 0 && share->last[last].count > 0) return share->last[last];
    return dim->line ? stream_range(dim, side) : (struct range){0, band_count(band, d, side)};
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
        const struct range range = range_of(band, d, side, share);
        const bool back = share->mirrored && d >= pass->dims - 2;
        const int64_t step = back ? -dim->far[side] : dim->far[side];
        first += (band->first[d] + range.first) * step;
        box.near += range.first * dim->near[side] * near;
        if (range.count == 1 || dim->near[side] == 0) continue;
        box.dim[box.dims++] =
            (struct box_dim){range.count, step * element, dim->near[side] * near};
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

/* ---- shares ---- */

/* Of a mirrored band the line's elements up to its middle, and those behind; and of what a window
 * has the rest of its first row, rows, and the beginning of its last one. */
#define MOST_SHARES 6

struct shares {
    int count;
    struct share share[MOST_SHARES];
};

static struct range common(struct range a, struct range b)
{
    const int64_t a_end = a.first + a.count, b_end = b.first + b.count;
    const int64_t first = a.first > b.first ? a.first : b.first;
    const int64_t end = a_end < b_end ? a_end : b_end;
    return (struct range){first, end > first ? end - first : 0};
}

static void add_share(const struct band *band, struct shares *shares, struct range line,
                      struct range other, bool mirrored)
{
    const int at = stream_line(band->pass) - band->pass->dims + 2; /* of the last two */
    if (line.count == 0 || other.count == 0) return;
    struct share *share = &shares->share[shares->count++];
    other.first -= band->first[band->pass->dims - 1 - at];
    share->last[at] = line;
    share->last[!at] = other;
    share->mirrored = mirrored;
}

/* Of these rows of the band what the numbers of the range are. */
static void add_rows(const struct band *band, struct shares *shares, struct range rows,
                     struct range other, struct range numbers, int64_t step, bool mirrored)
{
    const int64_t last = numbers.first + numbers.count - 1;
    const int64_t from = numbers.first / step, to = last / step;
    const struct range between = {from + 1, to - from - 1}, all = {0, step};
    const struct range first = {numbers.first - from * step, from == to ? numbers.count : step};
    add_share(band, shares, common(rows, (struct range){from, 1}),
              common(other, common(first, all)), mirrored);
    if (from == to) return;
    add_share(band, shares, common(rows, between), other, mirrored);
    add_share(band, shares, common(rows, (struct range){to, 1}),
              common(other, (struct range){0, last - to * step + 1}), mirrored);
}

static void add_half(const struct band *band, int side, struct shares *shares, struct range rows,
                     bool mirrored)
{
    const struct stream_pass *pass = band->pass;
    const struct stream_window *window = &pass->window[side];
    const int line = stream_line(pass), d = 2 * pass->dims - 3 - line;
    const struct range other = {band->first[d], band_count(band, d, side)};
    struct range numbers = window->range;
    if (numbers.count == 0) {
        add_share(band, shares, rows, other, mirrored);
        return;
    }
    if (mirrored) { /* n - k is there */
        const int64_t n = window->step * pass->dim[line].n[side];
        numbers.first = n - numbers.first - numbers.count + 1;
    }
    add_rows(band, shares, rows, other, numbers, window->step, mirrored);
}

static struct shares shares_of(const struct band *band, int side)
{
    const struct stream_pass *pass = band->pass;
    if (!pass->mirrors[side] && pass->window[side].range.count == 0)
        return (struct shares){1, {all_of_it}};
    const int64_t n = pass->dim[stream_line(pass)].n[side];
    const int64_t front = pass->mirrors[side] ? (n + 1) / 2 : n;
    struct shares shares = {.count = 0};
    add_half(band, side, &shares, (struct range){0, front}, false);
    add_half(band, side, &shares, (struct range){front, n - front}, true);
    return shares;
}

bool band_is_there(const struct band *band, int side)
{
    return stream_carries(band->pass, side) || shares_of(band, side).count > 0;
}

/* ---- copies ---- */

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
    const struct stream_pass *pass = band->pass;
    if (stream_carries(pass, 0)) return carry_gather(band, precision, far, near);
    const struct shares shares = shares_of(band, 0);
    if (pass->window[0].range.count > 0)
        memset(near, 0, (size_t)pass->elements[0] * pass->element_bytes[0]);
    weft_status status = WEFT_OK;
    for (int i = 0; i < shares.count && !status; i++) {
        status = gather_share(band, far, &shares.share[i], near);
        if (!status && shares.share[i].mirrored)
            conjugate(band, 0, &shares.share[i], precision, near);
    }
    return status;
}

weft_status band_scatter(const struct band *band, weft_precision precision, const struct far *far,
                         void *near)
{
    if (stream_carries(band->pass, 1)) return carry_scatter(band, precision, far, near);
    const struct shares shares = shares_of(band, 1);
    weft_status status = WEFT_OK;
    for (int i = 0; i < shares.count && !status; i++) {
        if (shares.share[i].mirrored) conjugate(band, 1, &shares.share[i], precision, near);
        status = scatter_share(band, far, &shares.share[i], near);
    }
    return status;
}
