/* Ends whose numbers are stored otherwise than computed with, or of whose lines there is but a
 * range: a pass works on a copy of what it touches there, made as its precision has it, with zeros
 * where there is nothing. A copy is of a tile, so that it stays in a cache; where a tile reads or
 * writes numbers from all over a line that it has not as a whole, as half a spectrum and chirps
 * over several passes do, it is of all that the pass touches. */
#ifndef WEFT_DEVICE_CPU_STAGED_H
#define WEFT_DEVICE_CPU_STAGED_H

#include "device/cpu/engine.h"

/* Finds the ends that need it and gives the kernel a pass with the strides of the copies. Before
 * the tiles are chosen. False: no memory. */
bool staged_describe(struct kernel *kernel, const struct program *program);

/* Most columns of a tile that the first-level cache should hold copies of; at least 1. */
int64_t staged_columns(const struct kernel *kernel);

/* What depends on the tiles, once they are chosen: strides, steps from tile to tile, workspace. */
void staged_finish(struct kernel *kernel, const struct program *program, int index);

/* Where copies are: of a pass as a whole, in a run's workspace, or of a tile, in a worker's. */
struct device_memory staged_memory(const struct kernel *kernel, enum cpu_operand end,
                                   char *workspace);

/* Of what is copied at once: all that the pass touches, if `columns` is 0. */
struct staged_part {
    int64_t element; /* of the end, where it begins, */
    int64_t number;  /* ... which number along the axis that is */
    int64_t columns; /* lines of a tile */
};

/* Whether a dimension's counts are all of one element, which is copied once. */
static inline bool staged_repeats(const struct staged_dim *dim)
{
    return dim->stride == 0 && dim->number == 0;
}

/* Makes the lines' elements that are out of the input's range zeros, where they lie: of `columns`
 * lines, the first of which begins at an element. */
void staged_fill(const struct kernel *kernel, const struct device_memory *memory, int64_t element,
                 int64_t columns);

/* Copies what the end has. */
void staged_load(const struct kernel *kernel, const struct device_memory *from,
                 const struct staged_part *part, const struct device_memory *to);
void staged_store(const struct kernel *kernel, const struct device_memory *to,
                  const struct staged_part *part, const struct device_memory *from);

/* Others may read what copies have left past the caches so far. */
void staged_end_streams(void);
/* Whether there are such. */
bool staged_has_streams(void);

#endif
