/* Other libraries that `weft bench` can be timed against. A rival is one file and one row of the
 * table in rival.c; its library is opened at run time, so that none is needed to build. */
#ifndef WEFT_CLI_RIVAL_H
#define WEFT_CLI_RIVAL_H

#include <stdbool.h>

#include <weft/weft.h>

#include "place.h"
#include "sizes.h"

/* Unscaled transforms, forward ones but for WEFT_C2R, whose exponent is positive. Arrays lie as
 * size_case_side() says, in place if in == out. */
struct rival_problem {
    struct size_case dims; /* with the kind */
    weft_precision precision;
    int threads;
    void *in; /* 64-byte aligned; preserved by execute unless it is out or the kind is WEFT_C2R */
    void *out;
    void *queue; /* of the place: the CUDA stream to work on, or a struct vulkan_work */
};

struct rival {
    const char *name;          /* for --vs */
    const char *title;         /* for people */
    const struct place *place; /* where it works; on a CUDA device, all of the following are called
                                * in its context */
    unsigned kinds;            /* bit k: it has weft_kind k */
    bool one_thread;           /* it has no threads of its own */
    /* Makes the library ready for transforms with up to so many threads. NULL, or one line that
     * says what is missing and how to get it. Called once, before the others. */
    const char *(*open)(int threads);
    /* As the library's users would for speed, a problem of its kinds and threads. May overwrite
     * both arrays. NULL: it cannot. */
    void *(*plan)(const struct rival_problem *problem);
    /* Does it so many times; starts it, on a CUDA device; records it, on a Vulkan one. false: that
     * failed. */
    bool (*execute)(void *plan, int64_t repeats);
    void (*destroy)(void *plan);
    /* Bytes that the plan works in beside the arrays. NULL: the library does not say. */
    double (*work_bytes)(const void *plan);
};

enum {
    RIVAL_COMPLEX = 1 << WEFT_C2C,
    RIVAL_HALF_COMPLEX = 1 << WEFT_R2C | 1 << WEFT_C2R,
    RIVAL_COSINES = 1 << WEFT_DCT1 | 1 << WEFT_DCT2 | 1 << WEFT_DCT3 | 1 << WEFT_DCT4,
    RIVAL_SINES = 1 << WEFT_DST1 | 1 << WEFT_DST2 | 1 << WEFT_DST3 | 1 << WEFT_DST4,
    RIVAL_HARTLEY = 1 << WEFT_DHT
};

/* The rival of that name, the one that works at the place if there is; or NULL. */
const struct rival *rival_find(const char *name, const struct place *place);

/* All names, e.g. "fftw, cufft". */
const char *rival_names(void);

/* Whether it has such transforms. */
bool rival_has(const struct rival *rival, weft_kind kind, int threads);

/* The direction of a weft plan that does what a rival does. */
weft_direction rival_direction(weft_kind kind);

extern const struct rival rival_fftw, rival_mkl, rival_kissfft, rival_cufft, rival_vkfft,
    rival_vkfft_vulkan;

#endif
