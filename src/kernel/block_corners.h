/* Images of reals that stand for more (spec/reals.h), at the end where their spectrum is: DCT and
 * DST of types II and III along all axes at once. Numbers are unfolded, or folded, along each axis
 * by itself, k and n - k together, so a butterfly has the corners of a box: along each axis number
 * k or, of corners with the axis's bit, its mirror; of the 0-th that is n / 2, or itself if n is
 * odd. Bit 0 is the line's, whose numbers are pairs of reals; then come the folds'. Of V, the
 * transform along a fold, with w = exp(-2 pi i / 4 n):
 *   II:   C[k] = w^k V[k] + w^-k V[n-k],  C[n-k] = i (w^k V[k] - w^-k V[n-k])
 *   III:  V[k] = w^k (C[k] + i C[n-k]),   V[n-k] = w^-k (C[k] - i C[n-k]) */
#ifndef WEFT_KERNEL_BLOCK_CORNERS_H
#define WEFT_KERNEL_BLOCK_CORNERS_H

#include <stdbool.h>

#include "ir/ir.h"
#include "spec/pass.h"

/* How many a butterfly has; butterflies of one image; the place of a butterfly's corner 0, and that
 * of another corner from one's whose numbers differ in these bits. */
int block_corners(const struct pass *pass);
int64_t block_corner_butterflies(const struct pass *pass);
int64_t block_corner_first(const struct pass *pass, int64_t butterfly);
int64_t block_corner_mirror(const struct pass *pass, int64_t place, int bits);

struct block;
struct block_end;
struct block_spot;
struct ir_complex;

/* A corner's place, as code. */
ir_value block_corner_element(struct block *k, ir_value butterfly, int corner);

/* The corners of a butterfly of type III, folded, and of one of type II, to be unfolded. */
void block_gather_corners(struct block *k, const struct block_end *end,
                          const struct block_spot *spot, struct ir_complex *x);
void block_scatter_corners(struct block *k, const struct block_end *end,
                           const struct block_spot *spot, const struct ir_complex *x);

#endif
