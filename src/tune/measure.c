#include "tune/measure.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "plan/planner.h"
#include "run/runner.h"
#include "tune/variants.h"

#define CANDIDATES 10
/* Other blocks of threads must take less than this part of the time to be told from noise. */
#define LEAST_GAIN 0.98
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

#define MOST_TREES (CANDIDATES + 1)

struct plan_list {
    int count;
    const struct plan_node *tree[MOST_TREES];
};

/* A problem on a device, with arrays to transform. */
struct contest {
    arena *arena;
    struct device *device;
    const struct problem *problem;
    struct device_memory in, out, spectrum;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Once more before, for trials go round: what one left in the caches is not the next one's.
 * (Experiment "warm trials" in docs/experiments.) */
static weft_status time_once(const struct contest *c, struct trial *trial)
{
    weft_status status = runner_repeat(trial->runner, c->in, c->out, c->spectrum.re, 1);
    for (bool enough = false; !status && !enough; trial->runs *= enough ? 1 : 2) {
        const double start = now();
        status = runner_repeat(trial->runner, c->in, c->out, c->spectrum.re, trial->runs);
        const double elapsed = now() - start, each = elapsed / (double)trial->runs;
        enough = elapsed >= SAMPLE_SECONDS || trial->runs >= MOST_RUNS;
        if (!status && enough && each < trial->seconds) trial->seconds = each;
    }
    return status;
}

static weft_status time_all(const struct contest *c, struct trial *trial, int count)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            weft_status status = time_once(c, &trial[i]);
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
    const struct limits *limits = device_limits(device, problem->precision);
    weft_status status = plan_lower(a, problem, limits, tree, &program);
    if (!status) status = executable_create(device, program, &trial->executable);
    if (!status) status = runner_create(trial->executable, &trial->runner);
    return status;
}

/* Trials of the trees that the device takes, and how many: the model judges what fits a device by
 * estimates, so that it may refuse some. Fails if it takes none. */
static weft_status make_trials(const struct contest *c, const struct plan_list *list,
                               struct trial *trial, int *made)
{
    weft_status status = WEFT_OK;
    *made = 0;
    for (int i = 0; i < list->count; i++) {
        status = make_trial(c->arena, c->device, c->problem, list->tree[i], &trial[*made]);
        if (status) free_trial(&trial[*made]);
        if (status == WEFT_ERROR_MEMORY) return status;
        if (!status) (*made)++;
    }
    return *made > 0 ? WEFT_OK : status;
}

/* Times the trees in turns. */
static weft_status hold_contest(const struct contest *c, const struct plan_list *list,
                                struct measured *measured)
{
    struct trial trial[MOST_TREES];
    int count;
    weft_status status = make_trials(c, list, trial, &count);
    if (!status) status = time_all(c, trial, count);
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

/* ---- which trees ---- */

static bool same_words(const struct plan_node *a, const struct plan_node *b)
{
    struct text x = TEXT_EMPTY, y = TEXT_EMPTY;
    plan_print(&x, a);
    plan_print(&y, b);
    const bool same = strcmp(text_chars(&x), text_chars(&y)) == 0;
    text_free(&x);
    text_free(&y);
    return same;
}

/* What would be chosen without measuring, and then what may be better. */
static weft_status list_candidates(const struct contest *c, struct plan_list *list)
{
    const struct plan_node *tree[CANDIDATES];
    const struct limits *limits = device_limits(c->device, c->problem->precision);
    int count;
    weft_status status = plan_best(c->arena, c->problem, limits, &list->tree[0]);
    if (!status) {
        status = plan_candidates(c->arena, c->problem, limits, CANDIDATES, tree, &count);
    }
    if (status) return status;
    list->count = 1;
    for (int i = 0; i < count; i++) {
        if (!same_words(tree[i], list->tree[0])) list->tree[list->count++] = tree[i];
    }
    return WEFT_OK;
}

/* The tree itself, and with other columns for one of its blocks. */
static weft_status list_columns(const struct contest *c, const struct plan_node *tree, int block,
                                struct plan_list *list)
{
    list->tree[0] = tree;
    list->count = 1;
    for (int columns = 1; columns <= PLAN_MOST_COLUMNS; columns *= 2) {
        const struct plan_node *other =
            variants_with_columns(c->arena, tree, block, columns);
        if (!other) return error_memory("a plan");
        list->tree[list->count++] = other;
    }
    return WEFT_OK;
}

/* Tries other blocks of threads for what was fastest, one kernel after the other. */
static weft_status refine(const struct contest *c, struct measured *measured)
{
    const int blocks = variants_blocks(measured->best);
    for (int block = 0; block < blocks; block++) {
        struct plan_list list;
        struct measured refined;
        weft_status status = list_columns(c, measured->best, block, &list);
        if (!status) status = hold_contest(c, &list, &refined);
        if (status) return status;
        measured->candidates += refined.candidates - 1;
        if (refined.best_seconds > LEAST_GAIN * refined.estimate_seconds) continue;
        measured->best = refined.best;
        measured->best_seconds *= refined.best_seconds / refined.estimate_seconds;
    }
    return WEFT_OK;
}

/* ---- arrays ---- */

static void free_array(struct device *device, struct device_memory *array)
{
    if (array->re) device->ops->free(device, array->re);
    if (array->im) device->ops->free(device, array->im);
}

static weft_status make_array(struct device *device, const struct problem *problem,
                              const struct measure_layout *l, bool out,
                              struct device_memory *array)
{
    const bool planar = problem->format == WEFT_PLANAR;
    const size_t elements = (size_t)(out ? l->out_elements : l->in_elements);
    const size_t bytes = elements * (size_t)problem_side_bytes(problem, out) * (planar ? 1 : 2);
    *array = (struct device_memory){.first = out ? l->out_offset : l->in_offset};
    weft_status status = device->ops->alloc(device, bytes, &array->re);
    if (!status && planar) status = device->ops->alloc(device, bytes, &array->im);
    return status;
}

static weft_status make_spectrum(struct device *device, const struct problem *problem,
                                 struct device_memory *spectrum)
{
    if (!problem_convolves(problem)) return WEFT_OK;
    return device->ops->alloc(device, problem_spectrum_bytes(problem), &spectrum->re);
}

/* ---- the whole ---- */

static weft_status measure_on(struct contest *c, const struct measure_layout *l,
                              struct measured *measured)
{
    struct plan_list list;
    weft_status status = list_candidates(c, &list);
    if (status) return status;
    status = make_array(c->device, c->problem, l, false, &c->in);
    if (!status) status = make_array(c->device, c->problem, l, true, &c->out);
    if (!status) status = make_spectrum(c->device, c->problem, &c->spectrum);
    if (!status) status = hold_contest(c, &list, measured);
    const struct limits *limits = device_limits(c->device, c->problem->precision);
    if (!status && limits->vector_bytes == 0) status = refine(c, measured);
    return status;
}

weft_status measure_best(arena *a, struct device *device, const struct problem *problem,
                         const struct measure_layout *layout, struct measured *measured)
{
    struct contest c = {.arena = a, .device = device, .problem = problem};
    weft_status status = measure_on(&c, layout, measured);
    free_array(device, &c.in);
    free_array(device, &c.out);
    free_array(device, &c.spectrum);
    return status;
}
