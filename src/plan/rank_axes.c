/* Trees of several axes, and the order in which they take them. */
#include <string.h>

#include "base/error.h"
#include "plan/algorithm.h"
#include "plan/lower_program.h"
#include "plan/order.h"
#include "plan/rank.h"
#include "spec/kind.h"

/* Another order must take so much of the time at most: the model knows little of ties. */
#define ORDER_GAIN 0.95

struct plan_node *rank_axes_node(struct search *s, const struct ranking *axis, int changed,
                                 int choice)
{
    struct plan_node *node = search_node(s, PLAN_AXES, 1);
    if (!node) return NULL;
    node->children = s->problem->axes;
    for (int i = 0; i < node->children; i++) {
        node->child[i] = axis[i].tree[i == changed ? choice : 0];
        node->n *= node->child[i]->n;
    }
    return node;
}

/* The axes in runs, of which bit i of `joined` joins axis i to the next: longer ones as images.
 * NULL: one does not fit a block. */
static struct plan_node *runs_node(struct search *s, const struct ranking *axis, unsigned joined)
{
    struct plan_node *node = search_node(s, PLAN_AXES, 1);
    if (!node) return NULL;
    for (int first = 0, last; first < s->problem->axes; first = last + 1) {
        last = first;
        while (joined >> last & 1) last++;
        const struct plan_node *run =
            last > first ? image_node(s, first, last) : axis[first].tree[0];
        if (!run) return NULL;
        node->child[node->children++] = run;
        node->n *= run->n;
    }
    return node;
}

/* Axes, from the first on, that images may be of. A hook is told of one real at a time, and of each
 * number once. */
static int imaged_axes(const struct problem *p)
{
    const bool hooked = p->hooks.dims > 0;
    if (!kind_is_trigonometric(p->kind)) return p->axes - (hooked && kind_is_half(p->kind));
    const bool cornered = kind_inverse(p->kind) != p->kind && !problem_mixes_kinds(p);
    return hooked || !cornered ? 0 : p->axes;
}

/* Some axes together, where a block holds them. */
static void propose_images(struct search *s, const struct ranking *axis, struct candidates *list)
{
    /* A CPU gains nothing: its tiles lie in a cache, where the next axis finds them anyway. */
    if (s->limits->vector_bytes > 0) return;
    if (problem_has_ranges(s->problem)) return; /* axes by themselves are repeated over ranges */
    for (unsigned joined = 1; joined < (1u << imaged_axes(s->problem)) / 2; joined++)
        search_add(list, runs_node(s, axis, joined));
}

/* A tree with its axes in the best order that exchanges lead to. With ranges sweeps differ: an axis
 * that grows is best taken late, one that shrinks early. */
static struct plan_node best_order(const struct search *s, const struct plan_node *tree,
                                   struct program *work)
{
    struct plan_node best = *tree;
    const int axes = order_free_axes(s->problem);
    if (!lower_program(work, s->problem, s->problem, s->limits, tree)) return best;
    double seconds = work->order_seconds;
    for (bool better = true; better;) {
        const struct plan_node from = best;
        better = false;
        for (int i = 0; i < axes * axes; i++) {
            struct plan_node trial = from;
            if (i / axes >= i % axes) continue;
            order_exchange(&trial, i / axes, i % axes);
            if (!order_serves(s->problem, &trial)) continue;
            if (!lower_program(work, s->problem, s->problem, s->limits, &trial)) continue;
            if (work->order_seconds >= (better ? 1 : ORDER_GAIN) * seconds) continue;
            best = trial;
            seconds = work->order_seconds;
            better = true;
        }
    }
    return best;
}

/* All trees in the order that is best for the best of them, and that one as it was. */
static void rank_ordered(struct search *s, struct candidates *list, struct program *work,
                         struct ranking *ranking)
{
    const struct plan_node best = best_order(s, ranking->tree[0], work);
    struct plan_node *natural = best.ordered ? search_node(s, PLAN_AXES, best.n) : NULL;
    if (!natural) return;
    *natural = *ranking->tree[0];
    for (int i = 0; i < list->count; i++) {
        list->node[i]->ordered = true;
        memcpy(list->node[i]->order, best.order, sizeof best.order);
    }
    if (s->broad && list->count == CANDIDATES_MAX) list->count--;
    if (s->broad) search_add(list, natural);
    rank_list(s, s->problem, list, work, ranking);
}

/* Trees for several axes: the best of each, and each alternative for one of them. */
weft_status rank_axes(struct search *s, struct program *work, struct ranking *ranking)
{
    int axes = s->problem->axes;
    struct ranking *axis = arena_array(s->arena, (size_t)axes, sizeof *axis);
    if (!axis) return error_memory("a plan");
    struct candidates list = {.count = 0};
    for (int i = 0; i < axes; i++) {
        weft_status status = rank_axis(s, i, work, &axis[i]);
        if (status) return status;
    }
    search_add(&list, rank_axes_node(s, axis, -1, 0));
    propose_images(s, axis, &list);
    for (int choice = 1; s->broad && choice < CANDIDATES_MAX; choice++) {
        for (int i = 0; i < axes; i++) {
            if (choice < axis[i].count) search_add(&list, rank_axes_node(s, axis, i, choice));
        }
    }
    rank_list(s, s->problem, &list, work, ranking);
    if (ranking->count > 0 && problem_has_ranges(s->problem))
        rank_ordered(s, &list, work, ranking);
    if (ranking->count > 0) return WEFT_OK;
    if (problem_wraps(s->problem)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "no plan for %d axes: each range that goes on at 0 behind the end of its "
                         "axis doubles the stages of a program, which has at most %d, and %d "
                         "passes, and takes scratch within the limits of %s: accepted are fewer "
                         "such ranges",
                         axes, PROGRAM_MAX_STAGES, PROGRAM_MAX_PASSES, s->limits->name);
    }
    return error_set(WEFT_ERROR_UNSUPPORTED, "no plan for %d axes within the limits of %s", axes,
                     s->limits->name);
}
