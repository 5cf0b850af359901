/* Integer and bool arithmetic: constructors that fold, knowing the range of every value.
 *
 * Index arithmetic is full of quotients and remainders by constants; most of them vanish once it is
 * known that a thread's index is less than the number of threads. */
#include "ir/builder.h"

static const struct ir_node *node_of(const struct ir_builder *b, ir_value x)
{
    return &b->node[x];
}

static bool is_constant(const struct ir_builder *b, ir_value x)
{
    return node_of(b, x)->op == IR_INT_CONSTANT;
}

static bool is_number(const struct ir_builder *b, ir_value x, int64_t number)
{
    return is_constant(b, x) && node_of(b, x)->integer == number;
}

static bool is_natural(const struct ir_builder *b, ir_value x)
{
    return b->range[x].low >= 0;
}

/* ---- ranges ---- */

static struct ir_range add_ranges(struct ir_range x, struct ir_range y)
{
    struct ir_range sum;
    if (__builtin_add_overflow(x.low, y.low, &sum.low)) sum.low = x.low < 0 ? INT64_MIN : INT64_MAX;
    if (__builtin_add_overflow(x.high, y.high, &sum.high)) {
        sum.high = x.high < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

static struct ir_range negate_range(struct ir_range x)
{
    return (struct ir_range){x.high == INT64_MAX ? INT64_MIN : -x.high,
                             x.low == INT64_MIN ? INT64_MAX : -x.low};
}

/* The extremes are products of extremes. */
static struct ir_range multiply_ranges(struct ir_range x, struct ir_range y)
{
    const int64_t xs[4] = {x.low, x.low, x.high, x.high}, ys[4] = {y.low, y.high, y.low, y.high};
    struct ir_range product = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t corner;
        if (__builtin_mul_overflow(xs[i], ys[i], &corner)) {
            corner = (xs[i] < 0) == (ys[i] < 0) ? INT64_MAX : INT64_MIN;
        }
        if (corner < product.low) product.low = corner;
        if (corner > product.high) product.high = corner;
    }
    return product;
}

static ir_value int_node(struct ir_builder *b, enum ir_op op, ir_value x, ir_value y,
                         struct ir_range range)
{
    struct ir_node node = {.op = op, .type = IR_INT, .a = x, .b = y, .c = IR_NONE};
    return ir_share(b, &node, range);
}

/* Constants last, otherwise the older value first. */
static void put_in_order(const struct ir_builder *b, ir_value *x, ir_value *y)
{
    bool swap = *x > *y;
    if (is_constant(b, *x) != is_constant(b, *y)) swap = is_constant(b, *x);
    if (!swap) return;
    ir_value other = *x;
    *x = *y;
    *y = other;
}

/* ---- sums and products ---- */

/* x is base * factor; factor 1 if it is no such product. */
struct multiple {
    ir_value base;
    int64_t factor;
};

static struct multiple as_multiple(const struct ir_builder *b, ir_value x)
{
    const struct ir_node *node = node_of(b, x);
    if (node->op != IR_INT_MUL || !is_constant(b, node->b)) return (struct multiple){x, 1};
    return (struct multiple){node->a, node_of(b, node->b)->integer};
}

/* (x / c) * c + x % c is x. */
static ir_value reunited(const struct ir_builder *b, ir_value quotient, ir_value remainder)
{
    struct multiple m = as_multiple(b, quotient);
    const struct ir_node *div = node_of(b, m.base), *mod = node_of(b, remainder);
    if (div->op != IR_INT_DIV || mod->op != IR_INT_MOD) return IR_NONE;
    bool match = div->a == mod->a && div->b == mod->b && is_number(b, div->b, m.factor);
    return match ? div->a : IR_NONE;
}

ir_value ir_int_add(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    put_in_order(b, &x, &y);
    if (is_number(b, y, 0)) return x;
    if (is_constant(b, y)) {
        int64_t number = node_of(b, y)->integer;
        const struct ir_node *sum = node_of(b, x);
        if (is_constant(b, x)) return ir_int(b, sum->integer + number);
        if (sum->op == IR_INT_ADD && is_constant(b, sum->b)) {
            ir_value rest = sum->a;
            return ir_int_add(b, rest, ir_int(b, node_of(b, sum->b)->integer + number));
        }
    }
    ir_value whole = reunited(b, x, y);
    if (whole == IR_NONE) whole = reunited(b, y, x);
    if (whole != IR_NONE) return whole;
    return int_node(b, IR_INT_ADD, x, y, add_ranges(b->range[x], b->range[y]));
}

ir_value ir_int_sub(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    if (x == y) return ir_int(b, 0);
    if (is_constant(b, y)) return ir_int_add(b, x, ir_int(b, -node_of(b, y)->integer));
    struct ir_range range = add_ranges(b->range[x], negate_range(b->range[y]));
    return int_node(b, IR_INT_SUB, x, y, range);
}

ir_value ir_int_mul(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    put_in_order(b, &x, &y);
    if (is_constant(b, y)) {
        int64_t number = node_of(b, y)->integer;
        struct multiple m = as_multiple(b, x);
        if (number == 0) return y;
        if (number == 1) return x;
        if (is_constant(b, x)) return ir_int(b, node_of(b, x)->integer * number);
        if (m.factor != 1) return ir_int_mul(b, m.base, ir_int(b, m.factor * number));
    }
    return int_node(b, IR_INT_MUL, x, y, multiply_ranges(b->range[x], b->range[y]));
}

/* ---- quotients and remainders by constants ---- */

/* x == multiple * divisor + rest with 0 <= rest, or multiple == IR_NONE if x is no such sum. */
struct parts {
    ir_value multiple, rest;
};

static bool divides(struct multiple m, int64_t divisor)
{
    return m.factor != 1 && m.factor % divisor == 0;
}

static struct parts split(struct ir_builder *b, ir_value x, int64_t divisor)
{
    struct ir_node node = *node_of(b, x);
    ir_value rest = ir_int(b, 0);
    struct multiple m = as_multiple(b, x);
    if (node.op == IR_INT_ADD && is_natural(b, node.a) && is_natural(b, node.b)) {
        m = as_multiple(b, node.a);
        rest = node.b;
        if (!divides(m, divisor)) {
            m = as_multiple(b, node.b);
            rest = node.a;
        }
        if (!divides(m, divisor) && is_constant(b, node.b)) {
            int64_t number = node_of(b, node.b)->integer;
            if (number < divisor) return (struct parts){IR_NONE, x};
            rest = ir_int_add(b, node.a, ir_int(b, number % divisor));
            return (struct parts){ir_int(b, number / divisor), rest};
        }
    }
    if (!divides(m, divisor)) return (struct parts){IR_NONE, x};
    return (struct parts){ir_int_mul(b, m.base, ir_int(b, m.factor / divisor)), rest};
}

static struct ir_range quotient_range(struct ir_range x, int64_t divisor)
{
    return (struct ir_range){x.low > 0 ? x.low / divisor : 0, x.high / divisor};
}

static ir_value divide_by(struct ir_builder *b, ir_value x, int64_t divisor)
{
    const struct ir_node *node = node_of(b, x);
    if (divisor == 1) return x;
    if (is_constant(b, x)) return ir_int(b, node->integer / divisor);
    if (is_natural(b, x) && b->range[x].high < divisor) return ir_int(b, 0);
    if (node->op == IR_INT_DIV && is_constant(b, node->b)) {
        ir_value dividend = node->a;
        return ir_int_div(b, dividend, ir_int(b, node_of(b, node->b)->integer * divisor));
    }
    struct multiple m = as_multiple(b, x);
    if (m.factor > 1 && divisor % m.factor == 0) {
        return ir_int_div(b, m.base, ir_int(b, divisor / m.factor));
    }
    struct parts parts = split(b, x, divisor);
    if (b->failed) return IR_NONE;
    if (parts.multiple != IR_NONE) {
        ir_value quotient = ir_int_div(b, parts.rest, ir_int(b, divisor));
        return ir_int_add(b, parts.multiple, quotient);
    }
    struct ir_range range = quotient_range(b->range[x], divisor);
    return int_node(b, IR_INT_DIV, x, ir_int(b, divisor), range);
}

static ir_value remainder_by(struct ir_builder *b, ir_value x, int64_t divisor)
{
    const struct ir_node *node = node_of(b, x);
    if (divisor == 1) return ir_int(b, 0);
    if (is_constant(b, x)) return ir_int(b, node->integer % divisor);
    if (is_natural(b, x) && b->range[x].high < divisor) return x;
    if (node->op == IR_INT_MOD && is_constant(b, node->b) &&
        node_of(b, node->b)->integer % divisor == 0) {
        return ir_int_mod(b, node->a, ir_int(b, divisor));
    }
    struct multiple m = as_multiple(b, x);
    if (m.factor > 1 && divisor % m.factor == 0) {
        ir_value rest = ir_int_mod(b, m.base, ir_int(b, divisor / m.factor));
        return ir_int_mul(b, rest, ir_int(b, m.factor));
    }
    struct parts parts = split(b, x, divisor);
    if (b->failed) return IR_NONE;
    if (parts.multiple != IR_NONE) return ir_int_mod(b, parts.rest, ir_int(b, divisor));
    return int_node(b, IR_INT_MOD, x, ir_int(b, divisor), (struct ir_range){0, divisor - 1});
}

ir_value ir_int_div(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    if (is_number(b, y, 0)) return ir_fail(b, "division by 0");
    if (is_constant(b, y)) return divide_by(b, x, node_of(b, y)->integer);
    return int_node(b, IR_INT_DIV, x, y, (struct ir_range){0, b->range[x].high});
}

ir_value ir_int_mod(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    if (is_number(b, y, 0)) return ir_fail(b, "division by 0");
    if (is_constant(b, y)) return remainder_by(b, x, node_of(b, y)->integer);
    return int_node(b, IR_INT_MOD, x, y, (struct ir_range){0, b->range[y].high});
}

/* ---- conditions ---- */

static ir_value bool_node(struct ir_builder *b, enum ir_op op, ir_value x, ir_value y)
{
    struct ir_node node = {.op = op, .type = IR_BOOL, .a = x, .b = y, .c = IR_NONE};
    return ir_share(b, &node, (struct ir_range){0, 1});
}

ir_value ir_less(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    if (b->range[x].high < b->range[y].low) return ir_bool(b, true);
    if (x == y || b->range[x].low >= b->range[y].high) return ir_bool(b, false);
    return bool_node(b, IR_LESS, x, y);
}

ir_value ir_equal(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    struct ir_range left = b->range[x], right = b->range[y];
    if (x == y) return ir_bool(b, true);
    if (left.high < right.low || right.high < left.low) return ir_bool(b, false);
    put_in_order(b, &x, &y);
    return bool_node(b, IR_EQUAL, x, y);
}

ir_value ir_and(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_BOOL, x, y)) return IR_NONE;
    put_in_order(b, &x, &y);
    if (x == y) return x;
    if (is_constant(b, y)) return node_of(b, y)->integer ? x : y;
    return bool_node(b, IR_AND, x, y);
}

static struct ir_range union_of(struct ir_range x, struct ir_range y)
{
    return (struct ir_range){x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high};
}

ir_value ir_select(struct ir_builder *b, ir_value condition, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_BOOL, condition, condition)) return IR_NONE;
    enum ir_type type = x >= 0 && x < b->count ? node_of(b, x)->type : IR_VOID;
    if (!ir_expect(b, type == IR_REAL ? IR_REAL : IR_INT, x, y)) return IR_NONE;
    if (x == y) return x;
    if (is_constant(b, condition)) return node_of(b, condition)->integer ? x : y;
    struct ir_node node = {.op = IR_SELECT, .type = type, .a = condition, .b = x, .c = y};
    return ir_share(b, &node, union_of(b->range[x], b->range[y]));
}
