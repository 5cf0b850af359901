/* Forming fused multiply-adds. */
#include <string.h>

#include "base/error.h"
#include "ir/builder.h"

/* What fusing knows of a value. */
struct product {
    int uses;      /* as an operand of anything */
    int taken;     /* sums that would take it */
    bool rejected; /* some use of it is no sum that takes it */
};

static void count_uses(const struct ir *kernel, struct product *product)
{
    for (ir_value v = 0; v < kernel->count; v++) {
        const ir_value operand[3] = {kernel->node[v].a, kernel->node[v].b, kernel->node[v].c};
        for (int i = 0; i < 3; i++) {
            if (operand[i] != IR_NONE) product[operand[i]].uses++;
        }
    }
}

static bool is_sum(const struct ir_node *node)
{
    return node->op == IR_ADD || node->op == IR_SUB;
}

static bool is_fusible(const struct ir_node *node, const struct product *product, ir_value v,
                       ir_value scope)
{
    return node[v].op == IR_MUL && !product[v].rejected && node[v].scope == scope;
}

/* The operand that a sum takes up: a product; of two the one with fewer uses, then the older, so
 * that sums and differences of two products take the same one. */
static ir_value taken_by(const struct ir_node *node, const struct product *product, ir_value v)
{
    struct ir_node sum = node[v];
    if (!is_sum(&sum) || sum.a == sum.b) return IR_NONE;
    bool left = is_fusible(node, product, sum.a, sum.scope);
    bool right = is_fusible(node, product, sum.b, sum.scope);
    if (left && right) {
        int fewer = product[sum.b].uses - product[sum.a].uses;
        left = fewer > 0 || (fewer == 0 && sum.a < sum.b);
    }
    if (left) return sum.a;
    return right ? sum.b : IR_NONE;
}

/* A product that is needed all the same by something else is not worth fusing, which leaves the
 * sums that would have taken it to their other operands. True if there was one. */
static bool reject_some(const struct ir *kernel, struct product *product)
{
    bool some = false;
    for (ir_value v = 0; v < kernel->count; v++)
        product[v].taken = 0;
    for (ir_value v = 0; v < kernel->count; v++) {
        ir_value taken = taken_by(kernel->node, product, v);
        if (taken != IR_NONE) product[taken].taken++;
    }
    for (ir_value v = 0; v < kernel->count; v++) {
        if (product[v].taken == 0 || product[v].taken == product[v].uses) continue;
        product[v].rejected = true;
        some = true;
    }
    return some;
}

static void fuse(struct ir_node *node, const struct ir_node *from, const struct product *product,
                 ir_value v)
{
    ir_value taken = taken_by(from, product, v);
    if (taken == IR_NONE) return;
    struct ir_node sum = from[v];
    bool left = taken == sum.a;
    node[v].a = from[taken].a;
    node[v].b = from[taken].b;
    node[v].c = left ? sum.b : sum.a;
    if (sum.op == IR_ADD) node[v].op = IR_FMA;
    else node[v].op = left ? IR_FMS : IR_FNMA;
}

const struct ir *ir_form_fma(arena *a, const struct ir *kernel)
{
    struct ir_node *node = arena_array(a, (size_t)kernel->count, sizeof *node);
    struct product *product = arena_array(a, (size_t)kernel->count, sizeof *product);
    const struct ir *fused = NULL;
    if (node && product) {
        memcpy(node, kernel->node, (size_t)kernel->count * sizeof *node);
        count_uses(kernel, product);
        while (reject_some(kernel, product)) continue;
        for (ir_value v = 0; v < kernel->count; v++)
            fuse(node, kernel->node, product, v);
        struct ir copy = *kernel;
        copy.node = node;
        fused = ir_compact(a, &copy);
    }
    if (!fused) error_memory("kernel");
    return fused;
}
