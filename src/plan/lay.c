#include "plan/lay.h"

#include "base/checked.h"
#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/stride.h"
#include "spec/kind.h"

/* Whether a CPU has all elements of the problem as they are in memory. */
static bool is_plain(const struct problem *p, const struct limits *limits)
{
    return limits->vector_bytes > 0 && p->precision != WEFT_DD && p->hooks.dims == 0 &&
           !problem_convolves(p) && !p->side[0].storage && !p->side[1].storage &&
           !problem_has_ranges(p);
}

/* Whether lines of pairs are split, rather than made of others between sweeps that lay them. */
static bool are_split(const struct problem *single, const struct limits *limits)
{
    const int64_t prime = largest_prime_factor(single->axis[0].n);
    return single->order == WEFT_NATURAL && prime <= LIMITS_MAX_RADIX && limits->step[prime];
}

/* Numbers that lines are transformed as; 0: of lines that are cut, or none that gain. */
static int64_t numbers_of(const struct problem *single, const struct limits *limits)
{
    const int64_t n = single->axis[0].n;
    if (kind_is_trigonometric(single->kind)) return trigonometric_length(single->kind, n);
    if (single->kind == WEFT_C2C) return are_split(single, limits) ? n : 0;
    return n % 2 == 0 ? n / 2 : 0;
}

/* Of lines that a tile has whole it lays some itself. An image's real axis is done in steps, with
 * others. */
bool lay_suits(const struct problem *whole, const struct problem *single,
               const struct limits *limits)
{
    const struct dim *line = &single->axis[0];
    const int64_t bytes = precision_bytes(single->precision);
    const bool image = whole->axes > 1 && kind_is_half(single->kind);
    if (image || !is_plain(whole, limits)) return false;
    if (line->in_stride == 1 && line->out_stride == 1) return false;
    if (4 * bytes * line->n <= limits->shared_bytes) return false; /* spares most the factors */
    return 4 * bytes * numbers_of(single, limits) > limits->shared_bytes;
}

/* Reals of a line, or of half its spectrum, in whole lines of the cache, which are not in the same
 * sets. */
static int64_t pitch_of(const struct problem *single, const struct limits *limits)
{
    const int64_t bytes = precision_bytes(single->precision), n = single->axis[0].n;
    const int64_t line = limits->coalescing_bytes / bytes;
    const int64_t reals = kind_is_trigonometric(single->kind) ? n
                          : single->kind == WEFT_C2C          ? 2 * n
                                                              : 2 * (n / 2 + 1);
    const int64_t unit = line > 2 ? line : 2; /* whole numbers, wherever a line is cut */
    const int64_t pitch = (reals + unit - 1) / unit * unit;
    return shares_cache_sets(pitch * bytes) ? pitch + unit : pitch;
}

struct problem lay_problem(const struct problem *single, const struct limits *limits)
{
    struct problem laid = *single;
    int64_t reals = pitch_of(single, limits);
    laid.format = WEFT_INTERLEAVED;
    laid.axis[0].in_stride = laid.axis[0].out_stride = 1;
    for (int i = laid.loops - 1; i >= 0; i--) {
        laid.loop[i].in_stride = problem_is_real(single, false) ? reals : reals / 2;
        laid.loop[i].out_stride = problem_is_real(single, true) ? reals : reals / 2;
        reals *= laid.loop[i].n;
    }
    return laid;
}

static int64_t stride_of(const struct dim *dim, bool out)
{
    return out ? dim->out_stride : dim->in_stride;
}

/* The elements that a problem of one axis has at that end, from there to where another has what it
 * reads, or writes. */
static void copy(struct lowering *l, const struct problem *from, const struct problem *to, bool out,
                 struct lines lines)
{
    struct program_stage *stage = lowering_stage(l, lines.from, lines.to);
    const int64_t n = problem_side_length(from, out, 0);
    lines.lone = lines.one_way = lines.real_in = lines.real_out = problem_is_real(from, out);
    lines.line = (struct dim){n, stride_of(&from->axis[0], out), stride_of(&to->axis[0], out)};
    for (int i = 0; i < from->loops; i++) {
        const int64_t in_stride = stride_of(&from->loop[i], out);
        const int64_t out_stride = stride_of(&to->loop[i], out);
        lines_prepend(l, &lines, (struct dim){from->loop[i].n, in_stride, out_stride});
    }
    lowering_copy(l, &lines);
    stage->passes = 1;
}

static void make_room(struct lowering *l, const struct problem *single)
{
    const int64_t pitch = pitch_of(single, l->limits);
    int64_t reals = pitch;
    for (int i = 0; i < single->loops; i++) {
        if (!checked_multiply(reals, single->loop[i].n, &reals)) l->failed = true;
    }
    if (reals > l->limits->largest_buffer / precision_bytes(single->precision)) l->failed = true;
    if (reals / 2 > l->program->laid_elements) l->program->laid_elements = reals / 2;
}

void lay_lower(struct lowering *l, const struct plan_node *node, const struct problem *single,
               enum pass_place from)
{
    const struct problem *whole = l->problem, laid = lay_problem(single, l->limits);
    const enum pass_place begin = l->from, to = l->to;
    make_room(l, single);
    copy(l, single, &laid, false, (struct lines){.from = from, .to = PASS_LAID});
    l->problem = &laid;
    l->from = l->to = PASS_LAID;
    axes_lower(l, node);
    l->problem = whole;
    l->from = begin;
    l->to = to;
    copy(l, &laid, single, true, (struct lines){.from = PASS_LAID, .to = to});
}
