/* How a GPU takes up a pass: the tile of a block, and what becomes of the memory's bandwidth with
 * it. The planner judges passes by it and the kernels are built to it. */
#ifndef WEFT_SPEC_BLOCK_TILE_H
#define WEFT_SPEC_BLOCK_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/limits.h"
#include "spec/pass.h"

struct block_tile {
    int64_t columns; /* neighbouring counts of loop[0] */
    int64_t length;  /* elements of a line in a tile */
    int threads;
    bool apart;   /* real and imaginary parts are exchanged one after the other */
    int resident; /* blocks that a multiprocessor holds at once */
    double share; /* of the memory's bandwidth that the pass reaches, */
    bool priced;  /* ... beside passes of other trees, once it is chosen from other tiles: of
                   * doubles (experiment "prices of halves" in docs/experiments) */
};

/* The best tile of at most so many columns, or that of the columns which the plan asks for, if it
 * fits. False: none fits the limits. */
bool block_tile_choose(const struct pass *pass, weft_precision precision,
                       const struct limits *limits, int64_t most_columns, struct block_tile *tile);

/* True if a tile of so many elements fits a block: its parts, one after the other, shared memory,
 * and all of it the registers. */
bool block_tile_fits(const struct limits *limits, weft_precision precision, int64_t elements);

#define BLOCK_TILE_MOST_COLUMNS 256

#endif
