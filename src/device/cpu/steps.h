/* The steps of a transform, some at a time (steps.c). */
#ifndef WEFT_DEVICE_CPU_STEPS_H
#define WEFT_DEVICE_CPU_STEPS_H

#include "device/cpu/pipeline.h"

struct step {
    int radix;
    int64_t s, m; /* see the head of steps.c */
    bool first, last;
    int scaling; /* so many steps up to the one that has the scale (scaling.h); 0: none has */
};

/* Adds the pass's steps from number `first` to before number `end`, the first of which reads
 * `from`; the step is what was before them. Returns where the result is. */
struct transform_end steps_add(struct pipeline_builder *b, struct step step, int first, int end,
                               struct transform_end from, struct transform_end to, bool backward,
                               struct transform_twiddle twiddle);

#endif
