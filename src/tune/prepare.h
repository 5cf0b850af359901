/* From a problem to a program that is ready to run: wisdom, measuring or the cost model choose. */
#ifndef WEFT_TUNE_PREPARE_H
#define WEFT_TUNE_PREPARE_H

#include "run/plan_cache.h"
#include "tune/measure.h"
#include "tune/wisdom.h"

/* *made is for plan_cache_add() or prepared_free(). The errors of the planner, of measuring and of
 * the device. */
weft_status prepare(struct device *device, struct wisdom *wisdom, const struct plan_key *key,
                    const struct measure_layout *layout, struct prepared **made);

/* Measures the candidates for a problem of at least one element, whether a plan is known already or
 * not, and keeps the fastest. *kept: it is in the wisdom's file. */
weft_status tune(struct device *device, struct wisdom *wisdom, const struct problem *problem,
                 const struct measure_layout *layout, struct measured *measured, bool *kept);

#endif
