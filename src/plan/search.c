#include "plan/search.h"

#include <string.h>

#include "math/factor.h"
#include "plan/algorithm.h"
#include "spec/kind.h"

struct plan_node *search_node(struct search *s, enum plan_kind kind, int64_t n)
{
    struct plan_node *node = arena_alloc(s->arena, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->n = n;
    return node;
}

static bool same_tree(const struct plan_node *a, const struct plan_node *b)
{
    if (a == b) return true;
    if (a->kind != b->kind || a->n != b->n || a->radices != b->radices) return false;
    if (a->columns != b->columns || a->cluster != b->cluster) return false;
    if (a->children != b->children || a->ordered != b->ordered) return false;
    for (int i = 0; a->ordered && i < a->children; i++) {
        if (a->order[i] != b->order[i]) return false;
    }
    if (memcmp(a->radix, b->radix, (size_t)a->radices * sizeof *a->radix) != 0) return false;
    for (int i = 0; i < a->children; i++) {
        if (!same_tree(a->child[i], b->child[i])) return false;
    }
    return true;
}

void search_add(struct candidates *list, struct plan_node *node)
{
    if (!node || list->count == CANDIDATES_MAX) return;
    for (int i = 0; i < list->count; i++) {
        if (same_tree(list->node[i], node)) return;
    }
    list->node[list->count++] = node;
}

void search_propose(struct search *s, const struct task *task, struct candidates *list)
{
    for (int i = 0; i < algorithm_count; i++) {
        if (algorithm_table[i].roles & task->role) algorithm_table[i].propose(s, task, list);
    }
}

static void add_around(struct search *s, enum plan_kind kind, int64_t n,
                       const struct plan_node *child, struct candidates *list)
{
    struct plan_node *node = child ? search_node(s, kind, n) : NULL;
    if (!node) return;
    node->children = 1;
    node->child[0] = child;
    node->seconds = child->seconds;
    search_add(list, node);
}

void search_propose_around(struct search *s, enum plan_kind kind, const struct task *task,
                           int64_t inner, struct candidates *list)
{
    struct task within = *task;
    struct candidates children = {.count = 0};
    within.n = inner;
    if (inner == 1) add_around(s, kind, task->n, search_node(s, PLAN_COPY, 1), list);
    else search_propose(s, &within, &children);
    for (int i = 0; i < children.count; i++)
        add_around(s, kind, task->n, children.node[i], list);
}

void search_turn_to(struct search *s, weft_kind kind)
{
    if (s->kind != kind) s->memos = NULL; /* first steps of reals cost as the kind reads them */
    s->kind = kind;
}

static bool same_task(const struct task *a, const struct task *b)
{
    return a->n == b->n && a->columns == b->columns && a->role == b->role &&
           a->stride == b->stride && a->written == b->written && a->kept == b->kept &&
           a->apart == b->apart && a->reflected == b->reflected;
}

const struct plan_node *search_best(struct search *s, struct task task)
{
    for (const struct memo *memo = s->memos; memo; memo = memo->next) {
        if (same_task(&memo->task, &task)) return memo->best;
    }
    struct candidates list = {.count = 0};
    search_propose(s, &task, &list);
    const struct plan_node *best = NULL;
    for (int i = 0; i < list.count; i++) {
        if (!best || list.node[i]->seconds < best->seconds) best = list.node[i];
    }
    struct memo *memo = arena_alloc(s->arena, sizeof *memo);
    if (!memo) return NULL;
    *memo = (struct memo){.task = task, .best = best, .next = s->memos};
    s->memos = memo;
    return best;
}

/* n without its factors 2, 3, 5 and 7, if there are steps of all these: whatever others are taken
 * first, none of these is left. */
static int64_t without_small(const struct search *s, int64_t n)
{
    static const int small[] = {3, 5, 7};
    const bool *step = s->limits->step;
    if (!step[2] || !step[3] || !step[5] || !step[7]) return n;
    n >>= __builtin_ctzll((uint64_t)n);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        while (n % small[i] == 0)
            n /= small[i];
    }
    return n;
}

bool search_smooth(const struct search *s, int64_t n)
{
    const int64_t whole = n;
    n = without_small(s, n);
    if (n == 1) return true;
    n = whole;
    for (int radix = LIMITS_MAX_RADIX; radix >= 2 && n > 1; radix--) {
        if (!s->limits->step[radix]) continue;
        while (n % radix == 0)
            n /= radix;
    }
    return n == 1 || (n <= LIMITS_MAX_RADIX && s->limits->last[n]);
}

/* Of a problem of one axis. */
static bool is_plain_line(const struct search *s, enum line_role role)
{
    const struct problem *p = s->problem;
    const struct dim *line = &p->axis[0];
    if (s->limits->vector_bytes == 0 || role != LINE_WHOLE || p->axes != 1) return false;
    if (line->in_stride != 1 || line->out_stride != 1) return false;
    return p->operation == WEFT_TRANSFORM && problem_is_plain(p) && !problem_has_ranges(p);
}

/* As resampled_suits(), of one axis and of pairs alone. */
bool search_opens(const struct search *s, enum line_role role)
{
    return s->problem->kind == WEFT_C2C && is_plain_line(s, role);
}

bool search_pairs_line(const struct search *s, int64_t n, enum line_role role)
{
    const struct problem *p = s->problem;
    const int64_t whole = p->axis[0].n, second = s->limits->cache_bytes[1];
    if (!is_plain_line(s, role)) return false;
    if (p->kind == WEFT_C2C && n == whole) return true;
    if (p->kind != WEFT_C2C && 2 * n != whole) return false;
    const int64_t most = kind_is_trigonometric(p->kind) ? second / 4 * 3 : second;
    return n <= most / 2 / precision_bytes(p->precision);
}

/* In place: of some dozens, which come in a few ascending runs. */
static void sort_divisors(int64_t *divisor, int count)
{
    for (int i = 1; i < count; i++) {
        const int64_t value = divisor[i];
        int at = i;
        for (; at > 0 && divisor[at - 1] > value; at--)
            divisor[at] = divisor[at - 1];
        divisor[at] = value;
    }
}

int64_t *search_divisors(struct search *s, int64_t n, int64_t most, int *count)
{
    struct factors factors = factor(n);
    size_t all = 1;
    for (int i = 0, run = 1; i < factors.count; i++, run++) {
        bool ends = i + 1 == factors.count || factors.prime[i + 1] != factors.prime[i];
        if (!ends) continue;
        all *= (size_t)run + 1;
        run = 0;
    }
    int64_t *divisor = arena_array(s->arena, all, sizeof *divisor);
    if (!divisor) return NULL;
    int have = 1, fresh = 0; /* divisors from `fresh` on do not hold this prime so often yet */
    divisor[0] = 1;
    for (int i = 0; i < factors.count; i++) {
        bool again = i > 0 && factors.prime[i] == factors.prime[i - 1];
        int first = again ? fresh : 0, last = have;
        fresh = have;
        for (int j = first; j < last; j++) {
            if (divisor[j] <= most / factors.prime[i]) {
                divisor[have++] = divisor[j] * factors.prime[i];
            }
        }
    }
    sort_divisors(divisor, have);
    *count = have;
    return divisor;
}
