/* Where numbers of a split line come from or go to: reals that stand for more (spec/reals.h), of
 * which the host makes those numbers, or pairs. */
#ifndef WEFT_STREAM_REALS_H
#define WEFT_STREAM_REALS_H

#include "stream/numbers.h"
#include "stream/pass.h"

struct stream_end {
    const struct reals *reals;        /* of reals, */
    const struct stream_carry *carry; /* ... and of pairs */
    const struct far *far;
    int64_t first;      /* elements to real 0 of the line, or to its number 0 */
    struct range range; /* the elements that there are */
    weft_precision precision;
};

/* Of the numbers that x says; what is written changes. MEMORY, and what the caller's functions
 * return. */
weft_status reals_read(const struct stream_end *end, struct numbers *x);
weft_status reals_write(const struct stream_end *end, struct numbers *x);
weft_status pairs_read(const struct stream_end *end, struct numbers *x);
weft_status pairs_write(const struct stream_end *end, struct numbers *x);

/* Ends the run where the range begins or ends, at `most`; weight 0: it is not in there. */
void reals_clip(struct reals_run *run, struct range range, int64_t most);

#endif
