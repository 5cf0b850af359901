/* Lines of a CPU in two to four steps between vectors of pairs (kernel/codelet.h:
 * CODELET_PAIRS_OPEN, then CODELET_PAIRS_LEAVE): which, and what they take. */
#ifndef WEFT_SPEC_PAIR_STEPS_H
#define WEFT_SPEC_PAIR_STEPS_H

#include <stdint.h>

#include "spec/limits.h"
#include "weft/weft.h"

#define PAIR_STEPS_MOST 4

struct pair_steps {
    int count; /* 0: there are none */
    int radix[PAIR_STEPS_MOST];
    int bytes[PAIR_STEPS_MOST]; /* of a vector */
    double seconds;             /* of one line in the first-level cache */
};

/* The quickest for so many contiguous lines of n numbers. */
struct pair_steps pair_steps_of(const struct limits *limits, weft_precision precision, int64_t n,
                                int64_t lines);

/* A last step by itself, of so many lanes: of any of their radices, and of 2 and 3. count is 1, or
 * 0: there is none. */
struct pair_steps pair_steps_last(const struct limits *limits, weft_precision precision,
                                  int64_t radix, int64_t lanes);

#endif
