/* What the parts of `weft bench` share. */
#ifndef WEFT_CLI_BENCH_H
#define WEFT_CLI_BENCH_H

#include <stdbool.h>

#include "place.h"
#include "rival.h"
#include "sizes.h"

enum { BENCH_MOST_RIVALS = 3 };

/* What holds for all cases of a run. */
struct bench_settings {
    weft_device *device;
    const char *device_name;     /* for people */
    const char *device_argument; /* as it was asked for, or NULL */
    const struct place *place;
    int rivals;
    const struct rival *rival[BENCH_MOST_RIVALS];
    int threads;
    weft_effort effort;
    bool in_place;
    int megabytes;    /* that batches should fill; 0: no batches */
    double copy_rate; /* bytes read and written a second, measured; not a number where it was not */
};

/* Times in seconds. What does not apply is not a number. */
struct bench_rival_result {
    double seconds;      /* median of one execute */
    double ratio;        /* seconds / weft's */
    double plan_seconds; /* the first time */
    double work_bytes;
};

/* One line of the output. */
struct bench_result {
    struct size_case dims;
    weft_precision precision;
    double seconds;            /* median of one execute */
    double first_plan_seconds; /* of the first plan: a GPU compiles kernels unless its store has
                                * them, */
    double disk_plan_seconds;  /* of the first plan on the device opened anew: now it has them */
    double plan_seconds;       /* median, when planned over and over */
    double scratch_bytes;
    double
        fraction_of_bound; /* the time of one read and one write of the data, by the measured copy
                               * or else by weft_plan_info, over weft's */
    struct bench_rival_result rival[BENCH_MOST_RIVALS];
    char complaint[128]; /* a rival whose result differs, and was left out; "": none */
};

struct bench_results {
    struct bench_result *result; /* `count`, with room for all cases */
    int64_t count;
};

/* Times result->dims in result->precision and fills in the rest. Returns NULL, or what went wrong:
 * a line that holds until the next call. */
const char *bench_measure(const struct bench_settings *settings, struct bench_result *result);

/* Measures settings->copy_rate, where the place can copy. Returns NULL or what went wrong. */
const char *bench_measure_copy(struct bench_settings *settings);

/* One that takes turns with others. */
struct contestant {
    place_work *work;
    const void *context;
    double seconds; /* the median of one turn's work, when done */
};

/* Times them in turns, so that whatever else the machine does meets all alike. Returns NULL or what
 * went wrong. */
const char *bench_take_turns(const struct place *place, struct contestant *contestants, int count);

/* Sorts the values. */
double bench_median(double *values, int count);

/* The rate that is customary for transforms, 5 N log2 N operations each, in 10^9 a second. */
double bench_rate(const struct bench_result *result, double seconds);

/* exp(mean(log(ratio))) against one rival, over the cases that it took part in. */
double bench_geometric_mean(const struct bench_results *results, int rival);

/* The table's heading, a row or JSON line, and what comes last. */
void bench_print_heading(const struct bench_settings *settings);
void bench_print_row(const struct bench_settings *settings, const struct bench_result *result);
void bench_print_line(const struct bench_settings *settings, const struct bench_result *result);
void bench_print_means(const struct bench_settings *settings, const struct bench_results *results);
void bench_print_mean_line(const struct bench_settings *settings,
                           const struct bench_results *results);

/* Writes the rates over the sizes as an SVG. false: it could not be written (see errno). */
bool bench_plot(const struct bench_settings *settings, const struct bench_results *results,
                const char *path);

#endif
