/* Global memory to the registers of the first step.
 *
 * A load must not depend on control flow, for a value defined inside an `if` ends with it: loads of
 * elements that do not exist go to one that does, of the same tile, and their value is dropped. */
#include "kernel/block_cluster.h"
#include "kernel/block_corners.h"
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

/* Loads what is out of the range as 0, whatever a hook makes of it, by reading the range's first
 * element in its place. A real and its imaginary part are two numbers, one of which may be in the
 * range. */
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
    const ir_value position = block_position(k, false, column, e->place);
    address = range_address(k, end, column, has, address);
    if (!end->real || k->pass->lone) {
        const struct ir_complex x = load(k, end, address, position);
        return (struct ir_complex){ir_select(b, has, x.re, zero), ir_select(b, has, x.im, zero)};
    }
    ir_value im_number = ir_int_add(b, number, ir_int(b, k->pass->range[0].pair));
    ir_value has_im = ir_and(b, exists, block_in_range(k, false, im_number));
    ir_value im = block_second_address(k, block_address_of(k, end, column, e->place));
    im = range_address(k, end, column, has_im, im);
    struct ir_complex x = {ir_load(b, end->re, address), ir_load(b, end->re, im)};
    x = block_hook(k, false, position, x);
    return (struct ir_complex){ir_select(b, has, x.re, zero), ir_select(b, has_im, x.im, zero)};
}

/* Where a number is, and which of the half it is. */
struct source {
    ir_value address, index;
};

/* Of the element at `place`; or, where its column is none, of the first of the tile. */
static struct source source_of(struct block *k, const struct block_end *end,
                               const struct block_spot *spot, ir_value place)
{
    struct ir_builder *b = k->b;
    const struct pass_map *half = pass_number_map(k->pass, false);
    ir_value zero = ir_int(b, 0), number = block_line_place(k, place);
    return (struct source){
        ir_select(b, spot->exists, block_address_of(k, end, spot->column, place),
                  block_address_of(k, end, zero, k->at.first_element)),
        ir_select(b, spot->exists, block_map(k, half, spot->column, number),
                  block_map(k, half, zero, k->at.first_element)),
    };
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
    struct source from = source_of(k, end, spot, place);
    if (end->chirp) {
        ir_value chirp = block_map(k, &k->pass->chirp_map, block_existing_column(k, spot), zero);
        ir_value line_exists = ir_less(b, chirp, ir_int(b, k->pass->chirp_n));
        from.address = ir_select(b, line_exists, from.address, zero);
        from.index = ir_select(b, line_exists, from.index, zero);
    }
    return block_row_signed(k, false, place,
                            load_element(k, end, from.address,
                                         block_position(k, false, spot->column, place),
                                         from.index));
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

/* ---- two numbers of half a spectrum at once ---- */

/* Where in the line the first step has its j-th input from. */
static ir_value number_place(struct block *k, const struct block_spot *spot, int j)
{
    const ir_value place = block_input_element(k, 0, spot->index, j);
    return k->shape.mirrors[0] ? block_dealt_place(k, false, place) : place;
}

/* Number h, by whoever has number 0; of others, one of theirs. */
static struct ir_complex load_last(struct block *k, const struct block_end *end,
                                   const struct block_spot *spot, ir_value first)
{
    ir_value place = number_place(k, spot, 0);
    const struct source from = source_of(k, end, spot, place);
    ir_value last = ir_int(k->b, k->pass->half_n / 2);
    return block_half_number(k, from.address, from.index, ir_select(k->b, first, last, from.index));
}

static void load_numbers(struct block *k, const struct block_end *end,
                         const struct block_spot *spot, struct ir_complex *x)
{
    for (int j = 0; j < k->shape.step[0].radix; j++) {
        ir_value place = number_place(k, spot, j);
        const struct source from = source_of(k, end, spot, place);
        x[j] = block_half_number(k, from.address, from.index, from.index);
    }
}

/* Whether a pair's first butterfly is the line's, whose mirrors are its own. */
static ir_value is_alone(struct block *k, const struct block_spot *first)
{
    ir_value before = first->index;
    if (k->shape.mirrors[0]) before = ir_int_add(k->b, before, k->at.rank);
    return ir_equal(k->b, before, ir_int(k->b, 0));
}

/* The lower half of a butterfly's inputs with their mirrors, the upper half of what the other one
 * of the pair has or, of the 0-th and of the middle butterfly (`alone`), of `own`. */
static void fold_lower(struct block *k, const struct block_spot *spot, ir_value alone,
                       const struct ir_complex *x, const struct ir_complex *own,
                       const struct ir_complex *others, struct block_folded *folded)
{
    const int radix = k->shape.step[0].radix;
    for (int j = 0; j < radix / 2; j++) {
        const int mirror = radix - 1 - j;
        ir_value index = number_place(k, spot, j);
        const struct ir_complex other =
            ir_complex_select(k->b, alone, own[mirror], others[mirror]);
        folded[j] = block_fold(k, index, x[j], other);
    }
}

/* Inputs of two butterflies from their numbers. The 0-th one's mirrors are one further on: `last`
 * that of the first, and the one in the middle its own, which folds to twice itself. */
static void fold_slots(struct block *k, const struct block_spot *spot, struct ir_complex last,
                       struct ir_complex *x)
{
    const int radix = k->shape.step[0].radix, half = radix / 2;
    struct ir_complex *one = x, *two = x + radix, further[LIMITS_MAX_RADIX] = {last};
    struct block_folded first[LIMITS_MAX_RADIX / 2], second[LIMITS_MAX_RADIX / 2];
    ir_value alone = is_alone(k, &spot[0]);
    const struct ir_complex middle = {ir_add(k->b, one[half].re, one[half].re),
                                      ir_add(k->b, one[half].im, one[half].im)};
    for (int j = 0; j < radix; j++)
        further[j] = j + 1 < radix ? one[j + 1] : last;
    fold_lower(k, &spot[0], alone, one, further, two, first);
    fold_lower(k, &spot[1], alone, two, two, one, second);
    for (int j = 0; j < half; j++) {
        const int mirror = radix - 1 - j;
        const struct ir_complex own = j + 1 < half ? first[j + 1].other : middle;
        one[j] = first[j].own;
        two[j] = second[j].own;
        one[mirror] = ir_complex_select(k->b, alone, own, second[j].other);
        two[mirror] = ir_complex_select(k->b, alone, second[j].other, first[j].other);
    }
}

static void gather_folded(struct block *k, const struct block_end *end, struct ir_complex *x)
{
    const int radix = k->shape.step[0].radix;
    for (int slot = 0; slot < block_slots(&k->shape, 0); slot += 2) {
        const struct block_spot spot[2] = {block_spot(k, 0, slot), block_spot(k, 0, slot + 1)};
        ir_value alone = is_alone(k, &spot[0]);
        struct ir_complex *two = x + slot * radix;
        load_numbers(k, end, &spot[0], two);
        load_numbers(k, end, &spot[1], two + radix);
        fold_slots(k, spot, load_last(k, end, &spot[0], alone), two);
    }
}

/* ---- an image's rows ---- */

static struct ir_complex load_number(struct block *k, const struct block_end *end, ir_value column,
                                     ir_value row, ir_value number)
{
    struct ir_builder *b = k->b;
    ir_value further = ir_int_mul(b, number, ir_int(b, k->pass->line.in_stride));
    ir_value address = ir_int_add(b, block_address_of(k, end, column, row), further);
    return block_conjugated(k, block_load_in(k, address));
}

/* (x + conj y) / 2: what is left of the two where one should be the other's conjugate. */
static struct ir_complex agreed(struct block *k, struct ir_complex x, struct ir_complex y)
{
    struct ir_builder *b = k->b;
    ir_value half = ir_real(b, 0.5, 0);
    return (struct ir_complex){ir_mul(b, half, ir_add(b, x.re, y.re)),
                               ir_mul(b, half, ir_sub(b, x.im, y.im))};
}

/* Numbers 0 and h of a row are the conjugates of those of its mirror, which may be itself and
 * has its middle number besides; whoever needs no more than two numbers loads these twice. */
static void gather_image_spot(struct block *k, const struct block_end *end,
                              const struct block_spot *spot, struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const int64_t h = k->pass->line.n;
    const struct block_image_spot at = block_image_spot(k, spot->index);
    ir_value column = block_existing_column(k, spot), last = ir_int(b, h);
    ir_value mirror = ir_int_sub(b, last, at.number), zero = ir_int(b, 0);
    ir_value ends = ir_or(b, at.alone, at.former);
    struct ir_complex own = load_number(k, end, column, at.row, at.number);
    struct ir_complex other = load_number(k, end, column, at.other, mirror);
    const struct ir_complex third =
        load_number(k, end, column, ir_select(b, at.former, at.other, at.row),
                    ir_select(b, at.former, zero, ir_select(b, at.alone, at.mirror, at.number)));
    const struct ir_complex fourth =
        load_number(k, end, column, ir_select(b, at.former, at.row, at.other),
                    ir_select(b, at.former, last, mirror));
    const struct ir_complex mirrored = ir_complex_select(b, at.alone, own, third);
    own = ir_complex_select(b, ends, agreed(k, own, mirrored), own);
    other = ir_complex_select(b, ends, agreed(k, other, fourth), other);
    const struct block_folded folded = block_fold_pair(k, at.number, own, other);
    const struct ir_complex middle = {ir_add(b, third.re, third.re),
                                      ir_add(b, third.im, third.im)};
    x[0] = folded.own;
    x[1] = h % 2 ? folded.other : ir_complex_select(k->b, at.alone, middle, folded.other);
}

static void gather_image(struct block *k, const struct block_end *end, struct ir_complex *x)
{
    for (int slot = 0; slot < block_slots(&k->shape, 0); slot++) {
        const struct block_spot spot = block_spot(k, 0, slot);
        struct ir_complex *own = x + slot * k->shape.step[0].radix;
        if (pass_reflects(k->pass)) block_gather_corners(k, end, &spot, own);
        else gather_image_spot(k, end, &spot, own);
    }
}

/* ---- all of it ---- */

static void gather_elements(struct block *k, const struct block_end *end, struct ir_complex *x)
{
    int radix = k->shape.step[0].radix;
    for (int slot = 0; slot < block_slots(&k->shape, 0); slot++) {
        struct block_spot spot = gather_spot(k, slot);
        for (int j = 0; j < radix; j++) {
            ir_value element = block_input_element(k, 0, spot.index, j);
            x[slot * radix + j] = gather_element(k, end, &spot, element);
        }
    }
}

void block_gather(struct block *k, struct ir_complex *x)
{
    struct block_end end = block_end_of(k, false);
    if (k->shape.step[0].image) gather_image(k, &end, x);
    else if (k->shape.step[0].paired) gather_folded(k, &end, x);
    else gather_elements(k, &end, x);
}

void block_gather_first(struct block *k)
{
    struct block_end end = block_end_of(k, false);
    int slots = block_slots(&k->shape, k->shape.turn);
    k->first = arena_array(k->arena, (size_t)slots, sizeof *k->first);
    for (int slot = 0; k->first && slot < slots; slot++) {
        struct block_spot spot = block_spot(k, k->shape.turn, slot);
        ir_value column = block_existing_column(k, &spot), zero = ir_int(k->b, 0);
        ir_value index = block_map(k, pass_number_map(k->pass, false), column, zero);
        if (pass_range_counts_elements(k->pass, false)) {
            const struct block_element e = {zero, IR_NONE, ir_less(k->b, zero, ir_int(k->b, 1))};
            k->first[slot] = load_in_range(k, &end, &spot, &e);
            continue;
        }
        k->first[slot] = load_element(k, &end, block_address_of(k, &end, column, zero),
                                      block_position(k, false, column, zero), index);
    }
}
