#include "transform_problem.h"

#include "number.h"

#include <string.h>

/* What forward and inverse together multiply by, along an axis. */
static double axis_points(weft_kind kind, int64_t n)
{
    if (kind <= WEFT_C2R || kind == WEFT_DHT) return (double)n;
    if (kind == WEFT_DCT1) return n > 1 ? 2 * (double)(n - 1) : 1; /* of 1 is refused elsewhere */
    return 2 * (double)(kind == WEFT_DST1 ? n + 1 : n);
}

static int last_axis(uint32_t axes)
{
    int last = 0;
    for (int i = 0; i < WEFT_MAX_RANK; i++) {
        if (axes & 1u << i) last = i;
    }
    return last;
}

/* The length of the axis of which the input has n / 2 + 1 elements. */
static bool find_whole(const transform_options *options, int64_t stored, int64_t *whole,
                       failure *why)
{
    *whole = options->length ? options->length : 2 * (stored - 1);
    if (*whole >= 1 && *whole / 2 + 1 == stored) return true;
    return failure_set(why,
                       "--length: %lld elements along the last transformed axis are half the "
                       "spectrum of %lld or %lld reals",
                       (long long)stored, (long long)(2 * (stored - 1)),
                       (long long)(2 * stored - 1));
}

/* The sizes of the real side, or of both. */
static bool find_sizes(transform_problem *problem, const transform_options *options,
                       const array *in, int halved, failure *why)
{
    int64_t *size = problem->there.size;
    memcpy(size, in->size, (size_t)in->rank * sizeof *size);
    memcpy(problem->out_size, size, sizeof problem->out_size);
    if (options->kind == WEFT_R2C) {
        problem->whole = size[halved];
        problem->out_size[halved] = size[halved] / 2 + 1;
    } else if (options->kind == WEFT_C2R) {
        if (!find_whole(options, size[halved], &problem->whole, why)) return false;
        size[halved] = problem->out_size[halved] = problem->whole;
    }
    return true;
}

/* Reals are every other number of an array. */
static void take_real_parts(transform_problem *problem)
{
    weft_params *params = &problem->there;
    int64_t stride = 2;
    for (int i = params->rank - 1; i >= 0; i--) {
        problem->real_stride[i] = stride;
        stride *= params->size[i];
    }
    if (params->kind == WEFT_C2C) return;
    if (params->kind != WEFT_C2R) params->in_stride = problem->real_stride;
    if (params->kind != WEFT_R2C) params->out_stride = problem->real_stride;
}

static weft_kind back_kind(weft_kind kind)
{
    return kind == WEFT_R2C ? WEFT_C2R : kind == WEFT_C2R ? WEFT_R2C : kind;
}

static bool take_hooks(transform_problem *problem, const transform_options *options, failure *why)
{
    weft_params *there = &problem->there;
    there->load_hook = options->load;
    there->store_hook = options->store;
    if (!options->window) return true;
    there->load_hook = problem->window;
    return window_expression(options->window, there->axes, problem->window,
                             sizeof problem->window) ||
           failure_set(why, "--window: too many axes; --axes chooses them");
}

static bool take_ranges(transform_problem *problem, const transform_options *options, failure *why)
{
    const char *wrong = ranges_make(&options->ranges, &problem->there, &problem->ranges);
    if (wrong) return failure_set(why, "%s", wrong);
    ranges_take(&problem->ranges, &problem->there);
    return true;
}

/* NumPy has no complex integers, nor complex halves. */
static bool take_storages(transform_problem *problem, const transform_options *options,
                          const array *in, failure *why)
{
    const weft_storage wanted = options->out_storage;
    problem->there.in_storage = in->storage;
    problem->there.out_storage = wanted;
    if (!wanted || problem->out_is_real || number_bytes(wanted) >= sizeof(float)) return true;
    return failure_set(why,
                       "--out-storage %s: .npy files have no such complex numbers; accepted are "
                       "f32 and f64, or a kind with real results",
                       number_name(wanted));
}

/* Each for the next axis that is transformed. */
static bool take_kinds(weft_params *there, const transform_options *options, failure *why)
{
    int axes = 0;
    there->kind = options->kind;
    if (options->kinds.count == 1) return true;
    for (int i = 0; i < there->rank; i++) {
        if (!(there->axes >> i & 1)) continue;
        if (axes < options->kinds.count) there->axis_kind[i] = options->kinds.kind[axes];
        axes++;
    }
    return axes == options->kinds.count ||
           failure_set(why, "--kind: %d kinds for %d transformed axes", options->kinds.count, axes);
}

static double axis_points_of(const weft_params *p, int i)
{
    return axis_points(p->axis_kind[i] ? p->axis_kind[i] : p->kind, p->size[i]);
}

bool transform_problem_make(transform_problem *problem, const transform_options *options,
                            const array *in, uint32_t axes, failure *why)
{
    weft_params *there = &problem->there;
    *problem = (transform_problem){.there = WEFT_PARAMS_DEFAULT};
    const bool takes_reals = options->kind == WEFT_R2C || options->kind >= WEFT_DCT1;
    if (takes_reals && !in->is_real) {
        return failure_set(why, "%s: is complex; --kind takes real data but for c2c and c2r",
                           options->input);
    }
    there->precision = in->precision;
    there->rank = in->rank;
    there->axes = axes;
    there->threads = options->threads;
    there->orthonormal = options->orthonormal;
    if (!take_kinds(there, options, why)) return false;
    if (!find_sizes(problem, options, in, last_axis(axes), why)) return false;
    problem->out_is_real = options->kind >= WEFT_C2R;
    take_real_parts(problem);
    if (!take_storages(problem, options, in, why)) return false;
    double points = 1;
    for (int i = 0; i < in->rank; i++) {
        if (axes & 1u << i) points *= axis_points_of(there, i);
    }
    if (!there->orthonormal) there->inverse_scale = 1 / points;
    problem->back = *there;
    if (!take_hooks(problem, options, why) || !take_ranges(problem, options, why)) return false;
    problem->back.kind = back_kind(there->kind);
    problem->back.in_stride = there->out_stride;
    problem->back.out_stride = there->in_stride;
    problem->back.in_storage = there->out_storage;
    problem->back.out_storage = WEFT_STORED_AS_COMPUTED;
    return true;
}
