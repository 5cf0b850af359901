/* What the parts of `weft bench` share. */
#ifndef WEFT_CLI_BENCH_H
#define WEFT_CLI_BENCH_H

#include <stdbool.h>

#include "rival.h"
#include "sizes.h"

/* What holds for all cases of a run. */
struct bench_settings {
    weft_device *device;
    const char *device_name;
    const struct rival *rival; /* NULL: weft alone */
    int threads;
    weft_effort effort;
    bool in_place;
};

/* One line of the output. The rival's numbers are not a number if there is none. */
struct bench_result {
    struct size_case dims;
    weft_precision precision;
    double weft_seconds, rival_seconds; /* medians of one execute */
    double ratio;                       /* rival_seconds / weft_seconds */
    double plan_seconds, rival_plan_seconds;
    double fraction_of_bound; /* the bound of weft_plan_info over weft_seconds */
};

struct bench_results {
    struct bench_result *result; /* `count`, with room for all cases */
    int64_t count;
};

/* Times result->dims in result->precision and fills in the rest. Returns NULL, or what went wrong:
 * a line that holds until the next call. */
const char *bench_measure(const struct bench_settings *settings, struct bench_result *result);

/* The rate that is customary for transforms, 5 N log2 N operations each, in 10^9 a second. */
double bench_rate(const struct bench_result *result, double seconds);

/* exp(mean(log(ratio))); not a number without rivals. */
double bench_geometric_mean(const struct bench_results *results);

/* The table's heading, a row or JSON line, and what comes last. */
void bench_print_heading(const struct bench_settings *settings);
void bench_print_row(const struct bench_settings *settings, const struct bench_result *result);
void bench_print_line(const struct bench_settings *settings, const struct bench_result *result);
void bench_print_mean(double geometric_mean);
void bench_print_mean_line(double geometric_mean);

/* Writes the rates over the sizes as an SVG. false: it could not be written (see errno). */
bool bench_plot(const struct bench_settings *settings, const struct bench_results *results,
                const char *path);

#endif
