/* Values of a hook that depend on nothing but where the element is along one dimension, as those of
 * a window do: they are computed once, for all places that there are. */
#ifndef WEFT_HOOK_TABLE_H
#define WEFT_HOOK_TABLE_H

#include "hook/program.h"

/* The kernel with such values loaded from tables, which are buffers from HOOK_BUFFERS on. Elements'
 * positions are below `positions`. Everything belongs to the arena. NULL: no memory. */
const struct ir *hook_tabulate(arena *a, const struct ir *kernel, int64_t positions, bool single,
                               struct hook_tables *tables);

#endif
