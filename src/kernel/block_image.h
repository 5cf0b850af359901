/* Half the spectrum of an image of reals that a block has whole: its rows are lines of h = n / 2
 * numbers. Element (f, k), f being the row of all folds, is mirrored at (-f, h - k), either modulo
 * its length. A mirrored step's butterflies are (h + 1) / 2 a row, number by number. The 0-th of a
 * row has (f, 0) and, where the row is its own mirror, (f, h / 2); of two rows that mirror each
 * other the former's has both numbers 0, the latter's both numbers h / 2, or nothing if h is
 * odd. */
#ifndef WEFT_KERNEL_BLOCK_IMAGE_H
#define WEFT_KERNEL_BLOCK_IMAGE_H

#include <stdbool.h>

#include "ir/ir.h"
#include "spec/pass.h"

/* Of one image. */
int64_t block_image_butterflies(const struct pass *pass);

/* A butterfly's first element, and the second from that; or, where reals stand for more, another
 * (block_corners.h). */
int64_t block_image_first(const struct pass *pass, int64_t butterfly);
int64_t block_image_mirror(const struct pass *pass, int64_t place, int bits);

/* The same as code. */
struct block;
struct block_image_spot {
    ir_value row, other;          /* of two elements, the rows' first elements; */
    ir_value number, mirror;      /* and which of the row each is */
    ir_value first;               /* the 0-th butterfly of a row, */
    ir_value alone, former;       /* ... of one that is its own mirror, or the former of two */
    ir_value busy;                /* if h is odd: it has something */
};
struct block_image_spot block_image_spot(struct block *k, ir_value butterfly);

#endif
