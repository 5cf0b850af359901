/* What lies between two axes where the output's strides have no room for all of it, since ranges
 * leave out elements there: a draft that is packed. Where they have room the draft has the output's
 * strides (PASS_DRAFT). */
#ifndef WEFT_PLAN_DRAFT_H
#define WEFT_PLAN_DRAFT_H

#include "plan/lower.h"
#include "plan/steps.h"

/* Whether each dimension of the output, as a whole, steps over all that smaller strides cover. */
bool draft_has_room(const struct problem *p);

/* Whether the problem takes one. */
bool draft_is_packed(const struct problem *p);

/* The problem with the draft for its output, for which it makes room in the program. */
struct problem draft_pack(struct lowering *l, const struct problem *p);

/* Whether a problem of several axes has a draft of what its ranges leave between two groups of
 * them, and work for what lies between the parts of a group: on a CPU, whose caches hold them when
 * they do not hold an output with gaps. (Experiment "packed drafts" in docs/experiments.) */
bool draft_takes_ranges(const struct limits *limits, const struct problem *p);

/* The problem with that draft for its output, for which it makes room in the program: axes from
 * `begins` on come before it, those up to `ends` after it, others before and after. Of a mirrored
 * problem (struct lowering) it is in the order in which the input is read. */
struct problem draft_pack_ranges(struct lowering *l, const struct problem *p, int begins, int ends);

/* A step of a group with what lies between two parts packed: one part that comes from there, or
 * goes, or both. Of what is repeated inside the step too. */
struct problem draft_within_step(struct lowering *l, const struct group *group,
                                 struct repeats *repeats, bool comes, bool goes);

/* The problem of a step, half spectra as numbers, with work for its output, in the order in which
 * it is read: for which it makes room in the program. */
struct problem draft_pack_step(struct lowering *l, const struct problem *step);

/* The problem with what it reads where another one writes it, */
struct problem draft_onwards(const struct problem *p, const struct problem *drafted);
/* ... or with what it writes where another one, or itself, reads it. */
struct problem draft_towards(const struct problem *p, const struct problem *reader);

#endif
