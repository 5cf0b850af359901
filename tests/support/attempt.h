/* Random problems tried on one device after another. */
#ifndef TESTS_SUPPORT_ATTEMPT_H
#define TESTS_SUPPORT_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "support/devices.h"
#include "support/random.h"
#include "support/trial.h"

/* One problem being tried. */
struct attempt {
    const struct test_device *device;
    struct random random;
    struct trial trial;
    weft_plan *plan;
    int64_t elements;
    double limit; /* of its relative L2 error */
};

typedef void examine_attempt(struct attempt *);

/* The devices tried: all of them from attempts_open() to attempts_close(), which are a group's
 * set-up and its end. attempt_seed: what problems are drawn from. */
extern struct test_device attempt_devices[];
extern int attempt_device_count;
extern uint64_t attempt_seed;
int attempts_open(void **state);
int attempts_close(void **state);

/* Every one of so many random problems, on every device of one sort, is examined; fails if one of
 * them had to complain. */
void attempt_many(bool evaluated, const struct trial_range *range, int problems,
                  examine_attempt *examine);

/* This problem, its data drawn from `random`. Between attempts_begin() and attempts_end(), which
 * fails if one had to complain. */
void attempts_begin(void);
void attempt_trial(const struct test_device *device, const struct trial *trial,
                   struct random random, examine_attempt *examine);
void attempts_end(void);

/* Complex numbers, to be freed. */
double *attempt_allocate(int64_t elements);
double *attempt_random_data(struct attempt *attempt);

/* Complains of what went wrong. */
void attempt_run(struct attempt *attempt, const char *what, weft_direction direction, double *in,
                 double *out);

/* Complains of an error beyond the limit. */
void attempt_check(const struct attempt *attempt, const char *what, double error);

/* Both directions against the defining sum, and against a transform in extended precision. */
void attempt_against_sum(struct attempt *attempt);
void attempt_against_reference(struct attempt *attempt);

#endif
