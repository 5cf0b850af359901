/* How far a trial's result is from the exact one. */
#ifndef TESTS_SUPPORT_EXACT_H
#define TESTS_SUPPORT_EXACT_H

#include "reference/reference.h"
#include "support/trial.h"

/* The complex numbers of the whole array that the packed input stands for: reals, or half a
 * spectrum with its other half. The caller's to free. */
double *exact_whole(const struct trial *trial, const double *in);

/* What of a transform of the whole array is the trial's output, in place: half of it, or the real
 * parts, times the scale. */
void exact_part(const struct trial *trial, weft_direction direction,
                struct reference_extended *sum);

/* The exact transform of the whole array, in pairs. False: no memory. */
bool exact_transform(const struct trial *trial, weft_direction direction, const double *whole,
                     struct reference_extended *sum);

/* Takes from the packed results what rounding to the output's storage, and its range, may have made
 * of them: numbers within half a unit of the last place of what is exact become that. Nothing where
 * the storage is the precision's. */
void exact_forgive_storage(const struct trial *trial, const struct reference_extended *exact,
                           double *out);

/* ||out - exact|| / ||exact|| of packed pairs, as trial_run() takes and gives them. */
double exact_error(const struct trial *trial, weft_direction direction, const double *in,
                   const double *out);

/* What it may be: the policy's limit for the device of that name, and some more for the rounding of
 * a scale and because one transform is no mean over many. */
double exact_limit(const struct trial *trial, const char *device);

#endif
