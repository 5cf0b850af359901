/* Asking memory for the lines of the tile that comes next, while one is computed. */
#ifndef WEFT_DEVICE_CPU_AHEAD_H
#define WEFT_DEVICE_CPU_AHEAD_H

#include "device/cpu/engine.h"

/* Chooses what is asked for (kernel->ahead). The kernel's tiles and their steps are known. */
void ahead_choose(struct kernel *kernel);

/* Cuts the operations of its pipeline, so that little is asked for at once. Comes last. False: no
 * memory. */
bool ahead_divide(struct kernel *kernel);

/* Whether both ends of the pass take more than one part in `share` of the third level. */
bool ahead_leaves_share(const struct kernel *kernel, double share);
/* Input and output nearly fill the third level. */
#define AHEAD_AXIS_SHARE 1.1
/* Whether what the pass writes from place to place, and no later pass of its stage reads, is better
 * off past the caches: they do not hold both ends, or what a problem's ranges leave. */
bool ahead_writes_far(const struct kernel *kernel);
/* Whether the pass reads from beyond the caches: its ends are more than a share of the third level,
 * or that does not hold what all the steps of a stage meet. */
bool ahead_reads_far(const struct kernel *kernel);
/* Whether they take more than what is kept there until it is read again; */
bool ahead_leaves_caches(const struct kernel *kernel);
/* ... or, of a sweep, than what is kept of results that no pass reads. */
bool ahead_results_leave(const struct kernel *kernel);

/* Asks for the part-th of `parts` shares of what comes next. */
void ahead_fetch(const struct cpu_tile *tile, int part, int parts);

/* Has a codelet that fetches ask for rows further on of what it reads, CPU_FROM, where that lies in
 * short runs far apart; comes when it has its shapes. False: no memory. */
bool ahead_fetch_rows(const struct kernel *kernel, struct cpu_operation *op);

/* Has the last step ask for what such a codelet will read of the next tile, where that stays in the
 * second level until then; comes when the pipeline has its operations. False: no memory. */
bool ahead_go_onward(const struct kernel *kernel, struct cpu_pipeline *pipeline);

/* What an operation that is not one codelet asks for, of no lines if it does not. */
struct codelet_onward ahead_onward(const struct cpu_operation *op, const struct cpu_tile *tile);
/* How many lines with each row of its results. */
int64_t ahead_lines_a_row(const struct cpu_operation *op);
/* Runs an operation that is one codelet, which asks for them if it does. */
void ahead_run(const struct cpu_operation *op, const struct cpu_tile *tile);

/* Whether the pass first sweeps over what it will read (kernel->swept); and does so. */
void ahead_choose_sweep(struct kernel *kernel);
void ahead_sweep(const struct kernel *kernel, const struct device_memory *from);

/* How many of `columns` short lines, which one call could take all, shall be a tile. together: a
 * vector's at once, not one by one. */
int64_t ahead_columns(const struct kernel *kernel, int64_t columns, bool together);
/* Whether lines that a vector's lanes could have one each are sooner read one by one. */
bool ahead_prefers_lines(const struct kernel *kernel);

#endif
