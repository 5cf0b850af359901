/* How axes are grouped into stages, and what a stage repeats over. */
#include "plan/steps.h"

#include <math.h>

#include "plan/draft.h"
#include "plan/stride.h"

/* Fewer elements than this a step and the passes' overhead shows. */
#define LEAST_STEP_ELEMENTS 1024
/* CPU: of fewer planes a step, as many as a cache holds what lies between two axes of: each step
 * begins with lines that were not asked for. (Experiment "as many planes" in docs/experiments.) */
#define LEAST_PLANES 2
/* CPU: lines of the cache that rows of a share have at least where columns are cut, as a whole.
 * (Experiment "shares" in docs/experiments.) */
#define LEAST_SHARE_LINES 8
/* Divisors of a batch are looked for so far, and so far below the batch itself. */
#define MOST_DIVISOR 65536

/* How many times fewer elements a step may have where as many would leave the cache. */
#define LESS_THAN_LEAST 16

/* How many repetitions should lie within the passes, and how many neighbours must. */
struct room {
    int64_t least, most, run;
};

/* The part that ends with axis `last`, or that the axis belongs to. */
struct part steps_part(const struct plan_node *tree, int axis)
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
        double padded = (double)lowering_scratch(steps_part(tree, i).node, l->limits);
        double needed = padded * (elements / (double)p->axis[i].n);
        if (needed > scratch) scratch = needed;
    }
    /* On a GPU only scratch counts: what is in memory already need not fit a cache. */
    if (l->limits->vector_bytes == 0) elements = 0;
    return (2 * elements + scratch) * 2 * precision_bytes(p->precision);
}

static bool group_splits(const struct lowering *l, const struct plan_node *tree,
                         const struct group *group)
{
    for (int i = group->first; i <= group->last; i++) {
        if (lowering_scratch(steps_part(tree, i).node, l->limits) > 0) return true;
    }
    return false;
}

/* Of an axis while another is transformed, as it is before its turn and after. */
struct range steps_range(const struct problem *p, int axis, int transformed)
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
        const struct range range = steps_range(p, i, group->last);
        dim[count++] =
            placed_run(placed_axis(p, i), range_run(range, p->axis[i].n, &number), first);
    }
    for (int i = 0; i < p->loops; i++) {
        dim[count++] =
            placed_run(placed_loop(p, i), range_run(p->repeated[i], p->loop[i].n, &number), first);
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

/* Whether so many are better than a larger divisor: not too few, where those are too many.
 * (Experiment "resampled rows" in docs/experiments.) */
static bool are_enough(int64_t below, int64_t above, struct room room)
{
    if (below >= room.least) return true;
    return above / 2 > room.most && below >= room.run && below * LESS_THAN_LEAST >= room.least;
}

/* The largest divisor of n that is at most `most`, or, if those are not enough, the smallest that
 * is not below `least`. */
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
    return are_enough(below, above, room) ? below : above;
}

/* Every n-th count of a dimension of which a pass has n neighbours. */
static struct placed_dim every(int64_t n, const struct placed_dim *placed)
{
    const struct dim *dim = &placed->dim;
    return (struct placed_dim){{dim->n / n, n * dim->in_stride, n * dim->out_stride},
                               {n * placed->position[0], n * placed->position[1]}};
}

/* What there is around so many. */
static void leave_room(struct room *room, int64_t n)
{
    room->most /= n > 0 ? n : 1;
    room->least = n > 0 ? (room->least + n - 1) / n : 1;
    room->run = n > 0 ? (room->run + n - 1) / n : 1;
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
            leave_room(&room, n);
            continue;
        }
        full = true;
        r.out[r.outside++] = every(n, &placed[i]);
    }
    return r;
}

bool steps_on_planes(const struct problem *p, const struct plan_node *tree,
                     const struct group *group)
{
    if (steps_part(tree, group->last).first == group->first) return false;
    for (int i = group->first; i <= group->last; i++) {
        if ((double)magnitude(p->axis[i].out_stride) >= group_elements(p, group)) return false;
    }
    return true;
}

/* The most bytes that lie between two parts of a group. */
static double bytes_between(const struct problem *p, const struct plan_node *tree,
                            const struct group *group)
{
    double most = 0;
    for (int begins = steps_part(tree, group->last).first; begins > group->first;) {
        double elements = 1;
        for (int i = group->first; i <= group->last; i++)
            elements *= (double)range_extent(p->range[i >= begins][i], p->axis[i].n).count;
        if (elements > most) most = elements;
        begins = steps_part(tree, begins - 1).first;
    }
    return most * 2 * precision_bytes(p->precision);
}

/* Whether a cache holds what ranges leave between the parts of one plane after the other: what
 * comes and goes is met no more. (Experiment "drafts of the input" in docs/experiments.) */
static bool keeps_planes(const struct lowering *l, const struct plan_node *tree,
                         const struct group *group)
{
    const struct problem *p = l->problem;
    const bool comes = group->last == p->axes - 1;
    const bool takes = l->mirrored || draft_takes_ranges(l->limits, &l->program->problem);
    return comes && takes && steps_on_planes(p, tree, group) && !group_splits(l, tree, group) &&
           bytes_between(p, tree, group) <= step_bytes(l);
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
    const int64_t lanes = limits_lanes(l->limits, p->precision);
    if (run < lanes) run = lanes; /* of a CPU */
    return run > 1 ? run : 1;
}

/* Whether the group is of odd lines of reals, which are taken two by two. */
static bool takes_two_lines(const struct lowering *l, const struct plan_node *tree,
                            const struct group *group)
{
    const struct plan_node *node = steps_part(tree, group->last).node;
    const bool reals = node->kind == PLAN_REAL || node->kind == PLAN_TRIGONOMETRIC;
    return l->limits->vector_bytes > 0 && reals && node->n % 2 != 0;
}

/* How often a group may and must be repeated within its passes. */
static struct room group_room(const struct lowering *l, const struct plan_node *tree,
                              const struct group *group, const struct dim *fastest)
{
    double fit = step_bytes(l) / group_bytes(l, tree, group);
    if (fit < LEAST_PLANES && group->works && keeps_planes(l, tree, group))
        fit = step_bytes(l) / bytes_between(l->problem, tree, group);
    struct room room = {.least = 1, .most = fit < 1 ? 1 : fit > 4e18 ? INT64_MAX : (int64_t)fit};
    int64_t elements = group_elements(l->problem, group);
    room.least = (LEAST_STEP_ELEMENTS + elements - 1) / elements;
    if (room.least == 1 && takes_two_lines(l, tree, group)) room.least = 2;
    room.run = neighbours(l, group, fastest);
    if (room.least < room.run) room.least = room.run;
    return room;
}

/* The run of the dimension that is meant. */
static struct placed_dim run_of_cut(const struct group *group, struct placed_dim dim,
                                    struct first_line *first)
{
    const int64_t n = dim.dim.n, whole = group->whole;
    const struct range run[2] = {{0, whole}, {whole, n - whole}};
    return placed_run(dim, run[group->run > 0], first);
}

/* Whether the group is one pass, which leaves nothing behind for another to find in a cache. */
static bool is_alone(const struct lowering *l, const struct plan_node *tree,
                     const struct group *group)
{
    return steps_part(tree, group->last).first == group->first && !group_splits(l, tree, group);
}

/* Cuts the dimension that has no divisor of which a cache holds as many: into a multiple of what
 * it holds, and what is left over. (Experiment "what is left over" in docs/experiments.) */
static void cut_in_two(const struct lowering *l, const struct plan_node *tree, struct group *group)
{
    struct placed_dim dim[2 * PROBLEM_MAX_DIMS];
    struct first_line first = {{0, 0}, {0, 0}};
    const int count = other_dims(l->problem, group, dim, &first);
    if (l->limits->vector_bytes == 0 || group->runs > 1 || problem_has_ranges(l->problem)) return;
    if (count == 0 || is_alone(l, tree, group)) return;
    struct room room = group_room(l, tree, group, &dim[0].dim);
    for (int i = 0; i < count; i++) {
        const int64_t n = dim[i].dim.n, most = room.most / room.run * room.run;
        if (n > room.most) {
            const int64_t taken = share(n, room);
            const bool fits = taken >= room.least && taken <= room.most;
            if (fits || most < room.least || n % most == 0) return;
            group->cut = i;
            group->whole = n / most * most;
            group->runs = 2;
            return;
        }
        leave_room(&room, n);
    }
}

struct repeats steps_group_repeats(const struct lowering *l, const struct plan_node *tree,
                                   const struct group *group, struct first_line *first)
{
    struct placed_dim dim[2 * PROBLEM_MAX_DIMS];
    int count = other_dims(l->problem, group, dim, first);
    struct room room = {1, INT64_MAX, 1};
    if (!is_alone(l, tree, group) && count > 0) room = group_room(l, tree, group, &dim[0].dim);
    if (group->whole > 0) dim[group->cut] = run_of_cut(group, dim[group->cut], first);
    return divide(dim, count, room);
}

/* How many runs the ranges come to that a group is repeated over. */
static int count_runs(const struct problem *p, const struct group *group)
{
    struct range run[2];
    int runs = 1;
    for (int i = 0; i < p->axes; i++) {
        if (i >= group->first && i <= group->last) continue;
        runs *= range_runs(steps_range(p, i, group->last), p->axis[i].n, run);
    }
    for (int i = 0; i < p->loops; i++)
        runs *= range_runs(p->repeated[i], p->loop[i].n, run);
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
struct group steps_group(const struct lowering *l, const struct plan_node *tree, int last,
                         int first)
{
    struct group group = {.first = steps_part(tree, last).first, .last = last};
    while (group.first > first && !problem_wraps(l->problem)) {
        struct group larger = group;
        larger.first = steps_part(tree, group.first - 1).first;
        if (!stays_in_cache(l, tree, &larger) && !keeps_planes(l, tree, &larger)) break;
        group = larger;
    }
    group.runs = count_runs(l->problem, &group);
    cut_in_two(l, tree, &group);
    return group;
}

int steps_first_axis(const struct lowering *l, const struct plan_node *tree)
{
    return steps_group(l, tree, l->problem->axes - 1, 0).first;
}

struct repeats steps_repeats(const struct lowering *l, const struct plan_node *tree, int first,
                             struct first_line *begin)
{
    const struct group group = {.first = first, .last = l->problem->axes - 1, .works = l->mirrored};
    return steps_group_repeats(l, tree, &group, begin);
}
