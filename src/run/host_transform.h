/* Transforms in double and in extended precision on the CPU, for tables of any device. */
#ifndef WEFT_RUN_HOST_TRANSFORM_H
#define WEFT_RUN_HOST_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "math/extended.h"

/* Memory that a transform may write to: fresh pages cost as much as the transform. */
struct spare {
    void *memory;
    size_t bytes;
};
#define NO_SPARE ((struct spare){NULL, 0})

/* Transforms `count` numbers in place, forward, by at most so many threads. The device is used if
 * it is the CPU; otherwise one is opened for the purpose. */
weft_status host_transform(struct device *device, int threads, int64_t count, double *re,
                           double *im, struct spare spare);

/* Likewise in extended precision, as WEFT_DD. */
weft_status host_transform_extended(struct device *device, int threads, int64_t count,
                                    struct extended *re, struct extended *im);

#endif
