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
};

struct layout {
    struct side_layout in, out;
    bool same; /* in place is possible: in and out agree in all strides and offsets; of a real kind,
                * every line of reals and its half a spectrum begin at one place */
};

/* Checks everything and fills both. ARGUMENT, SIZE, LAYOUT, UNSUPPORTED with a message. */
weft_status params_check(const weft_params *params, const struct limits *limits,
                         struct problem *problem, struct layout *layout);

#endif
