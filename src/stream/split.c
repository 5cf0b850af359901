/* An axis that is longer than a band: n1 columns by n2 rows (Bailey 1990, as in plan/split.c). Of
 * reals it is one of reals still (as in plan/halves.c): columns of reals leave half of their rows,
 * from which half a spectrum comes as every number k of a row is X[k], or the conjugate of X[n-k];
 * and half as many columns, which take theirs from half a spectrum likewise, leave halves of rows,
 * of which reals come. */
#include "stream/make.h"

#include <string.h>

#include "plan/trigonometric.h"
#include "spec/kind.h"

struct split {
    int axis;
    int64_t n1, n2;
    bool from_reals, to_reals;
    bool reflects[2]; /* by side: reals stand for more there, */
    struct reals reals[2];
    bool runs[2]; /* ... and it is for one direction */
    int64_t rows, columns; /* of these those that there are */
    const struct layout *from, *to;
    struct layout lines; /* between: rows one behind the other */
    int64_t elements;    /* of a band */
};

static bool is_real_axis(const struct problem *p, int axis)
{
    return kind_is_half(p->kind) && axis == layout_dims(p) - 1;
}

/* Half a spectrum of the split line is on that side: its last two dimensions count back from the
 * end where they are behind the middle. */
static void mirror(struct stream_pass *pass, int side, int64_t n, int64_t stride)
{
    pass->mirrors[side] = true;
    pass->mirror_far = n * stride;
}

/* The pass's last two dimensions count numbers there, which are pairs, or reals as well. */
static void reflect(const struct problem *p, struct stream_pass *pass, const struct split *split,
                    int side)
{
    const bool real = side ? split->to_reals : split->from_reals;
    pass->reals[side] = split->reals[side];
    pass->element_bytes[side] = (size_t)precision_bytes(p->precision) * (real ? 1 : 2);
}

static void set_runs(struct stream_pass *pass, const struct split *split)
{
    pass->one_way = split->reflects[0];
    memcpy(pass->runs, split->runs, sizeof pass->runs);
}

/* What the axis has on that side. Ranges of reals that stand for more are theirs (reals.c). */
static void set_window(struct stream_pass *pass, const struct split *split, int side, int64_t step)
{
    const struct layout *layout = side ? split->to : split->from;
    pass->window[side] = (struct stream_window){step, layout->range[split->axis]};
}

/* From a number to the next on that side, in elements, or counted. */
static int64_t stride_of(const struct split *split, int side)
{
    const struct layout *layout = side ? split->to : split->from;
    return split->reflects[side] ? 1 : layout->stride[split->axis];
}

static void add_columns(struct stream *s, const struct split *split)
{
    const struct problem *p = &s->problem;
    const int64_t n1 = split->n1, n2 = split->n2, stride = stride_of(split, 0);
    const int64_t position = layout_position(p, false, split->axis);
    struct stream_pass *pass = stream_start_pass(s, split->from->place, STREAM_LINES);
    set_runs(pass, split);
    stream_add_others(p, pass, split->axis, split->from, &split->lines);
    stream_add_dim(pass, (struct stream_dim){.n = {n1, split->rows},
                                             .far = {n2 * stride, split->columns},
                                             .line = true,
                                             .position = {n2 * position, 0}});
    set_window(pass, split, 0, n2);
    pass->columns = pass->dims;
    stream_add_dim(pass,
                   (struct stream_dim){.n = {split->columns, split->columns}, .far = {stride, 1}});
    if (split->reflects[0]) reflect(p, pass, split, 0);
    else if (split->to_reals) mirror(pass, 0, n1 * n2, stride);
    stream_finish_pass(pass, split->elements);
    pass->split = (struct columns){.n1 = n1,
                                   .n2 = n2,
                                   .width = pass->dim[pass->columns].part,
                                   .in_storage = layout_storage(p, split->from->place),
                                   .real = split->from_reals,
                                   .position = position};
}

static void add_rows(struct stream *s, const struct split *split)
{
    const struct problem *p = &s->problem;
    const int64_t n1 = split->n1, n2 = split->n2, stride = stride_of(split, 1);
    const int64_t position = layout_position(p, true, split->axis);
    struct stream_pass *pass = stream_start_pass(s, STREAM_LINES, split->to->place);
    pass->kind = split->to_reals ? WEFT_C2R : WEFT_C2C;
    set_runs(pass, split);
    set_window(pass, split, 1, n1);
    stream_add_others(p, pass, split->axis, &split->lines, split->to);
    stream_add_dim(pass, (struct stream_dim){.n = {split->rows, split->rows},
                                             .far = {split->columns, stride},
                                             .position = {0, position}});
    stream_add_dim(pass, (struct stream_dim){.n = {split->columns, n2},
                                             .far = {1, n1 * stride},
                                             .line = true,
                                             .position = {0, n1 * position}});
    if (split->reflects[1]) reflect(p, pass, split, 1);
    else if (split->from_reals) mirror(pass, 1, n1 * n2, stride);
    stream_finish_pass(pass, split->elements);
}

/* Of so many numbers. */
static weft_status add_passes(struct stream *s, struct split *split, int64_t n)
{
    const struct problem *p = &s->problem;
    const struct limits *limits = device_limits(s->device, p->precision);
    const struct columns_wish wish = {split->elements, s->shorter};
    weft_status status = columns_choose(s->arena, p, limits, n, &wish, &split->n1);
    if (status) return status;
    split->n2 = n / split->n1;
    split->rows = split->from_reals ? split->n1 / 2 + 1 : split->n1;
    split->columns = split->to_reals ? split->n2 / 2 + 1 : split->n2;
    const int64_t line_elements = stream_place_lines(p, split->axis, split->from,
                                                     split->rows * split->columns, &split->lines);
    if (line_elements > s->line_elements) s->line_elements = line_elements;
    add_columns(s, split);
    add_rows(s, split);
    return WEFT_OK;
}

/* The other direction is another kind. */
static weft_status add_trigonometric(struct stream *s, struct split *split,
                                     weft_direction direction)
{
    const struct problem *p = &s->problem;
    const weft_kind given = layout_kind(p, split->axis);
    const weft_kind kind = direction == WEFT_FORWARD ? given : kind_inverse(given);
    const int64_t n = layout_dim(p, split->axis)->n;
    const struct trigonometric_line line = trigonometric_line(kind, p->orthonormal, n);
    split->from_reals = line.from_reals;
    split->to_reals = line.to_reals;
    split->reflects[0] = split->reflects[1] = true;
    split->reals[0] = line.in;
    split->reals[1] = line.out;
    split->reals[0].stride = split->from->stride[split->axis];
    split->reals[1].stride = split->to->stride[split->axis];
    split->runs[direction] = true;
    split->runs[!direction] = false;
    return add_passes(s, split, line.numbers);
}

bool stream_splits(const struct stream *s, int axis, int64_t elements)
{
    const struct problem *p = &s->problem;
    const struct limits *limits = device_limits(s->device, p->precision);
    const struct columns_wish wish = {elements, s->shorter};
    int64_t n = layout_dim(p, axis)->n, n1;
    if (kind_is_trigonometric(p->kind))
        n = trigonometric_line(layout_kind(p, axis), p->orthonormal, n).numbers;
    return columns_choose(s->arena, p, limits, n, &wish, &n1) != WEFT_ERROR_UNSUPPORTED;
}

weft_status stream_add_split(struct stream *s, int axis, const struct layout *from,
                             const struct layout *to, int64_t elements)
{
    const struct problem *p = &s->problem;
    const bool real = is_real_axis(p, axis);
    struct split split = {.axis = axis,
                          .from_reals = real && p->kind == WEFT_R2C,
                          .to_reals = real && p->kind == WEFT_C2R,
                          .runs = {true, true},
                          .from = from,
                          .to = to,
                          .elements = elements};
    if (!kind_is_trigonometric(p->kind)) return add_passes(s, &split, layout_dim(p, axis)->n);
    weft_status status = add_trigonometric(s, &split, WEFT_FORWARD);
    return status ? status : add_trigonometric(s, &split, WEFT_INVERSE);
}
