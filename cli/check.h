/* What the parts of `weft check` share. */
#ifndef WEFT_CLI_CHECK_H
#define WEFT_CLI_CHECK_H

#include "ranges.h"
#include "sizes.h"

/* One transform that is compared with the reference. */
struct check_case {
    const struct size_case *dims;
    weft_precision precision;
    weft_direction direction;
    const struct range_lists *ranges; /* of the input zeros are put, of the output compared */
};

/* The relative L2 error on seeded random data. A small transform is repeated on further data, so
 * that one array's luck does not decide. Returns NULL, or what went wrong: a line that holds until
 * the next call. */
const char *check_measure(weft_device *device, int threads, const struct check_case *current,
                          double *error);

#endif
