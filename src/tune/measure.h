/* Chooses among plans by timing them on the device. */
#ifndef WEFT_TUNE_MEASURE_H
#define WEFT_TUNE_MEASURE_H

#include "base/arena.h"
#include "device/device.h"
#include "spec/plan.h"
#include "spec/problem.h"

/* The arrays that are transformed, of the problem's extent: in_elements and out_elements complex
 * elements, element 0 at in_offset and out_offset. */
struct measure_layout {
    int64_t in_elements, out_elements, in_offset, out_offset;
};

/* Seconds of one transform. */
struct measured {
    const struct plan_node *best; /* in the arena */
    int candidates;               /* that were timed */
    double best_seconds;
    double estimate_seconds; /* of the candidate that the cost model likes best */
};

/* The fastest of the planner's candidates, each run on zeros in memory of its own. Candidates that
 * the device refuses are passed over. MEMORY: no room for the arrays or a plan; UNSUPPORTED: no
 * candidate, or none that the device takes. */
weft_status measure_best(arena *a, struct device *device, const struct problem *problem,
                         const struct measure_layout *layout, struct measured *measured);

#endif
