/* What the parts of `weft check` share. */
#ifndef WEFT_CLI_CHECK_H
#define WEFT_CLI_CHECK_H

#include "ranges.h"
#include "rival.h"
#include "sizes.h"

/* One transform that is compared with the reference. */
struct check_case {
    const struct size_case *dims;
    weft_precision precision;
    weft_direction direction;
    const struct range_lists *ranges; /* of the input zeros are put, of the output compared */
};

/* Relative L2 errors on the same seeded random data. */
struct check_errors {
    double weft;
    double rival; /* NaN: there is none, or it has no such transform */
};

/* A small transform is repeated on further data, so that one array's luck does not decide. The
 * rival, a library of this machine's memory, may be NULL. Returns NULL, or what went wrong: a line
 * that holds until the next call. */
const char *check_measure(weft_device *device, int threads, const struct check_case *current,
                          const struct rival *rival, struct check_errors *errors);

/* Of one array on that side. */
size_t check_side_bytes(const struct check_case *current, bool out);

/* Transforms `repeats` arrays, one behind the other, by the rival. false: it has no such transform;
 * *problem is not NULL if it failed. */
bool check_run_rival(const struct rival *rival, const struct check_case *current, int threads,
                     int64_t repeats, const void *in, void *out, const char **problem);

#endif
