/* The steps of a compensated transform, for every kind of processor. */
#ifndef WEFT_RUN_COMPENSATED_STEPS_H
#define WEFT_RUN_COMPENSATED_STEPS_H

#include "math/roots.h"

/* The real and the imaginary part. */
typedef double parts __attribute__((vector_size(16)));

struct number {
    parts hi, lo;
};

struct compensated {
    int64_t n;
    struct number *from, *to;
    int64_t roots; /* kept, as compensated_roots() says */
    struct extended_root *root; /* of order n */
};

/* The second half of the roots of even order are the first negated. */
static inline int64_t compensated_roots(int64_t n)
{
    return n % 2 == 0 ? n / 2 : n;
}

/* Transforms what is in `from`, where the results are then; `to` is as long. */
void compensated_run_basic(struct compensated *t);
#if defined(__x86_64__)
void compensated_run_fma(struct compensated *t);
#endif

#endif
