/* Parameters one by one: what they may be, and what follows from them. */
#ifndef WEFT_API_VALUES_H
#define WEFT_API_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/limits.h"
#include "weft/weft.h"

/* Every value but those that say where data lie. ARGUMENT, SIZE, UNSUPPORTED with a message. */
weft_status values_check(const weft_params *params, const struct limits *limits);

/* A scale, `name` in the message. ARGUMENT. */
weft_status values_check_scale(const char *name, double scale, weft_precision precision);

/* What follows takes parameters that were checked. */

/* The axes that are transformed, a bit each. */
uint32_t values_axes(const weft_params *params);
/* What axis i is transformed by. */
weft_kind values_axis_kind(const weft_params *params, int i);
/* Whether it is a convolution or a correlation. */
bool values_convolve(const weft_params *params);
/* What the side's numbers are in memory where the arithmetic is another; 0: the same. */
weft_storage values_storage(const weft_params *params, bool out);

#endif
