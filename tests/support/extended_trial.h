/* Trials in WEFT_DD, whose numbers have more digits than a trial's own. */
#ifndef TESTS_SUPPORT_EXTENDED_TRIAL_H
#define TESTS_SUPPORT_EXTENDED_TRIAL_H

#include "reference/reference.h"
#include "support/random.h"
#include "support/trial.h"

/* A tenth of what is promised. The reference is of the same precision, but wrong by some 1e-31 at
 * most: test_reference.c holds it to 113 bits. */
#define EXTENDED_TRIAL_MOST_ERROR 1e-30

/* ||x - exact|| / ||exact|| over packed pairs. */
double extended_trial_error(int64_t elements, const struct reference_extended *x,
                            const struct reference_extended *exact);

/* Runs the trial, whose precision is WEFT_DD, in both directions on random numbers of all digits in
 * guarded host memory, and fails the test where the result or a byte beside it is wrong. */
void extended_trial_check(const struct trial *trial, weft_device *device, struct random *random);

#endif
