/* One case of `weft bench`: both contestants plan, their results are compared, and then they are
 * timed in turns, so that whatever else the machine does meets both alike. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

/* A sample repeats the transform until the clock's resolution and its cost no longer show. */
static const double shortest_sample_seconds = 5e-4;

/* Rounds of one sample each are taken for about this long, but within these numbers. */
static const double timing_seconds = 0.4;
enum { FEWEST_ROUNDS = 5, MOST_ROUNDS = 401 };

/* Plans are made so often, or for so long, for the median of their times. */
static const double planning_seconds = 0.2;
enum { MOST_PLANS = 9 };

/* How far the two results may lie apart: far more than rounding, far less than any mistake. */
static const double difference_limit[] = {[WEFT_F32] = 1e-4, [WEFT_F64] = 1e-12};

enum { RANDOM_SEED = 2 };

/* Three of ours, and one for what the plans keep. */
enum { ARRAYS = 4 };

struct trial {
    const struct bench_settings *settings;
    struct bench_result *result;
    size_t bytes;
    void *in; /* both read it; in place each works in its own out instead */
    void *weft_out, *rival_out;
    weft_plan *plan;
    weft_buffer *weft_in_buffer, *weft_out_buffer;
    void *rival_plan;
};

typedef void run_function(const struct trial *trial);

struct contestant {
    run_function *run;
    int64_t repeats; /* transforms in one sample */
    double sample[MOST_ROUNDS];
};

static void run_weft(const struct trial *trial)
{
    weft_execute(trial->plan, WEFT_FORWARD, trial->weft_in_buffer, trial->weft_out_buffer);
}

static void run_rival(const struct trial *trial)
{
    trial->settings->rival->execute(trial->rival_plan);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* --- planning --- */

static const char *plan_weft(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    weft_params params =
        size_case_params(&trial->result->dims, trial->result->precision, settings->threads);
    params.effort = settings->effort;
    double seconds[MOST_PLANS], total = 0.0;
    int plans = 0;
    while (plans < MOST_PLANS && total < planning_seconds) {
        weft_plan_destroy(&trial->plan);
        double start = seconds_now();
        if (weft_plan_create(settings->device, &params, &trial->plan) != WEFT_OK)
            return weft_last_error();
        seconds[plans] = seconds_now() - start;
        total += seconds[plans++];
    }
    trial->result->plan_seconds = median(seconds, plans);
    return NULL;
}

static const char *plan_rival(struct trial *trial)
{
    const struct bench_settings *settings = trial->settings;
    struct rival_problem problem = {
        .dims = trial->result->dims,
        .precision = trial->result->precision,
        .threads = settings->threads,
        .in = settings->in_place ? trial->rival_out : trial->in,
        .out = trial->rival_out,
    };
    double start = seconds_now();
    trial->rival_plan = settings->rival->plan(&problem);
    trial->result->rival_plan_seconds = seconds_now() - start;
    return trial->rival_plan ? NULL : "the rival cannot plan this transform";
}

static const char *wrap_arrays(struct trial *trial)
{
    weft_device *device = trial->settings->device;
    void *in = trial->settings->in_place ? trial->weft_out : trial->in;
    weft_status status = weft_buffer_wrap(device, in, trial->bytes, &trial->weft_in_buffer);
    if (status == WEFT_OK)
        status = weft_buffer_wrap(device, trial->weft_out, trial->bytes, &trial->weft_out_buffer);
    return status == WEFT_OK ? NULL : weft_last_error();
}

static const char *prepare(struct trial *trial)
{
    bool rival = trial->settings->rival != NULL;
    trial->bytes = size_case_bytes(&trial->result->dims, trial->result->precision);
    if (!samples_fit(ARRAYS * (double)trial->bytes))
        return "needs more memory than this machine has";
    trial->in = samples_create(trial->bytes);
    trial->weft_out = samples_create(trial->bytes);
    trial->rival_out = rival ? samples_create(trial->bytes) : NULL;
    if (!trial->in || !trial->weft_out || (rival && !trial->rival_out))
        return "no memory for the arrays";
    const char *problem = wrap_arrays(trial);
    if (!problem) problem = plan_weft(trial);
    if (!problem && rival) problem = plan_rival(trial);
    return problem;
}

static void release(struct trial *trial)
{
    if (trial->rival_plan) trial->settings->rival->destroy(trial->rival_plan);
    weft_plan_destroy(&trial->plan);
    weft_buffer_destroy(&trial->weft_in_buffer);
    weft_buffer_destroy(&trial->weft_out_buffer);
    free(trial->in);
    free(trial->weft_out);
    free(trial->rival_out);
}

/* --- comparing --- */

/* ||a - b|| / ||b|| */
static double difference(const struct trial *trial)
{
    const float *single_a = trial->weft_out, *single_b = trial->rival_out;
    const double *double_a = trial->weft_out, *double_b = trial->rival_out;
    bool doubles = trial->result->precision == WEFT_F64;
    double off = 0.0, norm = 0.0;
    for (int64_t i = 0; i < 2 * size_case_elements(&trial->result->dims); i++) {
        double a = doubles ? double_a[i] : (double)single_a[i];
        double b = doubles ? double_b[i] : (double)single_b[i];
        off += (a - b) * (a - b);
        norm += b * b;
    }
    return sqrt(off / norm);
}

/* Executes once on random data, which only now can be put into the arrays: planning may have
 * overwritten them. */
static const char *execute_and_compare(const struct trial *trial)
{
    int64_t numbers = 2 * size_case_elements(&trial->result->dims);
    samples_randomize(trial->in, trial->result->precision, numbers, RANDOM_SEED);
    if (trial->settings->in_place) memcpy(trial->weft_out, trial->in, trial->bytes);
    if (weft_execute(trial->plan, WEFT_FORWARD, trial->weft_in_buffer, trial->weft_out_buffer))
        return weft_last_error();
    if (!trial->settings->rival) return NULL;
    if (trial->settings->in_place) memcpy(trial->rival_out, trial->in, trial->bytes);
    run_rival(trial);
    bool close = difference(trial) < difference_limit[trial->result->precision];
    return close ? NULL : "the results of weft and of the rival differ";
}

/* --- timing --- */

/* Seconds of one transform, from one sample. */
static double take_sample(const struct trial *trial, const struct contestant *contestant)
{
    double start = seconds_now();
    for (int64_t i = 0; i < contestant->repeats; i++)
        contestant->run(trial);
    return (seconds_now() - start) / (double)contestant->repeats;
}

/* Finds the repeats, and warms up. Returns the seconds of one sample. */
static double calibrate(const struct trial *trial, struct contestant *contestant)
{
    contestant->repeats = 1;
    for (;;) {
        double seconds = take_sample(trial, contestant) * (double)contestant->repeats;
        if (seconds >= shortest_sample_seconds) return seconds;
        contestant->repeats *= 2;
    }
}

/* Rounds of one sample of each; who begins takes turns too. */
static int take_rounds(const struct trial *trial, struct contestant *contestants, int count)
{
    double round_seconds = 0.0;
    for (int i = 0; i < count; i++)
        round_seconds += calibrate(trial, &contestants[i]);
    double wanted = timing_seconds / round_seconds;
    int rounds = (int)fmin(fmax(wanted, FEWEST_ROUNDS), MOST_ROUNDS);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++) {
            struct contestant *next = &contestants[(i + round) % count];
            next->sample[round] = take_sample(trial, next);
        }
    }
    return rounds;
}

/* A transform repeated in place grows its data until it overflows, so there it runs on zeros. */
static void clear_in_place(const struct trial *trial)
{
    if (!trial->settings->in_place) return;
    memset(trial->weft_out, 0, trial->bytes);
    if (trial->rival_out) memset(trial->rival_out, 0, trial->bytes);
}

static void time_contestants(const struct trial *trial)
{
    struct contestant contestants[] = {{.run = run_weft}, {.run = run_rival}};
    struct bench_result *result = trial->result;
    bool rival = trial->settings->rival != NULL;
    clear_in_place(trial);
    int rounds = take_rounds(trial, contestants, rival ? 2 : 1);
    result->weft_seconds = median(contestants[0].sample, rounds);
    result->rival_seconds = rival ? median(contestants[1].sample, rounds) : NAN;
    result->ratio = result->rival_seconds / result->weft_seconds;
}

static const char *measure(struct trial *trial)
{
    weft_plan_info info;
    const char *problem = prepare(trial);
    if (!problem) problem = execute_and_compare(trial);
    if (problem) return problem;
    if (weft_plan_describe(trial->plan, &info) != WEFT_OK) return weft_last_error();
    time_contestants(trial);
    trial->result->fraction_of_bound = info.bound_seconds / trial->result->weft_seconds;
    return NULL;
}

const char *bench_measure(const struct bench_settings *settings, struct bench_result *result)
{
    struct trial trial = {.settings = settings, .result = result};
    result->rival_plan_seconds = NAN;
    const char *problem = measure(&trial);
    release(&trial);
    return problem;
}
