#include "plan/ranking.h"

#include <string.h>

#include "plan/stride.h"

/* What the other direction counts of a tree's time, the forward one being what most plans are made
 * for: enough that it is not many times slower. */
static const double back_share = 0.2;

/* Ways back of another tree have tables of their own, so they are to gain something. */
static const double other_gain = 0.85;

/* Nearer axes there and back are to gain so much. (Experiment "planes".) */
static const double near_gain = 0.9;

static double rated(const struct plan_node *tree)
{
    return tree->seconds + back_share * (tree->back_seconds - tree->seconds);
}

static void insert(struct ranking *ranking, struct plan_node *tree)
{
    int place = ranking->count;
    if (place == CANDIDATES_MAX) return;
    while (place > 0 && rated(ranking->tree[place - 1]) > rated(tree)) {
        ranking->tree[place] = ranking->tree[place - 1];
        place--;
    }
    ranking->tree[place] = tree;
    ranking->count++;
}

void ranking_add(struct ranking *ranking, struct plan_node *tree, double seconds,
                 double back_seconds)
{
    tree->seconds = seconds;
    tree->back_seconds = back_seconds;
    insert(ranking, tree);
}

static const struct plan_node *quickest_back(const struct ranking *ranking)
{
    const struct plan_node *best = ranking->tree[0];
    for (int i = 1; i < ranking->count; i++) {
        if (ranking->tree[i]->back_seconds < best->back_seconds) best = ranking->tree[i];
    }
    return best;
}

void ranking_share_ways_back(struct ranking *ranking)
{
    const struct ranking all = *ranking;
    if (all.count == 0) return;
    const struct plan_node *best = quickest_back(&all);
    const struct plan_node *back = best->child[best->children - 1];
    const double seconds = best->back_seconds;
    ranking->count = 0;
    for (int i = 0; i < all.count; i++) {
        struct plan_node *tree = all.tree[i];
        if (seconds < other_gain * tree->back_seconds) {
            tree->child[1] = back;
            tree->children = 2;
            tree->back_seconds = seconds;
        }
        insert(ranking, tree);
    }
}

/* From one element to the next of the axis there and back; 0: there is none. */
static int64_t stride_there_and_back(const struct plan_node *tree, const struct problem *p)
{
    for (int i = 0; i < p->axes; i++) {
        if (plan_of_axis(tree, i)->kind != PLAN_CONVOLUTION) continue;
        return magnitude(p->axis[i].out_stride);
    }
    return 0;
}

void ranking_prefer_far_axis(struct ranking *ranking, const struct problem *p)
{
    if (ranking->count == 0) return;
    int best = 0;
    int64_t farthest = stride_there_and_back(ranking->tree[0], p);
    for (int i = 1; i < ranking->count && farthest > 0; i++) {
        const int64_t stride = stride_there_and_back(ranking->tree[i], p);
        if (ranking->tree[0]->seconds < near_gain * ranking->tree[i]->seconds) break;
        if (stride <= farthest) continue;
        farthest = stride;
        best = i;
    }
    struct plan_node *tree = ranking->tree[best];
    memmove(ranking->tree + 1, ranking->tree, (size_t)best * sizeof *ranking->tree);
    ranking->tree[0] = tree;
}
