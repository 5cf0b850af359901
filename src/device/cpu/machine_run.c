/* Running what machine.c has translated. */
#include <string.h>

#include "base/storage.h"
#include "device/cpu/machine.h"
#include "ir/integer.h"
#include "math/extended.h"

/* A worker at a block. */
struct state {
    const struct machine *machine;
    const struct machine_arithmetic *arithmetic;
    const struct machine_run *run; /* NULL while what lasts is computed */
    char *worker, *lasting;
    int lanes, threads;
    int64_t block;
    int depth;
    int32_t opener[MACHINE_MOST_DEPTH];    /* of the scopes that are open, */
    int64_t iteration[MACHINE_MOST_DEPTH]; /* ... the round of those that are loops, */
    bool *active[MACHINE_MOST_DEPTH]; /* ... and who is in them; NULL: all threads. [0] is the
                                       * whole kernel. */
};

static void *at(const struct state *s, struct machine_place place)
{
    char *memory = place.lasting ? s->lasting : s->worker;
    return memory ? memory + place.offset : NULL; /* no memory: no such operand */
}

/* ---- integers ---- */

#define EACH(operation)                                                                            \
    for (int t = 0; t < count; t++) to[t] = ir_combine(operation, a[t], b[t])

static void integers(const struct machine_instruction *i, int64_t *restrict to, const int64_t *a,
                     const int64_t *b, int count)
{
    switch (i->op) {
    case IR_INT_ADD: EACH(IR_INT_ADD); break;
    case IR_INT_SUB: EACH(IR_INT_SUB); break;
    case IR_INT_MUL: EACH(IR_INT_MUL); break;
    case IR_INT_DIV: EACH(IR_INT_DIV); break;
    case IR_INT_MOD: EACH(IR_INT_MOD); break;
    case IR_LESS: EACH(IR_LESS); break;
    case IR_EQUAL: EACH(IR_EQUAL); break;
    case IR_OR: EACH(IR_OR); break;
    default: EACH(IR_AND); break;
    }
}

/* Integers of 32 bits are divided in a fraction of the time. */
static void divide_narrow(const struct machine_instruction *i, int64_t *restrict to,
                          const int64_t *a, const int64_t *b, int count)
{
    for (int t = 0; t < count; t++) {
        const uint32_t x = (uint32_t)a[t], y = (uint32_t)b[t];
        const uint32_t quotient = y ? x / y : 0;
        to[t] = i->op == IR_INT_DIV ? quotient : x - quotient * y;
    }
}

static void broadcast(int64_t *to, int64_t value, int count)
{
    for (int t = 0; t < count; t++) to[t] = value;
}

static int64_t leaf(const struct state *s, const struct machine_instruction *i)
{
    if (i->op == IR_PARAM) return s->run->params[i->integer];
    return i->op == IR_BLOCK ? s->block : i->integer;
}

static void compute_integer(const struct state *s, const struct machine_instruction *i)
{
    int64_t *to = at(s, i->to);
    const int64_t *a = at(s, i->a), *b = at(s, i->b), *c = at(s, i->c);
    const int count = i->uniform ? 1 : s->lanes;
    if (i->op == IR_THREAD) {
        for (int t = 0; t < count; t++) to[t] = t;
    } else if (i->op < IR_ADD) {
        to[0] = leaf(s, i);
    } else if (i->op == IR_SELECT) {
        for (int t = 0; t < count; t++) to[t] = a[t] ? b[t] : c[t];
    } else if ((i->op == IR_INT_DIV || i->op == IR_INT_MOD) && i->narrow) {
        divide_narrow(i, to, a, b, count);
    } else {
        integers(i, to, a, b, count);
    }
    if (i->uniform) broadcast(to, to[0], s->lanes);
}

/* ---- reals ---- */

static void fill_constant(double *to, const struct machine_instruction *i, int lanes)
{
    for (int t = 0; t < lanes; t++) {
        to[t] = i->hi;
        to[lanes + t] = i->lo;
    }
}

static void select_real(double *restrict to, const int64_t *condition, const double *b,
                        const double *c, int lanes)
{
    for (int t = 0; t < lanes; t++) {
        to[t] = condition[t] ? b[t] : c[t];
        to[lanes + t] = condition[t] ? b[lanes + t] : c[lanes + t];
    }
}

static void compute_real(const struct state *s, const struct machine_instruction *i)
{
    double *to = at(s, i->to);
    const double *a = at(s, i->a), *b = at(s, i->b);
    switch (i->op) {
    case IR_REAL_CONSTANT: fill_constant(to, i, s->lanes); break;
    case IR_ADD: s->arithmetic->add(to, a, b, s->lanes); break;
    case IR_SUB: s->arithmetic->subtract(to, a, b, s->lanes); break;
    case IR_MUL: s->arithmetic->multiply(to, a, b, s->lanes); break;
    case IR_SELECT: select_real(to, at(s, i->a), b, at(s, i->c), s->lanes); break;
    default: /* IR_NEG */
        for (int t = 0; t < 2 * s->lanes; t++) to[t] = -a[t];
        break;
    }
}

/* ---- memory ---- */

/* Reals from index[t] on to a register, or two from there on to both of a pair. */
static void load(const struct state *s, const struct extended *from, const int64_t *index,
                 int parts, double *restrict to, const bool *active)
{
    const int lanes = s->lanes;
    for (int t = 0; t < s->threads; t++) {
        if (active && !active[t]) continue;
        const struct extended *x = from + parts * index[t];
        to[t] = x[0].hi;
        to[lanes + t] = x[0].lo;
        if (parts == 1) continue;
        to[2 * lanes + t] = x[1].hi;
        to[3 * lanes + t] = x[1].lo;
    }
}

static void store(const struct state *s, const double *value, int part, const int64_t *index,
                  int parts, struct extended *to, const bool *active)
{
    for (int t = 0; t < s->threads; t++) {
        if (!active || active[t])
            to[parts * index[t] + part] = (struct extended){value[t], value[s->lanes + t]};
    }
}

/* Likewise, part by part, of memory where reals are of another type: they have no second parts. */
static void load_stored(const struct state *s, weft_storage storage, const void *from, int part,
                        int parts, const int64_t *index, double *restrict to, const bool *active)
{
    to += 2 * part * s->lanes;
    for (int t = 0; t < s->threads; t++) {
        if (active && !active[t]) continue;
        to[t] = storage_read(storage, from, parts * index[t] + part);
        to[s->lanes + t] = 0;
    }
}

static void store_stored(const struct state *s, weft_storage storage, const double *value,
                         int part, int parts, const int64_t *index, void *to, const bool *active)
{
    for (int t = 0; t < s->threads; t++)
        if (!active || active[t])
            storage_write(storage, to, parts * index[t] + part, value[t]);
}

static void access_stored(const struct state *s, const struct machine_instruction *i, void *array)
{
    const weft_storage storage = s->machine->kernel->buffer[i->buffer].storage;
    const bool *active = s->active[s->depth];
    const int64_t *index = at(s, i->b);
    const bool loads = i->op == IR_LOAD || i->op == IR_LOAD_PAIR;
    const int parts = i->op == IR_LOAD_PAIR || i->op == IR_STORE_PAIR ? 2 : 1;
    for (int part = 0; part < parts; part++) {
        if (loads) load_stored(s, storage, array, part, parts, index, at(s, i->to), active);
        else store_stored(s, storage, at(s, part ? i->c : i->a), part, parts, index, array, active);
    }
}

static void load_integers(const struct state *s, const int32_t *from, const int64_t *index,
                          int64_t *restrict to, const bool *active)
{
    for (int t = 0; t < s->threads; t++)
        if (!active || active[t]) to[t] = from[index[t]];
}

static void *array_of(const struct state *s, int b)
{
    const struct ir_buffer *buffer = &s->machine->kernel->buffer[b];
    if (!ir_is_bound(buffer)) return s->worker + s->machine->memory[b];
    if (buffer->kind == IR_TABLE) return s->run->buffer[b];
    const int64_t base = buffer->base == IR_NONE ? 0 : s->run->params[buffer->base];
    const int64_t bytes =
        buffer->storage ? storage_bytes(buffer->storage) : (int64_t)sizeof(struct extended);
    return (char *)s->run->buffer[b] + base * bytes * (buffer->pairs ? 2 : 1);
}

/* A thread's own memory is registers: its indices are constants. */
static void access_private(const struct state *s, const struct machine_instruction *i)
{
    const size_t bytes = 2 * (size_t)s->lanes * sizeof(double);
    const int64_t *index = at(s, i->b);
    char *cell = (char *)array_of(s, i->buffer) + (size_t)index[0] * bytes;
    const bool *active = s->active[s->depth];
    if (i->op == IR_LOAD) {
        memcpy(at(s, i->to), cell, bytes);
        return;
    }
    const double *value = at(s, i->a);
    double *to = (double *)cell;
    for (int t = 0; t < 2 * s->lanes; t++)
        if (!active || active[t % s->lanes]) to[t] = value[t];
}

static void access(const struct state *s, const struct machine_instruction *i)
{
    if (s->machine->kernel->buffer[i->buffer].kind == IR_PRIVATE) {
        access_private(s, i);
        return;
    }
    const bool *active = s->active[s->depth];
    const int64_t *index = at(s, i->b);
    void *array = array_of(s, i->buffer);
    if (s->machine->kernel->buffer[i->buffer].storage) {
        access_stored(s, i, array);
        return;
    }
    switch (i->op) {
    case IR_LOAD: load(s, array, index, 1, at(s, i->to), active); break;
    case IR_LOAD_PAIR: load(s, array, index, 2, at(s, i->to), active); break;
    case IR_LOAD_INT: load_integers(s, array, index, at(s, i->to), active); break;
    case IR_STORE: store(s, at(s, i->a), 0, index, 1, array, active); break;
    default: /* IR_STORE_PAIR */
        store(s, at(s, i->a), 0, index, 2, array, active);
        store(s, at(s, i->c), 1, index, 2, array, active);
        break;
    }
}

/* ---- control ---- */

/* Makes the threads of the innermost scope those of the scope around it for which the condition
 * holds or the loop goes on. False: there are none. */
static bool enter(struct state *s)
{
    const int d = s->depth;
    const struct machine_instruction *i = &s->machine->code.instruction[s->opener[d]];
    const int64_t *a = at(s, i->a);
    const bool *outer = s->active[d - 1];
    bool *inner = (bool *)s->worker + s->machine->masks + (size_t)d * (size_t)s->lanes;
    int count = 0;
    for (int t = 0; t < s->threads; t++) {
        const bool enters = i->op == IR_IF ? a[t] != 0 : s->iteration[d] < a[t];
        inner[t] = enters && (!outer || outer[t]);
        count += inner[t];
    }
    s->active[d] = count < s->threads ? inner : NULL;
    if (count > 0 && i->op == IR_FOR) broadcast(at(s, i->to), s->iteration[d], s->lanes);
    return count > 0;
}

/* Both return the last instruction done. */
static int32_t begin_scope(struct state *s, int32_t opener)
{
    s->depth++;
    s->opener[s->depth] = opener;
    s->iteration[s->depth] = 0;
    if (enter(s)) return opener;
    s->depth--;
    return s->machine->code.instruction[opener].end;
}

static int32_t end_scope(struct state *s, int32_t end)
{
    const int32_t opener = s->opener[s->depth];
    s->iteration[s->depth]++;
    if (s->machine->code.instruction[opener].op == IR_FOR && enter(s)) return opener;
    s->depth--;
    return end;
}

/* Barriers say nothing where all threads take every step together. */
static int32_t execute(struct state *s, const struct machine_instruction *i, int32_t place)
{
    if (ir_is_access(i->op)) access(s, i);
    else if (i->op == IR_FOR || i->op == IR_IF) return begin_scope(s, place);
    else if (i->op == IR_END) return end_scope(s, place);
    else if (i->real) compute_real(s, i);
    else if (!ir_is_barrier(i->op)) compute_integer(s, i);
    return place;
}

static void run_code(struct state *s, const struct machine_code *code)
{
    s->depth = 0;
    for (int32_t place = 0; place < code->count; place++)
        place = execute(s, &code->instruction[place], place);
}

static struct state state_of(const struct machine *m, const struct machine_arithmetic *arithmetic)
{
    return (struct state){.machine = m,
                          .arithmetic = arithmetic,
                          .lasting = m->lasting,
                          .lanes = m->lanes,
                          .threads = m->threads};
}

void machine_run_once(struct machine *machine, const struct machine_arithmetic *arithmetic)
{
    struct state s = state_of(machine, arithmetic);
    run_code(&s, &machine->once);
}

void machine_run(const struct machine_run *run, int64_t begin, int64_t end, void *worker)
{
    struct state s = state_of(run->machine, run->arithmetic);
    s.run = run;
    s.worker = worker;
    for (s.block = begin; s.block < end; s.block++) run_code(&s, &run->machine->code);
}
