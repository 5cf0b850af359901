/* The strength of every frequency over time. */
#ifndef WEFT_CLI_SPECTROGRAM_H
#define WEFT_CLI_SPECTROGRAM_H

#include "array.h"

typedef struct spectrogram {
    int columns;        /* moments in time */
    int bins;           /* frequencies from 0 to half the sample rate, both included */
    double *power;      /* columns x bins, each column's frequencies together; owned */
    double first, step; /* the time of the first column's middle and from one to the next, s */
    double duration;    /* of the recording, s */
    double highest;     /* frequency of the last bin, Hz */
} spectrogram;

/* Cuts the recording into overlapping frames, weighs each with a Hann window and transforms them in
 * batches on the device. At most `most_columns` columns result: where there are more frames, each
 * column is the mean of its frames. */
bool spectrogram_create(spectrogram *s, const array *recording, int most_columns,
                        weft_device *device, int threads, failure *why);

void spectrogram_destroy(spectrogram *s);

#endif
