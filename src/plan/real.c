/* A real axis: half its length of complex numbers, or two lines as one of complex numbers, or one
 * without imaginary parts, and half a spectrum (Lloyd et al. 2008, 4.2). */
#include <string.h>

#include "base/checked.h"
#include "plan/algorithm.h"
#include "plan/stride.h"

/* ---- choosing ---- */

/* Splits of the reals themselves. (Experiment "halves": better than any split of half the length,
 * of which a sweep remains, or whose columns read from both ends of the spectrum.) */
static void propose_halves(struct search *s, const struct task *task, struct candidates *list)
{
    struct candidates splits = {.count = 0};
    const bool back = s->problem->kind == WEFT_C2R || s->both_ways;
    if (task->n % 4 != 0) return;
    if (s->problem->hooks.dims > 0) return; /* a hook is told of one element at a time */
    split_propose(s, task, &splits);
    for (int i = 0; i < splits.count; i++) {
        struct plan_node *node = search_node(s, PLAN_REAL, task->n);
        if (!node) return;
        node->children = 1;
        node->child[0] = splits.node[i];
        node->seconds = splits.node[i]->seconds / 2;
        if (lowering_halves(node, !back)) search_add(list, node);
    }
}

void real_propose(struct search *s, const struct task *task, struct candidates *list)
{
    struct candidates others = {.count = 0};
    propose_halves(s, task, list);
    /* Of very long lines a GPU splits one half of a split once more, which only complex numbers and
     * their way from reals can. */
    const bool back = s->problem->kind == WEFT_C2R || s->both_ways;
    const bool deep = s->limits->vector_bytes == 0 && back;
    const bool halves = list->count > 0 && !deep;
    search_propose_around(s, PLAN_REAL, task, task->n % 2 ? task->n : task->n / 2, &others);
    for (int i = 0; i < others.count; i++) {
        const bool splits = others.node[i]->child[0]->kind == PLAN_SPLIT;
        if (!(halves && splits)) search_add(list, others.node[i]);
    }
}

/* ---- the axis ---- */

/* Whether there are both of each two neighbours along the line, or none of them. */
static bool has_pairs(const struct lines *lines, bool out)
{
    const struct range *range = &lines->range[out];
    return lines->range_pair == 0 || (range->first % 2 == 0 && range->count % 2 == 0);
}

/* Two reals side by side are a complex number wherever pairs may lie at any real: on a CPU. */
static bool makes_pairs(const struct lowering *l, const struct lines *lines, bool out)
{
    if (l->limits->vector_bytes == 0 || lines->pair != 1) return false;
    if (lines->first.offset[out] % 2 != 0 || !has_pairs(lines, out)) return false;
    if ((out ? lines->line.out_stride : lines->line.in_stride) % 2 != 0) return false;
    for (int i = 0; i < lines->loops; i++) {
        const struct dim *loop = &lines->loop[i];
        if ((out ? loop->out_stride : loop->in_stride) % 2 != 0) return false;
    }
    return true;
}

/* Strides of the real side count pairs then. */
static void make_pairs(struct lines *lines, bool out)
{
    if (out) lines->line.out_stride /= 2;
    else lines->line.in_stride /= 2;
    for (int i = 0; i < lines->loops; i++) {
        if (out) lines->loop[i].out_stride /= 2;
        else lines->loop[i].in_stride /= 2;
    }
    lines->first.offset[out] /= 2;
    lines->real_in = lines->real_out = false;
}

/* Numbers of two reals each. */
static void pair_positions(struct lines *lines, bool out)
{
    lines->pair_position = lines->position[out].line;
    lines->position[out].line *= 2;
    (out ? &lines->out_map : &lines->in_map)->line *= 2;
    lines->range_pair = 1;
}

/* n / 2 complex numbers out of the reals, their transform, and what is left to make of it: where a
 * tile has the whole line as it writes it, otherwise in a sweep. */
static void lower_even_forward(struct lowering *l, const struct plan_node *node,
                               const struct lines *lines)
{
    const int64_t h = node->n / 2;
    struct lines halves = *lines;
    halves.real_in = true;
    halves.pair = lines->line.in_stride;
    halves.line = (struct dim){h, 2 * halves.pair, lines->line.out_stride};
    pair_positions(&halves, false);
    if (makes_pairs(l, &halves, false)) make_pairs(&halves, false);
    if (lowering_spreads(node)) {
        halves.half_out = PASS_HALF_SPREAD;
        algorithm_lower_inner(l, node->child[0], &halves);
        return;
    }
    halves = lowering_place_work(l, &halves, h);
    halves.to = PASS_WORK;
    lines_place_whole(&halves, true);
    algorithm_lower_inner(l, node->child[0], &halves);

    struct lines unfold = *lines;
    unfold.from = PASS_WORK;
    lines_place_whole(&unfold, false);
    unfold.line = (struct dim){h + 1, halves.line.out_stride, lines->line.out_stride};
    for (int i = 0; i < lines->loops; i++) unfold.loop[i].in_stride = halves.loop[i].out_stride;
    unfold.half_in = PASS_HALF_UNFOLD;
    unfold.half_stride = unfold.line.in_stride;
    lowering_copy(l, &unfold);
}

static void lower_even_backward(struct lowering *l, const struct plan_node *node,
                                const struct lines *lines)
{
    struct lines halves = *lines;
    halves.half_in = PASS_HALF_FOLD;
    halves.half_stride = lines->line.in_stride;
    halves.real_out = true;
    halves.pair = lines->line.out_stride;
    halves.line = (struct dim){node->n / 2, lines->line.in_stride, 2 * halves.pair};
    pair_positions(&halves, true);
    if (makes_pairs(l, &halves, true)) make_pairs(&halves, true);
    algorithm_lower_inner(l, node->child[0], &halves);
}

/* A line without imaginary parts. */
static void lower_lone(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                       bool forward)
{
    struct lines whole = *lines;
    whole.real_in = forward;
    whole.real_out = !forward;
    whole.lone = true;
    whole.half_in = forward ? PASS_NO_HALF : PASS_HALF_EXTEND;
    whole.half_out = forward ? PASS_HALF_CUT : PASS_NO_HALF;
    whole.half_stride = lines->line.in_stride;
    algorithm_lower_inner(l, node->child[0], &whole);
}

/* Two neighbours along the loop as one complex line. */
static void lower_pairs(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                        int loop, bool forward)
{
    struct lines two = *lines;
    struct dim *dim = &two.loop[loop];
    two.real_in = forward;
    two.real_out = !forward;
    two.half_in = forward ? PASS_NO_HALF : PASS_HALF_JOIN;
    two.half_out = forward ? PASS_HALF_PART : PASS_NO_HALF;
    two.half_stride = lines->line.in_stride;
    two.half_pair = forward ? dim->out_stride : dim->in_stride;
    two.pair = forward ? dim->in_stride : dim->out_stride;
    *dim = (struct dim){dim->n / 2, 2 * dim->in_stride, 2 * dim->out_stride};
    if (makes_pairs(l, &two, !forward)) make_pairs(&two, !forward);
    algorithm_lower_inner(l, node->child[0], &two);
}

/* The last of a loop's lines alone. */
static void lower_last(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                       int loop, bool forward)
{
    struct lines last = *lines;
    const struct dim *dim = &lines->loop[loop];
    last.goes_on = true;
    last.first.offset[0] += (dim->n - 1) * dim->in_stride;
    last.first.offset[1] += (dim->n - 1) * dim->out_stride;
    for (int i = loop; i + 1 < last.loops; i++)
        last.loop[i] = last.loop[i + 1];
    last.loops--;
    lower_lone(l, node, &last, forward);
}

/* The loop whose lines are best taken two by two: of those that leave none over, or of all, the
 * longest. -1: there is none. */
static int loop_of_pairs(const struct lines *lines)
{
    int best = -1;
    for (int i = 0; i < lines->loops; i++) {
        const int64_t n = lines->loop[i].n, most = best < 0 ? 1 : lines->loop[best].n;
        const bool even = n % 2 == 0, best_even = best >= 0 && most % 2 == 0;
        if (n > 1 && (even == best_even ? n > most : even)) best = i;
    }
    return best;
}

/* Lines two by two where a tile has them whole, otherwise one by one. */
static void lower_odd(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                      bool forward)
{
    /* What is stored otherwise than computed with, or not all there, is copied line by line. */
    const bool stored =
        l->program->problem.side[forward].storage != 0 || lines->range[forward].count > 0;
    /* A hook is told of one element at a time. */
    const bool hooked = l->program->problem.hooks.dims > 0;
    const int loop = lowering_spreads(node) && !stored && !hooked ? loop_of_pairs(lines) : -1;
    if (loop < 0) {
        lower_lone(l, node, lines, forward);
        return;
    }
    lower_pairs(l, node, lines, loop, forward);
    if (lines->loop[loop].n % 2 != 0) lower_last(l, node, lines, loop, forward);
}

/* ---- the axis in two passes ---- */

/* Of so many pairs of lines that lie beside each other, how many neighbours are the first of their
 * pairs, so many being their second ones. Numbers of either are a run then: two in turns are parts
 * of sectors on a GPU. 0: two neighbours are a pair. */
static int64_t group_of_pairs(const struct lowering *l, int64_t pairs)
{
    const int64_t bytes = 2 * precision_bytes(l->program->problem.precision);
    const int64_t wanted = l->limits->coalescing_bytes / bytes, sector = wanted / 2;
    if (l->limits->vector_bytes > 0 || sector < 1) return 0;
    for (int64_t group = wanted; group <= 2 * wanted; group += sector) {
        if (pairs % group == 0) return group;
    }
    for (int64_t group = wanted - sector; group >= sector; group -= sector) {
        if (pairs % group == 0) return group;
    }
    return 0;
}

/* Makes loop[0], which counts single lines, one or two of pairs. Returns how many lines there are
 * from one of a pair to the other. */
static int64_t pair_lines(struct lowering *l, struct lines *lines)
{
    const struct dim one = lines->loop[0];
    const int64_t group = group_of_pairs(l, one.n / 2), first = group > 0 ? group : 1;
    lines->loop[0] =
        (struct dim){one.n / 2 / first, 2 * first * one.in_stride, 2 * first * one.out_stride};
    const int64_t in_number = lines->in_map.loop[0], out_number = lines->out_map.loop[0];
    lines->in_map.loop[0] *= 2 * first;
    lines->out_map.loop[0] *= 2 * first;
    lines->range_pair = first; /* its numbers are those of lines */
    if (group == 0) return 1;
    lines_prepend(l, lines, (struct dim){group, one.in_stride, one.out_stride});
    lines->in_map.loop[0] = in_number;
    lines->out_map.loop[0] = out_number;
    lines->twiddle_loop = 0;
    lines->twiddle_group = group;
    lines->group_loop = 1;
    return group;
}

/* Two columns at once, each row up to the middle one; then these rows, which have the others'
 * conjugates. */
static void lower_halves_forward(struct lowering *l, const struct plan_node *node,
                                 const struct lines *lines)
{
    const struct plan_node *split = node->child[0];
    const int64_t n1 = split->child[0]->n, n2 = split->child[1]->n, kept = n1 / 2 + 1;
    struct lowering_cut cut = lowering_cut(l, lines, kept, n2);
    struct lines *columns = &cut.columns, rows = cut.rest;
    columns->line.n = n1;
    const int64_t apart = pair_lines(l, columns);
    columns->twiddle_order = node->n;
    columns->real_in = true;
    columns->pair = apart * lines->line.in_stride;
    columns->half_out = PASS_HALF_PART;
    columns->half_n = n1;
    columns->half_pair = apart * cut.unit;
    if (makes_pairs(l, columns, false)) make_pairs(columns, false);
    algorithm_lower(l, split->child[0], columns);

    rows.line = (struct dim){n2, cut.unit, n1 * lines->line.out_stride};
    lines_prepend(l, &rows, (struct dim){kept, cut.pitch, lines->line.out_stride});
    rows.out_map.line = n1 * lines->out_map.line;
    rows.out_map.loop[0] = lines->out_map.line;
    rows.half_out = PASS_HALF_REFLECT;
    rows.half_rows = n1;
    algorithm_lower(l, split->child[1], &rows);
}

/* Columns up to the middle one, then two rows at once. */
static void lower_halves_backward(struct lowering *l, const struct plan_node *node,
                                  const struct lines *lines)
{
    const struct plan_node *split = node->child[0];
    const int64_t n1 = split->child[0]->n, n2 = split->child[1]->n, kept = n2 / 2 + 1;
    struct lowering_cut cut = lowering_cut(l, lines, n1, kept);
    struct lines *columns = &cut.columns, rows = cut.rest;
    columns->line.in_stride = n2 * lines->line.in_stride;
    columns->twiddle_order = node->n;
    columns->in_map.line = n2 * lines->in_map.line;
    columns->half_in = PASS_HALF_EXTEND;
    columns->half_stride = lines->line.in_stride;
    algorithm_lower(l, split->child[0], columns);

    rows.line = (struct dim){n2, cut.unit, n1 * lines->line.out_stride};
    lines_prepend(l, &rows, (struct dim){n1, cut.pitch, lines->line.out_stride});
    rows.out_map.line = n1 * lines->out_map.line;
    rows.out_map.loop[0] = lines->out_map.line;
    const int64_t apart = pair_lines(l, &rows);
    rows.real_out = true;
    rows.pair = apart * lines->line.out_stride;
    rows.half_in = PASS_HALF_JOIN;
    rows.half_n = n2;
    rows.half_stride = cut.unit;
    rows.half_pair = apart * cut.pitch;
    if (makes_pairs(l, &rows, true)) make_pairs(&rows, true);
    algorithm_lower(l, split->child[1], &rows);
}

void real_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    const bool forward = l->problem->kind == WEFT_R2C;
    struct lines real = *lines;
    real.one_way = true;
    real.half_n = node->n;
    const bool halves = lowering_halves(node, forward);
    if (halves && forward) lower_halves_forward(l, node, &real);
    else if (halves) lower_halves_backward(l, node, &real);
    else if (node->n % 2 != 0) lower_odd(l, node, &real, forward);
    else if (forward) lower_even_forward(l, node, &real);
    else lower_even_backward(l, node, &real);
}

/* ---- the problem ---- */

/* The axes but for the real one, as a problem on the complex side. */
static struct problem complex_part(const struct problem *p)
{
    struct problem rest = *p;
    const bool half_out = p->kind == WEFT_R2C;
    rest.kind = WEFT_C2C;
    rest.axes = p->axes - 1;
    for (int out = 0; out < 2; out++)
        rest.hooks.loop[out][rest.loops] = p->hooks.axis[out][rest.axes];
    rest.repeated[rest.loops] = p->range[half_out][rest.axes];
    rest.loop[rest.loops] = p->axis[rest.axes];
    rest.loop[rest.loops++].n = p->axis[rest.axes].n / 2 + 1;
    for (int i = 0; i < rest.axes + rest.loops; i++) {
        struct dim *dim = i < rest.axes ? &rest.axis[i] : &rest.loop[i - rest.axes];
        if (half_out) dim->in_stride = dim->out_stride;
        else dim->out_stride = dim->in_stride;
    }
    return rest;
}

/* The real axis alone, repeated over the others. */
static struct problem real_part(const struct problem *p)
{
    struct problem real = *p;
    real.axes = 1;
    real.axis[0] = p->axis[p->axes - 1];
    for (int out = 0; out < 2; out++) {
        real.range[out][0] = p->range[out][p->axes - 1];
        real.hooks.axis[out][0] = p->hooks.axis[out][p->axes - 1];
        for (int i = 0; i < p->axes - 1; i++)
            real.hooks.loop[out][p->loops + i] = p->hooks.axis[out][i];
    }
    for (int i = 0; i < p->axes - 1; i++) {
        real.repeated[real.loops] = p->range[p->kind == WEFT_C2R][i];
        real.loop[real.loops++] = p->axis[i];
    }
    return real;
}

/* Puts the complex side into PASS_WORK, packed: one part's output, the other's input. */
static void place_between(struct lowering *l, struct problem *rest, struct problem *real)
{
    int64_t size = rest->loop[rest->loops - 1].n;
    rest->loop[rest->loops - 1].out_stride = real->axis[0].in_stride = 1;
    for (int i = real->loops - 1; i >= 0; i--) {
        const int axis = i - (real->loops - rest->axes);
        struct dim *dim = axis >= 0 ? &rest->axis[axis] : &rest->loop[i];
        dim->out_stride = real->loop[i].in_stride = size;
        if (!checked_multiply(size, dim->n, &size)) l->failed = true;
    }
    const int64_t bytes = 2 * precision_bytes(rest->precision);
    if (size > l->limits->largest_buffer / bytes) l->failed = true;
    if (size > l->program->work_elements) l->program->work_elements = size;
}

static void lower_part(struct lowering *l, const struct problem *problem, enum pass_place from,
                       enum pass_place to, const struct plan_node *tree)
{
    l->problem = problem;
    l->from = from;
    l->to = to;
    axes_lower(l, tree);
}

void real_stages_lower(struct lowering *l, const struct plan_node *tree)
{
    const struct problem *p = l->problem;
    const struct plan_node *axis = tree->kind == PLAN_AXES ? tree->child[tree->children - 1] : tree;
    struct problem real = real_part(p), rest = complex_part(p);
    /* Spectra are folded from both their ends, but the hook wants each element once. */
    const bool sweeps = p->kind == WEFT_C2R && hook_exists(&p->hooks, false);
    if (p->axes == 1 && !sweeps) {
        lower_part(l, &real, PASS_INPUT, PASS_OUTPUT, axis);
    } else if (p->kind == WEFT_R2C) {
        lower_part(l, &real, PASS_INPUT, PASS_OUTPUT, axis);
        lower_part(l, &rest, PASS_OUTPUT, PASS_OUTPUT, tree);
    } else {
        place_between(l, &rest, &real);
        if (rest.axes == 0) copy_stages_lower(l, &rest, PASS_INPUT, PASS_WORK, false);
        else lower_part(l, &rest, PASS_INPUT, PASS_WORK, tree);
        lower_part(l, &real, PASS_WORK, PASS_OUTPUT, axis);
    }
}
