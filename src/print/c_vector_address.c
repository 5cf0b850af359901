#include "print/c_vector_address.h"

#include "base/error.h"

static const struct ir_node *node_of(const struct c_vector_addresses *a, ir_value n)
{
    return &a->node[n];
}

static bool depends_on_row(const struct c_vector_addresses *a, const struct ir_node *node)
{
    return node->op == IR_BLOCK || (node->a != IR_NONE && a->by_row[node->a]) ||
           (node->b != IR_NONE && a->by_row[node->b]);
}

static void need(struct c_vector_addresses *a, ir_value n)
{
    if (n == IR_NONE || a->needed[n]) return;
    a->needed[n] = true;
    need(a, node_of(a, n)->a);
    need(a, node_of(a, n)->b);
}

static int find_pointer(struct c_vector_addresses *a, const struct ir_node *node, ir_value row)
{
    for (int i = 0; i < a->pointers; i++) {
        const struct c_vector_pointer *known = &a->pointer[i];
        if (known->buffer == node->buffer && known->row == row &&
            known->lane_stride == node->lane_stride) {
            return i;
        }
    }
    if (a->pointers == C_VECTOR_MAX_POINTERS) {
        error_set(WEFT_ERROR_UNSUPPORTED, "codelet: more than %d row pointers",
                  C_VECTOR_MAX_POINTERS);
        a->text->failed = true;
        return 0;
    }
    a->pointer[a->pointers] = (struct c_vector_pointer){node->buffer, row, node->lane_stride};
    return a->pointers++;
}

/* Takes a sum apart into the one term that changes with the row and those that do not; false if
 * there are several of the one or too many of the other. */
static bool split_sum(const struct c_vector_addresses *a, ir_value n,
                      struct c_vector_address *address, ir_value *row)
{
    const struct ir_node *node = node_of(a, n);
    if (!a->by_row[n]) {
        if (address->offsets == C_VECTOR_MAX_OFFSETS) return false;
        address->offset[address->offsets++] = n;
        return true;
    }
    if (node->op == IR_INT_ADD) {
        return split_sum(a, node->a, address, row) && split_sum(a, node->b, address, row);
    }
    bool first = *row == IR_NONE;
    *row = n;
    return first;
}

static struct c_vector_address split_address(struct c_vector_addresses *a,
                                             const struct ir_node *memory)
{
    struct c_vector_address address = {0};
    ir_value row = IR_NONE;
    if (!split_sum(a, memory->b, &address, &row)) {
        address.offsets = 0;
        row = memory->b;
    }
    need(a, row);
    for (int i = 0; i < address.offsets; i++)
        need(a, address.offset[i]);
    address.pointer = find_pointer(a, memory, row);
    return address;
}

static void find_addresses(struct c_vector_addresses *a)
{
    for (ir_value n = 0; n < a->count; n++) {
        const struct ir_node *node = node_of(a, n);
        if (node->type == IR_INT) a->by_row[n] = depends_on_row(a, node);
        if (node->op == IR_LOAD || node->op == IR_STORE) a->address[n] = split_address(a, node);
    }
}

static void print_integer(const struct c_vector_addresses *a, ir_value n)
{
    const struct ir_node *node = node_of(a, n);
    text_append(a->text, "const int64_t i%d = ", n);
    switch (node->op) {
    case IR_INT_CONSTANT:
        text_append(a->text, "%lld;\n", (long long)node->integer);
        return;
    case IR_PARAM:
        text_append(a->text, "shape->%s;\n", a->kernel->param_name[node->integer]);
        return;
    case IR_BLOCK:
        text_append(a->text, "row;\n");
        return;
    case IR_INT_ADD:
        text_append(a->text, "i%d + i%d;\n", node->a, node->b);
        return;
    case IR_INT_SUB:
        text_append(a->text, "i%d - i%d;\n", node->a, node->b);
        return;
    case IR_INT_MUL:
        text_append(a->text, "i%d * i%d;\n", node->a, node->b);
        return;
    default:
        break;
    }
    error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: integer operation %d", a->kernel->name,
              (int)node->op);
    a->text->failed = true;
}

void c_vector_print_integers(const struct c_vector_addresses *a, bool by_row)
{
    for (ir_value n = 0; n < a->count; n++) {
        if (a->needed[n] && a->by_row[n] == by_row) print_integer(a, n);
    }
}

void c_vector_print_row_pointers(const struct c_vector_addresses *a)
{
    for (int i = 0; i < a->pointers; i++) {
        const struct c_vector_pointer *pointer = &a->pointer[i];
        const struct ir_buffer *buffer = &a->kernel->buffer[pointer->buffer];
        const char *constant = buffer->writable ? "" : "const ";
        text_append(a->text, "%sreal *const r%d = (%sreal *)%s", constant, i, constant,
                    buffer->name);
        if (pointer->row != IR_NONE) text_append(a->text, " + i%d", pointer->row);
        text_append(a->text, ";\n");
    }
}

void c_vector_print_lane_pointers(const struct c_vector_addresses *a)
{
    for (int i = 0; i < a->pointers; i++) {
        const struct c_vector_pointer *pointer = &a->pointer[i];
        const char *constant = a->kernel->buffer[pointer->buffer].writable ? "" : "const ";
        text_append(a->text, "%sreal *const p%d = r%d + %lld * lane;\n", constant, i, i,
                    (long long)pointer->lane_stride);
    }
}

void c_vector_print_address(const struct c_vector_addresses *a, ir_value n, int64_t more)
{
    const struct c_vector_address *address = &a->address[n];
    text_append(a->text, "p%d", address->pointer);
    for (int i = 0; i < address->offsets; i++)
        text_append(a->text, " + i%d", address->offset[i]);
    if (more != 0) text_append(a->text, " + %lld", (long long)more);
}

bool c_vector_addresses_init(struct c_vector_addresses *a, arena *memory, struct text *text,
                             const struct ir *kernel, const struct c_vector_order *order)
{
    size_t count = (size_t)order->count + 1;
    *a = (struct c_vector_addresses){
        .text = text, .kernel = kernel, .node = order->node, .count = order->count};
    a->by_row = arena_array(memory, count, sizeof *a->by_row);
    a->needed = arena_array(memory, count, sizeof *a->needed);
    a->address = arena_array(memory, count, sizeof *a->address);
    if (arena_failed(memory)) return false;
    find_addresses(a);
    return true;
}
