#include "support/hook_trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/hook_twin.h"

void hook_trial_choose(struct random *random, struct trial *trial)
{
    const bool load = random_chance(random, 0.7), store = !load || random_chance(random, 0.7);
    if (load) trial->params.load_hook = hook_twin_random(random, trial->in.real);
    if (store) trial->params.store_hook = hook_twin_random(random, trial->out.real);
}

/* Applies a hook to the elements that a side has, in pairs. */
static void apply(const struct trial *trial, const struct trial_side *side, const char *source,
                  weft_direction direction, double *data)
{
    struct hook_place at = {.n = trial->n, .last = trial->dims - 1,
                            .inverse = direction == WEFT_INVERSE};
    const int64_t elements = trial_side_elements(trial, side);
    if (!source) return;
    for (int64_t i = 0; i < elements; i++) {
        int64_t rest = i;
        if (!trial_has(trial, side, i)) continue;
        for (int d = trial->dims - 1; d >= 0; d--) {
            at.k[d] = rest % side->n[d];
            rest /= side->n[d];
        }
        hook_twin_apply(source, &at, side->real, &data[2 * i], &data[2 * i + 1]);
    }
}

static void pack(const struct trial *trial, struct trial_side *side)
{
    int64_t stride = 1;
    for (int d = trial->dims - 1; d >= 0; d--) {
        side->stride[d] = stride;
        stride *= side->n[d];
    }
    side->offset = 0;
    side->elements = stride;
    side->packed = true;
}

/* In double precision, packed, without hooks and of all elements. */
static struct trial plain(const struct trial *trial)
{
    struct trial twin = *trial;
    twin.params.load_hook = twin.params.store_hook = NULL;
    twin.params.precision = WEFT_F64;
    twin.params.memory_limit = 0;
    twin.params.in_offset = twin.params.out_offset = 0;
    twin.params.in_distance = twin.params.out_distance = 0;
    twin.in_place = false;
    twin.in.ranged = twin.out.ranged = false;
    twin.in_shift = twin.out_shift = 0;
    pack(&twin, &twin.in);
    pack(&twin, &twin.out);
    return twin;
}

static const char *run_on(const struct trial *trial, weft_device *device, weft_direction direction,
                          double *in, double *out)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan)) return weft_last_error();
    const char *wrong = trial_run(trial, plan, device, direction, in, out);
    weft_plan_destroy(&plan);
    return wrong;
}

static double *array_of(const struct trial *trial, const struct trial_side *side)
{
    double *array = calloc(2 * (size_t)trial_side_elements(trial, side) + 1, sizeof *array);
    if (!array) abort();
    return array;
}

/* Of what is wanted, beside all that there would be: a window's spectrum is next to nothing where
 * its range may happen to be. */
static const char *compare(const struct trial *trial, const double *found, const double *expected)
{
    static _Thread_local char text[128];
    const int64_t elements = trial_side_elements(trial, &trial->out);
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        if (trial->out.real && i % 2) continue;
        norm += expected[i] * expected[i];
        if (!trial_has(trial, &trial->out, i / 2)) continue;
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
    }
    const double error = sqrt(difference / (norm > 0 ? norm : 1));
    if (error < (trial->params.precision == WEFT_F32 ? 1e-5 : 1e-13)) return NULL;
    snprintf(text, sizeof text, "the error is %g", error);
    return text;
}

const char *hook_trial_run(const struct trial *trial, weft_device *device, weft_device *cpu,
                           weft_direction direction, struct random *random)
{
    const struct trial twin = plain(trial);
    double *in = array_of(trial, &trial->in), *out = array_of(trial, &trial->out);
    double *expected = array_of(trial, &trial->out);
    for (int64_t i = 0; i < 2 * trial_side_elements(trial, &trial->in); i++)
        in[i] = random_number(random);
    const char *wrong = run_on(trial, device, direction, in, out);
    apply(trial, &trial->in, trial->params.load_hook, direction, in);
    if (!wrong) wrong = run_on(&twin, cpu, direction, in, expected);
    apply(trial, &trial->out, trial->params.store_hook, direction, expected);
    if (!wrong) wrong = compare(trial, out, expected);
    free(in);
    free(out);
    free(expected);
    return wrong;
}
