#include "hook/table.h"

#include <string.h>

/* What a value depends on, in place of the integer that alone it depends on: */
enum { NOTHING = -1, MORE = -2 };

/* A kernel whose nodes are being changed. */
struct draft {
    const struct ir *kernel;
    struct ir_node *node;
    bool *kept;       /* by node: something needs it */
    ir_value *place;  /* by node: what it depends on */
    int64_t positions;
    bool single;
};

static bool draft_begin(arena *a, const struct ir *kernel, struct draft *d)
{
    const size_t count = (size_t)kernel->count;
    d->kernel = kernel;
    d->node = arena_array(a, count, sizeof *d->node);
    d->kept = arena_array(a, count, sizeof *d->kept);
    d->place = arena_array(a, count, sizeof *d->place);
    if (!d->node || !d->kept || !d->place) return false;
    memcpy(d->node, kernel->node, count * sizeof *d->node);
    return true;
}

static void keep_operands(struct draft *d, ir_value v)
{
    const struct ir_node *node = &d->node[v];
    const ir_value operand[3] = {node->a, node->b, node->c};
    for (int i = 0; i < 3; i++)
        if (operand[i] != IR_NONE) d->kept[operand[i]] = true;
}

static ir_value renumbered(const ir_value *number, ir_value v)
{
    return v == IR_NONE ? IR_NONE : number[v];
}

/* The kernel of the nodes that are kept. */
static const struct ir *draft_finish(arena *a, const struct draft *d)
{
    const size_t count = (size_t)d->kernel->count;
    struct ir *made = arena_alloc(a, sizeof *made);
    struct ir_node *node = arena_array(a, count, sizeof *node);
    ir_value *number = arena_array(a, count, sizeof *number);
    if (!made || !node || !number) return NULL;
    *made = *d->kernel;
    made->node = node;
    made->count = 0;
    for (ir_value v = 0; v < d->kernel->count; v++) {
        if (!d->kept[v]) continue;
        number[v] = made->count;
        node[made->count] = d->node[v];
        node[made->count].a = renumbered(number, d->node[v].a);
        node[made->count].b = renumbered(number, d->node[v].b);
        node[made->count++].c = renumbered(number, d->node[v].c);
    }
    return made;
}

/* ---- what depends on what ---- */

/* How many values an index has; 0: the integer is none, or takes more than the thread. */
static int64_t values_of(const struct draft *d, ir_value v)
{
    const struct ir_node *node = &d->kernel->node[v];
    if (node->op == IR_THREAD) return d->positions;
    if (node->op != IR_INT_DIV && node->op != IR_INT_MOD) return 0;
    const struct ir_node *divisor = &d->kernel->node[node->b];
    if (divisor->op != IR_INT_CONSTANT) return 0;
    const int64_t values = values_of(d, node->a), by = divisor->integer;
    if (node->op == IR_INT_DIV) return values / by + (values % by != 0);
    return values < by ? values : by;
}

static int64_t table_bytes(const struct draft *d, ir_value place)
{
    const int64_t width = d->single ? sizeof(float) : sizeof(double);
    const int64_t values = values_of(d, place);
    return values <= HOOK_TABLE_BYTES / width ? values * width : HOOK_TABLE_BYTES + 1;
}

static ir_value place_of(const struct draft *d, ir_value v)
{
    const struct ir_node *node = &d->kernel->node[v];
    if (node->op == IR_REAL_CONSTANT || node->op == IR_INT_CONSTANT) return NOTHING;
    if (node->op == IR_TO_REAL && values_of(d, node->a) > 0) return node->a;
    if (node->op == IR_PARAM || node->type == IR_INT || ir_is_access(node->op)) return MORE;
    const ir_value operand[3] = {node->a, node->b, node->c};
    ir_value place = NOTHING;
    for (int i = 0; i < 3; i++) {
        const ir_value other = operand[i] == IR_NONE ? NOTHING : d->place[operand[i]];
        if (other == NOTHING || other == place) continue;
        if (place != NOTHING || other == MORE) return MORE;
        place = other;
    }
    return place;
}

/* ---- tables ---- */

/* The kernel that has value v of the thread's place as its first result. */
static const struct ir *kernel_of_value(arena *a, const struct ir *kernel, ir_value v,
                                        ir_value place)
{
    struct draft d = {0};
    if (!draft_begin(a, kernel, &d)) return NULL;
    ir_value result = v;
    while (d.node[result].op != IR_STORE) result++;
    d.node[place] = (struct ir_node){
        .op = IR_THREAD, .type = IR_INT, .a = IR_NONE, .b = IR_NONE, .c = IR_NONE};
    d.node[result].a = v;
    d.node[result].b = place;
    d.kept[result] = true;
    for (ir_value w = result; w >= 0; w--)
        if (d.kept[w]) keep_operands(&d, w);
    return draft_finish(a, &d);
}

static bool fill(const struct draft *d, const struct ir *kernel, arena *a, int64_t values,
                 void *table)
{
    const struct hook_tables none = {0};
    const struct hook_program *program = hook_program_make(a, kernel, d->single, &none);
    void *workspace = program ? arena_alloc(a, hook_workspace_bytes(program)) : NULL;
    if (!workspace) return false;
    if (d->single) hook_begin_f32(program, workspace, false);
    else hook_begin_f64(program, workspace, false);
    for (int64_t done = 0; done < values; done += HOOK_RUN) {
        int64_t place[HOOK_RUN];
        for (int i = 0; i < HOOK_RUN; i++) place[i] = done + i;
        const int count = values - done < HOOK_RUN ? (int)(values - done) : HOOK_RUN;
        if (d->single)
            hook_run_f32(program, workspace, count, place, (float *)table + done, NULL);
        else
            hook_run_f64(program, workspace, count, place, (double *)table + done, NULL);
    }
    return true;
}

static void *make_table(arena *a, const struct draft *d, ir_value v)
{
    const ir_value place = d->place[v];
    void *table = arena_alloc(a, (size_t)table_bytes(d, place));
    arena *meanwhile = arena_create();
    const struct ir *kernel =
        table && meanwhile ? kernel_of_value(meanwhile, d->kernel, v, place) : NULL;
    const bool filled = kernel && fill(d, kernel, meanwhile, values_of(d, place), table);
    arena_destroy(&meanwhile);
    return filled ? table : NULL;
}

/* Whether the value is worth a table for which there is room. */
static bool wants_table(const struct draft *d, ir_value v, const struct hook_tables *tables)
{
    if (d->place[v] < 0 || d->node[v].op == IR_TO_REAL || tables->count == HOOK_MAX_TABLES)
        return false;
    return table_bytes(d, d->place[v]) <= HOOK_TABLE_BYTES - tables->bytes;
}

/* Puts a load in the place of the value. False: no memory. */
static bool tabulate(arena *a, struct draft *d, ir_value v, struct hook_tables *tables)
{
    const void *table = make_table(a, d, v);
    if (!table) return false;
    d->node[v] = (struct ir_node){.op = IR_LOAD, .type = d->node[v].type, .a = IR_NONE,
                                  .b = d->place[v], .c = IR_NONE,
                                  .buffer = HOOK_BUFFERS + tables->count};
    tables->table[tables->count++] = table;
    tables->bytes += table_bytes(d, d->place[v]);
    return true;
}

const struct ir *hook_tabulate(arena *a, const struct ir *kernel, int64_t positions, bool single,
                               struct hook_tables *tables)
{
    struct draft d = {.positions = positions, .single = single};
    if (!draft_begin(a, kernel, &d)) return NULL;
    for (ir_value v = 0; v < kernel->count; v++) d.place[v] = place_of(&d, v);
    for (ir_value v = kernel->count - 1; v >= 0; v--) {
        if (ir_is_store(d.node[v].op)) d.kept[v] = true;
        if (!d.kept[v]) continue;
        if (ir_is_access(d.node[v].op)) d.node[v].b = IR_NONE; /* elements come to the program */
        if (wants_table(&d, v, tables) && !tabulate(a, &d, v, tables)) return NULL;
        keep_operands(&d, v);
    }
    return draft_finish(a, &d);
}
