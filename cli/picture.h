/* The pictures of `weft transform --picture`. */
#ifndef WEFT_CLI_PICTURE_H
#define WEFT_CLI_PICTURE_H

#include "frame.h"
#include "spectrogram.h"
#include "spectrum.h"

/* Whether picture_of_spectrum knows how to draw data of these sizes, of which bit i of `axes` says
 * whether axis i is transformed: one or two of those must be longer than 1. */
bool picture_is_possible(int rank, const int64_t *size, uint32_t axes);

/* Draws the spectrum: magnitude in dB over frequency for one axis; for two, magnitude in colours
 * with frequency 0 in the middle. name: of what was transformed, for the title. On success the
 * frame is the caller's to destroy. */
bool picture_of_spectrum(frame *f, const spectrum *s, array_origin origin, const char *name,
                         failure *why);

/* The most columns of a spectrogram that picture_of_spectrogram shows. */
enum { PICTURE_COLUMNS = 900 };

bool picture_of_spectrogram(frame *f, const spectrogram *s, double sample_rate, const char *name,
                            failure *why);

#endif
