/* Sides of a band where the host has to do with the numbers: makes them of reals, multiplies them,
 * or writes reals of them. */
#ifndef WEFT_STREAM_CARRY_H
#define WEFT_STREAM_CARRY_H

#include "stream/band.h"

/* near: memory that the host reaches. What is scattered stays as it is there. MEMORY, and what the
 * caller's functions return. */
weft_status carry_gather(const struct band *band, weft_precision precision, const struct far *far,
                         void *near);
weft_status carry_scatter(const struct band *band, weft_precision precision, const struct far *far,
                          const void *near);

#endif
