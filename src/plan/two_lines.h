/* Two lines of reals as one complex line. */
#ifndef WEFT_PLAN_TWO_LINES_H
#define WEFT_PLAN_TWO_LINES_H

#include "plan/lower.h"

/* The loop whose lines are best taken two by two: of those that leave none over, or of all, the
 * longest. -1: there is none. */
int two_lines_loop(const struct lines *lines);

/* The same of bare loops. */
int two_lines_best(const struct dim *loop, int loops);

/* Of R2C (out) or C2R: on a CPU the loop along which spectra are nearest, if half of it fills a
 * vector: their numbers are parted and joined as neighbours then (device/cpu/mirror_halves.h). */
int two_lines_loop_of_halves(const struct lowering *l, const struct lines *lines, bool out);

/* Whether half of so many lines fills one. */
bool two_lines_fill(const struct limits *limits, weft_precision precision, int64_t lines);

/* Makes the loop count pairs of lines. */
void two_lines_pair(struct lines *lines, int loop);

/* Leaves the last of the loop's lines alone. */
void two_lines_last(struct lines *lines, int loop);

/* Whether a CPU does lines of n reals as products with a matrix, which read and write any ends. */
bool two_lines_are_products(const struct lowering *l, int64_t n);

/* Whether a side is stored otherwise than computed with, or not all there: it is copied line by
 * line. */
bool two_lines_copied(const struct lowering *l, const struct lines *lines, bool out);

#endif
