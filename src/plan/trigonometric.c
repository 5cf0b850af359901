/* Cosine, sine and Hartley transforms of an axis: one complex transform of half its length, with
 * what comes before in its first pass, and what comes after in its last one or, where results
 * depend on two of its own, in a sweep. Of odd lengths it has the whole length, of type I one less
 * or more. (plan/shape.h) */
#include <string.h>

#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/draft.h"
#include "plan/halves.h"
#include "plan/odd.h"
#include "plan/resampled.h"
#include "plan/shape.h"
#include "plan/swept.h"
#include "plan/trigonometric.h"
#include "plan/two_lines.h"
#include "spec/kind.h"
#include "spec/matrix_shape.h"

int64_t trigonometric_length(weft_kind kind, int64_t n)
{
    return shape_of_kind(kind, n).length;
}

/* Each number one real, where it was two, of twice as many numbers. */
static void part_reals(struct reals *reals)
{
    if (reals->parts == 2) reals->part[0].step /= 2;
    reals->parts = 1;
}

struct trigonometric_line trigonometric_line(weft_kind kind, bool orthonormal, int64_t n)
{
    const struct shape s = shape_of(kind, orthonormal, n);
    struct trigonometric_line line = {.numbers = s.length, .in = s.in, .out = s.out};
    if (s.half_n == 0) return line;
    line.to_reals = kind == WEFT_DCT3 || kind == WEFT_DST3;
    line.from_reals = !line.to_reals;
    line.numbers = line.in.numbers = line.out.numbers = s.half_n;
    part_reals(line.to_reals ? &line.out : &line.in);
    if (s.half_n == n) (line.to_reals ? &line.in : &line.out)->parts = 2;
    return line;
}

/* ---- choosing ---- */

bool trigonometric_halves(weft_kind kind, const struct plan_node *node)
{
    const struct shape s = shape_of_kind(kind, node->n);
    return s.half != PASS_NO_HALF && s.half_n == node->n &&
           lowering_halves(node, s.half == PASS_HALF_UNFOLD);
}

bool trigonometric_has_two_ways(const struct search *s)
{
    const weft_kind kind = s->kind;
    return s->limits->vector_bytes == 0 && kind_is_trigonometric(kind) &&
           kind_inverse(kind) != kind;
}

/* Splits of the reals that serve type II alone; type III, which leads back from there, has the best
 * child of those that serve it. */
static void propose_two_ways(struct search *s, const struct task *task, struct candidates *list)
{
    const int way = shape_of_kind(s->kind, task->n).half == PASS_HALF_FOLD;
    const struct plan_node *both = NULL;
    struct candidates splits = {.count = 0};
    for (int i = 0; i < list->count; i++) {
        if (!both || list->node[i]->seconds < both->seconds) both = list->node[i];
    }
    if (!both) return;
    halves_propose_splits(s, PLAN_TRIGONOMETRIC, task, false, &splits);
    for (int i = 0; i < splits.count; i++) {
        struct plan_node *node = splits.node[i];
        if (lowering_halves(node, false)) continue;
        node->child[1] = node->child[0];
        node->child[!way] = both->child[0];
        node->children = 2;
        search_add(list, node);
    }
}

void trigonometric_propose(struct search *s, const struct task *task, struct candidates *list)
{
    const weft_kind kind = s->kind;
    const struct shape shape = shape_of_kind(kind, task->n);
    if (shape.half == PASS_NO_HALF || shape.half_n != task->n) {
        search_propose_around(s, PLAN_TRIGONOMETRIC, task, shape.length, list);
        odd_propose(s, PLAN_TRIGONOMETRIC, task, list);
        return;
    }
    const bool back = kind_inverse(kind) != kind;
    halves_propose(s, PLAN_TRIGONOMETRIC, task, shape.length, back, list);
    if (trigonometric_has_two_ways(s)) propose_two_ways(s, task, list);
}

/* ---- passes ---- */

/* Whether numbers are made of the reals, and reals of the numbers, by sweeps of their own: on a CPU
 * where several passes take a line, whose tiles have short runs far apart. (Experiment "sweeps".)
 */
static bool sweeps_reals(const struct lowering *l, const struct plan_node *node,
                         const struct lines *lines, bool unfolds)
{
    const struct plan_node *child = node->child[0];
    if (child->kind == PLAN_SPLIT) return l->limits->vector_bytes > 0;
    return unfolds ? swept_serves(l, child, lines) : swept_suits(l, child, lines);
}

/* Whether reals are plain lines that are all there: of a range, a sweep reads a copy. */
static bool are_whole(const struct lowering *l)
{
    return halves_sweep_reals(l->problem, l->limits) && !problem_has_range(l->problem, false);
}

/* Whether a number's parts are two neighbours of such a line. */
static bool are_pairs(const struct lowering *l, const struct shape *s)
{
    return l->problem->kind == WEFT_DHT && s->in.parts == 2 && are_whole(l);
}

/* Whether the second level holds all reals, which may be read in short runs then. */
static bool are_near(const struct problem *p, const struct limits *limits)
{
    int64_t bytes = p->axis[0].n * precision_bytes(p->precision);
    for (int i = 0; i < p->loops; i++) bytes *= p->loop[i].n;
    return bytes <= limits->cache_bytes[1];
}

/* ... but for columns whose first step reads the reals there and back where they lie. (Experiment
 * "parted columns".) */
static bool reads_parted(const struct lowering *l, const struct plan_node *node)
{
    const struct plan_node *child = node->child[0], *columns = child->child[0];
    return child->kind == PLAN_SPLIT && are_whole(l) && are_near(l->problem, l->limits) &&
           columns->kind == PLAN_BLOCK && columns->radices > 1 &&
           l->limits->parted[columns->radix[0]];
}

/* The numbers in PASS_WORK, of lines to and from there. */
static struct lines gather_numbers(struct lowering *l, const struct plan_node *node,
                                   const struct shape *s, const struct lines *lines)
{
    struct lines gather = *lines;
    gather.line.n = s->length;
    gather.real_in = true;
    gather.reals[0] = s->in;
    if (s->half == PASS_HALF_FOLD) gather.half_in = PASS_HALF_FOLD;
    gather.half_stride = s->in.stride;
    return swept_gather(l, node->child[0], &gather);
}

/* Their transform in PASS_WORK, of reals two of which side by side are a number. */
static struct lines transform_pairs(struct lowering *l, const struct plan_node *node,
                                    const struct shape *s, const struct lines *lines)
{
    struct lines pairs = *lines;
    pairs.line = (struct dim){s->length, 2 * s->in.stride, lines->line.out_stride};
    pairs = swept_to_work(l, node->child[0], &pairs, s->length);
    pairs.real_in = true;
    pairs.lone = false;
    pairs.pair = s->in.stride;
    halves_join_neighbours(l, &pairs, false);
    algorithm_lower_inner(l, node->child[0], &pairs);
    return pairs;
}

/* Whether a CPU does lines of type I as products with a matrix, which is told of as of a prime's
 * convolution between their ends. */
static bool are_products(const struct lowering *l, const struct plan_node *node,
                         const struct shape *s)
{
    const struct problem *p = &l->program->problem;
    const struct reals reals[2] = {s->in, s->out};
    if (node->child[0]->kind != PLAN_RADER || !resampled_suits(p, l->limits)) return false;
    if (s->in.stride != 1 || s->out.stride != 1) return false;
    const struct matrix_shape shape =
        matrix_shape_of_reals(reals, limits_lanes(l->limits, p->precision));
    return matrix_shape_suits(&shape, l->limits, matrix_most_reflected(l->limits, reals));
}

/* Gathered from the reals; unfolded where a tile has the whole line as it scatters it, otherwise
 * left in PASS_WORK, and from there unfolded and scattered. */
static void lower_unfolded(struct lowering *l, const struct plan_node *node, const struct shape *s,
                           const struct lines *lines)
{
    struct lines halves = *lines;
    halves.real_in = true;
    halves.reals[0] = s->in;
    halves.line.n = s->length;
    if (lowering_spreads(node, l->limits) || lowering_spreads_one(l, node) ||
        are_products(l, node, s)) {
        halves.half_out = PASS_HALF_SPREAD;
        halves.real_out = true;
        halves.reals[1] = s->out;
        algorithm_lower_inner(l, node->child[0], &halves);
        return;
    }
    if (sweeps_reals(l, node, lines, true) && are_pairs(l, s)) {
        halves = transform_pairs(l, node, s, lines);
    } else if (sweeps_reals(l, node, lines, true) && !reads_parted(l, node)) {
        halves = gather_numbers(l, node, s, lines);
        algorithm_lower_inner(l, node->child[0], &halves);
    } else {
        halves = swept_to_work(l, node->child[0], &halves, s->length);
        algorithm_lower_inner(l, node->child[0], &halves);
    }

    struct lines unfold = swept_from_work(&halves, lines, s->length + 1);
    unfold.half_in = PASS_HALF_UNFOLD;
    unfold.half_stride = unfold.line.in_stride;
    unfold.real_out = true;
    unfold.reals[1] = s->out;
    lowering_copy(l, &unfold);
}

/* As a split of the reals: of their line each is a number. */
static void lower_halves(struct lowering *l, const struct plan_node *node, const struct shape *s,
                         const struct lines *lines)
{
    const bool forward = s->half == PASS_HALF_UNFOLD;
    struct lines halves = *lines;
    halves.real_in = halves.real_out = true;
    halves.reals[0] = s->in;
    halves.reals[1] = s->out;
    struct reals *line = &halves.reals[!forward];
    line->parts = 1;
    line->part[0].step /= 2;
    halves.reals[0].numbers = halves.reals[1].numbers = node->n;
    if (forward) halves_lower_forward(l, node, &halves);
    else halves_lower_backward(l, node, &halves);
}

/* Those of the other axes of an image are of one order with the line's, for one table. */
static void refine_turns(struct reals *reals, const struct lines *lines)
{
    int64_t all = lines->line.n;
    for (int i = 0; i < lines->folds; i++)
        all *= lines->fold[i].n / gcd(all, lines->fold[i].n);
    reals->order *= all / lines->line.n;
    reals->turn_step *= all / lines->line.n;
}

/* Whether a tile takes two lines at once that are equally far apart at both ends: on a CPU one of
 * lines that lie as they are computed with; columns go through it two by two as it is. */
static bool tile_takes_two(const struct lowering *l, const struct plan_node *node,
                           const struct lines *lines, int loop)
{
    const struct dim *line = &lines->line, *next = &lines->loop[loop];
    if (!lowering_spreads(node, l->limits) || next->in_stride != next->out_stride) return false;
    if (l->limits->vector_bytes == 0) return true;
    return line->in_stride == 1 && line->out_stride == 1 && !two_lines_are_products(l, line->n);
}

/* The loop whose lines of odd length are taken two by two, by a tile or between sweeps; -1: none.
 */
static int loop_of_pairs(const struct lowering *l, const struct plan_node *node,
                         const struct shape *s, const struct lines *lines, bool sweeps)
{
    /* A hook is told of one element at a time. */
    const bool alone = l->program->problem.hooks.dims > 0 || two_lines_copied(l, lines, false) ||
                       two_lines_copied(l, lines, true);
    if (s->half != PASS_NO_HALF || s->length != s->in.n || alone) return -1;
    const int loop = two_lines_loop(lines);
    return loop >= 0 && (sweeps || tile_takes_two(l, node, lines, loop)) ? loop : -1;
}

/* Numbers that are reals as they are have results that are two by two conjugates; others have
 * results that are reals. */
static void lower_pairs(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                        int loop, bool sweeps)
{
    struct lines two = *lines;
    const int64_t pair_out = lines->loop[loop].out_stride;
    two.lone = false;
    two.pair = lines->loop[loop].in_stride;
    if (!reals_turn(&lines->reals[0])) {
        two.half_out = PASS_HALF_PART;
        two.half_pair = pair_out;
        two.half_n = lines->line.n;
        /* A CPU knows where the mirror of a number goes, if that is known. */
        if (l->limits->vector_bytes > 0 && two.reals[1].part[1].step != 0) two.reals[1].parts = 2;
    }
    two_lines_pair(&two, loop);
    if (sweeps) swept_lower(l, node->child[0], &two, pair_out);
    else algorithm_lower_inner(l, node->child[0], &two);
}

/* Of numbers that nothing is to be made of but the reals: two lines at a time, or one. */
static void lower_plain(struct lowering *l, const struct plan_node *node, const struct shape *s,
                        struct lines *reals)
{
    const bool folds = node->child[0]->kind != PLAN_SPLIT || s->half == PASS_NO_HALF ||
                       halves_sweep_reals(l->problem, l->limits);
    const bool sweeps = folds && sweeps_reals(l, node, reals, false);
    reals->real_in = reals->real_out = true;
    reals->half_in = s->half;
    reals->half_stride = s->in.stride;
    reals->reals[0] = s->in;
    reals->reals[1] = s->out;
    reals->line.n = s->length;
    if (odd_is_cut(node)) {
        odd_lower_reflected(l, node, reals);
        return;
    }
    const int loop = loop_of_pairs(l, node, s, reals, sweeps);
    if (loop >= 0) lower_pairs(l, node, reals, loop, sweeps);
    if (loop >= 0 && reals->loop[loop].n % 2 == 0) return;
    if (loop >= 0) two_lines_last(reals, loop);
    const bool odd = s->half == PASS_NO_HALF && s->length == s->in.n;
    if (sweeps && odd && resampled_halves(node->child[0]))
        resampled_lower_reflected(l, node->child[0], reals);
    else if (sweeps) swept_lower(l, node->child[0], reals, 0);
    else algorithm_lower_inner(l, node->child[0], reals);
}

void trigonometric_lower(struct lowering *l, const struct plan_node *node,
                         const struct lines *lines)
{
    struct shape s = shape_of(lines->kind, l->problem->orthonormal, lines->line.n);
    struct lines reals = *lines;
    s.in.stride = lines->line.in_stride;
    s.out.stride = lines->line.out_stride;
    if (lines->folds > 0) refine_turns(s.half == PASS_HALF_FOLD ? &s.in : &s.out, lines);
    reals.one_way = reals.lone = true;
    reals.half_n = s.half_n;
    if (trigonometric_halves(lines->kind, node)) lower_halves(l, node, &s, &reals);
    else if (s.half == PASS_HALF_UNFOLD) lower_unfolded(l, node, &s, &reals);
    else lower_plain(l, node, &s, &reals);
}

/* ---- the problem ---- */

/* A line's reals are read several times, but the hook wants them once: it leaves them where the
 * output will be, or is drafted, and the transform goes on from there. */
static void sweep_input(struct lowering *l, struct problem *p, struct problem *drafted)
{
    const struct problem *left = l->drafted ? drafted : p;
    l->from = l->drafted ? PASS_DRAFT : PASS_OUTPUT;
    copy_stages_lower(l, left, PASS_INPUT, l->from, false);
    *p = draft_onwards(p, left);
    *drafted = draft_onwards(drafted, left);
}

/* The passes that leave the results. */
static void scale_last(struct program *program)
{
    bool ends = true;
    for (int s = program->stages - 1; s >= 0 && ends; s--) {
        const struct program_stage *stage = &program->stage[s];
        const int before = program_before_others(program, stage);
        program->pass[stage->first + stage->passes - 1].scaled = true;
        if (before >= 0) program->pass[before].scaled = true;
        ends = stage->goes_on;
    }
}

/* A tree with the children of one direction alone. */
struct one_way {
    struct plan_node tree, axis[PLAN_MAX_CHILDREN];
};

static void keep_way(struct plan_node *node, bool back)
{
    if (back && node->children == 2) node->child[0] = node->child[1];
    node->children = 1;
}

static struct one_way one_way(const struct plan_node *tree, bool back)
{
    struct one_way way = {.tree = *tree};
    for (int i = 0; tree->kind == PLAN_AXES && i < tree->children; i++) {
        way.axis[i] = *tree->child[i];
        keep_way(&way.axis[i], back);
    }
    if (tree->kind != PLAN_AXES) keep_way(&way.tree, back);
    return way;
}

static void lower_axes(struct lowering *l, const struct plan_node *tree, bool back)
{
    struct one_way way = one_way(tree, back);
    for (int i = 0; tree->kind == PLAN_AXES && i < tree->children; i++)
        way.tree.child[i] = &way.axis[i];
    axes_lower(l, &way.tree);
}

/* All axes to the draft, from where a hook's sweep takes the results. */
static void lower_to_draft(struct lowering *l, const struct plan_node *tree, bool back)
{
    const struct problem *drafted = l->drafted;
    l->problem = drafted;
    l->to = PASS_DRAFT;
    l->drafted = NULL;
    lower_axes(l, tree, back);
    l->drafted = drafted;
}

static void lower_direction(struct lowering *l, const struct plan_node *tree,
                            const struct problem *problem, bool forward, bool inverse)
{
    struct program *program = l->program;
    const int first = program->stages;
    const struct problem *given = l->drafted;
    struct problem loaded = *problem, drafted = given ? *given : *problem;
    drafted.kind = problem->kind;
    memcpy(drafted.axis_kind, problem->axis_kind, sizeof drafted.axis_kind);
    if (given) l->drafted = &drafted;
    l->problem = &loaded;
    l->from = PASS_INPUT;
    l->to = PASS_OUTPUT;
    if (hook_exists(&problem->hooks, false)) sweep_input(l, &loaded, &drafted);
    if (given && hook_exists(&problem->hooks, true)) lower_to_draft(l, tree, !forward);
    else lower_axes(l, tree, !forward);
    if (!l->failed) scale_last(program);
    lowering_store_hook(l, problem);
    l->drafted = given;
    for (int i = first; i < program->stages; i++) {
        program->stage[i].runs[WEFT_FORWARD] = forward;
        program->stage[i].runs[WEFT_INVERSE] = inverse;
    }
}

void trigonometric_stages_lower(struct lowering *l, const struct plan_node *tree)
{
    const struct problem *problem = l->problem;
    struct problem inverse = *problem;
    const bool same = !problem_turn_kinds(&inverse);
    lower_direction(l, tree, problem, true, same);
    if (!same) lower_direction(l, tree, &inverse, false, true);
}
