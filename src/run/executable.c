#include "run/executable.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "run/spectrum.h"

/* Contexts up to this size live on the caller's stack: small transforms touch no heap and no
 * atomics. */
#define STACK_BYTES 32768

/* What one run needs beyond the caller's arrays: the passes' workspace, and scratch unless given.
 */
struct context {
    void *workspace;
    void *scratch;
    void *queue; /* work that uses it may still be in this queue; NULL: none is anywhere */
    struct context *next;
};

struct executable {
    struct device *device;
    const struct program *program;
    struct kernel *kernel[PROGRAM_MAX_PASSES];
    size_t workspace_bytes;
    size_t scratch_bytes;
    size_t table_bytes;
    const struct kernel *lone; /* the only kernel, if it runs once and needs no scratch; or NULL */
    _Atomic(struct context *) spare; /* of the run before, for the next */
    pthread_mutex_t lock;
    struct context *queued; /* those of callers' queues, each for the next run on its queue: only
                             * there whatever is still to be done comes before. Under the lock. */
};

/* ---- making ---- */

static void free_tables(double **table, int count)
{
    for (int t = 0; t < count; t++)
        memory_free(table[t]);
}

static weft_status fill_tables(struct device *device, const struct program *program, double **table)
{
    for (int t = 0; t < program->tables; t++) {
        table[t] = memory_alloc((size_t)program->table[t].m * 2 * sizeof(double));
        if (!table[t]) return error_memory("a spectrum");
        weft_status status = spectrum_fill(device, &program->table[t], table[t]);
        if (status) return status;
    }
    return WEFT_OK;
}

static weft_status create_kernels(struct executable *e, const double *const *tables)
{
    const struct device_ops *ops = e->device->ops;
    for (int p = 0; p < e->program->passes; p++) {
        weft_status status = ops->pass_create(e->device, e->program, p, tables, &e->kernel[p]);
        if (status) return status;
        const size_t workspace =
            ops->pass_workspace_bytes ? ops->pass_workspace_bytes(e->kernel[p]) : 0;
        if (workspace > e->workspace_bytes) e->workspace_bytes = workspace;
        e->table_bytes += ops->pass_table_bytes(e->kernel[p]);
    }
    return WEFT_OK;
}

/* Spares the smallest transforms the walk over stages. */
static bool is_lone(const struct executable *e)
{
    return e->program->passes == 1 && e->program->stage[0].outers == 0 && !e->scratch_bytes &&
           !e->device->ops->sync;
}

weft_status executable_create(struct device *device, const struct program *program,
                              struct executable **made)
{
    struct executable *e = memory_alloc_zeroed(sizeof *e);
    if (!e) return error_memory("an executable");
    e->device = device;
    e->program = program;
    atomic_init(&e->spare, NULL);
    pthread_mutex_init(&e->lock, NULL);
    e->scratch_bytes =
        (size_t)program->scratch_elements * 2 * (size_t)precision_bytes(program->problem.precision);
    double *table[PROGRAM_MAX_PASSES] = {0};
    weft_status status = fill_tables(device, program, table);
    if (!status) status = create_kernels(e, (const double *const *)table);
    free_tables(table, program->tables);
    if (status) {
        executable_destroy(&e);
        return status;
    }
    if (is_lone(e)) e->lone = e->kernel[0];
    *made = e;
    return WEFT_OK;
}

/* ---- contexts ---- */

static void destroy_context(struct device *device, struct context *context)
{
    if (!context) return;
    memory_free(context->workspace);
    if (context->scratch) device->ops->free(device, context->scratch);
    memory_free(context);
}

/* Gives a context what it lacks. */
static weft_status complete_context(const struct executable *e, struct context *context,
                                    bool with_scratch)
{
    if (e->workspace_bytes && !context->workspace) {
        context->workspace = memory_alloc_large(e->workspace_bytes);
        if (!context->workspace) return error_memory("a tile");
    }
    if (!with_scratch || !e->scratch_bytes || context->scratch) return WEFT_OK;
    return e->device->ops->alloc(e->device, e->scratch_bytes, &context->scratch);
}

static struct context *take_queued(struct executable *e, const void *queue)
{
    pthread_mutex_lock(&e->lock);
    struct context **link = &e->queued;
    while (*link && (*link)->queue != queue)
        link = &(*link)->next;
    struct context *context = *link;
    if (context) *link = context->next;
    pthread_mutex_unlock(&e->lock);
    return context;
}

static weft_status take_context(struct executable *e, bool with_scratch, void *queue,
                                struct context **taken)
{
    struct context *context = queue ? take_queued(e, queue) : atomic_exchange(&e->spare, NULL);
    if (!context) context = memory_alloc_zeroed(sizeof *context);
    if (!context) return error_memory("scratch");
    context->queue = queue;
    weft_status status = complete_context(e, context, with_scratch);
    if (status) {
        destroy_context(e->device, context);
        return status;
    }
    *taken = context;
    return WEFT_OK;
}

static void give_context(struct executable *e, struct context *context)
{
    if (context->queue) {
        pthread_mutex_lock(&e->lock);
        context->next = e->queued;
        e->queued = context;
        pthread_mutex_unlock(&e->lock);
        return;
    }
    struct context *none = NULL;
    if (!atomic_compare_exchange_strong(&e->spare, &none, context)) {
        destroy_context(e->device, context);
    }
}

/* ---- running ---- */

static weft_status run_passes(const struct executable *e, const struct program_stage *stage,
                              const struct pass_arguments *arguments)
{
    const struct device_ops *ops = e->device->ops;
    for (int p = stage->first; p < stage->first + stage->passes; p++) {
        weft_status status = ops->pass_run(e->device, e->kernel[p], arguments);
        if (status) return status;
    }
    return WEFT_OK;
}

static weft_status run_stage(const struct executable *e, const struct program_stage *stage,
                             const struct pass_arguments *arguments)
{
    if (stage->outers == 0) return run_passes(e, stage, arguments);
    int64_t steps = 1;
    for (int o = 0; o < stage->outers; o++)
        steps *= stage->outer[o].n;
    for (int64_t step = 0; step < steps; step++) {
        int64_t in = 0, out = 0, rest = step;
        for (int o = 0; o < stage->outers; o++) {
            const struct dim *dim = &stage->outer[o];
            in += rest % dim->n * dim->in_stride;
            out += rest % dim->n * dim->out_stride;
            rest /= dim->n;
        }
        struct pass_arguments here = *arguments;
        here.place[PASS_INPUT].first += in;
        here.place[PASS_OUTPUT].first += out;
        weft_status status = run_passes(e, stage, &here);
        if (status) return status;
    }
    return WEFT_OK;
}

static weft_status run_with(const struct executable *e, struct pass_arguments *arguments,
                            void *scratch)
{
    struct device_memory *place = &arguments->place[PASS_SCRATCH];
    *place = (struct device_memory){.re = scratch};
    if (e->device->scratch_format == WEFT_PLANAR && scratch) {
        place->im = (char *)scratch + e->scratch_bytes / 2;
    }
    for (int s = 0; s < e->program->stages; s++) {
        weft_status status = run_stage(e, &e->program->stage[s], arguments);
        if (status) return status;
    }
    const struct device_ops *ops = e->device->ops;
    return ops->sync && !arguments->queue ? ops->sync(e->device, NULL) : WEFT_OK;
}

/* A function of its own, so that runs without a workspace have a small frame. */
static __attribute__((noinline)) weft_status
run_on_stack(const struct executable *e, struct pass_arguments *arguments, void *scratch)
{
    _Alignas(MEMORY_ALIGNMENT) char workspace[STACK_BYTES];
    arguments->workspace = workspace;
    if (e->lone) return e->device->ops->pass_run(e->device, e->lone, arguments);
    return run_with(e, arguments, scratch);
}

weft_status executable_run(struct executable *e, weft_direction direction, struct device_memory in,
                           struct device_memory out, void *scratch, void *queue)
{
    struct pass_arguments arguments;
    arguments.queue = queue;
    arguments.direction = direction;
    arguments.place[PASS_INPUT] = in;
    arguments.place[PASS_OUTPUT] = out;
    if (e->lone && !e->workspace_bytes) {
        return e->device->ops->pass_run(e->device, e->lone, &arguments);
    }
    if (e->workspace_bytes <= STACK_BYTES && (scratch || !e->scratch_bytes)) {
        return run_on_stack(e, &arguments, scratch);
    }
    struct context *context = NULL;
    weft_status status = take_context(e, scratch == NULL, queue, &context);
    if (status) return status;
    arguments.workspace = context->workspace;
    status = run_with(e, &arguments, scratch ? scratch : context->scratch);
    give_context(e, context);
    return status;
}

bool executable_shortcut(const struct executable *e, struct pass_shortcut *shortcut)
{
    const struct device_ops *ops = e->device->ops;
    return e->lone && ops->pass_shortcut && ops->pass_shortcut(e->lone, shortcut);
}

weft_status executable_source(const struct executable *e, int pass, struct text *text)
{
    const struct device_ops *ops = e->device->ops;
    if (!ops->pass_source) return WEFT_OK;
    return ops->pass_source(e->device, e->program, pass, e->kernel[pass], text);
}

size_t executable_scratch_bytes(const struct executable *e)
{
    return e->scratch_bytes;
}

size_t executable_table_bytes(const struct executable *e)
{
    return e->table_bytes;
}

void executable_destroy(struct executable **executable)
{
    struct executable *e = *executable;
    if (!e) return;
    for (int p = 0; p < PROGRAM_MAX_PASSES; p++) {
        if (e->kernel[p]) e->device->ops->pass_destroy(e->device, &e->kernel[p]);
    }
    destroy_context(e->device, atomic_load(&e->spare));
    while (e->queued) {
        struct context *context = e->queued;
        e->queued = context->next;
        destroy_context(e->device, context);
    }
    pthread_mutex_destroy(&e->lock);
    memory_free(e);
    *executable = NULL;
}
