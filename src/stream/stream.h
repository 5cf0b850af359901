/* Transforms of arrays that are more than a device holds: passes over memory of the host, or of
 * files, each a band at a time. A band is gathered, transformed by an ordinary program, and
 * scattered. Axes are transformed as many at once as a band holds; one that a band does not hold is
 * split into columns and rows (split.c). */
#ifndef WEFT_STREAM_STREAM_H
#define WEFT_STREAM_STREAM_H

#include "base/text.h"
#include "device/device.h"
#include "stream/far.h"

struct stream;

/* limit: bytes of the device's memory for bands and scratch, beside which there are tables.
 * UNSUPPORTED: an axis that cannot be split is more than the limit holds; MEMORY. */
weft_status stream_create(struct device *device, const struct problem *problem, int64_t limit,
                          struct stream **made);
void stream_destroy(struct stream **stream);

/* Bytes of an array, one plane, that a run works in beside input and output; 0: none. */
size_t stream_spare_bytes(const struct stream *stream);

/* What a run is given beside input and output. */
struct stream_aids {
    const struct far *spare;    /* of that many bytes; NULL: the stream brings its own */
    const struct far *spectrum; /* of a convolution's kernels, one behind the other */
};

/* Runs of one stream take turns. On an error the output may have been written to. */
weft_status stream_run(struct stream *stream, weft_direction direction, const struct far *in,
                       const struct far *out, const struct stream_aids *aids);

/* Has the device's queues copy host memory, where they can: far.pinned unless DEVICE_NOT_PINNED. */
enum device_pin stream_pin(struct device *device, void *memory, size_t bytes);
/* pin: what that returned. */
void stream_unpin(struct device *device, void *memory, enum device_pin pin);

const struct problem *stream_problem(const struct stream *stream);
int64_t stream_limit(const struct stream *stream);

/* What a run does, for people, and in numbers. */
void stream_print(struct text *text, const struct stream *stream);
int stream_passes(const struct stream *stream);
double stream_bytes(const struct stream *stream); /* gathered and scattered */

#endif
