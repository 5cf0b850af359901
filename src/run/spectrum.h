/* The spectra that Rader's and Bluestein's convolutions multiply with. */
#ifndef WEFT_RUN_SPECTRUM_H
#define WEFT_RUN_SPECTRUM_H

#include "device/device.h"
#include "spec/program.h"

/* Fills table[index], m real and then m imaginary parts in double precision, as the program says:
 * transformed on the CPU. The device is used if it is the CPU; otherwise one is opened for the
 * purpose. The chirp that a spectrum is of is a table before it, filled likewise. */
weft_status spectrum_fill(struct device *device, const struct program *program, int index,
                          void *const *table);

#endif
