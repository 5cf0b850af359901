/* Contiguous lines of a multiple of a prime that a CPU takes in one pass: as so many lines of the
 * prime by Rader's algorithm, all of them in two steps between pairs there and in two back, and a
 * step that joins their results (device/cpu/rader.h). (Experiment "joined lines" in
 * docs/experiments.) */
#ifndef WEFT_SPEC_JOINED_LINES_H
#define WEFT_SPEC_JOINED_LINES_H

#include "spec/pair_steps.h"

/* Whether there are such of `cofactor` lines of a prime. */
bool joined_lines(const struct limits *limits, weft_precision precision, int64_t prime,
                  int64_t cofactor);

/* The steps of one of the lines; that behind them all is pair_steps_last(). */
struct pair_steps joined_lines_steps(const struct limits *limits, weft_precision precision,
                                     int64_t prime);

#endif
