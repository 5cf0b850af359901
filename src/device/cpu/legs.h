/* Codelets that are made of a butterfly when they are called; their functions are generated. */
#ifndef WEFT_DEVICE_CPU_LEGS_H
#define WEFT_DEVICE_CPU_LEGS_H

#include "device/cpu/codelet.h"
#include "kernel/codelet.h"

struct codelet_by_legs {
    enum codelet_kind kind;
    int radix;
    codelet_function *butterfly; /* CODELET_STEP_PLAIN of this radix; NULL: the kind has none */
};

/* Do what the codelet of that kind and radix does. */
void codelet_by_legs_f32(const struct codelet_by_legs *codelet, const struct codelet_shape *shape,
                         const void *in_re, const void *in_im, void *out_re, void *out_im,
                         const void *twiddles, const void *fine);
void codelet_by_legs_f64(const struct codelet_by_legs *codelet, const struct codelet_shape *shape,
                         const void *in_re, const void *in_im, void *out_re, void *out_im,
                         const void *twiddles, const void *fine);

#endif
