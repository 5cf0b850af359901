/* The builder: loads, stores, and what orders them. */
#include "ir/builder.h"

static bool is_buffer(struct ir_builder *b, int buffer)
{
    if (buffer >= 0 && buffer < b->kernel.buffer_count) return true;
    ir_fail(b, "no such buffer");
    return false;
}

void ir_set_base(struct ir_builder *b, int buffer, ir_value param)
{
    if (!b || !ir_expect(b, IR_INT, param, param) || !is_buffer(b, buffer)) return;
    if (b->node[param].op == IR_PARAM) b->kernel.buffer[buffer].base = (int)b->node[param].integer;
    else ir_fail(b, "a base is no parameter");
}

void ir_set_storage(struct ir_builder *b, int buffer, weft_storage storage)
{
    if (b && is_buffer(b, buffer)) b->kernel.buffer[buffer].storage = storage;
}

void ir_set_texels(struct ir_builder *b, int buffer, const struct texels *texels)
{
    if (b && is_buffer(b, buffer)) b->kernel.buffer[buffer].texels = *texels;
}

static ir_value load_within(struct ir_builder *b, struct ir_node node, ir_value index,
                            struct ir_range range)
{
    if (!b || !ir_expect(b, IR_INT, index, index) || !is_buffer(b, node.buffer)) return IR_NONE;
    node.b = index;
    return ir_append(b, &node, range);
}

static ir_value load(struct ir_builder *b, struct ir_node node, ir_value index)
{
    return load_within(b, node, index, ir_unknown_range);
}

ir_value ir_load_lane(struct ir_builder *b, int buffer, ir_value index, int64_t lane_stride,
                      int64_t offset)
{
    struct ir_node node = ir_leaf(IR_LOAD, IR_REAL);
    node.buffer = buffer;
    node.lane_stride = lane_stride;
    node.offset = offset;
    return load(b, node, index);
}

ir_value ir_load(struct ir_builder *b, int buffer, ir_value index)
{
    return ir_load_lane(b, buffer, index, 0, 0);
}

ir_value ir_load_int(struct ir_builder *b, int buffer, ir_value index, int64_t count)
{
    struct ir_node node = ir_leaf(IR_LOAD_INT, IR_INT);
    node.buffer = buffer;
    return load_within(b, node, index, (struct ir_range){0, count - 1});
}

ir_value ir_load_pair(struct ir_builder *b, int buffer, ir_value index)
{
    struct ir_node node = ir_leaf(IR_LOAD_PAIR, IR_PAIR);
    node.buffer = buffer;
    return load(b, node, index);
}

static ir_value part(struct ir_builder *b, enum ir_op op, ir_value pair)
{
    if (!b || !ir_expect(b, IR_PAIR, pair, pair)) return IR_NONE;
    struct ir_node node = ir_leaf(op, IR_REAL);
    node.a = pair;
    return ir_share(b, &node, ir_unknown_range);
}

ir_value ir_first(struct ir_builder *b, ir_value pair)
{
    return part(b, IR_FIRST, pair);
}

ir_value ir_second(struct ir_builder *b, ir_value pair)
{
    return part(b, IR_SECOND, pair);
}

static void store(struct ir_builder *b, struct ir_node node, ir_value index, ir_value value)
{
    if (!b || !ir_expect(b, IR_INT, index, index) || !ir_expect(b, IR_REAL, value, value)) return;
    if (!is_buffer(b, node.buffer)) return;
    node.a = value;
    node.b = index;
    ir_append(b, &node, ir_unknown_range);
}

void ir_store_lane(struct ir_builder *b, int buffer, ir_value index, int64_t lane_stride,
                   int64_t offset, ir_value value)
{
    struct ir_node node = ir_leaf(IR_STORE, IR_VOID);
    node.buffer = buffer;
    node.lane_stride = lane_stride;
    node.offset = offset;
    store(b, node, index, value);
}

void ir_store(struct ir_builder *b, int buffer, ir_value index, ir_value value)
{
    ir_store_lane(b, buffer, index, 0, 0, value);
}

void ir_send(struct ir_builder *b, int peer, int buffer, ir_value index, ir_value value)
{
    struct ir_node node = ir_leaf(IR_STORE, IR_VOID);
    node.buffer = buffer;
    node.peer = peer + 1;
    store(b, node, index, value);
}

static void store_pair(struct ir_builder *b, struct ir_node node, ir_value index, ir_value first,
                       ir_value second)
{
    if (!b || !ir_expect(b, IR_REAL, first, second)) return;
    node.c = second;
    store(b, node, index, first);
}

void ir_store_pair(struct ir_builder *b, int buffer, ir_value index, ir_value first,
                   ir_value second)
{
    struct ir_node node = ir_leaf(IR_STORE_PAIR, IR_VOID);
    node.buffer = buffer;
    store_pair(b, node, index, first, second);
}

void ir_send_pair(struct ir_builder *b, int peer, int buffer, ir_value index, ir_value first,
                  ir_value second)
{
    struct ir_node node = ir_leaf(IR_STORE_PAIR, IR_VOID);
    node.buffer = buffer;
    node.peer = peer + 1;
    store_pair(b, node, index, first, second);
}

static void append_alone(struct ir_builder *b, enum ir_op op)
{
    if (!b) return;
    struct ir_node node = ir_leaf(op, IR_VOID);
    ir_append(b, &node, ir_unknown_range);
}

void ir_barrier(struct ir_builder *b)
{
    append_alone(b, IR_BARRIER);
}

void ir_arrive(struct ir_builder *b)
{
    append_alone(b, IR_ARRIVE);
}

void ir_wait(struct ir_builder *b)
{
    append_alone(b, IR_WAIT);
}
