/* Expressions for hooks, and the same in C. */
#ifndef TESTS_SUPPORT_HOOK_TWIN_H
#define TESTS_SUPPORT_HOOK_TWIN_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

#define HOOK_TWIN_MAX_DIMS (WEFT_MAX_RANK + 1)

/* Which element: dimension 0 is the batch. */
struct hook_place {
    int64_t k[HOOK_TWIN_MAX_DIMS];
    const int64_t *n;
    int last; /* dimension */
    int64_t kernel;
    bool inverse;
};

/* One of the expressions, for a side of reals or of complex numbers. */
const char *hook_twin_random(struct random *random, bool real);

/* What such an expression makes of an element; of a real one re alone. NULL: nothing. */
void hook_twin_apply(const char *source, const struct hook_place *at, bool real, double *re,
                     double *im);

#endif
