/* Contestants in turns. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* A sample repeats the transform until the clock's resolution and its cost no longer show. */
static const double shortest_sample_seconds = 5e-4;

/* Rounds of one sample each are taken for about this long, but within these numbers; where samples
 * are prepared for, which takes most of the time, as many as this. */
static const double timing_seconds = 0.4;
enum { FEWEST_ROUNDS = 9, MOST_ROUNDS = 401, PREPARED_ROUNDS = 15 };

/* Threads whose work is done wait for more in a loop, those of GNU's OpenMP for milliseconds, and
 * would take the processors from whoever comes next. */
static const struct timespec settling_time = {.tv_nsec = 20000000};

/* Threads that come from sleep are back at what they take when called one after the other, with
 * what they work on in their own caches, after so long. (Experiment "threads" in
 * docs/experiments.) */
static const double waking_seconds = 1e-2;

enum { MOST_CONTESTANTS = 2 + BENCH_MOST_RIVALS };

struct turns {
    const struct place *place;
    const struct eviction *cold; /* NULL: warm */
    int threads;
    struct contestant *contestants;
    int count;
    int64_t repeats[MOST_CONTESTANTS]; /* in one sample */
    double (*sample)[MOST_ROUNDS];     /* by contestant: seconds of one repeat */
};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static void summarize(struct contestant *contestant, double *samples, int count)
{
    contestant->seconds = bench_median(samples, count);
    const double quartiles = samples[3 * (count - 1) / 4] - samples[(count - 1) / 4];
    contestant->spread = 0.5 * quartiles / contestant->seconds;
}

static const char *take_sample(const struct turns *turns, int which, double *seconds)
{
    const struct contestant *contestant = &turns->contestants[which];
    return turns->place->time(contestant->work, contestant->context, turns->repeats[which],
                              seconds);
}

static bool has_preparation(const struct turns *turns)
{
    return turns->cold || turns->threads > 1;
}

static const char *wake(const struct turns *turns, int which)
{
    double total = 0.0;
    const char *problem = NULL;
    while (!problem && total < waking_seconds) {
        double seconds = waking_seconds;
        problem = take_sample(turns, which, &seconds);
        total += seconds;
    }
    return problem;
}

/* Empties the caches, or lets the threads of the last contestant go to sleep and wakes those of the
 * next. */
static const char *prepare(const struct turns *turns, int which)
{
    if (turns->cold) eviction_run(turns->cold);
    if (turns->cold || turns->threads == 1) return NULL;
    nanosleep(&settling_time, NULL);
    return wake(turns, which);
}

/* Finds the repeats, which is one where caches are cold, and warms up. *seconds: of one sample. */
static const char *calibrate(struct turns *turns, int which, double *seconds)
{
    turns->repeats[which] = 1;
    for (;;) {
        const char *problem = take_sample(turns, which, seconds);
        if (problem || turns->cold || *seconds >= shortest_sample_seconds) return problem;
        turns->repeats[which] *= 2;
    }
}

/* Rounds of one sample of each; who begins takes turns too. */
static const char *take_rounds(struct turns *turns, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < turns->count; i++) {
            int next = (i + round) % turns->count;
            double *seconds = &turns->sample[next][round];
            const char *problem = prepare(turns, next);
            if (!problem) problem = take_sample(turns, next, seconds);
            if (problem) return problem;
            *seconds /= (double)turns->repeats[next];
        }
    }
    return NULL;
}

static const char *time_all(struct turns *turns)
{
    double round_seconds = 0.0;
    for (int i = 0; i < turns->count; i++) {
        double seconds;
        const char *problem = calibrate(turns, i, &seconds);
        if (problem) return problem;
        round_seconds += seconds;
    }
    int rounds = (int)fmin(fmax(timing_seconds / round_seconds, FEWEST_ROUNDS), MOST_ROUNDS);
    if (has_preparation(turns)) rounds = PREPARED_ROUNDS;
    const char *problem = take_rounds(turns, rounds);
    for (int i = 0; i < turns->count && !problem; i++)
        summarize(&turns->contestants[i], turns->sample[i], rounds);
    return problem;
}

const char *bench_take_turns(const struct bench_settings *settings, int threads,
                             struct contestant *contestants, int count)
{
    struct turns turns = {.place = settings->place,
                          .cold = settings->cold,
                          .threads = settings->place->host ? threads : 1,
                          .contestants = contestants,
                          .count = count};
    turns.sample = calloc((size_t)count, sizeof *turns.sample);
    if (!turns.sample) return "out of memory";
    const char *problem = time_all(&turns);
    free(turns.sample);
    return problem;
}
