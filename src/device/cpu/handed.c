#include "device/cpu/handed.h"

#include <stdatomic.h>

#include "base/memory.h"

/* Of one plan so many tables are handed on. */
#define MOST_TABLES 8

struct roots {
    struct roots *next;
    struct root_table table;
};

struct handed_entry {
    int64_t length; /* of the pass */
    weft_precision precision;
    struct cpu_table table;
};

struct cpu_handed {
    struct roots *roots;
    int entries;
    struct handed_entry entry[MOST_TABLES];
};

/* ---- a table's data ---- */

void *table_data(size_t bytes)
{
    char *block = memory_alloc_large(MEMORY_ALIGNMENT + bytes);
    if (!block) return NULL;
    atomic_init((atomic_int *)(void *)block, 1);
    return block + MEMORY_ALIGNMENT;
}

/* How many have it, before it. */
static atomic_int *users_of(const struct cpu_table *t)
{
    return (atomic_int *)(void *)((char *)t->data - MEMORY_ALIGNMENT);
}

void table_keep(const struct cpu_table *t)
{
    atomic_fetch_add_explicit(users_of(t), 1, memory_order_relaxed);
}

void table_let_go(const struct cpu_table *t)
{
    atomic_int *users = users_of(t);
    if (atomic_fetch_sub_explicit(users, 1, memory_order_acq_rel) == 1) memory_free(users);
}

const struct cpu_table *table_share(struct kernel *kernel, const struct cpu_table *other)
{
    struct cpu_table *t = arena_alloc(kernel->arena, sizeof *t);
    if (!t) return NULL;
    *t = *other;
    t->next = kernel->table;
    kernel->table = t;
    table_keep(t);
    return t;
}

/* ---- taken and given ---- */

static void end(struct cpu_handed *handed)
{
    if (!handed) return;
    for (struct roots *r = handed->roots, *next; r; r = next) {
        next = r->next;
        root_table_free(&r->table);
        memory_free(r);
    }
    for (int i = 0; i < handed->entries; i++)
        table_let_go(&handed->entry[i].table);
    memory_free(handed);
}

/* What kernels before have, or those of another plan that is made at the same time, too. */
static struct cpu_handed *taken(struct kernel *kernel)
{
    struct cpu_state *state = kernel->device->state;
    if (!kernel->handed)
        kernel->handed = atomic_exchange_explicit(&state->handed, NULL, memory_order_acquire);
    return kernel->handed;
}

/* NULL: no memory. */
static struct cpu_handed *taken_or_new(struct kernel *kernel)
{
    if (!taken(kernel)) kernel->handed = memory_alloc_zeroed(sizeof *kernel->handed);
    return kernel->handed;
}

void handed_free(struct cpu_state *state)
{
    end(atomic_exchange_explicit(&state->handed, NULL, memory_order_acquire));
}

/* ---- roots ---- */

static struct roots *add_roots(struct cpu_handed *handed, int64_t n)
{
    struct roots *made = memory_alloc(sizeof *made);
    if (!made) return NULL;
    if (!root_table_init(&made->table, n)) {
        memory_free(made);
        return NULL;
    }
    made->next = handed->roots;
    handed->roots = made;
    return made;
}

const struct root_table *handed_roots(struct kernel *kernel, int64_t n)
{
    struct cpu_handed *handed = taken_or_new(kernel);
    if (!handed) return NULL;
    for (const struct roots *r = handed->roots; r; r = r->next)
        if (r->table.n == n) return &r->table;
    const struct roots *made = add_roots(handed, n);
    return made ? &made->table : NULL;
}

/* ---- tables ---- */

/* Of steps, which depend on nothing else of a pass than its length. */
static bool is_of_steps(const struct cpu_table *t)
{
    return t->kind == TABLE_ROW || t->kind == TABLE_LANE || t->kind == TABLE_RESULTS ||
           t->kind == TABLE_PAIRS || t->kind == TABLE_PAIRS_BESIDE;
}

static bool is_for(const struct handed_entry *e, const struct kernel *kernel)
{
    return e->length == kernel->pass->length && e->precision == kernel->precision;
}

const struct cpu_table *handed_table(struct kernel *kernel, enum table_kind kind, int radix,
                                     int64_t rows, int64_t columns)
{
    const struct cpu_handed *handed = taken(kernel);
    for (int i = 0; handed && i < handed->entries; i++) {
        const struct cpu_table *t = &handed->entry[i].table;
        if (!is_for(&handed->entry[i], kernel) || t->kind != (int)kind) continue;
        if (t->radix != radix || t->rows != rows || t->columns != columns) continue;
        return table_share(kernel, t);
    }
    return NULL;
}

static bool has(const struct cpu_handed *handed, const struct cpu_table *t)
{
    for (int i = 0; i < handed->entries; i++)
        if (handed->entry[i].table.data == t->data) return true;
    return false;
}

static void add_tables(struct cpu_handed *handed, const struct kernel *kernel)
{
    for (const struct cpu_table *t = kernel->table; t; t = t->next) {
        if (handed->entries == MOST_TABLES) return;
        if (!is_of_steps(t) || has(handed, t)) continue;
        table_keep(t);
        handed->entry[handed->entries++] =
            (struct handed_entry){kernel->pass->length, kernel->precision, *t};
    }
}

void handed_on(struct kernel *kernel)
{
    struct cpu_state *state = kernel->device->state;
    struct cpu_handed *handed = taken_or_new(kernel);
    if (!handed) return;
    add_tables(handed, kernel);
    kernel->handed = NULL;
    end(atomic_exchange_explicit(&state->handed, handed, memory_order_acq_rel));
}

void handed_end(struct kernel *kernel)
{
    end(taken(kernel));
    kernel->handed = NULL;
}
