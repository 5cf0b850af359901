/* The ends of a kernel: global memory to registers before the first step (block_gather.c), and back
 * after the last (block_scatter.c). */
#ifndef WEFT_KERNEL_BLOCK_ENDS_H
#define WEFT_KERNEL_BLOCK_ENDS_H

#include "kernel/block_state.h"

/* An element of a line and what is known of it. */
struct block_element {
    ir_value place;  /* along the line */
    ir_value chirp;  /* its place in the chirp, if the end has one */
    ir_value exists; /* not in the zeros that pad a line */
};

struct block_end {
    weft_format format;
    int re, im; /* buffers */
    bool out, chirp;
    bool real; /* reals: planes of one buffer, `pair` apart */
};

struct block_end block_end_of(const struct block *k, bool out);

/* The element of a column's line that is at that place of the tile. */
struct block_element block_element_at(struct block *k, const struct block_end *end, ir_value column,
                                      ir_value in_tile);
/* Where the element at `place` of its line is; of two reals, the second one. */
ir_value block_address_of(struct block *k, const struct block_end *end, ir_value column,
                          ir_value place);
ir_value block_second_address(struct block *k, ir_value address);
/* Which element of the line alone, without its folds, the one at `place` is. */
ir_value block_line_place(struct block *k, ir_value place);

/* The inverse direction conjugates what comes in and what goes out, or exchanges both their parts,
 * which comes to the same. */
struct ir_complex block_directed(struct block *k, const struct block_end *end, struct ir_complex x);

#endif
