#include "kernel/block_corners.h"

#include <math.h>
#include <string.h>

#include "kernel/block_ends.h"

/* ---- places ---- */

static int64_t length_of(const struct pass *pass, int axis)
{
    return axis ? pass->fold[axis - 1].dim.n : pass->line.n;
}

int block_corners(const struct pass *pass)
{
    return 2 << pass->folds;
}

static int64_t butterflies_below(const struct pass *pass, int axis)
{
    int64_t count = 1;
    for (int i = 0; i < axis; i++)
        count *= (length_of(pass, i) + 1) / 2;
    return count;
}

int64_t block_corner_butterflies(const struct pass *pass)
{
    return butterflies_below(pass, pass->folds + 1);
}

int64_t block_corner_first(const struct pass *pass, int64_t butterfly)
{
    int64_t place = 0, unit = 1;
    for (int i = 0; i <= pass->folds; i++) {
        const int64_t n = length_of(pass, i), count = (n + 1) / 2;
        place += butterfly % count * unit;
        butterfly /= count;
        unit *= n;
    }
    return place;
}

/* There and back alike. */
static int64_t mirrored(int64_t n, int64_t number)
{
    if (number == 0) return n % 2 ? 0 : n / 2;
    return 2 * number == n ? 0 : n - number;
}

int64_t block_corner_mirror(const struct pass *pass, int64_t place, int bits)
{
    int64_t unit = 1;
    for (int i = 0; i <= pass->folds; i++) {
        const int64_t n = length_of(pass, i), number = place / unit % n;
        if (bits >> i & 1) place += (mirrored(n, number) - number) * unit;
        unit *= n;
    }
    return place;
}

/* ---- as code ---- */

/* Of a butterfly along an axis: the number and its mirror, and whether the former is 0. */
struct numbers {
    ir_value of[2], first;
};

static struct numbers numbers_of(struct block *k, ir_value butterfly, int axis)
{
    struct ir_builder *b = k->b;
    const int64_t n = length_of(k->pass, axis);
    ir_value below = ir_int(b, butterflies_below(k->pass, axis));
    ir_value own = ir_int_mod(b, ir_int_div(b, butterfly, below), ir_int(b, (n + 1) / 2));
    ir_value first = ir_equal(b, own, ir_int(b, 0));
    ir_value mirror =
        ir_select(b, first, ir_int(b, mirrored(n, 0)), ir_int_sub(b, ir_int(b, n), own));
    return (struct numbers){{own, mirror}, first};
}

ir_value block_corner_element(struct block *k, ir_value butterfly, int corner)
{
    struct ir_builder *b = k->b;
    ir_value place = ir_int(b, 0);
    int64_t unit = 1;
    for (int i = 0; i <= k->pass->folds; i++) {
        const struct numbers at = numbers_of(k, butterfly, i);
        place = ir_int_add(b, place, ir_int_mul(b, at.of[corner >> i & 1], ir_int(b, unit)));
        unit *= length_of(k->pass, i);
    }
    return place;
}

/* ---- along a fold ---- */

/* x + i y and x - i y; x + y and i (x - y). */
static void fold_two(struct block *k, struct ir_complex *x, struct ir_complex *y)
{
    struct ir_builder *b = k->b;
    const struct ir_complex u = *x, v = *y;
    *x = (struct ir_complex){ir_sub(b, u.re, v.im), ir_add(b, u.im, v.re)};
    *y = (struct ir_complex){ir_add(b, u.re, v.im), ir_sub(b, u.im, v.re)};
}

static void unfold_two(struct block *k, struct ir_complex *x, struct ir_complex *y)
{
    struct ir_builder *b = k->b;
    const struct ir_complex u = *x, v = *y;
    *x = (struct ir_complex){ir_add(b, u.re, v.re), ir_add(b, u.im, v.im)};
    *y = (struct ir_complex){ir_sub(b, v.im, u.im), ir_sub(b, u.re, v.re)};
}

/* w^k */
static struct ir_complex root_of(struct block *k, int axis, ir_value number)
{
    ir_value step = ir_int(k->b, k->turn.order / (4 * length_of(k->pass, axis)));
    return block_turn(k, ir_int_mul(k->b, number, step));
}

static void turn_both(struct block *k, struct ir_complex root, struct ir_complex *x,
                      struct ir_complex *y)
{
    *x = ir_complex_mul(k->b, *x, root);
    *y = ir_complex_mul(k->b, *y, block_conjugate(k, root));
}

/* Two corners that differ along an axis: of the 0-th butterfly each is by itself. */
static void pair_corners(struct block *k, bool odd, ir_value at_first, struct ir_complex root,
                         struct ir_complex *x, struct ir_complex *y)
{
    const bool unfolds = pass_scatters_half(k->pass);
    const struct ir_complex own = block_times(k, unfolds ? 2 : 1, *x);
    const struct ir_complex first = block_times(k, k->pass->reals[unfolds].on_mirror, own);
    const struct ir_complex middle = odd ? first : block_times(k, sqrt(2), *y);
    if (unfolds) {
        turn_both(k, root, x, y);
        unfold_two(k, x, y);
    } else {
        fold_two(k, x, y);
        turn_both(k, root, x, y);
    }
    *x = ir_complex_select(k->b, at_first, first, *x);
    *y = ir_complex_select(k->b, at_first, middle, *y);
}

static void pair_along(struct block *k, int axis, const struct numbers *at, struct ir_complex *x)
{
    const bool odd = length_of(k->pass, axis) % 2 != 0;
    const struct ir_complex root = root_of(k, axis, at->of[0]);
    for (int j = 0; j < block_corners(k->pass); j++) {
        if (!(j >> axis & 1)) pair_corners(k, odd, at->first, root, &x[j], &x[j | 1 << axis]);
    }
}

/* ---- rows ---- */

/* Where the row of a corner begins; those of sines have the order turned round. */
static ir_value row_address(struct block *k, const struct block_end *end, ir_value column,
                            const struct numbers *at, int corner)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value address = block_address_of(k, end, column, ir_int(b, 0));
    for (int i = 0; i < pass->folds; i++) {
        const struct dim *dim = &pass->fold[i].dim;
        const int64_t stride = end->out ? dim->out_stride : dim->in_stride;
        ir_value row = at[i + 1].of[corner >> (i + 1) & 1];
        if (pass->reals[end->out].first > 0) row = ir_int_sub(b, ir_int(b, dim->n - 1), row);
        address = ir_int_add(b, address, ir_int_mul(b, row, ir_int(b, stride)));
    }
    return address;
}

/* Numbers 0 and h fold to element 0, and h / 2 to twice itself. */
static void load_row(struct block *k, ir_value row, const struct numbers *at, struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const int64_t h = k->pass->line.n;
    ir_value zero = ir_int(b, 0), own = at->of[0], other = ir_int_sub(b, ir_int(b, h), own);
    const struct block_folded folded = block_fold(k, own, block_half_number(k, row, zero, own),
                                                  block_half_number(k, row, zero, other));
    struct ir_complex middle = folded.own;
    if (h % 2 == 0) {
        ir_value index = ir_select(b, at->first, ir_int(b, h / 2), own);
        middle = block_times(k, 2, block_half_number(k, row, zero, index));
    }
    x[0] = folded.own;
    x[1] = ir_complex_select(k->b, at->first, middle, folded.other);
}

static void store_number(struct block *k, ir_value row, ir_value number, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    ir_value further = ir_int_mul(b, number, ir_int(b, k->pass->line.out_stride));
    block_store_number(k, ir_int_add(b, row, further), number, block_scale(k, x));
}

static void store_row(struct block *k, ir_value row, const struct numbers *at,
                      const struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const int64_t h = k->pass->line.n;
    const struct block_spread spread = block_spread(k, at->of[0], at->first, x[0], x[1]);
    store_number(k, row, at->of[0], spread.own);
    store_number(k, row, ir_int_sub(b, ir_int(b, h), at->of[0]), spread.other);
    if (h % 2 != 0) return;
    ir_if(b, at->first);
    store_number(k, row, ir_int(b, h / 2), spread.middle);
    ir_end(b);
}

/* ---- all of it ---- */

static void find_numbers(struct block *k, const struct block_spot *spot, struct numbers *at)
{
    for (int i = 0; i <= k->pass->folds; i++)
        at[i] = numbers_of(k, spot->index, i);
}

void block_gather_corners(struct block *k, const struct block_end *end,
                          const struct block_spot *spot, struct ir_complex *x)
{
    struct numbers at[PASS_MAX_FOLDS + 1];
    ir_value column = block_existing_column(k, spot);
    find_numbers(k, spot, at);
    for (int j = 0; j < block_corners(k->pass); j += 2)
        load_row(k, row_address(k, end, column, at, j), at, &x[j]);
    for (int i = 1; i <= k->pass->folds; i++)
        pair_along(k, i, &at[i], x);
}

void block_scatter_corners(struct block *k, const struct block_end *end,
                           const struct block_spot *spot, const struct ir_complex *x)
{
    struct numbers at[PASS_MAX_FOLDS + 1];
    struct ir_complex y[LIMITS_MAX_RADIX];
    memcpy(y, x, (size_t)block_corners(k->pass) * sizeof *y);
    find_numbers(k, spot, at);
    for (int i = 1; i <= k->pass->folds; i++)
        pair_along(k, i, &at[i], y);
    for (int j = 0; j < block_corners(k->pass); j += 2)
        store_row(k, row_address(k, end, spot->column, at, j), at, &y[j]);
}
