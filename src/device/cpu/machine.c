/* Translating a kernel: which operations are done once and which for each block, and where their
 * results lie. Registers are given out by a scan over the operations in their order; one is free
 * again behind the last operation that needs it (Poletto and Sarkar 1999). */
#include "device/cpu/machine.h"

#include "base/memory.h"
#include "math/extended.h"

/* What translating knows of a node. */
struct value {
    bool once;       /* it is the same in every block of every run */
    bool uniform;    /* an integer that is the same for all threads */
    ir_value home;   /* the node whose register holds it: parts of pairs lie in theirs */
    ir_value last;   /* the last node that needs the register, */
    ir_value next;   /* ... and another register of which that is so; IR_NONE: there is none */
    ir_value expiring; /* the first register that no node behind this one needs */
    ir_value end;    /* of a scope */
    int32_t place;   /* its instruction */
};

/* Registers of one size that are free, the one freed last first. */
struct pool {
    int count;
    size_t *offset;
};

enum { INTEGERS, REALS, PAIRS, SIZES };

struct translation {
    arena *arena;
    const struct ir *kernel;
    struct machine *machine;
    struct value *value;
    bool once;          /* which code is being made */
    size_t bytes;       /* of the memory it uses so far */
    struct pool free[SIZES];
    struct machine_place *place; /* by node */
};

/* ---- what is done when ---- */

static bool all_operands(const struct translation *t, const struct ir_node *node, bool uniform)
{
    const ir_value operand[3] = {node->a, node->b, node->c};
    for (int i = 0; i < 3; i++) {
        if (operand[i] == IR_NONE) continue;
        const struct value *value = &t->value[operand[i]];
        if (!(uniform ? value->uniform : value->once)) return false;
    }
    return true;
}

static void classify(const struct translation *t, ir_value v)
{
    const struct ir_node *node = &t->kernel->node[v];
    struct value *value = &t->value[v];
    const bool pure = node->op < IR_LOAD, part = node->op == IR_FIRST || node->op == IR_SECOND;
    const bool varies = node->op == IR_PARAM || node->op == IR_BLOCK;
    value->once = pure && !part && !varies && all_operands(t, node, false);
    value->uniform = (pure || node->op == IR_FOR) && node->op != IR_THREAD &&
                     (node->type == IR_INT || node->type == IR_BOOL) &&
                     all_operands(t, node, true);
    value->home = part ? node->a : v;
    value->last = value->next = value->expiring = value->end = IR_NONE;
    if (node->op == IR_END) t->value[node->a].end = v;
}

/* ---- how long a register is needed ---- */

/* Until the end of the outermost loop around the use that is not around the definition. */
static ir_value needed_until(const struct translation *t, ir_value use, ir_value definition)
{
    const struct ir_node *node = t->kernel->node;
    ir_value until = use, scope = node[use].scope;
    for (; scope != IR_NONE && scope != node[definition].scope; scope = node[scope].scope) {
        if (scope == definition) break;
        if (node[scope].op == IR_FOR) until = t->value[scope].end;
    }
    return until;
}

static void need(struct translation *t, ir_value use, ir_value operand)
{
    if (operand == IR_NONE || t->kernel->node[operand].type == IR_VOID) return;
    const ir_value home = t->value[operand].home;
    struct value *value = &t->value[home];
    ir_value until = needed_until(t, use, home);
    if (value->once && !t->value[use].once) until = t->kernel->count; /* for good */
    if (until > value->last) value->last = until;
}

static void find_needs(struct translation *t)
{
    const struct ir *kernel = t->kernel;
    for (ir_value v = 0; v < kernel->count; v++) {
        const struct ir_node *node = &kernel->node[v];
        if (node->op == IR_FOR) need(t, t->value[v].end, v);
        need(t, v, node->a);
        need(t, v, node->b);
        need(t, v, node->c);
    }
    for (ir_value v = 0; v < kernel->count; v++) {
        struct value *value = &t->value[v];
        if (value->home != v || value->last == IR_NONE || value->last == kernel->count) continue;
        value->next = t->value[value->last].expiring;
        t->value[value->last].expiring = v;
    }
}

/* ---- registers ---- */

static int size_of(const struct ir_node *node)
{
    return node->type == IR_PAIR ? PAIRS : node->type == IR_REAL ? REALS : INTEGERS;
}

static size_t register_bytes(const struct translation *t, int size)
{
    return (size_t)t->machine->lanes * sizeof(double) << size;
}

static struct machine_place take_register(struct translation *t, int size)
{
    struct pool *pool = &t->free[size];
    struct machine_place place = {t->once, t->bytes};
    if (pool->count > 0) place.offset = pool->offset[--pool->count];
    else t->bytes += register_bytes(t, size);
    return place;
}

static void release_expired(struct translation *t, ir_value v)
{
    for (ir_value w = t->value[v].expiring; w != IR_NONE; w = t->value[w].next) {
        if (t->value[w].once != t->once) continue;
        struct pool *pool = &t->free[size_of(&t->kernel->node[w])];
        pool->offset[pool->count++] = t->place[w].offset;
    }
}

/* ---- instructions ---- */

static struct machine_place operand(const struct translation *t, ir_value v)
{
    if (v == IR_NONE) return (struct machine_place){false, 0};
    const struct ir_node *node = &t->kernel->node[v];
    struct machine_place place = t->place[t->value[v].home];
    if (node->op == IR_SECOND) place.offset += register_bytes(t, REALS);
    return place;
}

static bool is_narrow(const struct translation *t, ir_value v)
{
    return v != IR_NONE && !t->kernel->node[v].wide;
}

static void translate(struct translation *t, ir_value v, struct machine_code *code)
{
    const struct ir_node *node = &t->kernel->node[v];
    struct machine_instruction *to = &code->instruction[code->count];
    t->value[v].place = code->count;
    if (t->value[v].once != t->once || t->value[v].home != v) return;
    *to = (struct machine_instruction){
        .op = node->op,
        .real = node->type == IR_REAL || node->type == IR_PAIR,
        .uniform = t->value[v].uniform,
        .narrow = is_narrow(t, node->a) && is_narrow(t, node->b),
        .a = operand(t, node->a),
        .b = operand(t, node->b),
        .c = operand(t, node->c),
        .buffer = node->buffer,
        .integer = node->integer,
        .hi = node->hi,
        .lo = node->lo,
    };
    if (node->op == IR_END) to->end = t->value[node->a].place;
    if (node->type != IR_VOID) to->to = t->place[v] = take_register(t, size_of(node));
    code->count++;
}

/* Scopes learn where they end. */
static void link_scopes(struct machine_code *code)
{
    for (int32_t i = 0; i < code->count; i++) {
        const struct machine_instruction *end = &code->instruction[i];
        if (end->op == IR_END) code->instruction[end->end].end = i;
    }
}

static bool translate_all(struct translation *t, bool once, struct machine_code *code)
{
    const size_t count = (size_t)t->kernel->count;
    t->once = once;
    t->bytes = 0;
    for (int size = 0; size < SIZES; size++) {
        t->free[size].count = 0;
        t->free[size].offset = arena_array(t->arena, count, sizeof(size_t));
        if (!t->free[size].offset) return false;
    }
    code->instruction = arena_array(t->arena, count, sizeof *code->instruction);
    if (!code->instruction) return false;
    for (ir_value v = 0; v < t->kernel->count; v++) {
        translate(t, v, code);
        release_expired(t, v);
    }
    link_scopes(code);
    return true;
}

/* ---- memory ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

/* Of the worker, behind its registers. */
static void place_memory(struct machine *m, size_t registers)
{
    m->masks = aligned(registers);
    size_t end = m->masks + aligned((size_t)m->lanes * MACHINE_MOST_DEPTH);
    for (int i = 0; i < m->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &m->kernel->buffer[i];
        if (ir_is_bound(buffer)) continue;
        const size_t each = sizeof(struct extended) * (buffer->pairs ? 2 : 1);
        const size_t owners = buffer->kind == IR_PRIVATE ? (size_t)m->lanes : 1;
        m->memory[i] = end;
        end = aligned(end + (size_t)buffer->count * each * owners);
    }
    m->worker_bytes = end;
}

static bool fill_lasting(struct machine *m, arena *a, const struct machine_arithmetic *arithmetic)
{
    /* The arena aligns to less than vectors would like. */
    char *memory = arena_alloc(a, m->lasting_bytes + MEMORY_ALIGNMENT);
    if (!memory) return false;
    m->lasting = memory + MEMORY_ALIGNMENT - (uintptr_t)memory % MEMORY_ALIGNMENT;
    machine_run_once(m, arithmetic);
    return true;
}

static bool translate_kernel(struct translation *t)
{
    struct machine *m = t->machine;
    for (ir_value v = 0; v < t->kernel->count; v++) classify(t, v);
    find_needs(t);
    if (!translate_all(t, true, &m->once)) return false;
    m->lasting_bytes = t->bytes;
    if (!translate_all(t, false, &m->code)) return false;
    place_memory(m, t->bytes);
    return true;
}

struct machine *machine_create(arena *a, const struct ir *kernel,
                               const struct machine_arithmetic *arithmetic)
{
    const size_t count = (size_t)kernel->count;
    struct machine *m = arena_alloc(a, sizeof *m);
    struct translation t = {.arena = a, .kernel = kernel, .machine = m};
    t.value = arena_array(a, count, sizeof *t.value);
    t.place = arena_array(a, count, sizeof *t.place);
    if (!m || !t.value || !t.place) return NULL;
    m->kernel = kernel;
    m->threads = kernel->threads;
    m->lanes = (kernel->threads + MACHINE_LANES - 1) / MACHINE_LANES * MACHINE_LANES;
    return translate_kernel(&t) && fill_lasting(m, a, arithmetic) ? m : NULL;
}
