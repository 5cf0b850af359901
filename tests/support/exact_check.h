/* One random array through a plan, against the exact result. */
#ifndef TESTS_SUPPORT_EXACT_CHECK_H
#define TESTS_SUPPORT_EXACT_CHECK_H

#include "support/exact.h"
#include "support/random.h"
#include "support/trial.h"

struct exact_check {
    const char *name; /* of the device, which says what it may be off, and more for messages */
    weft_device *device;
    const struct trial *trial;
    const weft_plan *plan;
    double allowed; /* times exact_limit() */
};

/* Fails the test where the plan does, writes what is not its own, or is too far off. */
void exact_check(const struct exact_check *check, struct random *random, weft_direction direction);

#endif
