#include "stream/carry.h"

#include <string.h>

#include "base/error.h"
#include "stream/reals.h"

/* One side of a band. */
struct side {
    struct stream_end end;
    const struct stream_carry *carry;
    const struct far *chirps;
    struct root_table roots; /* of STREAM_CHIRP */
    bool pairs;              /* near memory has those, not reals */
    bool out;
};

/* ---- near memory ---- */

static size_t number_bytes(const struct side *side)
{
    return (size_t)precision_bytes(side->end.precision) * (side->pairs ? 2 : 1);
}

static void load_near(const struct side *side, const char *near, struct numbers *x)
{
    const int step = side->pairs ? 2 : 1;
    numbers_load(x, near, step, x->count, &x->re, 0);
    if (side->pairs)
        numbers_load(x, near + precision_bytes(x->precision), step, x->count, &x->im, 0);
    else
        memset(&x->im, 0, sizeof x->im);
}

static void store_near(const struct side *side, const struct numbers *x, char *near)
{
    const int step = side->pairs ? 2 : 1;
    numbers_store(x, near, step, x->count, &x->re, 0);
    if (side->pairs)
        numbers_store(x, near + precision_bytes(x->precision), step, x->count, &x->im, 0);
}

/* ---- factors ---- */

static weft_status by_spectrum(const struct side *side, struct numbers *x)
{
    const struct stream_carry spectrum = {.n = side->carry->n, .stride = 1};
    const struct stream_end end = {.carry = &spectrum,
                                   .far = side->chirps,
                                   .first = side->chirps->first,
                                   .range = {0, spectrum.n},
                                   .precision = x->precision};
    struct numbers by = {.precision = x->precision, .k = x->k, .count = x->count};
    weft_status status = pairs_read(&end, &by);
    if (status) return status;
    numbers_multiply(x, &by);
    numbers_exchange(x);
    return WEFT_OK;
}

/* The numbers are of one row. */
static weft_status by_twiddles(const struct stream_carry *carry, struct numbers *x)
{
    const int64_t row = x->k / carry->columns, first = row * (x->k % carry->columns);
    if (numbers_turn(x, 1, carry->rows * carry->columns, first, row)) return WEFT_OK;
    return error_memory("the twiddles of a band");
}

static weft_status multiply(const struct side *side, struct numbers *x)
{
    const struct stream_carry *carry = side->carry;
    if (carry->factor == STREAM_SPECTRUM) return by_spectrum(side, x);
    if (carry->factor == STREAM_TWIDDLE) return by_twiddles(carry, x);
    if (carry->factor == STREAM_INVERSE)
        numbers_divide(x, (double)(carry->rows * carry->columns));
    if (carry->factor == STREAM_CHIRP)
        numbers_chirp(x, &side->roots, carry->rows * carry->columns);
    return WEFT_OK;
}

/* What numbers are convolved with: conjugates of the chirp, 1 - n to n - 1, in a circle. */
static void make_chirp(const struct side *side, struct numbers *x)
{
    const int64_t n = side->carry->n, circle = side->carry->rows * side->carry->columns;
    memset(&x->re, 0, sizeof x->re);
    memset(&x->im, 0, sizeof x->im);
    for (int i = 0; i < x->count; i++) {
        const int64_t k = x->k + i;
        if (k < n || circle - k < n) x->im.hi[i] = 1;
    }
    numbers_chirp(x, &side->roots, circle);
    numbers_exchange(x); /* i c becomes the conjugate of c */
}

/* ---- bands ---- */

/* Of these numbers those that the line has. */
static int count_there(const struct side *side, const struct numbers *x)
{
    const int64_t left = side->carry->n - x->k;
    if (!side->carry->factor || left >= x->count) return x->count;
    return left > 0 ? (int)left : 0;
}

static weft_status read_numbers(const struct side *side, struct numbers *x)
{
    const int count = x->count;
    x->count = count_there(side, x);
    weft_status status =
        side->end.reals->parts ? reals_read(&side->end, x) : pairs_read(&side->end, x);
    if (side->carry->exchanged) numbers_exchange(x);
    if (!status) status = multiply(side, x);
    x->count = count; /* zeros */
    return status;
}

static weft_status gather_numbers(const struct side *side, struct numbers *x, char *near)
{
    weft_status status = WEFT_OK;
    if (side->carry->made) make_chirp(side, x);
    else status = read_numbers(side, x);
    if (!status) store_near(side, x, near);
    return status;
}

static weft_status scatter_numbers(const struct side *side, struct numbers *x, const char *near)
{
    x->count = count_there(side, x);
    load_near(side, near, x);
    if (side->carry->factor == STREAM_CHIRP) numbers_exchange(x); /* from STREAM_SPECTRUM on */
    weft_status status = multiply(side, x);
    if (status) return status;
    if (side->carry->exchanged) numbers_exchange(x);
    return side->end.reals->parts ? reals_write(&side->end, x) : pairs_write(&side->end, x);
}

static struct side side_of(const struct band *band, bool out, weft_precision precision,
                           const struct far *far)
{
    const struct stream_pass *pass = band->pass;
    struct side side = {.end = {.reals = &pass->reals[out],
                                .carry = &pass->carry[out],
                                .far = far,
                                .first = far->first + pass->first[out],
                                .range = pass->window[out].range,
                                .precision = precision},
                        .carry = &pass->carry[out],
                        .chirps = band->chirps,
                        .out = out};
    side.pairs = pass->element_bytes[out] > (size_t)precision_bytes(precision);
    if (side.end.range.count == 0) side.end.range.count = INT64_MAX;
    for (int d = 0; d < pass->dims - 2; d++)
        side.end.first += band->first[d] * pass->dim[d].far[out];
    return side;
}

/* Numbers that are neighbours on either side. */
static weft_status copy_row(const struct side *side, int64_t first, int64_t count, char *near)
{
    struct numbers x = {.precision = side->end.precision};
    weft_status status = WEFT_OK;
    for (int64_t j = 0; j < count && !status; j += NUMBERS_MOST) {
        char *at = near + (size_t)j * number_bytes(side);
        x.k = first + j;
        x.count = (int)(count - j < NUMBERS_MOST ? count - j : NUMBERS_MOST);
        status = side->out ? scatter_numbers(side, &x, at) : gather_numbers(side, &x, at);
    }
    return status;
}

static weft_status copy_rows(const struct side *side, const struct band *band, char *near)
{
    const struct stream_pass *pass = band->pass;
    const int line = stream_line(pass), other = 2 * pass->dims - 3 - line;
    const struct stream_dim *dim = &pass->dim[line];
    const bool along = dim->near[side->out] == 1 && dim->far[side->out] == 1;
    const int row = along ? other : line, within = along ? line : other;
    const struct stream_dim *rows = &pass->dim[row], *numbers = &pass->dim[within];
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < band_count(band, row, side->out) && !status; i++) {
        const int64_t first = (band->first[row] + i) * rows->far[side->out] +
                              band->first[within] * numbers->far[side->out];
        char *at = near + (size_t)(i * rows->near[side->out]) * number_bytes(side);
        status = copy_row(side, first, band_count(band, within, side->out), at);
    }
    return status;
}

static weft_status copy(struct side side, const struct band *band, char *near)
{
    const bool has_roots = side.carry->factor == STREAM_CHIRP;
    if (has_roots && !root_table_init(&side.roots, 2 * side.carry->n))
        return error_memory("a chirp");
    const weft_status status = copy_rows(&side, band, near);
    if (has_roots) root_table_free(&side.roots);
    return status;
}

weft_status carry_gather(const struct band *band, weft_precision precision, const struct far *far,
                         void *near)
{
    return copy(side_of(band, false, precision, far), band, near);
}

weft_status carry_scatter(const struct band *band, weft_precision precision, const struct far *far,
                          const void *near)
{
    return copy(side_of(band, true, precision, far), band, (void *)(uintptr_t)near);
}
