/* How axes are taken together, over one part of the array after the other. */
#ifndef WEFT_PLAN_STEPS_H
#define WEFT_PLAN_STEPS_H

#include "plan/lower.h"

/* Dimensions that a stage repeats over: some within its passes, the others around them. */
struct repeats {
    int inside, outside;
    struct placed_dim in[PROBLEM_MAX_DIMS + 1];
    struct placed_dim out[PROBLEM_MAX_DIMS + 1];
};

/* Some axes, last to first, that one stage transforms, for one run of each range that it repeats
 * over. */
struct group {
    int first, last; /* of the problem's axes */
    bool begins;     /* no stage before it leaves anything where it writes, */
    bool works;      /* nor one of its parts but the last */
    int runs;        /* that the ranges of the others come to together, */
    int run;         /* and the one of these that is meant */
    int cut;         /* which of the others is cut in two runs, the fastest being 0, */
    int64_t whole;   /* and so many of it are the first; 0: none is */
};

/* What the tree does to some axes at once: one by itself, or a run of them as an image. */
struct part {
    const struct plan_node *node;
    int first, last;
};

/* The part that ends with axis `last`, or that the axis belongs to. */
struct part steps_part(const struct plan_node *tree, int axis);

/* Of an axis while another is transformed, as it is before its turn and after. */
struct range steps_range(const struct problem *p, int axis, int transformed);

/* Whether the group has several parts, whose lines together are one run of the output. */
bool steps_on_planes(const struct problem *p, const struct plan_node *tree,
                     const struct group *group);

/* The largest group of parts, none below axis `first`, that ends at axis `last` and whose share of
 * the array stays in a cache. Ranges of two runs are repeated over by whole stages. */
struct group steps_group(const struct lowering *l, const struct plan_node *tree, int last,
                         int first);

/* What a stage of the group repeats over, and where the first of its lines begins. */
struct repeats steps_group_repeats(const struct lowering *l, const struct plan_node *tree,
                                   const struct group *group, struct first_line *first);

/* The first of l->problem's last axes of which a cache holds what a step of all of them touches; at
 * least the last one. */
int steps_first_axis(const struct lowering *l, const struct plan_node *tree);

/* What a stage of the axes from that one on repeats over, of a problem whose ranges have one run
 * each, and where the first of its lines begins. */
struct repeats steps_repeats(const struct lowering *l, const struct plan_node *tree, int first,
                             struct first_line *begin);

/* Whether a pass can have the axis of l->problem for columns whose results go past the caches: in
 * several steps, by tiles that stay in the second level, where rows begin with lines of the cache.
 * To PASS_WORK from where another array is written. */
bool axes_stream_columns(const struct lowering *l, const struct plan_node *node,
                         const struct dim *axis, enum pass_place to);

/* Makes the axis the line. */
void lines_set_axis(struct lines *lines, const struct problem *p, int axis);

#endif
