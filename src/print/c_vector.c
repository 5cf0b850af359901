#include "print/c_vector.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "print/c_vector_order.h"
#include "print/c_vector_shuffle.h"

#define MAX_POINTERS 64

/* A memory address is `pointer + offset`: the pointer changes from row to row and from vector to
 * vector, the offset (an integer of the kernel, or IR_NONE) is the same in all rows. */
struct address {
    int pointer;
    ir_value offset;
};

struct pointer {
    int buffer;
    ir_value row;
    int64_t lane_stride;
};

struct printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct ir *kernel;
    const struct c_vector_order *order;
    struct c_vector_shuffler shuffler;
    bool *by_row;   /* of an integer: changes from row to row */
    bool *needed;   /* of an integer: is printed */
    struct address *address; /* of a load or store */
    struct pointer pointer[MAX_POINTERS];
    int pointers;
};

/* ---- prologue ---- */

static int vector_bytes(const struct c_vector_target *target)
{
    return target->lanes * (target->single ? 4 : 8);
}

static void print_fma_neon(struct text *t, const struct c_vector_target *target)
{
    const char *type = target->single ? "float32x4_t" : "float64x2_t";
    const char *suffix = target->single ? "f32" : "f64";
    text_append(t,
                "#include <arm_neon.h>\n"
                "#define FMA(a, b, c) (vec)vfmaq_%s((%s)(c), (%s)(a), (%s)(b))\n"
                "#define FMS(a, b, c) FMA(a, b, -(c))\n"
                "#define FNMA(a, b, c) (vec)vfmsq_%s((%s)(c), (%s)(a), (%s)(b))\n",
                suffix, type, type, type, suffix, type, type, type);
}

static void print_fma_x86(struct text *t, const struct c_vector_target *target)
{
    const char *suffix = target->single ? "ps" : "pd";
    const char *width = vector_bytes(target) == 64   ? "512"
                        : vector_bytes(target) == 32 ? "256"
                                                     : "";
    text_append(t,
                "#include <immintrin.h>\n"
                "#define FMA(a, b, c) _mm%s_fmadd_%s(a, b, c)\n"
                "#define FMS(a, b, c) _mm%s_fmsub_%s(a, b, c)\n"
                "#define FNMA(a, b, c) _mm%s_fnmadd_%s(a, b, c)\n",
                width, suffix, width, suffix, width, suffix);
}

static void print_fma_plain(struct text *t)
{
    text_append(t, "#define FMA(a, b, c) ((a) * (b) + (c))\n"
                   "#define FMS(a, b, c) ((a) * (b) - (c))\n"
                   "#define FNMA(a, b, c) ((c) - (a) * (b))\n");
}

static void print_vector_types(struct text *t, const struct c_vector_target *target)
{
    int bytes = vector_bytes(target);
    text_append(t,
                "typedef real vec __attribute__((vector_size(%d)));\n"
                "typedef real vec_in_memory __attribute__((vector_size(%d), aligned(%d), "
                "may_alias));\n"
                "#define LOAD(p) (*(const vec_in_memory *)(p))\n"
                "#define STORE(p, v) (*(vec_in_memory *)(p) = (v))\n"
                "#define SPLAT(x) splat(x)\n"
                "static inline __attribute__((unused, always_inline)) vec splat(real x)\n"
                "{\n    return (vec){x",
                bytes, bytes, target->single ? 4 : 8);
    for (int i = 1; i < target->lanes; i++) text_append(t, ", x");
    text_append(t, "};\n}\n");
}

void c_vector_prologue(struct text *t, const struct c_vector_target *target)
{
    text_append(t, "#include \"device/cpu/codelet.h\"\n#pragma GCC visibility push(hidden)\n"
                   "typedef %s real;\n",
                target->single ? "float" : "double");
    if (target->lanes == 1) {
        text_append(t, "typedef real vec;\n#define LOAD(p) (*(p))\n"
                       "#define STORE(p, v) (*(p) = (v))\n#define SPLAT(x) (x)\n");
    } else {
        print_vector_types(t, target);
    }
    if (!target->fma) {
        print_fma_plain(t);
    } else if (strcmp(target->isa, "neon") == 0) {
        print_fma_neon(t, target);
    } else {
        print_fma_x86(t, target);
    }
}

/* ---- integers and addresses ---- */

static const struct ir_node *node_of(const struct printer *p, ir_value n)
{
    return &p->order->node[n];
}

static bool depends_on_row(const struct printer *p, const struct ir_node *node)
{
    return node->op == IR_BLOCK || (node->a != IR_NONE && p->by_row[node->a]) ||
           (node->b != IR_NONE && p->by_row[node->b]);
}

static void need(struct printer *p, ir_value n)
{
    if (n == IR_NONE || p->needed[n]) return;
    p->needed[n] = true;
    need(p, node_of(p, n)->a);
    need(p, node_of(p, n)->b);
}

static int find_pointer(struct printer *p, const struct ir_node *node, ir_value row)
{
    for (int i = 0; i < p->pointers; i++) {
        const struct pointer *known = &p->pointer[i];
        if (known->buffer == node->buffer && known->row == row &&
            known->lane_stride == node->lane_stride) {
            return i;
        }
    }
    if (p->pointers == MAX_POINTERS) {
        error_set(WEFT_ERROR_UNSUPPORTED, "codelet: more than %d row pointers", MAX_POINTERS);
        p->text->failed = true;
        return 0;
    }
    p->pointer[p->pointers] = (struct pointer){node->buffer, row, node->lane_stride};
    return p->pointers++;
}

/* A sum of a part that changes with the row and one that does not is split between pointer and
 * offset. */
static struct address split_address(struct printer *p, const struct ir_node *memory)
{
    ir_value row = IR_NONE, offset = memory->b;
    const struct ir_node *index = node_of(p, memory->b);
    if (p->by_row[memory->b]) {
        row = memory->b;
        offset = IR_NONE;
        if (index->op == IR_INT_ADD && p->by_row[index->a] != p->by_row[index->b]) {
            row = p->by_row[index->a] ? index->a : index->b;
            offset = p->by_row[index->a] ? index->b : index->a;
        }
    }
    need(p, row);
    need(p, offset);
    return (struct address){find_pointer(p, memory, row), offset};
}

static void find_addresses(struct printer *p)
{
    for (ir_value n = 0; n < p->order->count; n++) {
        const struct ir_node *node = node_of(p, n);
        if (node->type == IR_INT) p->by_row[n] = depends_on_row(p, node);
        if (node->op == IR_LOAD || node->op == IR_STORE) p->address[n] = split_address(p, node);
    }
}

static void print_integer(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    text_append(p->text, "const int64_t i%d = ", n);
    switch (node->op) {
    case IR_INT_CONSTANT: text_append(p->text, "%lld;\n", (long long)node->integer); return;
    case IR_PARAM:
        text_append(p->text, "shape->%s;\n", p->kernel->param_name[node->integer]);
        return;
    case IR_BLOCK: text_append(p->text, "row;\n"); return;
    case IR_INT_ADD: text_append(p->text, "i%d + i%d;\n", node->a, node->b); return;
    case IR_INT_SUB: text_append(p->text, "i%d - i%d;\n", node->a, node->b); return;
    case IR_INT_MUL: text_append(p->text, "i%d * i%d;\n", node->a, node->b); return;
    default: break;
    }
    error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: integer operation %d", p->kernel->name,
              (int)node->op);
    p->text->failed = true;
}

static void print_integers(struct printer *p, bool by_row)
{
    for (ir_value n = 0; n < p->order->count; n++) {
        if (p->needed[n] && p->by_row[n] == by_row) print_integer(p, n);
    }
}

static void print_row_pointers(struct printer *p)
{
    for (int i = 0; i < p->pointers; i++) {
        const struct pointer *pointer = &p->pointer[i];
        const struct ir_buffer *buffer = &p->kernel->buffer[pointer->buffer];
        const char *constant = buffer->writable ? "" : "const ";
        text_append(p->text, "%sreal *const r%d = (%sreal *)%s", constant, i, constant,
                    buffer->name);
        if (pointer->row != IR_NONE) text_append(p->text, " + i%d", pointer->row);
        text_append(p->text, ";\n");
    }
}

static void print_lane_pointers(struct printer *p)
{
    for (int i = 0; i < p->pointers; i++) {
        const struct pointer *pointer = &p->pointer[i];
        const char *constant = p->kernel->buffer[pointer->buffer].writable ? "" : "const ";
        text_append(p->text, "%sreal *const p%d = r%d + %lld * lane;\n", constant, i, i,
                    (long long)pointer->lane_stride);
    }
}

static void print_address(struct printer *p, ir_value n, int64_t more)
{
    const struct address *address = &p->address[n];
    text_append(p->text, "p%d", address->pointer);
    if (address->offset != IR_NONE) text_append(p->text, " + i%d", address->offset);
    if (more != 0) text_append(p->text, " + %lld", (long long)more);
}

/* ---- statements ---- */

static void print_operand(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op != IR_REAL_CONSTANT) {
        text_append(p->text, "v%d", n);
        return;
    }
    text_append(p->text, "SPLAT((real)");
    text_real(p->text, p->target->single ? (double)(float)node->hi : node->hi);
    text_append(p->text, ")");
}

static void print_group_load(struct printer *p, const struct c_vector_group *group)
{
    int memory[C_VECTOR_MAX_GROUP], sequence[C_VECTOR_MAX_GROUP];
    for (int i = 0; i < group->size; i++) {
        memory[i] = p->shuffler.next++;
        text_append(p->text, "const vec v%d = LOAD(", memory[i]);
        print_address(p, group->member[0], (int64_t)i * p->target->lanes);
        text_append(p->text, ");\n");
    }
    c_vector_deinterleave(&p->shuffler, group->size, memory, sequence);
    for (int i = 0; i < group->size; i++) {
        text_append(p->text, "const vec v%d = v%d;\n", group->member[i], sequence[i]);
    }
}

static void print_group_store(struct printer *p, const struct c_vector_group *group)
{
    int memory[C_VECTOR_MAX_GROUP], sequence[C_VECTOR_MAX_GROUP];
    for (int i = 0; i < group->size; i++) {
        ir_value value = node_of(p, group->member[i])->a;
        sequence[i] = p->shuffler.next++;
        text_append(p->text, "const vec v%d = ", sequence[i]);
        print_operand(p, value);
        text_append(p->text, ";\n");
    }
    c_vector_interleave(&p->shuffler, group->size, sequence, memory);
    for (int i = 0; i < group->size; i++) {
        text_append(p->text, "STORE(");
        print_address(p, group->member[0], (int64_t)i * p->target->lanes);
        text_append(p->text, ", v%d);\n", memory[i]);
    }
}

static const struct c_vector_group *group_of(const struct printer *p, ir_value n)
{
    int32_t group = p->order->group_of[n];
    return group < 0 || p->target->lanes == 1 ? NULL : &p->order->group[group];
}

static void print_load(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (group_of(p, n)) {
        print_group_load(p, group_of(p, n));
        return;
    }
    text_append(p->text, "const vec v%d = %s(", n, node->lane_stride == 0 ? "SPLAT(*" : "LOAD");
    if (node->lane_stride == 0) text_append(p->text, "(");
    print_address(p, n, node->offset);
    text_append(p->text, node->lane_stride == 0 ? ")));\n" : ");\n");
}

static void print_store(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (group_of(p, n)) {
        print_group_store(p, group_of(p, n));
        return;
    }
    text_append(p->text, "STORE(");
    print_address(p, n, node->offset);
    text_append(p->text, ", ");
    print_operand(p, node->a);
    text_append(p->text, ");\n");
}

/* before a between b [between c] after */
struct arithmetic {
    const char *before, *between, *after;
    int operands;
};

static const struct arithmetic arithmetic[IR_OP_COUNT] = {
    [IR_ADD] = {"", " + ", "", 2},        [IR_SUB] = {"", " - ", "", 2},
    [IR_MUL] = {"", " * ", "", 2},        [IR_NEG] = {"-", "", "", 1},
    [IR_FMA] = {"FMA(", ", ", ")", 3},    [IR_FMS] = {"FMS(", ", ", ")", 3},
    [IR_FNMA] = {"FNMA(", ", ", ")", 3},
};

static void print_arithmetic(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    const struct arithmetic *form = &arithmetic[node->op];
    const ir_value operand[3] = {node->a, node->b, node->c};
    if (form->operands == 0) {
        error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: operation %d", p->kernel->name,
                  (int)node->op);
        p->text->failed = true;
        return;
    }
    text_append(p->text, "const vec v%d = %s", n, form->before);
    for (int i = 0; i < form->operands; i++) {
        if (i > 0) text_append(p->text, "%s", form->between);
        print_operand(p, operand[i]);
    }
    text_append(p->text, "%s;\n", form->after);
}

static void print_step(struct printer *p, ir_value n)
{
    switch (node_of(p, n)->op) {
    case IR_LOAD: print_load(p, n); break;
    case IR_STORE: print_store(p, n); break;
    default: print_arithmetic(p, n); break;
    }
}

static void print_steps(struct printer *p)
{
    for (int32_t i = 0; i < p->order->length; i++) {
        ir_value n = p->order->step[i];
        int32_t group = p->order->group_of[n];
        if (group < 0 || group_of(p, n)) {
            print_step(p, n);
            continue;
        }
        for (int k = 0; k < p->order->group[group].size; k++) {
            print_step(p, p->order->group[group].member[k]);
        }
    }
}

/* ---- functions ---- */

void c_vector_name(struct text *t, const struct c_vector_target *target, const char *kernel_name)
{
    text_append(t, "codelet_%s_%s_%s", target->isa, target->single ? "f32" : "f64", kernel_name);
}

static void print_head(struct printer *p)
{
    text_append(p->text, "\ncodelet_function ");
    c_vector_name(p->text, p->target, p->kernel->name);
    text_append(p->text, ";\nvoid ");
    c_vector_name(p->text, p->target, p->kernel->name);
    text_append(p->text, "(const struct codelet_shape *shape");
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &p->kernel->buffer[i];
        text_append(p->text, ", %svoid *%s", buffer->writable ? "" : "const ", buffer->name);
    }
    text_append(p->text, ")\n{\n");
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        text_append(p->text, "(void)%s;\n", p->kernel->buffer[i].name);
    }
}

/* The empty assembly hides from the compiler that `lane` is counted: it would keep one pointer for
 * every memory access of the loop, more than there are registers. */
static void print_loops(struct printer *p)
{
    text_append(p->text,
                "const int64_t last = shape->lanes - %d;\n"
                "for (int64_t row = 0; row < shape->rows; row++) {\n",
                p->target->lanes);
    print_integers(p, true);
    print_row_pointers(p);
    text_append(p->text, "for (int64_t lane = 0;;) {\n__asm__(\"\" : \"+r\"(lane));\n");
    print_lane_pointers(p);
    print_steps(p);
    text_append(p->text,
                "if (lane >= last) break;\n"
                "lane = lane + %d < last ? lane + %d : last;\n}\n}\n}\n",
                p->target->lanes, p->target->lanes);
}

static bool printer_init(struct printer *p, arena *a)
{
    size_t count = (size_t)p->kernel->count + 1;
    p->order = c_vector_order_make(a, p->kernel, p->target->fma);
    p->by_row = arena_array(a, count, sizeof *p->by_row);
    p->needed = arena_array(a, count, sizeof *p->needed);
    p->address = arena_array(a, count, sizeof *p->address);
    return p->order && !arena_failed(a);
}

void c_vector_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    struct printer p = {.text = t, .target = target, .kernel = kernel};
    if (!a || !printer_init(&p, a)) {
        t->failed = true;
    } else {
        p.shuffler = c_vector_shuffler_make(t, target, kernel->count);
        find_addresses(&p);
        print_head(&p);
        print_integers(&p, false);
        print_loops(&p);
    }
    arena_destroy(&a);
}
