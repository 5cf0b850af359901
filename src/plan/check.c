#include <inttypes.h>

#include "base/error.h"
#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/convolution.h"
#include "plan/lay.h"
#include "plan/odd.h"
#include "plan/order.h"
#include "plan/planner.h"
#include "plan/resampled.h"
#include "spec/kind.h"

struct check {
    const struct problem *problem;
    const struct limits *limits;
    struct search search; /* for what it says of lengths; it makes nothing */
};

static bool node_serves(const struct check *c, const struct plan_node *node, enum line_role role);

/* As whole_block() and best_block() make them. */
static bool radices_exist(const struct check *c, const struct plan_node *node, enum line_role role)
{
    const struct limits *limits = c->limits;
    for (int i = 0; i < node->radices; i++) {
        const int radix = node->radix[i];
        if (radix > LIMITS_MAX_RADIX) return false;
        const bool last = i == node->radices - 1;
        const bool opens = i == 0 && !last && limits->opens[radix] &&
                           search_opens(&c->search, role);
        if (!limits->step[radix] && !(last && limits->last[radix]) && !opens) return false;
    }
    return true;
}

static bool block_serves(const struct check *c, const struct plan_node *node, enum line_role role)
{
    if (node->columns > 0 && c->limits->vector_bytes > 0) return false;
    const int blocks = node->cluster > 0 ? node->cluster : 1;
    if (blocks > 1 && (role != LINE_WHOLE || blocks > c->limits->cluster)) return false;
    const int64_t share = node->n / blocks;
    return search_fits_line(&c->search, share, role) && radices_exist(c, node, role);
}

static bool split_serves(const struct check *c, const struct plan_node *node, enum line_role role)
{
    const bool chain = role == LINE_CHAIN;
    return node->child[0]->n > 1 && node->child[1]->n > 1 &&
           node_serves(c, node->child[0], chain ? LINE_BLOCK : LINE_COLUMNS) &&
           node_serves(c, node->child[1], chain ? LINE_CHAIN : LINE_ROWS);
}

static bool transposed_serves(const struct check *c, const struct plan_node *node)
{
    return c->problem->order == WEFT_TRANSPOSED && node->child[0]->n > 1 &&
           node->child[1]->n > 1 && node_serves(c, node->child[0], LINE_COLUMNS) &&
           node_serves(c, node->child[1], LINE_LAST);
}

static bool rader_serves(const struct check *c, const struct plan_node *node)
{
    return node->n >= 3 && search_fits_block(&c->search, node->n) && is_prime(node->n) &&
           node_serves(c, node->child[0], LINE_BLOCK);
}

/* Only a whole axis may have a convolution of several passes. */
static bool bluestein_serves(const struct check *c, const struct plan_node *node,
                             enum line_role role)
{
    const bool chain = role == LINE_WHOLE && node->child[0]->kind != PLAN_BLOCK;
    return node->n > 1 && node_serves(c, node->child[0], chain ? LINE_CHAIN : LINE_BLOCK);
}

static bool node_serves(const struct check *c, const struct plan_node *node, enum line_role role)
{
    bool has_role = false;
    for (int i = 0; i < algorithm_count; i++) {
        const struct algorithm *algorithm = &algorithm_table[i];
        if (algorithm->kind == node->kind && (algorithm->roles & role) != 0) has_role = true;
    }
    if (!has_role) return false;
    if (node->kind == PLAN_BLOCK) return block_serves(c, node, role);
    if (node->kind == PLAN_SPLIT) return split_serves(c, node, role);
    if (node->kind == PLAN_TRANSPOSED) return transposed_serves(c, node);
    if (node->kind == PLAN_RADER) return rader_serves(c, node);
    if (node->kind == PLAN_RESAMPLED)
        return resampled_suits(c->problem, c->limits) &&
               node_serves(c, node->child[0], LINE_WHOLE);
    return node->kind == PLAN_BLUESTEIN && bluestein_serves(c, node, role);
}

/* reals: two of the last axis are a number. */
static bool image_serves(const struct check *c, const struct plan_node *node, int first, bool reals)
{
    if (c->limits->vector_bytes > 0 || !search_fits_block(&c->search, node->n)) return false;
    if (problem_has_ranges(c->problem)) return false;
    for (int i = 0; i < node->children; i++) {
        const struct plan_node *block = node->child[i];
        const int64_t n = reals && i == node->children - 1 ? 2 * block->n : block->n;
        if (n != c->problem->axis[first + i].n) return false;
        if (!node_serves(c, block, LINE_BLOCK)) return false;
    }
    return true;
}

static bool convolution_serves(const struct check *c, const struct plan_node *node, int axis)
{
    const bool block = node->child[0]->kind == PLAN_BLOCK;
    if (node->n != c->problem->axis[axis].n) return false;
    if (!convolution_may_fuse(c->problem, axis)) return false;
    if (!block && c->problem->kernel.n > 1) return false;
    return node->n > 1 && node_serves(c, node->child[0], block ? LINE_BLOCK : LINE_CHAIN);
}

static bool inner_serves(const struct check *c, const struct plan_node *node)
{
    const struct plan_node *child = node->child[0];
    return child->kind == PLAN_COPY || node_serves(c, child, LINE_WHOLE);
}

static bool cut_serves(const struct check *c, const struct plan_node *node)
{
    return odd_suits(c->problem, c->limits, node) && inner_serves(c, node);
}

static bool real_serves(const struct check *c, const struct plan_node *node)
{
    const bool halves = node->n % 2 == 0 && node->child[0]->n == node->n;
    const bool may_halve = c->problem->hooks.dims == 0;
    const bool back = c->problem->kind == WEFT_C2R || problem_convolves(c->problem);
    struct plan_node lone = *node;
    lone.child[0] = node->child[node->children - 1];
    if (odd_is_cut(&lone) && !cut_serves(c, &lone)) return false;
    if (odd_is_cut(node)) return cut_serves(c, node);
    return (!halves || (may_halve && lowering_halves(node, !back))) && inner_serves(c, node);
}

static bool trigonometric_way_serves(const struct check *c, weft_kind kind,
                                     const struct plan_node *node)
{
    const bool halves = trigonometric_halves(kind, node) && c->problem->hooks.dims == 0;
    if (odd_is_cut(node)) return cut_serves(c, node);
    return (halves || node->child[0]->n == trigonometric_length(kind, node->n)) &&
           inner_serves(c, node);
}

static bool trigonometric_serves(const struct check *c, const struct plan_node *node, int axis)
{
    const weft_kind kind = problem_axis_kind(c->problem, axis);
    struct plan_node back = *node;
    back.child[0] = node->child[node->children - 1];
    return trigonometric_way_serves(c, kind, node) &&
           trigonometric_way_serves(c, kind_inverse(kind), &back);
}

/* Of reals: a hook is told of one real at a time, and of each number once. */
static bool image_of_reals_serves(const struct check *c, const struct plan_node *node, int first)
{
    const struct plan_node *image = node->child[0];
    const bool cornered = kind_inverse(c->problem->kind) != c->problem->kind &&
                          !problem_mixes_kinds(c->problem) &&
                          node->children == 1 && image->children <= PLAN_MOST_CORNERED;
    return c->problem->hooks.dims == 0 && !problem_convolves(c->problem) &&
           (node->kind == PLAN_REAL || cornered) && image_serves(c, image, first, true);
}

/* Whether the node does the axes from `first` on, as many as it is for. */
static bool part_serves(const struct check *c, const struct plan_node *node, int first)
{
    const int last = first + plan_axes(node) - 1;
    const weft_kind kind = c->problem->kind;
    const bool real = kind_is_half(kind) && last == c->problem->axes - 1;
    if (node->kind == PLAN_CONVOLUTION) return convolution_serves(c, node, first);
    if (real != (node->kind == PLAN_REAL)) return false;
    if (kind_is_trigonometric(kind) != (node->kind == PLAN_TRIGONOMETRIC)) return false;
    if (node->kind == PLAN_IMAGE)
        return !problem_convolves(c->problem) && image_serves(c, node, first, false);
    if (plan_is_image_of_reals(node)) return image_of_reals_serves(c, node, first);
    if (node->n != c->problem->axis[first].n) return false;
    if (real) return real_serves(c, node);
    if (kind_is_trigonometric(kind)) return trigonometric_serves(c, node, first);
    return node_serves(c, node, LINE_WHOLE);
}

/* Lines that are laid are what the search was told of (rank.c). */
static bool axis_serves(const struct problem *problem, const struct limits *limits,
                        const struct plan_node *node, int first)
{
    struct check c = {problem, limits, {.problem = problem, .limits = limits}};
    struct problem single = problem_of_axis(problem, first);
    if (lay_suits(problem, &single, limits)) {
        single = lay_problem(&single, limits);
        c.search.problem = &single;
    }
    return part_serves(&c, node, first);
}

weft_status plan_check(const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree)
{
    const int axes = plan_axes(tree);
    if (axes != problem->axes) {
        return error_set(WEFT_ERROR_UNSUPPORTED, "the plan is for %d axes, the problem has %d",
                         axes, problem->axes);
    }
    if (!order_serves(problem, tree)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "the plan takes axes in another order than the problem allows");
    }
    int fused = 0;
    for (int i = 0, axis = 0; axis < axes; i++) {
        const struct plan_node *node = tree->kind == PLAN_AXES ? tree->child[i] : tree;
        const int first = axis;
        axis += plan_axes(node);
        fused += node->kind == PLAN_CONVOLUTION;
        const bool serves = axis_serves(problem, limits, node, first);
        if (serves && fused <= problem_convolves(problem)) continue;
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "the plan's part for an axis of %" PRId64
                         " is for another length, or more than %s can do",
                         problem->axis[first].n, limits->name);
    }
    return WEFT_OK;
}
