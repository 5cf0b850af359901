/* A prime as a cyclic convolution of length n - 1 (Rader 1968), all in one block. */
#include <math.h>

#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/cost_pass.h"
#include "plan/cost_sums.h"
#include "spec/lone_sums.h"

/* Lines that steps between pairs may transform there and back. */
static bool are_of_pairs(const struct search *s, const struct task *task)
{
    const struct problem *p = s->problem;
    return task->columns == 1 && search_opens(s, task->role) && p->hooks.dims == 0;
}

/* Infinite: the line has no steps between pairs. */
static double pairs_seconds(const struct search *s, const struct task *task)
{
    const double bytes = (double)problem_elements(s->problem) * s->machine.element_bytes;
    return are_of_pairs(s, task) ? cost_rader_pairs(&s->machine, task->n, bytes) : INFINITY;
}

/* Primes that have a butterfly do better by that, unless it is sums and there is one line. */
static bool is_worth_it(const struct search *s, int64_t n, double pairs)
{
    const bool one = problem_elements(s->problem) == n && isfinite(pairs);
    if (search_smooth(s, n) && !(one && cost_sums_serve(&s->machine, n))) return false;
    return !one || s->broad ||
           !lone_sums_beat_rader(n, pairs, s->limits, s->problem->precision);
}

void rader_propose(struct search *s, const struct task *task, struct candidates *list)
{
    int64_t n = task->n;
    if (n < 3 || !search_fits_block(s, n) || !search_smooth(s, n - 1)) return;
    if (!is_prime(n)) return;
    const double pairs = pairs_seconds(s, task);
    if (!is_worth_it(s, n, pairs)) return;
    const int64_t columns = cost_convolved_columns(&s->machine, n - 1, task->columns);
    struct task convolution = {.n = n - 1, .columns = columns, .role = LINE_BLOCK};
    const struct plan_node *child = search_best(s, convolution);
    struct plan_node *node = child ? search_node(s, PLAN_RADER, n) : NULL;
    if (!node) return;
    node->children = 1;
    node->child[0] = child;
    node->seconds = 2 * child->seconds + cost_spectrum(&s->machine, n - 1) +
                    cost_permutation(&s->machine, n) + 2 * cost_carrying(&s->machine, n);
    if (isfinite(pairs)) node->seconds = pairs;
    search_add(list, node);
}

void rader_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = PASS_RADER;
    pass->length = node->n - 1;
    pass_set_radices(pass, node->child[0]);
    pass->spectrum_table = lowering_table(l, TABLE_RADER_SPECTRUM, node->n, node->n - 1);
    pass->spectrum_map.line = 1;
    lowering_finish(l, pass);
}
