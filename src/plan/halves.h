/* A long line of reals in two passes, as a split of the reals themselves (docs/design.md, "real"):
 * for kinds that are reals on one side and half a spectrum on the other, and for those on whose
 * both sides reals stand for one or the other (spec/reals.h). */
#ifndef WEFT_PLAN_HALVES_H
#define WEFT_PLAN_HALVES_H

#include "plan/lower.h"
#include "plan/search.h"

/* Whether half a spectrum is unfolded where a transform of h numbers, of several passes, has left
 * these, or folded to where it will be transformed: on a CPU, where numbers of the spectrum, and of
 * reals that are made of it, follow one another. */
bool halves_sweep_spectrum(const struct problem *p, const struct limits *limits);

/* Whether sweeps make numbers of a line's reals, or reals of its numbers, before and after a
 * transform of several passes: of contiguous lines of a DCT, DST or DHT on a CPU. */
bool halves_sweep_reals(const struct problem *p, const struct limits *limits);

/* Adds splits of the reals themselves to nodes of the kind for a task, if `back` those that serve
 * the way back too. (Experiment "halves": better than any split of half the length, of which a
 * sweep remains, or whose columns read from both ends of the spectrum.) */
void halves_propose_splits(struct search *s, enum plan_kind kind, const struct task *task,
                           bool back, struct candidates *list);
/* Adds nodes of the kind for a task: such, if `back` those that serve the way back too, and those
 * around a complex transform of length `inner` that may be better. */
void halves_propose(struct search *s, enum plan_kind kind, const struct task *task, int64_t inner,
                    bool back, struct candidates *list);

/* From reals to a spectrum: two columns at once, each row up to the middle one; then these rows,
 * which have the others' conjugates. lines->reals: of the line's reals, one a number, and of its
 * spectrum's numbers, all of them. */
void halves_lower_forward(struct lowering *l, const struct plan_node *node,
                          const struct lines *lines);
/* Back: columns up to the middle one, then two rows at once. */
void halves_lower_backward(struct lowering *l, const struct plan_node *node,
                           const struct lines *lines);

/* Two reals side by side become a complex number wherever pairs may lie at any real: on a CPU.
 * Strides of that end count pairs then. */
void halves_join_neighbours(const struct lowering *l, struct lines *lines, bool out);

#endif
