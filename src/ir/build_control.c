/* The builder: loops and branches. */
#include "ir/builder.h"

static void push_scope(struct ir_builder *b, ir_value opener)
{
    if (b->failed) return;
    if (b->depth == IR_MAX_DEPTH) {
        ir_fail(b, "scopes nest too deeply");
        return;
    }
    b->opener[b->depth++] = opener;
    if (opener == IR_NO_OPENER) return;
    b->open[opener] = true;
    b->scope = opener;
}

ir_value ir_for(struct ir_builder *b, ir_value count)
{
    if (!b || !ir_expect(b, IR_INT, count, count)) return IR_NONE;
    struct ir_range range = b->range[count];
    if (range.low == 1 && range.high == 1) {
        push_scope(b, IR_NO_OPENER);
        return ir_int(b, 0);
    }
    struct ir_node node = ir_leaf(IR_FOR, IR_INT);
    node.a = count;
    int64_t last = range.high > 0 ? range.high - 1 : 0;
    ir_value counter = ir_append(b, &node, (struct ir_range){0, last});
    push_scope(b, counter);
    return counter;
}

void ir_if(struct ir_builder *b, ir_value condition)
{
    if (!b || !ir_expect(b, IR_BOOL, condition, condition)) return;
    const struct ir_node *known = &b->node[condition];
    if (known->op == IR_INT_CONSTANT && known->integer) {
        push_scope(b, IR_NO_OPENER);
        return;
    }
    struct ir_node node = ir_leaf(IR_IF, IR_VOID);
    node.a = condition;
    push_scope(b, ir_append(b, &node, ir_unknown_range));
}

void ir_end(struct ir_builder *b)
{
    if (!b || b->failed) return;
    if (b->depth == 0) {
        ir_fail(b, "an end without its beginning");
        return;
    }
    ir_value opener = b->opener[--b->depth];
    if (opener == IR_NO_OPENER) return;
    b->open[opener] = false;
    b->scope = b->node[opener].scope;
    struct ir_node node = ir_leaf(IR_END, IR_VOID);
    node.a = opener;
    ir_append(b, &node, ir_unknown_range);
}
