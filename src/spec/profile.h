/* The limits of real chips, for planning and testing where they are not. They say what fits, not
 * how fast it is: rates stay those of the usual GPU. */
#ifndef WEFT_SPEC_PROFILE_H
#define WEFT_SPEC_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "spec/limits.h"

struct profile {
    const char *name; /* "rpi5" */
    const char *chip;
    const char *source; /* where the figures were published */
    int threads, shared_bytes, simd_width;
    int registers; /* of a thread; 0: not published */
    bool doubles, wide_integers;
    int64_t largest_buffer; /* maxStorageBufferRange; 0: not published */
};

extern const struct profile profile_table[];
extern const int profile_count;

/* The profile of that name, which need not end after `length`; NULL: there is none. */
const struct profile *profile_find(const char *name, size_t length);

/* Replaces what the profile knows. */
void profile_apply(const struct profile *profile, struct limits *limits);

#endif
