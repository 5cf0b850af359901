/* Multiples of a prime as so many lines of it and a step, in one pass (spec/joined_lines.h). */
#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/cost_pass.h"
#include "spec/joined_lines.h"
#include "spec/kind.h"

/* Steps of smaller primes are quicker. (Experiment "joined lines" in docs/experiments.) */
#define LEAST_PRIME 37

static struct plan_node *rader_of(struct search *s, int64_t prime)
{
    const struct task convolution = {.n = prime - 1, .columns = 1, .role = LINE_BLOCK};
    const struct plan_node *child = search_best(s, convolution);
    struct plan_node *node = child ? search_node(s, PLAN_RADER, prime) : NULL;
    if (!node) return NULL;
    node->children = 1;
    node->child[0] = child;
    return node;
}

static struct plan_node *step_of(struct search *s, int64_t n)
{
    struct plan_node *node = search_node(s, PLAN_BLOCK, n);
    if (!node) return NULL;
    node->radices = 1;
    node->radix[0] = (int)n;
    return node;
}

void joined_propose(struct search *s, const struct task *task, struct candidates *list)
{
    const int64_t prime = largest_prime_factor(task->n), cofactor = task->n / prime;
    const struct problem *p = s->problem;
    if (task->columns > 1 || kind_is_trigonometric(p->kind)) return;
    if (!search_pairs_line(s, task->n, task->role)) return;
    if (prime < LEAST_PRIME || !search_fits_block(s, task->n)) return;
    if (!joined_lines(s->limits, p->precision, prime, cofactor)) return;
    if (!search_smooth(s, prime - 1) || !s->limits->last[cofactor]) return;
    struct plan_node *node = search_node(s, PLAN_SPLIT, task->n);
    const struct plan_node *columns = rader_of(s, prime), *rows = step_of(s, cofactor);
    if (!node || !columns || !rows) return;
    node->children = 2;
    node->child[0] = columns;
    node->child[1] = rows;
    const double bytes = (double)problem_elements(p) * s->machine.element_bytes;
    node->seconds = cost_joined_lines(&s->machine, prime, cofactor, bytes);
    search_add(list, node);
}

static bool is_callers(enum pass_place place)
{
    return place == PASS_INPUT || place == PASS_OUTPUT;
}

/* Whether both ends are the caller's pairs, which follow one another and are all there. */
static bool are_pairs(const struct lowering *l, const struct lines *lines)
{
    const struct problem *p = l->problem;
    const bool complex_ends = !lines->real_in && !lines->real_out && !lines->half_in &&
                              !lines->half_out;
    return complex_ends && is_callers(lines->from) && is_callers(lines->to) &&
           lines->folds == 0 && lines->twiddle_order == 0 && lines->line.in_stride == 1 &&
           lines->line.out_stride == 1 && p->operation == WEFT_TRANSFORM && problem_is_plain(p) &&
           !problem_has_ranges(p);
}

bool joined_suits(const struct lowering *l, const struct plan_node *split,
                  const struct lines *lines)
{
    const struct plan_node *columns = split->child[0], *rows = split->child[1];
    if (columns->kind != PLAN_RADER || rows->kind != PLAN_BLOCK || rows->radices != 1) return false;
    return l->limits->vector_bytes > 0 && are_pairs(l, lines) &&
           joined_lines(l->limits, l->problem->precision, columns->n, rows->n);
}

void joined_lower(struct lowering *l, const struct plan_node *split, const struct lines *lines)
{
    const int64_t prime = split->child[0]->n;
    struct pass *pass = lowering_pass(l, lines);
    pass->body = PASS_RADER;
    pass->length = prime - 1;
    pass_set_radices(pass, split->child[0]->child[0]);
    pass->spectrum_table = lowering_table(l, TABLE_RADER_SPECTRUM, prime, prime - 1);
    pass->spectrum_map.line = 1;
    lowering_finish(l, pass);
}
