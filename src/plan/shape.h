/* The complex transform that one of reals that stand for more is, and its ends. */
#ifndef WEFT_PLAN_SHAPE_H
#define WEFT_PLAN_SHAPE_H

#include "spec/pass.h"
#include "weft/weft.h"

struct shape {
    int64_t length; /* of the complex transform */
    struct reals in, out;
    enum pass_half half; /* FOLD: as the reals are gathered; UNFOLD: before they are scattered */
    int64_t half_n;
};

/* Of a kind, of n reals; without the ends' counts of numbers and orthonormal weights. */
struct shape shape_of_kind(weft_kind kind, int64_t n);
struct shape shape_of(weft_kind kind, bool orthonormal, int64_t n);

#endif
