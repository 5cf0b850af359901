/* The values of an expression: what names stand for, and what operators make of them. */
#include <string.h>

#include "hook/parse.h"

static const struct hook_value nothing = {HOOK_NOTHING, IR_NONE, IR_NONE};

/* ---- names ---- */

struct hook_value value_of_real(ir_value re)
{
    return (struct hook_value){HOOK_REAL, re, IR_NONE};
}

struct hook_value value_real(struct parser *p, double number)
{
    return value_of_real(ir_real(p->b, number, 0));
}

/* The element's place along a dimension: what is left of its position beyond whole rows. */
static struct hook_value index_along(struct parser *p, int dim)
{
    const struct hooks *hooks = &p->problem->hooks;
    const int64_t *length = hooks->length[p->out];
    int64_t inner = 1, outer = problem_side_arrays(p->problem, p->out);
    for (int i = 0; i < dim; i++) outer *= length[i];
    for (int i = dim + 1; i < hooks->dims; i++) inner *= length[i];
    ir_value index = ir_int_div(p->b, p->element->position, ir_int(p->b, inner));
    if (outer > 1 || hooks->beyond) index = ir_int_mod(p->b, index, ir_int(p->b, length[dim]));
    return value_of_real(ir_to_real(p->b, index));
}

/* Which kernel's result it is. */
static struct hook_value index_of_kernel(struct parser *p)
{
    if (problem_side_arrays(p->problem, p->out) == 1) return value_real(p, 0);
    const ir_value elements = ir_int(p->b, p->problem->hooks.kernel);
    return value_of_real(ir_to_real(p->b, ir_int_div(p->b, p->element->position, elements)));
}

/* "k", "k2": which dimension is meant; 0: it is no such name. The batch is dimension 0. */
static int axis_of(const struct parser *p, const struct word *name, char letter)
{
    const int rank = p->problem->hooks.dims - 1;
    if (*name->text != letter || name->length > 2) return 0;
    if (name->length == 1) return rank;
    const int axis = name->text[1] - '0';
    return axis >= 0 && axis < rank ? axis + 1 : 0;
}

struct hook_value value_named(struct parser *p, const struct word *name)
{
    const struct hook_element *e = p->element;
    const int index = axis_of(p, name, 'k'), size = axis_of(p, name, 'n');
    if (index > 0) return index_along(p, index);
    if (size > 0) return value_real(p, (double)p->problem->hooks.size[size]);
    if (word_is(name, "batch")) return index_along(p, 0);
    if (word_is(name, "kernel")) return index_of_kernel(p);
    if (word_is(name, "x"))
        return (struct hook_value){e->real ? HOOK_REAL : HOOK_COMPLEX, e->re, e->im};
    if (word_is(name, "pi")) return value_of_real(ir_real(p->b, 0x1.921fb54442d18p+1,
                                                          0x1.1a62633145c07p-53));
    if (word_is(name, "i"))
        return (struct hook_value){HOOK_COMPLEX, ir_real(p->b, 0, 0), ir_real(p->b, 1, 0)};
    if (word_is(name, "inverse"))
        return (struct hook_value){HOOK_BOOL, ir_less(p->b, ir_int(p->b, 0), e->inverse), IR_NONE};
    return nothing;
}

/* ---- types ---- */

struct hook_value value_complex(struct parser *p, struct hook_value x)
{
    if (x.type == HOOK_REAL) x.im = ir_real(p->b, 0, 0);
    if (x.type == HOOK_REAL) x.type = HOOK_COMPLEX;
    return x;
}

static bool is_number(struct hook_value x)
{
    return x.type == HOOK_REAL || x.type == HOOK_COMPLEX;
}

/* False, and the parser failed, unless both are of the type. */
static bool expect(struct parser *p, const struct word *at, enum hook_type type,
                   struct hook_value x, struct hook_value y)
{
    if (p->failed) return false;
    if (x.type == type && y.type == type) return true;
    if (type == HOOK_BOOL)
        parse_fail(p, at, "%.*s takes conditions, as in k < 3 && x > 0", at->length, at->text);
    else if (x.type == HOOK_BOOL || y.type == HOOK_BOOL)
        parse_fail(p, at, "%.*s takes numbers; a condition becomes one by c ? 1 : 0", at->length,
                   at->text);
    else
        parse_fail(p, at, "%.*s takes reals; re(), im() and abs() make one of a complex number",
                   at->length, at->text);
    return false;
}

static bool expect_numbers(struct parser *p, const struct word *at, struct hook_value x,
                           struct hook_value y)
{
    if (!p->failed && is_number(x) && is_number(y)) return true;
    return expect(p, at, HOOK_COMPLEX, x, y);
}

/* ---- arithmetic ---- */

struct hook_value value_negate(struct parser *p, const struct word *at, struct hook_value x)
{
    if (!expect_numbers(p, at, x, x)) return nothing;
    x.re = ir_neg(p->b, x.re);
    if (x.type == HOOK_COMPLEX) x.im = ir_neg(p->b, x.im);
    return x;
}

typedef ir_value real_operation(struct ir_builder *, ir_value, ir_value);

static struct hook_value sum_of(struct parser *p, real_operation *add, struct hook_value x,
                                struct hook_value y)
{
    return (struct hook_value){HOOK_COMPLEX, add(p->b, x.re, y.re), add(p->b, x.im, y.im)};
}

static struct hook_value product(struct parser *p, struct hook_value x, struct hook_value y)
{
    struct ir_builder *b = p->b;
    ir_value re = ir_sub(b, ir_mul(b, x.re, y.re), ir_mul(b, x.im, y.im));
    ir_value im = ir_add(b, ir_mul(b, x.re, y.im), ir_mul(b, x.im, y.re));
    return (struct hook_value){HOOK_COMPLEX, re, im};
}

/* x conj y / |y|^2; by a real each part is divided. */
static struct hook_value quotient(struct parser *p, struct hook_value x, struct hook_value y)
{
    struct ir_builder *b = p->b;
    ir_value divisor = y.re;
    if (y.type == HOOK_COMPLEX) {
        divisor = ir_add(b, ir_mul(b, y.re, y.re), ir_mul(b, y.im, y.im));
        y.im = ir_neg(b, y.im);
        x = product(p, value_complex(p, x), y);
    }
    return (struct hook_value){HOOK_COMPLEX, ir_div(b, x.re, divisor), ir_div(b, x.im, divisor)};
}

static struct hook_value real_arithmetic(struct parser *p, char sign, struct hook_value x,
                                         struct hook_value y)
{
    real_operation *operation = sign == '+'   ? ir_add
                                : sign == '-' ? ir_sub
                                : sign == '*' ? ir_mul
                                              : ir_div;
    return value_of_real(operation(p->b, x.re, y.re));
}

struct hook_value value_arithmetic(struct parser *p, const struct word *at, struct hook_value x,
                                   struct hook_value y)
{
    if (!expect_numbers(p, at, x, y)) return nothing;
    const char sign = *at->text;
    if (x.type == HOOK_REAL && y.type == HOOK_REAL) return real_arithmetic(p, sign, x, y);
    if (sign == '/') return quotient(p, value_complex(p, x), y);
    x = value_complex(p, x);
    y = value_complex(p, y);
    if (sign == '*') return product(p, x, y);
    return sum_of(p, sign == '+' ? ir_add : ir_sub, x, y);
}

/* ---- conditions ---- */

static struct hook_value condition_of(ir_value condition)
{
    return (struct hook_value){HOOK_BOOL, condition, IR_NONE};
}

struct hook_value value_not(struct parser *p, const struct word *at, struct hook_value x)
{
    return expect(p, at, HOOK_BOOL, x, x) ? condition_of(ir_not(p->b, x.re)) : nothing;
}

/* Whatever is compared with NaN, as in C: only != holds. */
struct hook_value value_compare(struct parser *p, const struct word *at, struct hook_value x,
                                struct hook_value y)
{
    struct ir_builder *b = p->b;
    if (!expect(p, at, HOOK_REAL, x, y)) return nothing;
    if (word_is(at, "<")) return condition_of(ir_real_less(b, x.re, y.re));
    if (word_is(at, ">")) return condition_of(ir_real_less(b, y.re, x.re));
    ir_value equal = ir_real_equal(b, x.re, y.re);
    if (word_is(at, "==")) return condition_of(equal);
    if (word_is(at, "!=")) return condition_of(ir_not(b, equal));
    ir_value less = word_is(at, "<=") ? ir_real_less(b, x.re, y.re) : ir_real_less(b, y.re, x.re);
    return condition_of(ir_or(b, less, equal));
}

struct hook_value value_logic(struct parser *p, const struct word *at, struct hook_value x,
                              struct hook_value y)
{
    if (!expect(p, at, HOOK_BOOL, x, y)) return nothing;
    return condition_of(*at->text == '&' ? ir_and(p->b, x.re, y.re) : ir_or(p->b, x.re, y.re));
}

struct hook_value value_choose(struct parser *p, const struct word *at, struct hook_value condition,
                               struct hook_value x, struct hook_value y)
{
    struct ir_builder *b = p->b;
    if (!expect(p, at, HOOK_BOOL, condition, condition)) return nothing;
    if (!expect_numbers(p, at, x, y)) return nothing;
    if (x.type == HOOK_REAL && y.type == HOOK_REAL)
        return value_of_real(ir_select(b, condition.re, x.re, y.re));
    x = value_complex(p, x);
    y = value_complex(p, y);
    return (struct hook_value){HOOK_COMPLEX, ir_select(b, condition.re, x.re, y.re),
                               ir_select(b, condition.re, x.im, y.im)};
}
