/* What one line of a pass costs a CPU. */
#ifndef WEFT_PLAN_COST_PASS_H
#define WEFT_PLAN_COST_PASS_H

#include "plan/cost.h"
#include "spec/pair_steps.h"

/* Seconds of one of its lines by one thread, but for what memory takes. */
double cost_pass_line(const struct cost_machine *machine, const struct pass *pass);

/* Lines that are done at once, as the CPU engine chooses. */
int64_t cost_pass_columns(const struct cost_machine *machine, const struct pass *pass);

/* Whether it is one butterfly from place to place, without a tile. */
bool cost_is_whole(const struct cost_machine *machine, const struct pass *pass);

/* Of a contiguous line of n numbers in steps between pairs, of lines that are so many bytes. */
double cost_pairs(const struct cost_machine *machine, const struct pair_steps *steps, int64_t n,
                  double bytes);

/* Likewise of Rader's algorithm on contiguous lines of a prime n; infinite: there are none. */
double cost_rader_pairs(const struct cost_machine *machine, int64_t n, double bytes);

/* Likewise of a multiple of a prime that is so many joined lines of it (spec/joined_lines.h). */
double cost_joined_lines(const struct cost_machine *machine, int64_t prime, int64_t cofactor,
                         double bytes);

#endif
