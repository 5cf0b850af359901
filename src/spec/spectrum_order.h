/* Spectra of convolutions in the order in which a pass's lines take them. */
#ifndef WEFT_SPEC_SPECTRUM_ORDER_H
#define WEFT_SPEC_SPECTRUM_ORDER_H

#include "spec/pass.h"

/* Entries in the order of a pass's lines, one behind the other. */
struct spectrum_order {
    struct pass_map map;
    int64_t entries;               /* how many there are */
    int64_t lines[PASS_MAX_LOOPS]; /* of each loop with entries of its own, those that are there */
    int64_t mirrored;              /* entries of an even one of which the lines up to the middle one
                                    * are there: one beyond is its mirror's backwards; 0: all are */
};

/* Of an even spectrum, X[m - k] = X[k], whose line k1 takes the numbers k1 + m1 k2, m = m1 m2, line
 * m1 - k1 is line k1 backwards: there are those up to m1 / 2. */
struct spectrum_order spectrum_in_order(const struct pass *pass, bool even);

/* So much of a plane of every line is put in order after the other: lines are far apart in the one
 * order, elements in the other, and both sides are to be met in whole cache lines. */
#define SPECTRUM_RUN_BYTES 128

/* A line's first entry by the pass's own map and in the order. Loops without entries of their own
 * count once. */
struct spectrum_line {
    int64_t counter[PASS_MAX_LOOPS];
    int64_t from, to;
};

/* From a line, at first one of zeros, to the next; false: that was the last one. */
bool spectrum_next_line(const struct pass *pass, const struct spectrum_order *order,
                        struct spectrum_line *line);

#endif
