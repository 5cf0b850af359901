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

/* x is base + number; number 0 if it is no such sum. */
struct offset {
    ir_value base;
    int64_t number;
};

static struct offset as_offset(const struct ir_builder *b, ir_value x)
{
    const struct ir_node *node = node_of(b, x);
    if (node->op != IR_INT_ADD || !is_constant(b, node->b)) return (struct offset){x, 0};
    return (struct offset){node->a, node_of(b, node->b)->integer};
}

int64_t ir_int_offset(const struct ir_builder *b, ir_value x)
{
    return b && x != IR_NONE ? as_offset(b, x).number : 0;
}

/* The constants of sums are kept outermost: addresses that differ by a constant then have the rest
 * in common, and machines add a constant to an address for nothing. */
static ir_value add_number(struct ir_builder *b, ir_value x, int64_t number)
{
    if (x == IR_NONE) return IR_NONE;
    struct offset sum = as_offset(b, x);
    if (number == 0) return x;
    if (is_constant(b, x)) return ir_int(b, node_of(b, x)->integer + number);
    if (sum.number != 0) return add_number(b, sum.base, sum.number + number);
    ir_value constant = ir_int(b, number);
    return int_node(b, IR_INT_ADD, x, constant, add_ranges(b->range[x], b->range[constant]));
}

ir_value ir_int_add(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    put_in_order(b, &x, &y);
    if (is_constant(b, y)) return add_number(b, x, node_of(b, y)->integer);
    struct offset left = as_offset(b, x), right = as_offset(b, y);
    if (left.number != 0 || right.number != 0) {
        return add_number(b, ir_int_add(b, left.base, right.base), left.number + right.number);
    }
    ir_value whole = reunited(b, x, y);
    if (whole == IR_NONE) whole = reunited(b, y, x);
    if (whole != IR_NONE) return whole;
    return int_node(b, IR_INT_ADD, x, y, add_ranges(b->range[x], b->range[y]));
}

static ir_value multiply_by(struct ir_builder *b, ir_value x, int64_t number)
{
    struct multiple m = as_multiple(b, x);
    struct offset sum = as_offset(b, x);
    ir_value constant = ir_int(b, number);
    if (b->failed || number == 0) return constant;
    if (number == 1) return x;
    if (is_constant(b, x)) return ir_int(b, node_of(b, x)->integer * number);
    if (m.factor != 1) return multiply_by(b, m.base, m.factor * number);
    if (sum.number != 0)
        return add_number(b, multiply_by(b, sum.base, number), sum.number * number);
    return int_node(b, IR_INT_MUL, x, constant, multiply_ranges(b->range[x], b->range[constant]));
}

/* Differences are counted in multiples, too: of elements that are mirrors of each other, addresses
 * then differ by constants as well. */
ir_value ir_int_sub(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    struct offset left = as_offset(b, x), right = as_offset(b, y);
    if (is_constant(b, y)) return add_number(b, x, -node_of(b, y)->integer);
    if (is_constant(b, x)) return add_number(b, multiply_by(b, y, -1), node_of(b, x)->integer);
    if (left.number != 0 || right.number != 0)
        return add_number(b, ir_int_sub(b, left.base, right.base), left.number - right.number);
    struct multiple all = as_multiple(b, x), less = as_multiple(b, y);
    if (all.base == less.base) return multiply_by(b, all.base, all.factor - less.factor);
    struct ir_range range = add_ranges(b->range[x], negate_range(b->range[y]));
    return int_node(b, IR_INT_SUB, x, y, range);
}

ir_value ir_int_mul(struct ir_builder *b, ir_value x, ir_value y)
{
    if (!b || !ir_expect(b, IR_INT, x, y)) return IR_NONE;
    put_in_order(b, &x, &y);
    if (is_constant(b, y)) return multiply_by(b, x, node_of(b, y)->integer);
    return int_node(b, IR_INT_MUL, x, y, multiply_ranges(b->range[x], b->range[y]));
}

/* ---- quotients and remainders by constants ---- */

#define MOST_TERMS 16

/* The terms of a sum. */
struct terms {
    int count;
    struct multiple term[MOST_TERMS];
};

/* False if there are too many, or one of several may be negative. */
static bool add_terms(const struct ir_builder *b, ir_value x, struct terms *terms)
{
    const struct ir_node *node = node_of(b, x);
    if (node->op == IR_INT_ADD)
        return add_terms(b, node->a, terms) && add_terms(b, node->b, terms);
    if (!is_natural(b, x) || terms->count == MOST_TERMS) return false;
    terms->term[terms->count++] = as_multiple(b, x);
    return true;
}

/* x == coarse * step + fine with 0 <= fine < step. */
struct parts {
    ir_value coarse, fine;
    int64_t step;
};

/* Constants are in both parts, other terms in one. */
static struct parts split_terms(struct ir_builder *b, const struct terms *terms, int64_t step)
{
    struct parts parts = {ir_int(b, 0), ir_int(b, 0), step};
    for (int i = 0; i < terms->count && !b->failed; i++) {
        struct multiple term = terms->term[i];
        int64_t number = is_constant(b, term.base) ? node_of(b, term.base)->integer : -1;
        if (number >= 0) {
            parts.coarse = add_number(b, parts.coarse, number / step);
            parts.fine = add_number(b, parts.fine, number % step);
        } else if (term.factor % step == 0) {
            ir_value part = multiply_by(b, term.base, term.factor / step);
            parts.coarse = ir_int_add(b, parts.coarse, part);
        } else {
            parts.fine = ir_int_add(b, parts.fine, multiply_by(b, term.base, term.factor));
        }
    }
    return parts;
}

/* The most that the fine part may come to. */
static int64_t most_fine(const struct ir_builder *b, const struct terms *terms, int64_t step)
{
    struct ir_range sum = {0, 0};
    for (int i = 0; i < terms->count; i++) {
        struct multiple term = terms->term[i];
        struct ir_range range = b->range[term.base];
        const struct ir_range factor = {term.factor, term.factor};
        if (is_constant(b, term.base)) range.low = range.high = range.high % step;
        else if (term.factor % step == 0) continue;
        sum = add_ranges(sum, multiply_ranges(range, factor));
    }
    return sum.high;
}

static int64_t common_divisor(int64_t x, int64_t y)
{
    return y == 0 ? x : common_divisor(y, x % y);
}

/* The largest part of the divisor in steps of which the terms can be counted; 1: none. */
static int64_t best_step(const struct ir_builder *b, const struct terms *terms, int64_t divisor)
{
    int64_t best = 1;
    for (int i = 0; i < terms->count; i++) {
        int64_t step = common_divisor(terms->term[i].factor, divisor);
        if (step > best && most_fine(b, terms, step) < step) best = step;
    }
    return best;
}

/* Multiples of the divisor apart from the rest. */
static struct parts split(struct ir_builder *b, ir_value x, int64_t divisor)
{
    struct terms terms = {0};
    struct parts parts = {IR_NONE, x, divisor};
    bool found = false;
    if (node_of(b, x)->op != IR_INT_ADD) terms = (struct terms){1, {as_multiple(b, x)}};
    else if (!add_terms(b, x, &terms)) return parts;
    for (int i = 0; i < terms.count; i++) {
        struct multiple term = terms.term[i];
        found |= term.factor != 1 && term.factor % divisor == 0;
        found |= is_constant(b, term.base) && node_of(b, term.base)->integer >= divisor;
    }
    if (found) return split_terms(b, &terms, divisor);
    parts.step = best_step(b, &terms, divisor);
    return parts.step > 1 ? split_terms(b, &terms, parts.step) : parts;
}

static struct ir_range quotient_range(struct ir_range x, int64_t divisor)
{
    return (struct ir_range){x.low > 0 ? x.low / divisor : 0, x.high / divisor};
}

/* Of a multiple of the divisor, positive or not, and a constant; IR_NONE: it is no such sum. */
static ir_value quotient_of_sum(struct ir_builder *b, ir_value x, int64_t divisor)
{
    const struct offset sum = as_offset(b, x);
    const struct multiple m = as_multiple(b, sum.base);
    if (sum.number < 0 || m.factor % divisor != 0) return IR_NONE;
    return add_number(b, multiply_by(b, m.base, m.factor / divisor), sum.number / divisor);
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
    const ir_value quotient = quotient_of_sum(b, x, divisor);
    if (quotient != IR_NONE || b->failed) return quotient;
    struct parts parts = split(b, x, divisor);
    if (b->failed) return IR_NONE;
    if (parts.coarse != IR_NONE && parts.step < divisor)
        return ir_int_div(b, parts.coarse, ir_int(b, divisor / parts.step));
    if (parts.coarse != IR_NONE)
        return ir_int_add(b, parts.coarse, ir_int_div(b, parts.fine, ir_int(b, divisor)));
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
    struct parts parts = split(b, x, divisor);
    if (b->failed) return IR_NONE;
    if (parts.coarse != IR_NONE && parts.step < divisor) {
        ir_value rest = ir_int_mod(b, parts.coarse, ir_int(b, divisor / parts.step));
        return ir_int_add(b, multiply_by(b, rest, parts.step), parts.fine);
    }
    if (parts.coarse != IR_NONE) return ir_int_mod(b, parts.fine, ir_int(b, divisor));
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
