/* Kernels of convolutions. */
#include "api/handles.h"
#include "base/error.h"
#include "spec/kind.h"

size_t weft_plan_spectrum_bytes(const weft_plan *plan)
{
    return plan ? plan->spectrum_bytes : 0;
}

/* The forward transforms of the kernels, packed. */
static weft_params kernel_params(const struct problem *problem)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = problem->kind;
    params.precision = problem->precision;
    params.threads = problem->threads;
    params.batch = problem->kernel.n;
    params.rank = problem->axes > 0 ? problem->axes : 1;
    params.size[0] = 1;
    for (int i = 0; i < problem->axes; i++)
        params.size[i] = problem->axis[i].n;
    return params;
}

weft_status weft_plan_transform_kernels(const weft_plan *plan, const weft_buffer *kernels,
                                        weft_buffer *spectrum)
{
    if (!plan || !kernels || !spectrum) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_plan_transform_kernels: %s is NULL",
                         !plan      ? "plan"
                         : !kernels ? "kernels"
                                    : "spectrum");
    }
    if (plan->spectrum_bytes == 0) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_plan_transform_kernels: the plan is a "
                                              "transform's; accepted is that of a convolution");
    }
    weft_params params = kernel_params(plan->problem);
    if (plan->stream) params.memory_limit = stream_limit(plan->stream);
    weft_plan *transform = NULL;
    weft_status status = weft_plan_create(plan->device, &params, &transform);
    if (!status) status = weft_execute(transform, WEFT_FORWARD, kernels, spectrum);
    weft_plan_destroy(&transform);
    return status;
}
