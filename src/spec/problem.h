/* A problem: what is to be computed, without a pointer to any data. It can be hashed, printed and
 * stored. Checked once, where it is made (src/api/); everything below assumes it valid. */
#ifndef WEFT_SPEC_PROBLEM_H
#define WEFT_SPEC_PROBLEM_H

#include <stdint.h>

#include "base/text.h"
#include "weft/weft.h"

/* n places, `in_stride` complex elements apart where it is read and `out_stride` where it is
 * written. Any sign; in_stride may be 0. */
struct dim {
    int64_t n, in_stride, out_stride;
};

/* Axes of a rank-8 array and the batch count. */
#define PROBLEM_MAX_DIMS (WEFT_MAX_RANK + 1)

struct problem {
    weft_kind kind;
    weft_precision precision;
    weft_format format;
    int axes;                          /* dimensions to transform, slowest first; those of */
    struct dim axis[PROBLEM_MAX_DIMS]; /* length 1 are left out. May be 0: a copy. */
    int loops;                         /* dimensions to repeat over (the batch), */
    struct dim loop[PROBLEM_MAX_DIMS]; /* those of length 1 left out */
    double scale[2];                   /* by weft_direction */
    int threads;                       /* CPU threads, at least 1 */
};

/* Elements of the whole array, batch included. 0: empty batch. */
int64_t problem_elements(const struct problem *p);
/* Bytes of a real number. */
int precision_bytes(weft_precision precision);
/* "c2c f32 1000x1009:1009:1009 batch 8:...", all that distinguishes problems; a key. */
void problem_print(struct text *t, const struct problem *p);

#endif
