/* Values as expressions of the C of GPUs. */
#include "print/c_like_value.h"

#include "print/c_storage.h"

static bool is_wide(const struct c_like_printer *p, ir_value value)
{
    return p->kernel->node[value].wide;
}

/* ---- types ---- */

static const char *real_type(const struct c_like_target *target)
{
    return target->single ? "float" : "double";
}

static const char *pair_type(const struct c_like_target *target)
{
    return target->single ? "float2" : "double2";
}

const char *c_like_element_type(const struct c_like_target *target, const struct ir_buffer *buffer)
{
    if (buffer->kind == IR_TABLE) return "int";
    if (buffer->storage) return c_storage_type(buffer);
    return buffer->pairs ? pair_type(target) : real_type(target);
}

void c_like_print_type(const struct c_like_printer *p, const struct ir_node *node)
{
    const char *type = real_type(p->target);
    if (node->type == IR_PAIR) type = pair_type(p->target);
    if (node->type == IR_INT) type = node->wide ? p->target->dialect->wide : "int";
    if (node->type == IR_BOOL) type = "bool";
    text_string(p->text, type);
}

/* ---- operands ---- */

/* In the target's precision. Unlike hi alone, the sum of both is not rounded twice. */
static void print_real(const struct c_like_printer *p, const struct ir_node *node)
{
    long double exact = (long double)node->hi + (long double)node->lo;
    if (exact < 0) text_string(p->text, "(");
    if (p->target->single)
        text_single(p->text, (float)exact);
    else
        text_real(p->text, (double)exact);
    if (exact < 0) text_string(p->text, ")");
}

static void print_integer(const struct c_like_printer *p, const struct ir_node *node)
{
    const char *suffix = node->wide ? p->target->dialect->wide_suffix : "";
    const int64_t integer = node->integer;
    if (node->type == IR_BOOL) {
        text_string(p->text, integer ? "true" : "false");
        return;
    }
    if (integer < 0) text_string(p->text, "(");
    text_integer(p->text, integer);
    text_string(p->text, suffix);
    if (integer < 0) text_string(p->text, ")");
}

void c_like_print_name(const struct c_like_printer *p, ir_value value)
{
    text_string(p->text, "v");
    text_integer(p->text, value);
}

void c_like_print_operand(const struct c_like_printer *p, ir_value value)
{
    const struct ir_node *node = &p->kernel->node[value];
    if (node->op == IR_REAL_CONSTANT)
        print_real(p, node);
    else if (node->op == IR_INT_CONSTANT)
        print_integer(p, node);
    else
        c_like_print_name(p, value);
}

/* ---- expressions ---- */

/* Computes wide if the result or an operand is, and narrows the result to its type. Quotients are
 * computed without sign, which is cheaper. */
static void print_integer_operation(const struct c_like_printer *p, const struct ir_node *node,
                                    const char *word, bool without_sign)
{
    const struct c_dialect *dialect = p->target->dialect;
    bool wide = node->wide || is_wide(p, node->a) || is_wide(p, node->b);
    bool converts = without_sign || (wide && !node->wide);
    const char *type = wide ? dialect->wide : "";
    if (without_sign) type = wide ? dialect->unsigned_wide : dialect->unsigned_narrow;
    if (converts) text_append(p->text, "(%s)(", node->wide ? dialect->wide : "int");
    if (*type) text_append(p->text, "(%s)", type);
    c_like_print_operand(p, node->a);
    text_string(p->text, word);
    if (without_sign) text_append(p->text, "(%s)", type);
    c_like_print_operand(p, node->b);
    if (converts) text_string(p->text, ")");
}

/* before a between b [between c] after */
struct form {
    const char *before, *between, *after;
    int operands;
};

static void print_form(const struct c_like_printer *p, const struct ir_node *node,
                       const struct form *form)
{
    const ir_value operand[3] = {node->a, node->b, node->c};
    text_string(p->text, form->before);
    for (int i = 0; i < form->operands; i++) {
        if (i > 0) text_string(p->text, form->between);
        c_like_print_operand(p, operand[i]);
    }
    text_string(p->text, form->after);
}

static void print_fused(const struct c_like_printer *p, const struct ir_node *node)
{
    const struct c_dialect *dialect = p->target->dialect;
    const char *a_sign = node->op == IR_FNMA ? "-" : "";
    const char *c_sign = node->op == IR_FMS ? "-" : "";
    if (p->target->fma) text_append(p->text, "%s(", dialect->fma[!p->target->single]);
    text_string(p->text, a_sign);
    c_like_print_operand(p, node->a);
    text_string(p->text, p->target->fma ? ", " : " * ");
    c_like_print_operand(p, node->b);
    text_string(p->text, p->target->fma ? ", " : " + ");
    text_string(p->text, c_sign);
    c_like_print_operand(p, node->c);
    if (p->target->fma) text_string(p->text, ")");
}

static void print_select(const struct c_like_printer *p, const struct ir_node *node)
{
    c_like_print_operand(p, node->a);
    text_string(p->text, " ? ");
    c_like_print_operand(p, node->b);
    text_string(p->text, " : ");
    c_like_print_operand(p, node->c);
}

static void print_load(const struct c_like_printer *p, const struct ir_node *node)
{
    const struct ir_buffer *buffer = &p->kernel->buffer[node->buffer];
    if (buffer->storage) c_storage_print_load(p, buffer);
    text_string(p->text, buffer->name);
    text_string(p->text, "[");
    c_like_print_operand(p, node->b);
    text_string(p->text, buffer->storage ? "])" : "]");
}

static const struct form forms[IR_OP_COUNT] = {
    [IR_ADD] = {"", " + ", "", 2},  [IR_SUB] = {"", " - ", "", 2},
    [IR_MUL] = {"", " * ", "", 2},  [IR_NEG] = {"-", "", "", 1},
    [IR_LESS] = {"", " < ", "", 2}, [IR_EQUAL] = {"", " == ", "", 2},
    [IR_FIRST] = {"", "", ".x", 1}, [IR_SECOND] = {"", "", ".y", 1},
    [IR_DIV] = {"", " / ", "", 2},  [IR_SQRT] = {"sqrt(", "", ")", 1},
    [IR_FLOOR] = {"floor(", "", ")", 1},
    [IR_REAL_LESS] = {"", " < ", "", 2}, [IR_REAL_EQUAL] = {"", " == ", "", 2},
    [IR_OR] = {"", " || ", "", 2},  [IR_NOT] = {"!", "", "", 1},
};

static const struct {
    const char *word;
    bool without_sign;
} integer_forms[IR_OP_COUNT] = {
    [IR_INT_ADD] = {" + ", false}, [IR_INT_SUB] = {" - ", false}, [IR_INT_MUL] = {" * ", false},
    [IR_INT_DIV] = {" / ", true},  [IR_INT_MOD] = {" % ", true},
};

bool c_like_print_expression(const struct c_like_printer *p, const struct ir_node *node)
{
    if (integer_forms[node->op].word) {
        print_integer_operation(p, node, integer_forms[node->op].word,
                                integer_forms[node->op].without_sign);
        return true;
    }
    switch (node->op) {
    case IR_PARAM:
        text_append(p->text, "%s%s", node->wide ? "" : "(int)",
                    p->kernel->param_name[node->integer]);
        return true;
    case IR_THREAD:
        text_string(p->text, p->target->dialect->thread);
        return true;
    case IR_BLOCK:
        text_string(p->text, p->target->dialect->block);
        return true;
    case IR_FMA:
    case IR_FMS:
    case IR_FNMA:
        print_fused(p, node);
        return true;
    case IR_AND:
        if (node->type == IR_INT)
            print_integer_operation(p, node, " & ", false);
        else
            print_form(p, node, &(struct form){"", " && ", "", 2});
        return true;
    case IR_TO_REAL:
        text_append(p->text, "(%s)", real_type(p->target));
        c_like_print_operand(p, node->a);
        return true;
    case IR_SELECT:
        print_select(p, node);
        return true;
    case IR_LOAD:
    case IR_LOAD_INT:
    case IR_LOAD_PAIR:
        print_load(p, node);
        return true;
    default:
        print_form(p, node, &forms[node->op]);
        return forms[node->op].operands > 0;
    }
}
