/* Lines beside each other that a CPU takes one by one: as lanes they would be too few. */
#ifndef WEFT_SPEC_LONE_LINES_H
#define WEFT_SPEC_LONE_LINES_H

#include "spec/limits.h"
#include "spec/pass.h"

/* Whether so many lines are. convolved: there and back. */
bool lone_lines(const struct limits *limits, weft_precision precision, int64_t lines,
                bool convolved);

/* Whether so many that are split are fewer than half a vector's lanes, or taken one by one: then
 * the columns of each by itself do better, far apart as they are. */
bool few_lines(const struct limits *limits, weft_precision precision, int64_t lines);

/* Whether a tile holds a line of n numbers: lines beside each other are not split then. (Experiment
 * "long lines laid" in docs/experiments, and for what follows.) */
bool whole_lines(const struct limits *limits, weft_precision precision, int64_t n);

/* Whether it holds one, but not as many as a vector has lanes: such may be laid one behind the
 * other (device/cpu/laid.h) and taken one by one. */
bool long_lines(const struct limits *limits, weft_precision precision, int64_t n);

/* Whether those of a pass are. */
bool long_lines_of(const struct limits *limits, weft_precision precision, const struct pass *pass);

/* Whether those of a pass are lone ones. */
bool lone_lines_of(const struct limits *limits, weft_precision precision, const struct pass *pass);

#endif
