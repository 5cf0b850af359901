/* One line in one block: Stockham steps in fast memory (Stockham 1966; Lloyd 4.1). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/algorithm.h"
#include "plan/cost_pass.h"
#include "plan/cost_sums.h"
#include "plan/tile.h"
#include "plan/trigonometric.h"
#include "spec/block_tile.h"
#include "spec/lone_lines.h"
#include "spec/lone_sums.h"

bool search_fits_block(const struct search *s, int64_t n)
{
    if (s->limits->vector_bytes == 0) return block_tile_fits(s->limits, s->problem->precision, n);
    return tile_lines(s->limits, s->problem->precision, n) > 0;
}

/* Whether the CPU takes it in steps between pairs, whatever a block's radices. */
static bool has_pair_steps(const struct search *s, int64_t n, enum line_role role)
{
    return search_pairs_line(s, n, role) &&
           pair_steps_of(s->limits, s->problem->precision, n, 1).count > 0;
}

bool search_fits_line(const struct search *s, int64_t n, enum line_role role)
{
    return search_fits_block(s, n) || has_pair_steps(s, n, role);
}

/* How radices may be chosen. */
struct choice {
    int first; /* the first step's; 0: any */
    int most;  /* none is larger */
    bool early; /* none is late where steps are few (struct limits) */
    double stall; /* seconds that every step takes beside its cost */
    int64_t lanes; /* butterflies are done so many at once, and the last ones of a step take as long
                    * as so many; 0: any number is */
};

/* The cheapest steps that lead to a product of radices. */
struct state {
    double seconds; /* of the steps so far; INFINITY: not reached */
    int radix;      /* of the last of them */
};

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int index_of(const int64_t *divisor, int count, int64_t value)
{
    const int64_t *found = bsearch(&value, divisor, (size_t)count, sizeof *divisor, compare);
    return (int)(found - divisor);
}

/* How many times longer a step takes whose butterflies do not come out even. */
static double unevenness(const struct choice *choice, int64_t butterflies)
{
    if (choice->lanes == 0) return 1;
    int64_t rounds = (butterflies + choice->lanes - 1) / choice->lanes;
    return (double)(rounds * choice->lanes) / (double)butterflies;
}

/* Seconds of an element of 8 bytes: for the legs that a butterfly has beyond CLOSE_LEGS, over
 * CLOSE_LEGS, ... */
#define CLOSE_LEGS  8
#define FAR_SECONDS 0.04e-9
/* ... for each leg that also is multiplied by a split's twiddle, ... */
#define TWIDDLED_SECONDS 0.005e-9
/* ... for more than FACTORED_LEGS of them, far from the caches, ... (Experiment "rows ahead".) */
#define FACTORED_LEGS    12
#define FACTORED_SECONDS 0.25e-9
/* ... and over the legs that are written. (Experiment "legs" in docs/experiments.) */
#define FEW_SECONDS 0.08e-9

/* From this share of what there is of the third level on a split's columns are written past the
 * caches, by any legs alike; so many seconds stand in place of FAR_SECONDS there, if legs are pages
 * apart. (Experiment "scratch sooner".) */
#define STREAMED_SHARE   4.4
#define STREAMED_SECONDS 0.4e-9

/* Those of reals are parted on the way, and other vectors than whole lines stay in the caches. */
static bool streams_columns(const struct search *s, const struct task *task)
{
    if (task->role != LINE_COLUMNS || s->problem->kind != WEFT_C2C) return false;
    if (s->limits->vector_bytes < s->limits->coalescing_bytes) return false;
    const double bytes = (double)problem_elements(s->problem) * s->machine.element_bytes;
    return STREAMED_SHARE * bytes > (double)s->limits->cache_bytes[2];
}

static double first_legs(const struct search *s, const struct task *task, int radix)
{
    const bool pages = task->stride * s->machine.element_bytes % COST_PAGE_BYTES == 0;
    const double seconds = streams_columns(s, task) && pages ? STREAMED_SECONDS : FAR_SECONDS;
    return radix > CLOSE_LEGS ? seconds * (radix - CLOSE_LEGS) / CLOSE_LEGS : 0;
}

/* What the ends of a CPU's tile of columns add to its first and last step. Elements of columns are
 * far apart, by powers of two so that few fit a cache side by side: the first butterfly does better
 * to read few at once. */
static double legs_seconds(const struct search *s, const struct task *task, int radix,
                           int64_t before)
{
    const int64_t *cache = s->limits->cache_bytes;
    const double bytes = (double)problem_elements(s->problem) * s->machine.element_bytes;
    const bool split = task->role == LINE_COLUMNS, first = before == 1;
    if (s->limits->vector_bytes == 0 || task->columns <= 1 || radix == task->n) return 0;
    if ((!split && task->role != LINE_WHOLE) || bytes <= (double)cache[1]) return 0;
    const bool last = before * radix == task->n, far = !split || 3 * bytes > (double)cache[2] / 2;
    double seconds = first && far ? first_legs(s, task, radix) : 0;
    if (last && streams_columns(s, task)) return 0;
    if (last && split && far && radix > FACTORED_LEGS) seconds += FACTORED_SECONDS;
    if (last) seconds += split ? TWIDDLED_SECONDS * radix : FEW_SECONDS / radix;
    return seconds * (double)task->n * s->machine.element_bytes / 8;
}

/* What the legs take of a split's columns, which are read, or of its rows, which are written, with
 * elements far apart. */
static double across_seconds(const struct search *s, const struct task *task, int radix, bool last)
{
    const bool columns = task->role == LINE_COLUMNS, whole = task->role == LINE_WHOLE;
    if (s->limits->vector_bytes == 0) return 0;
    if (whole && last && task->written > 1)
        return cost_across(&s->machine, task->n, radix, task->written, true);
    if (task->stride <= 1) return 0;
    if (!columns && (task->role != LINE_ROWS || !last)) return 0;
    if (columns && last) {
        if (streams_columns(s, task)) return 0;
        return cost_tile_legs(&s->machine, task->n, radix, task->columns, false);
    }
    if (task->reflected) return cost_tile_legs(&s->machine, task->n, radix, task->columns, true);
    return cost_across(&s->machine, task->n, radix, task->stride, last);
}

/* What the first and the last step of a line take more. */
static double ends_seconds(const struct search *s, const struct task *task, int radix,
                           int64_t before)
{
    const bool first = before == 1, last = before * radix == task->n;
    if (first == last) return 0;
    if (task->columns > 1) return across_seconds(s, task, radix, last);
    if (task->role != LINE_WHOLE) return 0;
    return cost_end(&s->machine, task->n, radix, last);
}

/* Columns of reals that go there and back are gathered by themselves where the first step cannot.
 * (Experiment "first steps of reals" in docs/experiments.) */
static double reflected_seconds(const struct search *s, const struct task *task, int radix)
{
    const weft_kind kind = s->kind;
    const bool reflected = kind == WEFT_DCT1 || kind == WEFT_DST1 || kind == WEFT_DCT2 ||
                           kind == WEFT_DST2;
    if (!reflected || task->columns <= 1 || s->limits->reflected[radix]) return 0;
    return s->limits->vector_bytes > 0 ? cost_carrying(&s->machine, task->n) : 0;
}

/* Whether a line may take the radix for its next step. */
static bool takes_radix(const struct search *s, const struct task *task, int radix, int64_t rest,
                        bool first)
{
    const struct limits *limits = s->limits;
    if (limits->step[radix] || (radix == rest && limits->last[radix])) return true;
    return first && radix < rest && limits->opens[radix] && task->columns == 1 &&
           search_opens(s, task->role);
}

/* Extends the steps that lead to divisor[from] by one step of every radix there is. */
static void extend(const struct search *s, const struct task *task, const struct choice *choice,
                   const struct cost_line *line, const int64_t *divisor, int count,
                   struct state *state, int from)
{
    int64_t before = divisor[from], rest = task->n / before;
    bool forced = before == 1 && choice->first > 0;
    int to = from; /* goes up with the radix */
    for (int i = 1; i < count && divisor[i] <= choice->most && divisor[i] <= rest; i++) {
        const int radix = (int)divisor[i];
        if (!takes_radix(s, task, radix, rest, before == 1)) continue;
        if (forced && radix != choice->first) continue;
        if (choice->early && s->limits->late[radix]) continue;
        if (rest % radix != 0) continue;
        while (divisor[to] < before * radix)
            to++;
        if (state[from].seconds + line->moved >= state[to].seconds) continue; /* at least that */
        double step = cost_line_step(line, radix, before) * unevenness(choice, task->n / radix);
        double seconds = state[from].seconds + choice->stall + step +
                         legs_seconds(s, task, radix, before) +
                         ends_seconds(s, task, radix, before) +
                         (before == 1 ? reflected_seconds(s, task, radix) : 0);
        if (seconds < state[to].seconds) state[to] = (struct state){seconds, radix};
    }
}

/* Reads the radices off, from the last step to the first. */
static struct plan_node *collect(struct search *s, const int64_t *divisor, int count,
                                 const struct state *state)
{
    struct plan_node *node = search_node(s, PLAN_BLOCK, divisor[count - 1]);
    if (!node) return NULL;
    node->seconds = state[count - 1].seconds;
    int at = count - 1;
    while (at > 0 && node->radices < PLAN_MAX_RADICES) {
        int radix = state[at].radix;
        memmove(node->radix + 1, node->radix, (size_t)node->radices * sizeof *node->radix);
        node->radix[0] = radix;
        node->radices++;
        at = index_of(divisor, count, divisor[at] / radix);
    }
    return at > 0 ? NULL : node;
}

/* Whether the CPU takes such lines in steps between pairs, if there are any. */
static bool is_of_pairs(const struct search *s, const struct task *task)
{
    return s->limits->vector_bytes > 0 && task->columns == 1 && search_opens(s, task->role);
}

/* What is made of another line comes two at a time (device/cpu/resample.h). */
static int64_t lines_of(const struct search *s, int64_t n)
{
    const int64_t whole = s->problem->axis[0].n;
    return n == whole ? problem_elements(s->problem) / n : 2;
}

/* The cheapest radices by dynamic programming over the divisors of n: a step's cost depends on the
 * product of those before it, not on which they were. */
static struct plan_node *best_block(struct search *s, const struct task *task,
                                    const struct choice *choice)
{
    int count;
    int64_t *divisor = search_divisors(s, task->n, task->n, &count);
    struct state *state = divisor ? arena_array(s->arena, (size_t)count, sizeof *state) : NULL;
    if (!state) return NULL;
    for (int i = 1; i < count; i++)
        state[i].seconds = INFINITY;
    struct cost_line line =
        cost_line(&s->machine, task->n, task->columns, task->role == LINE_BLOCK);
    line.kept = line.convolved || task->kept;
    for (int i = 0; i < count; i++) {
        if (isfinite(state[i].seconds)) extend(s, task, choice, &line, divisor, count, state, i);
    }
    if (!isfinite(state[count - 1].seconds)) return NULL;
    if (is_of_pairs(s, task)) {
        const int64_t lines = lines_of(s, task->n);
        const struct pair_steps steps =
            pair_steps_of(s->limits, s->problem->precision, task->n, lines);
        const double bytes = (double)lines * (double)task->n * s->machine.element_bytes;
        const double pairs = cost_pairs(&s->machine, &steps, task->n, bytes);
        if (steps.count) state[count - 1].seconds = fmin(state[count - 1].seconds, pairs);
    }
    return collect(s, divisor, count, state);
}

/* One butterfly from place to place: worth a try even where its lanes are few. */
static struct plan_node *whole_block(struct search *s, const struct task *task)
{
    if (task->n > LIMITS_MAX_RADIX) return NULL;
    if (!s->limits->last[task->n]) return NULL;
    struct plan_node *node = search_node(s, PLAN_BLOCK, task->n);
    if (!node) return NULL;
    node->radices = 1;
    node->radix[0] = (int)task->n;
    const bool sums = task->columns == 1 && task->role == LINE_WHOLE && !task->apart &&
                      s->problem->format == WEFT_INTERLEAVED &&
                      cost_sums_serve(&s->machine, task->n);
    node->seconds = sums ? lone_sums_seconds(task->n, s->limits, s->machine.precision)
                         : cost_step(&s->machine, task->n, (int)task->n, 1, task->columns);
    return node;
}

/* Trees that the model may be wrong about. */
static void propose_others(struct search *s, const struct task *task, struct candidates *list)
{
    static const int ceilings[] = {8, 16};
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        struct choice choice = {.most = ceilings[i]};
        search_add(list, best_block(s, task, &choice));
    }
    for (int first = 2; first <= LIMITS_MAX_RADIX; first++) {
        if (!s->limits->step[first] || task->n % first != 0) continue;
        struct choice choice = {.first = first, .most = LIMITS_MAX_RADIX};
        search_add(list, best_block(s, task, &choice));
    }
}

/* Steps are made even for the butterflies of these radices. */
#define LEAST_EVEN 7
#define MOST_EVEN  25

/* The share of the time of memory that a step of a block with nobody beside it adds. */
#define LONE_STALL 0.09

/* The same steps the other way round. */
static void propose_turned(struct search *s, const struct plan_node *node, struct candidates *list)
{
    if (!node || node->radices < 2 || node->radix[0] <= node->radix[node->radices - 1]) return;
    struct plan_node *turned = search_node(s, PLAN_BLOCK, node->n);
    if (!turned) return;
    *turned = *node;
    for (int i = 0; i < node->radices; i++)
        turned->radix[i] = node->radix[node->radices - 1 - i];
    search_add(list, turned);
}

static void propose_tile(struct search *s, const struct task *task, struct choice choice,
                         struct candidates *list)
{
    enum cost_ends ends = task->role == LINE_COLUMNS ? COST_COLUMNS
                          : task->role == LINE_ROWS  ? COST_TURNED
                                                     : COST_ROWS;
    for (int early = 0; early < 2; early++) {
        choice.early = early;
        struct plan_node *node = best_block(s, task, &choice);
        if (node) node->seconds = cost_tile(&s->machine, node, ends);
        search_add(list, node);
        /* The first step folds half a spectrum best if its radix is the smallest. */
        if (task->role == LINE_WHOLE && s->problem->kind != WEFT_C2C)
            propose_turned(s, node, list);
    }
}

/* On a GPU larger radices mean fewer steps and fewer blocks at once, and a block's threads should
 * all have work in every step: the best of each size is judged as a pass would be. */
static void propose_tiles(struct search *s, const struct task *task, struct candidates *list)
{
    static const struct {
        int most;
        bool lone;
    } ceilings[] = {{8, false}, {10, false}, {16, false}, {32, false}, {32, true}};
    const double lone = LONE_STALL * cost_memory(&s->machine, task->n);
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        struct choice choice = {.most = ceilings[i].most, .stall = ceilings[i].lone ? lone : 0};
        propose_tile(s, task, choice, list);
    }
    for (int radix = LEAST_EVEN; radix <= MOST_EVEN; radix++) {
        if (task->n % radix != 0 || task->n == radix) continue;
        struct choice choice = {.most = LIMITS_MAX_RADIX, .lanes = task->n / radix};
        propose_tile(s, task, choice, list);
    }
}

static void turn(struct plan_node *node)
{
    const int last = node->radices - 1, first = node->radix[0];
    memmove(node->radix, node->radix + 1, (size_t)last * sizeof first);
    node->radix[last] = first;
}

/* Turns the radices round until a cluster can deal them out: with mirrors for the longest runs, and
 * with the smallest radix at that end, for a thread has two of its butterflies. False: they cannot
 * be. */
static bool arrange(struct plan_node *node, int cluster, enum plan_mirrors mirrors)
{
    struct plan_node best = {.radices = 0};
    int64_t longest = 0;
    for (int i = 0; i < node->radices && (longest == 0 || mirrors != PLAN_NO_MIRRORS); i++) {
        const int64_t run = plan_cluster_run(node->radices, node->radix, cluster, mirrors);
        const int end = mirrors == PLAN_ROW_MIRRORS ? node->radices - 1 : 0;
        if (run > longest || (longest > 0 && run == longest && node->radix[end] < best.radix[end]))
            best = *node;
        longest = run > longest ? run : longest;
        turn(node);
    }
    if (longest > 0) *node = best;
    return longest > 0;
}

/* Whether lines of that kind are unfolded, or folded, by some pass that has them whole. */
static bool wants_mirrors(const struct search *s, enum plan_mirrors mirrors)
{
    const weft_kind kind = s->kind;
    if (mirrors == PLAN_ROW_MIRRORS) return kind != WEFT_C2C && kind != WEFT_C2R;
    return kind == WEFT_C2R || trigonometric_has_two_ways(s) || (kind == WEFT_R2C && s->both_ways);
}

/* The steps as a cluster may deal them out. False: it cannot. */
static bool propose_arranged(struct search *s, const struct plan_node *steps, int cluster,
                             enum plan_mirrors mirrors, struct candidates *list)
{
    struct plan_node *node = search_node(s, PLAN_BLOCK, steps->n);
    if (!node) return false;
    *node = *steps;
    if (!arrange(node, cluster, mirrors)) return false;
    node->cluster = cluster;
    node->seconds = cost_tile(&s->machine, node, COST_ROWS);
    search_add(list, node);
    return true;
}

/* A line of which a block of a cluster holds its share. */
static void propose_cluster(struct search *s, const struct task *task, int cluster,
                            struct candidates *list)
{
    const double lone = LONE_STALL * cost_memory(&s->machine, task->n);
    const struct choice choices[] = {{.most = 16},
                                     {.most = LIMITS_MAX_RADIX},
                                     {.most = LIMITS_MAX_RADIX, .stall = lone},
                                     {.most = LIMITS_MAX_RADIX, .first = 32}};
    if (task->n % cluster != 0 || !search_fits_block(s, task->n / cluster)) return;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const struct plan_node *steps = best_block(s, task, &choices[i]);
        bool mirrors = false;
        for (int m = PLAN_COLUMN_MIRRORS; steps && m <= PLAN_ROW_MIRRORS; m++)
            mirrors |= wants_mirrors(s, m) && propose_arranged(s, steps, cluster, m, list);
        if (steps && !mirrors) propose_arranged(s, steps, cluster, PLAN_NO_MIRRORS, list);
    }
}

static void propose_clusters(struct search *s, const struct task *task, struct candidates *list)
{
    const int most = s->limits->vector_bytes == 0 ? s->limits->cluster : 0;
    if (task->role != LINE_WHOLE || !search_smooth(s, task->n)) return;
    /* Several blocks side by side do better than one that is each of them. */
    if (2 * task->n * s->machine.element_bytes <= s->limits->shared_bytes) return;
    for (int cluster = 2; cluster <= most; cluster++)
        propose_cluster(s, task, cluster, list);
}

/* Whether there are steps for what a prime leaves that a line may begin with. */
static bool smooth_behind_first(const struct search *s, const struct task *task)
{
    if (task->columns > 1 || !search_opens(s, task->role)) return false;
    for (int radix = LIMITS_MAX_RADIX; radix > 1; radix--) {
        if (!s->limits->opens[radix] || s->limits->step[radix] || task->n % radix != 0) continue;
        return task->n > radix && search_smooth(s, task->n / radix);
    }
    return false;
}

/* Lines beside each other that are taken by themselves. */
static void propose_laid(struct search *s, const struct task *task, struct candidates *list)
{
    const struct choice any = {.most = LIMITS_MAX_RADIX};
    struct task alone = *task;
    alone.columns = 1;
    if (task->columns == 1 || !long_lines(s->limits, s->problem->precision, task->n)) return;
    search_add(list, best_block(s, &alone, &any));
}

/* Trees of other radices would be one and the same, and leave no room for splits, which short lines
 * need not have. */
static bool leaves_radices_aside(const struct search *s, const struct task *task)
{
    return !tile_is_near(s->limits, s->problem->precision, task->n) &&
           has_pair_steps(s, task->n, task->role);
}

void block_propose(struct search *s, const struct task *task, struct candidates *list)
{
    propose_clusters(s, task, list);
    if (!search_fits_line(s, task->n, task->role)) return;
    if (!search_smooth(s, task->n) && !smooth_behind_first(s, task)) return;
    struct choice any = {.most = LIMITS_MAX_RADIX};
    if (s->limits->vector_bytes == 0) propose_tiles(s, task, list);
    else search_add(list, best_block(s, task, &any));
    if (task->role != LINE_WHOLE) return;
    search_add(list, whole_block(s, task));
    propose_laid(s, task, list);
    if (s->broad && !leaves_radices_aside(s, task)) propose_others(s, task, list);
}

void block_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = PASS_TRANSFORM;
    pass->length = node->n;
    pass_set_radices(pass, node);
    lowering_finish(l, pass);
}
