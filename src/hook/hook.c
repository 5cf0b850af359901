/* The grammar, by recursive descent: what it reads it appends to the kernel. */
#include "hook/hook.h"

#include "base/error.h"
#include "hook/parse.h"

static struct hook_value choice(struct parser *p);

/* ---- the smallest parts ---- */

static void expect_sign(struct parser *p, const char *sign, const char *where)
{
    if (p->failed || parse_take(p, sign)) return;
    parse_fail(p, &p->word, "expected %s %s", sign, where);
}

static struct hook_value call(struct parser *p, const struct word *name)
{
    struct hook_value argument[HOOK_MAX_ARGUMENTS];
    int count = 0;
    parse_next(p);
    do {
        if (count == HOOK_MAX_ARGUMENTS)
            return parse_fail(p, &p->word, "a function takes at most %d arguments",
                              HOOK_MAX_ARGUMENTS);
        argument[count++] = choice(p);
    } while (parse_take(p, ","));
    expect_sign(p, ")", "after the arguments, or , before another");
    return function_call(p, name, count, argument);
}

static struct hook_value bound(const struct parser *p, const struct word *name)
{
    for (int i = p->bindings - 1; i >= 0; i--) {
        const struct binding *binding = &p->binding[i];
        const struct word other = {WORD_NAME, binding->name, binding->length, 0};
        if (other.length != name->length) continue;
        int same = 0;
        while (same < name->length && other.text[same] == name->text[same]) same++;
        if (same == name->length) return binding->value;
    }
    return (struct hook_value){HOOK_NOTHING, IR_NONE, IR_NONE};
}

static struct hook_value name(struct parser *p)
{
    const struct word word = p->word;
    parse_next(p);
    if (!p->failed && word_is(&p->word, "(") && function_exists(&word)) return call(p, &word);
    struct hook_value value = bound(p, &word);
    if (value.type == HOOK_NOTHING) value = value_named(p, &word);
    if (value.type != HOOK_NOTHING) return value;
    if (function_exists(&word))
        return parse_fail(p, &word, "%.*s is a function: expected ( after it", word.length,
                          word.text);
    return parse_fail(p, &word,
                      "%.*s means nothing; there are x, k0 to k%d, n0 to n%d, k, n, batch, "
                      "kernel, inverse, pi, i, names after let, and abs arg complex conj cos "
                      "exp floor im log max min mod norm pick pow re sin sqrt of arguments",
                      word.length, word.text, p->problem->hooks.dims - 2,
                      p->problem->hooks.dims - 2);
}

static struct hook_value primary(struct parser *p)
{
    if (p->word.kind == WORD_NUMBER) {
        const double number = p->word.number;
        parse_next(p);
        return value_real(p, number);
    }
    if (p->word.kind == WORD_NAME) return name(p);
    if (parse_take(p, "(")) {
        const struct hook_value value = choice(p);
        expect_sign(p, ")", "here");
        return value;
    }
    return parse_fail(p, &p->word, "expected a number, a name or (%s",
                      p->word.kind == WORD_END ? "; the expression ends here" : "");
}

/* ---- operators, those that bind closest first ---- */

/* False, and the parser failed, if expressions nest too deeply; else end with leave(). */
static bool enter(struct parser *p)
{
    if (p->failed) return false;
    if (p->depth == HOOK_MAX_DEPTH) {
        parse_fail(p, &p->word, "nested too deeply: at most %d levels; let names a part",
                   HOOK_MAX_DEPTH);
        return false;
    }
    p->depth++;
    return true;
}

static struct hook_value leave(struct parser *p, struct hook_value value)
{
    p->depth--;
    if (!p->failed && p->checks && ir_size(p->b) > HOOK_MAX_VALUES)
        return parse_fail(p, &p->word, "too long: at most %d operations", HOOK_MAX_VALUES);
    return value;
}

static struct hook_value unary(struct parser *p)
{
    if (!enter(p)) return (struct hook_value){HOOK_NOTHING, IR_NONE, IR_NONE};
    const struct word at = p->word;
    if (parse_take(p, "-")) return leave(p, value_negate(p, &at, unary(p)));
    if (parse_take(p, "!")) return leave(p, value_not(p, &at, unary(p)));
    return leave(p, primary(p));
}

static struct hook_value product(struct parser *p)
{
    struct hook_value value = unary(p);
    for (struct word at = p->word; parse_take(p, "*") || parse_take(p, "/"); at = p->word)
        value = value_arithmetic(p, &at, value, unary(p));
    return value;
}

static struct hook_value sum(struct parser *p)
{
    struct hook_value value = product(p);
    for (struct word at = p->word; parse_take(p, "+") || parse_take(p, "-"); at = p->word)
        value = value_arithmetic(p, &at, value, product(p));
    return value;
}

static struct hook_value comparison(struct parser *p)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    struct hook_value value = sum(p);
    const struct word at = p->word;
    for (int i = 0; i < 6; i++) {
        if (parse_take(p, signs[i])) return value_compare(p, &at, value, sum(p));
    }
    return value;
}

static struct hook_value conjunction(struct parser *p)
{
    struct hook_value value = comparison(p);
    for (struct word at = p->word; parse_take(p, "&&"); at = p->word)
        value = value_logic(p, &at, value, comparison(p));
    return value;
}

static struct hook_value disjunction(struct parser *p)
{
    struct hook_value value = conjunction(p);
    for (struct word at = p->word; parse_take(p, "||"); at = p->word)
        value = value_logic(p, &at, value, conjunction(p));
    return value;
}

/* Both values are computed, for all that they may be infinite, and one is taken. */
static struct hook_value choice(struct parser *p)
{
    if (!enter(p)) return (struct hook_value){HOOK_NOTHING, IR_NONE, IR_NONE};
    const struct hook_value condition = disjunction(p);
    const struct word at = p->word;
    if (!parse_take(p, "?")) return leave(p, condition);
    const struct hook_value yes = choice(p);
    expect_sign(p, ":", "between the values of a choice");
    return leave(p, value_choose(p, &at, condition, yes, choice(p)));
}

/* ---- the whole ---- */

/* let name = choice ; */
static void binding(struct parser *p)
{
    const struct word word = p->word;
    if (word.kind != WORD_NAME) {
        parse_fail(p, &word, "expected a name after let");
    } else if (p->bindings == HOOK_MAX_BINDINGS) {
        parse_fail(p, &word, "at most %d names", HOOK_MAX_BINDINGS);
    }
    if (p->failed) return;
    parse_next(p);
    expect_sign(p, "=", "after the name");
    const struct hook_value value = choice(p);
    expect_sign(p, ";", "after the value of a name");
    p->binding[p->bindings++] = (struct binding){word.text, word.length, value};
}

static struct hook_value whole(struct parser *p)
{
    parse_next(p);
    while (parse_take(p, "let")) binding(p);
    const struct word at = p->word;
    struct hook_value value = choice(p);
    parse_take(p, ";");
    if (!p->failed && p->word.kind != WORD_END)
        return parse_fail(p, &p->word, "expected an operator or the end");
    if (!p->failed && value.type == HOOK_BOOL)
        return parse_fail(p, &at, "the result is a condition; c ? 1 : 0 makes a number of it");
    if (!p->failed && value.type == HOOK_COMPLEX && p->element->real)
        return parse_fail(p, &at, "the result is complex, but the elements are real; re(), im() "
                                  "and abs() make a real of it");
    if (p->failed) return (struct hook_value){HOOK_NOTHING, IR_NONE, IR_NONE};
    return p->element->real ? value : value_complex(p, value);
}

static struct hook_value parse(struct ir_builder *b, const struct problem *problem, bool out,
                               const struct hook_element *element, bool checks)
{
    struct parser p = {.b = b,
                       .problem = problem,
                       .element = element,
                       .out = out,
                       .at = problem->hooks.source[out],
                       .checks = checks};
    return whole(&p);
}

struct hook_result hook_apply(struct ir_builder *b, const struct problem *problem, bool out,
                              const struct hook_element *element)
{
    const struct hook_value value = parse(b, problem, out, element, false);
    return (struct hook_result){value.re, value.im};
}

const struct ir *hook_kernel(arena *a, const struct problem *problem, bool out)
{
    const bool real = problem_is_real(problem, out);
    struct ir_builder *b = ir_begin(a, "hook", 0);
    ir_value inverse = ir_param_within(b, "inverse", 0, 1), thread = ir_thread(b);
    int buffer[4];
    for (int i = 0; i < 4; i++)
        buffer[i] = ir_buffer(b, i % 2 ? "im" : "re", IR_GLOBAL, i >= 2, 0);
    const struct hook_element element = {
        real, ir_load(b, buffer[0], thread),
        real ? IR_NONE : ir_load(b, buffer[1], thread), thread, inverse};
    const struct hook_value value = parse(b, problem, out, &element, true);
    if (value.type == HOOK_NOTHING) return NULL;
    ir_store(b, buffer[2], thread, value.re);
    if (!real) ir_store(b, buffer[3], thread, value.im);
    return ir_finish(b);
}

weft_status hook_check(const struct problem *problem, bool out)
{
    if (!hook_exists(&problem->hooks, out)) return WEFT_OK;
    arena *a = arena_create();
    if (!a) return error_memory("a hook");
    const struct ir *kernel = hook_kernel(a, problem, out);
    const bool failed = arena_failed(a);
    arena_destroy(&a);
    if (kernel) return WEFT_OK;
    return failed ? error_memory("a hook") : WEFT_ERROR_ARGUMENT;
}
