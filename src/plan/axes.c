/* Several axes: the last from input to output, the others in place, as many of them together over
 * one part of the array as that part stays in a cache. */
#include <string.h>

#include "plan/algorithm.h"
#include "plan/draft.h"
#include "plan/lay.h"
#include "plan/lower.h"
#include "plan/steps.h"
#include "plan/stride.h"
#include "spec/far.h"

static void add_fold(struct lines *lines, const struct problem *p, int axis)
{
    const struct placed_dim fold = placed_axis(p, axis);
    for (int out = 0; out < 2; out++)
        lines->fold_position[out][lines->folds] = fold.position[out];
    lines->fold[lines->folds++] = fold.dim;
}

void lines_set_axis(struct lines *lines, const struct problem *p, int axis)
{
    const struct placed_dim line = placed_axis(p, axis);
    lines->kind = problem_axis_kind(p, axis);
    lines_set_line(lines, &line);
    lines->in_map = lines->out_map = (struct pass_map){.line = 1};
    for (int out = 0; out < 2; out++) {
        lines->range[out] = p->range[out][axis];
        lines->range_n[out] = problem_side_length(p, out, axis);
    }
}

static void lower_part(struct lowering *l, const struct part *part, const struct group *group,
                       const struct repeats *repeats, const struct first_line *first, bool in_place)
{
    const struct problem *p = l->problem;
    struct lines lines = {.from = l->from, .to = l->to, .first = *first};
    lines_set_axis(&lines, p, part->last);
    for (int i = part->last - 1; i >= part->first; i--)
        add_fold(&lines, p, i);
    for (int i = group->first; i <= group->last; i++) {
        if (i >= part->first && i <= part->last) continue;
        struct range run[2];
        (void)range_runs(steps_range(p, i, part->last), p->axis[i].n, run);
        const struct placed_dim axis = placed_run(placed_axis(p, i), run[0], &lines.first);
        lines_prepend_placed(l, &lines, &axis);
    }
    for (int i = 0; i < repeats->inside; i++)
        lines_prepend_placed(l, &lines, &repeats->in[i]);
    if (in_place) lines_work_in_place(&lines);
    algorithm_lower(l, part->node, &lines);
}

/* Likewise of a group that leaves nothing but its results where it writes. */
static void lower_part_through_work(struct lowering *l, const struct part *part,
                                    const struct group *group, const struct repeats *repeats,
                                    const struct first_line *first)
{
    const bool comes = part->last<group->last, goes = part->first> group->first;
    const enum pass_place from = l->from, to = l->to;
    const struct problem *p = l->problem;
    struct repeats own = *repeats;
    struct first_line begin = *first;
    const struct problem work = draft_within_step(l, group, &own, comes, goes);
    if (comes) begin.offset[0] = 0;
    if (goes) begin.offset[1] = 0;
    if (comes) l->from = PASS_WORK;
    if (goes) l->to = PASS_WORK;
    l->problem = &work;
    lower_part(l, part, group, &own, &begin, false);
    l->problem = p;
    l->from = from;
    l->to = to;
}

static void lower_group(struct lowering *l, const struct plan_node *tree, const struct group *group)
{
    struct program *program = l->program;
    struct first_line first = {{0, 0}, {0, 0}};
    struct repeats repeats = steps_group_repeats(l, tree, group, &first);
    struct program_stage *stage = lowering_stage(l, l->from, l->to);
    stage->goes_on = group->run > 0;
    stage->outers = repeats.outside;
    for (int i = 0; i < repeats.outside; i++) {
        stage->outer[i] = repeats.out[i].dim;
        for (int out = 0; out < 2; out++)
            stage->outer_position[out][i] = repeats.out[i].position[out];
    }
    for (int axis = group->last; axis >= group->first;) {
        struct part part = steps_part(tree, axis);
        const bool in_place = part.last < group->last || !group->begins;
        const bool alone = part.first == group->first && part.last == group->last;
        if (group->works && !alone)
            lower_part_through_work(l, &part, group, &repeats, &first);
        else
            lower_part(l, &part, group, &repeats, &first, in_place);
        axis = part.first - 1;
    }
    stage->passes = program->passes - stage->first;
}

static void lower_runs(struct lowering *l, const struct plan_node *tree, struct group group)
{
    for (; group.run < group.runs; group.run++)
        lower_group(l, tree, &group);
}

/* Whether the lines of an axis are laid one behind the other, by stages of its own. */
static bool is_laid(const struct lowering *l, int axis)
{
    const struct problem single = problem_of_axis(l->problem, axis);
    return l->whole && lay_suits(l->whole, &single, l->limits);
}

/* The first axis that may be taken together with the last one. */
static int first_together(const struct lowering *l, int last, int first)
{
    for (int axis = last; axis > first; axis--) {
        if (is_laid(l, axis - 1)) return axis;
    }
    return first;
}

static void lower_laid(struct lowering *l, const struct plan_node *tree, int axis, bool begins)
{
    const struct problem single = problem_of_axis(l->problem, axis);
    lay_lower(l, steps_part(tree, axis).node, &single, begins ? l->from : l->to);
}

/* Axes of a run, the first of which, the last one, is read where they come from. */
static void lower_groups(struct lowering *l, const struct plan_node *tree, int last, int first)
{
    for (int axis = last; axis >= first;) {
        if (is_laid(l, axis)) {
            lower_laid(l, tree, axis, axis == last);
            axis--;
            continue;
        }
        struct group group = steps_group(l, tree, axis, first_together(l, axis, first));
        group.begins = axis == last;
        lower_runs(l, tree, group);
        axis = group.first - 1;
    }
}

/* All parts but the last to the draft, and that from there to the output. */
static void lower_through_draft(struct lowering *l, const struct plan_node *tree, int last_part)
{
    const struct problem *p = l->problem, onwards = draft_onwards(p, l->drafted);
    l->problem = l->drafted;
    l->to = PASS_DRAFT;
    lower_groups(l, tree, p->axes - 1, last_part + 1);
    l->problem = &onwards;
    l->from = PASS_DRAFT;
    l->to = PASS_OUTPUT;
    lower_groups(l, tree, last_part, 0);
    l->problem = p;
}

static struct group last_group(const struct lowering *l, const struct plan_node *tree)
{
    struct group group = steps_group(l, tree, l->problem->axes - 1, 0);
    while (group.first > 0)
        group = steps_group(l, tree, group.first - 1, 0);
    return group;
}

/* Whether less is wanted of the group's results than there is between its parts. */
static bool leaves_some(const struct problem *p, const struct group *group)
{
    for (int i = group->first; i <= group->last; i++) {
        if (p->range[1][i].count > 0) return true;
    }
    return false;
}

/* Whether the output has no place for what the first group, which has the axes from `begins` on,
 * leaves to others. */
static bool keeps_too_little(const struct problem *p, int begins)
{
    if (begins > 0 && (p->side[1].storage || p->side[1].texels.format)) return true;
    for (int i = 0; i < begins; i++) {
        if (!range_holds(p->range[1][i], p->range[0][i], p->axis[i].n)) return true;
    }
    return false;
}

/* Whether groups behind the first, whose steps are planes, fill more of the output than they find:
 * in place they would fetch lines of it to overwrite them, and not write past the caches.
 * (Experiment "drafts of the input" in docs/experiments.) */
static bool grows_later(const struct problem *p, const struct plan_node *tree,
                        const struct group *first)
{
    if (!steps_on_planes(p, tree, first)) return false;
    for (int i = 0; i < first->first; i++) {
        if (p->range[0][i].count > 0) return true;
    }
    return false;
}

/* Groups of axes of which there are ranges: the first to the draft, the last from there to the
 * output, others in place between them; where the output has room for what lies between and caches
 * hold it, or it does not grow, in place on the output. */
static void lower_ranges(struct lowering *l, const struct plan_node *tree)
{
    const struct problem *p = l->problem;
    const int last = p->axes - 1, ends = last_group(l, tree).last;
    const struct group first = steps_group(l, tree, last, 0);
    const bool far = ranges_are_far(l->limits, p, FAR_RANGES) || draft_is_packed(p);
    const bool near = leaves_some(p, &first) && ranges_are_far(l->limits, p, NEAR_RANGES);
    struct problem drafted = *p, onwards = *p;
    l->loses = far || near ? keeps_too_little(p, first.first) : problem_output_loses(p);
    const bool drafts = far && (l->loses || grows_later(p, tree, &first));
    if (drafts) drafted = draft_pack_ranges(l, p, first.first, ends);
    if (drafts) onwards = draft_onwards(p, &drafted);
    const enum pass_place between = drafts ? PASS_DRAFT : PASS_OUTPUT;
    for (int axis = last; axis >= 0;) {
        l->problem = p;
        struct group group = steps_group(l, tree, axis, 0);
        l->problem = group.first == 0 ? &onwards : &drafted;
        l->from = axis == last ? PASS_INPUT : between;
        l->to = group.first == 0 ? PASS_OUTPUT : between;
        group.begins = l->from != l->to;
        group.works = group.begins && (far || near);
        lower_runs(l, tree, group);
        axis = group.first - 1;
    }
    l->problem = p;
    l->from = PASS_INPUT;
}

/* Both ends take more than this share of the third level, or where a third array follows, which is
 * the output; of the second, both buffers of a tile with a line of the cache of each plane.
 * (Experiments "columns first" and "columns between" in docs/experiments.) */
#define FAR_SHARE     1.1
#define BETWEEN_SHARE 3
#define TILE_SHARE    2

bool axes_stream_columns(const struct lowering *l, const struct plan_node *node,
                         const struct dim *axis, enum pass_place to)
{
    const struct limits *limits = l->limits;
    const struct problem *p = l->problem;
    const int64_t line = limits->coalescing_bytes, bytes = 2 * precision_bytes(p->precision);
    const double share = to == PASS_WORK ? BETWEEN_SHARE : FAR_SHARE;
    return (double)(2 * problem_elements(p) * bytes) > (double)limits->cache_bytes[2] / share &&
           node->kind == PLAN_BLOCK && node->radices > 1 &&
           limits->streamed[node->radix[node->radices - 1]] &&
           axis->out_stride * bytes % line == 0 &&
           4 * axis->n * line <= limits->cache_bytes[1] / TILE_SHARE;
}

/* Whether columns are taken before rows, with which they would find nothing in a cache: who comes
 * first goes from place to place, for which lines
 * of the output are fetched to be overwritten. Results of columns can go past the caches, and rows
 * in place are one stream that is read and written. */
static bool begins_with_columns(const struct lowering *l, const struct plan_node *tree)
{
    const struct problem *p = l->problem;
    const bool plain = p->kind == WEFT_C2C && p->format == WEFT_INTERLEAVED &&
                       !problem_convolves(p) && !problem_has_ranges(p) && !problem_output_loses(p);
    const bool between = l->to == PASS_WORK; /* its rows are those of half a spectrum */
    if (tree->kind != PLAN_AXES || !plain || p->axes < 2) return false;
    if (l->from != PASS_INPUT || (l->to != PASS_OUTPUT && !between)) return false;
    const struct dim *row = between ? &p->loop[p->loops - 1] : &p->axis[p->axes - 1];
    if (row->in_stride != 1 || row->out_stride != 1) return false;
    return axes_stream_columns(l, tree->child[0], &p->axis[0], l->to) &&
           last_group(l, tree).last == 0;
}

/* The slowest axis from input to output, then the others, in place. */
static void lower_columns_first(struct lowering *l, const struct plan_node *tree)
{
    const struct problem *p = l->problem, onwards = draft_onwards(p, p);
    lower_groups(l, tree, 0, 0);
    l->problem = &onwards;
    l->from = l->to;
    lower_groups(l, tree, p->axes - 1, 1);
    l->problem = p;
    l->from = PASS_INPUT;
}

void axes_lower(struct lowering *l, const struct plan_node *tree)
{
    const int last = l->problem->axes - 1, last_part = steps_part(tree, 0).last;
    if (l->drafted && last_part < last)
        lower_through_draft(l, tree, last_part);
    else if (begins_with_columns(l, tree))
        lower_columns_first(l, tree);
    else if (draft_takes_ranges(l->limits, &l->program->problem))
        lower_ranges(l, tree);
    else
        lower_groups(l, tree, last, 0);
}
