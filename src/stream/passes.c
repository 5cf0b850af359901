/* Which passes a transform takes. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "spec/kind.h"
#include "stream/make.h"

static void set_range(const struct problem *p, struct layout *layout, bool out, int d)
{
    if (d >= p->loops) layout->range[d] = p->range[out][d - p->loops];
}

/* Some axes, first to last, that a band holds, or one that is to be split. */
struct group {
    int first, last; /* dimensions; last < first: there are none, which is a copy */
    bool split;
    bool chirped; /* ... by a convolution */
};

static struct group copying_group(const struct problem *p)
{
    return (struct group){.first = layout_dims(p), .last = layout_dims(p) - 1};
}

static bool has_real_axis(const struct problem *p, const struct group *group)
{
    const int last = layout_dims(p) - 1;
    return kind_is_half(p->kind) && group->first <= last && group->last == last;
}

/* The axes of a group at once. */
static void add_group(struct stream *s, const struct group *group, const struct layout *from,
                      const struct layout *to, int64_t elements)
{
    const struct problem *p = &s->problem;
    struct stream_pass *pass = stream_start_pass(s, from->place, to->place);
    if (has_real_axis(p, group)) pass->kind = p->kind;
    for (int d = 0; d < layout_dims(p); d++) {
        if (d >= group->first && d <= group->last)
            stream_add_line(p, pass, d, from, to);
        else
            stream_add_other(p, pass, d, from, to);
    }
    stream_finish_pass(pass, elements);
}

/* ---- the order of the axes ---- */

/* The axes from the last on, as many together as a band holds. */
static void find_groups(const struct stream *s, int64_t elements, struct group *group, int *groups)
{
    const struct problem *p = &s->problem;
    int64_t room = 0; /* in the last group */
    *groups = 0;
    for (int d = layout_dims(p) - 1; d >= p->loops; d--) {
        const int64_t n = layout_dim(p, d)->n;
        if (n <= room) {
            room /= n;
            group[*groups - 1].first = d;
            continue;
        }
        const bool split = n > elements;
        room = split ? 0 : elements / n;
        const bool chirped = split && !stream_splits(s, d, elements);
        group[(*groups)++] = (struct group){d, d, split, chirped};
    }
    if (*groups == 0) group[(*groups)++] = copying_group(p);
}

/* Reals come last where they are the output. */
static void sort_groups(const struct problem *p, struct group *group, int groups)
{
    const struct group first = group[0];
    if (p->kind != WEFT_C2R) return;
    memmove(group, group + 1, (size_t)(groups - 1) * sizeof *group);
    group[groups - 1] = first;
}

/* Whether the host makes the group's numbers of what is on that side, or that of its results. */
static bool is_folded(const struct problem *p, const struct group *group, bool out)
{
    if (!group->split) return false;
    if (kind_is_trigonometric(p->kind) || group->chirped) return true;
    return has_real_axis(p, group) && p->kind == (out ? WEFT_R2C : WEFT_C2R);
}

/* Reals of half a spectrum have no place to be copied to. */
static weft_status check_reals(const struct problem *p, const struct group *group, int groups)
{
    const bool out = p->kind == WEFT_C2R;
    const bool more = p->side[out].storage || hook_exists(&p->hooks, out);
    for (int i = 0; i < groups; i++) {
        if (!more || !group[i].chirped || !has_real_axis(p, &group[i])) continue;
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "length %" PRId64 " cannot be streamed with a storage or an expression at "
                         "its reals: it is no product of columns and of rows",
                         layout_dim(p, group[i].first)->n);
    }
    return WEFT_OK;
}

/* What is folded is as it is computed with, and no expression is told of its elements: where there
 * is one, or another storage, that is for a sweep. */
static void add_copies(const struct problem *p, struct group *group, int *groups)
{
    bool copies[2];
    for (int out = 0; out < 2; out++) {
        const bool more = p->side[out].storage || hook_exists(&p->hooks, out);
        copies[out] = more && is_folded(p, &group[out ? *groups - 1 : 0], out);
    }
    if (copies[0]) {
        memmove(group + 1, group, (size_t)*groups * sizeof *group);
        group[0] = copying_group(p);
        ++*groups;
    }
    if (copies[1]) group[(*groups)++] = copying_group(p);
}

static bool is_copy(const struct group *group)
{
    return group->last < group->first;
}

/* Whether what lies between two groups of axes is not kept in the output: a copy of the input has
 * all of its ranges. */
static bool needs_spare(const struct problem *p, const struct group *first)
{
    if (p->kind == WEFT_C2R || p->side[1].storage || problem_output_cuts(p)) return true;
    return is_copy(first) && problem_has_range(p, true);
}

static int64_t spare_elements(const struct problem *p)
{
    const int64_t elements = layout_elements(p, STREAM_SPARE);
    return layout_is_real(p, STREAM_SPARE) ? (elements + 1) / 2 : elements;
}

/* The whole array's expressions, of elements that the pass reads or leaves as the caller has them.
 * Columns count their slices themselves. */
static void take_hooks(struct stream *s, int index)
{
    struct stream_pass *pass = &s->pass[index];
    struct hooks *hooks = &pass->hooks;
    const bool here[2] = {index == 0, index == s->passes - 1};
    const struct hooks *all = &s->problem.hooks;
    if (!(here[0] && hook_exists(all, false)) && !(here[1] && hook_exists(all, true))) return;
    *hooks = *all;
    hooks->beyond = pass->columns >= 0;
    for (int side = 0; side < 2; side++) {
        if (!here[side]) hooks->source[side][0] = 0;
        hooks->most_first[side] += pass->first_position[side];
        for (int d = 0; d < pass->dims; d++) {
            const struct stream_dim *dim = &pass->dim[d];
            if (dim->line || d == pass->columns) continue;
            hooks->most_first[side] += (stream_bands(dim) - 1) * dim->part * dim->position[side];
        }
    }
    if (pass->columns < 0) return;
    pass->split.hooks = hooks;
    pass->split.range = pass->window[0].range;
}

/* The last pass of each direction. */
static void scale_last(struct stream *s)
{
    bool scaled[2] = {false, false};
    for (int i = s->passes - 1; i >= 0; i--) {
        struct stream_pass *pass = &s->pass[i];
        for (int direction = 0; direction < 2; direction++) {
            if (!pass->runs[direction] || scaled[direction]) continue;
            pass->scaled = scaled[direction] = true;
        }
    }
}

weft_status stream_make_passes(struct stream *s, int64_t elements)
{
    const struct problem *p = &s->problem;
    struct group group[PROBLEM_MAX_DIMS + 2];
    int groups = 0;
    s->passes = 0;
    s->spare_elements = s->line_elements = s->chirp_elements = 0;
    find_groups(s, elements, group, &groups);
    weft_status status = check_reals(p, group, groups);
    if (status) return status;
    sort_groups(p, group, groups);
    add_copies(p, group, &groups);
    struct layout from = layout_of(p, STREAM_IN);
    for (int d = 0; d < layout_dims(p); d++)
        set_range(p, &from, false, d);
    for (int i = 0; i < groups && !status; i++) {
        const bool spare = needs_spare(p, group) && i < groups - 1;
        struct layout to = layout_of(p, spare ? STREAM_SPARE : STREAM_OUT);
        memcpy(to.range, from.range, sizeof to.range);
        for (int d = group[i].first; d <= group[i].last; d++)
            set_range(p, &to, true, d);
        if (spare) s->spare_elements = spare_elements(p);
        if (group[i].chirped)
            status = stream_add_chirped(s, group[i].first, &from, &to, elements);
        else if (group[i].split)
            status = stream_add_split(s, group[i].first, &from, &to, elements);
        else
            add_group(s, &group[i], &from, &to, elements);
        from = to;
    }
    if (status) return status;
    scale_last(s);
    for (int i = 0; i < s->passes; i++)
        take_hooks(s, i);
    return WEFT_OK;
}
