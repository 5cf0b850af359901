/* The verifier: what the builder promises, checked on the finished kernel, so that a kernel made by
 * other means (a transformation of one) is held to the same rules. */
#include "base/error.h"
#include "ir/ir.h"

/* Types of the operands a, b, c and of the result, by operation. IR_VOID as an operand: there is
 * none. IR_SELECT and constants have rules of their own. */
struct signature {
    enum ir_type a, b, c, result;
};

static const struct signature signatures[IR_OP_COUNT] = {
    [IR_REAL_CONSTANT] = {IR_VOID, IR_VOID, IR_VOID, IR_REAL},
    [IR_INT_CONSTANT] = {IR_VOID, IR_VOID, IR_VOID, IR_INT},
    [IR_PARAM] = {IR_VOID, IR_VOID, IR_VOID, IR_INT},
    [IR_THREAD] = {IR_VOID, IR_VOID, IR_VOID, IR_INT},
    [IR_BLOCK] = {IR_VOID, IR_VOID, IR_VOID, IR_INT},
    [IR_ADD] = {IR_REAL, IR_REAL, IR_VOID, IR_REAL},
    [IR_SUB] = {IR_REAL, IR_REAL, IR_VOID, IR_REAL},
    [IR_MUL] = {IR_REAL, IR_REAL, IR_VOID, IR_REAL},
    [IR_NEG] = {IR_REAL, IR_VOID, IR_VOID, IR_REAL},
    [IR_FMA] = {IR_REAL, IR_REAL, IR_REAL, IR_REAL},
    [IR_FMS] = {IR_REAL, IR_REAL, IR_REAL, IR_REAL},
    [IR_FNMA] = {IR_REAL, IR_REAL, IR_REAL, IR_REAL},
    [IR_DIV] = {IR_REAL, IR_REAL, IR_VOID, IR_REAL},
    [IR_SQRT] = {IR_REAL, IR_VOID, IR_VOID, IR_REAL},
    [IR_FLOOR] = {IR_REAL, IR_VOID, IR_VOID, IR_REAL},
    [IR_TO_REAL] = {IR_INT, IR_VOID, IR_VOID, IR_REAL},
    [IR_REAL_LESS] = {IR_REAL, IR_REAL, IR_VOID, IR_BOOL},
    [IR_REAL_EQUAL] = {IR_REAL, IR_REAL, IR_VOID, IR_BOOL},
    [IR_INT_ADD] = {IR_INT, IR_INT, IR_VOID, IR_INT},
    [IR_INT_SUB] = {IR_INT, IR_INT, IR_VOID, IR_INT},
    [IR_INT_MUL] = {IR_INT, IR_INT, IR_VOID, IR_INT},
    [IR_INT_DIV] = {IR_INT, IR_INT, IR_VOID, IR_INT},
    [IR_INT_MOD] = {IR_INT, IR_INT, IR_VOID, IR_INT},
    [IR_LESS] = {IR_INT, IR_INT, IR_VOID, IR_BOOL},
    [IR_EQUAL] = {IR_INT, IR_INT, IR_VOID, IR_BOOL},
    [IR_AND] = {IR_BOOL, IR_BOOL, IR_VOID, IR_BOOL},
    [IR_OR] = {IR_BOOL, IR_BOOL, IR_VOID, IR_BOOL},
    [IR_NOT] = {IR_BOOL, IR_VOID, IR_VOID, IR_BOOL},
    [IR_FIRST] = {IR_PAIR, IR_VOID, IR_VOID, IR_REAL},
    [IR_SECOND] = {IR_PAIR, IR_VOID, IR_VOID, IR_REAL},
    [IR_LOAD] = {IR_VOID, IR_INT, IR_VOID, IR_REAL},
    [IR_LOAD_INT] = {IR_VOID, IR_INT, IR_VOID, IR_INT},
    [IR_LOAD_PAIR] = {IR_VOID, IR_INT, IR_VOID, IR_PAIR},
    [IR_STORE] = {IR_REAL, IR_INT, IR_VOID, IR_VOID},
    [IR_STORE_PAIR] = {IR_REAL, IR_INT, IR_REAL, IR_VOID},
    [IR_BARRIER] = {IR_VOID, IR_VOID, IR_VOID, IR_VOID},
    [IR_ARRIVE] = {IR_VOID, IR_VOID, IR_VOID, IR_VOID},
    [IR_WAIT] = {IR_VOID, IR_VOID, IR_VOID, IR_VOID},
    [IR_FOR] = {IR_INT, IR_VOID, IR_VOID, IR_INT},
    [IR_IF] = {IR_BOOL, IR_VOID, IR_VOID, IR_VOID},
    [IR_END] = {IR_VOID, IR_VOID, IR_VOID, IR_VOID},
};

static bool refuse(const struct ir *kernel, ir_value v, const char *what)
{
    error_set(WEFT_ERROR_ARGUMENT, "kernel %s, node %d: %s", kernel->name, (int)v, what);
    return false;
}

/* True if `inner` is `outer` or a scope within it. */
static bool is_within(const struct ir *kernel, ir_value inner, ir_value outer)
{
    while (inner != outer && inner != IR_NONE) inner = kernel->node[inner].scope;
    return inner == outer;
}

/* True if the operand is defined before node v, where v can see it, and has the type. A loop's
 * counter is seen inside the loop only. */
static bool operand_is_valid(const struct ir *kernel, ir_value v, ir_value operand,
                             enum ir_type type)
{
    if (type == IR_VOID) return operand == IR_NONE;
    if (operand < 0 || operand >= v) return false;
    const struct ir_node *node = &kernel->node[operand];
    ir_value home = node->op == IR_FOR ? operand : node->scope;
    return node->type == type && is_within(kernel, kernel->node[v].scope, home);
}

static struct signature signature_of(const struct ir_node *node)
{
    struct signature s = signatures[node->op];
    if (node->op == IR_INT_CONSTANT && node->type == IR_BOOL) s.result = IR_BOOL;
    if (node->op == IR_SELECT) {
        enum ir_type type = node->type == IR_REAL ? IR_REAL : IR_INT;
        return (struct signature){IR_BOOL, type, type, type};
    }
    return s;
}

static bool types_agree(const struct ir *kernel, ir_value v)
{
    const struct ir_node *node = &kernel->node[v];
    struct signature s = signature_of(node);
    if (node->type != s.result) return refuse(kernel, v, "the result's type is wrong");
    if (node->op == IR_END) return true;
    if (operand_is_valid(kernel, v, node->a, s.a) && operand_is_valid(kernel, v, node->b, s.b) &&
        operand_is_valid(kernel, v, node->c, s.c)) {
        return true;
    }
    return refuse(kernel, v, "an operand is undefined, out of scope or of the wrong type");
}

static bool buffer_is_valid(const struct ir *kernel, ir_value v)
{
    const struct ir_node *node = &kernel->node[v];
    if (!ir_is_access(node->op)) return true;
    if (node->buffer < 0 || node->buffer >= kernel->buffer_count) {
        return refuse(kernel, v, "no such buffer");
    }
    const struct ir_buffer *buffer = &kernel->buffer[node->buffer];
    bool pair = node->op == IR_LOAD_PAIR || node->op == IR_STORE_PAIR;
    if ((buffer->kind == IR_TABLE) != (node->op == IR_LOAD_INT) || buffer->pairs != pair) {
        return refuse(kernel, v, "the buffer holds another type");
    }
    if (buffer->kind == IR_PRIVATE && kernel->node[node->b].op != IR_INT_CONSTANT) {
        return refuse(kernel, v, "the index of a private buffer is not constant");
    }
    if (buffer->base >= kernel->param_count) return refuse(kernel, v, "no such base");
    if (ir_is_store(node->op) && !buffer->writable) {
        return refuse(kernel, v, "the buffer is read-only");
    }
    bool reaches = node->peer >= 0 && node->peer <= kernel->cluster;
    if (!reaches || (node->peer > 0 && buffer->kind != IR_SHARED))
        return refuse(kernel, v, "no such block's shared memory");
    return true;
}

static bool inside_if(const struct ir *kernel, ir_value v)
{
    ir_value scope = kernel->node[v].scope;
    while (scope != IR_NONE && kernel->node[scope].op != IR_IF) scope = kernel->node[scope].scope;
    return scope != IR_NONE;
}

static bool node_is_valid(const struct ir *kernel, ir_value v)
{
    const struct ir_node *node = &kernel->node[v];
    if ((unsigned)node->op >= IR_OP_COUNT) return refuse(kernel, v, "no such operation");
    if (node->op == IR_PARAM && (node->integer < 0 || node->integer >= kernel->param_count)) {
        return refuse(kernel, v, "no such parameter");
    }
    if (ir_is_barrier(node->op) && inside_if(kernel, v)) {
        return refuse(kernel, v, "a barrier stands inside an if");
    }
    return types_agree(kernel, v) && buffer_is_valid(kernel, v);
}

bool ir_verify(const struct ir *kernel)
{
    ir_value scope = IR_NONE; /* the innermost one open before node v */
    for (ir_value v = 0; v < kernel->count; v++) {
        const struct ir_node *node = &kernel->node[v];
        bool ends = node->op == IR_END;
        if (ends && scope == IR_NONE) return refuse(kernel, v, "an end without its beginning");
        if (ends && node->a != scope) return refuse(kernel, v, "an end of another scope");
        if (ends) scope = kernel->node[scope].scope;
        if (node->scope != scope) return refuse(kernel, v, "the scope around it is another");
        if (!node_is_valid(kernel, v)) return false;
        if (node->op == IR_FOR || node->op == IR_IF) scope = v;
    }
    if (scope != IR_NONE) return refuse(kernel, scope, "a scope has no end");
    return true;
}
