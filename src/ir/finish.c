/* The end of building: nodes that nothing uses are left out, the rest is renumbered and verified. */
#include "base/error.h"
#include "ir/builder.h"

/* By node. */
struct use {
    bool needed;
    bool unreachable; /* an `if (false)`, a loop that never runs, or inside one */
    ir_value place;   /* in the finished kernel */
};

static bool never_runs(const struct ir_builder *b, const struct ir_node *node)
{
    if (node->op != IR_IF && node->op != IR_FOR) return false;
    const struct ir_node *operand = &b->node[node->a];
    return operand->op == IR_INT_CONSTANT && operand->integer <= 0;
}

static void need(struct use *use, ir_value value)
{
    if (value != IR_NONE) use[value].needed = true;
}

static bool has_effect(enum ir_op op)
{
    return op == IR_STORE || op == IR_BARRIER;
}

static void mark(const struct ir_builder *b, struct use *use)
{
    for (ir_value v = 0; v < b->count; v++) {
        const struct ir_node *node = &b->node[v];
        bool outside = node->scope != IR_NONE && use[node->scope].unreachable;
        use[v].unreachable = outside || never_runs(b, node);
        use[v].needed = has_effect(node->op) && !outside;
    }
    /* Operands and scopes come before what needs them: one sweep back marks all. */
    for (ir_value v = b->count - 1; v >= 0; v--) {
        const struct ir_node *node = &b->node[v];
        if (!use[v].needed || node->op == IR_END) continue;
        need(use, node->a);
        need(use, node->b);
        need(use, node->c);
        need(use, node->scope);
    }
    for (ir_value v = 0; v < b->count; v++) {
        if (b->node[v].op == IR_END) use[v].needed = use[b->node[v].a].needed;
    }
}

static ir_value moved(const struct use *use, ir_value value)
{
    return value == IR_NONE ? IR_NONE : use[value].place;
}

static int32_t place_all(const struct ir_builder *b, struct use *use)
{
    int32_t count = 0;
    for (ir_value v = 0; v < b->count; v++) {
        use[v].place = count;
        count += use[v].needed;
    }
    return count;
}

static struct ir *compact(struct ir_builder *b, struct use *use)
{
    struct ir *kernel = arena_alloc(b->arena, sizeof *kernel);
    int32_t count = place_all(b, use);
    struct ir_node *node = arena_array(b->arena, (size_t)count, sizeof *node);
    if (!kernel || !node) return NULL;
    for (ir_value v = 0; v < b->count; v++) {
        if (!use[v].needed) continue;
        struct ir_node *to = &node[use[v].place];
        *to = b->node[v];
        to->a = moved(use, to->a);
        to->b = moved(use, to->b);
        to->c = moved(use, to->c);
        to->scope = moved(use, to->scope);
    }
    *kernel = b->kernel;
    kernel->count = count;
    kernel->node = node;
    return kernel;
}

const struct ir *ir_finish(struct ir_builder *b)
{
    if (!b) {
        error_memory("kernel");
        return NULL;
    }
    if (b->depth > 0) ir_fail(b, "a scope has no end");
    if (b->failed) {
        if (arena_failed(b->arena)) error_memory("kernel");
        return NULL;
    }
    struct use *use = arena_array(b->arena, (size_t)b->count, sizeof *use);
    if (use) mark(b, use);
    const struct ir *kernel = use ? compact(b, use) : NULL;
    if (!kernel) {
        error_memory("kernel");
        return NULL;
    }
    return ir_verify(kernel) ? kernel : NULL;
}
