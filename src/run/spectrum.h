/* The spectra that Rader's and Bluestein's convolutions multiply with. */
#ifndef WEFT_RUN_SPECTRUM_H
#define WEFT_RUN_SPECTRUM_H

#include "device/device.h"
#include "spec/program.h"

/* Fills pairs[0 .. 2m-1] as the table says, transformed in double precision on the CPU. The device
 * is used if it is the CPU; otherwise one is opened for the purpose. */
weft_status spectrum_fill(struct device *device, const struct program_table *table, double *pairs);

#endif
