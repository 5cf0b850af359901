#include "plan/planner.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/lower_program.h"
#include "plan/rank.h"
#include "plan/search.h"

static weft_status lower(arena *a, const struct problem *problem, const struct limits *limits,
                         const struct plan_node *tree, struct program *work,
                         const struct program **program)
{
    if (!lower_program(work, problem, problem, limits, tree)) {
        return error_set(
            WEFT_ERROR_UNSUPPORTED,
            "the plan needs more passes or larger scratch than %s has: at most %" PRId64
            " bytes a buffer",
            limits->name, limits->largest_buffer);
    }
    *program = program_fitted(a, work);
    return *program ? WEFT_OK : error_memory("a program");
}

weft_status plan_lower(arena *a, const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree, const struct program **program)
{
    struct program_room *room = memory_alloc(sizeof *room);
    if (!room) return error_memory("a program");
    weft_status status = lower(a, problem, limits, tree, program_of_room(room), program);
    memory_free(room);
    return status;
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

/* Ranks trees that lie in the arena `meanwhile`, and copies the best ones. */
static weft_status search(arena *a, arena *meanwhile, struct program *work, struct search *s,
                          int most, const struct plan_node **tree, int *count)
{
    struct ranking ranking = {.count = 0};
    s->arena = meanwhile;
    s->broad = most > 1;
    weft_status status = rank_problem(s, work, &ranking);
    if (arena_failed(meanwhile)) return error_memory("a plan");
    if (status) return status;
    *count = ranking.count < most ? ranking.count : most;
    for (int i = 0; i < *count; i++)
        tree[i] = plan_copy(a, ranking.tree[i]);
    return arena_failed(a) ? error_memory("a plan") : WEFT_OK;
}

/* What is only needed meanwhile goes at once, so that the next plan finds its memory where the
 * system need not clear it. (Experiment "plan time" in docs/experiments.) */
weft_status plan_candidates(arena *a, const struct problem *problem, const struct limits *limits,
                            int most, const struct plan_node **tree, int *count)
{
    struct search s = {
        .problem = problem,
        .limits = limits,
        .machine = cost_machine(limits, problem),
    };
    arena *meanwhile = arena_create();
    struct program_room *room = meanwhile ? memory_alloc(sizeof *room) : NULL;
    weft_status status =
        room ? search(a, meanwhile, program_of_room(room), &s, most, tree, count)
             : error_memory("a plan");
    memory_free(room);
    arena_destroy(&meanwhile);
    return status;
}

weft_status plan_best(arena *a, const struct problem *problem, const struct limits *limits,
                      const struct plan_node **tree)
{
    int count;
    return plan_candidates(a, problem, limits, 1, tree, &count);
}
