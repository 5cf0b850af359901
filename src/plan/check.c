#include <inttypes.h>

#include "base/error.h"
#include "math/factor.h"
#include "plan/algorithm.h"
#include "plan/planner.h"

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
        const bool whole = role == LINE_WHOLE && node->radices == 1 && limits->whole[radix] &&
                           c->problem->format == WEFT_INTERLEAVED;
        if (!limits->step[radix] && !(last && limits->last[radix]) && !whole) return false;
    }
    return true;
}

static bool block_serves(const struct check *c, const struct plan_node *node, enum line_role role)
{
    return search_fits_block(&c->search, node->n) && radices_exist(c, node, role);
}

static bool split_serves(const struct check *c, const struct plan_node *node, enum line_role role)
{
    const bool chain = role == LINE_CHAIN;
    return node->child[0]->n > 1 && node->child[1]->n > 1 &&
           node_serves(c, node->child[0], chain ? LINE_BLOCK : LINE_COLUMNS) &&
           node_serves(c, node->child[1], chain ? LINE_CHAIN : LINE_ROWS);
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
    if (node->kind == PLAN_RADER) return rader_serves(c, node);
    return node->kind == PLAN_BLUESTEIN && bluestein_serves(c, node, role);
}

static const struct plan_node *node_of_axis(const struct plan_node *tree, int axis)
{
    return tree->kind == PLAN_AXES ? tree->child[axis] : tree;
}

weft_status plan_check(const struct problem *problem, const struct limits *limits,
                       const struct plan_node *tree)
{
    const struct check c = {problem, limits, {.problem = problem, .limits = limits}};
    const int parts = tree->kind == PLAN_COPY ? 0 : tree->kind == PLAN_AXES ? tree->children : 1;
    if (parts != problem->axes) {
        return error_set(WEFT_ERROR_UNSUPPORTED, "the plan is for %d axes, the problem has %d",
                         parts, problem->axes);
    }
    for (int i = 0; i < parts; i++) {
        const struct plan_node *node = node_of_axis(tree, i);
        if (node->n == problem->axis[i].n && node_serves(&c, node, LINE_WHOLE)) continue;
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "the plan's part for an axis of %" PRId64
                         " is for another length, or more than %s can do",
                         problem->axis[i].n, limits->name);
    }
    return WEFT_OK;
}
