/* Which passes a transform takes, and in which bands. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "plan/planner.h"
#include "spec/kind.h"
#include "stream/pass.h"

/* ---- places ---- */

/* Dimensions of a problem, loops before axes: their strides in a place, and which elements of them
 * are there, the input's until the axis is transformed, the output's from then on. */
struct layout {
    enum stream_place place;
    int64_t stride[PROBLEM_MAX_DIMS];
    struct range range[PROBLEM_MAX_DIMS];
};

static int dims_of(const struct problem *p)
{
    return p->loops + p->axes;
}

bool stream_is_real(const struct problem *p, enum stream_place place)
{
    if (place == STREAM_IN) return problem_is_real(p, false);
    if (place == STREAM_OUT) return problem_is_real(p, true);
    return kind_is_trigonometric(p->kind);
}

weft_storage stream_storage(const struct problem *p, enum stream_place place)
{
    if (place == STREAM_IN) return p->side[0].storage;
    return place == STREAM_OUT ? p->side[1].storage : WEFT_STORED_AS_COMPUTED;
}

static size_t element_bytes(const struct problem *p, enum stream_place place)
{
    const weft_storage storage = stream_storage(p, place);
    const int bytes = storage ? storage_bytes(storage) : precision_bytes(p->precision);
    return (size_t)bytes * (stream_is_real(p, place) ? 1 : 2);
}

static const struct dim *dim_of(const struct problem *p, int d)
{
    return d < p->loops ? &p->loop[d] : &p->axis[d - p->loops];
}

static int64_t position_of(const struct problem *p, bool out, int d)
{
    return d < p->loops ? p->hooks.loop[out][d] : p->hooks.axis[out][d - p->loops];
}

/* Elements along a dimension as a place has them. */
static int64_t length_at(const struct problem *p, enum stream_place place, int d)
{
    const bool halved = kind_is_half(p->kind) && d == dims_of(p) - 1 && !stream_is_real(p, place);
    return halved ? dim_of(p, d)->n / 2 + 1 : dim_of(p, d)->n;
}

static struct layout layout_of(const struct problem *p, enum stream_place place)
{
    struct layout layout = {.place = place};
    int64_t packed = 1;
    for (int d = dims_of(p) - 1; d >= 0; d--) {
        const struct dim *dim = dim_of(p, d);
        layout.stride[d] = place == STREAM_IN    ? dim->in_stride
                           : place == STREAM_OUT ? dim->out_stride
                                                 : packed;
        packed *= length_at(p, place, d);
    }
    return layout;
}

static void set_range(const struct problem *p, struct layout *layout, bool out, int d)
{
    if (d >= p->loops) layout->range[d] = p->range[out][d - p->loops];
}

static int64_t elements_at(const struct problem *p, enum stream_place place)
{
    int64_t elements = 1;
    for (int d = 0; d < dims_of(p); d++) elements *= length_at(p, place, d);
    return elements;
}

/* ---- bands ---- */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static int64_t band_length(const struct stream_dim *dim, int side)
{
    return dim->line ? dim->n[side] : dim->part;
}

/* The pass's dimensions by their strides there, the nearest together first. */
static void sort_dims(const struct stream_pass *pass, int side, int *order)
{
    for (int d = 0; d < pass->dims; d++) {
        int at = pass->dims - 1 - d; /* of equals the one behind is the nearer */
        int place = d;
        const int64_t stride = magnitude(pass->dim[at].far[side]);
        for (; place > 0; place--) {
            if (magnitude(pass->dim[order[place - 1]].far[side]) <= stride) break;
            order[place] = order[place - 1];
        }
        order[place] = at;
    }
}

/* A dimension is cut into parts of whole lines of caches, if that costs little: links want them. */
#define LINE_ELEMENTS 16

static int64_t part_of(int64_t n, int64_t elements)
{
    if (n <= elements) return n;
    return elements < 4 * LINE_ELEMENTS ? elements : elements - elements % LINE_ELEMENTS;
}

/* Whole dimensions are put into a band while they fit, those first that are nearest in the output;
 * one more is cut. */
static void choose_parts(struct stream_pass *pass, int64_t elements)
{
    int order[BOX_MAX_DIMS];
    for (int d = 0; d < pass->dims; d++) {
        const struct stream_dim *dim = &pass->dim[d];
        if (dim->line) elements /= dim->n[0] > dim->n[1] ? dim->n[0] : dim->n[1];
    }
    sort_dims(pass, 1, order);
    pass->cut = -1;
    for (int i = 0; i < pass->dims; i++) {
        struct stream_dim *dim = &pass->dim[order[i]];
        if (dim->line) continue;
        const bool alone = pass->columns >= 0 && order[i] != pass->columns;
        dim->part = alone ? 1 : part_of(dim->n[1], elements);
        if (dim->n[1] % dim->part) pass->cut = order[i];
        if (!alone) elements /= dim->part;
    }
}

/* A band has the order of the array that it is part of, without gaps; what is read again and again
 * lies in it once. The band of columns is a matrix. */
static void pack_bands(struct stream_pass *pass)
{
    for (int side = 0; side < 2; side++) {
        int64_t packed = 1;
        sort_dims(pass, side, pass->order[side]);
        if (pass->columns >= 0) {
            pass->order[side][0] = pass->columns;
            for (int d = 0, at = 1; d < pass->dims; d++) {
                const int other = pass->dims - 1 - d;
                if (other != pass->columns) pass->order[side][at++] = other;
            }
        }
        for (int i = 0; i < pass->dims; i++) {
            struct stream_dim *dim = &pass->dim[pass->order[side][i]];
            const bool repeated = dim->far[side] == 0 && pass->columns < 0;
            dim->near[side] = repeated ? 0 : packed;
            if (!repeated) packed *= band_length(dim, side);
        }
        pass->elements[side] = packed;
    }
}

int64_t stream_run_bytes(const struct stream_pass *pass, int side)
{
    int64_t run = 1;
    for (int i = 0; i < pass->dims; i++) {
        const struct stream_dim *dim = &pass->dim[pass->order[side][i]];
        const int64_t n = dim->line ? stream_range(dim, side).count : dim->part;
        if (n == 1) continue;
        if (dim->far[side] != run || dim->near[side] != run) break;
        run *= n;
    }
    return run * (int64_t)pass->element_bytes[side];
}

/* ---- passes ---- */

static struct stream_pass *start_pass(struct stream *s, enum stream_place from,
                                      enum stream_place to)
{
    struct stream_pass *pass = &s->pass[s->passes++];
    const enum stream_place places[2] = {from, to};
    memset(pass, 0, sizeof *pass);
    pass->kind = kind_is_half(s->problem.kind) ? WEFT_C2C : s->problem.kind;
    pass->columns = -1;
    for (int side = 0; side < 2; side++) {
        pass->place[side] = places[side];
        pass->element_bytes[side] = element_bytes(&s->problem, places[side]);
    }
    return pass;
}

static void add_dim(struct stream_pass *pass, struct stream_dim dim)
{
    pass->dim[pass->dims++] = dim;
}

static void finish_pass(struct stream_pass *pass, int64_t elements)
{
    choose_parts(pass, elements);
    pack_bands(pass);
}

/* Some axes, first to last, that a band holds, or one that is to be split. */
struct group {
    int first, last; /* dimensions */
    bool split;
};

static void add_line(const struct problem *p, struct stream_pass *pass, int d,
                     const struct layout *from, const struct layout *to)
{
    add_dim(pass, (struct stream_dim){
                      .n = {length_at(p, from->place, d), length_at(p, to->place, d)},
                      .far = {from->stride[d], to->stride[d]},
                      .position = {position_of(p, false, d), position_of(p, true, d)},
                      .line = true,
                      .range = {from->range[d], to->range[d]}});
}

/* A dimension that the pass does not transform, as far as its range goes. */
static void add_other(const struct problem *p, struct stream_pass *pass, int d,
                      const struct layout *from, const struct layout *to)
{
    const struct range range = from->range[d];
    const int64_t n = range.count > 0 ? range.count : length_at(p, to->place, d);
    const struct stream_dim dim = {.n = {n, n},
                                   .far = {from->stride[d], to->stride[d]},
                                   .position = {position_of(p, false, d), position_of(p, true, d)}};
    for (int side = 0; side < 2; side++) {
        pass->first[side] += range.first * dim.far[side];
        pass->first_position[side] += range.first * dim.position[side];
    }
    add_dim(pass, dim);
}

/* The axes of a group at once. */
static void add_group(struct stream *s, const struct group *group, const struct layout *from,
                      const struct layout *to, int64_t elements)
{
    const struct problem *p = &s->problem;
    struct stream_pass *pass = start_pass(s, from->place, to->place);
    const bool real = kind_is_half(p->kind) && group->last == dims_of(p) - 1;
    if (real) pass->kind = p->kind;
    for (int d = 0; d < dims_of(p); d++) {
        if (d >= group->first && d <= group->last) add_line(p, pass, d, from, to);
        else add_other(p, pass, d, from, to);
    }
    finish_pass(pass, elements);
}

/* Strides of other dimensions around the lines of a split axis, which lie one behind the other. */
static struct layout layout_of_lines(const struct problem *p, const struct layout *from, int axis)
{
    struct layout layout = *from;
    layout.place = STREAM_LINES;
    int64_t packed = dim_of(p, axis)->n;
    for (int d = dims_of(p) - 1; d >= 0; d--) {
        if (d == axis) continue;
        layout.stride[d] = packed;
        packed *= length_at(p, from->place, d);
    }
    layout.stride[axis] = 1;
    return layout;
}

static void add_others(const struct stream *s, struct stream_pass *pass, int axis,
                       const struct layout *from, const struct layout *to)
{
    for (int d = 0; d < dims_of(&s->problem); d++)
        if (d != axis) add_other(&s->problem, pass, d, from, to);
}

static void add_columns(struct stream *s, int axis, int64_t n1, const struct layout *from,
                        const struct layout *lines, int64_t elements)
{
    const int64_t n2 = dim_of(&s->problem, axis)->n / n1, stride = from->stride[axis];
    const int64_t position = position_of(&s->problem, false, axis);
    struct stream_pass *pass = start_pass(s, from->place, STREAM_LINES);
    add_others(s, pass, axis, from, lines);
    add_dim(pass, (struct stream_dim){.n = {n1, n1}, .far = {n2 * stride, n2}, .line = true,
                                      .position = {n2 * position, 0}});
    pass->columns = pass->dims;
    add_dim(pass, (struct stream_dim){.n = {n2, n2}, .far = {stride, 1}});
    finish_pass(pass, elements);
    pass->split = (struct columns){.n1 = n1,
                                   .n2 = n2,
                                   .width = pass->dim[pass->columns].part,
                                   .in_storage = stream_storage(&s->problem, from->place),
                                   .position = position};
}

static void add_rows(struct stream *s, int axis, int64_t n1, const struct layout *lines,
                     const struct layout *to, int64_t elements)
{
    const int64_t n2 = dim_of(&s->problem, axis)->n / n1, stride = to->stride[axis];
    const int64_t position = position_of(&s->problem, true, axis);
    struct stream_pass *pass = start_pass(s, STREAM_LINES, to->place);
    add_others(s, pass, axis, lines, to);
    add_dim(pass, (struct stream_dim){.n = {n1, n1}, .far = {n2, stride},
                                      .position = {0, position}});
    add_dim(pass, (struct stream_dim){.n = {n2, n2}, .far = {1, n1 * stride}, .line = true,
                                      .position = {0, n1 * position}});
    finish_pass(pass, elements);
}

static weft_status add_split(struct stream *s, int axis, const struct layout *from,
                             const struct layout *to, int64_t elements)
{
    const int64_t n = dim_of(&s->problem, axis)->n;
    const struct layout lines = layout_of_lines(&s->problem, from, axis);
    int64_t n1;
    const struct limits *limits = device_limits(s->device, s->problem.precision);
    weft_status status = columns_choose(s->arena, &s->problem, limits, n, elements, &n1);
    if (status) return status;
    add_columns(s, axis, n1, from, &lines, elements);
    add_rows(s, axis, n1, &lines, to, elements);
    s->line_elements = elements_at(&s->problem, from->place);
    return WEFT_OK;
}

/* ---- the order of the axes ---- */

static weft_status refuse_axis(const struct stream *s, int64_t n)
{
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "length %" PRId64 " along an axis of reals takes more than the %" PRId64
                     " bytes that may be used: axes of complex numbers alone are split",
                     n, s->limit);
}

static bool has_range(const struct problem *p, int d)
{
    return p->range[0][d - p->loops].count > 0 || p->range[1][d - p->loops].count > 0;
}

static weft_status refuse_range(const struct stream *s, int64_t n)
{
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "length %" PRId64 " along an axis that has a range takes more than the "
                     "%" PRId64 " bytes that may be used: axes without ranges alone are split",
                     n, s->limit);
}

/* The axes from the last on, as many together as a band holds. */
static weft_status find_groups(const struct stream *s, int64_t elements, struct group *group,
                               int *groups)
{
    const struct problem *p = &s->problem;
    int64_t room = 0; /* in the last group */
    *groups = 0;
    for (int d = dims_of(p) - 1; d >= p->loops; d--) {
        const int64_t n = dim_of(p, d)->n;
        if (n <= room) {
            room /= n;
            group[*groups - 1].first = d;
            continue;
        }
        const bool split = n > elements, last = d == dims_of(p) - 1;
        if (split && (kind_is_trigonometric(p->kind) || (kind_is_half(p->kind) && last)))
            return refuse_axis(s, n);
        if (split && has_range(p, d)) return refuse_range(s, n);
        room = split ? 0 : elements / n;
        group[(*groups)++] = (struct group){d, d, split};
    }
    if (*groups == 0) group[(*groups)++] = (struct group){dims_of(p), dims_of(p) - 1, false};
    return WEFT_OK;
}

/* Reals come last where they are the output. */
static void sort_groups(const struct problem *p, struct group *group, int groups)
{
    const struct group first = group[0];
    if (p->kind != WEFT_C2R) return;
    memmove(group, group + 1, (size_t)(groups - 1) * sizeof *group);
    group[groups - 1] = first;
}

/* Whether what lies between two groups of axes is not kept in the output. */
static bool needs_spare(const struct problem *p)
{
    return p->kind == WEFT_C2R || p->side[1].storage || problem_output_cuts(p);
}

static int64_t spare_elements(const struct problem *p)
{
    const int64_t elements = elements_at(p, STREAM_SPARE);
    return stream_is_real(p, STREAM_SPARE) ? (elements + 1) / 2 : elements;
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
    if (pass->columns >= 0) pass->split.hooks = hooks;
}

weft_status stream_make_passes(struct stream *s, int64_t elements)
{
    const struct problem *p = &s->problem;
    struct group group[PROBLEM_MAX_DIMS];
    int groups = 0;
    s->passes = 0;
    s->spare_elements = s->line_elements = 0;
    weft_status status = find_groups(s, elements, group, &groups);
    if (status) return status;
    sort_groups(p, group, groups);
    struct layout from = layout_of(p, STREAM_IN);
    for (int d = 0; d < dims_of(p); d++) set_range(p, &from, false, d);
    for (int i = 0; i < groups && !status; i++) {
        const bool spare = needs_spare(p) && i < groups - 1;
        struct layout to = layout_of(p, spare ? STREAM_SPARE : STREAM_OUT);
        memcpy(to.range, from.range, sizeof to.range);
        for (int d = group[i].first; d <= group[i].last; d++) set_range(p, &to, true, d);
        if (spare) s->spare_elements = spare_elements(p);
        if (group[i].split) status = add_split(s, group[i].first, &from, &to, elements);
        else add_group(s, &group[i], &from, &to, elements);
        from = to;
    }
    if (status) return status;
    s->pass[s->passes - 1].scaled = true;
    for (int i = 0; i < s->passes; i++) take_hooks(s, i);
    return WEFT_OK;
}
