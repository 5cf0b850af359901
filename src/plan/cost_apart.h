/* What it takes on a CPU that the lines of a tile lie apart at an end of their pass. (Experiments
 * "estimates", "cuts beyond the second level" and "columns between sweeps" in docs/experiments.) */
#ifndef WEFT_PLAN_COST_APART_H
#define WEFT_PLAN_COST_APART_H

#include "plan/cost.h"
#include "spec/pass.h"

/* The share of what is moved that is wanted, at one end of a pass. */
double cost_coalesced(const struct cost_machine *machine, const struct pass *pass,
                      int64_t line_stride, int64_t loop_stride);

/* Whether Rader's permutations are of an axis' rows of pairs, with one number of the spectrum for
 * each: that is no more than carrying them. (Experiment "columns of Rader" in docs/experiments.) */
bool cost_permutes_rows(const struct cost_machine *machine, const struct pass *pass,
                        int64_t columns);

/* Whether it is a part of a split of plain lines whose scratch stays in the second level. */
bool cost_stays_near(const struct cost_machine *machine, const struct pass *pass);

/* Whether it reads columns from afar that tiles should be wider for than the second level holds,
 * where vectors are half a line of the cache (as device/cpu/widths.c makes them). */
bool cost_reads_far_columns(const struct cost_machine *machine, const struct pass *pass);

/* How many times longer so many lines abreast take that are convolved and come from this level, and
 * copies between columns and contiguous lines. */
double cost_convolved_apart(const struct pass *pass, int64_t columns, int level);
double cost_turned(const struct cost_machine *machine, const struct pass *pass);

/* How many times longer its lines take to compute, and to move. */
double cost_apart_computing(const struct cost_machine *machine, const struct pass *pass);
double cost_apart_moving(const struct cost_machine *machine, const struct pass *pass);

#endif
