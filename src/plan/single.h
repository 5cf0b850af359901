/* One axis of a problem by itself, for which trees are looked for. */
#ifndef WEFT_PLAN_SINGLE_H
#define WEFT_PLAN_SINGLE_H

#include "plan/search.h"

/* Whether it is that of half a spectrum. */
bool single_is_real(const struct problem *problem, int axis);

/* What is asked for of such a problem's line. */
struct task single_task(const struct search *s, const struct problem *single);

#endif
