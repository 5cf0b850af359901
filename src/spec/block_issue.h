/* What the threads of a block do for a tile: how many elements each holds, and how many
 * instructions all of them issue. */
#ifndef WEFT_SPEC_BLOCK_ISSUE_H
#define WEFT_SPEC_BLOCK_ISSUE_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/limits.h"
#include "spec/pass.h"

/* The pass's steps; those of a convolution twice. */
int block_issue_steps(const struct pass *pass);

/* Whether a step is by a radix that is late here: there are but one or two, a convolution's ones
 * counted once, or the first one folds half a spectrum. */
bool block_issue_is_late(const struct pass *pass, const struct limits *limits);

/* The largest radix of any of the pass's steps that is below `below`, or of all if that is 0; 0:
 * there is none left. Of a pass without steps 1 is one. */
int block_issue_next_radix(const struct pass *pass, int below);

/* The most elements of a tile that a thread holds at once: butterflies are dealt to the threads in
 * rounds, and of a step in which they do not come out even some have one more. */
int64_t block_issue_held(const struct pass *pass, int64_t elements, int threads);

/* The time that the whole device takes to issue the instructions of a butterfly of this radix, in
 * an axis's first step or a later one, with its twiddles and exchange. */
double block_issue_butterfly(int radix, bool first, weft_precision precision,
                             const struct limits *limits);

/* The time that the whole device takes to issue a tile's instructions; lanes without work take as
 * long as others. */
double block_issue_seconds(const struct pass *pass, weft_precision precision,
                           const struct limits *limits, int64_t elements, int threads, bool apart);

/* So many instructions of threads, of arithmetic and others. */
double block_issue_seconds_of(double arithmetic, double others, weft_precision precision,
                              const struct limits *limits);

#endif
