/* A kernel's function: its nodes in their order, with structured control flow. */
#include "print/spirv.h"

#include "base/error.h"
#include "print/spirv_module.h"

/* ---- which integers need 64 bits ---- */

/* An operand that may exceed 32 bits, of something that minds. */
static void demand(struct spirv_module *m, ir_value operand)
{
    if (operand != IR_NONE && m->kernel->node[operand].wide) m->wide[operand] = true;
}

/* From the last node to the first: sums, products and choices are as wide as what is made of them,
 * for their low halves depend on low halves alone. */
static void find_wide(struct spirv_module *m)
{
    for (ir_value v = m->kernel->count - 1; v >= 0; v--) {
        const struct ir_node *node = &m->kernel->node[v];
        switch (node->op) {
        case IR_FOR:
            m->wide[v] = node->wide || m->kernel->node[node->a].wide;
            demand(m, node->a);
            break;
        case IR_INT_DIV:
        case IR_INT_MOD:
        case IR_LESS:
        case IR_EQUAL:
            demand(m, node->a);
            demand(m, node->b);
            break;
        case IR_INT_ADD:
        case IR_INT_SUB:
        case IR_INT_MUL:
        case IR_AND:
            if (m->wide[v]) demand(m, node->a);
            if (m->wide[v]) demand(m, node->b);
            break;
        case IR_SELECT:
            if (m->wide[v]) demand(m, node->b);
            if (m->wide[v]) demand(m, node->c);
            break;
        case IR_PARAM:
            m->wide_param[node->integer] |= m->wide[v];
            break;
        case IR_INT_CONSTANT: /* these are written narrow, and widened where they are read */
        case IR_THREAD:
        case IR_BLOCK:
        case IR_LOAD_INT:
            m->any_wide |= m->wide[v];
            m->wide[v] = false;
            break;
        default:
            break;
        }
        m->any_wide |= m->wide[v];
    }
}

/* ---- control flow ---- */

/* The ids of a loop, from its first on. */
enum {
    LOOP_HEADER,
    LOOP_TEST,
    LOOP_CONDITION,
    LOOP_BODY,
    LOOP_CONTINUE,
    LOOP_NEXT,
    LOOP_ONE,
    LOOP_ZERO,
    LOOP_MERGE,
    LOOP_IDS
};
enum { IF_BODY, IF_MERGE, IF_IDS };

static void begin_block(struct spirv_module *m, uint32_t label)
{
    SPIRV_EMIT(&m->body, Label, label);
    m->here = label;
}

static void branch(struct spirv_module *m, uint32_t label)
{
    SPIRV_EMIT(&m->body, Branch, label);
}

static void print_number(struct spirv_module *m, uint32_t id, bool wide, uint32_t number)
{
    const uint32_t operand[] = {wide ? ID_WIDE : ID_INT, id, number, 0};
    spirv_emit(&m->globals, SPIRV_Constant, wide ? 4 : 3, operand);
}

static void print_for(struct spirv_module *m, ir_value v)
{
    const uint32_t first = m->bound, from = m->here;
    const bool wide = m->wide[v];
    m->bound += LOOP_IDS;
    m->label[v] = first;
    print_number(m, first + LOOP_ZERO, wide, 0);
    print_number(m, first + LOOP_ONE, wide, 1);
    const uint32_t count = spirv_integer(m, m->kernel->node[v].a, wide);
    branch(m, first + LOOP_HEADER);
    begin_block(m, first + LOOP_HEADER);
    SPIRV_EMIT(&m->body, Phi, wide ? ID_WIDE : ID_INT, spirv_value(v), first + LOOP_ZERO, from,
               first + LOOP_NEXT, first + LOOP_CONTINUE);
    SPIRV_EMIT(&m->body, LoopMerge, first + LOOP_MERGE, first + LOOP_CONTINUE,
               SPIRV_DONT_UNROLL);
    branch(m, first + LOOP_TEST);
    begin_block(m, first + LOOP_TEST);
    SPIRV_EMIT(&m->body, SLessThan, ID_BOOL, first + LOOP_CONDITION, spirv_value(v), count);
    SPIRV_EMIT(&m->body, BranchConditional, first + LOOP_CONDITION, first + LOOP_BODY,
               first + LOOP_MERGE);
    begin_block(m, first + LOOP_BODY);
}

static void end_for(struct spirv_module *m, ir_value v)
{
    const uint32_t first = m->label[v];
    branch(m, first + LOOP_CONTINUE);
    begin_block(m, first + LOOP_CONTINUE);
    SPIRV_EMIT(&m->body, IAdd, m->wide[v] ? ID_WIDE : ID_INT, first + LOOP_NEXT, spirv_value(v),
               first + LOOP_ONE);
    branch(m, first + LOOP_HEADER);
    begin_block(m, first + LOOP_MERGE);
}

static void print_if(struct spirv_module *m, ir_value v)
{
    const uint32_t first = m->bound;
    m->bound += IF_IDS;
    m->label[v] = first;
    SPIRV_EMIT(&m->body, SelectionMerge, first + IF_MERGE, 0);
    SPIRV_EMIT(&m->body, BranchConditional, spirv_value(m->kernel->node[v].a), first + IF_BODY,
               first + IF_MERGE);
    begin_block(m, first + IF_BODY);
}

static void print_end(struct spirv_module *m, ir_value opener)
{
    if (m->kernel->node[opener].op == IR_FOR) {
        end_for(m, opener);
        return;
    }
    branch(m, m->label[opener] + IF_MERGE);
    begin_block(m, m->label[opener] + IF_MERGE);
}

/* ---- the function ---- */

static bool print_node(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    if (node->lane_stride || node->offset || node->peer) return false;
    switch (node->op) {
    case IR_FOR:
        print_for(m, v);
        return true;
    case IR_IF:
        print_if(m, v);
        return true;
    case IR_END:
        print_end(m, node->a);
        return true;
    case IR_STORE:
    case IR_STORE_PAIR:
        spirv_print_store(m, node);
        return true;
    case IR_BARRIER:
        SPIRV_EMIT(&m->body, ControlBarrier, ID_SCOPE, ID_SCOPE, ID_SEMANTICS);
        return true;
    default:
        return spirv_print_value(m, v);
    }
}

static weft_status print_function(struct spirv_module *m)
{
    SPIRV_EMIT(&m->body, Function, ID_VOID, ID_FUNCTION, 0, ID_FUNCTION_TYPE);
    begin_block(m, ID_ENTRY);
    spirv_print_bases(m);
    for (ir_value v = 0; v < m->kernel->count; v++) {
        if (print_node(m, v)) continue;
        return error_set(WEFT_ERROR_UNSUPPORTED, "kernel %s: operation %d has no words",
                         m->kernel->name, (int)m->kernel->node[v].op);
    }
    spirv_emit(&m->body, SPIRV_Return, 0, NULL);
    spirv_emit(&m->body, SPIRV_FunctionEnd, 0, NULL);
    return WEFT_OK;
}

/* ---- the module ---- */

static weft_status join(const struct spirv_module *m, struct text *binary)
{
    const struct text *section[] = {&m->head, &m->names, &m->annotations, &m->globals, &m->body};
    const uint32_t header[SPIRV_HEADER_WORDS] = {SPIRV_MAGIC, SPIRV_VERSION_1_0, 0, m->bound, 0};
    bool failed = false;
    text_append_bytes(binary, header, sizeof header);
    for (size_t i = 0; i < sizeof section / sizeof *section; i++) {
        failed |= text_failed(section[i]);
        text_append_bytes(binary, text_chars(section[i]), section[i]->length);
    }
    return failed || text_failed(binary) ? error_memory("a SPIR-V module") : WEFT_OK;
}

static weft_status print_module(struct spirv_module *m, struct text *binary)
{
    find_wide(m);
    if (m->any_wide && !m->target->wide) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "kernel %s counts beyond 32 bits, and the device has no 64-bit integers "
                         "(shaderInt64)",
                         m->kernel->name);
    }
    spirv_declare(m);
    weft_status status = print_function(m);
    return status ? status : join(m, binary);
}

static void free_sections(struct spirv_module *m)
{
    text_free(&m->head);
    text_free(&m->names);
    text_free(&m->annotations);
    text_free(&m->globals);
    text_free(&m->body);
}

weft_status spirv_print(struct text *binary, const struct spirv_target *target,
                        const struct ir *kernel)
{
    if (kernel->threads == 0 || kernel->param_count > SPIRV_MOST_PARAMS) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "kernel %s has %d threads and %d parameters; accepted are 1 or more, and "
                         "at most %d",
                         kernel->name, kernel->threads, kernel->param_count, SPIRV_MOST_PARAMS);
    }
    arena *a = arena_create();
    if (!a) return error_memory("a SPIR-V module");
    struct spirv_module m = {.target = target,
                             .kernel = kernel,
                             .bound = ID_VALUE + (uint32_t)kernel->count,
                             .wide = arena_array(a, (size_t)kernel->count, sizeof(bool)),
                             .label = arena_array(a, (size_t)kernel->count, sizeof(uint32_t))};
    weft_status status =
        arena_failed(a) ? error_memory("a SPIR-V module") : print_module(&m, binary);
    free_sections(&m);
    arena_destroy(&a);
    return status;
}
