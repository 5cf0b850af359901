/* Lengths of transforms that stand for those of awkward lengths. */
#ifndef WEFT_PLAN_LENGTHS_H
#define WEFT_PLAN_LENGTHS_H

#include <stdint.h>

/* Lengths that are planned to the end, of all that are weighed. */
#define LENGTHS_MOST 4

/* 7-smooth lengths from `least` to `excess` times as many, the lightest by the operations that
 * radices of 2, 3, 5 and 7 take, the lightest first. Returns how many there are. */
int lengths_smooth(double least, double excess, int64_t *length);

#endif
