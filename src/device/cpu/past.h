/* Batches of contiguous lines that leave the caches: a tile's results are made in a worker's memory
 * and go past the caches from there, while the next tile is asked for. */
#ifndef WEFT_DEVICE_CPU_PAST_H
#define WEFT_DEVICE_CPU_PAST_H

#include "device/cpu/engine.h"

/* Whether the lines of the pass are such; all their operations are plain codelets then. */
bool past_suits(const struct kernel *kernel, const struct program *program);
/* How many of the pass's lines are a tile. */
int64_t past_columns(const struct kernel *kernel, int64_t columns);
/* Room for results behind the tile buffers, whose size is known, and shares of threads. */
void past_make_room(struct kernel *kernel);

/* Whether results lie where lines are read, which are near then: kernel->in_place does it. */
bool past_is_in_place(const struct kernel *kernel, const struct device_memory end[2]);
/* Tiles first to last - 1, between ends that are apart. */
void past_run(const struct kernel *kernel, const struct device_memory end[2],
              weft_direction direction, char *workspace, int64_t first, int64_t last);

#endif
