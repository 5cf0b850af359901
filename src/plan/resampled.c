/* Any length through two transforms of a smooth one that is hardly longer, of the even and of the
 * odd numbers among which those of the line are interpolated (math/window.h), between two sweeps,
 * where Bluestein's algorithm takes four of that length. */
#include "plan/resampled.h"

#include <math.h>

#include "base/checked.h"
#include "math/factor.h"
#include "math/window.h"
#include "plan/algorithm.h"
#include "plan/lengths.h"
#include "plan/swept.h"
#include "spec/lone_sums.h"

/* Lengths that have steps are quicker by them if their primes are smaller than this, or, where
 * reals are made pairs by sweeps, than that. (Experiment "large factors" in docs/experiments.) */
#define LEAST_PRIME      29
#define LEAST_REAL_PRIME 41

/* Of n. */
#define LEAST_SHARE (1 - 1.0 / 43)
#define MOST_SHARE  (1 + 1.0 / 16)

bool resampled_suits(const struct problem *p, const struct limits *limits)
{
    if (limits->vector_bytes == 0 || p->precision == WEFT_DD) return false;
    return p->operation == WEFT_TRANSFORM && problem_is_plain(p) && !problem_has_ranges(p);
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

/* Columns, and splits of lines that the second level has no room for, have full vectors in any
 * step. */
static bool are_quicker_by_steps(const struct search *s, const struct task *task)
{
    const int64_t least = s->problem->kind == WEFT_C2C ? LEAST_PRIME : LEAST_REAL_PRIME;
    const double lines = 2.0 * (double)task->n * s->machine.element_bytes;
    return task->apart || lines > (double)s->limits->cache_bytes[1] ||
           largest_prime_factor(task->n) < least;
}

static bool is_alone(const struct search *s, const struct task *task)
{
    return s->problem->kind == WEFT_C2C && !task->apart;
}

static bool serves(const struct search *s, const struct task *task)
{
    if (s->both_ways || task->role != LINE_WHOLE || !plan_resamples(task->n, task->n)) return false;
    if (!resampled_suits(s->problem, s->limits)) return false;
    if (search_smooth(s, task->n) && are_quicker_by_steps(s, task)) return false;
    /* They are quicker by less than what the price of resampled lines is known to. (Experiment
     * "prices of sums" in docs/experiments.) */
    return !is_alone(s, task) || !lone_sums(task->n, s->limits, s->problem->precision);
}

/* What lengths_smooth() makes lengths of. */
#define SMOOTH_FACTORS 2 * 3 * 5 * 7

bool resampled_is_quicker(const struct search *s, const struct task *task)
{
    return is_alone(s, task) && !cost_leaves_caches(&s->machine, 2 * task->n) &&
           search_smooth(s, SMOOTH_FACTORS) && serves(s, task);
}

void resampled_propose(struct search *s, const struct task *task, struct candidates *list)
{
    int64_t length[2 * LENGTHS_MOST];
    if (!serves(s, task)) return;
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
#define TAP_SECONDS    0.036e-9 /* of each element's taps */
#define POWER_SECONDS  0.003e-9 /* of each of a tap's, where weights are not kept */
#define HALF_SINGLES   0.85     /* ... two vectors of half of that, of singles */
#define ENDS_SECONDS   25e-9    /* of the line: calls, and its ends */
#define STREAMED       2        /* how many times quicker memory is that is read in one run */
#define FAR_WEIGHTS    1.4      /* how many times as long those take in memory as the lines */
#define KEPT           0.56     /* of the third level, from one execution to the next */
#define LONE_SPREAD     0.35    /* the share of pairs' that a line of reals by itself takes, */
#define LONE_SUM        0.65
#define LONE_MOVED      0.5
#define UNFOLD_SECONDS  0.2e-9  /* ... and to unfold it, of each element */
#define BESIDE         0.2      /* the share of the shorter one of computing and moving */

/* Where what an execution touches is found again. */
static int level_of(const struct limits *limits, double touched)
{
    const int level = cost_level(limits, touched);
    const bool kept = touched <= KEPT * (double)limits->cache_bytes[LIMITS_CACHES - 1];
    return level == LIMITS_CACHES - 1 && !kept ? LIMITS_CACHES : level;
}

/* Of elements of 8 bytes; `making`: of each tap's weights. */
static double element_seconds(const struct pass *pass, int taps, double making)
{
    const double sums = SUM_SECONDS + taps * (TAP_SECONDS + making);
    if (pass->body == PASS_SPREAD) return (pass->lone ? LONE_SPREAD : 1) * SPREAD_SECONDS;
    return pass->lone ? LONE_SUM * sums + UNFOLD_SECONDS : sums;
}

/* That take as long. */
static double vectors_in_line(const struct cost_machine *machine)
{
    const double vectors = (double)WINDOW_BLOCK_BYTES / machine->limits->vector_bytes;
    return vectors == 2 && machine->precision == WEFT_F32 ? HALF_SINGLES * vectors : vectors;
}

double cost_resampling(const struct cost_machine *machine, const struct pass *pass,
                       int from_level, int to_level)
{
    const double bytes = (double)pass->line.n * machine->element_bytes;
    const struct window window =
        window_make(pass->line.n, pass->length, machine->element_bytes / 2);
    const bool spreads = pass->body == PASS_SPREAD;
    const bool made = window_has_cells(&window, machine->limits->cache_bytes[LIMITS_CACHES - 1]);
    const int taps = 2 * window.taps;
    const double weights = made ? 0 : taps / 4.0;
    /* Both ends, and weights, of half of the line; an execution touches those of both passes. */
    const int alone = level_of(machine->limits, bytes * (5.5 + weights));
    const int lines = spreads ? to_level : from_level, level = lines > alone ? lines : alone;
    const bool far = level == LIMITS_CACHES;
    const double moved = (pass->lone ? LONE_MOVED : 1) * bytes *
                         (3 + (spreads ? 1.5 : weights * (far ? FAR_WEIGHTS : 1)));
    const double quicker = far ? STREAMED : 1;
    const double moving = moved / quicker / cost_bandwidth(machine, level);
    const double vectors = vectors_in_line(machine);
    const double making = made ? window_powers(&window) * POWER_SECONDS : 0;
    const double each = element_seconds(pass, taps, making);
    const double computing = bytes / 8 * vectors / machine->threads * each;
    return (double)pass_lines(pass) *
           (ENDS_SECONDS + fmax(moving, computing) + BESIDE * fmin(moving, computing));
}

/* ---- lowering ---- */

/* Of either end of a line, where a device keeps them beyond the other one. */
static int64_t wrapped_elements(const struct lowering *l)
{
    return WINDOW_BLOCK_BYTES / precision_bytes(l->program->problem.precision);
}

/* What lines take up there, in numbers. */
struct resampled_place {
    int64_t before; /* from a line's place to its first one of the two lines */
    int64_t apart;  /* from that to the other one */
    int64_t line;   /* from a line's place to the next one's */
};

/* A line of reals by itself is one there, and then half a spectrum by parity. */
static struct resampled_place place_lines(const struct lowering *l, int64_t h, bool lone)
{
    const int64_t wrapped = wrapped_elements(l), apart = lowering_pitch(l, h + 2 * wrapped);
    const int64_t other = lone ? 2 * window_half_pitch(h, wrapped) : h;
    return (struct resampled_place){.before = wrapped,
                                    .apart = apart,
                                    .line = lowering_pitch(l, apart + other + 2 * wrapped)};
}

/* An end of the lines there, behind `left` numbers that are there already. */
static void place_end(const struct lowering *l, struct lines *lines, bool out,
                      const struct resampled_place *place, int64_t left)
{
    int64_t stride = place->line;
    *(out ? &lines->to : &lines->from) = lowering_work(l);
    *(out ? &lines->real_out : &lines->real_in) = false;
    *(out ? &lines->half_out : &lines->half_in) = PASS_NO_HALF;
    lines_place_whole(lines, out);
    lines->first.offset[out] = left + place->before;
    for (int i = 0; i < lines->loops; i++) {
        *(out ? &lines->loop[i].out_stride : &lines->loop[i].in_stride) = stride;
        stride *= lines->loop[i].n;
    }
}

static int64_t count_lines(struct lowering *l, const struct lines *lines)
{
    int64_t count = 1;
    for (int i = 0; i < lines->loops; i++) {
        if (!checked_multiply(count, lines->loop[i].n, &count)) l->failed = true;
    }
    return count;
}

static bool is_there(const struct lowering *l, const struct lines *lines)
{
    const enum pass_place work = lowering_work(l);
    return lines->from == work || lines->to == work;
}

/* Up to the end of the lines at an end of them. */
static int64_t count_up_to(const struct lines *lines, bool out)
{
    int64_t last = lines->first.offset[out] + lines->line.n;
    for (int i = 0; i < lines->loops; i++) {
        const struct dim *loop = &lines->loop[i];
        last += (loop->n - 1) * (out ? loop->out_stride : loop->in_stride);
    }
    return last;
}

/* The lines themselves, if they are there, come first. */
static int64_t count_left(const struct lowering *l, const struct lines *lines)
{
    const enum pass_place work = lowering_work(l);
    const int64_t in = lines->from == work ? count_up_to(lines, false) : 0;
    const int64_t out = lines->to == work ? count_up_to(lines, true) : 0;
    const int64_t left = in > out ? in : out;
    return left > 0 ? lowering_pitch(l, left) : 0;
}

/* Whether nothing but pairs that follow one another is at the end: reals of rows that begin at any
 * real are no pairs. */
static bool are_pairs(const struct lines *lines, bool out)
{
    const bool real = out ? lines->real_out : lines->real_in;
    const enum pass_half half = out ? lines->half_out : lines->half_in;
    const int64_t stride = out ? lines->line.out_stride : lines->line.in_stride;
    return !real && half == PASS_NO_HALF && !lines->reals[out].parts && stride == 1;
}

/* From where the lines are to where they go, by way of what is there. */
static void lower_between(struct lowering *l, const struct plan_node *node,
                          const struct lines *lines, bool lone)
{
    const int64_t h = node->child[0]->n, count = count_lines(l, lines);
    const struct resampled_place place = place_lines(l, h, lone);
    const int64_t left = count_left(l, lines);
    int64_t all = 0;
    if (!checked_multiply(count, place.line, &all)) l->failed = true;
    if (l->failed) return;
    int64_t *elements = lowering_work_elements(l);
    if (left + all > *elements) *elements = left + all;

    struct lines spread = *lines, both = *lines, sum = *lines;
    place_end(l, &spread, true, &place, left);
    lowering_sweep(l, &spread, PASS_SPREAD, h, place.apart);
    place_end(l, &both, false, &place, left);
    place_end(l, &both, true, &place, left);
    both.line = (struct dim){h, 1, 1};
    both.lone = false;
    if (!lone) lines_prepend(l, &both, (struct dim){2, place.apart, place.apart});
    algorithm_lower(l, node->child[0], &both);
    place_end(l, &sum, false, &place, left);
    lowering_sweep(l, &sum, PASS_RESAMPLE, h, place.apart);
}

void resampled_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    const bool pairs = are_pairs(lines, false) && are_pairs(lines, true);
    if (!pairs && !is_there(l, lines)) {
        swept_lower(l, node, lines, lines->pair);
        return;
    }
    if (!pairs && lines->from != lowering_work(l)) {
        const struct lines numbers = swept_gather(l, node, lines);
        lower_between(l, node, &numbers, false);
        return;
    }
    if (!pairs) l->failed = true;
    lower_between(l, node, lines, false);
}

bool resampled_halves(const struct plan_node *node)
{
    return node->kind == PLAN_RESAMPLED && node->child[0]->n % 2 == 0;
}

bool resampled_takes_reals(const struct lowering *l, const struct plan_node *node,
                           const struct lines *lines)
{
    return resampled_halves(node) && lines->line.in_stride == 1 && lines->line.out_stride == 1 &&
           !is_there(l, lines);
}

void resampled_lower_reals(struct lowering *l, const struct plan_node *node,
                           const struct lines *lines)
{
    lower_between(l, node, lines, true);
}

void resampled_lower_reflected(struct lowering *l, const struct plan_node *node,
                               const struct lines *lines)
{
    struct lines numbers = swept_gather(l, node, lines);
    const bool forward = !reals_turn(&lines->reals[0]);
    numbers.lone = true;
    if (forward) numbers.half_out = PASS_HALF_CUT;
    else numbers.half_in = PASS_HALF_EXTEND;
    lower_between(l, node, &numbers, true);
    numbers.half_out = PASS_NO_HALF;
    const struct lines scatter = swept_from_work(&numbers, lines, lines->line.n);
    lowering_copy(l, &scatter);
}
