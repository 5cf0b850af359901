/* The functions of the language. */
#include <string.h>

#include "hook/parse.h"
#include "ir/elementary.h"

/* A call whose arguments have the types that the function takes. */
struct call {
    struct parser *p;
    const struct word *at;
    int count;
    const struct hook_value *argument;
    struct elementary elementary;
};

struct function {
    const char *name;
    int least, most; /* arguments */
    bool complex;    /* that it takes; if not, reals alone */
    struct hook_value (*value)(const struct call *call);
};

static struct hook_value complex_of(ir_value re, ir_value im)
{
    return (struct hook_value){HOOK_COMPLEX, re, im};
}

/* ---- parts of complex numbers ---- */

static struct hook_value re(const struct call *call)
{
    return value_of_real(call->argument[0].re);
}

static struct hook_value im(const struct call *call)
{
    return value_of_real(value_complex(call->p, call->argument[0]).im);
}

static struct hook_value complex(const struct call *call)
{
    return complex_of(call->argument[0].re, call->argument[1].re);
}

static struct hook_value conjugate(const struct call *call)
{
    struct hook_value x = call->argument[0];
    if (x.type == HOOK_COMPLEX) x.im = ir_neg(call->p->b, x.im);
    return x;
}

static struct hook_value norm(const struct call *call)
{
    struct ir_builder *b = call->p->b;
    const struct hook_value x = call->argument[0];
    ir_value square = ir_mul(b, x.re, x.re);
    if (x.type == HOOK_REAL) return value_of_real(square);
    return value_of_real(ir_add(b, square, ir_mul(b, x.im, x.im)));
}

static struct hook_value absolute(const struct call *call)
{
    struct ir_builder *b = call->p->b;
    const struct hook_value x = call->argument[0];
    if (x.type == HOOK_COMPLEX) return value_of_real(ir_sqrt(b, norm(call).re));
    ir_value negative = ir_real_less(b, x.re, ir_real(b, 0, 0));
    return value_of_real(ir_select(b, negative, ir_neg(b, x.re), x.re));
}

static struct hook_value angle(const struct call *call)
{
    const struct hook_value x = value_complex(call->p, call->argument[0]);
    return value_of_real(elementary_angle(&call->elementary, x.im, x.re));
}

/* ---- elementary functions ---- */

static struct hook_value sine(const struct call *call)
{
    return value_of_real(elementary_cos_sin(&call->elementary, call->argument[0].re).sin);
}

static struct hook_value cosine(const struct call *call)
{
    return value_of_real(elementary_cos_sin(&call->elementary, call->argument[0].re).cos);
}

static struct hook_value exponential(const struct call *call)
{
    struct ir_builder *b = call->p->b;
    const struct hook_value x = call->argument[0];
    ir_value magnitude = elementary_exp(&call->elementary, x.re);
    if (x.type == HOOK_REAL) return value_of_real(magnitude);
    const struct elementary_pair turn = elementary_cos_sin(&call->elementary, x.im);
    return complex_of(ir_mul(b, magnitude, turn.cos), ir_mul(b, magnitude, turn.sin));
}

static struct hook_value logarithm(const struct call *call)
{
    return value_of_real(elementary_log(&call->elementary, call->argument[0].re));
}

static struct hook_value root(const struct call *call)
{
    return value_of_real(ir_sqrt(call->p->b, call->argument[0].re));
}

#define MOST_WHOLE_POWER 64

/* By squaring. */
static ir_value whole_power(struct ir_builder *b, ir_value x, int power)
{
    ir_value result = ir_real(b, 1, 0);
    for (int left = power < 0 ? -power : power; left > 0; left /= 2) {
        if (left % 2) result = ir_mul(b, result, x);
        if (left > 1) x = ir_mul(b, x, x);
    }
    return power < 0 ? ir_div(b, ir_real(b, 1, 0), result) : result;
}

static struct hook_value power(const struct call *call)
{
    struct ir_builder *b = call->p->b;
    const ir_value x = call->argument[0].re, y = call->argument[1].re;
    double number;
    const bool known = ir_is_number(b, y, &number);
    if (known && number >= -MOST_WHOLE_POWER && number <= MOST_WHOLE_POWER &&
        number == (int)number) {
        return value_of_real(whole_power(b, x, (int)number));
    }
    ir_value exponent = ir_mul(b, y, elementary_log(&call->elementary, x));
    return value_of_real(elementary_exp(&call->elementary, exponent));
}

/* ---- choices ---- */

static struct hook_value round_down(const struct call *call)
{
    return value_of_real(ir_floor(call->p->b, call->argument[0].re));
}

/* x - y floor(x / y) */
static struct hook_value modulo(const struct call *call)
{
    struct ir_builder *b = call->p->b;
    const ir_value x = call->argument[0].re, y = call->argument[1].re;
    ir_value whole = ir_floor(b, ir_div(b, x, y));
    return value_of_real(ir_sub(b, x, ir_mul(b, y, whole)));
}

static struct hook_value extreme(const struct call *call, bool greatest)
{
    struct ir_builder *b = call->p->b;
    ir_value found = call->argument[0].re;
    for (int i = 1; i < call->count; i++) {
        const ir_value other = call->argument[i].re;
        ir_value better =
            greatest ? ir_real_less(b, found, other) : ir_real_less(b, other, found);
        found = ir_select(b, better, other, found);
    }
    return value_of_real(found);
}

static struct hook_value least(const struct call *call)
{
    return extreme(call, false);
}

static struct hook_value greatest(const struct call *call)
{
    return extreme(call, true);
}

/* pick(index, a, b, c...): what does not exist is the first or the last of those that do. A known
 * index is held to them. */
static struct hook_value pick(const struct call *call)
{
    struct parser *p = call->p;
    const struct hook_value index = call->argument[0];
    struct hook_value found = call->argument[1];
    double number;
    if (index.type != HOOK_REAL)
        return parse_fail(p, call->at, "pick(index, a, b, ...) takes a real index");
    const bool known = p->checks && ir_is_number(p->b, index.re, &number);
    if (known && !(number >= 0 && number < call->count - 1))
        return parse_fail(p, call->at, "pick() of %d values has no number %g: they count from 0",
                          call->count - 1, number);
    for (int i = 2; i < call->count; i++) {
        const ir_value before = ir_real_less(p->b, index.re, ir_real(p->b, i - 1, 0));
        const struct hook_value condition = {HOOK_BOOL, before, IR_NONE};
        found = value_choose(p, call->at, condition, found, call->argument[i]);
    }
    return found;
}

/* ---- all of them ---- */

static const struct function functions[] = {
    {"abs", 1, 1, true, absolute},    {"arg", 1, 1, true, angle},
    {"complex", 2, 2, false, complex}, {"conj", 1, 1, true, conjugate},
    {"cos", 1, 1, false, cosine},     {"exp", 1, 1, true, exponential},
    {"floor", 1, 1, false, round_down}, {"im", 1, 1, true, im},
    {"log", 1, 1, false, logarithm},  {"max", 2, HOOK_MAX_ARGUMENTS, false, greatest},
    {"min", 2, HOOK_MAX_ARGUMENTS, false, least}, {"mod", 2, 2, false, modulo},
    {"norm", 1, 1, true, norm},       {"pick", 2, HOOK_MAX_ARGUMENTS, true, pick},
    {"pow", 2, 2, false, power},      {"re", 1, 1, true, re},
    {"sin", 1, 1, false, sine},       {"sqrt", 1, 1, false, root},
};

static const struct function *find(const struct word *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (word_is(name, functions[i].name)) return &functions[i];
    }
    return NULL;
}

bool function_exists(const struct word *name)
{
    return find(name) != NULL;
}

static bool takes(struct parser *p, const struct word *at, const struct function *f, int count,
                  const struct hook_value *argument)
{
    if (p->failed) return false;
    if (count < f->least || count > f->most) {
        parse_fail(p, at, "%s takes %d%s argument%s, here are %d", f->name, f->least,
                   f->most > f->least ? " or more" : "", f->most > 1 ? "s" : "", count);
    }
    for (int i = 0; i < count && !p->failed; i++) {
        if (argument[i].type == HOOK_BOOL)
            parse_fail(p, at, "%s takes numbers; a condition becomes one by c ? 1 : 0", f->name);
        else if (argument[i].type == HOOK_COMPLEX && !f->complex)
            parse_fail(p, at, "%s takes reals; re(), im() and abs() make one of a complex number",
                       f->name);
    }
    return !p->failed;
}

struct hook_value function_call(struct parser *p, const struct word *name, int count,
                                const struct hook_value *argument)
{
    const struct function *f = find(name);
    const struct call call = {p, name, count, argument,
                              {p->b, precision_computed(p->problem->precision) == WEFT_F32}};
    if (takes(p, name, f, count, argument)) return f->value(&call);
    return (struct hook_value){HOOK_NOTHING, IR_NONE, IR_NONE};
}
