/* Files to read: which reader takes one, and the readers. Each reads from where `file` stands, and
 * trusts nothing that the file says about itself. */
#ifndef WEFT_CLI_INPUT_H
#define WEFT_CLI_INPUT_H

#include "array.h"

#include <stdio.h>

/* A reader. file: opened for reading, seekable, at its start; bytes: its length. On success *a is
 * the caller's to destroy; on failure it is empty and `why` tells the reason, without the path. */
typedef bool input_reader(FILE *file, int64_t bytes, precision_choice precision, array *a,
                          failure *why);

/* NumPy's .npy, format versions 1 to 3: booleans, integers, real and complex numbers of every
 * size, both byte orders, C and Fortran order. Source: numpy.lib.format, "NPY format". Automatic
 * precision: single for numbers of at most 32 bits (16 for integers), double for the others. */
input_reader input_read_npy;

/* PNG of any depth and colour. Colours are combined to luminance and transparency is ignored; the
 * values are the file's own, 0 to 255 or 0 to 65535. Automatic precision: single. */
input_reader input_read_png;

/* WAV, FLAC and Ogg. Channels are averaged. Automatic precision: single. */
input_reader input_read_sound;

/* Opens the file at `path`, finds the reader by the first bytes, and reads. */
bool input_read(const char *path, precision_choice precision, array *a, failure *why);

#endif
