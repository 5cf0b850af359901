/* One case of `weft bench`: all contestants plan, their results are compared, and then they are
 * timed in turns. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

/* Plans are made so often, or for so long, for the median of their times. */
static const double planning_seconds = 0.2;
enum { MOST_PLANS = 9 };

/* How far the two results may lie apart: far more than rounding, far less than any mistake. */
static const double difference_limit[] = {[WEFT_F32] = 1e-4, [WEFT_F64] = 1e-12};

enum { RANDOM_SEED = 2 };

/* Three of ours, and one for what the plans keep. */
enum { ARRAYS = 4 };

/* Arrays are filled with repetitions of so much random data, and compared in a piece of that size
 * at either end. */
static const size_t piece_bytes = (size_t)32 << 20;

/* The arrays whose copy is the bound: several times the caches, or as large as may be. */
static const size_t copy_bytes = (size_t)512 << 20, least_copy_bytes = (size_t)1 << 20;

struct trial {
    const struct bench_settings *settings;
    struct bench_result *result;
    size_t bytes;
    struct place_array in; /* all read it; in place each works in its out instead */
    struct place_array out, rival_out;
    weft_plan *plan;
    void *rival_plan[BENCH_MOST_RIVALS]; /* NULL: it cannot */
};

struct rival_trial {
    const struct rival *rival;
    void *plan;
};

static const char *run_weft(const void *context)
{
    const struct trial *trial = context;
    const struct place_array *in = trial->settings->in_place ? &trial->out : &trial->in;
    return trial->settings->place->execute(trial->plan, in->buffer, trial->out.buffer);
}

static const char *run_rival(const void *context)
{
    const struct rival_trial *trial = context;
    return trial->rival->execute(trial->plan) ? NULL : "the rival failed";
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

static const char *plan_weft(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    struct bench_result *result = trial->result;
    weft_params params = size_case_params(&result->dims, result->precision, settings->threads);
    params.effort = settings->effort;
    const char *problem =
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
    const struct rival *rival = settings->rival[which];
    struct bench_rival_result *result = &trial->result->rival[which];
    struct rival_problem problem = {
        .dims = trial->result->dims,
        .precision = trial->result->precision,
        .threads = settings->threads,
        .in = settings->in_place ? trial->rival_out.memory : trial->in.memory,
        .out = trial->rival_out.memory,
        .queue = settings->place->queue ? settings->place->queue() : NULL,
    };
    double start = seconds_now();
    trial->rival_plan[which] = rival->plan(&problem);
    if (!trial->rival_plan[which]) return;
    result->plan_seconds = seconds_now() - start;
    if (rival->work_bytes) result->work_bytes = rival->work_bytes(trial->rival_plan[which]);
}

static const char *create_arrays(struct trial *trial)
{
    const struct place *place = trial->settings->place;
    weft_device *device = trial->settings->device;
    if (place->host && !samples_fit(ARRAYS * (double)trial->bytes))
        return "needs more memory than this machine has";
    const char *problem = place->create(device, trial->bytes, &trial->in);
    if (!problem) problem = place->create(device, trial->bytes, &trial->out);
    if (!problem && trial->settings->rivals)
        problem = place->create(device, trial->bytes, &trial->rival_out);
    return problem;
}

static const char *prepare(struct trial *trial)
{
    trial->bytes = size_case_bytes(&trial->result->dims, trial->result->precision);
    const char *problem = create_arrays(trial);
    if (!problem) problem = plan_weft(trial);
    for (int i = 0; i < trial->settings->rivals && !problem; i++)
        plan_rival(trial, i);
    return problem;
}

static void release(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    for (int i = 0; i < settings->rivals; i++)
        if (trial->rival_plan[i]) settings->rival[i]->destroy(trial->rival_plan[i]);
    weft_plan_destroy(&trial->plan);
    settings->place->destroy(&trial->in);
    settings->place->destroy(&trial->out);
    settings->place->destroy(&trial->rival_out);
}

/* --- comparing --- */

/* What of the arrays is on the host at a time. */
struct piece {
    size_t bytes;
    void *random, *weft, *rival;
};

static const char *fill(const struct trial *trial, struct place_array *array,
                        const struct piece *piece)
{
    const char *problem = NULL;
    for (size_t done = 0; done < trial->bytes && !problem; done += piece->bytes) {
        size_t rest = trial->bytes - done;
        problem = trial->settings->place->write(array, done, piece->random,
                                                rest < piece->bytes ? rest : piece->bytes);
    }
    return problem;
}

/* ||a - b|| / ||b|| */
static double difference(const struct piece *piece, weft_precision precision)
{
    const float *single_a = piece->weft, *single_b = piece->rival;
    const double *double_a = piece->weft, *double_b = piece->rival;
    bool doubles = precision == WEFT_F64;
    double off = 0.0, norm = 0.0;
    for (size_t i = 0; i < piece->bytes / (doubles ? sizeof(double) : sizeof(float)); i++) {
        double a = doubles ? double_a[i] : (double)single_a[i];
        double b = doubles ? double_b[i] : (double)single_b[i];
        off += (a - b) * (a - b);
        norm += b * b;
    }
    return sqrt(off / norm);
}

static const char *compare_at(const struct trial *trial, const struct piece *piece, size_t offset)
{
    const struct place *place = trial->settings->place;
    const char *problem = place->read(&trial->out, offset, piece->weft, piece->bytes);
    if (!problem) problem = place->read(&trial->rival_out, offset, piece->rival, piece->bytes);
    if (problem) return problem;
    bool close =
        difference(piece, trial->result->precision) < difference_limit[trial->result->precision];
    return close ? NULL : "the results of weft and of the rival differ";
}

static const char *compare_with(struct trial *trial, int which, const struct piece *piece)
{
    const struct rival_trial rival = {trial->settings->rival[which], trial->rival_plan[which]};
    const char *problem = NULL;
    if (trial->settings->in_place) problem = fill(trial, &trial->rival_out, piece);
    if (!problem) problem = run_rival(&rival);
    if (!problem) problem = compare_at(trial, piece, 0);
    if (!problem && trial->bytes > piece->bytes)
        problem = compare_at(trial, piece, trial->bytes - piece->bytes);
    return problem;
}

/* Whoever is wrong: the case is timed without this rival, and the command fails. */
static void leave_out(struct trial *trial, int which, const char *wrong)
{
    const struct rival *rival = trial->settings->rival[which];
    snprintf(trial->result->complaint, sizeof trial->result->complaint, "%s: %s", rival->title,
             wrong);
    rival->destroy(trial->rival_plan[which]);
    trial->rival_plan[which] = NULL;
    trial->result->rival[which] = (struct bench_rival_result){NAN, NAN, NAN, NAN};
}

/* Executes once on random data, which only now can be put into the arrays: planning may have
 * overwritten them. */
static const char *execute_and_compare(struct trial *trial, const struct piece *piece)
{
    size_t number = trial->result->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
    samples_randomize(piece->random, trial->result->precision, (int64_t)(piece->bytes / number),
                      RANDOM_SEED);
    const char *problem = fill(trial, trial->settings->in_place ? &trial->out : &trial->in, piece);
    if (!problem) problem = run_weft(trial);
    for (int i = 0; i < trial->settings->rivals && !problem; i++) {
        const char *wrong = trial->rival_plan[i] ? compare_with(trial, i, piece) : NULL;
        if (wrong) leave_out(trial, i, wrong);
    }
    return problem;
}

/* A transform repeated in place grows its data until it overflows, so there it runs on zeros. */
static const char *clear_in_place(struct trial *trial, const struct piece *piece)
{
    if (!trial->settings->in_place) return NULL;
    memset(piece->random, 0, piece->bytes);
    const char *problem = fill(trial, &trial->out, piece);
    if (!problem && trial->settings->rivals) problem = fill(trial, &trial->rival_out, piece);
    return problem;
}

static const char *compare(struct trial *trial)
{
    size_t bytes = trial->bytes < piece_bytes ? trial->bytes : piece_bytes;
    struct piece piece = {bytes, malloc(bytes), malloc(bytes), malloc(bytes)};
    const char *problem = "no memory for the arrays";
    if (piece.random && piece.weft && piece.rival) problem = execute_and_compare(trial, &piece);
    if (!problem) problem = clear_in_place(trial, &piece);
    free(piece.random);
    free(piece.weft);
    free(piece.rival);
    return problem;
}

/* --- timing --- */

static const char *time_contestants(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    struct contestant contestants[1 + BENCH_MOST_RIVALS] = {{run_weft, trial, NAN}};
    struct rival_trial rival[BENCH_MOST_RIVALS];
    int count = 1, place_of[BENCH_MOST_RIVALS];
    for (int i = 0; i < settings->rivals; i++) {
        if (!trial->rival_plan[i]) continue;
        rival[i] = (struct rival_trial){settings->rival[i], trial->rival_plan[i]};
        contestants[count] = (struct contestant){run_rival, &rival[i], NAN};
        place_of[i] = count++;
    }
    const char *problem = bench_take_turns(settings->place, contestants, count);
    if (problem) return problem;
    trial->result->seconds = contestants[0].seconds;
    for (int i = 0; i < settings->rivals; i++) {
        struct bench_rival_result *result = &trial->result->rival[i];
        if (!trial->rival_plan[i]) continue;
        result->seconds = contestants[place_of[i]].seconds;
        result->ratio = result->seconds / trial->result->seconds;
    }
    return NULL;
}

static const char *measure(struct trial *trial)
{
    weft_plan_info info;
    const char *problem = prepare(trial);
    if (!problem) problem = compare(trial);
    if (!problem) problem = time_contestants(trial);
    if (problem) return problem;
    if (weft_plan_describe(trial->plan, &info) != WEFT_OK) return weft_last_error();
    const double rate = trial->settings->copy_rate;
    double bound = isfinite(rate) ? 2.0 * (double)trial->bytes / rate : info.bound_seconds;
    trial->result->fraction_of_bound = bound / trial->result->seconds;
    return NULL;
}

const char *bench_measure(const struct bench_settings *settings, struct bench_result *result)
{
    struct trial trial = {.settings = settings, .result = result};
    result->disk_plan_seconds = NAN;
    for (int i = 0; i < BENCH_MOST_RIVALS; i++)
        result->rival[i] = (struct bench_rival_result){NAN, NAN, NAN, NAN};
    const char *problem = measure(&trial);
    release(&trial);
    return problem;
}

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

static const char *run_copy(const void *context)
{
    const struct copy_trial *trial = context;
    return trial->place->copy(&trial->to, &trial->from);
}

const char *bench_measure_copy(struct bench_settings *settings)
{
    const struct place *place = settings->place;
    struct copy_trial trial = {.place = place};
    settings->copy_rate = NAN;
    if (!place->copy) return NULL;
    const char *problem = create_copy_arrays(settings, copy_bytes, &trial);
    struct contestant copy = {run_copy, &trial, NAN};
    if (!problem) problem = bench_take_turns(place, &copy, 1);
    if (!problem) settings->copy_rate = 2.0 * (double)trial.from.bytes / copy.seconds;
    place->destroy(&trial.from);
    place->destroy(&trial.to);
    return problem;
}
