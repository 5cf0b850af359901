/* Frequencies in the order that a plan leaves them. */
#ifndef TESTS_SUPPORT_ORDERED_H
#define TESTS_SUPPORT_ORDERED_H

#include <stdbool.h>

#include "support/trial.h"

/* Whether any axis has another order than the natural one. */
bool ordered_differs(const struct trial *trial, const weft_plan *plan);

/* Puts packed pairs, as trial_run() takes and gives them, from the plan's order into the natural
 * one. */
void ordered_to_natural(const struct trial *trial, const weft_plan *plan, double *data);

#endif
