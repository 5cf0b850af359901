/* From the caller's parameters to a problem that everything below may rely on. */
#ifndef WEFT_API_PARAMS_H
#define WEFT_API_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/limits.h"
#include "spec/problem.h"
#include "weft/weft.h"

/* Where one side of a problem lies in its buffer, in complex elements. */
struct side_layout {
    int64_t offset;      /* of element (0, ..., 0) */
    int64_t first, last; /* least and greatest element touched; last < first: none */
    int64_t unit;        /* all elements touched are `first` plus multiples of this */
};

struct layout {
    struct side_layout in, out;
    bool same;       /* in and out agree in all strides and offsets: in place is possible */
    size_t in_bytes; /* a buffer (each of its planes) needs at least so many */
    size_t out_bytes;
    size_t element_bytes; /* of one element in one plane */
    uintptr_t misaligned; /* address bits that must be 0 */
    bool planar;
};

/* Checks everything and fills both. ARGUMENT, SIZE, LAYOUT, UNSUPPORTED with a message. */
weft_status params_check(const weft_params *params, const struct limits *limits,
                         struct problem *problem, struct layout *layout);

#endif
