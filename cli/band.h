/* The gain of a band-pass filter by frequency (Lloyd et al. 2008, figure 1). */
#ifndef WEFT_CLI_BAND_H
#define WEFT_CLI_BAND_H

#include "array.h"

/* Frequencies in cycles per pixel, whatever their direction. */
typedef struct band {
    double low, high;
    double falloff; /* beyond both ends the gain falls to 0 over so much */
} band;

/* Reads "LOW:HIGH", of which either may be missing: then there is no such end. False: it is
 * something else, or empty. */
bool band_read(const char *text, band *b);

/* 1 within the band; outside it falls like the square of a cosine. */
double band_gain(const band *b, double frequency);

/* Multiplies half the spectrum of a picture, `width` columns of it, by the gain. */
void band_apply(const band *b, array *half, int64_t width);

#endif
