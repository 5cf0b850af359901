/* Several axes: the last from input to output, the others in place, as many of them together over
 * one part of the array as that part stays in a cache. */
#include <string.h>

#include "plan/algorithm.h"
#include "plan/draft.h"
#include "plan/lower.h"
#include "plan/steps.h"
#include "plan/stride.h"

/* Fewer elements than this a step and the passes' overhead shows. */
#define LEAST_STEP_ELEMENTS 1024
/* CPU: lines of the cache that rows of a share have at least where columns are cut, as a whole.
 * (Experiment "shares" in docs/experiments.) */
#define LEAST_SHARE_LINES 8
/* Divisors of a batch are looked for so far, and so far below the batch itself. */
#define MOST_DIVISOR 65536

/* How many repetitions should lie within the passes. */
struct room {
    int64_t least, most;
};

/* Some axes, last to first, that one stage transforms, for one run of each range that it repeats
 * over. */
struct group {
    int first, last; /* of the problem's axes */
    bool begins;     /* no stage before it leaves anything where it writes */
    int runs;        /* that the ranges of the others come to together, */
    int run;         /* and the one of these that is meant */
};

/* What the tree does to some axes at once: one by itself, or a run of them as an image. */
struct part {
    const struct plan_node *node;
    int first, last;
};

/* The part that ends with axis `last`, or that the axis belongs to. */
static struct part part_of(const struct plan_node *tree, int axis)
{
    if (tree->kind != PLAN_AXES) return (struct part){tree, 0, plan_axes(tree) - 1};
    int first = 0, i = 0;
    while (first + plan_axes(tree->child[i]) <= axis)
        first += plan_axes(tree->child[i++]);
    return (struct part){tree->child[i], first, first + plan_axes(tree->child[i]) - 1};
}

/* Bytes that a stage's step may touch and still find in a cache, and that its scratch may take. */
static double step_bytes(const struct lowering *l)
{
    const struct limits *limits = l->limits;
    if (limits->vector_bytes == 0) {
        double quarter = (double)limits->memory_bytes / 4;
        double largest = (double)limits->largest_buffer;
        return quarter < largest ? quarter : largest;
    }
    /* The other half is for what passes through. */
    return (double)limits->cache_bytes[1] / 2;
}

static int64_t group_elements(const struct problem *p, const struct group *group)
{
    int64_t elements = 1;
    for (int i = group->first; i <= group->last; i++)
        elements *= p->axis[i].n;
    return elements;
}

/* Bytes a step touches for one repetition: input, output and scratch. */
static double group_bytes(const struct lowering *l, const struct plan_node *tree,
                          const struct group *group)
{
    const struct problem *p = l->problem;
    double elements = (double)group_elements(p, group), scratch = 0;
    for (int i = group->first; i <= group->last; i++) {
        double padded = (double)lowering_scratch(part_of(tree, i).node);
        double needed = padded * (elements / (double)p->axis[i].n);
        if (needed > scratch) scratch = needed;
    }
    /* On a GPU only scratch counts: what is in memory already need not fit a cache. */
    if (l->limits->vector_bytes == 0) elements = 0;
    return (2 * elements + scratch) * 2 * precision_bytes(p->precision);
}

static bool group_splits(const struct plan_node *tree, const struct group *group)
{
    for (int i = group->first; i <= group->last; i++) {
        if (lowering_scratch(part_of(tree, i).node) > 0) return true;
    }
    return false;
}

/* Of an axis while another is transformed, as it is before its turn and after. */
static struct range repeated_range(const struct problem *p, int axis, int transformed)
{
    return p->range[axis > transformed][axis];
}

/* The dimensions that a group does not transform, the fastest first. */
static int other_dims(const struct problem *p, const struct group *group, struct placed_dim *dim,
                      struct first_line *first)
{
    int count = 0, number = group->run;
    for (int i = 0; i < p->axes; i++) {
        if (i >= group->first && i <= group->last) continue;
        const struct range range = repeated_range(p, i, group->last);
        dim[count++] =
            placed_run(placed_axis(p, i), range_run(range, p->axis[i].n, &number), first);
    }
    for (int i = 0; i < p->loops; i++) {
        dim[count++] = placed_run(placed_loop(p, i),
                                  range_run(p->repeated[i], p->loop[i].n, &number), first);
    }
    for (int i = 1; i < count; i++) {
        for (int j = i; j > 0; j--) {
            if (magnitude(dim[j].dim.out_stride) >= magnitude(dim[j - 1].dim.out_stride)) break;
            struct placed_dim kept = dim[j];
            dim[j] = dim[j - 1];
            dim[j - 1] = kept;
        }
    }
    return count;
}

/* The largest divisor of n that is at most `most`, or, if that is below `least`, the smallest that
 * is not. */
static int64_t share(int64_t n, struct room room)
{
    int64_t below = 1, above = n;
    for (int64_t d = 1; d <= n / d && d <= MOST_DIVISOR; d++) {
        if (n % d != 0) continue;
        int64_t pair[] = {d, n / d};
        for (int i = 0; i < 2; i++) {
            if (pair[i] <= room.most && pair[i] > below) below = pair[i];
            if (pair[i] >= room.least && pair[i] < above) above = pair[i];
        }
    }
    return below >= room.least ? below : above;
}

/* Every n-th count of a dimension of which a pass has n neighbours. */
static struct placed_dim every(int64_t n, const struct placed_dim *placed)
{
    const struct dim *dim = &placed->dim;
    return (struct placed_dim){{dim->n / n, n * dim->in_stride, n * dim->out_stride},
                               {n * placed->position[0], n * placed->position[1]}};
}

static struct repeats divide(const struct placed_dim *placed, int count, struct room room)
{
    struct repeats r = {.inside = 0, .outside = 0};
    bool full = false;
    for (int i = 0; i < count; i++) {
        const struct dim *dim = &placed[i].dim;
        int64_t n = full ? 1 : dim->n <= room.most ? dim->n : share(dim->n, room);
        if (n > 1) {
            r.in[r.inside] = placed[i];
            r.in[r.inside++].dim.n = n;
        }
        if (n == dim->n) {
            room.most /= n > 0 ? n : 1;
            room.least = n > 0 ? (room.least + n - 1) / n : 1;
            continue;
        }
        full = true;
        r.out[r.outside++] = every(n, &placed[i]);
    }
    return r;
}

/* Elements that should be neighbours within a pass, where the group's axes are not contiguous. */
static int64_t neighbours(const struct lowering *l, const struct group *group,
                          const struct dim *fastest)
{
    const struct problem *p = l->problem;
    for (int i = group->first; i <= group->last; i++) {
        if (magnitude(p->axis[i].out_stride) < magnitude(fastest->out_stride)) return 1;
    }
    int64_t run = l->limits->coalescing_bytes / (2 * precision_bytes(p->precision));
    const int64_t lanes = l->limits->vector_bytes / precision_bytes(p->precision);
    if (run < lanes) run = lanes; /* of a CPU */
    return run > 1 ? run : 1;
}

/* How often a group may and must be repeated within its passes. */
static struct room group_room(const struct lowering *l, const struct plan_node *tree,
                              const struct group *group, const struct dim *fastest)
{
    double fit = step_bytes(l) / group_bytes(l, tree, group);
    struct room room = {.least = 1, .most = fit < 1 ? 1 : fit > 4e18 ? INT64_MAX : (int64_t)fit};
    int64_t elements = group_elements(l->problem, group);
    room.least = (LEAST_STEP_ELEMENTS + elements - 1) / elements;
    int64_t run = neighbours(l, group, fastest);
    if (room.least < run) room.least = run;
    return room;
}

static struct repeats group_repeats(const struct lowering *l, const struct plan_node *tree,
                                    const struct group *group, struct first_line *first)
{
    struct placed_dim dim[2 * PROBLEM_MAX_DIMS];
    int count = other_dims(l->problem, group, dim, first);
    struct room room = {1, INT64_MAX};
    /* A single pass leaves nothing behind for another to find in a cache. */
    bool alone = part_of(tree, group->last).first == group->first && !group_splits(tree, group);
    if (!alone && count > 0) room = group_room(l, tree, group, &dim[0].dim);
    return divide(dim, count, room);
}

/* How many runs the ranges come to that a group is repeated over. */
static int count_runs(const struct problem *p, const struct group *group)
{
    struct range run[2];
    int runs = 1;
    for (int i = 0; i < p->axes; i++) {
        if (i >= group->first && i <= group->last) continue;
        runs *= range_runs(repeated_range(p, i, group->last), p->axis[i].n, run);
    }
    for (int i = 0; i < p->loops; i++) runs *= range_runs(p->repeated[i], p->loop[i].n, run);
    return runs;
}

/* Whether the rows of a share are all that there is, or have no lines of a CPU's cache in common
 * and are long enough to be worth a sweep. */
static bool cuts_well(const struct lowering *l, int64_t n, struct room room)
{
    const int64_t cut = n <= room.most ? n : share(n, room);
    const int64_t bytes = cut * 2 * precision_bytes(l->problem->precision);
    const int line = l->limits->coalescing_bytes;
    return l->limits->vector_bytes == 0 || cut == n ||
           (bytes % line == 0 && bytes >= LEAST_SHARE_LINES * line);
}

/* Whether a cache holds what a step of the group touches, of which there are no fewer neighbours
 * than a divisor gives. (Experiment "shares" in docs/experiments.) */
static bool stays_in_cache(const struct lowering *l, const struct plan_node *tree,
                           const struct group *group)
{
    struct placed_dim dim[2 * PROBLEM_MAX_DIMS];
    struct first_line first = {{0, 0}, {0, 0}};
    const int count = other_dims(l->problem, group, dim, &first);
    const double fit = step_bytes(l) / group_bytes(l, tree, group);
    if (count == 0) return fit >= 1;
    const struct room room = group_room(l, tree, group, &dim[0].dim);
    const int64_t run = neighbours(l, group, &dim[0].dim);
    if (fit < (double)run || (double)share(dim[0].dim.n, room) > fit) return false;
    return run == 1 || cuts_well(l, dim[0].dim.n, room);
}

/* The largest group of parts, none below axis `first`, that ends at axis `last` and whose share of
 * the array stays in a cache. Ranges of two runs are repeated over by whole stages. */
static struct group choose_group(const struct lowering *l, const struct plan_node *tree, int last,
                                 int first)
{
    struct group group = {.first = part_of(tree, last).first, .last = last};
    while (group.first > first && !problem_wraps(l->problem)) {
        struct group larger = group;
        larger.first = part_of(tree, group.first - 1).first;
        if (!stays_in_cache(l, tree, &larger)) break;
        group = larger;
    }
    group.runs = count_runs(l->problem, &group);
    return group;
}

int steps_first_axis(const struct lowering *l, const struct plan_node *tree)
{
    return choose_group(l, tree, l->problem->axes - 1, 0).first;
}

struct repeats steps_repeats(const struct lowering *l, const struct plan_node *tree, int first)
{
    const struct group group = {.first = first, .last = l->problem->axes - 1};
    struct first_line begin = {{0, 0}, {0, 0}};
    return group_repeats(l, tree, &group, &begin);
}

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
    lines_set_line(lines, &line);
    lines->in_map = lines->out_map = (struct pass_map){.line = 1};
    for (int out = 0; out < 2; out++) {
        lines->range[out] = p->range[out][axis];
        lines->range_n[out] = problem_side_length(p, out, axis);
    }
}

static void lower_part(struct lowering *l, const struct part *part, const struct group *group,
                       const struct repeats *repeats, const struct first_line *first)
{
    const struct problem *p = l->problem;
    struct lines lines = {.from = l->from, .to = l->to, .first = *first};
    lines_set_axis(&lines, p, part->last);
    for (int i = part->last - 1; i >= part->first; i--) add_fold(&lines, p, i);
    for (int i = group->first; i <= group->last; i++) {
        if (i >= part->first && i <= part->last) continue;
        struct range run[2];
        (void)range_runs(repeated_range(p, i, part->last), p->axis[i].n, run);
        const struct placed_dim axis = placed_run(placed_axis(p, i), run[0], &lines.first);
        lines_prepend_placed(l, &lines, &axis);
    }
    for (int i = 0; i < repeats->inside; i++)
        lines_prepend_placed(l, &lines, &repeats->in[i]);
    if (part->last < group->last || !group->begins) lines_work_in_place(&lines);
    algorithm_lower(l, part->node, &lines);
}

static void lower_group(struct lowering *l, const struct plan_node *tree, const struct group *group)
{
    struct program *program = l->program;
    struct first_line first = {{0, 0}, {0, 0}};
    struct repeats repeats = group_repeats(l, tree, group, &first);
    struct program_stage *stage = lowering_stage(l, l->from, l->to);
    stage->goes_on = group->run > 0;
    stage->outers = repeats.outside;
    for (int i = 0; i < repeats.outside; i++) {
        stage->outer[i] = repeats.out[i].dim;
        for (int out = 0; out < 2; out++)
            stage->outer_position[out][i] = repeats.out[i].position[out];
    }
    for (int axis = group->last; axis >= group->first;) {
        struct part part = part_of(tree, axis);
        lower_part(l, &part, group, &repeats, &first);
        axis = part.first - 1;
    }
    stage->passes = program->passes - stage->first;
}

/* Axes of a run, the first of which, the last one, is read where they come from. */
static void lower_groups(struct lowering *l, const struct plan_node *tree, int last, int first)
{
    for (int axis = last; axis >= first;) {
        struct group group = choose_group(l, tree, axis, first);
        group.begins = axis == last;
        for (; group.run < group.runs; group.run++) lower_group(l, tree, &group);
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

/* Whether the slowest axis, and no other with it, finds nothing in a cache of those before it. */
static bool ends_alone(const struct lowering *l, const struct plan_node *tree)
{
    struct group group = choose_group(l, tree, l->problem->axes - 1, 0);
    while (group.first > 0) group = choose_group(l, tree, group.first - 1, 0);
    return group.last == 0;
}

/* Whether columns are taken before rows: who comes first goes from place to place, for which lines
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
    return axes_stream_columns(l, tree->child[0], &p->axis[0], l->to) && ends_alone(l, tree);
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
    const int last = l->problem->axes - 1, last_part = part_of(tree, 0).last;
    if (l->drafted && last_part < last) lower_through_draft(l, tree, last_part);
    else if (begins_with_columns(l, tree)) lower_columns_first(l, tree);
    else lower_groups(l, tree, last, 0);
}
