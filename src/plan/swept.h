/* A transform of pairs in PASS_WORK between sweeps that gather what they are made of and scatter
 * what becomes of them: for ends that the transform's own passes do not take, or take slowly. */
#ifndef WEFT_PLAN_SWEPT_H
#define WEFT_PLAN_SWEPT_H

#include "plan/lower.h"

/* Makes room in PASS_WORK for lines of so many numbers, as the tree's passes take them: lines to
 * there. */
struct lines swept_to_work(struct lowering *l, const struct plan_node *tree,
                           const struct lines *lines, int64_t numbers);

/* Appends the sweep that gathers the lines' numbers there, where they go if that is there, line.n
 * of them as their end has it.
 * Returns the numbers: plain lines, from there to there. */
struct lines swept_gather(struct lowering *l, const struct plan_node *tree,
                          const struct lines *lines);

/* From n numbers a line in PASS_WORK, where `numbers` leaves them, to where the lines go. */
struct lines swept_from_work(const struct lines *numbers, const struct lines *lines, int64_t n);

/* Appends both sweeps and, between them, the transform of a tree of as many numbers; two lines of
 * reals as one are so far apart where they go. */
void swept_lower(struct lowering *l, const struct plan_node *tree, const struct lines *lines,
                 int64_t pair_out);

/* Whether a CPU takes lines with ends of others so: those of a tree whose passes take nothing but
 * pairs that follow one another, or would gather and scatter such ends one by one. (Experiment
 * "pairs between sweeps" in docs/experiments.) */
bool swept_suits(const struct lowering *l, const struct plan_node *tree,
                 const struct lines *lines);
/* Likewise of lines that are no products with a matrix, however short: they are unfolded apart. */
bool swept_serves(const struct lowering *l, const struct plan_node *tree,
                  const struct lines *lines);

#endif
