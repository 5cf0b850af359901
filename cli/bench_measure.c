/* One case of `weft bench`: all contestants plan, their results are compared, and then they are
 * timed in turns. */
#include <math.h>

#include "bench_trial.h"

/* The arrays whose copy is the bound: several times the caches, or as large as may be. */
static const size_t copy_bytes = (size_t)512 << 20, least_copy_bytes = (size_t)1 << 20;

/* --- the bound --- */

struct copy_trial {
    const struct place *place;
    struct place_array from, to;
};

static const char *create_copy_arrays(const struct bench_settings *settings, size_t bytes,
                                      struct copy_trial *trial)
{
    const struct place *place = settings->place;
    const char *problem = place->create(settings->device, bytes, &trial->from);
    if (!problem) problem = place->create(settings->device, bytes, &trial->to);
    if (!problem) return NULL;
    place->destroy(&trial->from);
    place->destroy(&trial->to);
    return bytes > least_copy_bytes ? create_copy_arrays(settings, bytes / 2, trial) : problem;
}

static const char *copy_over(const struct place *place, const struct place_array *to,
                             const struct place_array *from, int64_t repeats)
{
    const char *problem = NULL;
    for (int64_t i = 0; i < repeats && !problem; i++)
        problem = place->copy(to, from);
    return problem;
}

static const char *run_copy(const void *context, int64_t repeats)
{
    const struct copy_trial *trial = context;
    return copy_over(trial->place, &trial->to, &trial->from, repeats);
}

const char *bench_measure_copy(struct bench_settings *settings)
{
    const struct place *place = settings->place;
    struct copy_trial trial = {.place = place};
    settings->copy_rate = NAN;
    if (!place->copy || place->host) return NULL;
    const char *problem = create_copy_arrays(settings, copy_bytes, &trial);
    struct contestant copy = {run_copy, &trial, NAN, NAN};
    if (!problem) problem = bench_take_turns(settings, 1, &copy, 1);
    if (!problem) settings->copy_rate = 2.0 * (double)trial.from.bytes / copy.seconds;
    place->destroy(&trial.from);
    place->destroy(&trial.to);
    return problem;
}

/* Whether a copy of the case's own data takes part: on the host their size says which cache is the
 * bound. Its one thread is no bound of several. */
static bool copy_takes_part(const struct trial *trial)
{
    const struct place *place = trial->settings->place;
    return place->host && place->copy && trial->result->threads == 1;
}

static const char *run_own_copy(const void *context, int64_t repeats)
{
    const struct trial *trial = context;
    return copy_over(trial->settings->place, &trial->out, &trial->in, repeats);
}

/* By the copy that took part, where there was one. */
static const char *find_bound(const struct trial *trial, double own_copy_seconds)
{
    weft_plan_info info;
    const double rate = trial->settings->copy_rate;
    struct bench_result *result = trial->result;
    if (weft_plan_describe(trial->plan, &info) != WEFT_OK) return weft_last_error();
    result->bound_seconds = isfinite(own_copy_seconds) ? own_copy_seconds
                            : isfinite(rate)           ? 2.0 * (double)trial->bytes / rate
                                                       : info.bound_seconds;
    result->fraction_of_bound = result->bound_seconds / result->seconds;
    return NULL;
}

/* --- timing --- */

enum { WEFT, WHOLE, COPY, FIRST_RIVAL, CONTESTANTS = FIRST_RIVAL + BENCH_MOST_RIVALS };

/* Who is at the start, and as which contestant. */
struct field {
    struct contestant contestant[CONTESTANTS];
    int who[CONTESTANTS];
    int count;
};

static void enter(struct field *field, int who, place_work *work, const void *context)
{
    field->contestant[field->count] = (struct contestant){work, context, NAN, NAN};
    field->who[field->count++] = who;
}

/* Notes the times, but that of the copy, which is returned. */
static double take_times(const struct field *field, struct bench_result *result)
{
    double copy_seconds = NAN;
    for (int i = 0; i < field->count; i++) {
        const struct contestant *contestant = &field->contestant[i];
        const int who = field->who[i];
        if (who == COPY) {
            copy_seconds = contestant->seconds;
        } else if (who == WHOLE) {
            result->whole_seconds = contestant->seconds;
        } else if (who == WEFT) {
            result->seconds = contestant->seconds;
            result->spread = contestant->spread;
        } else {
            struct bench_rival_result *rival = &result->rival[who - FIRST_RIVAL];
            rival->seconds = contestant->seconds;
            rival->spread = contestant->spread;
            rival->ratio = rival->seconds / result->seconds;
        }
    }
    return copy_seconds;
}

static const char *time_contestants(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    struct rival_trial rival[BENCH_MOST_RIVALS];
    struct field field = {.count = 0};
    enter(&field, WEFT, trial_run_weft, trial);
    if (trial->whole) enter(&field, WHOLE, trial_run_whole, trial);
    if (copy_takes_part(trial)) enter(&field, COPY, run_own_copy, trial);
    for (int i = 0; i < settings->rivals; i++) {
        rival[i] = (struct rival_trial){settings->rival[i], trial->rival_plan[i]};
        if (trial->rival_plan[i]) enter(&field, FIRST_RIVAL + i, trial_run_rival, &rival[i]);
    }
    const char *problem =
        bench_take_turns(settings, trial->result->threads, field.contestant, field.count);
    if (problem) return problem;
    return find_bound(trial, take_times(&field, trial->result));
}

const char *bench_measure(const struct bench_settings *settings, struct bench_result *result)
{
    struct trial trial = {.settings = settings, .result = result};
    result->disk_plan_seconds = result->whole_seconds = NAN;
    for (int i = 0; i < BENCH_MOST_RIVALS; i++)
        result->rival[i] = (struct bench_rival_result){NAN, NAN, NAN, NAN, NAN};
    const char *problem = trial_prepare(&trial);
    if (!problem) problem = trial_compare(&trial);
    if (!problem) problem = time_contestants(&trial);
    trial_release(&trial);
    result->measured = !problem;
    return problem;
}
