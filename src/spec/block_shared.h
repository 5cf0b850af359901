/* What it costs a GPU's blocks to share a line: those of a cluster. */
#ifndef WEFT_SPEC_BLOCK_SHARED_H
#define WEFT_SPEC_BLOCK_SHARED_H

#include "spec/block_tile.h"

/* Elements of a line that a block reads, or writes, in one run; with mirrors it has two such. */
int64_t block_shared_run(const struct pass *pass, bool out);

/* How many times longer the pass takes than by blocks that have lines to themselves. */
double block_shared_slowness(const struct block_tile *tile, const struct pass *pass,
                             int element_bytes, const struct limits *limits);

#endif
