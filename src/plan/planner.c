#include "plan/planner.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "plan/algorithm.h"
#include "plan/convolution.h"
#include "plan/draft.h"
#include "plan/lay.h"
#include "plan/lower.h"
#include "plan/order.h"
#include "plan/ranking.h"
#include "plan/search.h"
#include "plan/single.h"
#include "plan/stride.h"
#include "spec/kind.h"

/* ---- lowering ---- */

/* Whether nothing runs after the pass in some direction in which it runs itself, but for what has
 * others of the same lines. */
static bool is_last(const struct program *program, int pass)
{
    bool later[2] = {false, false};
    for (int s = program->stages - 1; s >= 0; s--) {
        const struct program_stage *stage = &program->stage[s];
        const int last = stage->first + stage->passes - 1;
        const bool ends = pass == last || pass == program_before_others(program, stage);
        for (int d = 0; d < 2; d++) {
            if (ends && stage->runs[d] && !later[d]) return true;
            later[d] |= stage->runs[d] && !stage->goes_on;
        }
    }
    return false;
}

static void extend_draft(struct program *program, int64_t n, int64_t stride)
{
    program->draft_elements += (n - 1) * magnitude(stride);
    if (stride < 0) program->draft_first -= (n - 1) * stride;
}

/* Nothing but the last pass writes to an output that keeps too little: what others write to it and
 * read from it goes to the draft. False: that is larger than a buffer may be. */
static bool draft_output(struct program *program, const struct limits *limits)
{
    const struct problem *p = &program->problem;
    bool drafted = false;
    for (int i = 0; i < program->passes; i++) {
        struct pass *pass = &program->pass[i];
        if (pass->from == PASS_OUTPUT) pass->from = PASS_DRAFT;
        if (pass->to != PASS_OUTPUT || is_last(program, i)) continue;
        pass->to = PASS_DRAFT;
        drafted = true;
    }
    if (!drafted) return true;
    program->draft_elements = 1;
    for (int i = 0; i < p->axes; i++)
        extend_draft(program, problem_side_length(p, true, i), p->axis[i].out_stride);
    for (int i = 0; i < p->loops; i++)
        extend_draft(program, p->loop[i].n, p->loop[i].out_stride);
    return program->draft_elements <= limits->largest_buffer / (2 * precision_bytes(p->precision));
}

static void end_program(struct lowering *l, const struct problem *problem)
{
    struct program *program = l->program;
    for (int i = 0; i < program->passes; i++) {
        struct pass *pass = &program->pass[i];
        /* What multiplies with a spectrum scales as well, not what leads back. */
        pass->scaled |= problem_convolves(problem) ? pass->spectrum_given : is_last(program, i);
    }
    lowering_store_hook(l, problem);
}

/* Whether the directions have passes of their own. */
static bool has_two_ends(const struct problem *problem, const struct plan_node *tree)
{
    return plan_transposes(tree) ||
           (tree->kind != PLAN_COPY && kind_is_trigonometric(problem->kind));
}

/* A tree that leaves frequencies in another order: each direction by itself. */
static void lower_directions(struct lowering *l, const struct plan_node *tree)
{
    struct program *program = l->program;
    for (int direction = WEFT_FORWARD; direction <= WEFT_INVERSE; direction++) {
        const int first = program->stages;
        l->inverse = direction == WEFT_INVERSE;
        axes_lower(l, tree);
        program->pass[program->passes - 1].scaled = true;
        lowering_store_hook(l, l->problem);
        for (int i = first; i < program->stages; i++)
            program->stage[i].runs[!direction] = false;
    }
}

static void lower_stages(struct lowering *l, const struct plan_node *tree)
{
    if (problem_convolves(l->problem)) convolution_stages_lower(l, tree);
    else if (tree->kind == PLAN_COPY)
        copy_stages_lower(l, l->problem, PASS_INPUT, PASS_OUTPUT, false);
    else if (kind_is_trigonometric(l->problem->kind)) trigonometric_stages_lower(l, tree);
    else if (kind_is_half(l->problem->kind)) real_stages_lower(l, tree);
    else if (plan_transposes(tree)) lower_directions(l, tree);
    else axes_lower(l, tree);
}

/* Lowers into a program that may hold an earlier one. False: it holds too little. */
static bool lower(struct program *program, const struct problem *problem,
                  const struct problem *whole, const struct limits *limits,
                  const struct plan_node *tree)
{
    struct problem arranged = *problem, drafted;
    struct plan_node in_turn = *tree;
    struct lowering l = {.limits = limits, .program = program, .problem = &arranged,
                         .whole = whole,
                         .from = PASS_INPUT, .to = PASS_OUTPUT};
    order_apply(&arranged, &in_turn);
    const bool ranged = draft_takes_ranges(limits, problem);
    const bool packed = !ranged && draft_is_packed(&arranged);
    l.loses = problem_output_loses(&arranged);
    program->problem = *problem;
    program->tree = tree;
    program->stages = program->passes = program->tables = 0;
    program->scratch_elements = program->work_elements = program->draft_elements = 0;
    program->draft_first = program->kernel_stage = 0;
    program->draft_cut = program->draft_half = false;
    program->kernel_turns = 1;
    program->middle_elements = program->product_elements = program->laid_elements = 0;
    if (packed) {
        drafted = draft_pack(&l, &arranged);
        l.drafted = &drafted;
    }
    if (problem_elements(problem) > 0) {
        lower_stages(&l, &in_turn);
        if (!has_two_ends(problem, tree)) end_program(&l, problem);
    }
    if (l.failed || (l.loses && l.program->draft_elements == 0 && !draft_output(program, limits)))
        return false;
    cost_program(program, limits);
    return true;
}

weft_status plan_lower(arena *a, const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree, const struct program **program)
{
    struct program *made = arena_alloc_raw(a, sizeof *made);
    if (!made) return error_memory("a program");
    if (!lower(made, problem, problem, limits, tree)) {
        return error_set(
            WEFT_ERROR_UNSUPPORTED,
            "the plan needs more passes or larger scratch than %s has: at most %" PRId64
            " bytes a buffer",
            limits->name, limits->largest_buffer);
    }
    *program = made;
    return WEFT_OK;
}

/* ---- choosing ---- */

/* Another order must take so much of the time at most: the model knows little of ties. */
#define ORDER_GAIN 0.95

/* Ranks the trees that can be lowered, by their programs for the problem. */
static void rank_all(const struct search *s, const struct problem *problem,
                     const struct candidates *list, struct program *work, struct ranking *ranking)
{
    const struct problem *whole = s->both_ways ? NULL : s->problem;
    ranking->count = 0;
    for (int i = 0; i < list->count; i++) {
        if (!lower(work, problem, whole, s->limits, list->node[i])) continue;
        ranking_add(ranking, list->node[i], work->seconds, work->back_seconds);
    }
}

/* Adds the trees of an axis, which `single` is the problem of; if its lines are laid, of what it is
 * for these then. */
static void propose_axis(struct search *s, int axis, struct problem *single,
                         struct candidates *list)
{
    const struct problem *whole = s->problem;
    if (!s->both_ways && lay_suits(whole, single, s->limits)) {
        *single = lay_problem(single, s->limits);
        s->problem = single;
    }
    const struct task task = single_task(s, single);
    if (kind_is_trigonometric(whole->kind)) trigonometric_propose(s, &task, list);
    else if (single_is_real(whole, axis)) real_propose(s, &task, list);
    else search_propose(s, &task, list);
    s->problem = whole;
}

static weft_status rank_axis(struct search *s, int axis, struct program *work,
                             struct ranking *ranking)
{
    struct problem single = problem_of_axis(s->problem, axis);
    const int64_t n = single.axis[0].n;
    search_turn_to(s, problem_axis_kind(s->problem, axis));
    struct candidates list = {.count = 0};
    propose_axis(s, axis, &single, &list);
    rank_all(s, &single, &list, work, ranking);
    if (trigonometric_has_two_ways(s)) ranking_share_ways_back(ranking);
    if (ranking->count > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "no plan for length %" PRId64 " within the limits of %s: %" PRId64
                     " bytes of fast memory, %" PRId64 " bytes a buffer",
                     n, s->limits->name, s->limits->shared_bytes, s->limits->largest_buffer);
}

static struct plan_node *axes_node(struct search *s, const struct ranking *axis, int changed,
                                   int choice)
{
    struct plan_node *node = search_node(s, PLAN_AXES, 1);
    if (!node) return NULL;
    node->children = s->problem->axes;
    for (int i = 0; i < node->children; i++) {
        node->child[i] = axis[i].tree[i == changed ? choice : 0];
        node->n *= node->child[i]->n;
    }
    return node;
}

/* The axes in runs, of which bit i of `joined` joins axis i to the next: longer ones as images.
 * NULL: one does not fit a block. */
static struct plan_node *runs_node(struct search *s, const struct ranking *axis, unsigned joined)
{
    struct plan_node *node = search_node(s, PLAN_AXES, 1);
    if (!node) return NULL;
    for (int first = 0, last; first < s->problem->axes; first = last + 1) {
        last = first;
        while (joined >> last & 1) last++;
        const struct plan_node *run =
            last > first ? image_node(s, first, last) : axis[first].tree[0];
        if (!run) return NULL;
        node->child[node->children++] = run;
        node->n *= run->n;
    }
    return node;
}

/* Axes, from the first on, that images may be of. A hook is told of one real at a time, and of each
 * number once. */
static int imaged_axes(const struct problem *p)
{
    const bool hooked = p->hooks.dims > 0;
    if (!kind_is_trigonometric(p->kind)) return p->axes - (hooked && kind_is_half(p->kind));
    const bool cornered = kind_inverse(p->kind) != p->kind && !problem_mixes_kinds(p);
    return hooked || !cornered ? 0 : p->axes;
}

/* Some axes together, where a block holds them. */
static void propose_images(struct search *s, const struct ranking *axis, struct candidates *list)
{
    /* A CPU gains nothing: its tiles lie in a cache, where the next axis finds them anyway. */
    if (s->limits->vector_bytes > 0) return;
    if (problem_has_ranges(s->problem)) return; /* axes by themselves are repeated over ranges */
    for (unsigned joined = 1; joined < (1u << imaged_axes(s->problem)) / 2; joined++)
        search_add(list, runs_node(s, axis, joined));
}

/* A tree with its axes in the best order that exchanges lead to. With ranges sweeps differ: an axis
 * that grows is best taken late, one that shrinks early. */
static struct plan_node best_order(const struct search *s, const struct plan_node *tree,
                                   struct program *work)
{
    struct plan_node best = *tree;
    const int axes = order_free_axes(s->problem);
    if (!lower(work, s->problem, s->problem, s->limits, tree)) return best;
    double seconds = work->order_seconds;
    for (bool better = true; better;) {
        const struct plan_node from = best;
        better = false;
        for (int i = 0; i < axes * axes; i++) {
            struct plan_node trial = from;
            if (i / axes >= i % axes) continue;
            order_exchange(&trial, i / axes, i % axes);
            if (!order_serves(s->problem, &trial)) continue;
            if (!lower(work, s->problem, s->problem, s->limits, &trial)) continue;
            if (work->order_seconds >= (better ? 1 : ORDER_GAIN) * seconds) continue;
            best = trial;
            seconds = work->order_seconds;
            better = true;
        }
    }
    return best;
}

/* All trees in the order that is best for the best of them, and that one as it was. */
static void rank_ordered(struct search *s, struct candidates *list, struct program *work,
                         struct ranking *ranking)
{
    const struct plan_node best = best_order(s, ranking->tree[0], work);
    struct plan_node *natural = best.ordered ? search_node(s, PLAN_AXES, best.n) : NULL;
    if (!natural) return;
    *natural = *ranking->tree[0];
    for (int i = 0; i < list->count; i++) {
        list->node[i]->ordered = true;
        memcpy(list->node[i]->order, best.order, sizeof best.order);
    }
    if (s->broad && list->count == CANDIDATES_MAX) list->count--;
    if (s->broad) search_add(list, natural);
    rank_all(s, s->problem, list, work, ranking);
}

/* Trees for several axes: the best of each, and each alternative for one of them. */
static weft_status rank_axes(struct search *s, struct program *work, struct ranking *ranking)
{
    int axes = s->problem->axes;
    struct ranking *axis = arena_array(s->arena, (size_t)axes, sizeof *axis);
    if (!axis) return error_memory("a plan");
    struct candidates list = {.count = 0};
    for (int i = 0; i < axes; i++) {
        weft_status status = rank_axis(s, i, work, &axis[i]);
        if (status) return status;
    }
    search_add(&list, axes_node(s, axis, -1, 0));
    propose_images(s, axis, &list);
    for (int choice = 1; s->broad && choice < CANDIDATES_MAX; choice++) {
        for (int i = 0; i < axes; i++) {
            if (choice < axis[i].count) search_add(&list, axes_node(s, axis, i, choice));
        }
    }
    rank_all(s, s->problem, &list, work, ranking);
    if (ranking->count > 0 && problem_has_ranges(s->problem))
        rank_ordered(s, &list, work, ranking);
    if (ranking->count > 0) return WEFT_OK;
    if (problem_wraps(s->problem)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "no plan for %d axes: each range that goes on at 0 behind the end of its "
                         "axis doubles the stages of a program, which has at most %d, and %d "
                         "passes, and takes scratch within the limits of %s: accepted are fewer "
                         "such ranges",
                         axes, PROGRAM_MAX_STAGES, PROGRAM_MAX_PASSES, s->limits->name);
    }
    return error_set(WEFT_ERROR_UNSUPPORTED, "no plan for %d axes within the limits of %s", axes,
                     s->limits->name);
}

static weft_status rank_copy(struct search *s, struct program *work, struct ranking *ranking)
{
    struct candidates list = {.count = 0};
    search_add(&list, search_node(s, PLAN_COPY, 1));
    rank_all(s, s->problem, &list, work, ranking);
    if (ranking->count > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED, "no plan for a copy within the limits of %s",
                     s->limits->name);
}

/* ---- convolutions ---- */

/* The problem of its transforms alone. */
static struct problem transforms_of(const struct problem *problem)
{
    struct problem plain = *problem;
    plain.operation = WEFT_TRANSFORM;
    plain.kernel = (struct dim){0, 0, 0};
    return plain;
}

/* The best trees of the axes, but for one that goes there and back at once (-1: none does). */
static void propose_convolution(struct search *s, const struct ranking *axis, int fused,
                                struct candidates *list)
{
    struct candidates ways = {.count = 0};
    const int axes = s->problem->axes;
    if (fused >= 0) {
        const struct problem single = problem_of_axis(s->problem, fused);
        const struct task task = single_task(s, &single);
        convolution_propose(s, &task, &ways);
        if (ways.count == 0) return;
    }
    if (axes == 1) {
        search_add(list, fused >= 0 ? ways.node[0] : axis[0].tree[0]);
        return;
    }
    struct plan_node *node = axes_node(s, axis, -1, 0);
    if (node && fused >= 0) node->child[fused] = ways.node[0];
    search_add(list, node);
}

/* With other transforms of one axis. */
static void propose_other_axes(struct search *s, const struct ranking *axis,
                               const struct plan_node *best, struct candidates *list)
{
    for (int choice = 1; choice < CANDIDATES_MAX; choice++) {
        for (int i = 0; i < s->problem->axes && best->kind == PLAN_AXES; i++) {
            if (choice >= axis[i].count || best->child[i]->kind == PLAN_CONVOLUTION) continue;
            struct plan_node *node = search_node(s, PLAN_AXES, best->n);
            if (!node) return;
            *node = *best;
            node->child[i] = axis[i].tree[choice];
            search_add(list, node);
        }
    }
}

static weft_status rank_transforms(struct search *s, struct program *work, struct ranking *axis)
{
    const struct problem *convolution = s->problem;
    const struct problem plain = transforms_of(convolution);
    weft_status status = WEFT_OK;
    s->problem = &plain;
    for (int i = 0; i < plain.axes && !status; i++)
        status = rank_axis(s, i, work, &axis[i]);
    s->problem = convolution;
    return status;
}

static weft_status rank_convolution(struct search *s, struct program *work,
                                    struct ranking *ranking)
{
    const struct problem *problem = s->problem;
    struct candidates list = {.count = 0};
    struct ranking *axis = arena_array(s->arena, (size_t)problem->axes, sizeof *axis);
    if (!axis) return error_memory("a plan");
    s->both_ways = true;
    weft_status status = rank_transforms(s, work, axis);
    if (status) return status;
    propose_convolution(s, axis, -1, &list);
    const bool shared = problem->axes > 1 && convolution_takes_turns(problem, s->limits);
    for (int i = 0; i < problem->axes && !shared; i++) {
        if (convolution_may_fuse(problem, i)) propose_convolution(s, axis, i, &list);
    }
    rank_all(s, problem, &list, work, ranking);
    if (s->limits->vector_bytes > 0) ranking_prefer_far_axis(ranking, problem);
    if (s->broad && ranking->count > 0) {
        propose_other_axes(s, axis, ranking->tree[0], &list);
        rank_all(s, problem, &list, work, ranking);
    }
    if (ranking->count > 0) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED, "no plan for a convolution within the limits of %s",
                     s->limits->name);
}

static weft_status rank_problem(struct search *s, struct program *work, struct ranking *ranking)
{
    if (problem_convolves(s->problem) && s->problem->axes > 0)
        return rank_convolution(s, work, ranking);
    if (s->problem->axes == 0) return rank_copy(s, work, ranking);
    if (s->problem->axes == 1) return rank_axis(s, 0, work, ranking);
    return rank_axes(s, work, ranking);
}

weft_status plan_candidates(arena *a, const struct problem *problem, const struct limits *limits,
                            int most, const struct plan_node **tree, int *count)
{
    struct search s = {
        .arena = a,
        .problem = problem,
        .limits = limits,
        .machine = cost_machine(limits, problem),
        .broad = most > 1,
    };
    struct program *work = arena_alloc_raw(a, sizeof *work);
    if (!work) return error_memory("a plan");
    struct ranking ranking = {.count = 0};
    weft_status status = rank_problem(&s, work, &ranking);
    if (arena_failed(a)) return error_memory("a plan");
    if (status) return status;
    *count = ranking.count < most ? ranking.count : most;
    for (int i = 0; i < *count; i++)
        tree[i] = ranking.tree[i];
    return WEFT_OK;
}

weft_status plan_best(arena *a, const struct problem *problem, const struct limits *limits,
                      const struct plan_node **tree)
{
    int count;
    return plan_candidates(a, problem, limits, 1, tree, &count);
}
