/* Divisions, roots, comparisons and conversions of reals, and what bools have beyond `and`:
 * constructors that fold constants. */
#include <math.h>

#include "ir/builder.h"

static const struct ir_node *node_of(const struct ir_builder *b, ir_value x)
{
    return &b->node[x];
}

static bool is_constant(const struct ir_builder *b, ir_value x)
{
    return node_of(b, x)->op == IR_REAL_CONSTANT;
}

/* A bool that is known. */
static bool is_known(const struct ir_builder *b, ir_value x)
{
    return node_of(b, x)->op == IR_INT_CONSTANT;
}

static ir_value made(struct ir_builder *b, enum ir_op op, enum ir_type type, ir_value x, ir_value y)
{
    const bool is_bool = type == IR_BOOL;
    struct ir_node node = {.op = op, .type = type, .a = x, .b = y, .c = IR_NONE};
    return ir_share(b, &node, is_bool ? (struct ir_range){0, 1} : ir_unknown_range);
}

ir_value ir_div(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    if (is_constant(b, y) && node_of(b, y)->hi == 1 && node_of(b, y)->lo == 0) return x;
    if (is_constant(b, x) && is_constant(b, y))
        return ir_real(b, node_of(b, x)->hi / node_of(b, y)->hi, 0);
    return made(b, IR_DIV, IR_REAL, x, y);
}

ir_value ir_sqrt(struct ir_builder *b, ir_value x)
{
    if (!b || !ir_expect(b, IR_REAL, x, x)) return IR_NONE;
    if (is_constant(b, x)) return ir_real(b, sqrt(node_of(b, x)->hi), 0);
    return made(b, IR_SQRT, IR_REAL, x, IR_NONE);
}

/* Of hi + lo, which a whole hi does not settle where lo is below it. */
static double floor_of(const struct ir_node *x)
{
    const double whole = floor(x->hi);
    return whole == x->hi && x->lo < 0 ? whole - 1 : whole;
}

ir_value ir_floor(struct ir_builder *b, ir_value x)
{
    if (!b || !ir_expect(b, IR_REAL, x, x)) return IR_NONE;
    if (is_constant(b, x)) return ir_real(b, floor_of(node_of(b, x)), 0);
    return made(b, IR_FLOOR, IR_REAL, x, IR_NONE);
}

ir_value ir_to_real(struct ir_builder *b, ir_value integer)
{
    if (!b || !ir_expect(b, IR_INT, integer, integer)) return IR_NONE;
    if (is_known(b, integer)) return ir_real(b, (double)node_of(b, integer)->integer, 0);
    return made(b, IR_TO_REAL, IR_REAL, integer, IR_NONE);
}

ir_value ir_real_less(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    const struct ir_node *left = node_of(b, x), *right = node_of(b, y);
    if (is_constant(b, x) && is_constant(b, y)) {
        const bool same = left->hi == right->hi;
        return ir_bool(b, same ? left->lo < right->lo : left->hi < right->hi);
    }
    return made(b, IR_REAL_LESS, IR_BOOL, x, y);
}

ir_value ir_real_equal(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    const struct ir_node *left = node_of(b, x), *right = node_of(b, y);
    if (is_constant(b, x) && is_constant(b, y))
        return ir_bool(b, left->hi == right->hi && left->lo == right->lo);
    return made(b, IR_REAL_EQUAL, IR_BOOL, x, y);
}

ir_value ir_or(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_BOOL, x, y)) return IR_NONE;
    if (x == y) return x;
    if (is_known(b, x)) return node_of(b, x)->integer ? x : y;
    if (is_known(b, y)) return node_of(b, y)->integer ? y : x;
    return made(b, IR_OR, IR_BOOL, x, y);
}

ir_value ir_not(struct ir_builder *b, ir_value x)
{
    if (!b || !ir_expect(b, IR_BOOL, x, x)) return IR_NONE;
    if (is_known(b, x)) return ir_bool(b, !node_of(b, x)->integer);
    if (node_of(b, x)->op == IR_NOT) return node_of(b, x)->a;
    return made(b, IR_NOT, IR_BOOL, x, IR_NONE);
}
