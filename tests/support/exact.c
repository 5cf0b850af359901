#include "support/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/storage.h"

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

void exact_part(const struct trial *trial, weft_direction direction, struct reference_extended *sum)
{
    const weft_params *p = &trial->params;
    const double given = direction == WEFT_FORWARD ? p->forward_scale : p->inverse_scale;
    const double rest =
        direction == WEFT_FORWARD ? p->forward_scale_rest : p->inverse_scale_rest;
    const struct reference_extended scale = {given != 0 ? given : 1, given != 0 ? rest : 0};
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

/* The reference's name of what the direction computes along a dimension. */
static enum reference_kind real_kind(const struct trial *trial, weft_direction direction, int i)
{
    static const enum reference_kind kinds[2][9] = {
        {REFERENCE_DCT1, REFERENCE_DCT2, REFERENCE_DCT3, REFERENCE_DCT4, REFERENCE_DST1,
         REFERENCE_DST2, REFERENCE_DST3, REFERENCE_DST4, REFERENCE_DHT},
        {REFERENCE_DCT1, REFERENCE_DCT3, REFERENCE_DCT2, REFERENCE_DCT4, REFERENCE_DST1,
         REFERENCE_DST3, REFERENCE_DST2, REFERENCE_DST4, REFERENCE_DHT}};
    return kinds[direction][trial_kind(trial, i) - WEFT_DCT1];
}

bool exact_transform(const struct trial *trial, weft_direction direction, const double *whole,
                     struct reference_extended *sum)
{
    const uint32_t axes = transformed_axes(trial);
    if (trial->params.kind >= WEFT_DCT1) {
        enum reference_kind kind[TRIAL_MAX_DIMS];
        for (int i = 0; i < trial->dims; i++) kind[i] = real_kind(trial, direction, i);
        const struct reference_real real = {kind, trial->params.orthonormal != 0};
        return reference_real_axes_extended(trial->dims, trial->n, axes, real, whole, sum);
    }
    return reference_dft_axes_extended(trial->dims, trial->n, axes,
                                       direction == WEFT_FORWARD ? -1 : 1, whole, sum);
}

/* What a number that was stored may have been: between the middles to its neighbours, and anything
 * beyond where it is the storage's last. */
struct origin {
    double least, most;
};

static struct origin origin_of(weft_storage storage, double stored)
{
    struct origin o = {-INFINITY, INFINITY};
    char bytes[8];
    for (int up = 0; up < 2; up++) {
        const double sign = up ? 1 : -1;
        double next = stored;
        for (double step = fmax(fabs(stored), 1) * 0x1p-60; isfinite(step) && next == stored;
             step *= 2) {
            storage_write(storage, bytes, 0, stored + sign * step);
            next = storage_read(storage, bytes, 0);
        }
        if (next == stored) continue;
        if (up)
            o.most = stored + (next - stored) / 2;
        else
            o.least = stored + (next - stored) / 2;
    }
    return o;
}

static double forgiven(weft_storage storage, double stored, double exact)
{
    char bytes[8];
    storage_write(storage, bytes, 0, exact);
    if (storage_read(storage, bytes, 0) == stored) return exact;
    if (!isfinite(stored)) return stored;
    const struct origin o = origin_of(storage, stored);
    if (exact < o.least) return isfinite(o.least) ? o.least : stored;
    if (exact > o.most) return isfinite(o.most) ? o.most : stored;
    return exact;
}

/* What is not wanted is right whatever it is. */
static void forgive_unwanted(const struct trial *trial, const struct reference_extended *exact,
                             double *out)
{
    for (int64_t i = 0; i < trial_side_elements(trial, &trial->out); i++) {
        if (trial_has(trial, &trial->out, i)) continue;
        for (int p = 0; p < 2; p++) out[2 * i + p] = exact[2 * i + p].hi;
    }
}

void exact_forgive_storage(const struct trial *trial, const struct reference_extended *exact,
                           double *out)
{
    const weft_storage storage = trial_storage(trial, &trial->out);
    const bool single = trial->params.precision != WEFT_F64;
    const bool stored = storage != (single ? WEFT_STORED_F32 : WEFT_STORED_F64);
    const int parts = trial->out.real ? 1 : 2;
    for (int64_t i = 0; stored && i < trial_side_elements(trial, &trial->out); i++)
        for (int p = 0; p < parts; p++)
            out[2 * i + p] = forgiven(storage, out[2 * i + p], exact[2 * i + p].hi);
    if (trial->out.ranged) forgive_unwanted(trial, exact, out);
}

double exact_error(const struct trial *trial, weft_direction direction, const double *in,
                   const double *out)
{
    const int64_t elements = trial_elements(trial);
    struct reference_extended *exact = malloc((size_t)elements * 2 * sizeof *exact);
    double *whole = exact_whole(trial, in);
    if (!exact || !exact_transform(trial, direction, whole, exact)) abort();
    exact_part(trial, direction, exact);
    const int64_t results = trial_side_elements(trial, &trial->out);
    double *forgiven = malloc((size_t)results * 2 * sizeof *forgiven);
    if (!forgiven) abort();
    memcpy(forgiven, out, (size_t)results * 2 * sizeof *forgiven);
    exact_forgive_storage(trial, exact, forgiven);
    const double error = reference_error_f64(results, forgiven, exact);
    free(forgiven);
    free(whole);
    free(exact);
    return error;
}

/* Of one number over and over there is one result, a sum that rounds the same way throughout. */
static bool repeats_a_number(const struct trial *trial)
{
    for (int i = 0; i < trial->dims; i++) {
        if (trial->transformed[i] && trial->n[i] > 1 && trial->in.stride[i] == 0) return true;
    }
    return false;
}

/* How many times the policy's limit the error may be, which is for the mean over many complex
 * transforms; here is but one. */
static double exact_allowance(const struct trial *trial)
{
    if (repeats_a_number(trial)) return 3;
    if (trial->params.kind >= WEFT_DCT1) return 3;
    /* What random numbers hold beyond a real array's spectrum is transformed too, then dropped. */
    return trial->params.kind == WEFT_C2R ? 2.5 : 1.5;
}

double exact_limit(const struct trial *trial, const char *device)
{
    int64_t size[TRIAL_MAX_DIMS];
    int rank = 0;
    for (int i = 0; i < trial->dims; i++)
        if (trial->transformed[i]) size[rank++] = policy_length(trial_kind(trial, i), trial->n[i]);
    const bool single = trial->params.precision != WEFT_F64;
    const double policy =
        single ? policy_limit_f32(device, rank, size) : policy_limit_f64(device, rank, size);
    return exact_allowance(trial) * policy + (single ? 0x1p-23 : 0x1p-52);
}
