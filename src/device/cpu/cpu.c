/* The CPU as a device: nothing to install, memory is the host's. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "device/cpu/engine.h"
#include "device/cpu/extended.h"
#include "device/cpu/handed.h"
#include "device/cpu/laid.h"
#include "device/cpu/links.h"
#include "device/cpu/scaling.h"

static void describe(struct device *device)
{
    const struct cpu_state *state = device->state;
    char model[96] = "processor";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[160];
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "model name%*[ \t]: %95[^\n]", model) == 1) break;
    }
    if (file) fclose(file);
    snprintf(device->description, sizeof device->description, "%s, %d cores, %s", model,
             device->limits.cores, state->sets.set[0][0]->isa);
}

static weft_status cpu_open(const char *argument, struct device *device)
{
    if (argument) {
        return error_set(WEFT_ERROR_DEVICE, "cpu:%s: the CPU takes no argument; accepted: cpu",
                         argument);
    }
    struct cpu_state *state = memory_alloc_zeroed(sizeof *state);
    if (!state) return error_memory("the CPU device");
    weft_status status = cpu_sets_find(&state->sets);
    if (status) {
        memory_free(state);
        return status;
    }
    device->state = state;
    device->host_memory = true;
    device->scratch_format = WEFT_PLANAR;
    cpu_limits(&device->limits, &state->sets);
    state->shared_cache_bytes = device->limits.cache_bytes[2];
    cpu_extended_limits(&state->extended, &device->limits);
    device->extended = &state->extended;
    pthread_mutex_init(&state->lock, NULL);
    describe(device);
    return WEFT_OK;
}

static void cpu_close(struct device *device)
{
    struct cpu_state *state = device->state;
    if (!state) return;
    for (struct cpu_pool *pool = state->pools, *next; pool; pool = next) {
        next = pool->next;
        thread_pool_destroy(&pool->pool);
        memory_free(pool);
    }
    handed_free(state);
    pthread_mutex_destroy(&state->lock);
    memory_free(state);
    device->state = NULL;
}

static struct cpu_pool *add_pool(struct cpu_state *state, int threads)
{
    struct cpu_pool *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return NULL;
    made->threads = threads;
    made->pool = thread_pool_create(threads);
    if (!made->pool) {
        memory_free(made);
        return NULL;
    }
    made->next = state->pools;
    state->pools = made;
    return made;
}

static struct cpu_pool *find_pool(struct cpu_state *state, int threads)
{
    struct cpu_pool *found = state->pools;
    while (found && found->threads != threads)
        found = found->next;
    return found;
}

/* Executes ask for a pool that there is: they take no lock, which a child that was forked meanwhile
 * would wait for. */
thread_pool *cpu_pool_for(struct cpu_state *state, int threads)
{
    struct cpu_pool *found = find_pool(state, threads);
    if (found) return found->pool;
    pthread_mutex_lock(&state->lock);
    found = find_pool(state, threads);
    if (!found) found = add_pool(state, threads);
    pthread_mutex_unlock(&state->lock);
    return found ? found->pool : NULL;
}

static weft_status cpu_alloc(struct device *device, size_t bytes, void **memory)
{
    (void)device;
    void *block = memory_alloc_large(bytes);
    if (!block) return error_memory("a buffer");
    memset(block, 0, bytes);
    *memory = block;
    return WEFT_OK;
}

static void cpu_free(struct device *device, void *memory)
{
    (void)device;
    memory_free(memory);
}

static weft_status cpu_upload(struct device *device, void *memory, size_t offset, const void *data,
                              size_t bytes)
{
    (void)device;
    memcpy((char *)memory + offset, data, bytes);
    return WEFT_OK;
}

static weft_status cpu_download(struct device *device, const void *memory, size_t offset,
                                void *data, size_t bytes)
{
    (void)device;
    memcpy(data, (const char *)memory + offset, bytes);
    return WEFT_OK;
}

static void cpu_deal(struct device *device, int threads, int64_t count, thread_loop_body *body,
                     void *context)
{
    thread_pool *pool = cpu_pool_for(device->state, threads);
    if (pool) thread_pool_run(pool, count, 1, body, context);
    else body(context, 0, count, 0);
}

static size_t cpu_table_bytes(const struct kernel *kernel)
{
    return kernel->table_bytes;
}

static size_t cpu_workspace_bytes(const struct kernel *kernel)
{
    return kernel->staged_whole_bytes + kernel->workspace * (size_t)kernel->threads;
}

static struct pass_call call_of(const struct kernel *kernel, const struct cpu_operation *op)
{
    struct pass_call call = {.shape = {NULL, NULL}};
    for (int d = 0; d < 2; d++) {
        const int own = kernel->pass->one_way && !op->directed ? WEFT_FORWARD : d;
        call.shape[d] = &op->shape[own];
        call.twiddles[d] = cpu_twiddles(op, d);
        call.fine[d] = op->fine;
        if (!scaling_does_nothing(op, d)) call.run[d] = op->codelet[own];
    }
    return call;
}

/* Whether it is two codelets at most, the second of which works on the output. */
static bool is_direct(const struct kernel *kernel)
{
    const struct cpu_operation *op = kernel->main.operation;
    if (kernel->main.operations > 2 || kernel->outer_tiles > 1 || kernel->laid) return false;
    if (op[0].from != CPU_FROM || op[0].to != CPU_TO || op[0].mixed) return false;
    if (kernel->main.operations == 1) return true;
    return op[1].from == CPU_TO && op[1].to == CPU_TO && !op[1].to_bytes;
}

static bool has_planes(const struct kernel *kernel)
{
    return laid_caller_has_planes(kernel, CPU_FROM) || laid_caller_has_planes(kernel, CPU_TO);
}

static bool is_short(const struct kernel *kernel)
{
    return kernel->workspace <= CPU_SHORT_BYTES;
}

static struct pass_call call_of_all(const struct kernel *kernel)
{
    return (struct pass_call){.run = {cpu_run_forward, cpu_run_inverse},
                              .shape = {NULL, NULL},
                              .twiddles = {kernel, kernel}};
}

static bool cpu_pass_shortcut(const struct kernel *kernel, struct pass_shortcut *shortcut)
{
    const struct pass *pass = kernel->pass;
    const struct cpu_operation *op = kernel->main.operation;
    if (!kernel->straight || kernel->main.operations < 1) return false;
    if (pass->from != PASS_INPUT || pass->to != PASS_OUTPUT) return false;
    *shortcut = (struct pass_shortcut){.call = {.shape = {NULL, NULL}}};
    if (is_direct(kernel)) {
        shortcut->call = call_of(kernel, &op[0]);
        if (kernel->main.operations == 2) shortcut->then = call_of(kernel, &op[1]);
        return true;
    }
    if (links_find_pass(kernel, shortcut)) return true;
    if (is_short(kernel)) shortcut->call = call_of_all(kernel);
    return is_short(kernel);
}

/* Whether it is a straight kernel, or another that is called as one, between arrays of the caller's
 * or what is between two passes. */
static bool is_link(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool from = pass->from == PASS_INPUT || pass->from == PASS_OUTPUT ||
                      pass->from == PASS_WORK;
    const bool to = pass->to == PASS_OUTPUT || pass->to == PASS_WORK;
    const bool other = kernel->resampling || kernel->opening;
    const bool alone = other ? pass->loops == 0 && !kernel->pool : kernel->straight;
    return alone && from && to && !(other && has_planes(kernel));
}

static bool cpu_program_shortcut(struct kernel *const *kernel, const struct program *program,
                                 struct pass_shortcut *shortcut)
{
    struct pass_call call = {.shape = {NULL, NULL}, .fine = {program, program}};
    bool planes = false, straight = true;
    size_t workspace = 0;
    if (links_find(kernel, program, shortcut)) return true;
    for (int s = 0; s < program->stages; s++) {
        const struct program_stage *stage = &program->stage[s];
        if (stage->outers > 0 || stage->turned || !stage->runs[0] || !stage->runs[1]) return false;
    }
    for (int p = 0; p < program->passes; p++) {
        if (!is_link(kernel[p])) return false;
        planes = planes || has_planes(kernel[p]);
        straight = straight && kernel[p]->straight;
        if (kernel[p]->workspace > workspace) workspace = kernel[p]->workspace;
    }
    if (workspace + cpu_chain_bytes(program) > CPU_CHAIN_BYTES) return false;
    if (planes && !straight) return false;
    codelet_function *const chain[2] = {planes ? cpu_chain_planes_forward : cpu_chain_forward,
                                        planes ? cpu_chain_planes_inverse : cpu_chain_inverse};
    for (int d = 0; d < 2; d++) {
        call.twiddles[d] = kernel;
        call.run[d] = chain[d];
    }
    *shortcut = (struct pass_shortcut){.call = call};
    return true;
}

const struct device_ops cpu_device_ops = {
    .name = "cpu",
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .upload = cpu_upload,
    .download = cpu_download,
    .pass_create = cpu_pass_create,
    .pass_destroy = cpu_pass_destroy,
    .pass_table_bytes = cpu_table_bytes,
    .pass_workspace_bytes = cpu_workspace_bytes,
    .pass_run = cpu_pass_run,
    .deal = cpu_deal,
    .pass_shortcut = cpu_pass_shortcut,
    .program_shortcut = cpu_program_shortcut,
    .pass_source = cpu_pass_source,
};
