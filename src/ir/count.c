/* Counting operations. */
#include "ir/ir.h"

static bool inside_loop(const struct ir *kernel, ir_value v)
{
    ir_value scope = kernel->node[v].scope;
    while (scope != IR_NONE && kernel->node[scope].op != IR_FOR) scope = kernel->node[scope].scope;
    return scope != IR_NONE;
}

struct ir_counts ir_count(const struct ir *kernel)
{
    int by_op[IR_OP_COUNT] = {0};
    for (ir_value v = 0; v < kernel->count; v++) {
        if (!inside_loop(kernel, v)) by_op[kernel->node[v].op]++;
    }
    return (struct ir_counts){
        .adds = by_op[IR_ADD] + by_op[IR_SUB],
        .multiplies = by_op[IR_MUL],
        .fmas = by_op[IR_FMA] + by_op[IR_FMS] + by_op[IR_FNMA],
        .negations = by_op[IR_NEG],
        .loads = by_op[IR_LOAD] + by_op[IR_LOAD_PAIR],
        .stores = by_op[IR_STORE] + by_op[IR_STORE_PAIR],
        .barriers = by_op[IR_BARRIER],
    };
}

bool ir_buffer_used(const struct ir *kernel, int buffer)
{
    for (ir_value v = 0; v < kernel->count; v++) {
        if (ir_is_access(kernel->node[v].op) && kernel->node[v].buffer == buffer) return true;
    }
    return false;
}
