/* Runs an executable for one plan: what a run needs beyond the caller's arrays is kept for
 * the next. Several threads may run one runner at once; runners of one executable have nothing
 * in common. */
#ifndef WEFT_RUN_RUNNER_H
#define WEFT_RUN_RUNNER_H

#include "device/device.h"
#include "run/executable.h"

struct runner;

/* The executable must outlive the runner. MEMORY. */
weft_status runner_create(const struct executable *executable, struct runner **made);
void runner_destroy(struct runner **runner);

/* What a run may be given beyond its ends. */
struct runner_aids {
    void *scratch;  /* executable_scratch_bytes() bytes of device memory that nobody else uses
                     * meanwhile; NULL: the runner brings its own */
    void *spectrum; /* PASS_SPECTRUM, in device memory; NULL: the program has none */
    int64_t position[2]; /* of the ends' elements 0 in the whole array, for hooks, where the
                          * problem is a band of it (spec/hook.h) */
    void *queue;    /* one of the caller's that the device knows, in whose order the work is
                     * started and not waited for; NULL: the run returns when it is done */
};

/* Runs the program once. On an error before the first pass ran nothing was written. */
weft_status runner_run(struct runner *runner, weft_direction direction, struct device_memory in,
                       struct device_memory out, const struct runner_aids *aids);

/* Runs the program forward so many times in a row and returns when that is done: waits only once,
 * where runs are waited for. To be timed. */
weft_status runner_repeat(struct runner *runner, struct device_memory in, struct device_memory out,
                          void *spectrum, int64_t times);

#endif
