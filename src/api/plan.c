/* Plans: made, described, executed. */
#include <string.h>

#include "api/handles.h"
#include "api/streamed.h"
#include "api/values.h"
#include "base/error.h"
#include "base/memory.h"
#include "tune/prepare.h"

#define TEXT(x)                      #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *weft_version(void)
{
    return VERSION(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

const char *weft_status_name(weft_status status)
{
    static const char *const name[] = {"ok",
                                       "argument means nothing",
                                       "size out of range",
                                       "layout does not fit",
                                       "out of memory",
                                       "device failed",
                                       "not supported by the device"};
    const size_t index = (size_t)status;
    return index < sizeof name / sizeof name[0] ? name[index] : "unknown status";
}

const char *weft_last_error(void)
{
    return error_last();
}

/* ---- making ---- */

static const struct side_image no_images[2];

/* Kernels of other memory read a pair at once, of doubles at most. */
static size_t pair_bytes(const struct side_layout *side)
{
    const size_t most = 2 * sizeof(double);
    return side->element_bytes < most ? side->element_bytes : most;
}

/* What the parameters ask for, and where it lies. */
static weft_status read_params(const weft_device *device, const weft_params *params,
                               const struct side_image images[2], struct problem *problem,
                               struct layout *layout)
{
    const struct device *d = &device->device;
    weft_status status = params_check(params, images, &d->limits, problem, layout);
    if (status) return status;
    if (!d->host_memory) {
        layout->in.misaligned = pair_bytes(&layout->in) - 1;
        layout->out.misaligned = pair_bytes(&layout->out) - 1;
    }
    if (d->limits.vector_bytes == 0) problem->threads = 1; /* plans do not depend on them */
    return WEFT_OK;
}

static struct measure_layout measure_layout(const struct layout *l)
{
    return (struct measure_layout){l->in.last + 1, l->out.last + 1, l->in.offset, l->out.offset};
}

static weft_status prepare_new(weft_device *device, const struct layout *layout,
                               const struct plan_key *key, struct prepared **made)
{
    const struct measure_layout extent = measure_layout(layout);
    weft_status status = prepare(&device->device, device->wisdom, key, &extent, made);
    if (status == WEFT_ERROR_MEMORY) {
        plan_cache_empty(&device->cache);
        status = prepare(&device->device, device->wisdom, key, &extent, made);
    }
    if (status) return status;
    /* What was measured is wisdom by now, and would be chosen by it. */
    if (key->effort == WEFT_MEASURE) (*made)->key.generation = wisdom_generation(device->wisdom);
    plan_cache_add(&device->cache, *made);
    return WEFT_OK;
}

static weft_status fill_streamed(weft_plan *plan, const struct problem *problem, int64_t limit)
{
    weft_status status = stream_create(&plan->device->device, problem, limit, &plan->stream);
    if (status) return status;
    plan->problem = stream_problem(plan->stream);
    if (problem_convolves(problem)) plan->spectrum_bytes = problem_spectrum_bytes(problem);
    return WEFT_OK;
}

/* Axes that the plan does not cut in two, or not at all, have the natural order. */
static void fill_orders(weft_plan *plan, const weft_params *params)
{
    plan->rank = params->rank;
    for (int i = 0, axis = 0; i < params->rank; i++) {
        const bool transformed = values_axes(params) >> i & 1 && params->size[i] > 1;
        plan->order[i] = (weft_axis_order){1, params->size[i]};
        if (!plan->program || plan->problem->order == WEFT_NATURAL || !transformed) continue;
        const struct plan_node *node = plan_of_axis(plan->program->tree, axis++);
        if (node->kind == PLAN_TRANSPOSED)
            plan->order[i] = (weft_axis_order){node->child[0]->n, node->child[1]->n};
    }
}

static void fill_direct(weft_plan *plan)
{
    const struct side_layout *in = &plan->layout.in, *out = &plan->layout.out;
    const bool plain = !in->planar && !out->planar && in->misaligned == out->misaligned &&
                       in->misaligned <= BUFFER_PLAIN_BITS && plan->spectrum_bytes == 0;
    plan->apart = 0 - (uintptr_t)in->bytes - (uintptr_t)out->bytes;
    plan->start[0] = in->offset * (int64_t)in->element_bytes;
    plan->start[1] = out->offset * (int64_t)out->element_bytes;
    for (int d = 0; d < 2; d++)
        plan->direct[d] = plain && plan->shortcut.call.run[d] ? plan->device : NULL;
}

static weft_status fill_plan(weft_plan *plan, const weft_params *params,
                             const struct side_image images[2])
{
    weft_device *device = plan->device;
    struct plan_key key = {.effort = params->effort};
    weft_status status = read_params(device, params, images, &key.problem, &plan->layout);
    if (status) return status;
    const int64_t limit = streamed_limit(device, params, &plan->layout);
    if (limit > 0) {
        key.problem.order = WEFT_NATURAL;
        return fill_streamed(plan, &key.problem, limit);
    }
    key.generation = wisdom_generation(device->wisdom);
    plan->prepared = plan_cache_take(&device->cache, &key);
    if (!plan->prepared) status = prepare_new(device, &plan->layout, &key, &plan->prepared);
    if (status) return status;
    plan->program = plan->prepared->program;
    plan->problem = &plan->program->problem;
    plan->executable = plan->prepared->executable;
    plan->shortcut = plan->prepared->shortcut;
    if (problem_convolves(plan->problem))
        plan->spectrum_bytes = problem_spectrum_bytes(plan->problem);
    fill_direct(plan);
    return runner_create(plan->executable, &plan->runner);
}

weft_status plan_make(weft_device *device, const weft_params *params,
                      const struct side_image images[2], weft_plan **plan)
{
    weft_plan *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return error_memory("a plan");
    made->device = device;
    weft_status status = fill_plan(made, params, images);
    if (status) {
        weft_plan_destroy(&made);
        return status;
    }
    fill_orders(made, params);
    *plan = made;
    return WEFT_OK;
}

weft_status weft_plan_create(weft_device *device, const weft_params *params, weft_plan **plan)
{
    if (!device || !params || !plan) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_plan_create: %s is NULL",
                         !device   ? "device"
                         : !params ? "params"
                                   : "plan");
    }
    return plan_make(device, params, no_images, plan);
}

void weft_plan_destroy(weft_plan **plan)
{
    if (!plan || !*plan) return;
    stream_destroy(&(*plan)->stream);
    runner_destroy(&(*plan)->runner);
    plan_cache_give(&(*plan)->device->cache, (*plan)->prepared);
    memory_free(*plan);
    *plan = NULL;
}

/* ---- wisdom ---- */

weft_status weft_tune(weft_device *device, const weft_params *params, weft_tuning *tuning)
{
    if (!device || !params || !tuning) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_tune: %s is NULL",
                         !device   ? "device"
                         : !params ? "params"
                                   : "tuning");
    }
    struct problem problem;
    struct layout layout;
    weft_status status = read_params(device, params, no_images, &problem, &layout);
    if (status) return status;
    if (problem_elements(&problem) == 0)
        return error_set(WEFT_ERROR_ARGUMENT, "weft_tune: an empty batch cannot be timed");
    const struct measure_layout extent = measure_layout(&layout);
    struct measured measured;
    bool kept;
    status = tune(&device->device, device->wisdom, &problem, &extent, &measured, &kept);
    if (status) return status;
    *tuning = (weft_tuning){.candidates = measured.candidates,
                            .estimate_seconds = measured.estimate_seconds,
                            .tuned_seconds = measured.best_seconds,
                            .kept = kept};
    return WEFT_OK;
}

static weft_status check_wisdom(const weft_device *device, const char *path, const char *function)
{
    if (device && path) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT, "%s: %s is NULL", function, device ? "path" : "device");
}

weft_status weft_wisdom_export(weft_device *device, const char *path)
{
    weft_status status = check_wisdom(device, path, "weft_wisdom_export");
    return status ? status : wisdom_export(device->wisdom, path);
}

weft_status weft_wisdom_import(weft_device *device, const char *path)
{
    weft_status status = check_wisdom(device, path, "weft_wisdom_import");
    return status ? status : wisdom_import(device->wisdom, path);
}

/* ---- describing ---- */

weft_status weft_plan_order(const weft_plan *plan, int axis, weft_axis_order *order)
{
    if (!plan || !order) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_plan_order: %s is NULL",
                         plan ? "order" : "plan");
    }
    if (axis < 0 || axis >= plan->rank) {
        return error_set(WEFT_ERROR_ARGUMENT, "axis is %d: accepted are 0 to %d", axis,
                         plan->rank - 1);
    }
    *order = plan->order[axis];
    return WEFT_OK;
}

size_t weft_plan_scratch_bytes(const weft_plan *plan)
{
    if (!plan) return 0;
    return plan->stream ? stream_spare_bytes(plan->stream)
                        : executable_scratch_bytes(plan->executable);
}

weft_status weft_plan_describe(const weft_plan *plan, weft_plan_info *info)
{
    if (!plan || !info) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_plan_describe: %s is NULL",
                         plan ? "info" : "plan");
    }
    if (plan->stream) {
        *info = (weft_plan_info){.passes = stream_passes(plan->stream),
                                 .bytes = stream_bytes(plan->stream),
                                 .scratch_bytes = stream_spare_bytes(plan->stream)};
        return WEFT_OK;
    }
    const struct program *program = plan->program;
    *info = (weft_plan_info){.passes = program->passes,
                             .bytes = program->bytes,
                             .bound_seconds = program->bound_seconds,
                             .expected_seconds = program->seconds,
                             .scratch_bytes = executable_scratch_bytes(plan->executable),
                             .table_bytes = executable_table_bytes(plan->executable)};
    return WEFT_OK;
}

/* Copies what fits of a text, as snprintf would, and frees it. */
static size_t hand_over(struct text *t, char *text, size_t capacity)
{
    const size_t length = t->length;
    if (text && capacity) {
        const size_t kept = length < capacity ? length : capacity - 1;
        memcpy(text, text_chars(t), kept);
        text[kept] = 0;
    }
    text_free(t);
    return length;
}

size_t weft_plan_text(const weft_plan *plan, char *text, size_t capacity)
{
    struct text t = TEXT_EMPTY;
    if (plan && plan->stream) {
        stream_print(&t, plan->stream);
    } else if (plan) {
        const weft_precision precision = plan->problem->precision;
        program_print(&t, plan->program, device_limits(&plan->device->device, precision));
    }
    return hand_over(&t, text, capacity);
}

size_t weft_plan_source(const weft_plan *plan, int pass, char *text, size_t capacity)
{
    struct text t = TEXT_EMPTY;
    const bool exists = plan && plan->program && pass >= 0 && pass < plan->program->passes;
    if (exists && executable_source(plan->executable, pass, &t)) text_free(&t);
    return hand_over(&t, text, capacity);
}
