/* The end of building: nodes that nothing uses are left out, the rest renumbered and verified. */
#include "base/error.h"
#include "ir/builder.h"

/* By node. */
struct use {
    bool needed;
    bool unreachable; /* an `if (false)`, a loop that never runs, or inside one */
    ir_value place;   /* in the finished kernel */
};

static bool never_runs(const struct ir *kernel, const struct ir_node *node)
{
    if (node->op != IR_IF && node->op != IR_FOR) return false;
    const struct ir_node *operand = &kernel->node[node->a];
    return operand->op == IR_INT_CONSTANT && operand->integer <= 0;
}

static void need(struct use *use, ir_value value)
{
    if (value != IR_NONE) use[value].needed = true;
}

static bool has_effect(enum ir_op op)
{
    return ir_is_store(op) || ir_is_barrier(op);
}

static void mark(const struct ir *kernel, struct use *use)
{
    for (ir_value v = 0; v < kernel->count; v++) {
        const struct ir_node *node = &kernel->node[v];
        bool outside = node->scope != IR_NONE && use[node->scope].unreachable;
        use[v].unreachable = outside || never_runs(kernel, node);
        use[v].needed = has_effect(node->op) && !outside;
    }
    /* Operands and scopes come before what needs them: one sweep back marks all. */
    for (ir_value v = kernel->count - 1; v >= 0; v--) {
        const struct ir_node *node = &kernel->node[v];
        if (!use[v].needed || node->op == IR_END) continue;
        need(use, node->a);
        need(use, node->b);
        need(use, node->c);
        need(use, node->scope);
    }
    for (ir_value v = 0; v < kernel->count; v++) {
        if (kernel->node[v].op == IR_END) use[v].needed = use[kernel->node[v].a].needed;
    }
}

static ir_value moved(const struct use *use, ir_value value)
{
    return value == IR_NONE ? IR_NONE : use[value].place;
}

static int32_t place_all(const struct ir *kernel, struct use *use)
{
    int32_t count = 0;
    for (ir_value v = 0; v < kernel->count; v++) {
        use[v].place = count;
        count += use[v].needed;
    }
    return count;
}

const struct ir *ir_compact(arena *a, const struct ir *kernel)
{
    struct use *use = arena_array(a, (size_t)kernel->count, sizeof *use);
    struct ir *compact = arena_alloc(a, sizeof *compact);
    if (!use || !compact) return NULL;
    mark(kernel, use);
    int32_t count = place_all(kernel, use);
    struct ir_node *node = arena_array(a, (size_t)count, sizeof *node);
    if (!node) return NULL;
    for (ir_value v = 0; v < kernel->count; v++) {
        if (!use[v].needed) continue;
        struct ir_node *to = &node[use[v].place];
        *to = kernel->node[v];
        to->a = moved(use, to->a);
        to->b = moved(use, to->b);
        to->c = moved(use, to->c);
        to->scope = moved(use, to->scope);
    }
    *compact = *kernel;
    compact->count = count;
    compact->node = node;
    return compact;
}

const struct ir *ir_finish(struct ir_builder *b)
{
    if (b && b->depth > 0) ir_fail(b, "a scope has no end");
    if (b && b->failed && !arena_failed(b->arena)) return NULL;
    const struct ir *kernel = NULL;
    if (b && !b->failed) {
        b->kernel.count = b->count;
        b->kernel.node = b->node;
        for (ir_value v = 0; v < b->count; v++)
            b->node[v].wide = b->node[v].type == IR_INT && !ir_is_narrow(b->range[v]);
        kernel = ir_compact(b->arena, &b->kernel);
    }
    if (!kernel) {
        error_memory("kernel");
        return NULL;
    }
    return ir_verify(kernel) ? kernel : NULL;
}
