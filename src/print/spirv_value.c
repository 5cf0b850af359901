/* The values of a kernel as instructions of SPIR-V. */
#include "print/spirv_module.h"

#include <string.h>

/* ---- constants ---- */

/* In the target's precision. Unlike hi alone, the sum of both is not rounded twice. */
static void print_real(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    const long double exact = (long double)node->hi + (long double)node->lo;
    const float narrow = (float)exact;
    const double wide = (double)exact;
    uint32_t operand[4] = {ID_REAL, spirv_value(v)};
    if (m->target->single)
        memcpy(&operand[2], &narrow, sizeof narrow);
    else
        memcpy(&operand[2], &wide, sizeof wide);
    spirv_emit(&m->globals, SPIRV_Constant, m->target->single ? 3 : 4, operand);
}

static void print_integer(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    if (node->type != IR_BOOL)
        SPIRV_EMIT(&m->globals, Constant, ID_INT, spirv_value(v), (uint32_t)node->integer);
    else if (node->integer)
        SPIRV_EMIT(&m->globals, ConstantTrue, ID_BOOL, spirv_value(v));
    else
        SPIRV_EMIT(&m->globals, ConstantFalse, ID_BOOL, spirv_value(v));
}

/* ---- integers ---- */

uint32_t spirv_integer(struct spirv_module *m, ir_value v, bool wide)
{
    const struct ir_node *node = &m->kernel->node[v];
    if (m->wide[v] == wide) return spirv_value(v);
    const uint32_t id = spirv_new_id(m);
    if (node->op == IR_INT_CONSTANT)
        SPIRV_EMIT(&m->globals, Constant, ID_WIDE, id, (uint32_t)node->integer,
                   (uint32_t)((uint64_t)node->integer >> 32));
    else if (wide)
        SPIRV_EMIT(&m->body, SConvert, ID_WIDE, id, spirv_value(v));
    else
        SPIRV_EMIT(&m->body, UConvert, ID_INT, id, spirv_value(v));
    return id;
}

/* Operations whose low half needs no more than the operands' low halves. */
static void print_modular(struct spirv_module *m, ir_value v, uint32_t op)
{
    const struct ir_node *node = &m->kernel->node[v];
    const bool wide = m->wide[v];
    const uint32_t a = spirv_integer(m, node->a, wide), b = spirv_integer(m, node->b, wide);
    const uint32_t operand[] = {wide ? ID_WIDE : ID_INT, spirv_value(v), a, b};
    spirv_emit(&m->body, op, 4, operand);
}

static bool operands_are_wide(const struct spirv_module *m, const struct ir_node *node)
{
    return m->kernel->node[node->a].wide || m->kernel->node[node->b].wide;
}

/* Quotients and remainders, of numbers without a sign. */
static void print_quotient(struct spirv_module *m, ir_value v, uint32_t op)
{
    const struct ir_node *node = &m->kernel->node[v];
    const bool wide = operands_are_wide(m, node);
    const uint32_t a = spirv_integer(m, node->a, wide), b = spirv_integer(m, node->b, wide);
    const bool narrows = wide && !m->wide[v];
    const uint32_t result = narrows ? spirv_new_id(m) : spirv_value(v);
    const uint32_t operand[] = {wide ? ID_WIDE : ID_INT, result, a, b};
    spirv_emit(&m->body, op, 4, operand);
    if (narrows) SPIRV_EMIT(&m->body, UConvert, ID_INT, spirv_value(v), result);
}

static void print_comparison(struct spirv_module *m, ir_value v, uint32_t op)
{
    const struct ir_node *node = &m->kernel->node[v];
    const bool wide = operands_are_wide(m, node);
    const uint32_t a = spirv_integer(m, node->a, wide), b = spirv_integer(m, node->b, wide);
    const uint32_t operand[] = {ID_BOOL, spirv_value(v), a, b};
    spirv_emit(&m->body, op, 4, operand);
}

static void print_and(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    if (node->type == IR_INT)
        print_modular(m, v, SPIRV_BitwiseAnd);
    else
        SPIRV_EMIT(&m->body, LogicalAnd, ID_BOOL, spirv_value(v), spirv_value(node->a),
                   spirv_value(node->b));
}

static void print_select(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    uint32_t type = ID_REAL, b = spirv_value(node->b), c = spirv_value(node->c);
    if (node->type == IR_INT) {
        type = m->wide[v] ? ID_WIDE : ID_INT;
        b = spirv_integer(m, node->b, m->wide[v]);
        c = spirv_integer(m, node->c, m->wide[v]);
    }
    SPIRV_EMIT(&m->body, Select, type, spirv_value(v), spirv_value(node->a), b, c);
}

/* ---- reals ---- */

/* Nothing is fused but what is to be. */
static void keep(struct spirv_module *m, ir_value v)
{
    SPIRV_EMIT(&m->annotations, Decorate, spirv_value(v), SPIRV_NoContraction);
}

static void print_real_operation(struct spirv_module *m, ir_value v, uint32_t op)
{
    const struct ir_node *node = &m->kernel->node[v];
    const uint32_t operand[] = {ID_REAL, spirv_value(v), spirv_value(node->a),
                                spirv_value(node->b)};
    spirv_emit(&m->body, op, 4, operand);
    keep(m, v);
}

static void print_negation(struct spirv_module *m, ir_value v)
{
    const uint32_t x = spirv_value(m->kernel->node[v].a);
    SPIRV_EMIT(&m->body, FNegate, ID_REAL, spirv_value(v), x);
}

static uint32_t negated(struct spirv_module *m, ir_value v, bool negates)
{
    if (!negates) return spirv_value(v);
    const uint32_t id = spirv_new_id(m);
    SPIRV_EMIT(&m->body, FNegate, ID_REAL, id, spirv_value(v));
    return id;
}

static void print_fused(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    const uint32_t a = negated(m, node->a, node->op == IR_FNMA);
    const uint32_t c = negated(m, node->c, node->op == IR_FMS);
    SPIRV_EMIT(&m->body, ExtInst, ID_REAL, spirv_value(v), ID_EXTENDED, SPIRV_Fma, a,
               spirv_value(node->b), c);
    keep(m, v);
}

static void print_extended(struct spirv_module *m, ir_value v, uint32_t function)
{
    SPIRV_EMIT(&m->body, ExtInst, ID_REAL, spirv_value(v), ID_EXTENDED, function,
               spirv_value(m->kernel->node[v].a));
}

static void print_to_real(struct spirv_module *m, ir_value v)
{
    const ir_value integer = m->kernel->node[v].a;
    SPIRV_EMIT(&m->body, ConvertSToF, ID_REAL, spirv_value(v),
               spirv_integer(m, integer, m->wide[integer]));
}

/* Of reals, or of bools. */
static void print_condition(struct spirv_module *m, ir_value v, uint32_t op)
{
    const struct ir_node *node = &m->kernel->node[v];
    const uint32_t operand[] = {ID_BOOL, spirv_value(v), spirv_value(node->a),
                                node->b == IR_NONE ? 0 : spirv_value(node->b)};
    spirv_emit(&m->body, op, node->b == IR_NONE ? 3 : 4, operand);
}

/* ---- memory ---- */

static uint32_t load_param(struct spirv_module *m, int64_t index, uint32_t result)
{
    const bool wide = m->wide_param[index];
    const uint32_t place = spirv_new_id(m), pointer = spirv_new_id(m);
    SPIRV_EMIT(&m->globals, Constant, ID_INT, place, (uint32_t)index);
    SPIRV_EMIT(&m->body, AccessChain, wide ? ID_WIDE_PARAM_POINTER : ID_PARAM_POINTER, pointer,
               ID_PARAMS, place);
    SPIRV_EMIT(&m->body, Load, wide ? ID_WIDE : ID_INT, result, pointer);
    return result;
}

static void print_param(struct spirv_module *m, ir_value v)
{
    const int64_t index = m->kernel->node[v].integer;
    if (m->wide_param[index] == m->wide[v]) {
        load_param(m, index, spirv_value(v));
    } else {
        const uint32_t loaded = load_param(m, index, spirv_new_id(m));
        SPIRV_EMIT(&m->body, UConvert, ID_INT, spirv_value(v), loaded);
    }
}

/* Where a joined table begins. */
static void print_start(struct spirv_module *m, int index)
{
    const enum spirv_element element = spirv_element_of(&m->kernel->buffer[index]);
    const uint32_t start = m->target->start[index] / spirv_element_bytes(m, element);
    if (start == 0) return;
    m->base[index] = spirv_new_id(m);
    SPIRV_EMIT(&m->globals, Constant, ID_INT, m->base[index], start);
}

void spirv_print_bases(struct spirv_module *m)
{
    for (int i = 0; i < m->kernel->buffer_count; i++) {
        const int base = m->kernel->buffer[i].base;
        if (m->target->joined && m->target->joined[i]) print_start(m, i);
        if (base == IR_NONE || !ir_buffer_used(m->kernel, i)) continue;
        m->base[i] = load_param(m, base, spirv_new_id(m));
        if (!m->wide_param[base]) continue;
        const uint32_t narrow = spirv_new_id(m);
        SPIRV_EMIT(&m->body, UConvert, ID_INT, narrow, m->base[i]);
        m->base[i] = narrow;
    }
}

uint32_t spirv_print_element(struct spirv_module *m, const struct ir_node *node)
{
    const uint32_t index = spirv_integer(m, node->b, false), base = m->base[node->buffer];
    if (!base) return index;
    const uint32_t moved = spirv_new_id(m);
    SPIRV_EMIT(&m->body, IAdd, ID_INT, moved, index, base);
    return moved;
}

/* A pointer to the element that the node reads or writes. */
static uint32_t print_place(struct spirv_module *m, const struct ir_node *node)
{
    const struct ir_buffer *buffer = &m->kernel->buffer[node->buffer];
    const enum spirv_element element = spirv_element_of(buffer);
    const uint32_t variable = ID_BUFFER + (uint32_t)node->buffer;
    const uint32_t index = spirv_print_element(m, node), pointer = spirv_new_id(m);
    if (buffer->kind == IR_SHARED)
        SPIRV_EMIT(&m->body, AccessChain, ID_SHARED_POINTER + element, pointer, variable, index);
    else if (buffer->kind == IR_PRIVATE)
        SPIRV_EMIT(&m->body, AccessChain, ID_PRIVATE_POINTER + element, pointer, variable, index);
    else
        SPIRV_EMIT(&m->body, AccessChain, ID_ELEMENT_POINTER + element, pointer, variable, ID_ZERO,
                   index);
    return pointer;
}

static void print_load(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    if (m->kernel->buffer[node->buffer].texels.format) {
        spirv_load_texel(m, v);
        return;
    }
    if (m->kernel->buffer[node->buffer].storage) {
        spirv_load_stored(m, v);
        return;
    }
    const uint32_t pointer = print_place(m, node);
    const enum spirv_element element = spirv_element_of(&m->kernel->buffer[node->buffer]);
    SPIRV_EMIT(&m->body, Load, spirv_element_type(element), spirv_value(v), pointer);
}

void spirv_print_store(struct spirv_module *m, const struct ir_node *node)
{
    if (m->kernel->buffer[node->buffer].texels.format) {
        spirv_store_texel(m, node);
        return;
    }
    if (m->kernel->buffer[node->buffer].storage) {
        spirv_store_stored(m, node);
        return;
    }
    const uint32_t pointer = print_place(m, node);
    uint32_t value = spirv_value(node->a);
    if (node->op == IR_STORE_PAIR) {
        value = spirv_new_id(m);
        SPIRV_EMIT(&m->body, CompositeConstruct, ID_PAIR, value, spirv_value(node->a),
                   spirv_value(node->c));
    }
    SPIRV_EMIT(&m->body, Store, pointer, value);
}

static void print_index(struct spirv_module *m, ir_value v, uint32_t variable)
{
    const uint32_t pointer = spirv_new_id(m);
    SPIRV_EMIT(&m->body, AccessChain, ID_INT_INPUT, pointer, variable, ID_ZERO);
    SPIRV_EMIT(&m->body, Load, ID_INT, spirv_value(v), pointer);
}

static void print_part(struct spirv_module *m, ir_value v, uint32_t part)
{
    SPIRV_EMIT(&m->body, CompositeExtract, ID_REAL, spirv_value(v),
               spirv_value(m->kernel->node[v].a), part);
}

/* ---- all of them ---- */

/* Operations that differ in one word, mostly the instruction. */
static const struct {
    void (*print)(struct spirv_module *m, ir_value v, uint32_t word);
    uint32_t word;
} forms[IR_OP_COUNT] = {
    [IR_ADD] = {print_real_operation, SPIRV_FAdd},   [IR_SUB] = {print_real_operation, SPIRV_FSub},
    [IR_MUL] = {print_real_operation, SPIRV_FMul},   [IR_INT_ADD] = {print_modular, SPIRV_IAdd},
    [IR_INT_SUB] = {print_modular, SPIRV_ISub},      [IR_INT_MUL] = {print_modular, SPIRV_IMul},
    [IR_INT_DIV] = {print_quotient, SPIRV_UDiv},     [IR_INT_MOD] = {print_quotient, SPIRV_UMod},
    [IR_LESS] = {print_comparison, SPIRV_SLessThan}, [IR_EQUAL] = {print_comparison, SPIRV_IEqual},
    [IR_DIV] = {print_real_operation, SPIRV_FDiv},   [IR_OR] = {print_condition, SPIRV_LogicalOr},
    [IR_NOT] = {print_condition, SPIRV_LogicalNot},
    [IR_REAL_LESS] = {print_condition, SPIRV_FOrdLessThan},
    [IR_REAL_EQUAL] = {print_condition, SPIRV_FOrdEqual},
    [IR_THREAD] = {print_index, ID_THREAD},          [IR_BLOCK] = {print_index, ID_BLOCK},
    [IR_SQRT] = {print_extended, SPIRV_Sqrt},        [IR_FLOOR] = {print_extended, SPIRV_Floor},
    [IR_FIRST] = {print_part, 0},                    [IR_SECOND] = {print_part, 1},
};

/* The other ones. */
static void (*const printers[IR_OP_COUNT])(struct spirv_module *m, ir_value v) = {
    [IR_REAL_CONSTANT] = print_real, [IR_INT_CONSTANT] = print_integer, [IR_PARAM] = print_param,
    [IR_NEG] = print_negation,       [IR_FMA] = print_fused,            [IR_FMS] = print_fused,
    [IR_FNMA] = print_fused,         [IR_TO_REAL] = print_to_real,      [IR_AND] = print_and,
    [IR_SELECT] = print_select,      [IR_LOAD] = print_load,            [IR_LOAD_INT] = print_load,
    [IR_LOAD_PAIR] = print_load,
};

bool spirv_print_value(struct spirv_module *m, ir_value v)
{
    const enum ir_op op = m->kernel->node[v].op;
    if (forms[op].print)
        forms[op].print(m, v, forms[op].word);
    else if (printers[op])
        printers[op](m, v);
    return forms[op].print || printers[op];
}
