#include "run/runner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "spec/kind.h"

/* Contexts up to this size live on the caller's stack: small transforms touch no heap and no
 * atomics. So does scratch, where a device works in the host's memory. */
#define STACK_BYTES 32768

/* What one run needs beyond the caller's arrays: the passes' workspace, and scratch unless given.
 */
struct context {
    void *workspace;
    void *scratch;
    void *queue; /* work that uses it may still be in this queue; NULL: none is anywhere */
    struct context *next;
};

struct runner {
    const struct executable *executable;
    _Atomic(struct context *) spare; /* of the run before, for the next */
    pthread_mutex_t lock;
    struct context *queued; /* those of callers' queues, each for the next run on its queue: only
                             * there whatever is still to be done comes before. Under the lock. */
};

/* ---- contexts ---- */

static void destroy_context(struct device *device, struct context *context)
{
    if (!context) return;
    memory_free(context->workspace);
    if (context->scratch) device->ops->free(device, context->scratch);
    memory_free(context);
}

/* Gives a context what it lacks. */
static weft_status complete_context(const struct runner *r, struct context *context,
                                    bool with_scratch)
{
    const struct executable *e = r->executable;
    if (e->workspace_bytes && !context->workspace) {
        context->workspace = memory_alloc_large(e->workspace_bytes);
        if (!context->workspace) return error_memory("a tile");
    }
    if (!with_scratch || !e->scratch_bytes || context->scratch) return WEFT_OK;
    return e->device->ops->alloc(e->device, e->scratch_bytes, &context->scratch);
}

static struct context *take_queued(struct runner *r, const void *queue)
{
    pthread_mutex_lock(&r->lock);
    struct context **link = &r->queued;
    while (*link && (*link)->queue != queue)
        link = &(*link)->next;
    struct context *context = *link;
    if (context) *link = context->next;
    pthread_mutex_unlock(&r->lock);
    return context;
}

static weft_status take_context(struct runner *r, bool with_scratch, void *queue,
                                struct context **taken)
{
    struct context *context = queue ? take_queued(r, queue) : atomic_exchange(&r->spare, NULL);
    if (!context) context = memory_alloc_zeroed(sizeof *context);
    if (!context) return error_memory("scratch");
    context->queue = queue;
    weft_status status = complete_context(r, context, with_scratch);
    if (status) {
        destroy_context(r->executable->device, context);
        return status;
    }
    *taken = context;
    return WEFT_OK;
}

static void give_context(struct runner *r, struct context *context)
{
    if (context->queue) {
        pthread_mutex_lock(&r->lock);
        context->next = r->queued;
        r->queued = context;
        pthread_mutex_unlock(&r->lock);
        return;
    }
    struct context *none = NULL;
    if (!atomic_compare_exchange_strong(&r->spare, &none, context)) {
        destroy_context(r->executable->device, context);
    }
}

/* ---- making ---- */

weft_status runner_create(const struct executable *executable, struct runner **made)
{
    struct runner *r = memory_alloc_zeroed(sizeof *r);
    if (!r) return error_memory("a plan");
    r->executable = executable;
    atomic_init(&r->spare, NULL);
    pthread_mutex_init(&r->lock, NULL);
    *made = r;
    return WEFT_OK;
}

void runner_destroy(struct runner **runner)
{
    struct runner *r = *runner;
    if (!r) return;
    destroy_context(r->executable->device, atomic_load(&r->spare));
    while (r->queued) {
        struct context *context = r->queued;
        r->queued = context->next;
        destroy_context(r->executable->device, context);
    }
    pthread_mutex_destroy(&r->lock);
    memory_free(r);
    *runner = NULL;
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

static void move_positions(const struct program_stage *stage, int64_t step, int64_t position[2])
{
    for (int o = 0; o < stage->outers; o++) {
        for (int out = 0; out < 2; out++)
            position[out] += step % stage->outer[o].n * stage->outer_position[out][o];
        step /= stage->outer[o].n;
    }
}

/* From a step to the next where the stage writes. PASS_LAID is counted in reals, and has those of
 * lines and their halves of spectra in one place. */
static int64_t step_written(const struct program *program, const struct program_stage *stage,
                            int64_t in, int64_t out)
{
    if (stage->to != PASS_LAID || kind_is_trigonometric(program->problem.kind)) return out;
    return 2 * (in < out ? in : out);
}

static weft_status run_step(const struct executable *e, const struct program_stage *stage,
                            const struct pass_arguments *arguments, int64_t step)
{
    int64_t in = 0, out = 0, rest = step;
    for (int o = 0; o < stage->outers; o++) {
        const struct dim *dim = &stage->outer[o];
        in += rest % dim->n * dim->in_stride;
        out += rest % dim->n * dim->out_stride;
        rest /= dim->n;
    }
    struct pass_arguments here = *arguments;
    move_positions(stage, step, here.position);
    if (stage->from != stage->to) here.place[stage->from].first += in;
    here.place[stage->to].first += step_written(e->program, stage, in, out);
    /* One that lies as the output does. */
    if (stage->to == PASS_OUTPUT && stage->from != PASS_DRAFT) here.place[PASS_DRAFT].first += out;
    return run_passes(e, stage, &here);
}

/* The library's own memory, whose second plane follows so many elements of the first if it has
 * planes. */
static struct device_memory own_memory(const struct executable *e, void *scratch,
                                       weft_format format, int64_t elements)
{
    const int64_t bytes = elements * precision_bytes(e->program->problem.precision);
    const bool planar = format == WEFT_PLANAR && scratch;
    return (struct device_memory){.re = scratch, .im = planar ? (char *)scratch + bytes : NULL};
}

/* What a step has to itself. */
static void place_own(const struct executable *e, struct pass_arguments *arguments, void *scratch)
{
    const struct program *program = e->program;
    const weft_format format = e->device->scratch_format;
    const int64_t plane = program_scratch_plane(program, format);
    struct device_memory *place = arguments->place;
    place[PASS_SCRATCH] = own_memory(e, scratch, format, plane);
    place[PASS_WORK] = own_memory(e, scratch, program_work_format(program, format), plane);
    place[PASS_WORK].first = program->scratch_elements;
}

/* The steps of a stage that are dealt to threads. */
struct dealing {
    const struct executable *e;
    const struct program_stage *stage;
    const struct pass_arguments *arguments; /* of the first thread */
    _Atomic weft_status status;
};

static struct pass_arguments thread_arguments(const struct dealing *dealing, int thread)
{
    const struct program *program = dealing->e->program;
    struct pass_arguments own = *dealing->arguments;
    if (thread == 0) return own;
    if (own.workspace)
        own.workspace = (char *)own.workspace + (size_t)thread * dealing->e->dealt_bytes;
    if (program_step_elements(program) == 0) return own;
    char *scratch = own.place[PASS_SCRATCH].re;
    scratch += program_dealt_place(program, thread) * 2 *
               precision_bytes(program->problem.precision);
    const struct device_memory work = own.place[PASS_WORK];
    place_own(dealing->e, &own, scratch);
    if (program_step_elements(program) == program->scratch_elements) own.place[PASS_WORK] = work;
    return own;
}

static void run_dealt(void *context, int64_t begin, int64_t end, int thread)
{
    struct dealing *dealing = context;
    const struct pass_arguments own = thread_arguments(dealing, thread);
    for (int64_t step = begin; step < end; step++) {
        weft_status status = run_step(dealing->e, dealing->stage, &own, step);
        if (status) atomic_store(&dealing->status, status);
    }
}

static weft_status run_steps(const struct executable *e, const struct program_stage *stage,
                             const struct pass_arguments *arguments)
{
    if (stage->outers == 0) return run_passes(e, stage, arguments);
    int64_t steps = 1;
    for (int o = 0; o < stage->outers; o++)
        steps *= stage->outer[o].n;
    if (stage->dealt) {
        struct dealing dealing = {e, stage, arguments, WEFT_OK};
        const int threads = e->program->problem.threads;
        e->device->ops->deal(e->device, threads, steps, run_dealt, &dealing);
        return atomic_load(&dealing.status);
    }
    for (int64_t step = 0; step < steps; step++) {
        weft_status status = run_step(e, stage, arguments, step);
        if (status) return status;
    }
    return WEFT_OK;
}

static weft_status run_stage(const struct executable *e, const struct program_stage *stage,
                             const struct pass_arguments *arguments)
{
    if (!stage->turned) return run_steps(e, stage, arguments);
    struct pass_arguments back = *arguments;
    back.direction = arguments->direction == WEFT_FORWARD ? WEFT_INVERSE : WEFT_FORWARD;
    return run_steps(e, stage, &back);
}

static void place_scratch(const struct executable *e, struct pass_arguments *arguments,
                          void *scratch)
{
    const struct program *program = e->program;
    const weft_format format = e->device->scratch_format;
    const weft_format draft_format = program_draft_format(program, format);
    const int64_t middle = program_middle_place(program);
    struct device_memory *place = arguments->place;
    place_own(e, arguments, scratch);
    place[PASS_MIDDLE] = place[PASS_PRODUCTS] = own_memory(e, scratch, WEFT_INTERLEAVED, 0);
    place[PASS_MIDDLE].first = middle;
    place[PASS_PRODUCTS].first = middle + program->middle_elements;
    place[PASS_LAID] = own_memory(e, scratch, WEFT_INTERLEAVED, 0);
    place[PASS_LAID].first = 2 * program_laid_place(program);
    place[PASS_DRAFT] = own_memory(e, scratch, draft_format, program->draft_elements);
    place[PASS_DRAFT].first = program_draft_place(program, format);
}

static weft_status run_stages(const struct executable *e, const struct pass_arguments *arguments,
                              int first, int end)
{
    for (int s = first; s < end; s++) {
        const struct program_stage *stage = &e->program->stage[s];
        weft_status status =
            stage->runs[arguments->direction] ? run_stage(e, stage, arguments) : WEFT_OK;
        if (status) return status;
    }
    return WEFT_OK;
}

/* A last turn that has fewer kernels left does some again. */
static void move_to_turn(const struct program *program, int64_t turn, struct pass_arguments *here)
{
    const struct problem *problem = &program->problem;
    if (turn == 0) return;
    const int64_t kernels = program_kernels(problem, program->kernel_turns);
    const int64_t last = problem->kernel.n - kernels;
    const int64_t first = turn * kernels < last ? turn * kernels : last;
    here->place[PASS_OUTPUT].first += first * problem->kernel.out_stride;
    here->position[1] += first * problem->hooks.kernel;
    here->place[PASS_SPECTRUM].first += first * problem_spectrum_elements(problem);
}

static weft_status start(const struct executable *e, struct pass_arguments *arguments,
                         void *scratch)
{
    const struct program *program = e->program;
    place_scratch(e, arguments, scratch);
    weft_status status = run_stages(e, arguments, 0, program->kernel_stage);
    for (int64_t turn = 0; turn < program->kernel_turns && !status; turn++) {
        struct pass_arguments here = *arguments;
        move_to_turn(program, turn, &here);
        status = run_stages(e, &here, program->kernel_stage, program->stages);
    }
    return status;
}

static weft_status run_with(const struct executable *e, struct pass_arguments *arguments,
                            void *scratch)
{
    const struct device_ops *ops = e->device->ops;
    weft_status status = start(e, arguments, scratch);
    return status || !ops->sync || arguments->queue ? status : ops->sync(e->device, NULL);
}

/* Of scratch before the workspace. */
static size_t stack_scratch_bytes(const struct executable *e, const void *scratch)
{
    if (scratch) return 0;
    return (e->scratch_bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

/* A function of its own, so that runs without a workspace have a small frame. */
static __attribute__((noinline)) weft_status
run_on_stack(const struct executable *e, struct pass_arguments *arguments, void *scratch)
{
    _Alignas(MEMORY_ALIGNMENT) char memory[STACK_BYTES];
    arguments->workspace = memory + stack_scratch_bytes(e, scratch);
    if (!scratch && e->scratch_bytes) scratch = memory;
    const struct kernel *lone = e->lone[arguments->direction];
    if (lone) return e->device->ops->pass_run(e->device, lone, arguments);
    return run_with(e, arguments, scratch);
}

weft_status runner_run(struct runner *r, weft_direction direction, struct device_memory in,
                       struct device_memory out, const struct runner_aids *aids)
{
    const struct executable *e = r->executable;
    void *const scratch = aids->scratch;
    struct pass_arguments arguments;
    arguments.queue = aids->queue;
    memcpy(arguments.position, aids->position, sizeof arguments.position);
    arguments.direction = direction;
    arguments.place[PASS_INPUT] = in;
    arguments.place[PASS_OUTPUT] = out;
    arguments.place[PASS_SPECTRUM] = (struct device_memory){.re = aids->spectrum};
    if (e->lone[direction] && !e->workspace_bytes) {
        return e->device->ops->pass_run(e->device, e->lone[direction], &arguments);
    }
    const bool host = e->device->host_memory || scratch || !e->scratch_bytes;
    if (host && stack_scratch_bytes(e, scratch) + e->workspace_bytes <= STACK_BYTES) {
        return run_on_stack(e, &arguments, scratch);
    }
    struct context *context = NULL;
    weft_status status = take_context(r, scratch == NULL, aids->queue, &context);
    if (status) return status;
    arguments.workspace = context->workspace;
    status = run_with(e, &arguments, scratch ? scratch : context->scratch);
    give_context(r, context);
    return status;
}

/* Starts runs one after the other and waits for the last. */
static weft_status run_queued(struct runner *r, struct device_memory in, struct device_memory out,
                              void *spectrum, int64_t times)
{
    const struct executable *e = r->executable;
    struct pass_arguments arguments = {.direction = WEFT_FORWARD};
    struct context *context = NULL;
    weft_status status = take_context(r, true, NULL, &context);
    if (status) return status;
    arguments.place[PASS_INPUT] = in;
    arguments.place[PASS_OUTPUT] = out;
    arguments.place[PASS_SPECTRUM] = (struct device_memory){.re = spectrum};
    arguments.workspace = context->workspace;
    for (int64_t i = 0; i < times && !status; i++)
        status = start(e, &arguments, context->scratch);
    if (!status) status = e->device->ops->sync(e->device, NULL);
    give_context(r, context);
    return status;
}

weft_status runner_repeat(struct runner *r, struct device_memory in, struct device_memory out,
                          void *spectrum, int64_t times)
{
    const struct runner_aids aids = {.spectrum = spectrum};
    weft_status status = WEFT_OK;
    if (r->executable->device->ops->sync) return run_queued(r, in, out, spectrum, times);
    for (int64_t i = 0; i < times && !status; i++)
        status = runner_run(r, WEFT_FORWARD, in, out, &aids);
    return status;
}
