/* What the parts of `weft bench` share. */
#ifndef WEFT_CLI_BENCH_H
#define WEFT_CLI_BENCH_H

#include <stdbool.h>

#include "eviction.h"
#include "place.h"
#include "ranges.h"
#include "rival.h"
#include "sizes.h"

enum { BENCH_MOST_RIVALS = 4 };

/* What holds for all cases of a run. */
struct bench_settings {
    weft_device *device;
    const char *device_name;     /* for people */
    const char *device_argument; /* as it was asked for, or NULL */
    const struct place *place;
    int rivals;
    const struct rival *rival[BENCH_MOST_RIVALS];
    weft_effort effort;
    weft_order order; /* in which weft may leave frequencies; rivals know the natural one alone */
    struct range_lists ranges; /* of weft alone: rivals are given zeros, and compute everything */
    bool in_place;
    struct eviction *cold; /* before every run the caches are emptied; NULL: they are warm */
    int megabytes;         /* that batches should fill; 0: no batches */
    bool table;            /* cases come from a table of measurements elsewhere */
    double copy_rate;      /* bytes read and written a second, measured; not a number where it was
                            * not */
};

/* Times in seconds. What does not apply is not a number. */
struct bench_rival_result {
    double seconds;      /* median of one execute */
    double spread;       /* half the distance of the quartiles, over the median */
    double ratio;        /* seconds / weft's */
    double plan_seconds; /* the first time */
    double work_bytes;
};

/* What a table of measurements on another machine says of a case. */
struct bench_anchor {
    char best[24];   /* the fastest library there; "": there is no table */
    double ratio;    /* FFTW's time over its, there */
    double standing; /* FFTW's time over weft's here, over that: above 1 weft is the faster */
};

/* A transform to be timed and, once it is, one line of the output. */
struct bench_result {
    struct size_case dims; /* with the kind */
    weft_precision precision;
    int threads;
    bool measured;
    double seconds;            /* median of one execute */
    double spread;             /* as that of a rival */
    double first_plan_seconds; /* of the first plan: a GPU compiles kernels unless its store has
                                * them, */
    double disk_plan_seconds;  /* of the first plan on the device opened anew: now it has them */
    double plan_seconds;       /* median, when planned over and over */
    double scratch_bytes;
    double whole_seconds;     /* median of weft without the ranges, where there are any */
    double bound_seconds;     /* of one read and one write of the data: by a copy in the same run,
                               * or else by weft_plan_info */
    double fraction_of_bound; /* bound_seconds over weft's seconds */
    struct bench_rival_result rival[BENCH_MOST_RIVALS];
    struct bench_anchor anchor;
    char complaint[128]; /* a rival whose result differs, and was left out; "": none */
};

struct bench_results {
    struct bench_result *result;
    int64_t count;
};

/* Which cases there are to be. */
struct bench_wish {
    unsigned kinds, precisions;    /* bit k: weft_kind, weft_precision k */
    int threads;                   /* 0: as the table says */
    const struct size_list *sizes; /* of a table's rows those that are among them; empty: all */
};

/* Every size in each kind and precision; where no batch was asked for, as many arrays as fit so
 * many megabytes. false: no memory. */
bool bench_list_cases(const struct bench_wish *wish, int megabytes, struct bench_results *results);

/* The rows of a table that are wished for; those that cannot be run here are named on stderr. NULL,
 * or what is wrong with the file: a line that holds until the next call.
 *
 * The table is text: lines that begin with # are comments, the first other one names the columns,
 * and cells are separated by tabs. Columns are kind, precision (single, double), dims (512x512),
 * batch, threads, fftw_debian_measure, and one for each other library, all with rates, or - where
 * there is none. */
const char *bench_read_table(const char *called_as, const char *path, const struct bench_wish *wish,
                             struct bench_results *results);

/* Opens the libraries of those names, with commas between, or else the place's usual one, for the
 * results' threads. Returns OPTIONS_PROCEED, or the exit code after a message. */
int bench_choose_rivals(const char *called_as, const char *names, const struct bench_wish *wish,
                        const struct bench_results *results, struct bench_settings *settings);

/* Times the result's dims in its precision with its threads, and fills in the rest. Returns NULL,
 * or what went wrong: a line that holds until the next call. */
const char *bench_measure(const struct bench_settings *settings, struct bench_result *result);

/* Measures settings->copy_rate, where the place can copy and has one memory for all sizes. Returns
 * NULL or what went wrong. */
const char *bench_measure_copy(struct bench_settings *settings);

/* One that takes turns with others. */
struct contestant {
    place_work *work;
    const void *context;
    double seconds, spread; /* of one turn's work, when done */
};

/* Times them in turns, so that whatever else the machine does meets all alike. threads: that each
 * has. Returns NULL or what went wrong. */
const char *bench_take_turns(const struct bench_settings *settings, int threads,
                             struct contestant *contestants, int count);

/* Sorts the values. */
double bench_median(double *values, int count);

/* The rate that is customary for transforms, 5 N log2 N operations each and half of that where the
 * data are real, in 10^9 a second. */
double bench_rate(const struct bench_result *result, double seconds);

/* Cases that are averaged together. */
struct bench_group {
    weft_kind kind;
    weft_precision precision;
    int threads;
};

/* Those that the results have, in their order: at most `most`. Returns how many. */
int bench_list_groups(const struct bench_results *results, struct bench_group *groups, int most);

/* Whether the case was measured and belongs to the group; NULL: all do. */
bool bench_belongs(const struct bench_result *result, const struct bench_group *group);

enum { BENCH_STANDING = -1, BENCH_MOST_GROUPS = 128 };

struct bench_summary {
    int64_t count, losing; /* below 1 */
    double mean;           /* exp(mean(log(ratio))); not a number if count is 0 */
    const struct bench_result *worst;
    double worst_ratio;
};

/* The ratios to one rival, or those of BENCH_STANDING, over a group; NULL: over all. */
struct bench_summary bench_summarize(const struct bench_results *results,
                                     const struct bench_group *group, int rival);

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

/* Writes the means and all cases as Markdown tables. false: it could not be written (see errno). */
bool bench_markdown(const struct bench_settings *settings, const struct bench_results *results,
                    const char *path);

#endif
