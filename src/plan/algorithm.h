/* The algorithms for a line, a row each in algorithm_table[] (algorithm.c). */
#ifndef WEFT_PLAN_ALGORITHM_H
#define WEFT_PLAN_ALGORITHM_H

#include "plan/lower.h"
#include "plan/search.h"

struct algorithm {
    enum plan_kind kind;
    int roles; /* of line_role: what its nodes may be wanted for */
    /* Adds its nodes for a task; each with the expected seconds of one line. */
    void (*propose)(struct search *s, const struct task *task, struct candidates *list);
    /* Appends the node's passes over the lines. */
    void (*lower)(struct lowering *l, const struct plan_node *node, const struct lines *lines);
};

extern const struct algorithm algorithm_table[];
extern const int algorithm_count;

/* Appends the passes of a node, by whichever algorithm it is of. */
void algorithm_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);

/* Likewise, or where it stands for a transform of one element, those of a copy. */
void algorithm_lower_inner(struct lowering *l, const struct plan_node *node,
                           const struct lines *lines);

void block_propose(struct search *s, const struct task *task, struct candidates *list);
void block_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
/* A run of axes in one block (image.c), of reals if the last of them is of reals: NULL if they do
 * not fit it, or there is no memory. `first` and `last` are axes of the search's problem. */
struct plan_node *image_node(struct search *s, int first, int last);
void image_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);

/* An axis of task->n reals (real.c). */
void real_propose(struct search *s, const struct task *task, struct candidates *list);
void real_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
/* An axis of task->n reals that is transformed to as many (trigonometric.c), */
void trigonometric_propose(struct search *s, const struct task *task, struct candidates *list);
void trigonometric_lower(struct lowering *l, const struct plan_node *node,
                         const struct lines *lines);
/* ... by a complex transform of this length. */
int64_t trigonometric_length(weft_kind kind, int64_t n);
/* Whether trees may have another child for the way back. Not on a CPU: there both ways share tables
 * of one child, and the model is wrong by more than what they differ by (docs/experiments, "two
 * ways"). */
bool trigonometric_has_two_ways(const struct search *s);
/* Whether a tree splits the line as one of reals instead, in both directions (plan/halves.h). */
bool trigonometric_halves(weft_kind kind, const struct plan_node *node);
void rader_propose(struct search *s, const struct task *task, struct candidates *list);
void rader_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
/* Multiples of a prime: splits in lines of the prime and a step, which are one pass where a CPU can
 * take them so (joined.c). */
void joined_propose(struct search *s, const struct task *task, struct candidates *list);
bool joined_suits(const struct lowering *l, const struct plan_node *split,
                  const struct lines *lines);
void joined_lower(struct lowering *l, const struct plan_node *split, const struct lines *lines);
void bluestein_propose(struct search *s, const struct task *task, struct candidates *list);
void bluestein_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
void resampled_propose(struct search *s, const struct task *task, struct candidates *list);
void resampled_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
void split_propose(struct search *s, const struct task *task, struct candidates *list);
void split_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);
void transposed_propose(struct search *s, const struct task *task, struct candidates *list);
void transposed_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines);

#endif
