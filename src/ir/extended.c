/* Extended precision: every real of a kernel becomes the unevaluated sum of two (math/extended.h,
 * whose algorithms these are), every operation on it the operations on those.
 *
 * What folding does to the result is exact (signs move, zeros and ones drop out), and constants
 * meet no others: those were folded in the kernel that comes in, with all their bits. */
#include <math.h>

#include "base/error.h"
#include "ir/builder.h"
#include "math/extended.h"

/* What a value of the kernel has become: parts of reals, hi before lo. An integer is the first. */
struct lowered {
    ir_value part[4];
};

struct number {
    ir_value hi, lo;
};

struct lowering {
    struct ir_builder *b;
    const struct ir *from;
    bool fma;
    struct lowered *value; /* by node */
    ir_value *param;       /* by index */
};

/* ---- arithmetic ---- */

/* Exactly x + y. */
static struct number two_sum(struct ir_builder *b, ir_value x, ir_value y)
{
    ir_value sum = ir_add(b, x, y), y_part = ir_sub(b, sum, x);
    ir_value x_rest = ir_sub(b, x, ir_sub(b, sum, y_part));
    return (struct number){sum, ir_add(b, x_rest, ir_sub(b, y, y_part))};
}

/* Likewise, if |x| >= |y|. */
static struct number ordered_sum(struct ir_builder *b, ir_value x, ir_value y)
{
    ir_value sum = ir_add(b, x, y);
    return (struct number){sum, ir_sub(b, y, ir_sub(b, sum, x))};
}

static struct number add(struct ir_builder *b, struct number x, struct number y)
{
    struct number high = two_sum(b, x.hi, y.hi), low = two_sum(b, x.lo, y.lo);
    high = ordered_sum(b, high.hi, ir_add(b, high.lo, low.hi));
    return ordered_sum(b, high.hi, ir_add(b, high.lo, low.lo));
}

static struct number negate(struct ir_builder *b, struct number x)
{
    return (struct number){ir_neg(b, x.hi), ir_neg(b, x.lo)};
}

static const struct ir_node *constant_at(const struct ir_builder *b, ir_value x)
{
    if (b->failed || x == IR_NONE) return NULL;
    return b->node[x].op == IR_REAL_CONSTANT ? &b->node[x] : NULL;
}

/* The upper and the lower half of the bits. */
static struct number halves(struct ir_builder *b, ir_value x)
{
    const struct ir_node *constant = constant_at(b, x);
    if (constant) {
        const struct extended half = extended_halves(constant->hi);
        return (struct number){ir_real(b, half.hi, 0), ir_real(b, half.lo, 0)};
    }
    ir_value scaled = ir_mul(b, x, ir_real(b, EXTENDED_SPLITTER, 0));
    ir_value upper = ir_sub(b, scaled, ir_sub(b, scaled, x));
    return (struct number){upper, ir_sub(b, x, upper)};
}

/* Exactly x y. */
static struct number two_product(const struct lowering *l, ir_value x, ir_value y)
{
    struct ir_builder *b = l->b;
    ir_value product = ir_mul(b, x, y);
    if (l->fma) return (struct number){product, ir_fms(b, x, y, product)};
    struct number u = halves(b, x), v = halves(b, y);
    ir_value error = ir_sub(b, ir_mul(b, u.hi, v.hi), product);
    error = ir_add(b, error, ir_mul(b, u.hi, v.lo));
    error = ir_add(b, error, ir_mul(b, u.lo, v.hi));
    return (struct number){product, ir_add(b, error, ir_mul(b, u.lo, v.lo))};
}

static ir_value product_and(const struct lowering *l, ir_value x, ir_value y, ir_value addend)
{
    struct ir_builder *b = l->b;
    return l->fma ? ir_fma(b, x, y, addend) : ir_add(b, ir_mul(b, x, y), addend);
}

/* By which both parts may be multiplied by themselves. */
static bool is_power_of_two(const struct ir_builder *b, struct number x)
{
    const struct ir_node *hi = constant_at(b, x.hi), *lo = constant_at(b, x.lo);
    int exponent;
    return hi && lo && lo->hi == 0 && fabs(frexp(hi->hi, &exponent)) == 0.5;
}

static struct number multiply(const struct lowering *l, struct number x, struct number y)
{
    struct ir_builder *b = l->b;
    if (is_power_of_two(b, y))
        return (struct number){ir_mul(b, x.hi, y.hi), ir_mul(b, x.lo, y.hi)};
    if (is_power_of_two(b, x)) return multiply(l, y, x);
    struct number p = two_product(l, x.hi, y.hi);
    ir_value cross = product_and(l, x.hi, y.lo, ir_mul(b, x.lo, y.hi));
    return ordered_sum(b, p.hi, ir_add(b, p.lo, cross));
}

static struct number arithmetic(const struct lowering *l, enum ir_op op, struct number x,
                                struct number y, struct number z)
{
    struct ir_builder *b = l->b;
    switch (op) {
    case IR_ADD: return add(b, x, y);
    case IR_SUB: return add(b, x, negate(b, y));
    case IR_MUL: return multiply(l, x, y);
    case IR_FMA: return add(b, multiply(l, x, y), z);
    case IR_FMS: return add(b, multiply(l, x, y), negate(b, z));
    case IR_FNMA: return add(b, z, negate(b, multiply(l, x, y)));
    case IR_NEG: return negate(b, x);
    default: ir_fail(b, "an operation has no extended precision"); return x;
    }
}

/* ---- values ---- */

static ir_value integer_of(const struct lowering *l, ir_value v)
{
    return v == IR_NONE ? IR_NONE : l->value[v].part[0];
}

static struct number number_of(const struct lowering *l, ir_value v)
{
    if (v == IR_NONE) return (struct number){IR_NONE, IR_NONE};
    return (struct number){l->value[v].part[0], l->value[v].part[1]};
}

/* What is known of an integer of the kernel. */
static struct ir_range range_of(const struct ir_node *node)
{
    if (node->op == IR_INT_CONSTANT) return (struct ir_range){node->integer, node->integer};
    return node->wide ? ir_unknown_range : (struct ir_range){INT32_MIN, INT32_MAX};
}

/* A node that computes no reals, as it was. */
static ir_value copied(const struct lowering *l, const struct ir_node *node)
{
    struct ir_node copy = *node;
    copy.a = integer_of(l, node->a);
    copy.b = integer_of(l, node->b);
    copy.c = integer_of(l, node->c);
    if (node->op == IR_REAL_LESS || node->op == IR_REAL_EQUAL)
        return ir_fail(l->b, "an operation has no extended precision");
    const bool once = node->op == IR_LOAD_INT || (node->op == IR_THREAD && node->integer);
    return (once ? ir_append : ir_share)(l->b, &copy, range_of(node));
}

static struct number selected(const struct lowering *l, const struct ir_node *node)
{
    const ir_value condition = integer_of(l, node->a);
    const struct number x = number_of(l, node->b), y = number_of(l, node->c);
    return (struct number){ir_select(l->b, condition, x.hi, y.hi),
                           ir_select(l->b, condition, x.lo, y.lo)};
}

static struct number computed(const struct lowering *l, const struct ir_node *node)
{
    switch (node->op) {
    case IR_REAL_CONSTANT:
        return (struct number){ir_real(l->b, node->hi, 0), ir_real(l->b, node->lo, 0)};
    case IR_SELECT:
        return selected(l, node);
    case IR_FIRST:
        return number_of(l, node->a);
    case IR_SECOND:
        return (struct number){l->value[node->a].part[2], l->value[node->a].part[3]};
    default:
        return arithmetic(l, node->op, number_of(l, node->a), number_of(l, node->b),
                          number_of(l, node->c));
    }
}

/* ---- memory ----
 *
 * A real is a pair of parts, so an array of reals becomes one of as many pairs, and one of pairs of
 * reals one of twice as many. In private memory, whose indices are constants, parts lie by
 * themselves: there are no pairs. Where reals are stored as another type, arrays stay as they are:
 * of what is loaded the second part is 0, and the first part is what is stored, since it is the
 * number rounded to a double. */

static void declare_stored(const struct lowering *l, const struct ir_buffer *buffer)
{
    struct ir_builder *b = l->b;
    const int made =
        (buffer->pairs ? ir_pair_buffer : ir_buffer)(b, buffer->name, buffer->kind,
                                                     buffer->writable, buffer->count);
    const bool computed = buffer->storage == WEFT_STORED_F64;
    ir_set_storage(b, made, computed ? WEFT_STORED_AS_COMPUTED : buffer->storage);
    if (buffer->base != IR_NONE) ir_set_base(b, made, l->param[buffer->base]);
}

static void declare_buffer(const struct lowering *l, const struct ir_buffer *buffer)
{
    struct ir_builder *b = l->b;
    if (buffer->storage) {
        declare_stored(l, buffer);
        return;
    }
    const bool apart = buffer->kind == IR_TABLE || buffer->kind == IR_PRIVATE;
    const bool doubled = buffer->pairs || buffer->kind == IR_PRIVATE;
    const int64_t count = doubled ? 2 * buffer->count : buffer->count;
    const int made = apart ? ir_buffer(b, buffer->name, buffer->kind, buffer->writable, count)
                           : ir_pair_buffer(b, buffer->name, buffer->kind, buffer->writable, count);
    if (buffer->base != IR_NONE && !doubled) ir_set_base(b, made, l->param[buffer->base]);
}

/* Of part 0 where there are twice as many elements as there were. */
static ir_value doubled_index(const struct lowering *l, const struct ir_buffer *buffer,
                              ir_value index)
{
    struct ir_builder *b = l->b;
    if (buffer->base != IR_NONE) index = ir_int_add(b, index, l->param[buffer->base]);
    ir_value doubled = ir_int_mul(b, index, ir_int(b, 2));
    if (doubled != IR_NONE && buffer->count > 0 && b->node[doubled].op != IR_INT_CONSTANT)
        b->range[doubled] = (struct ir_range){0, 2 * buffer->count - 2};
    return doubled;
}

static ir_value access(const struct lowering *l, const struct ir_node *node, enum ir_op op,
                       ir_value index, struct number value)
{
    struct ir_node made = {.op = op, .type = IR_VOID, .buffer = node->buffer, .peer = node->peer,
                           .a = value.hi, .b = index, .c = value.lo};
    if (op == IR_LOAD_PAIR) made.type = IR_PAIR;
    return ir_append(l->b, &made, ir_unknown_range);
}

static const struct number nothing = {IR_NONE, IR_NONE};

static struct number load(const struct lowering *l, const struct ir_node *node, ir_value index)
{
    struct ir_builder *b = l->b;
    ir_value pair = access(l, node, IR_LOAD_PAIR, index, nothing);
    return (struct number){ir_first(b, pair), ir_second(b, pair)};
}

static void access_private(const struct lowering *l, const struct ir_node *node, ir_value index,
                           struct lowered *to)
{
    struct ir_builder *b = l->b;
    for (int i = 0; i < 2; i++) {
        ir_value at = ir_int_add(b, index, ir_int(b, i));
        if (node->op == IR_LOAD) to->part[i] = ir_load(b, node->buffer, at);
        else ir_store(b, node->buffer, at, l->value[node->a].part[i]);
    }
}

static void access_pair(const struct lowering *l, const struct ir_node *node, ir_value index,
                        struct lowered *to)
{
    for (int i = 0; i < 2; i++) {
        ir_value at = ir_int_add(l->b, index, ir_int(l->b, i));
        if (node->op == IR_STORE_PAIR) {
            access(l, node, IR_STORE_PAIR, at, number_of(l, i ? node->c : node->a));
            continue;
        }
        const struct number x = load(l, node, at);
        to->part[2 * i] = x.hi;
        to->part[2 * i + 1] = x.lo;
    }
}

static void access_stored(const struct lowering *l, const struct ir_node *node, ir_value index,
                          struct lowered *to)
{
    struct ir_builder *b = l->b;
    ir_value zero = ir_real(b, 0, 0), pair;
    switch (node->op) {
    case IR_LOAD:
        *to = (struct lowered){{ir_load(b, node->buffer, index), zero}};
        break;
    case IR_LOAD_PAIR:
        pair = ir_load_pair(b, node->buffer, index);
        *to = (struct lowered){{ir_first(b, pair), zero, ir_second(b, pair), zero}};
        break;
    case IR_STORE:
        ir_store(b, node->buffer, index, number_of(l, node->a).hi);
        break;
    default: /* IR_STORE_PAIR */
        ir_store_pair(b, node->buffer, index, number_of(l, node->a).hi, number_of(l, node->c).hi);
        break;
    }
}

static void lower_access(const struct lowering *l, const struct ir_node *node, struct lowered *to)
{
    const struct ir_buffer *buffer = &l->from->buffer[node->buffer];
    const ir_value index = integer_of(l, node->b);
    if (buffer->storage) {
        access_stored(l, node, index, to);
    } else if (buffer->kind == IR_PRIVATE) {
        access_private(l, node, doubled_index(l, buffer, index), to);
    } else if (buffer->pairs) {
        access_pair(l, node, doubled_index(l, buffer, index), to);
    } else if (node->op == IR_STORE) {
        access(l, node, IR_STORE_PAIR, index, number_of(l, node->a));
    } else {
        const struct number x = load(l, node, index);
        *to = (struct lowered){{x.hi, x.lo}};
    }
}

/* ---- the kernel ---- */

static void lower_control(const struct lowering *l, const struct ir_node *node, struct lowered *to)
{
    switch (node->op) {
    case IR_BARRIER: ir_barrier(l->b); break;
    case IR_ARRIVE: ir_arrive(l->b); break;
    case IR_WAIT: ir_wait(l->b); break;
    case IR_FOR: to->part[0] = ir_for(l->b, integer_of(l, node->a)); break;
    case IR_IF: ir_if(l->b, integer_of(l, node->a)); break;
    default: ir_end(l->b); break;
    }
}

static void lower(const struct lowering *l, ir_value v)
{
    const struct ir_node *node = &l->from->node[v];
    struct lowered *to = &l->value[v];
    if (node->op == IR_PARAM) {
        to->part[0] = l->param[node->integer];
    } else if (ir_is_access(node->op) && node->op != IR_LOAD_INT) {
        lower_access(l, node, to);
    } else if (node->op >= IR_BARRIER) {
        lower_control(l, node, to);
    } else if (node->type == IR_REAL) {
        const struct number x = computed(l, node);
        *to = (struct lowered){{x.hi, x.lo}};
    } else {
        to->part[0] = copied(l, node);
    }
}

/* All of them, also those that only bases need. */
static void declare_params(struct lowering *l)
{
    const struct ir *from = l->from;
    for (int i = 0; i < from->param_count; i++) {
        struct ir_range range = ir_unknown_range;
        for (ir_value v = 0; v < from->count; v++) {
            if (from->node[v].op == IR_PARAM && from->node[v].integer == i)
                range = range_of(&from->node[v]);
        }
        l->param[i] = ir_param_within(l->b, from->param_name[i], range.low, range.high);
    }
}

const struct ir *ir_form_extended(arena *a, const struct ir *kernel, bool fma)
{
    struct lowering l = {.from = kernel, .fma = fma};
    l.b = ir_begin(a, kernel->name, kernel->threads);
    l.value = arena_array(a, (size_t)kernel->count, sizeof *l.value);
    l.param = arena_array(a, IR_MAX_PARAMS, sizeof *l.param);
    if (!l.b || !l.value || !l.param) {
        error_memory("kernel");
        return NULL;
    }
    ir_set_cluster(l.b, kernel->cluster, kernel->resident);
    declare_params(&l);
    for (int i = 0; i < kernel->buffer_count; i++) declare_buffer(&l, &kernel->buffer[i]);
    for (ir_value v = 0; v < kernel->count; v++) lower(&l, v);
    return ir_finish(l.b);
}
