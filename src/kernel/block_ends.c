/* The ends of a kernel: global memory to registers before the first step, and back after the last.
 *
 * A load must not depend on control flow, for a value defined inside an `if` ends with it: loads of
 * elements that do not exist go to one that does, of the same tile, and their value is dropped. */
#include "kernel/block_state.h"

/* An element of a line and what is known of it. */
struct element {
    ir_value place;  /* along the line */
    ir_value chirp;  /* its place in the chirp, if the end has one */
    ir_value exists; /* not in the zeros that pad a line */
};

struct end {
    weft_format format;
    int re, im; /* buffers */
    bool out, chirp;
    bool real; /* reals: planes of one buffer, `pair` apart */
};

static struct end end_of(const struct block *k, bool out)
{
    const struct pass *pass = k->pass;
    bool chirp = pass->chirp_n && (out ? pass->chirp_after : pass->chirp_before);
    if (out) {
        return (struct end){k->info->out_format, BLOCK_OUT_RE, BLOCK_OUT_IM, true, chirp,
                            pass->real_out};
    }
    return (struct end){k->info->in_format, BLOCK_IN_RE, BLOCK_IN_IM, false, chirp, pass->real_in};
}

/* Where in the line an element of the tile is: a cluster's block has columns where the line is read
 * and rows where it is written, their elements a whole line's columns, or rows, apart. */
static ir_value place_in_line(struct block *k, const struct end *end, ir_value in_tile)
{
    struct ir_builder *b = k->b;
    const struct block_shape *shape = &k->shape;
    if (shape->cluster == 1) return ir_int_add(b, k->at.first_element, in_tile);
    ir_value run = ir_int(b, shape->run[end->out]), cluster = ir_int(b, shape->cluster);
    ir_value row = ir_int_add(b, ir_int_mul(b, ir_int_div(b, in_tile, run), cluster), k->at.rank);
    return ir_int_add(b, ir_int_mul(b, row, run), ir_int_mod(b, in_tile, run));
}

static struct element element_at(struct block *k, const struct end *end, ir_value column,
                                 ir_value in_tile)
{
    struct ir_builder *b = k->b;
    struct element e = {.place = place_in_line(k, end, in_tile), .chirp = IR_NONE};
    /* Rader's convolution leaves element 0 out. */
    if (k->pass->body == PASS_RADER) e.place = ir_int_add(b, in_tile, ir_int(b, 1));
    e.exists = ir_less(b, e.place, ir_int(b, pass_line_elements(k->pass)));
    if (end->chirp) {
        e.chirp = block_map(k, &k->pass->chirp_map, column, e.place);
        e.exists = ir_and(b, e.exists, ir_less(b, e.chirp, ir_int(b, k->pass->chirp_n)));
    }
    if (end->out && k->pass->half == PASS_HALF_CUT) {
        ir_value index = block_map(k, &k->pass->half_map, column, e.place);
        ir_value count = ir_int(b, pass_half_elements(k->pass, true));
        e.exists = ir_and(b, e.exists, ir_less(b, index, count));
    }
    return e;
}

static int64_t stride_of(const struct end *end, const struct dim *dim)
{
    return end->out ? dim->out_stride : dim->in_stride;
}

/* What the folds add to a place along the line: element n of a line is the first of the next. */
static ir_value fold_address(struct block *k, const struct end *end, ir_value place)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value n = ir_int(b, pass->line.n), beyond = ir_int_div(b, place, n);
    ir_value sum = ir_int_mul(b, ir_int_mod(b, place, n), ir_int(b, stride_of(end, &pass->line)));
    for (int i = 0; i < pass->folds; i++) {
        const struct dim *dim = &pass->fold[i].dim;
        ir_value counter = ir_int_mod(b, beyond, ir_int(b, dim->n));
        sum = ir_int_add(b, sum, ir_int_mul(b, counter, ir_int(b, stride_of(end, dim))));
        beyond = ir_int_div(b, beyond, ir_int(b, dim->n));
    }
    return sum;
}

static ir_value address_of(struct block *k, const struct end *end, ir_value column, ir_value place)
{
    struct pass_map strides = {.line = stride_of(end, &k->pass->line)};
    for (int l = 0; l < k->pass->loops; l++)
        strides.loop[l] = stride_of(end, &k->pass->loop[l]);
    if (k->pass->folds > 0) {
        place = fold_address(k, end, place);
        strides.line = 1;
    }
    return ir_int_add(k->b, block_map(k, &strides, column, place),
                      ir_int(k->b, k->pass->offset[end->out]));
}

/* The inverse direction conjugates what comes in and what goes out, or exchanges both their parts,
 * which comes to the same. The former is one operation, which merges with the additions of a
 * butterfly. Planes are exchanged by whoever binds them, so where one end has planes the pairs of
 * the other are exchanged too. */
static struct ir_complex directed(struct block *k, const struct end *end, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    if (end->format == WEFT_PLANAR || k->pass->one_way) return x;
    ir_value inverse = ir_less(b, ir_int(b, 0), k->swap);
    if (k->info->in_format == k->info->out_format) return block_conjugated(k, x);
    return (struct ir_complex){ir_select(b, inverse, x.im, x.re),
                               ir_select(b, inverse, x.re, x.im)};
}

static ir_value second_address(struct block *k, ir_value address)
{
    return ir_int_add(k->b, address, ir_int(k->b, k->pass->pair));
}

static struct ir_complex load_reals(struct block *k, const struct end *end, ir_value address)
{
    ir_value re = ir_load(k->b, end->re, address);
    if (k->pass->lone) return (struct ir_complex){re, ir_real(k->b, 0, 0)};
    return (struct ir_complex){re, ir_load(k->b, end->re, second_address(k, address))};
}

static void store_reals(struct block *k, const struct end *end, ir_value address,
                        struct ir_complex x)
{
    ir_store(k->b, end->re, address, x.re);
    if (!k->pass->lone) ir_store(k->b, end->re, second_address(k, address), x.im);
}

/* What lies there. */
static struct ir_complex load_parts(struct block *k, const struct end *end, ir_value address)
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
static struct ir_complex load(struct block *k, const struct end *end, ir_value address,
                              ir_value position)
{
    struct ir_complex x = block_hook(k, false, position, load_parts(k, end, address));
    return end->real ? x : directed(k, end, x);
}

static void store(struct block *k, const struct end *end, ir_value address, ir_value position,
                  struct ir_complex x)
{
    if (!end->real) x = directed(k, end, x);
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

/* ---- gather ---- */

struct ir_complex block_load_in(struct block *k, ir_value address)
{
    struct end end = end_of(k, false);
    return load(k, &end, address, IR_NONE);
}

static struct ir_complex load_element(struct block *k, const struct end *end, ir_value address,
                                      ir_value position, ir_value index)
{
    if (pass_half_elements(k->pass, false) > 0) return block_unfold(k, address, index);
    return load(k, end, address, position);
}

/* Loads what is out of the range as 0, by reading the range's first element in its place. A real
 * and its imaginary part are two numbers, one of which may be in the range. */
static ir_value range_address(struct block *k, const struct end *end, ir_value column,
                              ir_value exists, ir_value address)
{
    struct ir_builder *b = k->b;
    const struct block_first first = block_range_first(k);
    if (!first.in_tile) return ir_select(b, exists, address, ir_int(b, first.address));
    ir_value other = address_of(k, end, column, ir_int(b, first.place));
    return ir_select(b, exists, address, ir_int_add(b, other, ir_int(b, first.further)));
}

static struct ir_complex load_in_range(struct block *k, const struct end *end,
                                       const struct block_spot *spot, const struct element *e)
{
    struct ir_builder *b = k->b;
    ir_value column = ir_select(b, spot->exists, spot->column, ir_int(b, 0));
    ir_value number = block_range_number(k, false, column, e->place);
    ir_value address = address_of(k, end, column, e->place), zero = ir_real(b, 0, 0);
    ir_value exists = ir_and(b, spot->exists, e->exists);
    ir_value has = ir_and(b, exists, block_in_range(k, false, number));
    address = range_address(k, end, column, has, address);
    if (!end->real || k->pass->lone) {
        const struct ir_complex x = load(k, end, address, IR_NONE);
        return (struct ir_complex){ir_select(b, has, x.re, zero), ir_select(b, has, x.im, zero)};
    }
    ir_value im_number = ir_int_add(b, number, ir_int(b, k->pass->range[0].pair));
    ir_value has_im = ir_and(b, exists, block_in_range(k, false, im_number));
    ir_value im = second_address(k, address_of(k, end, column, e->place));
    im = range_address(k, end, column, has_im, im);
    return (struct ir_complex){ir_select(b, has, ir_load(b, end->re, address), zero),
                               ir_select(b, has_im, ir_load(b, end->re, im), zero)};
}

/* The element; or, if there is none, the first of its tile; or, where the chirp has no place for
 * that either, the first of the pass. */
static struct ir_complex load_existing(struct block *k, const struct end *end,
                                       const struct block_spot *spot, const struct element *e)
{
    struct ir_builder *b = k->b;
    ir_value zero = ir_int(b, 0);
    if (pass_range_counts_elements(k->pass, false)) return load_in_range(k, end, spot, e);
    ir_value place = ir_select(b, e->exists, e->place, k->at.first_element);
    const struct pass_map *half = &k->pass->half_map;
    ir_value address = ir_select(b, spot->exists, address_of(k, end, spot->column, place),
                                 address_of(k, end, zero, k->at.first_element));
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

static struct ir_complex gather_element(struct block *k, const struct end *end,
                                        const struct block_spot *spot, ir_value in_tile)
{
    struct ir_builder *b = k->b;
    struct element e = element_at(k, end, spot->column, in_tile);
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
    struct end end = end_of(k, false);
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
    struct end end = end_of(k, false);
    int slots = block_slots(&k->shape, k->shape.turn);
    k->first = arena_array(k->arena, (size_t)slots, sizeof *k->first);
    for (int slot = 0; k->first && slot < slots; slot++) {
        struct block_spot spot = block_spot(k, k->shape.turn, slot);
        ir_value column = block_existing_column(k, &spot), zero = ir_int(k->b, 0);
        ir_value index = block_map(k, &k->pass->half_map, column, zero);
        if (pass_range_counts_elements(k->pass, false)) {
            const struct element e = {zero, IR_NONE, ir_less(k->b, zero, ir_int(k->b, 1))};
            k->first[slot] = load_in_range(k, &end, &spot, &e);
            continue;
        }
        k->first[slot] = load_element(k, &end, address_of(k, &end, column, zero),
                                      block_position(k, false, column, zero), index);
    }
}

/* ---- scatter ---- */

/* A real if it is in the range. */
static void store_real(struct block *k, const struct end *end, ir_value address, ir_value number,
                       ir_value x)
{
    ir_if(k->b, block_in_range(k, true, number));
    ir_store(k->b, end->re, address, x);
    ir_end(k->b);
}

/* What is in the range of an element. */
static void store_in_range(struct block *k, const struct end *end, ir_value address,
                           ir_value number, struct ir_complex x)
{
    if (end->real && !k->pass->lone) {
        ir_value second = ir_int_add(k->b, number, ir_int(k->b, k->pass->range[1].pair));
        store_real(k, end, address, number, x.re);
        store_real(k, end, second_address(k, address), second, x.im);
        return;
    }
    ir_if(k->b, block_in_range(k, true, number));
    store(k, end, address, IR_NONE, x);
    ir_end(k->b);
}

/* `further` on from where the element's place is. */
static void store_element(struct block *k, const struct end *end, ir_value column, ir_value place,
                          int64_t further, struct ir_complex x)
{
    ir_value address = address_of(k, end, column, place);
    address = ir_int_add(k->b, address, ir_int(k->b, further));
    if (k->pass->half == PASS_HALF_CUT) x = block_conjugated(k, x);
    x = block_scale(k, x);
    if (k->pass->reals[1].parts) {
        block_store_number(k, address, block_map(k, &k->pass->half_map, column, place), x);
    } else if (k->pass->range[1].range.count) {
        store_in_range(k, end, address, block_range_number(k, true, column, place), x);
    } else {
        store(k, end, address, block_position(k, true, column, place), x);
    }
}

/* A number of the half; or of the other half, the conjugate of one whose own row is left out. */
static void scatter_reflected(struct block *k, const struct end *end, ir_value column,
                              const struct element *e, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value index = block_map(k, &pass->half_map, column, e->place);
    ir_value rows = ir_int(b, pass->half_rows), row = ir_int_mod(b, index, rows);
    ir_value kept = ir_less(b, index, ir_int(b, pass->half_n / 2 + 1));
    /* Rows that are their own mirrors have both. */
    ir_value others = ir_int_mul(b, row, ir_int_sub(b, rows, ir_int_mul(b, row, ir_int(b, 2))));
    ir_value further = ir_int_sub(b, ir_int(b, pass->half_n), ir_int_mul(b, index, ir_int(b, 2)));
    further = ir_int_mul(b, further, ir_int(b, pass->line.out_stride / pass->half_map.line));
    ir_value address = ir_int_add(b, address_of(k, end, column, e->place),
                                  ir_select(b, kept, ir_int(b, 0), further));
    x = block_scale(k, block_conjugated(k, x));
    x.im = ir_select(b, kept, x.im, ir_neg(b, x.im));
    ir_if(b, ir_less(b, ir_int(b, 0), ir_select(b, kept, ir_int(b, 1), others)));
    ir_value number = ir_select(b, kept, index, ir_int_sub(b, ir_int(b, pass->half_n), index));
    if (pass->range[1].range.count) store_in_range(k, end, address, number, x);
    else store(k, end, address, IR_NONE, x);
    ir_end(b);
}

static void scatter_element(struct block *k, const struct end *end, ir_value column,
                            ir_value in_tile, struct ir_complex x)
{
    struct element e = element_at(k, end, column, in_tile);
    ir_if(k->b, e.exists);
    x = block_split_twiddle(k, column, e.place, 0, x);
    if (k->pass->body == PASS_COPY && k->pass->spectrum_given)
        x = block_spectrum(k, column, e.place, x);
    if (end->chirp) x = block_chirp(k, e.chirp, x);
    if (k->pass->half == PASS_HALF_REFLECT) scatter_reflected(k, end, column, &e, x);
    else store_element(k, end, column, e.place, 0, x);
    ir_end(k->b);
}

/* Two results that are mirrored: the i-th of a line, and its mirror or, where `first` holds, for i
 * is 0 then, the middle one. */
struct mirrored {
    ir_value column, index, first;
    struct ir_complex own, other;
};

/* Two numbers of the half from two results, and the middle one by whoever has numbers 0 and h. */
static void scatter_spread(struct block *k, const struct end *end, const struct mirrored *two)
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

static void store_parted(struct block *k, const struct end *end, ir_value column, ir_value place,
                         const struct block_parted *parted)
{
    const struct ir_complex one = block_split_twiddle(k, column, place, 0, parted->one);
    const struct ir_complex two = block_split_twiddle(k, column, place, 1, parted->two);
    store_element(k, end, column, place, 0, one);
    store_element(k, end, column, place, k->pass->half_pair, two);
}

/* A number of each of two halves from two results, and the middle ones of an even number of results
 * by whoever has the first. */
static void scatter_parted(struct block *k, const struct end *end, const struct mirrored *two)
{
    struct ir_builder *b = k->b;
    const int64_t n = k->pass->half_n;
    ir_value zero = ir_real(b, 0, 0);
    struct block_parted parted = block_part(k, two->first, two->own, two->other);
    store_parted(k, end, two->column, two->index, &parted);
    if (n % 2 != 0) return;
    parted = (struct block_parted){{two->other.re, zero}, {two->other.im, zero}};
    ir_if(b, two->first);
    store_parted(k, end, two->column, ir_int(b, n / 2), &parted);
    ir_end(b);
}

static void scatter_mirrored(struct block *k, const struct end *end, const struct mirrored *two)
{
    if (k->pass->half == PASS_HALF_PART) scatter_parted(k, end, two);
    else scatter_spread(k, end, two);
}

/* The lower half of a butterfly's results with their mirrors, which the other one of the pair has,
 * or, of the 0-th and of the middle butterfly, itself (`alone`). */
static void scatter_paired(struct block *k, const struct end *end, const struct block_spot *spot,
                           ir_value alone, bool middle, const struct ir_complex *mine,
                           const struct ir_complex *theirs)
{
    struct ir_builder *b = k->b;
    const int last = k->shape.steps - 1, radix = k->shape.step[last].radix;
    for (int j = 0; j < radix / 2; j++) {
        const int own = middle ? radix - 1 - j : j > 0 ? radix - j : radix / 2;
        const struct ir_complex same = mine[own], other = theirs[radix - 1 - j];
        const struct mirrored two = {
            spot->column, block_result_element(k, last, spot->index, j),
            middle || j > 0 ? ir_less(b, ir_int(b, 0), ir_int(b, 0)) : alone, mine[j],
            {ir_select(b, alone, same.re, other.re), ir_select(b, alone, same.im, other.im)}};
        scatter_mirrored(k, end, &two);
    }
}

/* All that a thread has of the last step, of which mirrored results are taken together. */
static void scatter_slots(struct block *k, const struct end *end, int slot,
                          const struct block_spot *spot, const struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const struct block_step *step = &k->shape.step[k->shape.steps - 1];
    const struct ir_complex *own = x + slot * step->radix;
    if (!step->paired) {
        const struct mirrored two = {spot->column, spot->index,
                                     ir_equal(b, spot->index, ir_int(b, 0)), own[0], own[1]};
        scatter_mirrored(k, end, &two);
        return;
    }
    const bool middle = slot % 2 != 0;
    const struct block_spot first = block_spot(k, k->shape.steps - 1, slot - middle);
    ir_value alone = ir_equal(b, first.index, ir_int(b, 0));
    scatter_paired(k, end, spot, alone, middle, own, x + (slot ^ 1) * step->radix);
}

/* Rader's element 0, by whoever has the convolution's element 0. */
static void scatter_first(struct block *k, const struct end *end)
{
    for (int slot = 0; slot < block_slots(&k->shape, k->shape.turn); slot++) {
        struct block_spot spot = block_spot(k, k->shape.turn, slot);
        ir_value zero = ir_int(k->b, 0);
        ir_value mine = ir_and(k->b, spot.valid, ir_equal(k->b, spot.index, zero));
        ir_if(k->b, ir_and(k->b, spot.exists, mine));
        store_element(k, end, spot.column, zero, 0, k->first[slot]);
        ir_end(k->b);
    }
}

void block_scatter(struct block *k, const struct ir_complex *x)
{
    struct end end = end_of(k, true);
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
