/* One case of `weft bench` while it is being measured: what all contestants share, and their plans.
 * Functions return NULL, or what went wrong: a line that holds until the next call. */
#ifndef WEFT_CLI_BENCH_TRIAL_H
#define WEFT_CLI_BENCH_TRIAL_H

#include "bench.h"

struct trial {
    const struct bench_settings *settings;
    struct bench_result *result;
    struct size_side in_side, out_side;
    size_t bytes;          /* of each array */
    struct place_array in; /* all read it; in place each works in its out instead */
    struct place_array out, rival_out;
    struct place_array rival_in; /* only of a kind whose rivals overwrite their input */
    weft_direction direction;
    struct ranges ranges;
    weft_plan *plan;
    weft_plan *whole; /* the same without ranges; NULL: there are none */
    void *rival_plan[BENCH_MOST_RIVALS]; /* NULL: it cannot */
};

/* Makes the arrays and the plans, and notes how long the plans took. To be released also after a
 * failure. */
const char *trial_prepare(struct trial *trial);
void trial_release(struct trial *trial);

/* Executes each once on the same random data; a rival whose result is another is left out, with a
 * complaint. Afterwards the arrays hold what may be transformed over and over. */
const char *trial_compare(struct trial *trial);

/* The arrays that the contestants read. */
struct place_array *trial_in(struct trial *trial);
struct place_array *trial_rival_in(struct trial *trial);

/* What contestants do. */
const char *trial_run_weft(const void *trial, int64_t repeats);
const char *trial_run_whole(const void *trial, int64_t repeats);

struct rival_trial {
    const struct rival *rival;
    void *plan;
};
const char *trial_run_rival(const void *rival_trial, int64_t repeats);

#endif
