/* The arrays and plans of one case. */
#include "bench_trial.h"

#include <math.h>

#include "samples.h"

/* Plans are made so often, or for so long, for the median of their times. */
static const double planning_seconds = 0.2;
enum { MOST_PLANS = 9 };

/* Four of ours, and one for what the plans keep. */
enum { ARRAYS = 5 };

struct place_array *trial_in(struct trial *trial)
{
    return trial->settings->in_place ? &trial->out : &trial->in;
}

/* FFTW and cuFFT overwrite half a spectrum on the way to reals unless they are told not to, and
 * then they are slower or cannot. */
static bool rivals_overwrite(const struct trial *trial)
{
    return trial->result->dims.kind == WEFT_C2R && !trial->settings->in_place;
}

struct place_array *trial_rival_in(struct trial *trial)
{
    if (rivals_overwrite(trial)) return &trial->rival_in;
    return trial->settings->in_place ? &trial->rival_out : &trial->in;
}

static const char *run_plan(const struct trial *trial, const weft_plan *plan, int64_t repeats)
{
    const struct place_array *in = trial->settings->in_place ? &trial->out : &trial->in;
    return trial->settings->place->execute(plan, trial->direction, in->buffer, trial->out.buffer,
                                           repeats);
}

const char *trial_run_weft(const void *context, int64_t repeats)
{
    const struct trial *trial = context;
    return run_plan(trial, trial->plan, repeats);
}

const char *trial_run_whole(const void *context, int64_t repeats)
{
    const struct trial *trial = context;
    return run_plan(trial, trial->whole, repeats);
}

const char *trial_run_rival(const void *context, int64_t repeats)
{
    const struct rival_trial *trial = context;
    return trial->rival->execute(trial->plan, repeats) ? NULL : "the rival failed";
}

/* --- planning --- */

static const char *plan_once(weft_device *device, const weft_params *params, weft_plan **plan,
                             double *seconds)
{
    weft_plan_destroy(plan);
    double start = seconds_now();
    weft_status status = weft_plan_create(device, params, plan);
    *seconds = seconds_now() - start;
    return status == WEFT_OK ? NULL : weft_last_error();
}

/* On the device opened once more, which has in memory nothing of what the first one keeps there. */
static const char *plan_anew(struct trial *trial, const weft_params *params)
{
    const struct bench_settings *settings = trial->settings;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    const char *problem = settings->place->open(settings->device_argument, &device);
    if (problem) return problem;
    problem = plan_once(device, params, &plan, &trial->result->disk_plan_seconds);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return problem;
}

/* And plans without them. */
static const char *take_ranges(struct trial *trial, weft_params *params)
{
    const struct bench_settings *settings = trial->settings;
    double seconds;
    const char *problem = ranges_make(&settings->ranges, params, &trial->ranges);
    if (problem || !range_lists_exist(&settings->ranges)) return problem;
    problem = plan_once(settings->device, params, &trial->whole, &seconds);
    ranges_take(&trial->ranges, params);
    return problem;
}

static const char *plan_weft(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    struct bench_result *result = trial->result;
    weft_params params = size_case_params(&result->dims, result->precision, result->threads);
    size_case_lay_out(&params, &trial->in_side, &trial->out_side);
    params.effort = settings->effort;
    params.out_order = settings->order;
    const char *problem = take_ranges(trial, &params);
    if (problem) return problem;
    problem =
        plan_once(settings->device, &params, &trial->plan, &result->first_plan_seconds);
    double seconds[MOST_PLANS], total = 0.0;
    int plans = 0;
    while (!problem && plans < MOST_PLANS && (plans == 0 || total < planning_seconds)) {
        problem = plan_once(settings->device, &params, &trial->plan, &seconds[plans]);
        total += seconds[plans++];
    }
    if (problem) return problem;
    result->plan_seconds = bench_median(seconds, plans);
    result->scratch_bytes = (double)weft_plan_scratch_bytes(trial->plan);
    return settings->place->host ? NULL : plan_anew(trial, &params);
}

/* A rival that cannot is left out. */
static void plan_rival(struct trial *trial, int which)
{
    const struct bench_settings *settings = trial->settings;
    const struct bench_result *wanted = trial->result;
    const struct rival *rival = settings->rival[which];
    struct bench_rival_result *result = &trial->result->rival[which];
    struct rival_problem problem = {
        .dims = wanted->dims,
        .precision = wanted->precision,
        .threads = wanted->threads,
        .in = trial_rival_in(trial)->memory,
        .out = trial->rival_out.memory,
        .queue = settings->place->queue ? settings->place->queue() : NULL,
    };
    const bool usual = wanted->precision == WEFT_F32 || wanted->precision == WEFT_F64;
    if (!usual || !rival_has(rival, wanted->dims.kind, wanted->threads)) return;
    double start = seconds_now();
    trial->rival_plan[which] = rival->plan(&problem);
    if (!trial->rival_plan[which]) return;
    result->plan_seconds = seconds_now() - start;
    if (rival->work_bytes) result->work_bytes = rival->work_bytes(trial->rival_plan[which]);
}

/* --- all together --- */

static const char *create_arrays(struct trial *trial)
{
    const struct place *place = trial->settings->place;
    weft_device *device = trial->settings->device;
    const bool rivals = trial->settings->rivals > 0;
    if (place->host && !samples_fit(ARRAYS * (double)trial->bytes))
        return "needs more memory than this machine has";
    const char *problem = place->create(device, trial->bytes, &trial->in);
    if (!problem) problem = place->create(device, trial->bytes, &trial->out);
    if (!problem && rivals) problem = place->create(device, trial->bytes, &trial->rival_out);
    if (!problem && rivals && rivals_overwrite(trial))
        problem = place->create(device, trial->bytes, &trial->rival_in);
    return problem;
}

const char *trial_prepare(struct trial *trial)
{
    const struct bench_result *wanted = trial->result;
    const bool in_place = trial->settings->in_place;
    trial->in_side = size_case_side(&wanted->dims, false, in_place);
    trial->out_side = size_case_side(&wanted->dims, true, in_place);
    trial->bytes = size_case_bytes(&wanted->dims, wanted->precision);
    trial->direction = rival_direction(wanted->dims.kind);
    const char *problem = create_arrays(trial);
    if (!problem) problem = plan_weft(trial);
    for (int i = 0; i < trial->settings->rivals && !problem; i++)
        plan_rival(trial, i);
    return problem;
}

void trial_release(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    for (int i = 0; i < settings->rivals; i++)
        if (trial->rival_plan[i]) settings->rival[i]->destroy(trial->rival_plan[i]);
    weft_plan_destroy(&trial->plan);
    weft_plan_destroy(&trial->whole);
    settings->place->destroy(&trial->in);
    settings->place->destroy(&trial->out);
    settings->place->destroy(&trial->rival_out);
    settings->place->destroy(&trial->rival_in);
}
