/* Numbers in the texels of an image, which some devices have beside arrays. */
#ifndef WEFT_BASE_TEXELS_H
#define WEFT_BASE_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

/* An image as an array: element i is the texel in column i % width of row i / width. */
struct texels {
    int format;    /* as SPIR-V counts image formats; 0: no image, but an array */
    int channels;  /* of the format */
    int channel;   /* that holds the number, or a complex one's real part; the next one holds the
                    * imaginary part */
    int64_t width; /* texels of a row */
};

static inline bool texels_equal(const struct texels *a, const struct texels *b)
{
    return a->format == b->format && a->channel == b->channel && a->width == b->width;
}

/* What two images have in common that one kernel reads; 0: none is there. */
static inline int64_t texels_shape(const struct texels *t)
{
    return t->width * 256 + t->format;
}

#endif
