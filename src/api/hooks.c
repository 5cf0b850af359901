#include "api/hooks.h"

#include <string.h>

#include "base/error.h"
#include "hook/hook.h"

static weft_status copy_source(const char *name, const char *source, char *copy)
{
    if (!source) return WEFT_OK;
    const size_t length = strnlen(source, HOOK_MAX_LENGTH + 1);
    if (length > HOOK_MAX_LENGTH) {
        return error_set(WEFT_ERROR_ARGUMENT, "the %s hook is longer than %d characters", name,
                         HOOK_MAX_LENGTH);
    }
    memcpy(copy, source, length);
    return WEFT_OK;
}

/* Positions in row-major order of the array's own lengths, wherever the elements lie. */
static void fill_positions(const struct hook_dims *dims, bool out, struct problem *problem)
{
    struct hooks *hooks = &problem->hooks;
    int axis = problem->axes, loop = problem->loops;
    int64_t position = 1;
    for (int i = dims->count - 1; i >= 0; i--) {
        const struct hook_dim *dim = &dims->dim[i];
        if (dim->kept && dim->transformed) hooks->axis[out][--axis] = position;
        if (dim->kept && !dim->transformed) hooks->loop[out][--loop] = position;
        hooks->size[i] = dim->size;
        hooks->length[out][i] = dim->length[out];
        position *= dim->length[out];
    }
    if (out) hooks->kernel = position;
}

weft_status hooks_fill(const weft_params *p, const struct hook_dims *dims,
                       struct problem *problem)
{
    struct hooks *hooks = &problem->hooks;
    weft_status status = copy_source("load", p->load_hook, hooks->source[0]);
    if (!status) status = copy_source("store", p->store_hook, hooks->source[1]);
    if (status || !(hook_exists(hooks, false) || hook_exists(hooks, true))) return status;
    if (p->precision == WEFT_DD) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "hooks have no WEFT_DD: accepted are the other precisions");
    }
    hooks->dims = dims->count;
    for (int out = 0; out < 2; out++) fill_positions(dims, out, problem);
    status = hook_check(problem, false);
    return status ? status : hook_check(problem, true);
}
