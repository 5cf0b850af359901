#include "print/c_vector.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/hash.h"
#include "print/c_arithmetic.h"
#include "print/c_vector_address.h"
#include "print/c_vector_order.h"
#include "print/c_vector_shuffle.h"

#define CORE_NAME 32

/* A core of more operations does not fit the registers anyway: it becomes a function of its own,
 * on arrays, that all codelets of a radix share. Otherwise the library were four times as large. */
#define MAX_INLINE_OPERATIONS    255
#define SELDOM_INLINE_OPERATIONS 248
#define SMALL_INLINE_OPERATIONS  40

struct printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct ir *kernel;
    const struct c_vector_order *order;
    struct c_shuffles shuffles;
    struct c_vector_shuffler shuffler;
    struct c_vector_addresses addresses;
    bool outlined; /* the core is a function of its own */
    int *uses;     /* of a node, as an operand */
    int *name;     /* of a real node: its number; its place in y where it comes from the core */
    bool *in_y;
    int inputs, outputs; /* of the core */
};

static const struct ir_node *node_of(const struct printer *p, ir_value n)
{
    return &p->order->node[n];
}

/* ---- statements ---- */

/* Declares a vector that is loaded. A compiler reads memory anew for each use, which saves it a
 * register and costs a load; two a cycle are few. (Experiment "lean" in docs/experiments.) */
static void print_loaded(struct printer *p, int name, bool again)
{
    text_append(p->text, "%svec v%d = ", p->target->lean && again ? "" : "const ", name);
}

static void print_kept(struct printer *p, int name, bool again)
{
    if (p->target->lean && again) text_append(p->text, "__asm__(\"\" : \"+x\"(v%d));\n", name);
}

static void print_operand(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    if (node->op != IR_REAL_CONSTANT) {
        text_append(p->text, p->in_y[n] ? "y[%d]" : "v%d", p->name[n]);
        return;
    }
    text_append(p->text, "SPLAT((real)");
    text_real(p->text, p->target->single ? (double)(float)node->hi : node->hi);
    text_append(p->text, ")");
}

/* Of pairs there are two vectors, and of lanes half of one's at least: what is absent is in the
 * second vector. Others than the last leg, which is leg 1 where legs are counted backwards, read of
 * the next one there. (Experiment "narrow" in docs/experiments.) */
static bool reads_beyond(const struct printer *p, const struct c_vector_group *group, int i)
{
    if (!p->target->masks || group->size != 2) return false;
    const struct c_vector_order *order = p->order;
    int legs = 0;
    while (legs < order->group_count && node_of(p, order->group[legs].leader)->op == IR_LOAD)
        legs++;
    const int64_t leg = group - order->group;
    return i > 0 && (leg == 1 || leg == legs - 1);
}

static void print_group_load(struct printer *p, const struct c_vector_group *group)
{
    int memory[C_VECTOR_MAX_GROUP], sequence[C_VECTOR_MAX_GROUP];
    const int64_t lanes = p->target->lanes;
    const int64_t first = group->back ? -(lanes - 1) * group->size : 0;
    bool masked = false;
    c_vector_print_base(&p->addresses, group->leader);
    for (int i = 0; i < group->size; i++) {
        memory[i] = p->shuffler.next++;
        masked = reads_beyond(p, group, i);
        print_loaded(p, memory[i], true);
        text_append(p->text, "LOAD%s(", masked ? "_MASKED" : "");
        c_vector_print_address(&p->addresses, group->leader, first + i * lanes);
        text_append(p->text, masked ? ", mask);\n" : ");\n");
        print_kept(p, memory[i], true);
    }
    if (p->target->woven) c_vector_part_woven(&p->shuffler, memory, sequence);
    else c_vector_deinterleave(&p->shuffler, group->size, group->back, memory, sequence);
    for (int i = 0; i < group->size; i++) {
        const ir_value member = group->member[i];
        if (member == IR_NONE) text_append(p->text, "(void)v%d;\n", sequence[i]);
        else text_append(p->text, "const vec v%d = v%d;\n", p->name[member], sequence[i]);
    }
}

/* Names the values of a group that is to be stored. */
static void print_sequence(struct printer *p, const struct c_vector_group *group, int *sequence)
{
    for (int i = 0; i < group->size; i++) {
        ir_value value = node_of(p, group->member[i])->a;
        sequence[i] = p->shuffler.next++;
        text_append(p->text, "const vec v%d = ", sequence[i]);
        print_operand(p, value);
        text_append(p->text, ";\n");
    }
}

static void print_group_store(struct printer *p, const struct c_vector_group *group)
{
    int memory[C_VECTOR_MAX_GROUP], sequence[C_VECTOR_MAX_GROUP];
    print_sequence(p, group, sequence);
    c_vector_interleave(&p->shuffler, group->size, sequence, memory);
    c_vector_print_base(&p->addresses, group->leader);
    for (int i = 0; i < group->size; i++) {
        const bool masked = p->target->masks && i > 0;
        text_append(p->text, masked ? "STORE_MASKED(" : p->target->streams ? "STREAM(" : "STORE(");
        c_vector_print_address(&p->addresses, group->leader, (int64_t)i * p->target->lanes);
        text_append(p->text, masked ? ", v%d, mask);\n" : ", v%d);\n", memory[i]);
    }
}

/* Where piece i of the order of places goes, in reals. */
static int64_t piece_place(const struct printer *p, const struct c_vector_group *group, int i)
{
    const int first = i * c_vector_piece(p->target), place = first / group->size;
    if (!p->target->woven) return first;
    const int lane = c_vector_woven_lane(place, p->target->lanes, p->shuffler.small);
    return (int64_t)lane * group->size + first % group->size;
}

/* Halves of vectors are stored without the shuffles that would bring them together, of which
 * machines do one at a time: they do two such stores. (Experiment "pieces" in
 * docs/experiments.) */
static void print_pieces_store(struct printer *p, const struct c_vector_group *group)
{
    int pieces[C_VECTOR_MAX_GROUP], sequence[C_VECTOR_MAX_GROUP];
    const int lanes = c_vector_piece(p->target);
    const int count = group->size * (p->target->lanes / lanes);
    print_sequence(p, group, sequence);
    c_vector_interleave_pieces(&p->shuffler, group->size, lanes, sequence, pieces);
    c_vector_print_base(&p->addresses, group->leader);
    for (int i = 0; i < count; i++) {
        text_append(p->text, "STORE_PIECE(");
        c_vector_print_address(&p->addresses, group->leader, piece_place(p, group, i));
        text_append(p->text, ", v%d, %d);\n", pieces[i % group->size], i / group->size);
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
    c_vector_print_base(&p->addresses, n);
    const bool same = node->lane_stride == 0, again = !same && p->uses[n] > 1;
    print_loaded(p, p->name[n], again);
    text_append(p->text, "%s(", same ? "SPLAT(*(const real *)" : "LOAD");
    c_vector_print_address(&p->addresses, n, node->offset);
    text_append(p->text, same ? "));\n" : ");\n");
    print_kept(p, p->name[n], again);
}

static void print_store(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    const struct c_vector_group *group = group_of(p, n);
    if (group && group->size > 2 && c_vector_piece(p->target) < p->target->lanes) {
        print_pieces_store(p, group);
        return;
    }
    if (group) {
        print_group_store(p, group);
        return;
    }
    c_vector_print_base(&p->addresses, n);
    text_append(p->text, p->target->streams ? "STREAM(" : "STORE(");
    c_vector_print_address(&p->addresses, n, node->offset);
    text_append(p->text, ", ");
    print_operand(p, node->a);
    text_append(p->text, ");\n");
}

static void print_arithmetic(struct printer *p, ir_value n)
{
    const struct ir_node *node = node_of(p, n);
    const struct c_arithmetic *form = &c_arithmetic[node->op];
    const ir_value operand[3] = {node->a, node->b, node->c};
    if (form->operands == 0) {
        error_set(WEFT_ERROR_UNSUPPORTED, "codelet %s: operation %d", p->kernel->name,
                  (int)node->op);
        p->text->failed = true;
        return;
    }
    text_append(p->text, "const vec v%d = %s", p->name[n], form->before);
    for (int i = 0; i < form->operands; i++) {
        if (i > 0) text_append(p->text, "%s", form->between);
        print_operand(p, operand[i]);
    }
    text_append(p->text, "%s;\n", form->after);
}

static void print_step(struct printer *p, ir_value n)
{
    switch (node_of(p, n)->op) {
    case IR_LOAD:
        print_load(p, n);
        break;
    case IR_STORE:
        print_store(p, n);
        break;
    default:
        print_arithmetic(p, n);
        break;
    }
}

/* One step; scalar code takes the members of a group one by one. */
static void print_group_or_node(struct printer *p, ir_value n)
{
    int32_t group = p->order->group_of[n];
    if (group < 0 || group_of(p, n)) {
        print_step(p, n);
        return;
    }
    for (int k = 0; k < p->order->group[group].size; k++) {
        print_step(p, p->order->group[group].member[k]);
    }
}

static bool is_early_load(const struct printer *p, ir_value n)
{
    return node_of(p, n)->op == IR_LOAD && n < p->order->first_arithmetic;
}

/* ---- the core as a function ---- */

/* Numbers inputs and core from 0 on, so that codelets with the same core print the same text. */
static void name_core(struct printer *p)
{
    int next = 0;
    for (ir_value n = 0; n < p->order->count; n++) {
        if (is_early_load(p, n)) p->name[n] = next++;
    }
    p->inputs = next;
    for (ir_value n = 0; n < p->order->count; n++) {
        if (p->order->core[n]) p->name[n] = next++;
    }
}

static void print_inputs_of(struct printer *p, ir_value n, bool *printed)
{
    const ir_value operand[3] = {node_of(p, n)->a, node_of(p, n)->b, node_of(p, n)->c};
    for (int i = 0; i < 3; i++) {
        if (operand[i] == IR_NONE || !is_early_load(p, operand[i]) || printed[operand[i]]) continue;
        int name = p->name[operand[i]];
        printed[operand[i]] = true;
        text_append(p->text, "const vec v%d = x[%d];\n", name, name);
    }
}

/* The statements of the core in the kernel's own order, whatever surrounds it; y[i] for what goes
 * outside. Afterwards outputs are named so. */
static void print_core_steps(struct printer *p, bool *printed)
{
    for (ir_value n = 0; n < p->order->count; n++) {
        if (!p->order->core[n]) continue;
        print_inputs_of(p, n, printed);
        print_arithmetic(p, n);
        if (p->order->output[n]) text_append(p->text, "y[%d] = v%d;\n", p->outputs++, p->name[n]);
    }
    int output = 0;
    for (ir_value n = 0; n < p->order->count; n++) {
        if (!p->order->output[n]) continue;
        p->in_y[n] = true;
        p->name[n] = output++;
    }
}

/* Prints the function unless the text has it already; `name` is made of its statements. */
static void print_core(struct printer *p, bool *printed, char *name, size_t name_size)
{
    struct text *all = p->text, body = TEXT_EMPTY;
    name_core(p);
    p->text = &body;
    print_core_steps(p, printed);
    p->text = all;
    if (body.failed) all->failed = true;
    snprintf(name, name_size, "core_%016llx",
             (unsigned long long)hash_bytes(HASH_START, text_chars(&body), body.length));
    if (!strstr(text_chars(all), name)) {
        text_append(all,
                    "\nstatic __attribute__((noinline)) void %s(const void *restrict from, "
                    "void *restrict to)\n{\nconst vec *const x = from;\n"
                    "vec *const y = to;\n%s}\n",
                    name, text_chars(&body));
    }
    text_free(&body);
}

static void print_outlined_steps(struct printer *p, const char *core)
{
    text_append(p->text, "vec x[%d], y[%d];\n", p->inputs, p->outputs);
    for (ir_value n = 0; n < p->order->first_arithmetic; n++) {
        int32_t group = p->order->group_of[n];
        if (!is_early_load(p, n)) continue;
        if (group < 0 || p->order->group[group].leader == n) print_group_or_node(p, n);
    }
    for (ir_value n = 0; n < p->order->first_arithmetic; n++) {
        if (is_early_load(p, n)) text_append(p->text, "x[%d] = v%d;\n", p->name[n], p->name[n]);
    }
    text_append(p->text, "%s(x, y);\n", core);
    for (int32_t i = 0; i < p->order->length; i++) {
        ir_value n = p->order->step[i];
        if (!is_early_load(p, n) && !p->order->core[n]) print_group_or_node(p, n);
    }
}

/* ---- functions ---- */

void c_vector_print_head(struct text *t, const struct c_vector_target *target,
                         const struct ir *kernel)
{
    text_append(t, "\ncodelet_function ");
    c_vector_name(t, target, kernel->name);
    text_append(t, ";\nvoid ");
    c_vector_name(t, target, kernel->name);
    text_append(t, "(const struct codelet_shape *shape");
    for (int i = 0; i < kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &kernel->buffer[i];
        if (buffer->kind != IR_GLOBAL) continue;
        text_append(t, ", %svoid *%s", buffer->writable ? "" : "const ", buffer->name);
    }
    text_append(t, ")\n{\n");
    for (int i = 0; i < kernel->buffer_count; i++) {
        if (kernel->buffer[i].kind == IR_GLOBAL)
            text_append(t, "(void)%s;\n", kernel->buffer[i].name);
    }
}

static void print_loops(struct printer *p, const char *core)
{
    text_append(p->text,
                "%sconst int64_t last = shape->lanes - %d;\n"
                "for (int64_t row = 0; row < shape->rows; row++) {\n"
                "__asm__(\"\" : \"+r\"(row));\n",
                p->target->masks ? "MASK(mask);\n" : "", p->target->lanes);
    c_vector_print_integers(&p->addresses, true);
    if (p->target->fetches)
        text_append(p->text, "if (shape->fetch) codelet_fetch(shape->fetch, row, %s);\n",
                    p->target->fetches);
    c_vector_print_row_pointers(&p->addresses);
    c_vector_print_lanes_begin(&p->addresses, p->target->woven ? p->target->lanes : 1);
    if (p->outlined) {
        print_outlined_steps(p, core);
    } else {
        for (int32_t i = 0; i < p->order->length; i++)
            print_group_or_node(p, p->order->step[i]);
    }
    if (p->target->onward)
        text_append(p->text, "if (shape->onward) codelet_onward(shape->onward);\n");
    c_vector_print_lanes_end(&p->addresses, p->target->lanes);
    text_append(p->text, "}\n%s}\n", p->target->streams ? "STREAMED();\n" : "");
}

static bool is_outlined(const struct c_vector_target *target, const struct c_vector_order *order)
{
    const int most = target->small    ? SMALL_INLINE_OPERATIONS
                     : target->seldom ? SELDOM_INLINE_OPERATIONS
                                      : MAX_INLINE_OPERATIONS;
    return order->core_operations > most;
}

static void count_uses(struct printer *p)
{
    for (ir_value n = 0; n < p->order->count; n++) {
        const ir_value operand[3] = {node_of(p, n)->a, node_of(p, n)->b, node_of(p, n)->c};
        const bool merged = c_vector_order_merged(node_of(p, n));
        for (int i = 0; i < 3 && !merged; i++)
            if (operand[i] != IR_NONE) p->uses[operand[i]]++;
    }
}

static bool printer_init(struct printer *p, arena *a)
{
    int32_t kernel_count = p->kernel->count;
    size_t count = (size_t)kernel_count + 1;
    const struct c_vector_wish wish = {p->target->fma, p->target->in_turn};
    p->order = c_vector_order_make(a, p->kernel, wish);
    p->name = arena_array(a, count, sizeof *p->name);
    p->in_y = arena_array(a, count, sizeof *p->in_y);
    p->uses = arena_array(a, count, sizeof *p->uses);
    if (!p->order || arena_failed(a)) return false;
    if (!c_vector_addresses_init(&p->addresses, a, p->text, p->kernel, p->order)) return false;
    p->addresses.moving = p->target->lean && !p->target->woven;
    p->outlined = is_outlined(p->target, p->order);
    count_uses(p);
    for (ir_value n = 0; n < kernel_count; n++)
        p->name[n] = n;
    return true;
}

/* What the body shuffles by is loaded once. */
static void print_function(struct printer *p, const char *core)
{
    struct text *all = p->text, body = TEXT_EMPTY;
    p->text = p->shuffles.text = p->addresses.text = &body;
    c_vector_print_integers(&p->addresses, false);
    c_vector_print_strides(&p->addresses);
    print_loops(p, core);
    c_vector_print_head(all, p->target, p->kernel);
    if (p->target->exchange) c_exchange_print(all, p->target->exchange);
    text_append(all, "%s", text_chars(&body));
    if (text_failed(&body)) all->failed = true;
    text_free(&body);
}

void c_vector_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    struct printer p = {.text = t, .target = target, .kernel = kernel};
    bool *printed = a ? arena_array(a, (size_t)kernel->count + 1, sizeof *printed) : NULL;
    if (!printed || !printer_init(&p, a)) {
        t->failed = true;
    } else {
        p.shuffles = (struct c_shuffles){
            .text = t, .arena = a, .exchange = target->exchange, .lanes = target->lanes};
        p.shuffler = c_vector_shuffler_make(&p.shuffles, target, kernel->count);
        char core[CORE_NAME] = "";
        if (p.outlined) print_core(&p, printed, core, sizeof core);
        print_function(&p, core);
    }
    arena_destroy(&a);
}

/* ---- cores by themselves ---- */

bool c_vector_outlines(const struct c_vector_target *target, const struct ir *kernel)
{
    arena *a = arena_create();
    const struct c_vector_wish wish = {.fma = target->fma};
    const struct c_vector_order *order = a ? c_vector_order_make(a, kernel, wish) : NULL;
    const bool outlines = order && is_outlined(target, order);
    arena_destroy(&a);
    return outlines;
}

/* Where the core leaves what the kernel stores, in the order of its stores. */
static void print_places(struct printer *p)
{
    for (ir_value n = 0; n < p->order->count; n++) {
        if (node_of(p, n)->op == IR_STORE)
            text_append(p->text, "%d, ", p->name[node_of(p, n)->a]);
    }
}

void c_vector_print_core(struct text *t, const struct c_vector_target *target,
                         const struct ir *kernel, const char *name)
{
    arena *a = arena_create();
    struct printer p = {.text = t, .target = target, .kernel = kernel};
    bool *printed = a ? arena_array(a, (size_t)kernel->count + 1, sizeof *printed) : NULL;
    if (!printed || !printer_init(&p, a)) {
        t->failed = true;
    } else {
        char core[CORE_NAME] = "";
        print_core(&p, printed, core, sizeof core);
        text_append(t, "\nextern const struct codelet_core ");
        c_vector_name(t, target, name);
        text_append(t, ";\nconst struct codelet_core ");
        c_vector_name(t, target, name);
        text_append(t, " = {.run = %s, .radix = %d, .place = {", core, p.inputs / 2);
        print_places(&p);
        text_append(t, "}};\n");
    }
    arena_destroy(&a);
}
