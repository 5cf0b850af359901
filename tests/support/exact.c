#include "support/exact.h"

#include <stdlib.h>

#include "reference/extended.h"
#include "reference/half.h"
#include "reference/policy.h"
#include "reference/reference.h"

static uint32_t transformed_axes(const struct trial *trial)
{
    uint32_t axes = 0;
    for (int i = 0; i < trial->dims; i++)
        axes |= (uint32_t)trial->transformed[i] << i;
    return axes;
}

double *exact_whole(const struct trial *trial, const double *in)
{
    const int64_t elements = trial_elements(trial);
    double *whole = malloc((size_t)elements * 2 * sizeof *whole);
    if (!whole) abort();
    if (trial->params.kind == WEFT_C2R) {
        half_extend(trial->dims, trial->n, transformed_axes(trial), in, whole);
        return whole;
    }
    for (int64_t i = 0; i < elements; i++) {
        whole[2 * i] = in[2 * i];
        whole[2 * i + 1] = trial->in.real ? 0 : in[2 * i + 1];
    }
    return whole;
}

void exact_part(const struct trial *trial, weft_direction direction,
                struct reference_extended *sum)
{
    const weft_params *p = &trial->params;
    const double given = direction == WEFT_FORWARD ? p->forward_scale : p->inverse_scale;
    const struct reference_extended scale = {given != 0 ? given : 1, 0};
    const bool halved = p->kind == WEFT_R2C;
    const uint32_t axes = transformed_axes(trial);
    int64_t to = 0;
    for (int64_t i = 0; i < trial_elements(trial); i++) {
        if (halved && !half_has(trial->dims, trial->n, axes, i)) continue;
        sum[2 * to] = extended_multiply(sum[2 * i], scale);
        sum[2 * to + 1] = extended_multiply(sum[2 * i + 1], scale);
        if (trial->out.real) sum[2 * to + 1] = (struct reference_extended){0, 0};
        to++;
    }
}

/* The reference's name of what the direction computes. */
static struct reference_real real_kind(const struct trial *trial, weft_direction direction)
{
    static const enum reference_kind kinds[2][9] = {
        {REFERENCE_DCT1, REFERENCE_DCT2, REFERENCE_DCT3, REFERENCE_DCT4, REFERENCE_DST1,
         REFERENCE_DST2, REFERENCE_DST3, REFERENCE_DST4, REFERENCE_DHT},
        {REFERENCE_DCT1, REFERENCE_DCT3, REFERENCE_DCT2, REFERENCE_DCT4, REFERENCE_DST1,
         REFERENCE_DST3, REFERENCE_DST2, REFERENCE_DST4, REFERENCE_DHT}};
    return (struct reference_real){kinds[direction][trial->params.kind - WEFT_DCT1],
                                   trial->params.orthonormal != 0};
}

bool exact_transform(const struct trial *trial, weft_direction direction, const double *whole,
                     struct reference_extended *sum)
{
    const uint32_t axes = transformed_axes(trial);
    if (trial->params.kind >= WEFT_DCT1) {
        return reference_real_axes_extended(trial->dims, trial->n, axes,
                                            real_kind(trial, direction), whole, sum);
    }
    return reference_dft_axes_extended(trial->dims, trial->n, axes,
                                       direction == WEFT_FORWARD ? -1 : 1, whole, sum);
}

double exact_error(const struct trial *trial, weft_direction direction, const double *in,
                   const double *out)
{
    const int64_t elements = trial_elements(trial);
    struct reference_extended *exact = malloc((size_t)elements * 2 * sizeof *exact);
    double *whole = exact_whole(trial, in);
    if (!exact || !exact_transform(trial, direction, whole, exact)) abort();
    exact_part(trial, direction, exact);
    const double error =
        reference_error_f64(trial_side_elements(trial, &trial->out), out, exact);
    free(whole);
    free(exact);
    return error;
}

/* The policy is for the mean over many complex transforms; here is but one. */
double exact_allowance(const struct trial *trial)
{
    if (trial->params.kind >= WEFT_DCT1) return 3;
    /* What random numbers hold beyond a real array's spectrum is transformed too, then dropped. */
    return trial->params.kind == WEFT_C2R ? 2.5 : 1.5;
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
    return exact_allowance(trial) * policy + (single ? 0x1p-23 : 0x1p-52);
}
