/* What the ends of a line of reals in two passes share: a part of halves.h. */
#ifndef WEFT_DEVICE_CPU_HALVES_PARTS_H
#define WEFT_DEVICE_CPU_HALVES_PARTS_H

#include <string.h>

#include "device/cpu/halves.h"
#include "device/cpu/mirror.h"

/* The number of the tile's first lane. */
static inline int64_t first_number(const struct cpu_tile *tile)
{
    const struct pass *pass = tile->kernel->pass;
    int64_t number = 0;
    for (int l = 0; l < pass->loops; l++)
        number += pass->half_map.loop[l] * tile->counter[l];
    return number;
}

/* Where number 0 of its line is, of numbers of so many bytes. */
static inline const char *line_of(const struct cpu_tile *tile, int bytes)
{
    return tile->base[CPU_TO] - bytes * first_number(tile);
}

/* Whether the tile's results, of so many bytes each, go past the caches where its line begins at
 * such a multiple of bytes: in whole lines of them, some of which have two tiles' numbers. */
static inline bool streams(const struct cpu_tile *tile, int bytes, int alignment)
{
    const uintptr_t line = (uintptr_t)line_of(tile, bytes);
    return tile->kernel->descends && line % (uintptr_t)alignment == 0 &&
           bytes * tile->kernel->pass->half_map.line % STREAM_ALIGNMENT == 0;
}

/* Only of complex data has the first number of the half, or the last, an imaginary part. */
static inline void clear_imaginary(const struct cpu_operation *op, const struct cpu_tile *tile,
                                   int64_t e)
{
    const size_t bytes = (size_t)tile->kernel->real_bytes;
    memset(tile->im[op->to] + (size_t)(e * op->columns) * bytes, 0, bytes);
}

/* Of an end with reals that stand for more: the operation that scatters them from the operand, or
 * gathers them there (halves_reals.c). */
struct cpu_operation *halves_add_reals(struct pipeline_builder *b, bool out,
                                       enum cpu_operand operand);

#endif
