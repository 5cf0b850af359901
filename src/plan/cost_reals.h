/* What it takes on a CPU to make numbers of a line's reals, or reals or half a spectrum of its
 * numbers, in runs as long as the line: moving. (Experiments "in place" and "swept reals" in
 * docs/experiments.) far: the stage's data leave the third level. */
#ifndef WEFT_PLAN_COST_REALS_H
#define WEFT_PLAN_COST_REALS_H

#include "plan/cost.h"

/* Of a pass that unfolds or folds half a spectrum (pass_sweeps_half()), with a table of half as
 * many roots. */
double cost_half_sweep(const struct cost_machine *machine, const struct pass *pass, bool far);
/* Of a pass that is such a sweep (pass_sweeps_line()). */
double cost_line_sweep(const struct cost_machine *machine, const struct pass *pass, bool far);
/* Of half a spectrum in the pass of a line that no tile holds, beside what its steps take. */
double cost_long_half(const struct cost_machine *machine, const struct pass *pass);
/* How many times longer a pass takes that reads lines from both of their ends, or two of them at
 * once, as splits of half a spectrum do. */
double cost_two_ends(const struct cost_machine *machine, const struct pass *pass);
/* How many times longer a part of a split of reals takes that reads or writes in runs which begin
 * anywhere in a line of the cache. */
double cost_unaligned_reals(const struct cost_machine *machine, const struct pass *pass);
/* How many times longer a line takes whose steps find nothing in the first level. */
double cost_line_sweeping(const struct cost_machine *machine, const struct pass *pass);
/* Of those before and after a line's steps that the pass comprises. */
double cost_comprised_sweeps(const struct cost_machine *machine, const struct pass *pass, bool far);

#endif
