/* Lines of complex doubles that go through less memory than they take. */
#ifndef TESTS_SUPPORT_STREAMED_H
#define TESTS_SUPPORT_STREAMED_H

#include <stddef.h>
#include <stdint.h>

#include "support/random.h"
#include "weft/weft.h"

/* So many random complex numbers; the caller frees them. */
double *streamed_numbers(struct random *random, int64_t elements);
/* Plans of n points a line with this memory_limit, sure to be had; the caller destroys them. */
weft_plan *streamed_lines(weft_device *device, int64_t n, int64_t lines, int64_t limit);
weft_plan *streamed_line(weft_device *device, int64_t n, int64_t limit);
void streamed_forward(weft_device *device, const weft_plan *plan, double *x, double *y,
                      size_t bytes);

#endif
