/* Copies of spectra of convolutions as a CPU's kernels read them. */
#ifndef WEFT_DEVICE_CPU_SPECTRUM_H
#define WEFT_DEVICE_CPU_SPECTRUM_H

#include "device/cpu/engine.h"
#include "spec/spectrum_order.h"

/* Copies one plane of a table that the kernel's pass has by its own map. */
void spectrum_reorder(const struct kernel *kernel, const struct spectrum_order *order,
                      const char *from, char *to);

/* Copies one plane of `entries`, those of even numbers first. */
void spectrum_part(const struct kernel *kernel, const char *from, char *to, int64_t entries);

#endif
