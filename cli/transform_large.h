/* `weft transform --memory`: arrays that are more than memory holds. */
#ifndef WEFT_CLI_TRANSFORM_LARGE_H
#define WEFT_CLI_TRANSFORM_LARGE_H

#include "transform.h"

/* Transforms from the options' input to their output, both .npy files, through as much memory as
 * they allow, and reports. Returns the exit code. The output appears whole or not at all. */
int transform_large(const char *called_as, const transform_options *options);

#endif
