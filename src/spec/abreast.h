/* Contiguous lines that a CPU takes abreast: transposed on their way to a tile and back, so that
 * its lanes are lines. */
#ifndef WEFT_SPEC_ABREAST_H
#define WEFT_SPEC_ABREAST_H

#include "spec/limits.h"
#include "spec/problem.h"
#include "spec/pass.h"

/* How many of an axis by itself are, whose lines are contiguous; 1: none. */
int64_t lines_abreast_in(const struct limits *limits, const struct problem *axis);

/* Whether those of a pass are, provided that both ends are pairs. */
bool lines_abreast_of(const struct limits *limits, weft_precision precision,
                      const struct pass *pass);

/* Whether each line of a pass over contiguous pairs is one codelet, between places. */
bool line_has_codelet(const struct limits *limits, weft_precision precision,
                      const struct pass *pass);

#endif
