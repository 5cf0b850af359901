/* The power spectrum of a transformed array, and its strongest frequencies. */
#ifndef WEFT_CLI_SPECTRUM_H
#define WEFT_CLI_SPECTRUM_H

#include "array.h"

typedef struct spectrum {
    int rank;                    /* how many axes were transformed */
    int64_t size[WEFT_MAX_RANK]; /* their sizes, the slowest first */
    int64_t count;               /* their product */
    weft_precision precision;    /* that the transform was computed in */
    bool is_real;                /* of real data: bins k and -k hold the same and are listed once */
    double *power; /* |X[k]|^2, the mean over the axes that were not transformed; owned */
} spectrum;

typedef struct peak {
    int64_t index;              /* into power */
    int64_t bin[WEFT_MAX_RANK]; /* signed: -(size - 1) / 2 to size / 2 along each axis */
    double power;
} peak;

/* Takes the power of `transformed`, of which bit i of `axes` says whether axis i was transformed.
 * whole: where `transformed` has half of the last of these axes, its whole length; else 0. is_real:
 * the untransformed data was real. */
bool spectrum_create(spectrum *s, const array *transformed, uint32_t axes, int64_t whole,
                     bool is_real, failure *why);

void spectrum_destroy(spectrum *s);

/* Fills in the strongest local maxima, the strongest first, at most `most`, and returns how many
 * there are. Left out: frequency 0, one of each mirrored pair of real data, and what is no stronger
 * than the rounding errors of the strongest. */
int spectrum_peaks(const spectrum *s, peak *peaks, int most);

#endif
