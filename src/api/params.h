/* From the caller's parameters to a problem that everything below may rely on. */
#ifndef WEFT_API_PARAMS_H
#define WEFT_API_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/limits.h"
#include "spec/problem.h"
#include "weft/weft.h"

/* Where one side of a problem lies in its buffer, in elements: complex ones, or reals. */
struct side_layout {
    int64_t offset;       /* of element (0, ..., 0) */
    int64_t first, last;  /* least and greatest element touched; last < first: none */
    int64_t unit;         /* all elements touched are `first` plus multiples of this */
    size_t element_bytes; /* of one element in one plane */
    size_t bytes;         /* a buffer (each of its planes) needs at least so many */
    uintptr_t misaligned; /* address bits that must be 0 */
    bool planar, real;
    int64_t image; /* texels_shape() of the image that it is, whose texels count as bytes;
                    * 0: none */
};

/* The image that a side is; format 0: none. */
struct side_image {
    struct texels texels;
    int64_t count; /* of its texels */
};

struct layout {
    struct side_layout in, out;
    bool same; /* in place is possible: in and out agree in all strides and offsets; of a real kind,
                * every line of reals and its half a spectrum begin at one place */
};

/* Checks everything and fills both. images: of the input and of the output. ARGUMENT, SIZE, LAYOUT,
 * UNSUPPORTED with a message. */
weft_status params_check(const weft_params *params, const struct side_image images[2],
                         const struct limits *limits, struct problem *problem,
                         struct layout *layout);

#endif
