/* A real axis: half its length of complex numbers, or two lines as one of complex numbers, or one
 * without imaginary parts, and half a spectrum (Lloyd et al. 2008, 4.2). */
#include "base/checked.h"
#include "plan/algorithm.h"
#include "plan/halves.h"
#include "plan/odd.h"
#include "plan/resampled.h"
#include "plan/stride.h"
#include "plan/swept.h"
#include "plan/two_lines.h"
#include "spec/matrix_shape.h"
#include "spec/price_lines.h"

/* ---- choosing ---- */

void real_propose(struct search *s, const struct task *task, struct candidates *list)
{
    const bool back = s->problem->kind == WEFT_C2R || s->both_ways;
    halves_propose(s, PLAN_REAL, task, task->n % 2 ? task->n : task->n / 2, back, list);
    odd_propose(s, PLAN_REAL, task, list);
    odd_propose_last(s, list);
}

/* ---- the axis ---- */

/* The problem that says where the ends of lines are. */
static const struct problem *problem_of_ends(const struct lowering *l)
{
    return l->to == PASS_LAID ? l->problem : &l->program->problem;
}

/* Numbers of two reals each. */
static void pair_positions(struct lines *lines, bool out)
{
    lines->pair_position = lines->position[out].line;
    lines->position[out].line *= 2;
    (out ? &lines->out_map : &lines->in_map)->line *= 2;
    lines->range_pair = 1;
}

/* Half a spectrum out of as many numbers as the reals make, where these are. */
static void unfold_in_place(struct lowering *l, const struct lines *lines)
{
    struct lines unfold = *lines;
    lines_work_in_place(&unfold);
    lines_whole(&unfold, false);
    unfold.line.n = lines->half_n / 2 + 1;
    unfold.half_in = PASS_HALF_UNFOLD;
    unfold.half_stride = unfold.line.in_stride;
    lowering_copy(l, &unfold);
}

/* All of the lines where the output will be, or is drafted. */
static void leave_whole(struct lowering *l, struct lines *lines)
{
    l->loses |= lines->range[1].count > 0;
    lines_whole(lines, true);
}

/* n / 2 complex numbers out of the reals, their transform, and what is left to make of it: where a
 * tile has the whole line as it writes it, otherwise in a sweep. */
static void lower_even_forward(struct lowering *l, const struct plan_node *node,
                               const struct lines *lines)
{
    const int64_t h = lines->half_n / 2;
    struct lines halves = *lines;
    halves.real_in = true;
    halves.pair = lines->line.in_stride;
    halves.line = (struct dim){h, 2 * halves.pair, lines->line.out_stride};
    pair_positions(&halves, false);
    halves_join_neighbours(l, &halves, false);
    if (lowering_spreads(node, l->limits) || lowering_spreads_one(l, node)) {
        halves.half_out = PASS_HALF_SPREAD;
        algorithm_lower_inner(l, node->child[0], &halves);
        return;
    }
    if (halves_sweep_spectrum(problem_of_ends(l), l->limits)) {
        leave_whole(l, &halves);
        algorithm_lower_inner(l, node->child[0], &halves);
        unfold_in_place(l, lines);
        return;
    }
    halves = swept_to_work(l, node->child[0], &halves, h);
    algorithm_lower_inner(l, node->child[0], &halves);

    struct lines unfold = swept_from_work(&halves, lines, h + 1);
    unfold.half_in = PASS_HALF_UNFOLD;
    unfold.half_stride = unfold.line.in_stride;
    lowering_copy(l, &unfold);
}

/* Half a spectrum to the numbers that the reals make, where these will be, and their transform
 * there. */
static void fold_apart(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    struct lines fold = *lines, pairs = *lines;
    leave_whole(l, &fold);
    lowering_copy(l, &fold);
    lines_work_in_place(&pairs);
    lines_whole(&pairs, false);
    pairs.half_in = PASS_NO_HALF;
    algorithm_lower_inner(l, node->child[0], &pairs);
}

static void lower_even_backward(struct lowering *l, const struct plan_node *node,
                                const struct lines *lines)
{
    struct lines halves = *lines;
    halves.half_in = PASS_HALF_FOLD;
    halves.half_stride = lines->line.in_stride;
    halves.real_out = true;
    halves.pair = lines->line.out_stride;
    halves.line = (struct dim){lines->half_n / 2, lines->line.in_stride, 2 * halves.pair};
    pair_positions(&halves, true);
    halves_join_neighbours(l, &halves, true);
    const bool apart = !lowering_spreads(node, l->limits) && !lowering_spreads_one(l, node);
    if (apart && !halves.real_out && halves_sweep_spectrum(problem_of_ends(l), l->limits))
        fold_apart(l, node, &halves);
    else
        algorithm_lower_inner(l, node->child[0], &halves);
}

/* Between sweeps: the numbers up to the middle are half a spectrum. */
static void lower_lone_swept(struct lowering *l, const struct plan_node *node,
                             const struct lines *lines, bool forward)
{
    struct lines numbers = swept_gather(l, node->child[0], lines);
    numbers.one_way = !forward; /* the other direction's spectrum is the conjugate */
    algorithm_lower(l, node->child[0], &numbers);
    const int64_t n = lines->line.n;
    struct lines scatter = swept_from_work(&numbers, lines, forward ? n / 2 + 1 : n);
    scatter.half_out = PASS_NO_HALF;
    lowering_copy(l, &scatter);
}

/* A line without imaginary parts. */
static void lower_lone(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                       bool forward)
{
    struct lines whole = *lines;
    whole.real_in = forward;
    whole.real_out = !forward;
    whole.lone = true;
    if (lines->half_n > 1) { /* one number is its spectrum */
        whole.half_in = forward ? PASS_NO_HALF : PASS_HALF_EXTEND;
        whole.half_out = forward ? PASS_HALF_CUT : PASS_NO_HALF;
        whole.half_stride = lines->line.in_stride;
    }
    if (odd_is_cut(node))
        odd_lower(l, node, &whole);
    else if (resampled_takes_reals(l, node->child[0], lines))
        resampled_lower_reals(l, node->child[0], &whole);
    else if (swept_suits(l, node->child[0], lines))
        lower_lone_swept(l, node, &whole, forward);
    else
        algorithm_lower_inner(l, node->child[0], &whole);
}

/* Two neighbours along the loop as one complex line. */
static void lower_pairs(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                        int loop, bool forward)
{
    struct lines two = *lines;
    const struct dim *dim = &lines->loop[loop];
    two.real_in = forward;
    two.real_out = !forward;
    two.half_in = forward ? PASS_NO_HALF : PASS_HALF_JOIN;
    two.half_out = forward ? PASS_HALF_PART : PASS_NO_HALF;
    two.half_stride = lines->line.in_stride;
    two.half_pair = forward ? dim->out_stride : dim->in_stride;
    two.pair = forward ? dim->in_stride : dim->out_stride;
    two_lines_pair(&two, loop);
    halves_join_neighbours(l, &two, !forward);
    if (swept_suits(l, node->child[0], lines)) swept_lower(l, node->child[0], &two, two.pair);
    else algorithm_lower_inner(l, node->child[0], &two);
}

static struct price_lines odd_lines_of(const struct lowering *l, const struct lines *lines,
                                       bool forward)
{
    const int loop = two_lines_loop_of_halves(l, lines, forward);
    const struct dim *line = &lines->line, *other = &lines->loop[loop < 0 ? 0 : loop];
    const struct pass ends = {.from = lines->from, .to = lines->to};
    const bool planes =
        program_format(l->program, &ends, forward, WEFT_PLANAR) != WEFT_INTERLEAVED;
    return (struct price_lines){
        .limits = l->limits,
        .precision = l->program->problem.precision,
        .kind = forward ? PRICE_REALS_TO_HALVES : PRICE_HALVES_TO_REALS,
        .n = lines->half_n,
        .lines = loop < 0 ? 1 : other->n,
        .apart = {line->in_stride != 1, line->out_stride != 1},
        .scattered = {line->in_stride != 1 && other->in_stride != 1,
                      line->out_stride != 1 && other->out_stride != 1},
        .planes = {planes && !forward, planes && forward},
        .beside = !planes && loop >= 0 && l->limits->vector_bytes >= 32 && other->in_stride == 1 &&
                  other->out_stride == 1};
}

/* Whether a CPU does such lines one by one, as products with a matrix. */
static bool are_products(const struct lowering *l, const struct lines *lines, bool forward)
{
    if (l->limits->vector_bytes == 0) return false;
    const struct price_lines reals = odd_lines_of(l, lines, forward);
    if (price_way(&reals) == PRICE_COLUMNS) return false;
    if (two_lines_copied(l, lines, false) || two_lines_copied(l, lines, true)) return false;
    const int lanes = limits_lanes(l->limits, l->program->problem.precision);
    const struct matrix_shape shape = matrix_shape_of_half(lines->half_n, forward, lanes);
    return matrix_shape_suits(&shape, l->limits,
                              matrix_most_products(l->limits, lines->half_n, false));
}

/* Lines two by two where a tile has them whole, or sweeps do, otherwise one by one. */
static void lower_odd(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                      bool forward)
{
    /* A hook is told of one element at a time. */
    const bool alone = l->program->problem.hooks.dims > 0 || two_lines_copied(l, lines, forward) ||
                       odd_is_cut(node) || are_products(l, lines, forward);
    const bool whole =
        lowering_spreads(node, l->limits) || swept_suits(l, node->child[0], lines);
    const int loop = whole && !alone ? two_lines_loop_of_halves(l, lines, forward) : -1;
    struct plan_node lone = *node;
    lone.child[0] = node->child[node->children - 1];
    if (loop < 0) {
        lower_lone(l, &lone, lines, forward);
        return;
    }
    lower_pairs(l, node, lines, loop, forward);
    if (lines->loop[loop].n % 2 == 0) return;
    struct lines last = *lines;
    two_lines_last(&last, loop);
    lower_lone(l, &lone, &last, forward);
}

void real_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    const bool forward = l->problem->kind == WEFT_R2C;
    struct lines real = *lines;
    real.one_way = true;
    real.half_n = lines->line.n;
    const bool halves = lowering_halves(node, forward);
    if (halves && forward) halves_lower_forward(l, node, &real);
    else if (halves) halves_lower_backward(l, node, &real);
    else if (node->n % 2 != 0) lower_odd(l, node, &real, forward);
    else if (forward) lower_even_forward(l, node, &real);
    else lower_even_backward(l, node, &real);
}
