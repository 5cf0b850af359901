/* Trees that do the same with other blocks of threads, which the cost model does not tell apart. */
#ifndef WEFT_TUNE_VARIANTS_H
#define WEFT_TUNE_VARIANTS_H

#include "base/arena.h"
#include "spec/plan.h"

/* Blocks of the tree that kernels are made of. */
int variants_blocks(const struct plan_node *tree);

/* The tree with other columns for one of its blocks, counted from 0. NULL: no memory. */
const struct plan_node *variants_with_columns(arena *a, const struct plan_node *tree, int block,
                                              int columns);

#endif
