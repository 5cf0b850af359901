/* Real arithmetic: constructors that fold.
 *
 * Negations move outward, and constants are kept positive, so that products which differ only in
 * sign are one value and the sign ends in an addition, where it is free. */
#include <math.h>

#include "ir/builder.h"
#include "math/roots.h"

static const struct ir_node *node_of(const struct ir_builder *b, ir_value x)
{
    return &b->node[x];
}

static bool is_constant(const struct ir_builder *b, ir_value x)
{
    return node_of(b, x)->op == IR_REAL_CONSTANT;
}

static bool is_number(const struct ir_builder *b, ir_value x, double number)
{
    return is_constant(b, x) && node_of(b, x)->hi == number && node_of(b, x)->lo == 0;
}

static bool is_negation(const struct ir_builder *b, ir_value x)
{
    return node_of(b, x)->op == IR_NEG;
}

/* ---- constants, in double-double arithmetic (Dekker 1971) ---- */

static struct extended value_of(const struct ir_builder *b, ir_value x)
{
    return (struct extended){node_of(b, x)->hi, node_of(b, x)->lo};
}

static struct extended two_sum(double x, double y)
{
    double sum = x + y;
    double part = sum - x;
    return (struct extended){sum, (x - (sum - part)) + (y - part)};
}

static struct extended sum_of(struct extended x, struct extended y)
{
    /* Infinities have no exact remainder. */
    if (!isfinite(x.hi + y.hi)) return (struct extended){x.hi + y.hi, 0};
    struct extended high = two_sum(x.hi, y.hi);
    struct extended low = two_sum(x.lo, y.lo);
    struct extended sum = two_sum(high.hi, high.lo + low.hi);
    return two_sum(sum.hi, sum.lo + low.lo);
}

static struct extended product_of(struct extended x, struct extended y)
{
    double high = x.hi * y.hi;
    if (!isfinite(high)) return (struct extended){high, 0};
    double low = fma(x.hi, y.hi, -high) + (x.hi * y.lo + x.lo * y.hi);
    return two_sum(high, low);
}

static ir_value constant(struct ir_builder *b, struct extended x)
{
    return ir_real(b, x.hi, x.lo);
}

/* ---- nodes ---- */

static ir_value real_node(struct ir_builder *b, enum ir_op op, ir_value x, ir_value y, ir_value z)
{
    struct ir_node node = {.op = op, .type = IR_REAL, .a = x, .b = y, .c = z};
    return ir_share(b, &node, ir_unknown_range);
}

/* Constants last, otherwise the older value first. */
static bool in_order(const struct ir_builder *b, ir_value x, ir_value y)
{
    if (is_constant(b, x) != is_constant(b, y)) return is_constant(b, y);
    return x <= y;
}

static ir_value commutative(struct ir_builder *b, enum ir_op op, ir_value x, ir_value y)
{
    if (in_order(b, x, y)) return real_node(b, op, x, y, IR_NONE);
    return real_node(b, op, y, x, IR_NONE);
}

/* A value without its sign: the value is magnitude, or -magnitude if negative. */
struct signed_value {
    ir_value magnitude;
    bool negative;
};

static struct signed_value take_sign(struct ir_builder *b, ir_value x)
{
    if (is_negation(b, x)) return (struct signed_value){node_of(b, x)->a, true};
    if (is_constant(b, x) && node_of(b, x)->hi < 0) {
        return (struct signed_value){ir_neg(b, x), true};
    }
    return (struct signed_value){x, false};
}

ir_value ir_neg(struct ir_builder *b, ir_value x)
{
    if (!b || !ir_expect(b, IR_REAL, x, x)) return IR_NONE;
    if (is_constant(b, x)) return ir_real(b, -node_of(b, x)->hi, -node_of(b, x)->lo);
    if (is_negation(b, x)) return node_of(b, x)->a;
    return real_node(b, IR_NEG, x, IR_NONE, IR_NONE);
}

ir_value ir_add(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    if (is_constant(b, x) && is_constant(b, y)) {
        return constant(b, sum_of(value_of(b, x), value_of(b, y)));
    }
    if (is_number(b, x, 0)) return y;
    if (is_number(b, y, 0)) return x;
    if (is_negation(b, y)) return ir_sub(b, x, node_of(b, y)->a);
    if (is_negation(b, x)) return ir_sub(b, y, node_of(b, x)->a);
    return commutative(b, IR_ADD, x, y);
}

ir_value ir_sub(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    if (is_constant(b, y)) return ir_add(b, x, ir_neg(b, y));
    if (is_number(b, x, 0)) return ir_neg(b, y);
    if (is_negation(b, y)) return ir_add(b, x, node_of(b, y)->a);
    if (is_negation(b, x)) return ir_neg(b, ir_add(b, node_of(b, x)->a, y));
    return real_node(b, IR_SUB, x, y, IR_NONE);
}

/* Of values without sign. */
static ir_value positive_product(struct ir_builder *b, ir_value x, ir_value y)
{
    if (is_constant(b, x) && is_constant(b, y)) {
        return constant(b, product_of(value_of(b, x), value_of(b, y)));
    }
    if (is_number(b, x, 0) || is_number(b, y, 0)) return ir_real(b, 0, 0);
    if (is_number(b, x, 1)) return y;
    if (is_number(b, y, 1)) return x;
    return commutative(b, IR_MUL, x, y);
}

ir_value ir_mul(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    struct signed_value left = take_sign(b, x), right = take_sign(b, y);
    if (b->failed) return IR_NONE;
    ir_value product = positive_product(b, left.magnitude, right.magnitude);
    return left.negative != right.negative ? ir_neg(b, product) : product;
}

static bool is_trivial_factor(const struct ir_builder *b, ir_value x)
{
    return is_number(b, x, 0) || is_number(b, x, 1);
}

static ir_value signed_sum(struct ir_builder *b, struct signed_value x, struct signed_value y)
{
    if (!x.negative && !y.negative) return ir_add(b, x.magnitude, y.magnitude);
    if (!x.negative) return ir_sub(b, x.magnitude, y.magnitude);
    if (!y.negative) return ir_sub(b, y.magnitude, x.magnitude);
    return ir_neg(b, ir_add(b, x.magnitude, y.magnitude));
}

/* Products with the same constant, which is theirs last. */
static bool share_factor(const struct ir_builder *b, ir_value x, ir_value y)
{
    const struct ir_node *left = node_of(b, x), *right = node_of(b, y);
    return left->op == IR_MUL && right->op == IR_MUL && left->b == right->b &&
           is_constant(b, left->b);
}

static ir_value scaled_sum(struct ir_builder *b, ir_value x, ir_value y, bool subtract)
{
    if (!b || !ir_expect(b, IR_REAL, x, y)) return IR_NONE;
    struct signed_value left = take_sign(b, x), right = take_sign(b, y);
    if (b->failed) return IR_NONE;
    if (!share_factor(b, left.magnitude, right.magnitude))
        return subtract ? ir_sub(b, x, y) : ir_add(b, x, y);
    const ir_value factor = node_of(b, left.magnitude)->b;
    left.magnitude = node_of(b, left.magnitude)->a;
    right.magnitude = node_of(b, right.magnitude)->a;
    right.negative = right.negative != subtract;
    return ir_mul(b, signed_sum(b, left, right), factor);
}

ir_value ir_add_scaled(struct ir_builder *b, ir_value x, ir_value y)
{
    return scaled_sum(b, x, y, false);
}

ir_value ir_sub_scaled(struct ir_builder *b, ir_value x, ir_value y)
{
    return scaled_sum(b, x, y, true);
}

/* x y + z, or x y - z, in one rounding where that is not less. */
static ir_value fused(struct ir_builder *b, ir_value x, ir_value y, ir_value z, bool negate_addend)
{
    if (!b || !ir_expect(b, IR_REAL, x, y) || !ir_expect(b, IR_REAL, z, z)) return IR_NONE;
    struct signed_value left = take_sign(b, x), right = take_sign(b, y), addend = take_sign(b, z);
    if (b->failed) return IR_NONE;
    x = left.magnitude;
    y = right.magnitude;
    bool negative = left.negative != right.negative;
    addend.negative = addend.negative != negate_addend;
    bool constants = is_constant(b, x) && is_constant(b, y);
    if (constants || is_trivial_factor(b, x) || is_trivial_factor(b, y) ||
        is_number(b, addend.magnitude, 0)) {
        ir_value product = ir_mul(b, x, y);
        if (product == IR_NONE) return IR_NONE;
        return signed_sum(b, (struct signed_value){product, negative}, addend);
    }
    if (!in_order(b, x, y)) {
        ir_value other = x;
        x = y;
        y = other;
    }
    if (negative && addend.negative) return ir_neg(b, real_node(b, IR_FMA, x, y, addend.magnitude));
    enum ir_op op = negative ? IR_FNMA : addend.negative ? IR_FMS : IR_FMA;
    return real_node(b, op, x, y, addend.magnitude);
}

ir_value ir_fma(struct ir_builder *b, ir_value x, ir_value y, ir_value z)
{
    return fused(b, x, y, z, false);
}

ir_value ir_fms(struct ir_builder *b, ir_value x, ir_value y, ir_value z)
{
    return fused(b, x, y, z, true);
}
