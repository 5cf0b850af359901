/* How far a trial's result is from the exact one. */
#ifndef TESTS_SUPPORT_EXACT_H
#define TESTS_SUPPORT_EXACT_H

#include "support/trial.h"

/* ||out - exact|| / ||exact|| of packed pairs, as trial_run() takes and gives them. */
double exact_error(const struct trial *trial, weft_direction direction, const double *in,
                   const double *out);

/* What it may be: the policy's limit for the device of that name, and some more for the rounding of
 * a scale and because one transform is no mean over many. */
double exact_limit(const struct trial *trial, const char *device);

#endif
