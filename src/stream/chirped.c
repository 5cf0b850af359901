/* An axis that a band does not hold, and that is no product of columns and of rows: number k of
 * its line is c[k] times the sum over j of x[j] c[j] conj(c[k - j]), c[j] = exp(-pi i j^2 / n)
 * (Bluestein 1970), and this convolution one of a line that is such a product, of at least 2n - 1
 * numbers (as in plan/bluestein.c). Six passes: columns and rows of what is convolved with; columns
 * of the line, which are gathered with its chirp; rows, scattered with the spectrum; back again
 * rows, with the twiddles, and columns, with the chirp. The way back is one forward with real and
 * imaginary parts exchanged, and so is the inverse direction of it all. */
#include "math/factor.h"
#include "plan/trigonometric.h"
#include "spec/kind.h"
#include "stream/make.h"

/* Lengths that are tried for one that is a product. */
#define MOST_LENGTHS 16
#define GREATEST_PRIME 7

struct chirped {
    int axis;
    weft_direction direction;
    int64_t n, n1, n2;
    bool exchanged;
    struct reals reals[2]; /* by side; parts 0: pairs are there */
    bool half[2];          /* ... of half a spectrum */
    const struct layout *from, *to;
    struct layout lines;
    int64_t elements; /* of a band */
};

/* ---- passes ---- */

static struct stream_pass *start(struct stream *s, const struct chirped *c, enum stream_place from,
                                 enum stream_place to)
{
    struct stream_pass *pass = stream_start_pass(s, from, to);
    pass->kind = WEFT_C2C;
    pass->one_way = true;
    pass->runs[c->direction] = true;
    pass->runs[!c->direction] = false;
    for (int side = 0; side < 2; side++)
        pass->element_bytes[side] = 2 * (size_t)precision_bytes(s->problem.precision);
    return pass;
}

/* Of numbers beside the convolution's own: the line's, or the spectrum's. */
static struct stream_carry carry_of(const struct chirped *c, enum stream_factor factor)
{
    const bool line = factor == STREAM_CHIRP;
    return (struct stream_carry){.factor = factor,
                                 .n = line ? c->n : c->n1 * c->n2,
                                 .rows = c->n1,
                                 .columns = c->n2,
                                 .stride = 1};
}

static void reach_line(struct stream_pass *pass, const struct chirped *c, int side)
{
    const struct layout *layout = side ? c->to : c->from;
    const struct range *range = &layout->range[c->axis];
    const int64_t numbers = c->half[side] ? c->n / 2 + 1 : c->n;
    const int64_t n = c->reals[side].parts ? c->reals[side].n : numbers;
    pass->carry[side] = carry_of(c, STREAM_CHIRP);
    pass->carry[side].stride = layout->stride[c->axis];
    pass->carry[side].half = c->half[side];
    pass->carry[side].exchanged = c->exchanged;
    pass->reals[side] = c->reals[side];
    pass->reals[side].stride = layout->stride[c->axis];
    pass->window[side].range = range->count > 0 ? *range : (struct range){0, n};
}

static void add_column_dims(struct stream_pass *pass, const struct chirped *c)
{
    const struct stream_dim line = {.n = {c->n1, c->n1}, .far = {c->n2, c->n2}, .line = true};
    const struct stream_dim columns = {.n = {c->n2, c->n2}, .far = {1, 1}};
    stream_add_dim(pass, line);
    stream_add_dim(pass, columns);
}

static void finish_columns(struct stream_pass *pass, const struct chirped *c)
{
    pass->columns = pass->dims - 1;
    stream_finish_pass(pass, c->elements);
    pass->split =
        (struct columns){.n1 = c->n1, .n2 = c->n2, .width = pass->dim[pass->columns].part};
}

static void finish_rows(struct stream_pass *pass, const struct chirped *c,
                        enum stream_factor factor)
{
    const struct stream_dim rows = {.n = {c->n1, c->n1}, .far = {c->n2, c->n2}};
    const struct stream_dim line = {.n = {c->n2, c->n2}, .far = {1, 1}, .line = true};
    stream_add_dim(pass, rows);
    stream_add_dim(pass, line);
    pass->carry[1] = carry_of(c, factor);
    stream_finish_pass(pass, c->elements);
}

static void add_chirp(struct stream *s, const struct chirped *c)
{
    struct stream_pass *pass = start(s, c, STREAM_CHIRPS, STREAM_CHIRPS);
    pass->carry[0] = carry_of(c, STREAM_CHIRP);
    pass->carry[0].made = true;
    add_column_dims(pass, c);
    finish_columns(pass, c);
    finish_rows(start(s, c, STREAM_CHIRPS, STREAM_CHIRPS), c, STREAM_INVERSE);
}

static void add_rows(struct stream *s, const struct chirped *c, enum stream_factor factor)
{
    struct stream_pass *pass = start(s, c, STREAM_LINES, STREAM_LINES);
    stream_add_others(&s->problem, pass, c->axis, &c->lines, &c->lines);
    finish_rows(pass, c, factor);
}

static void add_line(struct stream *s, const struct chirped *c)
{
    struct stream_pass *pass = start(s, c, c->from->place, STREAM_LINES);
    stream_add_others(&s->problem, pass, c->axis, c->from, &c->lines);
    add_column_dims(pass, c);
    reach_line(pass, c, 0);
    finish_columns(pass, c);
    add_rows(s, c, STREAM_SPECTRUM);
    add_rows(s, c, STREAM_TWIDDLE);
    pass = start(s, c, STREAM_LINES, c->to->place);
    stream_add_others(&s->problem, pass, c->axis, &c->lines, c->to);
    add_column_dims(pass, c);
    reach_line(pass, c, 1);
    stream_finish_pass(pass, c->elements);
}

/* ---- lengths and ends ---- */

static weft_status choose_length(const struct stream *s, struct chirped *c)
{
    const struct problem *p = &s->problem;
    const struct limits *limits = device_limits(s->device, p->precision);
    const struct columns_wish wish = {c->elements, s->shorter};
    int64_t m = next_smooth(2 * c->n - 1, GREATEST_PRIME);
    weft_status status = WEFT_ERROR_UNSUPPORTED;
    for (int i = 0; i < MOST_LENGTHS && status == WEFT_ERROR_UNSUPPORTED; i++) {
        status = columns_choose(s->arena, p, limits, m, &wish, &c->n1);
        if (!status) c->n2 = m / c->n1;
        m = next_smooth(m + 1, GREATEST_PRIME);
    }
    if (status != WEFT_ERROR_UNSUPPORTED) return status;
    return columns_choose(s->arena, p, limits, c->n, &wish, &c->n1); /* its message */
}

/* As they are. */
static struct reals plain_reals(int64_t n)
{
    return (struct reals){.parts = 1,
                          .n = n,
                          .numbers = n,
                          .mirror = 2 * n,
                          .left = 1,
                          .right = 1,
                          .part = {{0, 2}},
                          .factor = 1,
                          .order = 1,
                          .on_mirror = 1};
}

static void set_ends(const struct problem *p, struct chirped *c)
{
    if (kind_is_trigonometric(p->kind)) {
        const bool forward = c->direction == WEFT_FORWARD;
        const weft_kind given = layout_kind(p, c->axis);
        const weft_kind kind = forward ? given : kind_inverse(given);
        const struct trigonometric_line line = trigonometric_line(kind, p->orthonormal, c->n);
        c->n = line.numbers;
        c->reals[0] = line.in;
        c->reals[1] = line.out;
        return;
    }
    c->exchanged = c->direction == WEFT_INVERSE;
    if (!kind_is_half(p->kind) || c->axis < layout_dims(p) - 1) return;
    const int real = p->kind == WEFT_C2R;
    c->reals[real] = plain_reals(c->n);
    c->half[!real] = true;
}

static weft_status add_passes(struct stream *s, struct chirped *c)
{
    const struct problem *p = &s->problem;
    c->n = layout_dim(p, c->axis)->n;
    set_ends(p, c);
    weft_status status = choose_length(s, c);
    if (status) return status;
    const int64_t circle = c->n1 * c->n2;
    const int64_t elements = stream_place_lines(p, c->axis, c->from, circle, &c->lines);
    if (elements > s->line_elements) s->line_elements = elements;
    if (circle > s->chirp_elements) s->chirp_elements = circle;
    add_chirp(s, c);
    add_line(s, c);
    return WEFT_OK;
}

weft_status stream_add_chirped(struct stream *s, int axis, const struct layout *from,
                               const struct layout *to, int64_t elements)
{
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && !status; i++) {
        struct chirped c = {.axis = axis,
                            .direction = i ? WEFT_INVERSE : WEFT_FORWARD,
                            .from = from,
                            .to = to,
                            .elements = elements};
        status = add_passes(s, &c);
    }
    return status;
}
