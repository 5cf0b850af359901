/* What lies between two axes where the output's strides have no room for all of it, since ranges
 * leave out elements there: a draft that is packed. Where they have room the draft has the output's
 * strides (PASS_DRAFT). */
#ifndef WEFT_PLAN_DRAFT_H
#define WEFT_PLAN_DRAFT_H

#include "plan/lower.h"

/* Whether the problem takes one. */
bool draft_is_packed(const struct problem *p);

/* The problem with the draft for its output, for which it makes room in the program. */
struct problem draft_pack(struct lowering *l, const struct problem *p);

/* A problem that reads what another one wrote. */
struct problem draft_onwards(const struct problem *p, const struct problem *drafted);

#endif
