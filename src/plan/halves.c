#include "plan/halves.h"

#include "plan/algorithm.h"
#include "plan/draft.h"
#include "spec/kind.h"
#include "spec/lone_lines.h"

/* ---- choosing ---- */

/* Whether a CPU has all elements of the problem as they are in memory. */
static bool is_plain(const struct problem *p, const struct limits *limits)
{
    return limits->vector_bytes > 0 && p->precision != WEFT_DD && p->hooks.dims == 0 &&
           !problem_convolves(p);
}

/* Whether there is a place for lines as a whole, of which the output wants but a range. */
static bool has_place(const struct problem *p)
{
    return !problem_has_range(p, true) || (p->axes == 1 && draft_has_room(p));
}

bool halves_sweep_spectrum(const struct problem *p, const struct limits *limits)
{
    const bool folds = p->kind == WEFT_C2R;
    const struct dim *axis = &p->axis[p->axes - 1];
    if (!is_plain(p, limits) || !has_place(p) || !(folds || p->kind == WEFT_R2C)) return false;
    if (p->format != WEFT_INTERLEAVED || p->side[1].storage != 0) return false;
    if (folds && (p->side[0].storage != 0 || (p->axes == 1 && axis->in_stride != 1))) return false;
    return axis->out_stride == 1;
}

bool halves_sweep_reals(const struct problem *p, const struct limits *limits)
{
    if (!is_plain(p, limits) || !kind_is_trigonometric(p->kind)) return false;
    const int64_t bytes = p->axis[0].n * precision_bytes(p->precision);
    if (p->side[0].storage != 0 || p->side[1].storage != 0) return false;
    if (p->axes != 1 || p->axis[0].in_stride != 1 || p->axis[0].out_stride != 1) return false;
    /* Columns of pairs would be read from memory. */
    return p->kind != WEFT_DHT || p->loops == 0 || 2 * bytes <= limits->cache_bytes[1];
}

void halves_propose_splits(struct search *s, enum plan_kind kind, const struct task *task,
                           bool back, struct candidates *list)
{
    struct candidates splits = {.count = 0};
    struct task reals = *task;
    reals.reflected = kind == PLAN_REAL && !back;
    if (task->n % 4 != 0) return;
    if (s->problem->hooks.dims > 0) return; /* a hook is told of one element at a time */
    split_propose(s, &reals, &splits);
    for (int i = 0; i < splits.count; i++) {
        struct plan_node *node = search_node(s, kind, task->n);
        if (!node) return;
        node->children = 1;
        node->child[0] = splits.node[i];
        node->seconds = splits.node[i]->seconds / 2;
        if (lowering_halves(node, !back)) search_add(list, node);
    }
}

/* Whether a CPU has a block for columns of reals, which go number by number where they are split,
 * or for lines that are laid one behind the other. (Experiments "long columns" and "long lines
 * laid" in docs/experiments.) */
static bool has_column_block(const struct search *s, enum plan_kind kind, const struct task *task,
                             int64_t inner)
{
    const bool laid = long_lines(s->limits, s->problem->precision, inner);
    if (s->limits->vector_bytes == 0 || !task->apart) return false;
    if (kind != PLAN_TRIGONOMETRIC && !laid) return false;
    return search_fits_block(s, inner) && search_smooth(s, inner);
}

void halves_propose(struct search *s, enum plan_kind kind, const struct task *task, int64_t inner,
                    bool back, struct candidates *list)
{
    struct candidates others = {.count = 0};
    const bool block = has_column_block(s, kind, task, inner);
    if (!block) halves_propose_splits(s, kind, task, back, list);
    /* Of very long lines a GPU splits one half of a split once more, which only complex numbers and
     * their way from reals can. */
    const bool deep = s->limits->vector_bytes == 0 && back;
    const bool sweeps = halves_sweep_spectrum(s->problem, s->limits) ||
                        halves_sweep_reals(s->problem, s->limits);
    const bool halves = list->count > 0 && !deep && !sweeps;
    search_propose_around(s, kind, task, inner, &others);
    for (int i = 0; i < others.count; i++) {
        const bool splits = others.node[i]->child[0]->kind == PLAN_SPLIT;
        if (!((halves || block) && splits)) search_add(list, others.node[i]);
    }
}

/* ---- passes ---- */

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
    if (out)
        lines->line.out_stride /= 2;
    else
        lines->line.in_stride /= 2;
    for (int i = 0; i < lines->loops; i++) {
        if (out)
            lines->loop[i].out_stride /= 2;
        else
            lines->loop[i].in_stride /= 2;
    }
    lines->first.offset[out] /= 2;
    lines->real_in = lines->real_out = false;
}

void halves_join_neighbours(const struct lowering *l, struct lines *lines, bool out)
{
    if (makes_pairs(l, lines, out)) make_pairs(lines, out);
}

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

/* The parts of numbers at an end that are two reals: those beside each other; or, of reals that
 * stand for more, what `apart` numbers of the line are. */
static void set_reals(const struct lowering *l, struct lines *lines, int64_t pair, int64_t apart,
                      bool out)
{
    struct reals *reals = &lines->reals[out];
    *(out ? &lines->real_out : &lines->real_in) = true;
    if (!reals->parts || reals_are_line(reals)) {
        reals->parts = 0;
        lines->lone = false;
        lines->pair = pair;
        halves_join_neighbours(l, lines, out);
        return;
    }
    const struct reals_part one = reals->part[0];
    reals->parts = 2;
    reals->part[1] = (struct reals_part){one.at + apart * one.step, one.step};
}

void halves_lower_forward(struct lowering *l, const struct plan_node *node,
                          const struct lines *lines)
{
    const struct plan_node *split = node->child[0];
    const int64_t n1 = split->child[0]->n, n2 = split->child[1]->n, kept = n1 / 2 + 1;
    struct lowering_cut cut = lowering_cut(l, lines, kept, n2);
    struct lines *columns = &cut.columns, rows = cut.rest;
    columns->line.n = n1;
    const int64_t apart = pair_lines(l, columns);
    columns->twiddle_order = node->n;
    columns->half_out = PASS_HALF_PART;
    columns->half_n = n1;
    columns->half_pair = apart * cut.unit;
    set_reals(l, columns, apart * lines->line.in_stride, apart, false);
    algorithm_lower(l, split->child[0], columns);

    rows.line = (struct dim){n2, cut.unit, n1 * lines->line.out_stride};
    lines_prepend(l, &rows, (struct dim){kept, cut.pitch, lines->line.out_stride});
    rows.out_map.line = n1 * lines->out_map.line;
    rows.out_map.loop[0] = lines->out_map.line;
    rows.half_out = PASS_HALF_REFLECT;
    rows.half_rows = n1;
    algorithm_lower(l, split->child[1], &rows);
}

void halves_lower_backward(struct lowering *l, const struct plan_node *node,
                           const struct lines *lines)
{
    const struct plan_node *split = node->child[0];
    const int64_t n1 = split->child[0]->n, n2 = split->child[1]->n, kept = n2 / 2 + 1;
    struct lowering_cut cut = lowering_cut(l, lines, n1, kept);
    struct lines *columns = &cut.columns, rows = cut.rest;
    columns->line.in_stride = n2 * lines->line.in_stride;
    columns->twiddle_order = node->n;
    columns->in_map.line = n2 * lines->in_map.line;
    if (!lines->reals[0].parts) columns->half_in = PASS_HALF_EXTEND;
    columns->half_stride = lines->line.in_stride;
    algorithm_lower(l, split->child[0], columns);

    rows.line = (struct dim){n2, cut.unit, n1 * lines->line.out_stride};
    lines_prepend(l, &rows, (struct dim){n1, cut.pitch, lines->line.out_stride});
    rows.out_map.line = n1 * lines->out_map.line;
    rows.out_map.loop[0] = lines->out_map.line;
    const int64_t apart = pair_lines(l, &rows);
    rows.half_in = PASS_HALF_JOIN;
    rows.half_n = n2;
    rows.half_stride = cut.unit;
    rows.half_pair = apart * cut.pitch;
    set_reals(l, &rows, apart * lines->line.out_stride, apart, true);
    algorithm_lower(l, split->child[1], &rows);
}
