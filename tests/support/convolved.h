/* Random convolutions in random layouts, run on guarded memory and compared with the sums that
 * define them. */
#ifndef WEFT_TESTS_SUPPORT_CONVOLVED_H
#define WEFT_TESTS_SUPPORT_CONVOLVED_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

/* The batch, the axes, the kernels. */
#define CONVOLVED_MAX_DIMS (WEFT_MAX_RANK + 2)

struct convolved_side {
    int64_t stride[CONVOLVED_MAX_DIMS];
    int64_t offset, elements; /* of its buffer */
    bool ranged;
    int64_t first[CONVOLVED_MAX_DIMS], count[CONVOLVED_MAX_DIMS]; /* elements that there are */
};

/* Dimension 0 is the batch, the last one the kernels. */
struct convolved {
    weft_params params; /* but for the strides; see convolved_params() */
    int dims;
    int64_t n[CONVOLVED_MAX_DIMS];
    bool transformed[CONVOLVED_MAX_DIMS];
    struct convolved_side in, out;
    bool in_place;
};

/* Of at most so many elements, kernels and batch included. */
void convolved_random(struct random *random, int64_t elements, struct convolved *c);
/* Packed, of these sizes; every axis is transformed. */
void convolved_packed(int rank, const int64_t *size, weft_kind kind, int kernels,
                      struct convolved *c);

/* Gives each side a hook, by that chance; double-double has none. */
void convolved_choose_hooks(struct random *random, double chance, struct convolved *c);

weft_params convolved_params(struct convolved *c);
/* In words; in a buffer of the thread's. */
const char *convolved_text(const struct convolved *c);

/* Convolves random numbers with random kernels. NULL, or what was wrong: a status, a byte changed
 * beside the output's elements, or an error above what the precision allows. */
const char *convolved_run(struct convolved *c, weft_device *device, struct random *random);

#endif
