/* Other libraries that `weft bench` can be timed against. A rival is one file and one row of the
 * table in rival.c; its library is opened at run time, so that none is needed to build. */
#ifndef WEFT_CLI_RIVAL_H
#define WEFT_CLI_RIVAL_H

#include <stdbool.h>

#include <weft/weft.h>

#include "sizes.h"

/* Forward complex transforms of packed interleaved arrays, unscaled. */
struct rival_problem {
    struct size_case dims;
    weft_precision precision;
    int threads;
    void *in; /* 64-byte aligned; preserved by execute unless it is out */
    void *out;
    void *queue; /* the CUDA stream to work on; NULL on the host */
};

struct rival {
    const char *name;  /* for --vs */
    const char *title; /* for people */
    bool host;         /* it works on host memory, otherwise on a CUDA device's, in whose context
                        * all of the following are called */
    /* Makes the library ready for transforms with so many threads. NULL, or one line that says what
     * is missing. Called once, before the others. */
    const char *(*open)(int threads);
    /* As the library's users would for speed. May overwrite both arrays. NULL: it cannot. */
    void *(*plan)(const struct rival_problem *problem);
    /* Starts it, on a CUDA device. false: that failed. */
    bool (*execute)(void *plan);
    void (*destroy)(void *plan);
    /* Bytes that the plan works in beside the arrays. NULL: the library does not say. */
    double (*work_bytes)(const void *plan);
};

/* The rival of that name, or NULL. */
const struct rival *rival_find(const char *name);

/* All names, e.g. "fftw, cufft". */
const char *rival_names(void);

extern const struct rival rival_fftw, rival_cufft, rival_vkfft;

#endif
