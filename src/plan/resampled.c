/* Any length through two transforms of a smooth one that is hardly longer, of the even and of the
 * odd numbers among which those of the line are interpolated (math/window.h), between two sweeps,
 * where Bluestein's algorithm takes four of that length. */
#include "plan/resampled.h"

#include <math.h>

#include "math/window.h"
#include "plan/algorithm.h"
#include "plan/lengths.h"

/* Of n. */
#define LEAST_SHARE (1 - 1.0 / 43)
#define MOST_SHARE  (1 + 1.0 / 16)

bool resampled_suits(const struct problem *p, const struct limits *limits)
{
    const struct dim *line = &p->axis[0];
    if (limits->vector_bytes == 0 || p->precision == WEFT_DD) return false;
    if (p->format != WEFT_INTERLEAVED || p->operation != WEFT_TRANSFORM) return false;
    if (p->axes != 1 || p->loops > 0 || line->in_stride != 1 || line->out_stride != 1) return false;
    for (int out = 0; out < 2; out++) {
        if (p->side[out].storage || p->side[out].texels.format) return false;
    }
    return p->hooks.dims == 0 && !problem_has_ranges(p);
}

/* The lightest lengths, and where weights leave the third level the lightest of those so near
 * that they need not be kept. */
static int lengths_among(const struct search *s, int64_t n, int64_t length[2 * LENGTHS_MOST])
{
    const int count = lengths_smooth((double)n * LEAST_SHARE, MOST_SHARE / LEAST_SHARE, length);
    const struct window near = window_make(n, n, precision_bytes(s->problem->precision));
    if (!window_has_cells(&near, s->limits->cache_bytes[LIMITS_CACHES - 1])) return count;
    const double most = window_cells_excess(&near);
    return count + lengths_smooth((double)n / most, most * most, length + count);
}

void resampled_propose(struct search *s, const struct task *task, struct candidates *list)
{
    int64_t length[2 * LENGTHS_MOST];
    if (s->both_ways || task->role != LINE_WHOLE || !resampled_suits(s->problem, s->limits)) return;
    if (search_smooth(s, task->n)) return;
    const int count = lengths_among(s, task->n, length);
    for (int i = 0; i < count; i++) {
        if (!plan_resamples(task->n, length[i]) || !search_smooth(s, length[i])) continue;
        const struct task half = {.n = length[i], .columns = 1, .role = LINE_WHOLE};
        const struct plan_node *child = search_best(s, half);
        if (!child || (child->kind != PLAN_BLOCK && child->kind != PLAN_SPLIT)) continue;
        struct plan_node *node = search_node(s, PLAN_RESAMPLED, task->n);
        if (!node) return;
        node->children = 1;
        node->child[0] = child;
        node->seconds = 2 * child->seconds;
        search_add(list, node);
    }
}

/* ---- cost ---- */

/* Of elements of 8 bytes, and vectors of a cache line. (Experiment "resampled" in
 * docs/experiments.) */
#define SPREAD_SECONDS 0.24e-9
#define SUM_SECONDS    0.17e-9  /* of each element, whatever its taps */
#define TAP_SECONDS    0.037e-9 /* of each element's taps */
#define POWER_SECONDS  0.003e-9 /* of each of a tap's, where weights are not kept */
#define ENDS_SECONDS   100e-9   /* of the line: calls, and its ends */
#define STREAMED       2        /* how many times quicker memory is that is read in one run */
#define FAR_WEIGHTS    1.4      /* how many times as long those take in memory as the lines */
#define KEPT           0.56     /* of the third level, from one execution to the next */
#define BESIDE         0.2      /* the share of the shorter one of computing and moving */

/* Where what an execution touches is found again. */
static int level_of(const struct limits *limits, double touched)
{
    const int level = cost_level(limits, touched);
    const bool kept = touched <= KEPT * (double)limits->cache_bytes[LIMITS_CACHES - 1];
    return level == LIMITS_CACHES - 1 && !kept ? LIMITS_CACHES : level;
}

double cost_resampling(const struct cost_machine *machine, const struct pass *pass)
{
    const double bytes = (double)pass->line.n * machine->element_bytes;
    const struct window window =
        window_make(pass->line.n, pass->length, machine->element_bytes / 2);
    const bool spreads = pass->body == PASS_SPREAD;
    const bool made = window_has_cells(&window, machine->limits->cache_bytes[LIMITS_CACHES - 1]);
    const int taps = 2 * window.taps;
    const double weights = made ? 0 : taps / 4.0;
    /* Both ends, and weights, of half of the line; an execution touches those of both passes. */
    const int level = level_of(machine->limits, bytes * (5.5 + weights));
    const bool far = level == LIMITS_CACHES;
    const double moved = bytes * (3 + (spreads ? 1.5 : weights * (far ? FAR_WEIGHTS : 1)));
    const double quicker = far ? STREAMED : 1;
    const double moving = moved / quicker / cost_bandwidth(machine, level);
    const double vectors = (double)WINDOW_BLOCK_BYTES / machine->limits->vector_bytes;
    const double tap = TAP_SECONDS + (made ? window_powers(&window) * POWER_SECONDS : 0);
    const double computing = bytes / 8 * vectors / machine->threads *
                             (spreads ? SPREAD_SECONDS : SUM_SECONDS + taps * tap);
    return ENDS_SECONDS + fmax(moving, computing) + BESIDE * fmin(moving, computing);
}

/* ---- lowering ---- */

static void lower_sweep(struct lowering *l, const struct lines *lines, enum pass_body body,
                        int64_t length, int64_t apart)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = body;
    pass->length = length;
    pass->apart = apart;
    lowering_finish(l, pass);
}

/* Of either end of a line, where a device keeps them beyond the other one. */
static int64_t wrapped_elements(const struct lowering *l)
{
    return WINDOW_BLOCK_BYTES / precision_bytes(l->program->problem.precision);
}

static void lines_place_own(struct lines *lines, bool out, int64_t offset)
{
    lines_place_whole(lines, out);
    lines->first.offset[out] = offset;
}

void resampled_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    const int64_t h = node->child[0]->n, wrapped = wrapped_elements(l);
    const int64_t apart = lowering_pitch(l, h + 2 * wrapped);
    /* The line itself, if it is there, comes first. */
    const bool there = lines->from == PASS_WORK || lines->to == PASS_WORK;
    const int64_t before = wrapped + (there ? lowering_pitch(l, lines->line.n) : 0);
    struct lines both = *lines;
    both.line.n = h;
    lines_prepend(l, &both, (struct dim){2, apart, apart});
    both.from = both.to = PASS_WORK;
    for (int out = 0; out < 2; out++)
        lines_place_own(&both, out, before);
    const int64_t elements = before + apart + h + wrapped;
    if (elements > l->program->work_elements) l->program->work_elements = elements;

    struct lines sweep = *lines;
    sweep.to = PASS_WORK;
    lines_place_own(&sweep, true, before);
    lower_sweep(l, &sweep, PASS_SPREAD, h, apart);
    algorithm_lower(l, node->child[0], &both);
    sweep = *lines;
    sweep.from = PASS_WORK;
    lines_place_own(&sweep, false, before);
    lower_sweep(l, &sweep, PASS_RESAMPLE, h, apart);
}
