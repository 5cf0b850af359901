/* Spectra of convolutions in the order in which a pass's lines take them. */
#ifndef WEFT_DEVICE_CPU_SPECTRUM_H
#define WEFT_DEVICE_CPU_SPECTRUM_H

#include "device/cpu/engine.h"

/* The map of entries that lie in the order of the pass's lines, one behind the other, and how many
 * there are. */
int64_t spectrum_in_order(const struct pass *pass, struct pass_map *map);

/* Copies one plane of a table that the kernel's pass has by its own map to one that has it by
 * `map`. */
void spectrum_reorder(const struct kernel *kernel, const struct pass_map *map, const char *from,
                      char *to);

/* Copies one plane of `entries`, those of even numbers first. */
void spectrum_part(const struct kernel *kernel, const char *from, char *to, int64_t entries);

#endif
