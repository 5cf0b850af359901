/* Parameters one by one: what they may be, wherever the data lie. */
#include "api/values.h"

#include <float.h>
#include <math.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/storage.h"
#include "spec/kind.h"
#include "spec/problem.h"

/* More threads than any machine profits from, and few enough that a workspace each fits. */
#define MOST_THREADS 4096

weft_storage values_storage(const weft_params *p, bool out)
{
    const weft_storage given = out ? p->out_storage : p->in_storage;
    const weft_storage storage = given ? given : storage_of_precision(p->precision);
    const weft_precision computed = precision_computed(p->precision);
    return storage == storage_of_precision(computed) ? WEFT_STORED_AS_COMPUTED : storage;
}

static weft_status check_storage(const weft_params *p, bool out, const struct limits *limits)
{
    const weft_storage given = out ? p->out_storage : p->in_storage;
    if ((int)given < 0 || given >= STORAGE_COUNT) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "%s_storage is %d: accepted are WEFT_STORED_AS_COMPUTED, WEFT_STORED_F16, "
                         "BF16, F32, F64, U8, I8, U16, I16",
                         out ? "out" : "in", (int)given);
    }
    const weft_storage storage = values_storage(p, out);
    const bool narrowed = p->precision == WEFT_DD && out; /* a double would be rounded again */
    const uint32_t storages = narrowed ? 1u << WEFT_STORED_F64 : limits->storages;
    if (!storage || storages >> storage & 1) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED, "%s cannot %s numbers stored as %s%s", limits->name,
                     out ? "write" : "read", storage_names[storage],
                     narrowed ? ": accepted of WEFT_DD is its own, or WEFT_STORED_F64" : "");
}

weft_kind values_axis_kind(const weft_params *p, int i)
{
    return p->axis_kind[i] ? p->axis_kind[i] : p->kind;
}

static weft_status check_axis_kinds(const weft_params *p)
{
    for (int i = 0; i < WEFT_MAX_RANK; i++) {
        const int kind = (int)p->axis_kind[i];
        const bool both_real = kind >= WEFT_DCT1 && kind <= WEFT_DHT;
        if (kind == 0 || (both_real && kind_is_trigonometric(p->kind))) continue;
        return error_set(WEFT_ERROR_ARGUMENT,
                         "axis_kind[%d] is %d with kind %d: accepted are 0 and, where kind is one "
                         "of these, WEFT_DCT1 to 4, WEFT_DST1 to 4, WEFT_DHT",
                         i, kind, (int)p->kind);
    }
    return WEFT_OK;
}

static weft_status check_enums(const weft_params *p, const struct limits *limits)
{
    if (p->kind < WEFT_C2C || p->kind > WEFT_DHT) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "kind is %d: accepted are WEFT_C2C, WEFT_R2C, WEFT_C2R, WEFT_DCT1 to 4, "
                         "WEFT_DST1 to 4, WEFT_DHT",
                         (int)p->kind);
    }
    if (p->precision < WEFT_F32 || p->precision > WEFT_DD) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "precision is %d: accepted are WEFT_F32, WEFT_F64, WEFT_F16, WEFT_BF16, "
                         "WEFT_DD",
                         (int)p->precision);
    }
    if (!(limits->precisions & 1u << precision_computed(p->precision))) {
        return error_set(WEFT_ERROR_UNSUPPORTED, "%s has no arithmetic of this precision",
                         limits->name);
    }
    if (p->format != WEFT_INTERLEAVED && p->format != WEFT_PLANAR) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "format is %d: accepted are WEFT_INTERLEAVED, WEFT_PLANAR",
                         (int)p->format);
    }
    if (p->effort != WEFT_ESTIMATE && p->effort != WEFT_MEASURE) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "effort is %d: accepted are WEFT_ESTIMATE, WEFT_MEASURE", (int)p->effort);
    }
    if (p->out_order != WEFT_NATURAL && p->out_order != WEFT_TRANSPOSED) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "out_order is %d: accepted are WEFT_NATURAL, WEFT_TRANSPOSED",
                         (int)p->out_order);
    }
    if (p->orthonormal != 0 && p->orthonormal != 1) {
        return error_set(WEFT_ERROR_ARGUMENT, "orthonormal is %d: accepted are 0 and 1",
                         p->orthonormal);
    }
    return WEFT_OK;
}

bool values_convolve(const weft_params *p)
{
    return p->operation != WEFT_TRANSFORM;
}

static weft_status check_operation(const weft_params *p)
{
    if (p->operation < WEFT_TRANSFORM || p->operation > WEFT_CORRELATION) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "operation is %d: accepted are WEFT_TRANSFORM, WEFT_CONVOLUTION, "
                         "WEFT_CORRELATION",
                         (int)p->operation);
    }
    if (!values_convolve(p)) {
        if (p->kernels == 0 && p->kernel_distance == 0) return WEFT_OK;
        return error_set(WEFT_ERROR_ARGUMENT,
                         "kernels is %d and kernel_distance %lld: a transform has none, accepted "
                         "is 0",
                         p->kernels, (long long)p->kernel_distance);
    }
    if (p->kind != WEFT_C2C && p->kind != WEFT_R2C) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "kind is %d: accepted for a convolution are WEFT_C2C (all data complex) "
                         "and WEFT_R2C (all real)",
                         (int)p->kind);
    }
    if (p->kernels < 0) {
        return error_set(WEFT_ERROR_ARGUMENT, "kernels is %d: there is one (0) or more",
                         p->kernels);
    }
    if (p->orthonormal == 0) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT, "orthonormal is 1: accepted for a convolution is 0");
}

/* One that single precision makes 0 or infinite would destroy every result. */
weft_status values_check_scale(const char *name, double scale, weft_precision precision)
{
    if (!isfinite(scale)) {
        return error_set(WEFT_ERROR_ARGUMENT, "%s is %g: accepted are finite numbers", name, scale);
    }
    if (precision_computed(precision) != WEFT_F32 || scale == 0) return WEFT_OK;
    const float single = (float)scale;
    if (isfinite(single) && single != 0) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT,
                     "%s is %g: accepted in single precision are magnitudes from %g to %g, and 0",
                     name, scale, (double)FLT_TRUE_MIN, (double)FLT_MAX);
}

static weft_status check_rest(const char *name, double rest, weft_precision precision)
{
    if (rest == 0 || (precision == WEFT_DD && isfinite(rest))) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT,
                     "%s is %g: accepted are 0 and, with WEFT_DD, finite numbers", name, rest);
}

static weft_status check_numbers(const weft_params *p)
{
    if (p->rank < 1 || p->rank > WEFT_MAX_RANK) {
        return error_set(WEFT_ERROR_ARGUMENT, "rank is %d: accepted are 1 to %d", p->rank,
                         WEFT_MAX_RANK);
    }
    if (p->axes >> p->rank) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "axes is 0x%x: only bits 0 to %d stand for an axis of rank %d",
                         (unsigned)p->axes, p->rank - 1, p->rank);
    }
    if (p->memory_limit < 0) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "memory_limit is %lld: accepted are 0 (what there is) and bytes",
                         (long long)p->memory_limit);
    }
    if (p->threads < 0 || p->threads > MOST_THREADS) {
        return error_set(WEFT_ERROR_ARGUMENT, "threads is %d: accepted are 0 (all) to %d",
                         p->threads, MOST_THREADS);
    }
    weft_status status = values_check_scale("forward_scale", p->forward_scale, p->precision);
    if (!status) status = values_check_scale("inverse_scale", p->inverse_scale, p->precision);
    if (!status) status = check_rest("forward_scale_rest", p->forward_scale_rest, p->precision);
    return status ? status
                  : check_rest("inverse_scale_rest", p->inverse_scale_rest, p->precision);
}

uint32_t values_axes(const weft_params *p)
{
    return p->axes ? p->axes : (1u << p->rank) - 1;
}

static weft_status check_sizes(const weft_params *p)
{
    int64_t bytes = 32; /* of the largest element: no byte offset may overflow either */
    for (int i = 0; i < p->rank; i++) {
        if (p->size[i] < 1) {
            return error_set(WEFT_ERROR_SIZE, "size[%d] is %lld: sizes start at 1", i,
                             (long long)p->size[i]);
        }
        const bool first_type = values_axis_kind(p, i) == WEFT_DCT1;
        if (first_type && p->size[i] == 1 && (values_axes(p) >> i & 1)) {
            return error_set(WEFT_ERROR_SIZE,
                             "size[%d] is 1: WEFT_DCT1 is of period 2 (n - 1), so it starts at 2",
                             i);
        }
        if (!checked_multiply(bytes, p->size[i], &bytes)) {
            return error_set(WEFT_ERROR_SIZE, "size[%d] is %lld: the array would pass 2^63 bytes",
                             i, (long long)p->size[i]);
        }
    }
    if (p->batch < 0) {
        return error_set(WEFT_ERROR_SIZE, "batch is %lld: it starts at 0", (long long)p->batch);
    }
    if (!checked_multiply(bytes, p->batch, &bytes)) {
        return error_set(WEFT_ERROR_SIZE, "batch is %lld: the arrays would pass 2^63 bytes",
                         (long long)p->batch);
    }
    if (p->kernels > 0 && !checked_multiply(bytes, p->kernels, &bytes)) {
        return error_set(WEFT_ERROR_SIZE, "kernels is %d: the results would pass 2^63 bytes",
                         p->kernels);
    }
    return WEFT_OK;
}

weft_status values_check(const weft_params *p, const struct limits *limits)
{
    weft_status status = check_enums(p, limits);
    if (!status) status = check_axis_kinds(p);
    if (!status) status = check_operation(p);
    for (int i = 0; i < 2 && !status; i++) status = check_storage(p, i, limits);
    if (!status) status = check_numbers(p);
    return status ? status : check_sizes(p);
}
