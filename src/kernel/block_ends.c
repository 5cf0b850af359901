#include "kernel/block_ends.h"

#include "kernel/block_cluster.h"

struct block_end block_end_of(const struct block *k, bool out)
{
    const struct pass *pass = k->pass;
    bool chirp = pass->chirp_n && (out ? pass->chirp_after : pass->chirp_before);
    if (out) {
        return (struct block_end){k->info->out_format, BLOCK_OUT_RE, BLOCK_OUT_IM, true, chirp,
                                  pass->real_out};
    }
    return (struct block_end){k->info->in_format, BLOCK_IN_RE, BLOCK_IN_IM, false, chirp,
                              pass->real_in};
}

/* Where in the line an element of the tile is: a cluster's block has columns where the line is read
 * and rows where it is written. */
static ir_value place_in_line(struct block *k, const struct block_end *end, ir_value in_tile)
{
    if (k->shape.cluster > 1) return block_dealt_place(k, end->out, in_tile);
    return ir_int_add(k->b, k->at.first_element, in_tile);
}

struct block_element block_element_at(struct block *k, const struct block_end *end, ir_value column,
                                      ir_value in_tile)
{
    struct ir_builder *b = k->b;
    struct block_element e = {.place = place_in_line(k, end, in_tile), .chirp = IR_NONE};
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

static int64_t stride_of(const struct block_end *end, const struct dim *dim)
{
    return end->out ? dim->out_stride : dim->in_stride;
}

/* What the folds add to a place along the line: element n of a line is the first of the next. */
static ir_value fold_address(struct block *k, const struct block_end *end, ir_value place)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    ir_value n = ir_int(b, pass->line.n), beyond = ir_int_div(b, place, n);
    ir_value sum = ir_int_mul(b, ir_int_mod(b, place, n), ir_int(b, stride_of(end, &pass->line)));
    for (int i = 0; i < pass->folds; i++) {
        const struct dim *dim = &pass->fold[i].dim;
        ir_value counter = ir_int_mod(b, beyond, ir_int(b, dim->n));
        if (block_reorders_rows(pass, end->out)) counter = block_row_real(k, end->out, i, counter);
        sum = ir_int_add(b, sum, ir_int_mul(b, counter, ir_int(b, stride_of(end, dim))));
        beyond = ir_int_div(b, beyond, ir_int(b, dim->n));
    }
    return sum;
}

ir_value block_address_of(struct block *k, const struct block_end *end, ir_value column,
                          ir_value place)
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

/* Conjugation is one operation, which merges with the additions of a butterfly. Planes are
 * exchanged by whoever binds them, so where one end has planes the pairs of the other are exchanged
 * too. */
struct ir_complex block_directed(struct block *k, const struct block_end *end, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    if (end->format == WEFT_PLANAR || k->pass->one_way) return x;
    ir_value inverse = ir_less(b, ir_int(b, 0), k->swap);
    if (k->info->in_format == k->info->out_format) return block_conjugated(k, x);
    return (struct ir_complex){ir_select(b, inverse, x.im, x.re),
                               ir_select(b, inverse, x.re, x.im)};
}

ir_value block_second_address(struct block *k, ir_value address)
{
    return ir_int_add(k->b, address, ir_int(k->b, k->pass->pair));
}

ir_value block_line_place(struct block *k, ir_value place)
{
    return k->pass->folds ? ir_int_mod(k->b, place, ir_int(k->b, k->pass->line.n)) : place;
}
