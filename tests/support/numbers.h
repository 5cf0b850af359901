/* Real numbers of single or double precision in memory. */
#ifndef TESTS_SUPPORT_NUMBERS_H
#define TESTS_SUPPORT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

/* Bytes of one. */
size_t number_bytes(weft_precision precision);

double number_at(weft_precision precision, const void *data, int64_t i);
void number_put(weft_precision precision, void *data, int64_t i, double x);

/* So many random ones, from -1 to 1. */
void numbers_fill(weft_precision precision, void *data, int64_t count, struct random *random);

/* Makes the plan and runs it once. */
void numbers_transform(weft_device *device, const weft_params *params, weft_direction direction,
                       void *in, size_t in_bytes, void *out, size_t out_bytes);

#endif
