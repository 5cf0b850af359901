/* Trees of problems that convolve. */
#include "base/error.h"
#include "plan/convolution.h"
#include "plan/rank.h"
#include "plan/single.h"

/* The problem of its transforms alone. */
static struct problem transforms_of(const struct problem *problem)
{
    struct problem plain = *problem;
    plain.operation = WEFT_TRANSFORM;
    plain.kernel = (struct dim){0, 0, 0};
    return plain;
}

/* The best trees of the axes, but for one that goes there and back at once (-1: none does). */
static void propose_convolution(struct search *s, const struct ranking *axis, int fused,
                                struct candidates *list)
{
    struct candidates ways = {.count = 0};
    const int axes = s->problem->axes;
    if (fused >= 0) {
        const struct problem single = problem_of_axis(s->problem, fused);
        const struct task task = single_task(s, &single);
        convolution_propose(s, &task, &ways);
        if (ways.count == 0) return;
    }
    if (axes == 1) {
        search_add(list, fused >= 0 ? ways.node[0] : axis[0].tree[0]);
        return;
    }
    struct plan_node *node = rank_axes_node(s, axis, -1, 0);
    if (node && fused >= 0) node->child[fused] = ways.node[0];
    search_add(list, node);
}

/* With other transforms of one axis. */
static void propose_other_axes(struct search *s, const struct ranking *axis,
                               const struct plan_node *best, struct candidates *list)
{
    for (int choice = 1; choice < CANDIDATES_MAX; choice++) {
        for (int i = 0; i < s->problem->axes && best->kind == PLAN_AXES; i++) {
            if (choice >= axis[i].count || best->child[i]->kind == PLAN_CONVOLUTION) continue;
            struct plan_node *node = search_node(s, PLAN_AXES, best->n);
            if (!node) return;
            *node = *best;
            node->child[i] = axis[i].tree[choice];
            search_add(list, node);
        }
    }
}

static weft_status rank_transforms(struct search *s, struct program *work, struct ranking *axis)
{
    const struct problem *convolution = s->problem;
    const struct problem plain = transforms_of(convolution);
    weft_status status = WEFT_OK;
    s->problem = &plain;
    for (int i = 0; i < plain.axes && !status; i++)
        status = rank_axis(s, i, work, &axis[i]);
    s->problem = convolution;
    return status;
}

weft_status rank_convolution(struct search *s, struct program *work, struct ranking *ranking)
{
    const struct problem *problem = s->problem;
    struct candidates list = {.count = 0};
    struct ranking *axis = arena_array(s->arena, (size_t)problem->axes, sizeof *axis);
    if (!axis) return error_memory("a plan");
    s->both_ways = true;
    weft_status status = rank_transforms(s, work, axis);
    if (status) return status;
    propose_convolution(s, axis, -1, &list);
    const bool shared = problem->axes > 1 && convolution_takes_turns(problem, s->limits);
    for (int i = 0; i < problem->axes && !shared; i++) {
        if (convolution_may_fuse(problem, i)) propose_convolution(s, axis, i, &list);
    }
    rank_list(s, problem, &list, work, ranking);
    if (s->limits->vector_bytes > 0) ranking_prefer_far_axis(ranking, problem);
    if (s->broad && ranking->count > 0) {
        propose_other_axes(s, axis, ranking->tree[0], &list);
        rank_list(s, problem, &list, work, ranking);
    }
    if (ranking->count > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED, "no plan for a convolution within the limits of %s",
                     s->limits->name);
}
