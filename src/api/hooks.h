/* The parameters' expressions, checked and made part of the problem. */
#ifndef WEFT_API_HOOKS_H
#define WEFT_API_HOOKS_H

#include "spec/problem.h"

/* The caller's array, batch first. */
struct hook_dim {
    int64_t size, length[2]; /* of the transform, and of the array on either side */
    bool transformed, kept;  /* one of the problem's axes, or else loops, if it is any */
};
struct hook_dims {
    int count;
    struct hook_dim dim[HOOK_MAX_DIMS];
};

/* Fills in problem->hooks; all else of it must be there. ARGUMENT with the place in the expression;
 * UNSUPPORTED; MEMORY. */
weft_status hooks_fill(const weft_params *p, const struct hook_dims *dims,
                       struct problem *problem);

#endif
