/* Contexts and failures. */
#include "device/cuda/state.h"

#include "base/error.h"

weft_status cuda_enter(const struct cuda_state *state)
{
    return cuda_check(state, state->driver->context_push(state->context), "cuCtxPushCurrent", NULL);
}

void cuda_leave(const struct cuda_state *state)
{
    cuda_context popped;
    state->driver->context_pop(&popped);
}

weft_status cuda_check(const struct cuda_state *state, cuda_result result, const char *call,
                       const char *kernel)
{
    if (result == CUDA_OK) return WEFT_OK;
    const char *name = "an unknown error", *text = "";
    state->driver->error_name(result, &name);
    state->driver->error_text(result, &text);
    weft_status status = result == CUDA_OUT_OF_MEMORY ? WEFT_ERROR_MEMORY : WEFT_ERROR_DEVICE;
    return error_set(status, "CUDA: %s%s%s on %s (cuda:%d) failed: %s, %s", call,
                     kernel ? " of kernel " : "", kernel ? kernel : "", state->name, state->id,
                     name, text);
}
