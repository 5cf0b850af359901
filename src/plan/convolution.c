/* A problem that convolves: all axes but one forward, that one there and back with the product in
 * between, the others back. What the forward transforms leave goes on in the order it has: the
 * inverse ones undo it. Where no axis allows that, since each is of a length that only Rader's or
 * Bluestein's algorithm takes, all axes go forward, the product is a sweep, and all go back. */
#include <string.h>

#include "base/checked.h"
#include "plan/algorithm.h"
#include "plan/convolution.h"
#include "plan/rows.h"
#include "plan/stride.h"
#include "spec/kind.h"

/* Spectra of as many second-level caches, and products leave them before they are transformed back;
 * those of a turn take a share of one. (Experiment "kernel by kernel" in docs/experiments.) */
#define BY_KERNEL_CACHES 2
#define TURN_SHARE 0.5

/* ---- choosing ---- */

void convolution_propose(struct search *s, const struct task *task, struct candidates *list)
{
    const bool block = search_fits_block(s, task->n);
    /* Several kernels take as many sweeps each of an axis that is split as all by itself. */
    if (task->n < 2 || (!block && s->problem->kernel.n > 1)) return;
    struct task there = *task;
    there.role = block ? LINE_BLOCK : LINE_CHAIN;
    if (!block) there.columns = 1;
    const struct plan_node *child = search_best(s, there);
    struct plan_node *node = child ? search_node(s, PLAN_CONVOLUTION, task->n) : NULL;
    if (!node) return;
    node->children = 1;
    node->child[0] = child;
    node->seconds = 2 * child->seconds;
    search_add(list, node);
}

bool convolution_may_fuse(const struct problem *p, int axis)
{
    return p->axes == 1 || !kind_is_half(p->kind) || axis < p->axes - 1;
}

bool convolution_takes_turns(const struct problem *p, const struct limits *limits)
{
    const int64_t near = BY_KERNEL_CACHES * limits->cache_bytes[1];
    return limits->vector_bytes > 0 && p->kernel.n > 1 &&
           (double)problem_spectrum_bytes(p) > (double)near;
}

/* ---- the middle ---- */

/* A problem being lowered, and where its elements are between the two transforms: in PASS_MIDDLE,
 * and behind the product likewise, for each of several kernels in PASS_PRODUCTS. */
struct convolution {
    struct lowering *l;
    const struct problem *p;
    const struct plan_node *tree;
    int fused; /* the axis that goes there and back at once; -1: none does */
    int64_t turns, kernels; /* and that passes repeat over in each */
    int64_t axis[PROBLEM_MAX_DIMS], loop[PROBLEM_MAX_DIMS]; /* strides in the middle */
    int64_t elements;
    struct range has[PROBLEM_MAX_DIMS]; /* which elements each axis has by now: at first the input's
                                         * range, all as a spectrum, at last the output's range */
};

/* Along an axis of what lies in the middle. */
static int64_t middle_length(const struct problem *p, int axis)
{
    const bool half = kind_is_half(p->kind) && axis == p->axes - 1;
    return half ? p->axis[axis].n / 2 + 1 : p->axis[axis].n;
}

/* Of rows in the middle, or of planes of so many elements: gaps that caches like must not make much
 * of it. (Experiment "planes" in docs/experiments.) */
static int64_t middle_pitch(const struct lowering *l, int64_t n)
{
    const int64_t pitch = lowering_pitch(l, n);
    return pitch - n <= n / 16 ? pitch : n;
}

/* As few turns as leave the products of each in a cache, of about as many kernels. */
static void choose_turns(struct convolution *c)
{
    const struct problem *p = c->p;
    if (!convolution_takes_turns(p, c->l->limits)) return;
    const double bytes = (double)c->elements * 2 * precision_bytes(p->precision);
    const double fit = TURN_SHARE * (double)c->l->limits->cache_bytes[1] / bytes;
    const int64_t most = fit > 1 ? (int64_t)fit : 1;
    c->turns = (p->kernel.n + most - 1) / most;
    c->kernels = program_kernels(p, c->turns);
}

/* The dimensions in the order that they have in the output, at pitches that caches like. */
static void place_middle(struct convolution *c)
{
    const struct problem *p = c->p;
    bool done[2 * PROBLEM_MAX_DIMS] = {false};
    const int dims = p->axes + p->loops;
    c->elements = 1;
    for (int placed = 0; placed < dims; placed++) {
        int next = -1;
        int64_t least = 0;
        for (int i = 0; i < dims; i++) {
            const struct dim *dim = i < p->axes ? &p->axis[i] : &p->loop[i - p->axes];
            const int64_t stride = magnitude(dim->out_stride);
            if (done[i] || (next >= 0 && stride >= least)) continue;
            next = i;
            least = stride;
        }
        done[next] = true;
        const bool axis = next < p->axes;
        const int64_t n = axis ? middle_length(p, next) : p->loop[next - p->axes].n;
        *(axis ? &c->axis[next] : &c->loop[next - p->axes]) = c->elements;
        if (!checked_multiply(c->elements, n, &c->elements)) c->l->failed = true;
        else if (placed < dims - 1) c->elements = middle_pitch(c->l, c->elements);
    }
    choose_turns(c);
    int64_t products = 0, size;
    const bool fits =
        (p->kernel.n == 1 || checked_multiply(c->elements, c->kernels, &products)) &&
        checked_add(c->elements, products, &size) &&
        size <= c->l->limits->largest_buffer / (2 * precision_bytes(p->precision));
    if (!fits) c->l->failed = true;
    c->l->program->middle_elements = c->elements;
    c->l->program->product_elements = products;
}

/* Where the product is. */
static enum pass_place place_behind(const struct convolution *c)
{
    return c->p->kernel.n > 1 ? PASS_PRODUCTS : PASS_MIDDLE;
}

/* ---- parts ---- */

static const struct plan_node *axis_node(const struct plan_node *tree, int axis)
{
    return tree->kind == PLAN_AXES ? tree->child[axis] : tree;
}

/* From where to where something is done. */
struct way {
    enum pass_place from, to;
    bool back; /* behind the product; else before it */
};

static int64_t stride_at(enum pass_place place, int64_t in, int64_t middle, int64_t out)
{
    return place == PASS_INPUT ? in : place == PASS_OUTPUT ? out : middle;
}

static struct dim dim_on(const struct way *way, int64_t n, const struct dim *dim, int64_t middle)
{
    return (struct dim){n, stride_at(way->from, dim->in_stride, middle, dim->out_stride),
                        stride_at(way->to, dim->in_stride, middle, dim->out_stride)};
}

/* Some axes of the problem as a problem of transforms, repeated over all others; their trees. */
struct part {
    struct problem problem;
    struct plan_node tree;
};

/* Where an axis goes to or comes from, it has what the caller's array has. */
static void take_axis(const struct convolution *c, const struct way *way, int axis,
                      const struct dim *dim, struct part *part)
{
    struct problem *p = &part->problem;
    part->tree.child[part->tree.children++] = axis_node(c->tree, axis);
    part->tree.n *= dim->n;
    for (int out = 0; out < 2; out++)
        p->hooks.axis[out][p->axes] = c->p->hooks.axis[out][axis];
    p->range[0][p->axes] = c->has[axis];
    p->range[1][p->axes] = way->back ? c->p->range[1][axis] : (struct range){0, 0};
    p->axis[p->axes++] = *dim;
}

static void repeat_over(struct problem *p, struct dim dim, struct range range, int64_t in_position,
                        int64_t out_position)
{
    p->hooks.loop[0][p->loops] = in_position;
    p->hooks.loop[1][p->loops] = out_position;
    p->repeated[p->loops] = range;
    p->loop[p->loops++] = dim;
}

static struct part select_axes(const struct convolution *c, const struct way *way, unsigned axes)
{
    const struct hooks *hooks = &c->p->hooks;
    struct part part = {.problem = *c->p, .tree = {.kind = PLAN_AXES, .n = 1}};
    struct problem *p = &part.problem;
    p->kind = WEFT_C2C;
    p->operation = WEFT_TRANSFORM;
    p->axes = p->loops = 0;
    for (int i = 0; i < c->p->loops; i++)
        p->loop[p->loops++] = dim_on(way, c->p->loop[i].n, &c->p->loop[i], c->loop[i]);
    for (int i = 0; i < c->p->axes; i++) {
        const struct dim dim = dim_on(way, middle_length(c->p, i), &c->p->axis[i], c->axis[i]);
        if (axes >> i & 1) take_axis(c, way, i, &dim, &part);
        else repeat_over(p, dim, c->has[i], hooks->axis[0][i], hooks->axis[1][i]);
    }
    const struct dim kernels = dim_on(way, c->kernels, &c->p->kernel, c->elements);
    if (way->back && c->kernels > 1)
        repeat_over(p, kernels, (struct range){0, 0}, 0, hooks->kernel);
    return part;
}

/* The axes have been transformed: what each of them has now. */
static void move_on(struct convolution *c, bool back, unsigned axes)
{
    for (int i = 0; i < c->p->axes; i++) {
        if (!(axes >> i & 1)) continue;
        c->has[i] = back ? c->p->range[1][i] : (struct range){0, 0};
    }
}

static void lower_part(const struct convolution *c, const struct way *way,
                       const struct part *part)
{
    struct lowering *l = c->l;
    struct program *program = l->program;
    const int first = program->stages;
    l->problem = &part->problem;
    l->from = way->from;
    l->to = way->to;
    if (part->problem.axes > 0)
        axes_lower(l, part->problem.axes == 1 ? part->tree.child[0] : &part->tree);
    else if (c->p->axes == 0)
        copy_stages_lower(l, &part->problem, way->from, way->to, way->back);
    for (int i = first; i < program->stages; i++)
        program->stage[i].turned = way->back;
}

/* The complex axes but for the fused one. */
static unsigned complex_axes(const struct convolution *c)
{
    const int axes = kind_is_half(c->p->kind) ? c->p->axes - 1 : c->p->axes;
    unsigned all = (1u << axes) - 1;
    return c->fused >= 0 ? all & ~(1u << c->fused) : all;
}

/* The real axis to half its spectrum, or back. */
static void lower_real(struct convolution *c, const struct way *way)
{
    const int axis = c->p->axes - 1;
    struct part part = select_axes(c, way, 1u << axis);
    part.problem.kind = way->back ? WEFT_C2R : WEFT_R2C;
    part.problem.axis[0].n = c->p->axis[axis].n;
    lower_part(c, way, &part);
    move_on(c, way->back, 1u << axis);
}

static void lower_complex(struct convolution *c, const struct way *way, unsigned axes)
{
    const struct part part = select_axes(c, way, axes);
    lower_part(c, way, &part);
    move_on(c, way->back, axes);
}

static void lower_forward(struct convolution *c)
{
    const struct way way = {PASS_INPUT, PASS_MIDDLE, false};
    const struct way within = {PASS_MIDDLE, PASS_MIDDLE, false};
    const bool real = kind_is_half(c->p->kind);
    if (real) lower_real(c, &way);
    lower_complex(c, real ? &within : &way, complex_axes(c));
}

static void lower_backward(struct convolution *c)
{
    const enum pass_place place = place_behind(c);
    const struct way way = {place, PASS_OUTPUT, true};
    const struct way within = {place, place, true};
    unsigned axes = complex_axes(c);
    if (kind_is_half(c->p->kind)) {
        lower_complex(c, &within, axes);
        lower_real(c, &way);
        return;
    }
    /* An output that others could not work in is written by the last axis alone. */
    const unsigned last = axes & (~axes + 1);
    if (problem_output_loses(c->p)) {
        lower_complex(c, &within, axes & ~last);
        axes = last;
    }
    lower_complex(c, &way, axes);
}

/* ---- the product ---- */

/* Whether the fused axis is one of reals, taken for the real parts of complex numbers. */
static bool fuses_real(const struct convolution *c)
{
    return kind_is_half(c->p->kind) && c->fused == c->p->axes - 1;
}

/* Lines along no axis yet: loops over all dimensions but `line`, with what they count in the
 * spectrum, and that of the line. */
static struct rows product_rows(const struct convolution *c, const struct way *way, int line,
                                bool batch)
{
    const struct problem *p = c->p;
    struct rows rows = {.lines = {.from = way->from, .to = way->to},
                        .table = PASS_NO_TABLE,
                        .conjugate = p->operation == WEFT_CORRELATION};
    int64_t weight = 1;
    for (int i = p->axes - 1; i >= 0; i--) {
        const bool whole = i == c->fused && fuses_real(c);
        struct placed_dim axis = placed_axis(p, i);
        axis.dim = dim_on(way, whole ? p->axis[i].n : middle_length(p, i), &p->axis[i], c->axis[i]);
        if (i == line) {
            lines_set_line(&rows.lines, &axis);
            rows.spectrum.line = weight;
        } else {
            rows_prepend_placed(c->l, &rows, &axis, weight);
        }
        weight *= axis.dim.n;
    }
    for (int i = 0; i < p->loops && batch; i++) {
        struct placed_dim loop = placed_loop(p, i);
        loop.dim = dim_on(way, loop.dim.n, &p->loop[i], c->loop[i]);
        rows_prepend_placed(c->l, &rows, &loop, 0);
    }
    struct placed_dim kernels = {dim_on(way, c->kernels, &p->kernel, c->elements),
                                 {0, p->hooks.kernel}};
    kernels.dim.in_stride = 0;
    if (c->kernels > 1) rows_prepend_placed(c->l, &rows, &kernels, weight);
    return rows;
}

/* Neighbours in the middle are a line; a single element is one of length 1. */
static void lower_product(const struct convolution *c, const struct way *way)
{
    const struct problem *p = c->p;
    int line = p->axes - 1;
    for (int i = 0; i < p->axes; i++) {
        if (c->axis[i] < c->axis[line]) line = i;
    }
    struct program_stage *stage = lowering_stage(c->l, way->from, way->to);
    struct rows rows = product_rows(c, way, line, true);
    if (line < 0) rows.lines.line = (struct dim){1, 1, 1};
    struct pass *pass = lowering_pass(c->l, &rows.lines);
    pass->body = PASS_COPY;
    pass->length = pass->line.n;
    pass->spectrum_given = true;
    pass->spectrum_conjugate = rows.conjugate;
    pass->spectrum_map = rows.spectrum;
    lowering_finish(c->l, pass);
    stage->passes = 1;
}

static void lower_split(struct lowering *l, const struct plan_node *split, const struct rows *rows)
{
    const int64_t n1 = split->child[0]->n, n2 = split->child[1]->n;
    const struct lines *lines = &rows->lines;
    const struct lowering_cut cut = lowering_cut(l, lines, n1, n2);
    rows_lower_columns(l, split->child[0], &cut.columns, false);
    rows_lower_cut(l, split, rows, &cut);
    struct lines backward = cut.rest;
    backward.line = (struct dim){n1, cut.pitch, n2 * lines->line.out_stride};
    lines_prepend(l, &backward, (struct dim){n2, cut.unit, lines->line.out_stride});
    lines_map_rows(&backward, lines, n2);
    rows_lower_columns(l, split->child[0], &backward, true);
}

static void make_real(struct rows *rows)
{
    rows->half_n = rows->lines.line.n;
    rows->lines.one_way = rows->lines.lone = true;
    rows->lines.real_in = rows->lines.real_out = true;
}

static void lower_fused(struct convolution *c, const struct way *way)
{
    const struct problem *p = c->p;
    const struct plan_node *chain = axis_node(c->tree, c->fused)->child[0];
    const bool split = chain->kind == PLAN_SPLIT;
    struct program_stage *stage = lowering_stage(c->l, way->from, way->to);
    struct rows rows = product_rows(c, way, c->fused, !split);
    rows.lines.in_map = rows.lines.out_map = (struct pass_map){.line = 1};
    for (int out = 0; out < 2; out++) {
        rows.lines.range[out] = p->range[out][c->fused];
        rows.lines.range_n[out] = p->axis[c->fused].n;
    }
    if (fuses_real(c)) make_real(&rows);
    if (split) {
        /* Scratch is that of one line after the other. */
        stage->outers = p->loops;
        for (int i = 0; i < p->loops; i++) {
            stage->outer[i] = dim_on(way, p->loop[i].n, &p->loop[i], c->loop[i]);
            for (int out = 0; out < 2; out++)
                stage->outer_position[out][i] = p->hooks.loop[out][i];
        }
        lower_split(c->l, chain, &rows);
    } else {
        rows_lower_block(c->l, chain, &rows);
    }
    stage->passes = c->l->program->passes - stage->first;
    move_on(c, true, 1u << c->fused);
}

/* ---- all of it ---- */

static int fused_axis(const struct problem *p, const struct plan_node *tree)
{
    int axis = p->axes - 1;
    while (axis >= 0 && axis_node(tree, axis)->kind != PLAN_CONVOLUTION) axis--;
    return axis;
}

void convolution_stages_lower(struct lowering *l, const struct plan_node *tree)
{
    struct program *program = l->program;
    struct convolution c = {.l = l, .p = &program->problem, .tree = tree, .turns = 1};
    c.kernels = c.p->kernel.n;
    c.fused = fused_axis(c.p, tree);
    memcpy(c.has, c.p->range[0], sizeof c.has);
    /* A sweep that multiplies applies no hooks. */
    const bool direct =
        c.p->axes == 0 ? c.p->hooks.dims == 0 : c.p->axes == 1 && c.fused == 0;
    const struct way whole = {PASS_INPUT, PASS_OUTPUT, false};
    const struct way middle = {PASS_MIDDLE, place_behind(&c), false};
    if (!direct) place_middle(&c);
    if (!direct) lower_forward(&c);
    program->kernel_stage = program->stages;
    program->kernel_turns = c.turns;
    if (c.fused >= 0) lower_fused(&c, direct ? &whole : &middle);
    else lower_product(&c, direct ? &whole : &middle);
    if (!direct) lower_backward(&c);
}
