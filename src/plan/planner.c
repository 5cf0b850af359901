#include "plan/planner.h"

#include <inttypes.h>

#include "base/error.h"
#include "plan/lower_program.h"
#include "plan/rank.h"
#include "plan/search.h"

weft_status plan_lower(arena *a, const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree, const struct program **program)
{
    struct program *made = arena_alloc_raw(a, sizeof *made);
    if (!made) return error_memory("a program");
    if (!lower_program(made, problem, problem, limits, tree)) {
        return error_set(
            WEFT_ERROR_UNSUPPORTED,
            "the plan needs more passes or larger scratch than %s has: at most %" PRId64
            " bytes a buffer",
            limits->name, limits->largest_buffer);
    }
    *program = made;
    return WEFT_OK;
}

static weft_status rank_copy(struct search *s, struct program *work, struct ranking *ranking)
{
    struct candidates list = {.count = 0};
    search_add(&list, search_node(s, PLAN_COPY, 1));
    rank_list(s, s->problem, &list, work, ranking);
    if (ranking->count > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED, "no plan for a copy within the limits of %s",
                     s->limits->name);
}

static weft_status rank_problem(struct search *s, struct program *work, struct ranking *ranking)
{
    if (problem_convolves(s->problem) && s->problem->axes > 0)
        return rank_convolution(s, work, ranking);
    if (s->problem->axes == 0) return rank_copy(s, work, ranking);
    if (s->problem->axes == 1) return rank_axis(s, 0, work, ranking);
    return rank_axes(s, work, ranking);
}

weft_status plan_candidates(arena *a, const struct problem *problem, const struct limits *limits,
                            int most, const struct plan_node **tree, int *count)
{
    struct search s = {
        .arena = a,
        .problem = problem,
        .limits = limits,
        .machine = cost_machine(limits, problem),
        .broad = most > 1,
    };
    struct program *work = arena_alloc_raw(a, sizeof *work);
    if (!work) return error_memory("a plan");
    struct ranking ranking = {.count = 0};
    weft_status status = rank_problem(&s, work, &ranking);
    if (arena_failed(a)) return error_memory("a plan");
    if (status) return status;
    *count = ranking.count < most ? ranking.count : most;
    for (int i = 0; i < *count; i++)
        tree[i] = ranking.tree[i];
    return WEFT_OK;
}

weft_status plan_best(arena *a, const struct problem *problem, const struct limits *limits,
                      const struct plan_node **tree)
{
    int count;
    return plan_candidates(a, problem, limits, 1, tree, &count);
}
