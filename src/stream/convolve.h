/* Streams that convolve: the forward transform to an array between, in its natural order, the
 * product with each kernel's spectrum, and the inverse transform from there. Both ways are streams
 * by themselves, of which one at a time has memory of the device. */
#ifndef WEFT_STREAM_CONVOLVE_H
#define WEFT_STREAM_CONVOLVE_H

#include "stream/pass.h"

/* Fills in both ways of a stream whose problem convolves. */
weft_status convolve_make(struct stream *stream);

size_t convolve_spare_bytes(const struct stream *stream);

/* As stream_run(), under the stream's lock. */
weft_status convolve_run(struct stream *stream, const struct far *in, const struct far *out,
                         const struct stream_aids *aids);

#endif
