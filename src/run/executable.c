#include "run/executable.h"

#include <stdbool.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "run/kernels.h"
#include "run/tables.h"

/* ---- making ---- */

static weft_status create_kernels(struct executable *e)
{
    const struct device_ops *ops = e->device->ops;
    weft_status status = run_kernels_make(e->device, e->program, e->table, e->kernel);
    for (int p = 0; p < e->program->passes && !status; p++) {
        const size_t workspace =
            ops->pass_workspace_bytes ? ops->pass_workspace_bytes(e->kernel[p]) : 0;
        if (workspace > e->workspace_bytes) e->workspace_bytes = workspace;
        const struct program_stage *stage = program_stage_of(e->program, p);
        const size_t lines = (workspace + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT;
        const size_t padded = lines ? lines * MEMORY_ALIGNMENT + THREADS_APART : 0;
        if (stage->dealt && padded > e->dealt_bytes) e->dealt_bytes = padded;
        if (program_twin(e->program, p) < 0) e->table_bytes += ops->pass_table_bytes(e->kernel[p]);
    }
    const size_t dealt = e->dealt_bytes * (size_t)e->program->problem.threads;
    if (dealt > e->workspace_bytes) e->workspace_bytes = dealt;
    return status;
}

/* Spares the smallest transforms the walk over stages. */
static const struct kernel *find_lone(const struct executable *e, weft_direction direction)
{
    const struct program_stage *only = NULL;
    if (e->scratch_bytes || e->device->ops->sync) return NULL;
    for (int s = 0; s < e->program->stages; s++) {
        const struct program_stage *stage = &e->program->stage[s];
        if (!stage->runs[direction]) continue;
        if (only || stage->passes != 1 || stage->outers > 0 || stage->turned) return NULL;
        only = stage;
    }
    return only ? e->kernel[only->first] : NULL;
}

weft_status executable_create(struct device *device, const struct program *program,
                              struct executable **made)
{
    struct executable *e = memory_alloc_zeroed(sizeof *e);
    if (!e) return error_memory("an executable");
    e->device = device;
    e->program = program;
    e->scratch_bytes = (size_t)program_scratch_elements(program) * 2 *
                       (size_t)precision_bytes(program->problem.precision);
    weft_status status = run_tables_make(device, program, e->table);
    if (!status) status = create_kernels(e);
    if (device->host_memory)
        e->table_bytes += run_tables_bytes(program);
    else
        run_tables_free(program, e->table);
    if (status) {
        executable_destroy(&e);
        return status;
    }
    for (int d = 0; d < 2; d++) e->lone[d] = find_lone(e, (weft_direction)d);
    *made = e;
    return WEFT_OK;
}

static void take_inverse(struct pass_call *call, const struct pass_call *other)
{
    call->run[WEFT_INVERSE] = other->run[WEFT_INVERSE];
    call->shape[WEFT_INVERSE] = other->shape[WEFT_INVERSE];
    call->twiddles[WEFT_INVERSE] = other->twiddles[WEFT_INVERSE];
    call->fine[WEFT_INVERSE] = other->fine[WEFT_INVERSE];
}

bool executable_shortcut(const struct executable *e, struct pass_shortcut *shortcut)
{
    const struct device_ops *ops = e->device->ops;
    struct pass_shortcut inverse;
    if (!ops->pass_shortcut) return false;
    if (!e->lone[0] || !e->lone[1]) return ops->program_shortcut(e->kernel, e->program, shortcut);
    if (!ops->pass_shortcut(e->lone[WEFT_FORWARD], shortcut)) return false;
    if (e->lone[0] == e->lone[1]) return true;
    if (!ops->pass_shortcut(e->lone[WEFT_INVERSE], &inverse)) {
        *shortcut = (struct pass_shortcut){.call = {.shape = {NULL, NULL}}};
        return false;
    }
    take_inverse(&shortcut->call, &inverse.call);
    take_inverse(&shortcut->then, &inverse.then);
    return true;
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
    for (int p = 0; p < e->program->passes; p++) {
        if (e->kernel[p] && program_twin(e->program, p) < 0)
            e->device->ops->pass_destroy(e->device, &e->kernel[p]);
    }
    run_tables_free(e->program, e->table);
    memory_free(e);
    *executable = NULL;
}
