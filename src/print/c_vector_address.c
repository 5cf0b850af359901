/* Legs lie a stride apart that is known when the codelet is called. A compiler left alone keeps
 * a register for every leg's distance and runs out of them. So the strides are hidden from it
 * where they are used, and an address is what one instruction can make of it: every third leg or
 * so has a pointer, the others are 1, 2, 4 or 8 strides behind one of these. (Experiment
 * "addresses" in docs/experiments.) */
#include "print/c_vector_address.h"

#include "base/error.h"

static const struct ir_node *node_of(const struct c_vector_addresses *a, ir_value n)
{
    return &a->node[n];
}

static void fail(struct c_vector_addresses *a, const char *what)
{
    error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: %s", a->kernel->name, what);
    a->text->failed = true;
}

/* ---- sums ---- */

/* What an index is the sum of. */
struct sum {
    ir_value row; /* the one term that changes with the row */
    int64_t constant;
    int64_t times[C_VECTOR_MAX_PARAMS]; /* by parameter */
};

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

static bool add_to_sum(const struct c_vector_addresses *a, ir_value n, int64_t times,
                       struct sum *sum);

static bool add_product(const struct c_vector_addresses *a, const struct ir_node *node,
                        int64_t times, struct sum *sum)
{
    const struct ir_node *left = node_of(a, node->a), *right = node_of(a, node->b);
    if (right->op == IR_INT_CONSTANT) return add_to_sum(a, node->a, times * right->integer, sum);
    if (left->op == IR_INT_CONSTANT) return add_to_sum(a, node->b, times * left->integer, sum);
    return false;
}

/* Adds integer n so many times; false if it is not of the forms above. */
static bool add_to_sum(const struct c_vector_addresses *a, ir_value n, int64_t times,
                       struct sum *sum)
{
    const struct ir_node *node = node_of(a, n);
    if (a->by_row[n] && node->op != IR_INT_ADD) {
        const bool first = sum->row == IR_NONE && times == 1;
        sum->row = n;
        return first;
    }
    switch (node->op) {
    case IR_INT_CONSTANT:
        sum->constant += times * node->integer;
        return true;
    case IR_PARAM:
        if (node->integer >= C_VECTOR_MAX_PARAMS) return false;
        sum->times[node->integer] += times;
        return true;
    case IR_INT_ADD:
        return add_to_sum(a, node->a, times, sum) && add_to_sum(a, node->b, times, sum);
    case IR_INT_MUL:
        return add_product(a, node, times, sum);
    default:
        return false;
    }
}

static struct sum sum_of(struct c_vector_addresses *a, ir_value n)
{
    struct sum sum = {.row = IR_NONE};
    if (!add_to_sum(a, node_of(a, n)->b, 1, &sum)) fail(a, "an address that is no such sum");
    return sum;
}

static bool is_access(const struct ir_node *node)
{
    return node->op == IR_LOAD || node->op == IR_STORE;
}

static int64_t greatest_common_divisor(int64_t x, int64_t y)
{
    while (y != 0) {
        const int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* A parameter is a stride if addresses hold it differently often. */
static void find_strides(struct c_vector_addresses *a)
{
    int64_t seen[C_VECTOR_MAX_PARAMS] = {0};
    for (ir_value n = 0; n < a->count; n++) {
        if (!is_access(node_of(a, n))) continue;
        const struct sum sum = sum_of(a, n);
        for (int i = 0; i < C_VECTOR_MAX_PARAMS; i++) {
            if (seen[i] != 0 && sum.times[i] != 0 && sum.times[i] != seen[i]) a->unit[i] = 1;
            if (sum.times[i] != 0) seen[i] = greatest_common_divisor(seen[i], sum.times[i]);
        }
    }
    for (int i = 0; i < C_VECTOR_MAX_PARAMS; i++)
        a->unit[i] *= seen[i];
}

/* ---- pointers ---- */

static bool same_pointer(const struct c_vector_pointer *x, const struct c_vector_pointer *y)
{
    for (int i = 0; i < C_VECTOR_MAX_PARAMS; i++) {
        if (x->times[i] != y->times[i]) return false;
    }
    return x->buffer == y->buffer && x->row == y->row && x->lane_stride == y->lane_stride;
}

/* The pointer's stride is that of the first address that has any. */
static int find_pointer(struct c_vector_addresses *a, const struct c_vector_pointer *wanted)
{
    for (int i = 0; i < a->pointers; i++) {
        struct c_vector_pointer *known = &a->pointer[i];
        if (!same_pointer(known, wanted)) continue;
        if (known->stride < 0) known->stride = wanted->stride;
        if (wanted->stride < 0 || wanted->stride == known->stride) return i;
    }
    if (a->pointers == C_VECTOR_MAX_POINTERS) {
        fail(a, "too many pointers");
        return 0;
    }
    a->pointer[a->pointers] = *wanted;
    return a->pointers++;
}

static void find_address(struct c_vector_addresses *a, ir_value n)
{
    const struct sum sum = sum_of(a, n);
    struct c_vector_pointer wanted = {node_of(a, n)->buffer, sum.row, node_of(a, n)->lane_stride,
                                      .stride = -1};
    struct c_vector_address *address = &a->address[n];
    address->constant = sum.constant;
    for (int i = 0; i < C_VECTOR_MAX_PARAMS; i++) {
        if (sum.times[i] != 0 && a->unit[i] != 0 && wanted.stride < 0) {
            wanted.stride = i;
            address->multiple = sum.times[i] / a->unit[i];
        } else {
            wanted.times[i] = sum.times[i];
        }
    }
    if (address->multiple < 0 || address->multiple >= C_VECTOR_MAX_MULTIPLE) {
        fail(a, "a leg too far away");
        return;
    }
    if (sum.row != IR_NONE) need(a, sum.row);
    address->pointer = find_pointer(a, &wanted);
    a->pointer[address->pointer].wanted[address->multiple] = true;
}

/* What one address may add to a pointer, in strides. */
static bool is_scale(int64_t strides)
{
    return strides == 1 || strides == 2 || strides == 4 || strides == 8;
}

/* The multiple of the stride that has a pointer, from which this one is reached. */
static int64_t base_of(const struct c_vector_pointer *pointer, int64_t multiple)
{
    for (int64_t base = multiple; base >= 0 && base >= multiple - 8; base--) {
        if (pointer->base[base] && (base == multiple || is_scale(multiple - base))) return base;
    }
    return -1;
}

static void find_bases(struct c_vector_pointer *pointer)
{
    for (int64_t i = 0; i < C_VECTOR_MAX_MULTIPLE; i++) {
        if (pointer->wanted[i] && base_of(pointer, i) < 0) pointer->base[i] = true;
    }
}

static void find_addresses(struct c_vector_addresses *a)
{
    for (ir_value n = 0; n < a->count; n++) {
        if (node_of(a, n)->type == IR_INT) a->by_row[n] = depends_on_row(a, node_of(a, n));
    }
    find_strides(a);
    for (ir_value n = 0; n < a->count; n++) {
        if (is_access(node_of(a, n))) find_address(a, n);
    }
    for (int i = 0; i < a->pointers; i++)
        find_bases(&a->pointer[i]);
}

/* ---- text ---- */

static void print_integer(struct c_vector_addresses *a, ir_value n)
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
    case IR_INT_MUL:
        text_append(a->text, "i%d * i%d;\n", node->a, node->b);
        return;
    default:
        fail(a, "an integer operation that C has no words for");
        return;
    }
}

void c_vector_print_integers(struct c_vector_addresses *a, bool by_row)
{
    for (ir_value n = 0; n < a->count; n++) {
        if (a->needed[n] && a->by_row[n] == by_row) print_integer(a, n);
    }
}

/* Nothing is read through a pointer to bytes but what LOAD and STORE make of it. */
static const char *type_of(const struct c_vector_addresses *a, const struct c_vector_pointer *p)
{
    return a->kernel->buffer[p->buffer].writable ? "char *" : "const char *";
}

void c_vector_print_row_pointers(const struct c_vector_addresses *a)
{
    for (int i = 0; i < a->pointers; i++) {
        const struct c_vector_pointer *pointer = &a->pointer[i];
        text_append(a->text, "%sconst r%d = (%s)%s", type_of(a, pointer), i, type_of(a, pointer),
                    a->kernel->buffer[pointer->buffer].name);
        if (pointer->row != IR_NONE) text_append(a->text, " + BYTES * i%d", pointer->row);
        for (int k = 0; k < C_VECTOR_MAX_PARAMS; k++) {
            if (pointer->times[k] == 0) continue;
            text_append(a->text, " + BYTES * %lld * shape->%s", (long long)pointer->times[k],
                        a->kernel->param_name[k]);
        }
        text_append(a->text, ";\n");
    }
}

static bool is_stride(const struct c_vector_addresses *a, int param)
{
    for (int i = 0; i < a->pointers; i++) {
        if (a->pointer[i].stride == param) return true;
    }
    return false;
}

void c_vector_print_strides(const struct c_vector_addresses *a)
{
    for (int i = 0; i < C_VECTOR_MAX_PARAMS; i++) {
        if (!is_stride(a, i)) continue;
        text_append(a->text, "const int64_t stride%d = BYTES * %lld * shape->%s;\n", i,
                    (long long)a->unit[i], a->kernel->param_name[i]);
    }
}

static void print_strides_of_vector(const struct c_vector_addresses *a)
{
    for (int i = 0; i < C_VECTOR_MAX_PARAMS; i++) {
        if (!is_stride(a, i)) continue;
        text_append(a->text,
                    "int64_t s%d = stride%d;\n__asm__(\"\" : \"+r\"(s%d));\n"
                    "const int64_t t%d = 3 * s%d;\n(void)t%d;\n",
                    i, i, i, i, i, i);
    }
}

static void print_lane_pointers(const struct c_vector_addresses *a, int block)
{
    if (block > 1)
        text_append(a->text, "const int64_t block = (lane + %d) & -%d;\n", block - 1, block);
    for (int i = 0; i < a->pointers; i++) {
        const struct c_vector_pointer *pointer = &a->pointer[i];
        const bool in_blocks = block > 1 && pointer->lane_stride == 1;
        text_append(a->text, "%sconst p%d_0 = r%d + BYTES * %lld * %s;\n", type_of(a, pointer), i,
                    i, (long long)pointer->lane_stride, in_blocks ? "block" : "lane");
    }
}

static void print_moving_pointers(const struct c_vector_addresses *a)
{
    for (int i = 0; i < a->pointers; i++)
        text_append(a->text, "%sp%d_0 = r%d;\n", type_of(a, &a->pointer[i]), i, i);
}

static void print_moves(const struct c_vector_addresses *a)
{
    for (int i = 0; i < a->pointers; i++) {
        const int64_t stride = a->pointer[i].lane_stride;
        if (stride != 0)
            text_append(a->text, "p%d_0 += BYTES * %lld * step;\n", i, (long long)stride);
    }
}

/* The empty assembly hides from the compiler that lanes are counted: it would keep one pointer for
 * every memory access of the loop, more than there are registers. */
void c_vector_print_lanes_begin(const struct c_vector_addresses *a, int block)
{
    if (a->moving) print_moving_pointers(a);
    text_append(a->text, a->moving
                             ? "for (int64_t left = last;;) {\n__asm__(\"\" : \"+r\"(left));\n"
                             : "for (int64_t lane = 0;;) {\n__asm__(\"\" : \"+r\"(lane));\n");
    print_strides_of_vector(a);
    if (!a->moving) print_lane_pointers(a, block);
}

void c_vector_print_lanes_end(const struct c_vector_addresses *a, int lanes)
{
    if (!a->moving) {
        text_append(a->text,
                    "if (lane >= last) break;\nlane = lane + %d < last ? lane + %d : last;\n}\n",
                    lanes, lanes);
        return;
    }
    text_append(a->text,
                "if (left <= 0) break;\nconst int64_t step = left < %d ? left : %d;\n"
                "left -= step;\n",
                lanes, lanes);
    print_moves(a);
    text_append(a->text, "}\n");
}

/* Prints a base as some pointer that there is already and a multiple of one stride or of three. */
static void print_distance(const struct c_vector_addresses *a, int index, int64_t base)
{
    const struct c_vector_pointer *pointer = &a->pointer[index];
    for (int64_t from = base - 1; from >= 0; from--) {
        const int64_t distance = base - from;
        if (from > 0 && !pointer->printed[from]) continue;
        if (!is_scale(distance) && !(distance % 3 == 0 && is_scale(distance / 3))) continue;
        text_append(a->text, "p%d_%lld + ", index, (long long)from);
        if (is_scale(distance)) {
            text_append(a->text, "%lld * s%d", (long long)distance, pointer->stride);
        } else {
            text_append(a->text, "%lld * t%d", (long long)(distance / 3), pointer->stride);
        }
        return;
    }
    text_append(a->text, "p%d_0 + %lld * s%d", index, (long long)base, pointer->stride);
}

void c_vector_print_base(struct c_vector_addresses *a, ir_value n)
{
    const int index = a->address[n].pointer;
    struct c_vector_pointer *pointer = &a->pointer[index];
    const int64_t base = base_of(pointer, a->address[n].multiple);
    if (base <= 0 || pointer->printed[base]) return;
    text_append(a->text, "%sp%d_%lld = ", type_of(a, pointer), index, (long long)base);
    print_distance(a, index, base);
    text_append(a->text, ";\n__asm__(\"\" : \"+r\"(p%d_%lld));\n", index, (long long)base);
    pointer->printed[base] = true;
}

void c_vector_print_address(const struct c_vector_addresses *a, ir_value n, int64_t more)
{
    const struct c_vector_address *address = &a->address[n];
    const struct c_vector_pointer *pointer = &a->pointer[address->pointer];
    const int64_t base = base_of(pointer, address->multiple), rest = address->multiple - base;
    text_append(a->text, "p%d_%lld", address->pointer, (long long)base);
    if (rest > 0) text_append(a->text, " + %lld * s%d", (long long)rest, pointer->stride);
    if (address->constant + more != 0) {
        text_append(a->text, " + BYTES * %lld", (long long)(address->constant + more));
    }
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
