/* n = n1 * n2: columns, twiddle, rows (Bailey's four-step with its transpose in the columns' pass;
 * Govindaraju et al. 2008, IV.C; Lloyd 4.4). */
#include <math.h>

#include "plan/algorithm.h"
#include "plan/tile.h"
#include "spec/far_columns.h"
#include "spec/lone_lines.h"

/* How many places to cut are planned to the end: for an axis, when alternatives are wanted, and
 * below another split. */
#define CUTS_WHOLE 7
#define CUTS_BROAD 10
#define CUTS_BELOW 2
#define CUTS_CHAIN 6
#define CUTS_FAR_CHAIN 8

/* Columns of a convolution go through memory forth and back, rows but once, so on a CPU those
 * should be the longer ones. (Experiment "long primes" in docs/experiments.) */
#define CHAIN_COLUMNS (1.0 / 3)

/* Where scratch leaves the caches, columns take their time to read and write it whatever their
 * length, and rows are quicker while they stay in the first level. (Likewise, "far cuts".) */
#define FAR_COLUMNS 0.44

/* Places to cut, the likeliest first. */
struct cuts {
    int64_t *divisor;
    double *distance; /* of each, on a logarithmic scale, to the nearer of these: */
    int count;
    double target; /* log2 of the ideal length of the columns, */
    double other;  /* ... and of that for a pass more, or where scratch is far */
};

/* Takes the likeliest cut that is left; ties go to the larger. 0: none is left. */
static int64_t take(struct cuts *cuts)
{
    if (cuts->count == 0) return 0;
    int best = cuts->count - 1;
    for (int i = cuts->count - 2; i >= 0; i--) {
        if (cuts->distance[i] < cuts->distance[best]) best = i;
    }
    int64_t divisor = cuts->divisor[best];
    cuts->count--;
    for (int i = best; i < cuts->count; i++) {
        cuts->divisor[i] = cuts->divisor[i + 1];
        cuts->distance[i] = cuts->distance[i + 1];
    }
    return divisor;
}

/* Whether the scratch of a CPU's convolution leaves the caches. */
static bool is_far_chain(const struct search *s, int64_t n, enum line_role role)
{
    return role == LINE_CHAIN && cost_leaves_caches(&s->machine, n);
}

static bool is_gpu(const struct search *s)
{
    return s->limits->vector_bytes == 0;
}

/* Columns that a tile should have at least. On a GPU half a transaction at once is worth a pass
 * less. */
static double wide_columns(const struct search *s)
{
    const double run = s->limits->coalescing_bytes / (is_gpu(s) ? 2.0 : 1.0);
    return fmax(1, run / s->machine.element_bytes);
}

/* The longest line of which a tile holds as many columns as memory wants to be read together, where
 * it need not leave the second level for them; for a convolution, where a third part costs three
 * more passes, the longest of which it holds one. */
static double longest_columns(const struct search *s, enum line_role role)
{
    double wide = wide_columns(s);
    if (role == LINE_CHAIN) wide = 1;
    const weft_precision precision = s->problem->precision;
    double bytes = (double)tile_bytes(s->limits, precision, 1);
    const bool wider = far_columns_widest(s->limits, s->problem) > 1;
    const bool far = wider && s->machine.of_pairs && role != LINE_CHAIN;
    const double longest = far ? (double)far_columns_longest(s->limits, precision) : 2;
    return fmax(longest, (double)s->limits->shared_bytes / (bytes * wide));
}

static void measure_cuts(struct search *s, struct cuts *cuts)
{
    cuts->distance = arena_array(s->arena, (size_t)cuts->count, sizeof *cuts->distance);
    if (!cuts->distance) cuts->count = 0;
    for (int i = 0; i < cuts->count; i++) {
        const double place = log2((double)cuts->divisor[i]);
        cuts->distance[i] = fmin(fabs(place - cuts->target), fabs(place - cuts->other));
    }
}

static double parts_needed(const struct search *s, int64_t n, enum line_role role)
{
    const double columns = longest_columns(s, role);
    return fmax(2, ceil(log2((double)n) / log2(columns) - 1e-9));
}

static struct cuts find_cuts(struct search *s, int64_t n, enum line_role role,
                             enum plan_kind kind, int further)
{
    double columns = longest_columns(s, role);
    double parts = parts_needed(s, n, role) + further;
    struct cuts cuts = {.target = log2((double)n) / parts};
    /* On a GPU full transactions may be worth the pass. */
    cuts.other = is_gpu(s) ? log2((double)n) / (parts + 1) : cuts.target;
    if (!is_gpu(s) && role == LINE_CHAIN) {
        const double least = log2((double)n / columns);
        const double other = is_far_chain(s, n, role) ? FAR_COLUMNS : CHAIN_COLUMNS;
        cuts.target = fmax(CHAIN_COLUMNS * log2((double)n), least);
        cuts.other = fmax(other * log2((double)n), least);
    }
    int64_t most = tile_lines(s->limits, s->problem->precision, 1);
    /* Rows that are contiguous at both ends may be as long as a block holds. */
    if (kind == PLAN_TRANSPOSED) {
        cuts.target = log2((double)n) / 2;
        cuts.other = fmax(1, log2((double)n / (double)most));
    }
    cuts.divisor = search_divisors(s, n, n / 2 < most ? n / 2 : most, &cuts.count);
    if (!cuts.divisor) cuts.count = 0;
    measure_cuts(s, &cuts);
    return cuts;
}

/* On a GPU a block's seconds are those of a whole pass already. */
static double cpu_sweeps(const struct search *s, int64_t n)
{
    return is_gpu(s) ? 0 : 2 * cost_sweep(&s->machine, n);
}

static struct plan_node *cut_at(struct search *s, const struct task *task, enum plan_kind kind,
                                int64_t n1)
{
    int64_t n2 = task->n / n1;
    bool chain = task->role == LINE_CHAIN, contiguous = task->columns == 1;
    struct task columns = {.n = n1,
                           .columns = cost_columns(&s->machine, n1, n2),
                           .role = chain ? LINE_BLOCK : LINE_COLUMNS,
                           .stride = contiguous ? n2 : 0};
    const struct plan_node *first = search_best(s, columns);
    /* Rows that are convolved are taken one by one. The model finds cuts of what the caches hold
     * better where it does not know. (Experiment "long primes" in docs/experiments.) */
    const bool alone = contiguous && is_far_chain(s, task->n, task->role);
    struct task rows = {.n = n2,
                        .columns = alone ? 1 : cost_columns(&s->machine, n2, n1),
                        .role = chain                     ? LINE_CHAIN
                                : kind == PLAN_TRANSPOSED ? LINE_LAST
                                                          : LINE_ROWS,
                        .stride = contiguous ? n1 : 0,
                        .reflected = task->reflected};
    const struct plan_node *second = first ? search_best(s, rows) : NULL;
    struct plan_node *node = second ? search_node(s, kind, task->n) : NULL;
    if (!node) return NULL;
    node->children = 2;
    node->child[0] = first;
    node->child[1] = second;
    node->seconds = (double)n2 * first->seconds + (double)n1 * second->seconds +
                    cpu_sweeps(s, task->n) +
                    cost_products(&s->machine, (double)task->n) + s->limits->launch_seconds;
    return node;
}

/* Whether one block does so well that a split cannot be better. */
static bool needless(const struct search *s, const struct task *task)
{
    if (!search_fits_block(s, task->n) || !search_smooth(s, task->n)) return false;
    if (task->role != LINE_WHOLE) return true;
    const bool whole = whole_lines(s->limits, s->problem->precision, task->n);
    if (whole && task->apart && !s->broad) return true;
    int64_t bytes = tile_bytes(s->limits, s->problem->precision, task->n);
    if (is_gpu(s) && task->apart && (double)task->columns < wide_columns(s)) return false;
    /* On a GPU only where a lone block may leave the others of its chip too little. */
    if (is_gpu(s)) return !s->broad || bytes <= s->limits->shared_bytes / 2;
    return tile_is_near(s->limits, s->problem->precision, task->n);
}

static int cuts_wanted(const struct search *s, const struct task *task)
{
    if (is_far_chain(s, task->n, task->role)) return CUTS_FAR_CHAIN;
    if (task->role == LINE_CHAIN && !is_gpu(s)) return CUTS_CHAIN;
    if (task->role != LINE_WHOLE) return CUTS_BELOW;
    return s->broad ? CUTS_BROAD : CUTS_WHOLE;
}

/* In the parts that are needed, and so many further ones. */
static void propose_parts(struct search *s, const struct task *task, enum plan_kind kind,
                          int further, struct candidates *list)
{
    int wanted = cuts_wanted(s, task);
    struct cuts cuts = find_cuts(s, task->n, task->role, kind, further);
    for (int64_t n1 = take(&cuts); n1 > 0 && wanted > 0; n1 = take(&cuts)) {
        if (n1 == 1) continue;
        struct plan_node *node = cut_at(s, task, kind, n1);
        if (!node) continue;
        search_add(list, node);
        wanted--;
    }
}

/* Whether tiles of the longest parts of the problem's own line, not of one within another
 * algorithm, hold runs of one cache line: longer runs may be worth a pass more. (Experiment "short
 * runs" in docs/experiments/memory.md.) */
static bool has_short_runs(const struct search *s, const struct task *task)
{
    const struct problem *problem = s->problem;
    const bool own = problem->axes == 1 && problem->axis[0].n == task->n;
    if (is_gpu(s) || !s->machine.of_pairs || !own || task->role != LINE_WHOLE) return false;
    const double part = log2((double)task->n) / parts_needed(s, task->n, task->role);
    return 2 * exp2(part) > longest_columns(s, task->role);
}

static void propose(struct search *s, const struct task *task, enum plan_kind kind,
                    struct candidates *list)
{
    if (needless(s, task)) return;
    propose_parts(s, task, kind, 0, list);
    if (has_short_runs(s, task)) propose_parts(s, task, kind, 1, list);
}

void split_propose(struct search *s, const struct task *task, struct candidates *list)
{
    joined_propose(s, task, list);
    propose(s, task, PLAN_SPLIT, list);
}

void transposed_propose(struct search *s, const struct task *task, struct candidates *list)
{
    if (s->problem->order == WEFT_TRANSPOSED) propose(s, task, PLAN_TRANSPOSED, list);
}

void split_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    int64_t n1 = node->child[0]->n, n2 = node->child[1]->n;
    if (joined_suits(l, node, lines)) {
        joined_lower(l, node, lines);
        return;
    }
    struct lowering_cut cut = lowering_cut(l, lines, n1, n2);
    algorithm_lower(l, node->child[0], &cut.columns);

    struct lines rows = cut.rest;
    rows.line = (struct dim){n2, cut.unit, n1 * lines->line.out_stride};
    lines_prepend(l, &rows, (struct dim){n1, cut.pitch, lines->line.out_stride});
    lines_map_rows(&rows, lines, n1);
    algorithm_lower(l, node->child[1], &rows);
}
