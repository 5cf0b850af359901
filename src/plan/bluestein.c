/* Any length as a convolution of a smooth length m >= 2n - 1 (Bluestein 1970; Lloyd 4.3).
 *
 * In one block when m fits. Otherwise m = m1 * m2, and with j = j1 * m2 + j2, K = k1 + m1 * k2 the
 * spectrum of the padded input is
 *
 *     X[K] = sum_j2 w(m2)^(j2 k2) w(m)^(j2 k1) sum_j1 w(m1)^(j1 k1) x[j],
 *
 * so the columns j1 -> k1 go forward and are twiddled, each row k1 is convolved by itself with its
 * part k1 + m1 * k2 of the spectrum, is twiddled back, and the columns go backward: three passes.
 * A row too long for a block is again columns, rows and columns. */
#include <math.h>
#include <string.h>

#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/lengths.h"
#include "plan/resampled.h"
#include "plan/rows.h"

/* How much longer than necessary a convolution may be to have better factors. */
#define LONGEST_EXCESS 1.4

static void propose_around(struct search *s, const struct task *task,
                           const struct plan_node *child, struct candidates *list)
{
    struct plan_node *node = child ? search_node(s, PLAN_BLUESTEIN, task->n) : NULL;
    if (!node) return;
    node->children = 1;
    node->child[0] = child;
    node->seconds = 2 * child->seconds + cost_spectrum(&s->machine, child->n) +
                    2 * cost_chirp(&s->machine, task->n) + 2 * cost_carrying(&s->machine, task->n);
    search_add(list, node);
}

static void propose_length(struct search *s, const struct task *task, int64_t m,
                           struct candidates *list)
{
    bool block = search_fits_block(s, m);
    if (!block && task->role != LINE_WHOLE) return;
    int64_t columns = block ? cost_convolved_columns(&s->machine, m, task->columns) : 1;
    struct task convolution = {
        .n = m, .columns = columns, .role = block ? LINE_BLOCK : LINE_CHAIN};
    if (block || !cost_leaves_caches(&s->machine, m)) {
        propose_around(s, task, search_best(s, convolution), list);
        return;
    }
    /* Which cut is the best only a whole program tells. */
    struct candidates chains = {.count = 0};
    search_propose(s, &convolution, &chains);
    for (int i = 0; i < chains.count; i++)
        propose_around(s, task, chains.node[i], list);
}

/* On a CPU a block of length 2 h whose first radix is 2 is two of length h. */
static void propose_parities(struct search *s, const struct task *task, int64_t h,
                             struct candidates *list)
{
    if (!search_fits_block(s, 2 * h)) return;
    const int64_t columns = cost_convolved_columns(&s->machine, 2 * h, task->columns);
    const struct task task_of_half = {.n = h, .columns = columns, .role = LINE_BLOCK};
    const struct plan_node *half = search_best(s, task_of_half);
    if (!half || half->radices == PLAN_MAX_RADICES) return;
    struct plan_node *block = search_node(s, PLAN_BLOCK, 2 * h);
    if (!block) return;
    block->radices = half->radices + 1;
    block->radix[0] = 2;
    memcpy(block->radix + 1, half->radix, sizeof half->radix - sizeof half->radix[0]);
    block->seconds = 2 * half->seconds + cost_parities(&s->machine, task->n, columns);
    propose_around(s, task, block, list);
}

static void propose_lengths(struct search *s, const struct task *task, struct candidates *list)
{
    int64_t length[LENGTHS_MOST];
    const double n = (double)task->n;
    int count = s->limits->vector_bytes > 0 ? lengths_smooth(n, LONGEST_EXCESS, length) : 0;
    for (int i = 0; i < count; i++)
        propose_parities(s, task, length[i], list);
    count = lengths_smooth(2 * n - 1, LONGEST_EXCESS, length);
    for (int i = 0; i < count; i++)
        propose_length(s, task, length[i], list);
    if (count == 0 || search_smooth(s, length[0])) return;
    /* A device without all of those radices: powers of two are the last resort. */
    int64_t m = 1;
    while (m < 2 * task->n - 1)
        m *= 2;
    propose_length(s, task, m, list);
}

/* Of a line by itself those that are one block and take so many times as long as the quickest of
 * these are slower as a CPU's programs as well. (Experiment "fresh pages" in docs/experiments.) */
#define MOST_SECONDS 1.25

static bool is_lone(const struct search *s)
{
    return s->limits->vector_bytes > 0 && s->problem->axes == 1 && s->problem->loops == 0;
}

static void add_quick(const struct search *s, const struct candidates *all,
                      struct candidates *list)
{
    double least = INFINITY;
    for (int i = 0; i < all->count; i++)
        if (all->node[i]->child[0]->kind == PLAN_BLOCK) least = fmin(least, all->node[i]->seconds);
    for (int i = 0; i < all->count; i++) {
        struct plan_node *node = all->node[i];
        const bool slow = is_lone(s) && node->seconds > MOST_SECONDS * least;
        if (s->broad || !slow || node->child[0]->kind != PLAN_BLOCK) search_add(list, node);
    }
}

void bluestein_propose(struct search *s, const struct task *task, struct candidates *list)
{
    /* Blocks and splits of blocks do better wherever they are possible. */
    bool blocks = search_smooth(s, task->n) && search_fits_block(s, largest_prime_factor(task->n));
    if (blocks || (!s->broad && resampled_is_quicker(s, task))) return;
    struct candidates all = {.count = 0};
    propose_lengths(s, task, &all);
    add_quick(s, &all, list);
}

/* ---- lowering ---- */

static void set_chirp(struct lowering *l, struct pass *pass, int64_t n, bool before, bool after)
{
    pass->chirp_n = n;
    pass->chirp_table = lowering_table(l, TABLE_CHIRP, n, n);
    pass->chirp_before = before;
    pass->chirp_after = after;
}

static void lower_one_block(struct lowering *l, const struct plan_node *node,
                            const struct lines *lines, int table)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = PASS_CONVOLUTION;
    pass->length = node->child[0]->n;
    pass_set_radices(pass, node->child[0]);
    set_chirp(l, pass, node->n, true, true);
    pass->chirp_map.line = 1;
    pass->spectrum_table = table;
    pass->spectrum_map.line = 1;
    lowering_finish(l, pass);
}

/* The padded columns j1 -> k1 from where the input is, or back to where the output goes. */
static void lower_padded(struct lowering *l, const struct plan_node *node,
                         const struct lines *lines, bool backward)
{
    const struct plan_node *split = node->child[0];
    struct pass *pass = lowering_pass(l, lines);
    pass->body = PASS_TRANSFORM;
    pass->backward = backward;
    pass->length = split->child[0]->n;
    pass_set_radices(pass, split->child[0]);
    set_chirp(l, pass, node->n, !backward, backward);
    pass->chirp_map.line = split->child[1]->n;
    pass->chirp_map.loop[0] = 1;
    lowering_finish(l, pass);
}

static void lower_split(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                        int table)
{
    int64_t m1 = node->child[0]->child[0]->n, m2 = node->child[0]->child[1]->n;
    struct lowering_cut cut = lowering_cut(l, lines, m1, m2);
    lower_padded(l, node, &cut.columns, false);

    struct lines backward = cut.rest;
    const struct rows whole = {.lines = backward, .spectrum = {.line = 1}, .table = table};
    rows_lower_cut(l, node->child[0], &whole, &cut);

    backward.line = (struct dim){m1, cut.pitch, m2 * lines->line.out_stride};
    lines_prepend(l, &backward, (struct dim){m2, cut.unit, lines->line.out_stride});
    lines_map_rows(&backward, lines, m2);
    lower_padded(l, node, &backward, true);
}

void bluestein_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    const struct plan_node *child = node->child[0];
    (void)lowering_table(l, TABLE_CHIRP, node->n, node->n); /* before what is made of it */
    int table = lowering_table(l, TABLE_BLUESTEIN_SPECTRUM, node->n, child->n);
    if (child->kind == PLAN_SPLIT)
        lower_split(l, node, lines, table);
    else
        lower_one_block(l, node, lines, table);
}
