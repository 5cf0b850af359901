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

/* Runs the program once. scratch: executable_scratch_bytes() bytes of device memory that nobody
 * else uses meanwhile; NULL: the runner brings its own. queue: one of the caller's that the device
 * knows, in whose order the work is started and not waited for; NULL: returns when it is done. On
 * an error before the first pass ran nothing was written. */
weft_status runner_run(struct runner *runner, weft_direction direction, struct device_memory in,
                       struct device_memory out, void *scratch, void *queue);

/* Runs the program forward so many times in a row and returns when that is done: waits only once,
 * where runs are waited for. To be timed. */
weft_status runner_repeat(struct runner *runner, struct device_memory in, struct device_memory out,
                          int64_t times);

#endif
