#include "api/params.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/threads.h"
#include "math/factor.h"
#include "spec/kind.h"
#include "api/aliasing.h"
#include "api/hooks.h"

/* More threads than any machine profits from, and few enough that a workspace each fits. */
#define MOST_THREADS 4096

/* All dimensions of the array, batch first, as the parameters give them. */
struct array {
    int rank;
    bool transformed[PROBLEM_MAX_DIMS];
    struct dim dim[PROBLEM_MAX_DIMS];
    weft_kind kind;
    int real; /* the dimension of which the complex side has half; -1: none */
};

/* ---- values ---- */

/* What the side's numbers are in memory where the arithmetic is another; 0: the same. */
static weft_storage side_storage(const weft_params *p, bool out)
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
    const weft_storage storage = side_storage(p, out);
    const uint32_t storages = p->precision == WEFT_DD ? 0 : limits->storages;
    if (!storage || storages >> storage & 1) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED, "%s cannot %s numbers stored as %s%s", limits->name,
                     out ? "write" : "read", storage_names[storage],
                     p->precision == WEFT_DD ? " in WEFT_DD, which takes none but its own" : "");
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
    if (p->orthonormal != 0 && p->orthonormal != 1) {
        return error_set(WEFT_ERROR_ARGUMENT, "orthonormal is %d: accepted are 0 and 1",
                         p->orthonormal);
    }
    return WEFT_OK;
}

/* A scale that single precision makes 0 or infinite would destroy every result. */
static weft_status check_scale(const char *name, double scale, weft_precision precision)
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
    weft_status status = check_scale("forward_scale", p->forward_scale, p->precision);
    if (!status) status = check_scale("inverse_scale", p->inverse_scale, p->precision);
    if (!status) status = check_rest("forward_scale_rest", p->forward_scale_rest, p->precision);
    return status ? status
                  : check_rest("inverse_scale_rest", p->inverse_scale_rest, p->precision);
}

static uint32_t transformed_axes(const weft_params *p)
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
        if (p->kind == WEFT_DCT1 && p->size[i] == 1 && (transformed_axes(p) >> i & 1)) {
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
    return WEFT_OK;
}

/* ---- strides ---- */

/* The axis of which the complex side has half; -1: none. */
static int real_axis(const weft_params *p)
{
    int axis = p->rank - 1;
    while (!(transformed_axes(p) >> axis & 1)) axis--;
    return kind_is_half(p->kind) ? axis : -1;
}

static int64_t side_length(const weft_params *p, bool out, int axis)
{
    const bool half = axis == real_axis(p) && !kind_is_real(p->kind, out);
    return half ? p->size[axis] / 2 + 1 : p->size[axis];
}

/* The product of the lengths of the axes behind this one: its packed stride. Rows of an image are
 * as long as that is wide. */
static int64_t packed_stride(const weft_params *p, const struct side_image images[2], bool out,
                             int axis)
{
    const int64_t width = images[out].texels.width;
    int64_t stride = 1;
    for (int i = axis + 1; i < p->rank; i++)
        stride *= width && i == p->rank - 1 ? width : side_length(p, out, i);
    return stride;
}

/* The batch and the axes as one array; a packed distance follows the whole array. An empty batch is
 * packed: it lies nowhere, so its strides may be anything. */
static void fill_array(const weft_params *p, const struct side_image images[2],
                       struct array *array)
{
    const uint32_t axes = transformed_axes(p);
    const bool empty = p->batch == 0;
    const int64_t *in_stride = empty ? NULL : p->in_stride;
    const int64_t *out_stride = empty ? NULL : p->out_stride;
    const int64_t in_distance = empty ? 0 : p->in_distance;
    const int64_t out_distance = empty ? 0 : p->out_distance;
    array->kind = p->kind;
    array->real = kind_is_half(p->kind) ? real_axis(p) + 1 : -1;
    array->rank = p->rank + 1;
    array->transformed[0] = false;
    array->dim[0] =
        (struct dim){p->batch, in_distance ? in_distance : packed_stride(p, images, false, -1),
                     out_distance ? out_distance : packed_stride(p, images, true, -1)};
    for (int i = 0; i < p->rank; i++) {
        array->transformed[i + 1] = axes >> i & 1;
        array->dim[i + 1] =
            (struct dim){p->size[i], in_stride ? in_stride[i] : packed_stride(p, images, false, i),
                         out_stride ? out_stride[i] : packed_stride(p, images, true, i)};
    }
}

/* Elements along a dimension on that side. */
static int64_t array_length(const struct array *array, bool out, int i)
{
    const bool half = i == array->real && !kind_is_real(array->kind, out);
    return half ? array->dim[i].n / 2 + 1 : array->dim[i].n;
}

/* Widens `side` by one dimension. */
static bool extend(struct side_layout *side, int64_t n, int64_t stride)
{
    int64_t reach;
    if (!checked_multiply(n - 1, stride, &reach)) return false;
    int64_t *end = reach < 0 ? &side->first : &side->last;
    return checked_add(*end, reach, end);
}

static weft_status lay_out(const struct array *array, bool out, int64_t offset,
                           struct side_layout *side)
{
    const char *name = out ? "output" : "input";
    side->offset = side->first = side->last = offset;
    for (int i = 0; i < array->rank; i++) {
        const int64_t n = array_length(array, out, i);
        const int64_t stride = out ? array->dim[i].out_stride : array->dim[i].in_stride;
        if (n < 2) continue;
        if (stride == INT64_MIN || !extend(side, n, stride)) {
            return error_set(WEFT_ERROR_SIZE, "the %s's strides reach beyond 2^63 elements", name);
        }
        side->unit = gcd(side->unit, stride);
    }
    int64_t bytes;
    if (!checked_multiply(side->last, 32, &bytes)) {
        return error_set(WEFT_ERROR_SIZE, "the %s reaches beyond 2^63 bytes", name);
    }
    if (side->first < 0) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "the %s reaches %llu elements before its buffer: its offset must be "
                         "greater by that",
                         name, 0 - (unsigned long long)side->first);
    }
    return WEFT_OK;
}

/* Whether strides or offsets lead to one place: a complex element is two reals. */
static bool same_step(const struct array *array, int64_t in, int64_t out)
{
    if (!kind_is_half(array->kind)) return in == out;
    const int64_t real = array->kind == WEFT_R2C ? in : out;
    const int64_t complex = array->kind == WEFT_R2C ? out : in;
    return real % 2 == 0 && real / 2 == complex;
}

static bool same_layout(const struct array *array, const struct layout *layout)
{
    const struct side_layout *in = &layout->in, *out = &layout->out;
    if (kind_is_half(array->kind) && (in->planar || out->planar || in->image || out->image))
        return false;
    for (int i = 0; i < array->rank; i++) {
        const struct dim *dim = &array->dim[i];
        const bool line = i == array->real; /* of neighbours on both sides */
        if (dim->n < 2) continue;
        if (line ? dim->in_stride != 1 || dim->out_stride != 1
                 : !same_step(array, dim->in_stride, dim->out_stride)) {
            return false;
        }
    }
    return same_step(array, layout->in.offset, layout->out.offset);
}

/* Of a real number in memory. */
static int side_bytes(const weft_params *p, bool out)
{
    const weft_storage storage = side_storage(p, out);
    return storage ? storage_bytes(storage) : precision_bytes(precision_computed(p->precision));
}

/* Of one side, all but where it lies. */
static void describe_side(const weft_params *p, const struct side_image *image, bool out,
                          struct side_layout *side)
{
    const bool real = kind_is_real(p->kind, out);
    const size_t bytes = (size_t)side_bytes(p, out);
    side->real = real;
    side->planar = p->format == WEFT_PLANAR && !real;
    side->misaligned = (bytes < sizeof(double) ? bytes : sizeof(double)) - 1;
    side->element_bytes = real || side->planar ? bytes : 2 * bytes;
    if (!image->texels.format) return;
    side->image = texels_shape(&image->texels);
    side->planar = false;
    side->element_bytes = 1;
    side->misaligned = 0;
}

/* No two elements of the output may share a place. */
static weft_status check_output(const struct array *array)
{
    struct dim dim[PROBLEM_MAX_DIMS];
    for (int i = 0; i < array->rank; i++) {
        dim[i] = array->dim[i];
        dim[i].n = array_length(array, true, i);
    }
    return aliasing_check(array->rank, dim);
}

static weft_status fits_image(const struct side_image *image, const struct side_layout *side,
                              const char *name)
{
    if (!image->texels.format || side->bytes <= (size_t)image->count) return WEFT_OK;
    return error_set(WEFT_ERROR_LAYOUT,
                     "the %s reaches texel %zu of its image, which has %lld in rows of %lld", name,
                     side->bytes - 1, (long long)image->count, (long long)image->texels.width);
}

static weft_status check_layout(const weft_params *p, const struct side_image images[2],
                                const struct array *array, struct layout *layout)
{
    memset(layout, 0, sizeof *layout);
    describe_side(p, &images[0], false, &layout->in);
    describe_side(p, &images[1], true, &layout->out);
    if (p->batch == 0) {
        layout->in.last = layout->out.last = -1;
        layout->same = true;
        return WEFT_OK;
    }
    weft_status status = lay_out(array, false, p->in_offset, &layout->in);
    if (!status) status = lay_out(array, true, p->out_offset, &layout->out);
    if (!status) status = check_output(array);
    if (status) return status;
    layout->in.bytes = (size_t)(layout->in.last + 1) * layout->in.element_bytes;
    layout->out.bytes = (size_t)(layout->out.last + 1) * layout->out.element_bytes;
    layout->same = side_bytes(p, false) == side_bytes(p, true) && same_layout(array, layout);
    status = fits_image(&images[0], &layout->in, "input");
    return status ? status : fits_image(&images[1], &layout->out, "output");
}

/* ---- images ---- */

static weft_status check_image(const weft_params *p, const struct side_image *image, bool out)
{
    const char *name = out ? "output" : "input";
    const int channels = kind_is_real(p->kind, out) ? 1 : 2;
    const struct texels *texels = &image->texels;
    if (!texels->format) return WEFT_OK;
    if (kind_is_trigonometric(p->kind)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "the %s is an image: accepted are WEFT_C2C, WEFT_R2C, WEFT_C2R", name);
    }
    if (p->precision != WEFT_F32 || side_storage(p, out) || p->effort != WEFT_ESTIMATE) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "the %s is an image: accepted are WEFT_F32, WEFT_STORED_AS_COMPUTED and "
                         "WEFT_ESTIMATE",
                         name);
    }
    if (texels->channel < 0 || texels->channel > texels->channels - channels) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "the %s takes %d of its image's channels from %d on; there are %d", name,
                         channels, texels->channel, texels->channels);
    }
    return WEFT_OK;
}

/* Texels are addressed without a sign, and a draft of the output is laid out as they are. */
static weft_status check_image_strides(const struct array *array,
                                       const struct side_image images[2])
{
    for (int i = 0; i < array->rank; i++) {
        const struct dim *dim = &array->dim[i];
        if (images[0].texels.format && dim->in_stride < 0) break;
        if (images[1].texels.format && dim->out_stride < 0) break;
        if (i == array->rank - 1) return WEFT_OK;
    }
    return error_set(WEFT_ERROR_UNSUPPORTED, "an image's strides are 0 and more");
}

/* ---- the problem ---- */

/* Of a direction: the caller's, and what the axes take that need it. */
static weft_status fill_scale(const weft_params *p, weft_direction direction,
                              struct problem *problem)
{
    const bool inverse = direction == WEFT_INVERSE;
    const weft_kind kind = inverse ? kind_inverse(p->kind) : p->kind;
    const double given = inverse ? p->inverse_scale : p->forward_scale;
    const double rest = inverse ? p->inverse_scale_rest : p->forward_scale_rest;
    struct extended scale = given != 0 ? extended_sum(given, rest) : (struct extended){1, 0};
    for (int i = 0; i < p->rank; i++) {
        if (transformed_axes(p) >> i & 1)
            scale = extended_multiply(
                scale, kind_axis_scale(kind, p->size[i], p->orthonormal));
    }
    problem->scale[direction] = scale.hi;
    if (problem->precision == WEFT_DD) problem->scale_rest[direction] = scale.lo;
    return check_scale(inverse ? "inverse_scale, with what the kind multiplies by,"
                               : "forward_scale, with what the kind multiplies by,",
                       scale.hi, p->precision);
}

static weft_status fill_hooks(const weft_params *p, const struct array *array,
                              struct problem *problem)
{
    struct hook_dims dims = {.count = array->rank};
    for (int i = 0; i < array->rank; i++) {
        const int64_t n = array->dim[i].n;
        dims.dim[i] = (struct hook_dim){
            n, {array_length(array, false, i), array_length(array, true, i)},
            array->transformed[i], n != 1 || i == array->real};
    }
    return hooks_fill(p, &dims, problem);
}

static weft_status fill_problem(const weft_params *p, const struct side_image images[2],
                                const struct array *array, struct problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->kind = p->kind;
    problem->precision = precision_computed(p->precision);
    problem->format = p->format;
    problem->orthonormal = p->orthonormal && kind_is_trigonometric(p->kind);
    problem->threads = p->threads ? p->threads : threads_available();
    for (int i = 0; i < 2; i++) {
        problem->side[i].storage = side_storage(p, i);
        problem->side[i].texels = images[i].texels;
    }
    for (int i = 0; i < array->rank; i++) {
        if (array->dim[i].n == 1 && i != array->real) continue;
        if (array->transformed[i]) {
            problem->axis[problem->axes++] = array->dim[i];
        } else {
            problem->loop[problem->loops++] = array->dim[i];
        }
    }
    weft_status status = fill_scale(p, WEFT_FORWARD, problem);
    if (!status) status = fill_scale(p, WEFT_INVERSE, problem);
    return status ? status : fill_hooks(p, array, problem);
}

weft_status params_check(const weft_params *params, const struct side_image images[2],
                         const struct limits *limits, struct problem *problem,
                         struct layout *layout)
{
    struct array array;
    weft_status status = check_enums(params, limits);
    for (int i = 0; i < 2 && !status; i++) status = check_storage(params, i, limits);
    if (!status) status = check_numbers(params);
    if (!status) status = check_sizes(params);
    for (int i = 0; i < 2 && !status; i++) status = check_image(params, &images[i], i == 1);
    if (status) return status;
    fill_array(params, images, &array);
    status = check_image_strides(&array, images);
    if (!status) status = check_layout(params, images, &array, layout);
    return status ? status : fill_problem(params, images, &array, problem);
}
