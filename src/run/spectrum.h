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

/* The same as spectrum_fill() in extended precision, which that calls for WEFT_DD: the program's
 * chirp and the spectrum are planes of struct extended. (spectrum_extended.c) */
weft_status spectrum_fill_extended(struct device *device, const struct program *program, int index,
                                   void *const *table);
/* Doubles that are rounded once, as well in spectrum_extended.c: for lengths t->m that
 * compensated_suits(). */
weft_status spectrum_fill_rounded(const struct program_table *t, double *spectrum);
/* The threads that making a spectrum may use. */
int spectrum_threads(const struct device *device, const struct program *program);
/* The program's chirp of order n. */
const void *spectrum_chirp(const struct program *program, int64_t n, void *const *table);

#endif
