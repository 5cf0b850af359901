#include "device/cpu/roots.h"

#include <stdatomic.h>

#include "base/memory.h"

struct cpu_roots {
    struct cpu_roots *next;
    struct root_table table;
};

static struct cpu_roots *take(struct cpu_state *state)
{
    return atomic_exchange_explicit(&state->roots, NULL, memory_order_acquire);
}

static void free_list(struct cpu_roots *list)
{
    while (list) {
        struct cpu_roots *next = list->next;
        root_table_free(&list->table);
        memory_free(list);
        list = next;
    }
}

static struct cpu_roots *add(struct cpu_roots *list, int64_t n)
{
    struct cpu_roots *made = memory_alloc(sizeof *made);
    if (made && !root_table_init(&made->table, n)) {
        memory_free(made);
        made = NULL;
    }
    if (made) made->next = list;
    return made;
}

const struct root_table *kernel_roots(struct kernel *kernel, int64_t n)
{
    if (!kernel->roots) kernel->roots = take(kernel->device->state);
    for (const struct cpu_roots *r = kernel->roots; r; r = r->next)
        if (r->table.n == n) return &r->table;
    struct cpu_roots *made = add(kernel->roots, n);
    if (!made) return NULL;
    kernel->roots = made;
    return &made->table;
}

void kernel_roots_give(struct kernel *kernel)
{
    if (!kernel->roots) return;
    struct cpu_state *state = kernel->device->state;
    free_list(atomic_exchange_explicit(&state->roots, kernel->roots, memory_order_acq_rel));
    kernel->roots = NULL;
}

void kernel_roots_free(struct cpu_state *state)
{
    free_list(take(state));
}
