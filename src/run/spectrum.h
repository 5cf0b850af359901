/* The spectra that Rader's and Bluestein's convolutions multiply with, transformed on the CPU in
 * double precision. */
#ifndef WEFT_RUN_SPECTRUM_H
#define WEFT_RUN_SPECTRUM_H

#include <stdbool.h>

#include "device/device.h"
#include "spec/program.h"

/* Fills table[index], m real and then m imaginary parts: doubles, or floats if
 * spectrum_is_single(). The device is that of host_transform(). The chirp that a spectrum is of is
 * a table before it, of doubles. */
weft_status spectrum_fill(struct device *device, const struct program *program, int index,
                          void *const *table);

/* True if this one is made in single precision at once. */
bool spectrum_is_single(const struct program *program, int index);

#endif
