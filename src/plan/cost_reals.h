/* What it takes on a CPU to make numbers of a line's reals, or reals or half a spectrum of its
 * numbers, in runs as long as the line: moving. (Experiments "in place" and "swept reals" in
 * docs/performance.md.) far: the stage's data leave the third level. */
#ifndef WEFT_PLAN_COST_REALS_H
#define WEFT_PLAN_COST_REALS_H

#include "plan/cost.h"

/* Of a pass that unfolds half a spectrum in place, with a table of half as many roots. */
double cost_unfolding(const struct cost_machine *machine, const struct pass *pass, bool far);
/* Of a pass that is such a sweep (pass_sweeps_line()). */
double cost_line_sweep(const struct cost_machine *machine, const struct pass *pass, bool far);
/* Of those before and after a line's steps that the pass comprises. */
double cost_comprised_sweeps(const struct cost_machine *machine, const struct pass *pass, bool far);

#endif
