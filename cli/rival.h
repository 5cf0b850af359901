/* Other libraries that `weft bench` can be timed against. A rival is one file and one row of the
 * table in rival.c; its library is opened at run time, so that none is needed to build. */
#ifndef WEFT_CLI_RIVAL_H
#define WEFT_CLI_RIVAL_H

#include <stdbool.h>

#include <weft/weft.h>

#include "place.h"
#include "sizes.h"

/* Forward complex transforms of packed interleaved arrays, unscaled. */
struct rival_problem {
    struct size_case dims;
    weft_precision precision;
    int threads;
    void *in; /* 64-byte aligned; preserved by execute unless it is out */
    void *out;
    void *queue; /* of the place: the CUDA stream to work on, or a struct vulkan_work */
};

struct rival {
    const char *name;  /* for --vs */
    const char *title; /* for people */
    const struct place *place; /* where it works; on a CUDA device, all of the following are called
                                * in its context */
    /* Makes the library ready for transforms with so many threads. NULL, or one line that says what
     * is missing. Called once, before the others. */
    const char *(*open)(int threads);
    /* As the library's users would for speed. May overwrite both arrays. NULL: it cannot. */
    void *(*plan)(const struct rival_problem *problem);
    /* Does it; starts it, on a CUDA device; records it, on a Vulkan one. false: that failed. */
    bool (*execute)(void *plan);
    void (*destroy)(void *plan);
    /* Bytes that the plan works in beside the arrays. NULL: the library does not say. */
    double (*work_bytes)(const void *plan);
};

/* The rival of that name, the one that works at the place if there is; or NULL. */
const struct rival *rival_find(const char *name, const struct place *place);

/* All names, e.g. "fftw, cufft". */
const char *rival_names(void);

extern const struct rival rival_fftw, rival_cufft, rival_vkfft, rival_vkfft_vulkan;

#endif
