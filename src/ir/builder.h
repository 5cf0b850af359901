/* The inside of a builder, shared by the files that make up the constructors. */
#ifndef WEFT_IR_BUILDER_H
#define WEFT_IR_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"

#define IR_MAX_DEPTH 32

/* What is known of an integer value: low <= value <= high. */
struct ir_range {
    int64_t low, high;
};

/* The opener that a control construct left out because it does nothing (`if (true)`, a loop that
 * runs once) has on the stack of open scopes. */
#define IR_NO_OPENER (-2)

struct ir_builder {
    arena *arena;
    struct ir kernel; /* all but its nodes */
    bool failed;
    int32_t count, capacity;
    struct ir_node *node;
    struct ir_range *range; /* by node */
    bool *open;             /* by node: an IR_FOR or IR_IF that has not ended */
    int32_t slots;          /* of the table of pure nodes: a power of two, at most half full */
    int32_t *slot;          /* IR_NONE or a node */
    ir_value scope;
    int depth;
    ir_value opener[IR_MAX_DEPTH]; /* the scopes that are open, the innermost last */
};

/* Marks the builder failed, with a message unless it failed before, and returns IR_NONE. */
ir_value ir_fail(struct ir_builder *b, const char *what);

/* The node with these contents: an existing equal one that is visible here, or a new one. */
ir_value ir_share(struct ir_builder *b, const struct ir_node *node, struct ir_range range);

/* A node that is never shared. */
ir_value ir_append(struct ir_builder *b, const struct ir_node *node, struct ir_range range);

/* False, and the builder failed, unless all of the values exist and have the type. */
bool ir_expect(struct ir_builder *b, enum ir_type type, ir_value x, ir_value y);

/* A node without operands. */
static inline struct ir_node ir_leaf(enum ir_op op, enum ir_type type)
{
    return (struct ir_node){.op = op, .type = type, .a = IR_NONE, .b = IR_NONE, .c = IR_NONE};
}

static const struct ir_range ir_unknown_range = {INT64_MIN, INT64_MAX};

/* True if all of the range has 32 bits with a sign. */
static inline bool ir_is_narrow(struct ir_range range)
{
    return range.low >= INT32_MIN && range.high <= INT32_MAX;
}

/* A copy without the nodes that nothing needs, for stores and barriers alone are needed for
 * themselves. NULL: no memory. */
const struct ir *ir_compact(arena *a, const struct ir *kernel);

/* A bool known while building. */
ir_value ir_bool(struct ir_builder *b, bool value);

#endif
