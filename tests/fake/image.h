/* What the pretended compiler hands to the pretended driver. */
#ifndef TESTS_FAKE_IMAGE_H
#define TESTS_FAKE_IMAGE_H

#include <stddef.h>

#define FAKE_MAGIC      "fakecuda"
#define FAKE_CAPABILITY 89 /* no clusters: blocks run one after the other here */

struct fake_image {
    char magic[8];
    size_t bytes;
    char library[]; /* a shared library, as a file has it */
};

#endif
