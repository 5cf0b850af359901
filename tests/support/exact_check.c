#include "support/exact_check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static double *random_numbers(struct random *random, int64_t elements)
{
    double *data = malloc((size_t)elements * 2 * sizeof *data);
    if (!data) abort();
    for (int64_t i = 0; i < 2 * elements; i++)
        data[i] = random_number(random);
    return data;
}

void exact_check(const struct exact_check *check, struct random *random, weft_direction direction)
{
    const struct trial *trial = check->trial;
    const int64_t elements = trial_elements(trial);
    double *in = random_numbers(random, elements), *out = random_numbers(random, elements);
    const char *wrong = trial_run(trial, check->plan, check->device, direction, in, out);
    const double limit = check->allowed * exact_limit(trial, check->name);
    const double error = wrong ? INFINITY : exact_error(trial, direction, in, out);
    if (!(error <= limit)) {
        fail_msg("%s, %s, direction %d: %s, error %g, allowed %g", check->name, trial_text(trial),
                 (int)direction, wrong ? wrong : "inexact", error, limit);
    }
    free(in);
    free(out);
}
