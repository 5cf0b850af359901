/* The evaluator: every node is executed for all threads of a cluster's blocks before the next one.
 *
 * Pure nodes are computed for inactive threads as well, whose values nobody looks at; only memory
 * accesses heed the mask. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "ir/evaluate.h"
#include "ir/integer.h"

#define MAX_DEPTH 32

/* An open scope. */
struct frame {
    ir_value opener;
    int64_t iteration;
    bool *active; /* by thread */
};

struct control {
    int depth; /* of the innermost open scope; frame 0 is the whole kernel */
    struct frame frame[MAX_DEPTH + 1];
    ir_value *end; /* by opener */
};

void ir_report_defect(struct ir_run *run, ir_value v, int thread, const char *what)
{
    struct ir_report *report = run->report;
    if (report->first[0]) return;
    snprintf(report->first, sizeof report->first,
             "kernel %.40s, node %d, block %lld, thread %d: %s", run->kernel->name,
             (int)v, (long long)run->block + ir_rank(run, thread), thread % run->in_block, what);
}

/* ---- arithmetic ---- */

static union ir_slot *values(const struct ir_run *run, ir_value v)
{
    return run->value + (int64_t)v * run->threads;
}

static void fill_integer(struct ir_run *run, ir_value v, int64_t integer)
{
    union ir_slot *to = values(run, v);
    for (int t = 0; t < run->threads; t++) to[t].integer = integer;
}

static void fill_blocks(struct ir_run *run, ir_value v)
{
    union ir_slot *to = values(run, v);
    for (int t = 0; t < run->threads; t++) to[t].integer = run->block + ir_rank(run, t);
}

/* Leaves that are the same for the whole launch. */
static void fill_leaf(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    union ir_slot *to = values(run, v);
    double real = run->launch->single ? (float)node->hi : node->hi;
    for (int t = 0; t < run->threads; t++) {
        if (node->op == IR_REAL_CONSTANT) to[t].real = real;
        if (node->op == IR_INT_CONSTANT) to[t].integer = node->integer;
        if (node->op == IR_PARAM) to[t].integer = run->launch->params[node->integer];
        if (node->op == IR_THREAD) to[t].integer = t % run->in_block;
    }
}

#define EACH_THREAD(expression)                                                                    \
    for (int t = 0; t < threads; t++) to[t].real = (expression)

/* Sums, products, quotients and roots of floats in double, rounded to float, are correctly
 * rounded. */
static void compute_real(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    int threads = run->threads;
    union ir_slot *to = values(run, v);
    const union ir_slot *a = values(run, node->a);
    const union ir_slot *b = node->b == IR_NONE ? a : values(run, node->b);
    switch (node->op) {
    case IR_ADD: EACH_THREAD(a[t].real + b[t].real); break;
    case IR_SUB: EACH_THREAD(a[t].real - b[t].real); break;
    case IR_MUL: EACH_THREAD(a[t].real * b[t].real); break;
    case IR_DIV: EACH_THREAD(a[t].real / b[t].real); break;
    case IR_SQRT: EACH_THREAD(sqrt(a[t].real)); break;
    case IR_FLOOR: EACH_THREAD(floor(a[t].real)); break;
    case IR_TO_REAL: EACH_THREAD((double)a[t].integer); break;
    default: EACH_THREAD(-a[t].real); break;
    }
    if (!run->launch->single) return;
    EACH_THREAD((float)to[t].real);
}

static void compute_fused(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    int threads = run->threads;
    double product_sign = node->op == IR_FNMA ? -1 : 1, addend_sign = node->op == IR_FMS ? -1 : 1;
    union ir_slot *to = values(run, v);
    const union ir_slot *a = values(run, node->a), *b = values(run, node->b);
    const union ir_slot *c = values(run, node->c);
    if (run->launch->single) {
        EACH_THREAD(fmaf((float)(product_sign * a[t].real), (float)b[t].real,
                         (float)(addend_sign * c[t].real)));
    } else {
        EACH_THREAD(fma(product_sign * a[t].real, b[t].real, addend_sign * c[t].real));
    }
}

static void compute_integer(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    union ir_slot *to = values(run, v);
    const union ir_slot *a = values(run, node->a);
    const union ir_slot *b = node->b == IR_NONE ? a : values(run, node->b);
    for (int t = 0; t < run->threads; t++) {
        to[t].integer = ir_combine(node->op, a[t].integer, b[t].integer);
    }
}

static void compare_reals(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    const bool less = node->op == IR_REAL_LESS;
    union ir_slot *to = values(run, v);
    const union ir_slot *a = values(run, node->a), *b = values(run, node->b);
    for (int t = 0; t < run->threads; t++)
        to[t].integer = less ? a[t].real < b[t].real : a[t].real == b[t].real;
}

static void compute_select(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    union ir_slot *to = values(run, v);
    const union ir_slot *condition = values(run, node->a);
    const union ir_slot *b = values(run, node->b), *c = values(run, node->c);
    for (int t = 0; t < run->threads; t++) to[t] = condition[t].integer ? b[t] : c[t];
}

static void take_part(struct ir_run *run, ir_value v)
{
    const struct ir_node *node = &run->kernel->node[v];
    union ir_slot *to = values(run, v);
    const union ir_slot *pair = values(run, node->a);
    for (int t = 0; t < run->threads; t++) to[t].real = pair[t].pair[node->op == IR_SECOND];
}

/* ---- control ---- */

static bool any(const bool *active, int threads)
{
    return memchr(active, true, (size_t)threads) != NULL;
}

/* Makes the threads of the innermost scope those of the scope around it for which the condition
 * holds or the loop goes on. False if there are none. */
static bool enter(struct ir_run *run, struct control *control)
{
    struct frame *inner = &control->frame[control->depth], *outer = inner - 1;
    const struct ir_node *node = &run->kernel->node[inner->opener];
    const union ir_slot *a = values(run, node->a);
    for (int t = 0; t < run->threads; t++) {
        bool enters = node->op == IR_IF ? a[t].integer != 0 : inner->iteration < a[t].integer;
        inner->active[t] = outer->active[t] && enters;
    }
    if (!any(inner->active, run->threads)) return false;
    if (node->op == IR_FOR) fill_integer(run, inner->opener, inner->iteration);
    return true;
}

/* Returns the last node done: `v`, or the scope's end if nobody enters. */
static ir_value begin_scope(struct ir_run *run, struct control *control, ir_value v)
{
    struct frame *frame = &control->frame[++control->depth];
    frame->opener = v;
    frame->iteration = 0;
    if (enter(run, control)) return v;
    control->depth--;
    return control->end[v];
}

/* Returns the last node done: `v`, or the loop's beginning if it goes round again. */
static ir_value end_scope(struct ir_run *run, struct control *control, ir_value v)
{
    struct frame *frame = &control->frame[control->depth];
    frame->iteration++;
    if (run->kernel->node[frame->opener].op == IR_FOR && enter(run, control)) return frame->opener;
    control->depth--;
    return v;
}

static void barrier(struct ir_run *run, ir_value v, const bool *active)
{
    run->epoch++;
    if (run->kernel->node[v].op == IR_ARRIVE) run->arrived_epoch = run->epoch;
    if (run->kernel->node[v].op == IR_WAIT) run->cluster_epoch = run->arrived_epoch;
    const bool *absent = memchr(active, false, (size_t)run->threads);
    if (!absent) return;
    run->report->divergent_barriers++;
    ir_report_defect(run, v, (int)(absent - active), "does not reach a barrier that others reach");
}

static ir_value execute(struct ir_run *run, struct control *control, ir_value v)
{
    const bool *active = control->frame[control->depth].active;
    switch (run->kernel->node[v].op) {
    case IR_REAL_CONSTANT: case IR_INT_CONSTANT: case IR_PARAM: case IR_THREAD: break;
    case IR_BLOCK: fill_blocks(run, v); break;
    case IR_ADD: case IR_SUB: case IR_MUL: case IR_NEG: compute_real(run, v); break;
    case IR_DIV: case IR_SQRT: case IR_FLOOR: case IR_TO_REAL: compute_real(run, v); break;
    case IR_REAL_LESS: case IR_REAL_EQUAL: compare_reals(run, v); break;
    case IR_FMA: case IR_FMS: case IR_FNMA: compute_fused(run, v); break;
    case IR_SELECT: compute_select(run, v); break;
    case IR_FIRST: case IR_SECOND: take_part(run, v); break;
    case IR_LOAD: case IR_LOAD_INT: case IR_LOAD_PAIR: case IR_STORE: case IR_STORE_PAIR:
        ir_memory_access(run, v, active);
        break;
    case IR_BARRIER: case IR_ARRIVE: case IR_WAIT: barrier(run, v, active); break;
    case IR_FOR: case IR_IF: return begin_scope(run, control, v);
    case IR_END: return end_scope(run, control, v);
    default: compute_integer(run, v); break;
    }
    return v;
}

static void run_cluster(struct ir_run *run, struct control *control)
{
    run->block_epoch = run->arrived_epoch = run->cluster_epoch = ++run->epoch;
    ir_memory_begin_block(run);
    control->depth = 0;
    for (ir_value v = 0; v < run->kernel->count; v++) v = execute(run, control, v);
}

/* ---- the launch ---- */

static bool init_control(struct ir_run *run, arena *a, struct control *control)
{
    const struct ir *kernel = run->kernel;
    bool *active = arena_alloc(a, (size_t)run->threads * (MAX_DEPTH + 1));
    control->end = arena_array(a, (size_t)kernel->count, sizeof *control->end);
    if (!active || !control->end) return false;
    memset(active, true, (size_t)run->threads);
    for (int i = 0; i <= MAX_DEPTH; i++) control->frame[i].active = active + i * run->threads;
    for (ir_value v = 0; v < kernel->count; v++) {
        if (kernel->node[v].op == IR_END) control->end[kernel->node[v].a] = v;
    }
    return true;
}

static bool init_run(struct ir_run *run, arena *a)
{
    size_t threads = (size_t)run->threads;
    run->value = arena_array(a, (size_t)run->kernel->count * threads, sizeof *run->value);
    run->address = arena_array(a, threads, sizeof *run->address);
    run->chain = arena_array(a, threads, sizeof *run->chain);
    if (!run->value || !run->address || !run->chain) return false;
    for (ir_value v = 0; v < run->kernel->count; v++) {
        if (run->kernel->node[v].op < IR_BLOCK) fill_leaf(run, v);
    }
    return ir_memory_init(run, a);
}

weft_status ir_evaluate(const struct ir *kernel, const struct ir_launch *launch,
                        struct ir_report *report)
{
    memset(report, 0, sizeof *report);
    arena *a = arena_create();
    struct ir_run *run = a ? arena_alloc(a, sizeof *run) : NULL;
    struct control *control = a ? arena_alloc(a, sizeof *control) : NULL;
    bool ready = run && control;
    if (ready) {
        run->kernel = kernel;
        run->launch = launch;
        run->report = report;
        run->in_block = launch->threads;
        run->threads = launch->threads * kernel->cluster;
        ready = init_run(run, a) && init_control(run, a, control);
    }
    for (int64_t block = 0; ready && block < launch->blocks; block += kernel->cluster) {
        run->block = block;
        run_cluster(run, control);
    }
    arena_destroy(&a);
    return ready ? WEFT_OK : error_memory("the evaluator");
}
