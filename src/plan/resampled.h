/* Lines that are interpolated among the numbers of longer ones' transforms (math/window.h). */
#ifndef WEFT_PLAN_RESAMPLED_H
#define WEFT_PLAN_RESAMPLED_H

#include <stdbool.h>

#include "plan/lower.h"
#include "plan/search.h"

/* Whether a device can do lines of the problem so: a CPU, which sweeps those that lie apart. */
bool resampled_suits(const struct problem *problem, const struct limits *limits);

/* Whether a convolution, which takes twice the transforms, need not be thought of: the model's
 * prices leave none the quicker in the caches. */
bool resampled_is_quicker(const struct search *s, const struct task *task);

/* Whether lines that stand for reals are done as half as many numbers, one by one. */
bool resampled_halves(const struct plan_node *node);

/* Whether a line of reals by itself is taken as that, and half of its spectrum made, or read: half
 * of what pairs take. */
bool resampled_takes_reals(const struct lowering *l, const struct plan_node *node,
                           const struct lines *lines);
void resampled_lower_reals(struct lowering *l, const struct plan_node *node,
                           const struct lines *lines);
/* ... between sweeps, of reals that are reflected, of an odd number. */
void resampled_lower_reflected(struct lowering *l, const struct plan_node *node,
                               const struct lines *lines);

/* Of a pass that leads to such lines, or from them (pass_resamples()), between these levels, those
 * lines if not nearer than one needs. */
double cost_resampling(const struct cost_machine *machine, const struct pass *pass, int from_level,
                       int to_level);

#endif
