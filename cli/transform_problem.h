/* What `weft transform` asks of the library: the parameters of the way there and of the way back,
 * and the shape of the result. */
#ifndef WEFT_CLI_TRANSFORM_PROBLEM_H
#define WEFT_CLI_TRANSFORM_PROBLEM_H

#include "transform.h"
#include "window.h"

/* Points into itself: it stays where it was made. */
typedef struct transform_problem {
    weft_params there;
    weft_params back; /* for the opposite direction */
    int64_t out_size[WEFT_MAX_RANK];
    bool out_is_real;
    int64_t whole; /* where one side is half a spectrum, the length of its halved axis; else 0 */
    int64_t real_stride[WEFT_MAX_RANK]; /* reals are the real parts of complex arrays */
    struct ranges ranges;
    char window[WINDOW_LENGTH]; /* the expression of one */
} transform_problem;

/* Makes it of the options and the input's shape. False: the input does not suit the kind, and why.
 */
bool transform_problem_make(transform_problem *problem, const transform_options *options,
                            const array *in, uint32_t axes, failure *why);

#endif
