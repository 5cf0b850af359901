/* Forming fused multiply-adds. */
#include <string.h>

#include "base/error.h"
#include "ir/builder.h"

/* Uses of every value, as an operand of anything. */
static int *count_uses(arena *a, const struct ir *kernel)
{
    int *uses = arena_array(a, (size_t)kernel->count, sizeof *uses);
    for (ir_value v = 0; uses && v < kernel->count; v++) {
        const ir_value operand[3] = {kernel->node[v].a, kernel->node[v].b, kernel->node[v].c};
        for (int i = 0; i < 3; i++) {
            if (operand[i] != IR_NONE) uses[operand[i]]++;
        }
    }
    return uses;
}

/* A product used elsewhere too would have to be computed all the same. */
static bool is_fusible(const struct ir_node *node, const int *uses, ir_value product,
                       ir_value scope)
{
    return node[product].op == IR_MUL && uses[product] == 1 && node[product].scope == scope;
}

static void fuse(struct ir_node *node, const int *uses, ir_value v)
{
    struct ir_node sum = node[v];
    if (sum.op != IR_ADD && sum.op != IR_SUB) return;
    bool left = is_fusible(node, uses, sum.a, sum.scope);
    if (!left && !is_fusible(node, uses, sum.b, sum.scope)) return;
    const struct ir_node *product = &node[left ? sum.a : sum.b];
    node[v].a = product->a;
    node[v].b = product->b;
    node[v].c = left ? sum.b : sum.a;
    if (sum.op == IR_ADD) node[v].op = IR_FMA;
    else node[v].op = left ? IR_FMS : IR_FNMA;
}

const struct ir *ir_form_fma(arena *a, const struct ir *kernel)
{
    struct ir_node *node = arena_array(a, (size_t)kernel->count, sizeof *node);
    const int *uses = count_uses(a, kernel);
    const struct ir *fused = NULL;
    if (node && uses) {
        memcpy(node, kernel->node, (size_t)kernel->count * sizeof *node);
        for (ir_value v = 0; v < kernel->count; v++) fuse(node, uses, v);
        struct ir copy = *kernel;
        copy.node = node;
        fused = ir_compact(a, &copy);
    }
    if (!fused) error_memory("kernel");
    return fused;
}
