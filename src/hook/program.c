#include "hook/table.h"

#include "base/error.h"
#include "hook/hook.h"

/* Slots as they are given out: each value has one from its definition to its last use. */
struct slots {
    int *of;        /* by node */
    ir_value *last; /* by node: where it is used last */
    int *spare;
    int spares, count;
};

/* What is made a program of. */
struct task {
    const struct ir *kernel;
    const struct hook_tables *tables;
    bool single;
};

static bool is_constant(const struct ir_node *node)
{
    return node->op == IR_REAL_CONSTANT || node->op == IR_INT_CONSTANT || node->op == IR_PARAM;
}

static void find_last_uses(const struct ir *kernel, ir_value *last)
{
    for (ir_value v = 0; v < kernel->count; v++) {
        const struct ir_node *node = &kernel->node[v];
        const ir_value operand[3] = {node->a, node->b, node->c};
        for (int i = 0; i < 3; i++) {
            if (operand[i] != IR_NONE) last[operand[i]] = v;
        }
    }
}

static int slot_of(const struct slots *s, ir_value v)
{
    return v == IR_NONE ? 0 : s->of[v];
}

static int take_slot(struct slots *s)
{
    return s->spares > 0 ? s->spare[--s->spares] : s->count++;
}

/* Gives back the slots of operands that nothing needs any more. */
static void release(struct slots *s, const struct ir *kernel, ir_value v)
{
    const ir_value operand[3] = {kernel->node[v].a, kernel->node[v].b, kernel->node[v].c};
    for (int i = 0; i < 3; i++) {
        if (operand[i] == IR_NONE || is_constant(&kernel->node[operand[i]])) continue;
        if (s->last[operand[i]] != v) continue;
        s->spare[s->spares++] = s->of[operand[i]];
        s->last[operand[i]] = IR_NONE; /* once, though it be an operand twice */
    }
}

/* In the precision of the kernel, the sum of both is rounded once. */
static double real_of(const struct ir_node *node, bool single)
{
    const long double exact = (long double)node->hi + (long double)node->lo;
    return single ? (double)(float)exact : (double)exact;
}

static struct hook_operation operation_of(struct slots *s, const struct task *task, ir_value v)
{
    const struct ir_node *node = &task->kernel->node[v];
    struct hook_operation o = {.op = node->op, .type = node->type, .a = slot_of(s, node->a),
                               .b = slot_of(s, node->b), .c = slot_of(s, node->c),
                               .real = real_of(node, task->single), .integer = node->integer};
    if (node->op == IR_LOAD) o.a = o.b;
    if (ir_is_access(node->op)) o.b = node->buffer;
    if (o.op == IR_LOAD && o.b >= HOOK_BUFFERS) o.table = task->tables->table[o.b - HOOK_BUFFERS];
    /* Never an operand's: slots hold values of different widths. */
    if (!ir_is_store(node->op)) o.to = s->of[v] = take_slot(s);
    release(s, task->kernel, v);
    return o;
}

static bool make_slots(arena *a, const struct ir *kernel, struct slots *s)
{
    const size_t count = (size_t)kernel->count;
    *s = (struct slots){.of = arena_array(a, count, sizeof *s->of),
                        .last = arena_array(a, count, sizeof *s->last),
                        .spare = arena_array(a, count, sizeof *s->spare)};
    if (!s->of || !s->last || !s->spare) return false;
    find_last_uses(kernel, s->last);
    return true;
}

const struct hook_program *hook_program_make(arena *a, const struct ir *kernel, bool single,
                                             const struct hook_tables *tables)
{
    const struct task task = {kernel, tables, single};
    struct slots slots;
    struct hook_program *program = arena_alloc(a, sizeof *program);
    struct hook_operation *all = arena_array(a, (size_t)kernel->count, sizeof *all);
    if (!program || !all || !make_slots(a, kernel, &slots)) return NULL;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (ir_value v = 0; v < kernel->count; v++) {
            if (is_constant(&kernel->node[v]) == (pass == 0))
                all[count++] = operation_of(&slots, &task, v);
        }
        if (pass == 0) program->constants = count;
    }
    program->constant = all;
    program->operation = all + program->constants;
    program->operations = count - program->constants;
    program->slots = slots.count;
    program->table_bytes = tables->bytes;
    return program;
}

static const struct hook_program *compile(arena *a, const struct problem *problem, bool out)
{
    const bool single = precision_computed(problem->precision) == WEFT_F32;
    const struct hooks *hooks = &problem->hooks;
    const struct ir *kernel = hook_kernel(a, problem, out);
    int64_t positions = problem_side_arrays(problem, out);
    for (int i = 0; i < hooks->dims; i++) positions *= hooks->length[out][i];
    struct hook_tables tables = {0};
    if (kernel) kernel = hook_tabulate(a, kernel, positions, single, &tables);
    return kernel ? hook_program_make(a, kernel, single, &tables) : NULL;
}

const struct hook_program *hook_compile(arena *a, const struct problem *problem, bool out)
{
    const struct hook_program *program = compile(a, problem, out);
    if (!program) error_memory("a hook");
    return program;
}

size_t hook_workspace_bytes(const struct hook_program *program)
{
    return (size_t)program->slots * HOOK_SLOT_BYTES;
}

size_t hook_table_bytes(const struct hook_program *program)
{
    return (size_t)program->table_bytes;
}
