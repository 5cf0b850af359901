#include "support/exact.h"

#include <stdlib.h>

#include "reference/extended.h"
#include "reference/policy.h"
#include "reference/reference.h"

static uint32_t transformed_axes(const struct trial *trial)
{
    uint32_t axes = 0;
    for (int i = 0; i < trial->dims; i++)
        axes |= (uint32_t)trial->transformed[i] << i;
    return axes;
}

double exact_error(const struct trial *trial, weft_direction direction, const double *in,
                   const double *out)
{
    const int64_t elements = trial_elements(trial);
    const weft_params *p = &trial->params;
    const double given = direction == WEFT_FORWARD ? p->forward_scale : p->inverse_scale;
    const struct reference_extended scale = {given != 0 ? given : 1, 0};
    struct reference_extended *exact = malloc((size_t)elements * 2 * sizeof *exact);
    if (!exact || !reference_dft_axes_extended(trial->dims, trial->n, transformed_axes(trial),
                                               direction == WEFT_FORWARD ? -1 : 1, in, exact))
        abort();
    for (int64_t i = 0; i < 2 * elements; i++)
        exact[i] = extended_multiply(exact[i], scale);
    const double error = reference_error_f64(elements, out, exact);
    free(exact);
    return error;
}

double exact_limit(const struct trial *trial, const char *device)
{
    int64_t size[TRIAL_MAX_DIMS];
    int rank = 0;
    for (int i = 0; i < trial->dims; i++)
        if (trial->transformed[i]) size[rank++] = trial->n[i];
    const bool single = trial->params.precision == WEFT_F32;
    const double policy =
        single ? policy_limit_f32(device, rank, size) : policy_limit_f64(device, rank, size);
    return 1.5 * policy + (single ? 0x1p-23 : 0x1p-52);
}
