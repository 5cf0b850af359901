#include "plan/rank.h"

#include <inttypes.h>

#include "base/error.h"
#include "plan/algorithm.h"
#include "plan/lay.h"
#include "plan/lower.h"
#include "plan/lower_program.h"
#include "plan/single.h"
#include "spec/kind.h"

void rank_list(const struct search *s, const struct problem *problem,
               const struct candidates *list, struct program *work, struct ranking *ranking)
{
    const struct problem *whole = s->both_ways ? NULL : s->problem;
    ranking->count = 0;
    for (int i = 0; i < list->count; i++) {
        if (!lower_program(work, problem, whole, s->limits, list->node[i])) continue;
        ranking_add(ranking, list->node[i], work->seconds, work->back_seconds);
    }
}

/* Adds the trees of an axis, which `single` is the problem of; if its lines are laid, of what it is
 * for these then. */
static void propose_axis(struct search *s, int axis, struct problem *single,
                         struct candidates *list)
{
    const struct problem *whole = s->problem;
    if (!s->both_ways && lay_suits(whole, single, s->limits)) {
        *single = lay_problem(single, s->limits);
        s->problem = single;
    }
    const struct task task = single_task(s, single);
    if (kind_is_trigonometric(whole->kind)) trigonometric_propose(s, &task, list);
    else if (single_is_real(whole, axis)) real_propose(s, &task, list);
    else search_propose(s, &task, list);
    s->problem = whole;
}

weft_status rank_axis(struct search *s, int axis, struct program *work, struct ranking *ranking)
{
    struct problem between;
    const bool last = axis == s->problem->axes - 1;
    const bool placed = last && real_stages_between(s->problem, s->limits, &between);
    struct problem single = problem_of_axis(placed ? &between : s->problem, axis);
    const int64_t n = single.axis[0].n;
    search_turn_to(s, problem_axis_kind(s->problem, axis));
    struct candidates list = {.count = 0};
    propose_axis(s, axis, &single, &list);
    rank_list(s, &single, &list, work, ranking);
    if (trigonometric_has_two_ways(s)) ranking_share_ways_back(ranking);
    if (ranking->count > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "no plan for length %" PRId64 " within the limits of %s: %" PRId64
                     " bytes of fast memory, %" PRId64 " bytes a buffer",
                     n, s->limits->name, s->limits->shared_bytes, s->limits->largest_buffer);
}
