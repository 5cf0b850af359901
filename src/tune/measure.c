#include "tune/measure.h"

#include <math.h>
#include <stdbool.h>
#include <time.h>

#include "plan/planner.h"
#include "run/runner.h"

#define CANDIDATES 8
/* Rounds over all candidates; the least time of each counts, since noise only adds. */
#define ROUNDS 5
/* Executions are repeated until a sample lasts this long. */
#define SAMPLE_SECONDS 200e-6
/* An empty problem never lasts. */
#define MOST_RUNS (INT64_C(1) << 20)

struct trial {
    const struct plan_node *tree;
    struct executable *executable;
    struct runner *runner;
    int64_t runs; /* that a sample takes */
    double seconds;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static weft_status time_once(struct trial *trial, const struct device_memory *in,
                             const struct device_memory *out)
{
    for (;;) {
        const double start = now();
        weft_status status = runner_repeat(trial->runner, *in, *out, trial->runs);
        const double elapsed = now() - start;
        if (status) return status;
        const bool enough = elapsed >= SAMPLE_SECONDS || trial->runs >= MOST_RUNS;
        if (enough && elapsed / (double)trial->runs < trial->seconds)
            trial->seconds = elapsed / (double)trial->runs;
        if (enough) return WEFT_OK;
        trial->runs *= 2;
    }
}

static weft_status time_all(struct trial *trial, int count, const struct device_memory *in,
                            const struct device_memory *out)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            weft_status status = time_once(&trial[i], in, out);
            if (status) return status;
        }
    }
    return WEFT_OK;
}

static void free_trial(struct trial *trial)
{
    runner_destroy(&trial->runner);
    executable_destroy(&trial->executable);
}

static weft_status make_trial(arena *a, struct device *device, const struct problem *problem,
                              const struct plan_node *tree, struct trial *trial)
{
    const struct program *program;
    *trial = (struct trial){.tree = tree, .runs = 1, .seconds = INFINITY};
    weft_status status = plan_lower(a, problem, &device->limits, tree, &program);
    if (!status) status = executable_create(device, program, &trial->executable);
    if (!status) status = runner_create(trial->executable, &trial->runner);
    return status;
}

/* Trials of the candidates that the device takes, and how many: the model judges what fits a device
 * by estimates, so that it may refuse some. Fails if it takes none. */
static weft_status make_trials(arena *a, struct device *device, const struct problem *problem,
                               struct trial *trial, int *made)
{
    const struct plan_node *tree[CANDIDATES];
    int count;
    weft_status status = plan_candidates(a, problem, &device->limits, CANDIDATES, tree, &count);
    if (status) return status;
    *made = 0;
    for (int i = 0; i < count; i++) {
        status = make_trial(a, device, problem, tree[i], &trial[*made]);
        if (status) free_trial(&trial[*made]);
        if (status == WEFT_ERROR_MEMORY) return status;
        if (!status) (*made)++;
    }
    return *made > 0 ? WEFT_OK : status;
}

/* ---- arrays ---- */

static void free_array(struct device *device, struct device_memory *array)
{
    if (array->re) device->ops->free(device, array->re);
    if (array->im) device->ops->free(device, array->im);
}

static weft_status make_array(struct device *device, const struct problem *problem,
                              int64_t elements, int64_t offset, struct device_memory *array)
{
    const bool planar = problem->format == WEFT_PLANAR;
    const size_t bytes =
        (size_t)elements * (size_t)precision_bytes(problem->precision) * (planar ? 1 : 2);
    *array = (struct device_memory){.first = offset};
    weft_status status = device->ops->alloc(device, bytes, &array->re);
    if (!status && planar) status = device->ops->alloc(device, bytes, &array->im);
    return status;
}

/* ---- the whole ---- */

static weft_status run_trials(struct device *device, const struct problem *problem,
                              const struct measure_layout *layout, struct trial *trial, int count)
{
    struct device_memory in, out = {.re = NULL};
    weft_status status =
        make_array(device, problem, layout->in_elements, layout->in_offset, &in);
    if (!status) {
        status = make_array(device, problem, layout->out_elements, layout->out_offset, &out);
    }
    if (!status) status = time_all(trial, count, &in, &out);
    free_array(device, &in);
    free_array(device, &out);
    return status;
}

weft_status measure_best(arena *a, struct device *device, const struct problem *problem,
                         const struct measure_layout *layout, struct measured *measured)
{
    struct trial trial[CANDIDATES];
    int count = 0;
    weft_status status = make_trials(a, device, problem, trial, &count);
    if (!status) status = run_trials(device, problem, layout, trial, count);
    int fastest = 0;
    for (int i = 0; i < count; i++) {
        if (trial[i].seconds < trial[fastest].seconds) fastest = i;
        free_trial(&trial[i]);
    }
    if (status) return status;
    *measured = (struct measured){.best = trial[fastest].tree,
                                  .candidates = count,
                                  .best_seconds = trial[fastest].seconds,
                                  .estimate_seconds = trial[0].seconds};
    return WEFT_OK;
}
