#include "plan/ranking.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "plan/stride.h"

/* What the other direction counts of a tree's time, the forward one being what most plans are made
 * for: enough that it is not many times slower. */
static const double back_share = 0.2;

/* What the model finds a little quicker back need not be: another tree's way is to gain so much
 * over that of a tree for both. (Experiment "two ways".) */
static const double other_gain = 0.85;

/* Nearer axes there and back are to gain so much. (Experiment "planes".) */
static const double near_gain = 0.9;

static double rated(double seconds, double back_seconds)
{
    return seconds + back_share * (back_seconds - seconds);
}

static bool is_worse(const struct plan_node *tree, const struct plan_node *other)
{
    return rated(tree->seconds, tree->back_seconds) > rated(other->seconds, other->back_seconds);
}

static void insert(struct ranking *ranking, struct plan_node *tree)
{
    int place = ranking->count;
    if (place == CANDIDATES_MAX) return;
    while (place > 0 && is_worse(ranking->tree[place - 1], tree)) {
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

/* A child for the way back, and its seconds. */
struct way {
    const struct plan_node *child;
    double seconds;
};

static struct way way_back(const struct plan_node *tree)
{
    return (struct way){tree->child[tree->children - 1], tree->back_seconds};
}

static struct way quickest_back(const struct ranking *ranking)
{
    struct way best = way_back(ranking->tree[0]);
    for (int i = 1; i < ranking->count; i++) {
        const struct way way = way_back(ranking->tree[i]);
        if (way.seconds < best.seconds) best = way;
    }
    return best;
}

/* Of the tree that is best in both directions, whose way back may be another's if that gains
 * something. */
static struct way best_back(const struct ranking *ranking)
{
    const struct way quickest = quickest_back(ranking);
    struct way best = quickest;
    double least = INFINITY;
    for (int i = 0; i < ranking->count; i++) {
        const struct plan_node *tree = ranking->tree[i];
        const struct way own = way_back(tree);
        const struct way way = quickest.seconds < other_gain * own.seconds ? quickest : own;
        const double both = rated(tree->seconds, way.seconds);
        if (both >= least) continue;
        least = both;
        best = way;
    }
    return best;
}

void ranking_share_ways_back(struct ranking *ranking)
{
    const struct ranking all = *ranking;
    if (all.count == 0) return;
    const struct way back = best_back(&all);
    ranking->count = 0;
    for (int i = 0; i < all.count; i++) {
        struct plan_node *tree = all.tree[i];
        if (back.seconds < tree->back_seconds) {
            tree->child[1] = back.child;
            tree->children = 2;
            tree->back_seconds = back.seconds;
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
