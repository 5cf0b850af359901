/* What half a spectrum at an end of a pass costs a GPU, and how its kernel has the numbers that are
 * mirrored. */
#ifndef WEFT_SPEC_BLOCK_HALF_H
#define WEFT_SPEC_BLOCK_HALF_H

#include "spec/block_tile.h"

/* A tile's butterflies of one step. */
struct block_half_step {
    int64_t columns, length;
    int radix, threads;
    int64_t shared; /* of the columns, or rows, of a line that is shared: of these; else 0 */
    bool along;     /* neighbouring threads have neighbouring elements of a line, not columns */
};

/* Whether each thread can have both butterflies of mirrored elements: no exchange brings these
 * together then, and none is loaded twice. */
bool block_half_pairs(const struct block_half_step *step, weft_precision precision,
                      const struct limits *limits);

/* Whether those of the pass's kernel have. */
bool block_half_is_paired(const struct block_tile *tile, const struct pass *pass,
                          weft_precision precision, const struct limits *limits);

/* What a tile's numbers take to be unfolded in a block that has their whole lines: the seconds in
 * which the device issues the instructions. */
double block_half_seconds(const struct block_tile *tile, const struct pass *pass,
                          weft_precision precision, const struct limits *limits);

/* How many times longer than without, beside that. */
double block_half_slowness(const struct block_tile *tile, const struct pass *pass,
                           weft_precision precision, const struct limits *limits);

#endif
