/* Reals that stand for more, as numbers of a split line (spec/reals.h): the host makes those of a
 * band of them, and reals of its results. */
#ifndef WEFT_STREAM_REALS_H
#define WEFT_STREAM_REALS_H

#include "stream/band.h"

/* near: memory that the host reaches. What is scattered stays as it is there. MEMORY, and what the
 * caller's functions return. */
weft_status reals_gather(const struct band *band, weft_precision precision, const struct far *far,
                         void *near);
weft_status reals_scatter(const struct band *band, weft_precision precision, const struct far *far,
                          const void *near);

#endif
