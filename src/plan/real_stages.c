/* A problem with a real axis, the last one: that axis, and the others on the complex side, which is
 * the output, or what lies between input and output. On a CPU as many of the last ones as a cache
 * holds a part of are taken together, step by step. */
#include "base/checked.h"
#include "plan/algorithm.h"
#include "plan/draft.h"
#include "plan/lower.h"
#include "plan/steps.h"
#include "plan/stride.h"
#include "spec/far.h"

/* The axes but for the last ones, the real one among them, as a problem on the complex side. */
static struct problem complex_part(const struct problem *p, int last)
{
    struct problem rest = *p;
    const bool half_out = p->kind == WEFT_R2C;
    rest.kind = WEFT_C2C;
    rest.axes = p->axes - last;
    for (int i = rest.axes; i < p->axes; i++) {
        for (int out = 0; out < 2; out++)
            rest.hooks.loop[out][rest.loops] = p->hooks.axis[out][i];
        rest.repeated[rest.loops] = p->range[half_out][i];
        rest.loop[rest.loops++] = p->axis[i];
    }
    rest.loop[rest.loops - 1].n = p->axis[p->axes - 1].n / 2 + 1;
    for (int i = 0; i < rest.axes + rest.loops; i++) {
        struct dim *dim = i < rest.axes ? &rest.axis[i] : &rest.loop[i - rest.axes];
        if (half_out)
            dim->in_stride = dim->out_stride;
        else
            dim->out_stride = dim->in_stride;
    }
    return rest;
}

/* The last axes alone, repeated over the others. */
static struct problem real_part(const struct problem *p, int last)
{
    struct problem real = *p;
    const int others = p->axes - last;
    real.axes = last;
    for (int i = 0; i < last; i++)
        real.axis[i] = p->axis[others + i];
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < last; i++) {
            real.range[out][i] = p->range[out][others + i];
            real.hooks.axis[out][i] = p->hooks.axis[out][others + i];
        }
        for (int i = 0; i < others; i++)
            real.hooks.loop[out][p->loops + i] = p->hooks.axis[out][i];
    }
    for (int i = 0; i < others; i++) {
        real.repeated[real.loops] = p->range[p->kind == WEFT_C2R][i];
        real.loop[real.loops++] = p->axis[i];
    }
    return real;
}

/* Whether axes may be taken together but for ranges: where nothing but the axes themselves asks for
 * an order. */
static bool may_go_in_steps(const struct lowering *l, const struct plan_node *tree)
{
    const struct problem *p = l->problem;
    return l->limits->vector_bytes > 0 && tree->kind == PLAN_AXES && p->hooks.dims == 0 &&
           !p->side[0].storage && !p->side[1].storage && !p->side[0].texels.format &&
           !p->side[1].texels.format;
}

static bool goes_in_steps(const struct lowering *l, const struct plan_node *tree)
{
    return may_go_in_steps(l, tree) && !problem_has_ranges(l->problem);
}

/* What the slowest axis' columns leave begins with lines of the cache where they can write past it,
 * and on a GPU with transactions, or each would be written in parts of sectors. `packed`: elements
 * of what the axis is repeated over. */
static int64_t slowest_stride(struct lowering *l, const struct problem *p,
                              const struct plan_node *tree, int64_t packed)
{
    const int64_t line = l->limits->coalescing_bytes / (2 * precision_bytes(p->precision));
    const int64_t whole = line > 0 ? (packed + line - 1) / line * line : packed;
    const struct dim axis = {p->axis[0].n, p->axis[0].in_stride, whole};
    if (p->axes < 2) return packed;
    if (l->limits->vector_bytes == 0) return whole;
    if (!goes_in_steps(l, tree)) return packed;
    return axes_stream_columns(l, tree->child[0], &axis, PASS_WORK) ? whole : packed;
}

/* Whether the images of that loop are nearer each other at both ends than numbers of the last axis:
 * then they are between the passes, too, so that those of a CPU take them as lanes. (Experiment
 * "images beside each other" in docs/experiments.) */
static bool are_nearer(const struct lowering *l, const struct problem *p, const struct dim *loop)
{
    const struct dim *axis = &p->axis[p->axes - 1];
    return l->limits->vector_bytes > 0 && loop->n > 1 &&
           magnitude(loop->in_stride) < magnitude(axis->in_stride) &&
           magnitude(loop->out_stride) < magnitude(axis->out_stride);
}

/* Places the loops that are nearer, or the others, behind `size` elements. Returns how many there
 * are then. */
static int64_t place_repeats(struct lowering *l, const struct problem *p, bool nearer, int64_t size,
                             struct problem *placed)
{
    for (int i = p->loops - 1; i >= 0; i--) {
        if (are_nearer(l, p, &p->loop[i]) != nearer) continue;
        placed->loop[i].in_stride = size;
        if (!checked_multiply(size, p->loop[i].n, &size)) l->failed = true;
    }
    return size;
}

/* Places all. Without a tree, which is yet to be found, its slowest axis is as any other. Returns
 * how many elements there are then. */
static int64_t place_all(struct lowering *l, const struct problem *p, const struct plan_node *tree,
                         struct problem *placed)
{
    int64_t size = place_repeats(l, p, true, 1, placed);
    for (int i = p->axes - 1; i >= 0; i--) {
        const int64_t n = i == p->axes - 1 ? p->axis[i].n / 2 + 1 : p->axis[i].n;
        if (i == 0 && tree) size = slowest_stride(l, p, tree, size);
        placed->axis[i].in_stride = size;
        if (!checked_multiply(size, n, &size)) l->failed = true;
    }
    return place_repeats(l, p, false, size, placed);
}

bool real_stages_between(const struct problem *p, const struct limits *limits,
                         struct problem *placed)
{
    struct lowering l = {.limits = limits};
    *placed = *p;
    if (p->kind != WEFT_C2R || p->axes < 2 || limits->vector_bytes == 0) return false;
    place_all(&l, p, NULL, placed);
    return !l.failed;
}

/* The problem as it goes on from PASS_WORK, where its complex side is packed. */
static struct problem place_between(struct lowering *l, const struct problem *p,
                                    const struct plan_node *tree)
{
    struct problem placed = *p;
    const int64_t size = place_all(l, p, tree, &placed);
    const int64_t bytes = 2 * precision_bytes(p->precision);
    if (size > l->limits->largest_buffer / bytes) l->failed = true;
    if (size > l->program->work_elements) l->program->work_elements = size;
    return placed;
}

static void lower_part(struct lowering *l, const struct problem *problem, enum pass_place from,
                       enum pass_place to, const struct plan_node *tree)
{
    l->problem = problem;
    l->from = from;
    l->to = to;
    axes_lower(l, tree);
}

static void lower_drafted(struct lowering *l, const struct problem *p, const struct plan_node *tree,
                          const struct plan_node *axis)
{
    const int last = plan_axes(axis);
    const struct problem real = real_part(l->drafted, last);
    const struct problem between = complex_part(l->drafted, last);
    struct problem rest = complex_part(p, last);
    rest = draft_onwards(&rest, &between);
    l->drafted = NULL;
    lower_part(l, &real, PASS_INPUT, PASS_DRAFT, axis);
    l->drafted = &between;
    lower_part(l, &rest, PASS_DRAFT, PASS_OUTPUT, tree);
    l->drafted = NULL;
}

/* ---- in steps ---- */

/* The problem as numbers throughout. */
static struct problem halved(const struct problem *p)
{
    struct problem numbers = *p;
    struct dim *reals = &numbers.axis[p->axes - 1];
    numbers.kind = WEFT_C2C;
    reals->n = reals->n / 2 + 1;
    return numbers;
}

/* What a step does. */
static struct problem step_of(const struct problem *p, int first, const struct repeats *repeats)
{
    struct problem step = *p;
    step.axes = p->axes - first;
    for (int i = 0; i < step.axes; i++)
        step.axis[i] = p->axis[first + i];
    step.loops = repeats->inside;
    for (int i = 0; i < step.loops; i++)
        step.loop[i] = repeats->in[i].dim;
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < step.axes; i++)
            step.range[out][i] = p->range[out][first + i];
    }
    return step;
}

/* What the lines of axis `transformed` are repeated over: the run that there is of the i-th of axes
 * and loops at that time. */
static struct placed_dim other_dim(const struct problem *p, int i, int transformed,
                                   struct first_line *first)
{
    const bool axis = i < p->axes;
    const int loop = i - p->axes;
    struct range run[2];
    if (axis)
        (void)range_runs(steps_range(p, i, transformed), p->axis[i].n, run);
    else
        (void)range_runs(p->repeated[loop], p->loop[loop].n, run);
    return placed_run(axis ? placed_axis(p, i) : placed_loop(p, loop), run[0], first);
}

/* Where lines come from and go to, and what comes before the first of them there. */
struct ends {
    enum pass_place from, to;
    struct first_line first;
};

/* The lines of an axis, in a stage that has begun. */
static void lower_axis(struct lowering *l, const struct problem *p, int axis,
                       const struct plan_node *node, const struct ends *ends)
{
    struct lines lines = {.from = ends->from, .to = ends->to, .first = ends->first};
    lines_set_axis(&lines, p, axis);
    for (int i = 0; i < p->axes + p->loops; i++) {
        if (i == axis) continue;
        const struct placed_dim dim = other_dim(p, i, axis, &lines.first);
        lines_prepend_placed(l, &lines, &dim);
    }
    const struct problem *whole = l->problem;
    l->problem = p;
    algorithm_lower(l, node, &lines);
    l->problem = whole;
}

/* The complex axes of a step, others than the last of them in place. */
static void lower_complex(struct lowering *l, const struct problem *rest,
                          const struct plan_node *const *child, const struct ends *ends)
{
    const struct problem onwards = draft_onwards(rest, rest);
    const int64_t offset = ends->first.offset[1];
    const struct ends again = {ends->to, ends->to, {{offset, offset}, {0, 0}}};
    for (int i = rest->axes - 1; i >= 0; i--) {
        const bool begins = i == rest->axes - 1;
        lower_axis(l, begins ? rest : &onwards, i, child[i], begins ? ends : &again);
    }
}

/* All that a stage does to axes from `first` on. */
static void lower_step(struct lowering *l, const struct problem *p, const struct plan_node *tree,
                       int first)
{
    const bool forward = p->kind == WEFT_R2C, whole = first == 0 && !forward;
    const struct plan_node *const *child = &tree->child[first];
    const struct problem numbers = halved(p), *outer = l->problem;
    l->problem = &numbers;
    struct first_line none = {{0, 0}, {0, 0}};
    const struct repeats repeats = steps_repeats(l, tree, first, &none);
    l->problem = outer;
    const struct problem step = step_of(p, first, &repeats);
    const enum pass_place from = first == 0 || forward ? PASS_INPUT : PASS_WORK;
    struct program_stage *stage = lowering_stage(l, from, PASS_OUTPUT);
    stage->outers = repeats.outside;
    for (int i = 0; i < repeats.outside; i++)
        stage->outer[i] = repeats.out[i].dim;
    l->problem = &step;
    const struct problem placed = whole ? place_between(l, &step, tree) : step;
    const struct problem rest = complex_part(&step, 1), between = complex_part(&placed, 1);
    const struct problem real = real_part(&placed, 1), moved = draft_towards(&rest, &between);
    const struct plan_node *const axis = child[step.axes - 1];
    const enum pass_place between_axes = forward ? PASS_OUTPUT : PASS_WORK;
    const struct ends begin = {.from = from, .to = between_axes};
    const struct ends end = {.from = between_axes, .to = PASS_OUTPUT};
    if (forward) {
        lower_axis(l, &real, 0, axis, &begin);
        lower_complex(l, &rest, child, &end);
    } else {
        lower_complex(l, whole ? &moved : &rest, child, &begin);
        lower_axis(l, &real, 0, axis, &end);
    }
    stage->passes = l->program->passes - stage->first;
}

/* The slowest axes by themselves, the others in steps. */
static void lower_steps(struct lowering *l, const struct problem *p, const struct plan_node *tree)
{
    const struct problem numbers = halved(p);
    l->problem = &numbers;
    const int first = steps_first_axis(l, tree), others = p->axes - first;
    const struct problem rest = complex_part(p, others);
    if (p->kind == WEFT_R2C) {
        lower_step(l, p, tree, first);
        if (first > 0) lower_part(l, &rest, PASS_OUTPUT, PASS_OUTPUT, tree);
        return;
    }
    if (first == 0) {
        lower_step(l, p, tree, first);
        return;
    }
    const struct problem placed = place_between(l, p, tree);
    const struct problem between = complex_part(&placed, others);
    const struct problem moved = draft_towards(&rest, &between);
    lower_part(l, &moved, PASS_INPUT, PASS_WORK, tree);
    lower_step(l, &placed, tree, first);
}

/* ---- in steps, back from spectra with ranges ---- */

/* The way to half spectra, which takes the last axis first: so the slowest axes, before `first`,
 * which the way back takes first, have the output's ranges while a step is done. Others as a
 * whole: so much of them is written to a step's own memory. */
static struct problem mirrored(const struct problem *p, int first)
{
    struct problem numbers = halved(p);
    for (int i = 0; i < p->axes; i++) {
        numbers.range[0][i] = i < first ? p->range[1][i] : (struct range){0, 0};
        numbers.range[1][i] = p->range[0][i];
    }
    return numbers;
}

/* The first of the axes that steps take; the last one: no others are taken with it. */
static int first_axis_of_ranges(struct lowering *l, const struct problem *p,
                                const struct plan_node *tree)
{
    const struct problem numbers = mirrored(p, p->axes - 1);
    l->problem = &numbers;
    l->mirrored = true;
    const int first = steps_first_axis(l, tree);
    l->mirrored = false;
    l->problem = p;
    return first;
}

/* Whether all of the slowest axes is written to the draft, whatever the output wants of it: where
 * that goes past the caches it takes less than copies of what is wanted. (Experiment "ranges of
 * half spectra" in docs/experiments.) */
static bool drafts_whole(const struct lowering *l, const struct problem *p, int first)
{
    return first > 1 || ranges_are_far(l->limits, p, FAR_RANGES);
}

/* The problem as it goes on from a draft of what ranges leave behind the slowest axes. */
static struct problem draft_between(struct lowering *l, const struct problem *p, int first)
{
    const struct problem numbers = mirrored(p, drafts_whole(l, p, first) ? 0 : first);
    l->mirrored = true;
    const struct problem drafted = draft_pack_ranges(l, &numbers, first, first - 1);
    l->mirrored = false;
    l->program->draft_half = true;
    return draft_onwards(p, &drafted);
}

/* What a stage does to axes from `first` on: those of numbers to memory of the step's own, and the
 * last one from there to the output. */
static void lower_step_of_ranges(struct lowering *l, const struct problem *p,
                                 const struct plan_node *tree, int first)
{
    const enum pass_place from = first == 0 ? PASS_INPUT : PASS_DRAFT;
    const struct problem numbers = mirrored(p, first);
    struct first_line begin = {{0, 0}, {0, 0}};
    l->problem = &numbers;
    l->mirrored = true;
    const struct repeats repeats = steps_repeats(l, tree, first, &begin);
    struct program_stage *stage = lowering_stage(l, from, PASS_OUTPUT);
    stage->outers = repeats.outside;
    for (int i = 0; i < repeats.outside; i++)
        stage->outer[i] = repeats.out[i].dim;
    const struct problem step = step_of(p, first, &repeats);
    const struct problem spectra = halved(&step);
    const struct problem packed = draft_pack_step(l, &spectra);
    const struct problem placed = draft_onwards(&step, &packed);
    l->mirrored = false;
    const struct problem rest = complex_part(&step, 1), between = complex_part(&placed, 1);
    const struct problem real = real_part(&placed, 1), moved = draft_towards(&rest, &between);
    const struct ends to_work = {from, PASS_WORK, {{begin.offset[0], 0}, {0, 0}}};
    const struct ends from_work = {PASS_WORK, PASS_OUTPUT, {{0, begin.offset[1]}, {0, 0}}};
    l->problem = &step;
    lower_complex(l, &moved, &tree->child[first], &to_work);
    lower_axis(l, &real, 0, tree->child[p->axes - 1], &from_work);
    stage->passes = l->program->passes - stage->first;
}

/* The slowest axes by themselves, to a draft, the others in steps. */
static void lower_ranges(struct lowering *l, const struct problem *p, const struct plan_node *tree,
                         int first)
{
    struct problem placed = *p;
    if (first > 0) {
        placed = draft_between(l, p, first);
        const struct problem between = complex_part(&placed, p->axes - first);
        struct problem rest = complex_part(p, p->axes - first);
        for (int i = 0; drafts_whole(l, p, first) && i < first; i++)
            rest.range[1][i] = (struct range){0, 0};
        const struct problem moved = draft_towards(&rest, &between);
        lower_part(l, &moved, PASS_INPUT, PASS_DRAFT, tree);
    }
    lower_step_of_ranges(l, &placed, tree, first);
}

/* Whether steps of ranges take axes besides the last: from axis *first on. (Experiment "ranges of
 * half spectra" in docs/experiments.) */
static bool takes_ranges(struct lowering *l, const struct problem *p, const struct plan_node *tree,
                         int *first)
{
    if (p->kind != WEFT_C2R || !may_go_in_steps(l, tree) || problem_wraps(p)) return false;
    if (!ranges_are_far(l->limits, p, HALF_RANGES)) return false;
    *first = first_axis_of_ranges(l, p, tree);
    return *first < p->axes - 1;
}

/* ---- the problem ---- */

void real_stages_lower(struct lowering *l, const struct plan_node *tree)
{
    const struct problem *p = l->problem;
    const struct plan_node *axis = tree->kind == PLAN_AXES ? tree->child[tree->children - 1] : tree;
    const int last = plan_axes(axis);
    const struct problem real = real_part(p, last), rest = complex_part(p, last);
    /* Spectra are folded from both their ends, but the hook wants each element once. */
    const bool sweeps = p->kind == WEFT_C2R && hook_exists(&p->hooks, false);
    int first = 0;
    if (p->axes == last && !sweeps) {
        lower_part(l, &real, PASS_INPUT, PASS_OUTPUT, axis);
    } else if (l->drafted) {
        lower_drafted(l, p, tree, axis);
    } else if (p->axes > last && goes_in_steps(l, tree)) {
        lower_steps(l, p, tree);
    } else if (p->axes > last && takes_ranges(l, p, tree, &first)) {
        lower_ranges(l, p, tree, first);
    } else if (p->kind == WEFT_R2C) {
        lower_part(l, &real, PASS_INPUT, PASS_OUTPUT, axis);
        lower_part(l, &rest, PASS_OUTPUT, PASS_OUTPUT, tree);
    } else {
        const struct problem placed = place_between(l, p, tree);
        const struct problem between = complex_part(&placed, last);
        const struct problem onwards = real_part(&placed, last);
        const struct problem moved = draft_towards(&rest, &between);
        if (rest.axes == 0)
            copy_stages_lower(l, &moved, PASS_INPUT, PASS_WORK, false);
        else
            lower_part(l, &moved, PASS_INPUT, PASS_WORK, tree);
        lower_part(l, &onwards, PASS_WORK, PASS_OUTPUT, axis);
    }
    l->problem = p;
}
