/* What the two ends of a GPU's tile, where memory is read and written, leave of the bandwidth. */
#ifndef WEFT_SPEC_BLOCK_ENDS_H
#define WEFT_SPEC_BLOCK_ENDS_H

#include "spec/block_tile.h"

/* The share of it that is left. */
double block_ends_share(const struct block_tile *tile, const struct pass *pass,
                        weft_precision precision, const struct limits *limits);

#endif
