/* Lines that are convolved: transformed forward, multiplied by their part of a spectrum, and
 * transformed back, in one pass or in several, with the spectrum in its natural order. */
#ifndef WEFT_PLAN_ROWS_H
#define WEFT_PLAN_ROWS_H

#include "plan/lower.h"

struct rows {
    struct lines lines;
    struct pass_map spectrum; /* which element of it a line's index and loops lead to */
    int table;                /* the program's; PASS_NO_TABLE: PASS_SPECTRUM, */
    bool conjugate;           /* or its conjugate, */
    int64_t half_n;           /* as spectrum_half_n in struct pass */
};

/* Puts a loop with its positions in front of the others, which counts by `weight` in the spectrum.
 */
void rows_prepend_placed(struct lowering *l, struct rows *rows, const struct placed_dim *loop,
                         int64_t weight);

/* Appends the one pass that convolves rows which fit a block. */
void rows_lower_block(struct lowering *l, const struct plan_node *block, const struct rows *rows);

/* Appends the columns, in one pass; backward: the inverse transform. */
void rows_lower_columns(struct lowering *l, const struct plan_node *block,
                        const struct lines *columns, bool backward);

/* Appends what convolves lines in scratch, between the columns of `split` forward, which left them
 * there as the cut says, and the columns backward. rows: the uncut ones, where those end. */
void rows_lower_cut(struct lowering *l, const struct plan_node *split, const struct rows *rows,
                    const struct lowering_cut *cut);

#endif
