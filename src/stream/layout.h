/* Where the dimensions of a problem lie in the arrays that passes go through. Dimensions are the
 * loops and then the axes. */
#ifndef WEFT_STREAM_LAYOUT_H
#define WEFT_STREAM_LAYOUT_H

#include "stream/pass.h"

/* Strides in a place, and which elements there are, the input's until the axis is transformed, the
 * output's from then on. */
struct layout {
    enum stream_place place;
    int64_t stride[PROBLEM_MAX_DIMS];
    struct range range[PROBLEM_MAX_DIMS];
};

int layout_dims(const struct problem *p);
const struct dim *layout_dim(const struct problem *p, int d);
/* What a dimension is transformed by. */
weft_kind layout_kind(const struct problem *p, int d);
/* From one element to the next, as hooks count. */
int64_t layout_position(const struct problem *p, bool out, int d);
/* Elements along a dimension as a place has them, of all dimensions, and bytes of each. */
int64_t layout_length(const struct problem *p, enum stream_place place, int d);
int64_t layout_elements(const struct problem *p, enum stream_place place);
size_t layout_element_bytes(const struct problem *p, enum stream_place place);
bool layout_is_real(const struct problem *p, enum stream_place place);
weft_storage layout_storage(const struct problem *p, enum stream_place place);

/* Without ranges. */
struct layout layout_of(const struct problem *p, enum stream_place place);

#endif
