/* What the kinds of transforms have in common. */
#ifndef WEFT_SPEC_KIND_H
#define WEFT_SPEC_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "math/extended.h"
#include "weft/weft.h"

#define KIND_COUNT 12

/* "c2c", "dct2", ..., by kind. */
extern const char *const kind_names[KIND_COUNT];

/* Whether the input, or the output, is real. */
bool kind_is_real(weft_kind kind, bool out);
/* Whether one side is real and the other half a spectrum. */
bool kind_is_half(weft_kind kind);
/* Whether both are real: each axis is transformed by itself, by the same kind. */
bool kind_is_trigonometric(weft_kind kind);

/* What the inverse direction of the kind computes in terms of its forward direction: WEFT_DCT3 of
 * WEFT_DCT2 and so on, otherwise the kind itself. */
weft_kind kind_inverse(weft_kind kind);

/* What multiplies the results of an axis so long where it is transformed without passes, as one of
 * length 1 is, or to an orthonormal matrix; 1: nothing does. */
struct extended kind_axis_scale(weft_kind kind, int64_t n, bool orthonormal);

#endif
