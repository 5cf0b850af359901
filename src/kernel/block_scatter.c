/* The registers of the last step to global memory. */
#include "kernel/block_cluster.h"
#include "kernel/block_corners.h"
#include "kernel/block_ends.h"

static void store_reals(struct block *k, const struct block_end *end, ir_value address,
                        struct ir_complex x)
{
    ir_store(k->b, end->re, address, x.re);
    if (!k->pass->lone) ir_store(k->b, end->re, block_second_address(k, address), x.im);
}

static void store(struct block *k, const struct block_end *end, ir_value address, ir_value position,
                  struct ir_complex x)
{
    if (!end->real) x = block_directed(k, end, x);
    x = block_hook(k, true, position, x);
    if (end->real) {
        store_reals(k, end, address, x);
    } else if (end->format == WEFT_PLANAR) {
        ir_store(k->b, end->re, address, x.re);
        ir_store(k->b, end->im, address, x.im);
    } else {
        ir_store_pair(k->b, end->re, address, x.re, x.im);
    }
}

/* A real if it is in the range. */
static void store_real(struct block *k, const struct block_end *end, ir_value address,
                       ir_value number, ir_value x)
{
    ir_if(k->b, block_in_range(k, true, number));
    ir_store(k->b, end->re, address, x);
    ir_end(k->b);
}

/* What is in the range of an element. */
static void store_in_range(struct block *k, const struct block_end *end, ir_value address,
                           ir_value position, ir_value number, struct ir_complex x)
{
    if (end->real && !k->pass->lone) {
        x = block_hook(k, true, position, x);
        ir_value second = ir_int_add(k->b, number, ir_int(k->b, k->pass->range[1].pair));
        store_real(k, end, address, number, x.re);
        store_real(k, end, block_second_address(k, address), second, x.im);
        return;
    }
    ir_if(k->b, block_in_range(k, true, number));
    store(k, end, address, position, x);
    ir_end(k->b);
}

/* A number's reals; or those of two lines' results, which are reals. */
static void store_numbers(struct block *k, ir_value address, ir_value number, struct ir_complex x)
{
    ir_value zero = ir_real(k->b, 0, 0);
    if (k->pass->lone || k->pass->half == PASS_HALF_PART) {
        block_store_number(k, address, number, x);
        return;
    }
    block_store_number(k, address, number, (struct ir_complex){x.re, zero});
    address = block_second_address(k, address);
    block_store_number(k, address, number, (struct ir_complex){x.im, zero});
}

/* `further` on from where the element's place is. */
static void store_element(struct block *k, const struct block_end *end, ir_value column,
                          ir_value place, int64_t further, struct ir_complex x)
{
    ir_value address = block_address_of(k, end, column, place);
    address = ir_int_add(k->b, address, ir_int(k->b, further));
    if (k->pass->half == PASS_HALF_CUT) x = block_conjugated(k, x);
    x = block_scale(k, x);
    const ir_value position = block_position(k, true, column, place);
    if (k->pass->reals[1].parts) {
        ir_value number = block_line_place(k, place);
        number = block_map(k, &k->pass->half_map, column, number);
        store_numbers(k, address, number, block_row_signed(k, true, place, x));
    } else if (k->pass->range[1].range.count) {
        store_in_range(k, end, address, position, block_range_number(k, true, column, place), x);
    } else {
        store(k, end, address, position, x);
    }
}

/* Of the half, `kept`; or of the other half, the conjugate of one whose own row is left out. */
static void store_reflected(struct block *k, const struct block_end *end, ir_value column,
                            const struct block_element *e, ir_value index, ir_value kept,
                            struct ir_complex x)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value further = ir_int_sub(b, ir_int(b, pass->half_n), ir_int_mul(b, index, ir_int(b, 2)));
    further = ir_int_mul(b, further, ir_int(b, pass->line.out_stride / pass->half_map.line));
    ir_value address = ir_int_add(b, block_address_of(k, end, column, e->place),
                                  ir_select(b, kept, ir_int(b, 0), further));
    x = block_scale(k, block_conjugated(k, x));
    x.im = ir_select(b, kept, x.im, ir_neg(b, x.im));
    ir_value number = ir_select(b, kept, index, ir_int_sub(b, ir_int(b, pass->half_n), index));
    if (pass->range[1].range.count)
        store_in_range(k, end, address, IR_NONE, number, x);
    else
        store(k, end, address, IR_NONE, x);
}

/* Numbers that mirror each other go to the same reals, where such are at that end. */
static void scatter_reflected(struct block *k, const struct block_end *end, ir_value column,
                              const struct block_element *e, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value index = block_map(k, &pass->half_map, column, e->place);
    ir_value rows = ir_int(b, pass->half_rows), row = ir_int_mod(b, index, rows);
    ir_value kept = ir_less(b, index, ir_int(b, pass->half_n / 2 + 1));
    /* Rows that are their own mirrors have both. */
    ir_value others = ir_int_mul(b, row, ir_int_sub(b, rows, ir_int_mul(b, row, ir_int(b, 2))));
    ir_if(b, ir_less(b, ir_int(b, 0), ir_select(b, kept, ir_int(b, 1), others)));
    if (pass->reals[1].parts)
        block_store_number(k, block_address_of(k, end, column, e->place), index, block_scale(k, x));
    else
        store_reflected(k, end, column, e, index, kept, x);
    ir_end(b);
}

static void scatter_element(struct block *k, const struct block_end *end, ir_value column,
                            ir_value in_tile, struct ir_complex x)
{
    struct block_element e = block_element_at(k, end, column, in_tile);
    ir_if(k->b, e.exists);
    x = block_split_twiddle(k, column, e.place, 0, x);
    if (k->pass->body == PASS_COPY && k->pass->spectrum_given)
        x = block_spectrum(k, column, e.place, x);
    if (end->chirp) x = block_chirp(k, e.chirp, x);
    if (k->pass->half == PASS_HALF_REFLECT)
        scatter_reflected(k, end, column, &e, x);
    else
        store_element(k, end, column, e.place, 0, x);
    ir_end(k->b);
}

/* Two results that are mirrored: the i-th of a line, and its mirror or, where `first` holds, for i
 * is 0 then, the middle one. */
struct mirrored {
    ir_value column, index, first;
    struct ir_complex own, other;
};

/* Two numbers of the half from two results, and the middle one by whoever has numbers 0 and h. */
static void scatter_spread(struct block *k, const struct block_end *end, const struct mirrored *two)
{
    struct ir_builder *b = k->b;
    const int64_t h = k->pass->half_n / 2;
    ir_value other = ir_int_sub(b, ir_int(b, h), two->index);
    struct block_spread spread = block_spread(k, two->index, two->first, two->own, two->other);
    store_element(k, end, two->column, two->index, 0, spread.own);
    store_element(k, end, two->column, other, 0, spread.other);
    if (h % 2 != 0) return;
    ir_if(b, two->first);
    store_element(k, end, two->column, ir_int(b, h / 2), 0, spread.middle);
    ir_end(b);
}

static void store_parted(struct block *k, const struct block_end *end, ir_value column,
                         ir_value place, const struct block_parted *parted)
{
    const struct ir_complex one = block_split_twiddle(k, column, place, 0, parted->one);
    const struct ir_complex two = block_split_twiddle(k, column, place, 1, parted->two);
    store_element(k, end, column, place, 0, one);
    store_element(k, end, column, place, k->pass->half_pair, two);
}

/* Of lines whose spectra are reals again, which those of the other half have a share in. */
static void scatter_other(struct block *k, const struct block_end *end, const struct mirrored *two,
                          const struct block_parted *parted)
{
    struct ir_builder *b = k->b;
    const struct block_parted other = {block_conjugate(k, parted->one),
                                       block_conjugate(k, parted->two)};
    ir_if(b, ir_less(b, ir_int(b, 0), two->index));
    store_parted(k, end, two->column, ir_int_sub(b, ir_int(b, k->pass->half_n), two->index),
                 &other);
    ir_end(b);
}

/* A number of each of two halves from two results, and the middle ones of an even number of results
 * by whoever has the first. */
static void scatter_parted(struct block *k, const struct block_end *end, const struct mirrored *two)
{
    struct ir_builder *b = k->b;
    const int64_t n = k->pass->half_n;
    ir_value zero = ir_real(b, 0, 0);
    struct block_parted parted = block_part(k, two->first, two->own, two->other);
    store_parted(k, end, two->column, two->index, &parted);
    if (k->pass->reals[1].parts) scatter_other(k, end, two, &parted);
    if (n % 2 != 0) return;
    parted = (struct block_parted){{two->other.re, zero}, {two->other.im, zero}};
    ir_if(b, two->first);
    store_parted(k, end, two->column, ir_int(b, n / 2), &parted);
    ir_end(b);
}

static void scatter_mirrored(struct block *k, const struct block_end *end,
                             const struct mirrored *two)
{
    if (k->pass->half == PASS_HALF_PART)
        scatter_parted(k, end, two);
    else
        scatter_spread(k, end, two);
}

static struct ir_complex times_chirp(struct block *k, ir_value column, ir_value place,
                                     struct ir_complex x)
{
    return block_chirp(k, block_map(k, &k->pass->chirp_map, column, place), x);
}

/* Which of the line's results the last step's is, but for Rader's. */
static ir_value result_number(struct block *k, ir_value butterfly, int j)
{
    const int last = k->shape.steps - 1;
    const ir_value place = block_result_element(k, last, butterfly, j);
    return k->shape.mirrors[1] ? block_dealt_place(k, true, place) : place;
}

/* Two that an exchange brought to a thread. */
static void scatter_exchanged(struct block *k, const struct block_end *end,
                              const struct block_spot *spot, const struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const ir_value index = result_number(k, spot->index, 0);
    struct mirrored two = {spot->column, index, ir_equal(b, index, ir_int(b, 0)), x[0], x[1]};
    if (k->pass->body == PASS_RADER) {
        two.index = ir_int_add(b, two.index, ir_int(b, 1));
        two.first = ir_equal(b, two.index, ir_int(b, 0));
    }
    if (end->chirp) {
        const int last = k->shape.steps - 1;
        two.own = times_chirp(k, two.column, two.index, two.own);
        two.other = times_chirp(k, two.column, block_result_element(k, last, spot->index, 1),
                                two.other);
    }
    scatter_mirrored(k, end, &two);
}

/* The lower half of a butterfly's results with their mirrors, which the other one of the pair has,
 * or, of the 0-th and of the middle butterfly, itself (`alone`). */
static void scatter_paired(struct block *k, const struct block_end *end,
                           const struct block_spot *spot, ir_value alone, bool middle,
                           const struct ir_complex *mine, const struct ir_complex *theirs)
{
    struct ir_builder *b = k->b;
    const int last = k->shape.steps - 1, radix = k->shape.step[last].radix;
    for (int j = 0; j < radix / 2; j++) {
        const int own = middle ? radix - 1 - j : j > 0 ? radix - j : radix / 2;
        const struct ir_complex same = mine[own], other = theirs[radix - 1 - j];
        const struct mirrored two = {
            spot->column,
            result_number(k, spot->index, j),
            middle || j > 0 ? ir_less(b, ir_int(b, 0), ir_int(b, 0)) : alone,
            mine[j],
            {ir_select(b, alone, same.re, other.re), ir_select(b, alone, same.im, other.im)}};
        scatter_mirrored(k, end, &two);
    }
}

/* A number of a row's half, which is one longer than the row. */
static void store_number(struct block *k, const struct block_end *end, ir_value column,
                         ir_value row, ir_value number, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    ir_value further = ir_int_mul(b, number, ir_int(b, k->pass->line.out_stride));
    ir_value address = ir_int_add(b, block_address_of(k, end, column, row), further);
    store(k, end, address, IR_NONE, block_scale(k, x));
}

/* What else there is of rows that begin so: of one that is its own mirror the middle number, of
 * two the one's last and the other's first. */
static void scatter_image_ends(struct block *k, const struct block_end *end, ir_value column,
                               const struct block_image_spot *at, const struct block_spread *spread)
{
    struct ir_builder *b = k->b;
    const int64_t h = k->pass->line.n;
    ir_value last = ir_int(b, h);
    if (h % 2 == 0) {
        ir_if(b, at->alone);
        store_number(k, end, column, at->row, ir_int(b, h / 2), spread->middle);
        ir_end(b);
    }
    ir_if(b, at->former);
    store_number(k, end, column, at->other, ir_int(b, 0), block_conjugate(k, spread->own));
    store_number(k, end, column, at->row, last, block_conjugate(k, spread->other));
    ir_end(b);
}

static void scatter_image(struct block *k, const struct block_end *end,
                          const struct block_spot *spot, const struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const struct block_image_spot at = block_image_spot(k, spot->index);
    const struct block_spread spread = block_spread(k, at.number, at.alone, x[0], x[1]);
    ir_value other = ir_int_sub(b, ir_int(b, k->pass->line.n), at.number);
    store_number(k, end, spot->column, at.row, at.number, spread.own);
    store_number(k, end, spot->column, at.other, other, spread.other);
    ir_if(b, at.first);
    scatter_image_ends(k, end, spot->column, &at, &spread);
    ir_end(b);
}

/* All that a thread has of the last step, of which mirrored results are taken together. */
static void scatter_slots(struct block *k, const struct block_end *end, int slot,
                          const struct block_spot *spot, const struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const struct block_step *step = &k->shape.step[k->shape.steps - 1];
    const struct ir_complex *own = x + slot * step->radix;
    if (step->image) {
        if (pass_reflects(k->pass)) block_scatter_corners(k, end, spot, own);
        else scatter_image(k, end, spot, own);
        return;
    }
    if (!step->paired) {
        scatter_exchanged(k, end, spot, own);
        return;
    }
    const bool middle = slot % 2 != 0;
    const struct block_spot first = block_spot(k, k->shape.steps - 1, slot - middle);
    ir_value before = k->shape.mirrors[1] ? ir_int_add(b, first.index, k->at.rank) : first.index;
    ir_value alone = ir_equal(b, before, ir_int(b, 0));
    scatter_paired(k, end, spot, alone, middle, own, x + (slot ^ 1) * step->radix);
}

/* Rader's element 0, its own mirror, by whoever has the convolution's element 0. */
static void scatter_first(struct block *k, const struct block_end *end)
{
    for (int slot = 0; slot < block_slots(&k->shape, k->shape.turn); slot++) {
        struct block_spot spot = block_spot(k, k->shape.turn, slot);
        ir_value zero = ir_int(k->b, 0);
        ir_value mine = ir_and(k->b, spot.valid, ir_equal(k->b, spot.index, zero));
        ir_if(k->b, ir_and(k->b, spot.exists, mine));
        const struct mirrored two = {spot.column, zero, ir_equal(k->b, zero, zero),
                                     k->first[slot], k->first[slot]};
        if (pass_half_mirrors(k->pass)) scatter_mirrored(k, end, &two);
        else store_element(k, end, spot.column, zero, 0, k->first[slot]);
        ir_end(k->b);
    }
}

void block_scatter(struct block *k, const struct ir_complex *x)
{
    struct block_end end = block_end_of(k, true);
    int last = k->shape.steps - 1, radix = k->shape.step[last].radix;
    const bool mirrors = k->shape.step[last].mirrored || k->shape.step[last].paired;
    for (int slot = 0; slot < block_slots(&k->shape, last); slot++) {
        struct block_spot spot = block_spot(k, last, slot);
        ir_if(k->b, ir_and(k->b, spot.valid, spot.exists));
        if (mirrors) scatter_slots(k, &end, slot, &spot, x);
        for (int j = 0; j < radix && !mirrors; j++) {
            ir_value element = block_result_element(k, last, spot.index, j);
            scatter_element(k, &end, spot.column, element, x[slot * radix + j]);
        }
        ir_end(k->b);
    }
    if (k->pass->body == PASS_RADER && k->first) scatter_first(k, &end);
}
