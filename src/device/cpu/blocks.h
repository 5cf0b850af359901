/* Scratch in blocks: what the columns of a split leave for its rows lies tile by tile.
 *
 * As a matrix, scratch would take the columns' results a cache line at a time, each line opened for
 * itself and from another page. In blocks a tile of `columns` columns is one run of memory,
 * element e of its column c at e * columns + c, and a line of the rows is found in pieces of
 * `columns` elements, one in each block. The rows gather through a transposing codelet anyway, or,
 * where their results are to be contiguous, one by one. */
#ifndef WEFT_DEVICE_CPU_BLOCKS_H
#define WEFT_DEVICE_CPU_BLOCKS_H

#include "device/cpu/engine.h"

/* Fills in what the kernel is to know of pass `index` before its pipelines are built: the pass, its
 * ends, its tiles, and the blocks if it writes or reads them. False: no memory. */
bool blocks_describe(struct kernel *kernel, const struct program *program, int index);

#endif
