/* The longer line of which a cosine, sine or Hartley transform is a part. */
#ifndef WEFT_PLAN_TRIGONOMETRIC_H
#define WEFT_PLAN_TRIGONOMETRIC_H

#include "spec/reals.h"
#include "weft/weft.h"

/* Forward transform of `numbers` numbers, made of reals and then made such: with the strides of
 * `in` and `out` still to be said. from_reals: `in` has a part and no turns, and so are the numbers
 * themselves reals; to_reals: likewise the results are, and `in` gives what is symmetric. */
struct trigonometric_line {
    int64_t numbers;
    bool from_reals, to_reals;
    struct reals in, out;
};

struct trigonometric_line trigonometric_line(weft_kind kind, bool orthonormal, int64_t n);

#endif
