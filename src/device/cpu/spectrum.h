/* Spectra of convolutions in the order in which a pass's lines take them. */
#ifndef WEFT_DEVICE_CPU_SPECTRUM_H
#define WEFT_DEVICE_CPU_SPECTRUM_H

#include "device/cpu/engine.h"

/* Entries in the order of a pass's lines, one behind the other. */
struct spectrum_order {
    struct pass_map map;
    int64_t entries;                /* how many there are */
    int64_t lines[PASS_MAX_LOOPS];  /* of each loop with entries of its own, those that are there */
    int64_t mirrored;               /* see table_mirrored in struct cpu_operation */
};

/* Of an even spectrum, X[m - k] = X[k], whose line k1 takes the numbers k1 + m1 k2, m = m1 m2, line
 * m1 - k1 is line k1 backwards: there are those up to m1 / 2. */
struct spectrum_order spectrum_in_order(const struct pass *pass, bool even);

/* Copies one plane of a table that the kernel's pass has by its own map. */
void spectrum_reorder(const struct kernel *kernel, const struct spectrum_order *order,
                      const char *from, char *to);

/* Copies one plane of `entries`, those of even numbers first. */
void spectrum_part(const struct kernel *kernel, const char *from, char *to, int64_t entries);

#endif
