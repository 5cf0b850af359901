/* Global memory to the registers of the first step.
 *
 * A load must not depend on control flow, for a value defined inside an `if` ends with it: loads of
 * elements that do not exist go to one that does, of the same tile, and their value is dropped. */
#include "kernel/block_ends.h"

static struct ir_complex load_reals(struct block *k, const struct block_end *end, ir_value address)
{
    ir_value re = ir_load(k->b, end->re, address);
    if (k->pass->lone) return (struct ir_complex){re, ir_real(k->b, 0, 0)};
    return (struct ir_complex){re, ir_load(k->b, end->re, block_second_address(k, address))};
}

/* What lies there. */
static struct ir_complex load_parts(struct block *k, const struct block_end *end, ir_value address)
{
    struct ir_builder *b = k->b;
    if (end->real) return load_reals(k, end, address);
    if (end->format == WEFT_PLANAR) {
        ir_value re = ir_load(b, end->re, address);
        return (struct ir_complex){re, ir_load(b, end->im, address)};
    }
    ir_value pair = ir_load_pair(b, end->re, address);
    return (struct ir_complex){ir_first(b, pair), ir_second(b, pair)};
}

/* position: of what a hook is applied to; where there is none, IR_NONE. */
static struct ir_complex load(struct block *k, const struct block_end *end, ir_value address,
                              ir_value position)
{
    struct ir_complex x = block_hook(k, false, position, load_parts(k, end, address));
    return end->real ? x : block_directed(k, end, x);
}

struct ir_complex block_load_in(struct block *k, ir_value address)
{
    struct block_end end = block_end_of(k, false);
    return load(k, &end, address, IR_NONE);
}

static struct ir_complex load_element(struct block *k, const struct block_end *end,
                                      ir_value address, ir_value position, ir_value index)
{
    if (pass_half_elements(k->pass, false) > 0) return block_unfold(k, address, index);
    return load(k, end, address, position);
}

/* Loads what is out of the range as 0, by reading the range's first element in its place. A real
 * and its imaginary part are two numbers, one of which may be in the range. */
static ir_value range_address(struct block *k, const struct block_end *end, ir_value column,
                              ir_value exists, ir_value address)
{
    struct ir_builder *b = k->b;
    const struct block_first first = block_range_first(k);
    if (!first.in_tile) return ir_select(b, exists, address, ir_int(b, first.address));
    ir_value other = block_address_of(k, end, column, ir_int(b, first.place));
    return ir_select(b, exists, address, ir_int_add(b, other, ir_int(b, first.further)));
}

static struct ir_complex load_in_range(struct block *k, const struct block_end *end,
                                       const struct block_spot *spot, const struct block_element *e)
{
    struct ir_builder *b = k->b;
    ir_value column = ir_select(b, spot->exists, spot->column, ir_int(b, 0));
    ir_value number = block_range_number(k, false, column, e->place);
    ir_value address = block_address_of(k, end, column, e->place), zero = ir_real(b, 0, 0);
    ir_value exists = ir_and(b, spot->exists, e->exists);
    ir_value has = ir_and(b, exists, block_in_range(k, false, number));
    address = range_address(k, end, column, has, address);
    if (!end->real || k->pass->lone) {
        const struct ir_complex x = load(k, end, address, IR_NONE);
        return (struct ir_complex){ir_select(b, has, x.re, zero), ir_select(b, has, x.im, zero)};
    }
    ir_value im_number = ir_int_add(b, number, ir_int(b, k->pass->range[0].pair));
    ir_value has_im = ir_and(b, exists, block_in_range(k, false, im_number));
    ir_value im = block_second_address(k, block_address_of(k, end, column, e->place));
    im = range_address(k, end, column, has_im, im);
    return (struct ir_complex){ir_select(b, has, ir_load(b, end->re, address), zero),
                               ir_select(b, has_im, ir_load(b, end->re, im), zero)};
}

/* The element; or, if there is none, the first of its tile; or, where the chirp has no place for
 * that either, the first of the pass. */
static struct ir_complex load_existing(struct block *k, const struct block_end *end,
                                       const struct block_spot *spot, const struct block_element *e)
{
    struct ir_builder *b = k->b;
    ir_value zero = ir_int(b, 0);
    if (pass_range_counts_elements(k->pass, false)) return load_in_range(k, end, spot, e);
    ir_value place = ir_select(b, e->exists, e->place, k->at.first_element);
    const struct pass_map *half = &k->pass->half_map;
    ir_value address = ir_select(b, spot->exists, block_address_of(k, end, spot->column, place),
                                 block_address_of(k, end, zero, k->at.first_element));
    ir_value index = ir_select(b, spot->exists, block_map(k, half, spot->column, place),
                               block_map(k, half, zero, k->at.first_element));
    if (end->chirp) {
        ir_value chirp = block_map(k, &k->pass->chirp_map, block_existing_column(k, spot), zero);
        ir_value line_exists = ir_less(b, chirp, ir_int(b, k->pass->chirp_n));
        address = ir_select(b, line_exists, address, zero);
        index = ir_select(b, line_exists, index, zero);
    }
    return load_element(k, end, address, block_position(k, false, spot->column, place), index);
}

static struct ir_complex gather_element(struct block *k, const struct block_end *end,
                                        const struct block_spot *spot, ir_value in_tile)
{
    struct ir_builder *b = k->b;
    struct block_element e = block_element_at(k, end, spot->column, in_tile);
    ir_value zero = ir_real(b, 0, 0);
    struct ir_complex x = load_existing(k, end, spot, &e);
    if (end->chirp) x = block_chirp(k, ir_select(b, e.exists, e.chirp, ir_int(b, 0)), x);
    x.re = ir_select(b, e.exists, x.re, zero);
    x.im = ir_select(b, e.exists, x.im, zero);
    return x;
}

/* A thread's elements of one column are all sent to the tile's first one if there is no such one.
 * Where they come from many columns, which are one run of elements, each address is judged for
 * itself and no column found. */
static struct block_spot gather_spot(struct block *k, int slot)
{
    struct block_spot spot = block_spot(k, 0, slot);
    if (k->shape.step[0].radix == 1 && !k->shape.step[0].columns_first) return spot;
    spot.column = block_existing_column(k, &spot);
    spot.exists = ir_less(k->b, ir_int(k->b, 0), ir_int(k->b, 1));
    return spot;
}

void block_gather(struct block *k, struct ir_complex *x)
{
    struct block_end end = block_end_of(k, false);
    int radix = k->shape.step[0].radix;
    for (int slot = 0; slot < block_slots(&k->shape, 0); slot++) {
        struct block_spot spot = gather_spot(k, slot);
        for (int j = 0; j < radix; j++) {
            ir_value element = block_input_element(k, 0, spot.index, j);
            x[slot * radix + j] = gather_element(k, &end, &spot, element);
        }
    }
}

void block_gather_first(struct block *k)
{
    struct block_end end = block_end_of(k, false);
    int slots = block_slots(&k->shape, k->shape.turn);
    k->first = arena_array(k->arena, (size_t)slots, sizeof *k->first);
    for (int slot = 0; k->first && slot < slots; slot++) {
        struct block_spot spot = block_spot(k, k->shape.turn, slot);
        ir_value column = block_existing_column(k, &spot), zero = ir_int(k->b, 0);
        ir_value index = block_map(k, &k->pass->half_map, column, zero);
        if (pass_range_counts_elements(k->pass, false)) {
            const struct block_element e = {zero, IR_NONE, ir_less(k->b, zero, ir_int(k->b, 1))};
            k->first[slot] = load_in_range(k, &end, &spot, &e);
            continue;
        }
        k->first[slot] = load_element(k, &end, block_address_of(k, &end, column, zero),
                                      block_position(k, false, column, zero), index);
    }
}
