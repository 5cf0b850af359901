/* Trees by the seconds of their programs, and what of them each direction has. */
#ifndef WEFT_PLAN_RANKING_H
#define WEFT_PLAN_RANKING_H

#include "plan/search.h"

/* The best first. */
struct ranking {
    int count;
    struct plan_node *tree[CANDIDATES_MAX];
};

/* Adds a tree by what its program takes in either direction. */
void ranking_add(struct ranking *ranking, struct plan_node *tree, double seconds,
                 double back_seconds);

/* Of trees of PLAN_TRIGONOMETRIC: gives those whose way back is slower than that of the best one in
 * both directions that way, and puts them in order again. */
void ranking_share_ways_back(struct ranking *ranking);

/* Of trees that convolve: puts that one first whose axis there and back is the farthest from one
 * element to the next, if an axis is best there and back, and none is much quicker. */
void ranking_prefer_far_axis(struct ranking *ranking, const struct problem *p);

#endif
