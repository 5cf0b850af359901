#include "support/shared_plan.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { THREADS = 3, ROUNDS = 5 };

struct worker {
    pthread_t thread;
    weft_device *device;
    const weft_plan *plan;
    struct trial trial;
    const double *in, *expected;
    bool right;
};

static void *work(void *argument)
{
    struct worker *w = argument;
    const int64_t count = 2 * trial_elements(&w->trial);
    double *in = malloc((size_t)count * sizeof *in), *out = malloc((size_t)count * sizeof *out);
    w->right = in && out;
    for (int round = 0; w->right && round < ROUNDS; round++) {
        for (int64_t i = 0; i < count; i++)
            in[i] = w->in[i];
        if (trial_run(&w->trial, w->plan, w->device, WEFT_FORWARD, in, out)) w->right = false;
        for (int64_t i = 0; i < count && w->right; i++)
            w->right = out[i] == w->expected[i];
    }
    free(in);
    free(out);
    return NULL;
}

void shared_plan_check(weft_device *device, const weft_plan *plan, const struct trial *trial,
                       double *(*random_data)(int64_t elements))
{
    struct worker worker[THREADS];
    const int64_t elements = trial_elements(trial);
    double *in = random_data(elements), *expected = random_data(elements);
    assert_null(trial_run(trial, plan, device, WEFT_FORWARD, in, expected));
    for (int i = 0; i < THREADS; i++) {
        worker[i] = (struct worker){
            .device = device, .plan = plan, .trial = *trial, .in = in, .expected = expected};
        assert_int_equal(pthread_create(&worker[i].thread, NULL, work, &worker[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(worker[i].thread, NULL);
        assert_true(worker[i].right);
    }
    free(in);
    free(expected);
}
