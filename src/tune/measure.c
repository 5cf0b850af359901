#include "tune/measure.h"

#include <string.h>
#include <time.h>

#include "plan/planner.h"
#include "run/executable.h"

#define CANDIDATES 8
/* Rounds over all candidates; the least time of each counts, since noise only adds. */
#define ROUNDS 5
/* Executions are repeated until a sample lasts this long. */
#define SAMPLE_SECONDS 200e-6

struct trial {
    const struct plan_node *tree;
    struct executable *executable;
    double seconds;
};

struct arrays {
    struct device_memory in, out;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct device_memory array_at(void *memory, weft_format format, int64_t elements,
                                     int64_t offset, int real_bytes)
{
    char *bytes = memory;
    if (format == WEFT_INTERLEAVED) {
        return (struct device_memory){.re = bytes + 2 * offset * real_bytes};
    }
    bytes += offset * real_bytes;
    return (struct device_memory){.re = bytes, .im = bytes + elements * real_bytes};
}

static weft_status time_once(struct trial *trial, const struct arrays *arrays)
{
    const double start = now();
    double elapsed = 0;
    int runs = 0;
    while (elapsed < SAMPLE_SECONDS) {
        weft_status status =
            executable_run(trial->executable, WEFT_FORWARD, arrays->in, arrays->out, NULL, NULL);
        if (status) return status;
        runs++;
        elapsed = now() - start;
    }
    if (elapsed / runs < trial->seconds) trial->seconds = elapsed / runs;
    return WEFT_OK;
}

static weft_status time_all(struct trial *trial, int count, const struct arrays *arrays)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            weft_status status = time_once(&trial[i], arrays);
            if (status) return status;
        }
    }
    return WEFT_OK;
}

static weft_status make_trial(arena *a, struct device *device, const struct problem *problem,
                              const struct plan_node *tree, struct trial *trial)
{
    const struct program *program;
    trial->tree = tree;
    trial->seconds = 1e300;
    weft_status status = plan_lower(a, problem, &device->limits, tree, &program);
    return status ? status : executable_create(device, program, &trial->executable);
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
        if (status == WEFT_ERROR_MEMORY) return status;
        if (!status) (*made)++;
    }
    return *made > 0 ? WEFT_OK : status;
}

static weft_status run_trials(struct device *device, const struct problem *problem,
                              const struct measure_layout *layout, struct trial *trial, int count)
{
    const int real_bytes = precision_bytes(problem->precision);
    void *in = NULL, *out = NULL;
    weft_status status =
        device->ops->alloc(device, (size_t)(2 * layout->in_elements * real_bytes), &in);
    if (!status) {
        status = device->ops->alloc(device, (size_t)(2 * layout->out_elements * real_bytes), &out);
    }
    if (!status) {
        const struct arrays arrays = {
            array_at(in, problem->format, layout->in_elements, layout->in_offset, real_bytes),
            array_at(out, problem->format, layout->out_elements, layout->out_offset, real_bytes)};
        status = time_all(trial, count, &arrays);
    }
    if (in) device->ops->free(device, in);
    if (out) device->ops->free(device, out);
    return status;
}

weft_status measure_best(arena *a, struct device *device, const struct problem *problem,
                         const struct measure_layout *layout, const struct plan_node **best)
{
    struct trial trial[CANDIDATES];
    memset(trial, 0, sizeof trial);
    int count = 0;
    weft_status status = make_trials(a, device, problem, trial, &count);
    if (!status) status = run_trials(device, problem, layout, trial, count);
    int fastest = 0;
    for (int i = 0; i < count; i++) {
        if (trial[i].seconds < trial[fastest].seconds) fastest = i;
        executable_destroy(&trial[i].executable);
    }
    if (!status) *best = trial[fastest].tree;
    return status;
}
