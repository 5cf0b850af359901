/* Odd lines of reals beside each other that a CPU lays one behind the other (device/cpu/laid.h) and
 * takes by themselves, as products with a matrix, not two by two. */
#ifndef WEFT_SPEC_LAID_LINES_H
#define WEFT_SPEC_LAID_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* `lines` of n reals to half spectra, or back. */
struct laid_reals {
    int64_t n, lines;
    int real_bytes;
    bool forward;
    bool contiguous[2]; /* by end, whether their elements follow one another; */
    bool beside;        /* lines do at both, and vectors have 64 bytes */
};

/* The longest that are lanes. */
#define LANES_MOST_REALS 16

/* Whether lines of any length are lanes that are multiplied with a matrix (device/cpu/matrix.h). */
bool lanes_of_reals(const struct laid_reals *reals);

/* Whether they are; of ends that are both contiguous nothing need be laid. */
bool laid_odd_lines(const struct laid_reals *reals);

/* Whether those that are taken by themselves are. */
bool laid_lone_line(int64_t n);

#endif
