#include "api/params.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/threads.h"
#include "math/factor.h"
#include "spec/kind.h"
#include "api/aliasing.h"
#include "api/hooks.h"
#include "api/ranges.h"
#include "api/values.h"

/* All dimensions of the array as the parameters give them, the batch first and a convolution's
 * kernels last. */
struct array {
    int rank;
    bool transformed[ALIASING_MOST_DIMS];
    struct dim dim[ALIASING_MOST_DIMS];
    struct range range[2][ALIASING_MOST_DIMS]; /* of the input, of the output */
    bool real_side[2]; /* likewise */
    bool halved; /* one of them is, the other has half a spectrum */
    int real;    /* the dimension of which there is half a spectrum, on a side or between two
                  * transforms; -1: none */
};

/* ---- strides ---- */

/* Whether one side is real and the other half a spectrum. */
static bool is_halved(const weft_params *p)
{
    return kind_is_half(p->kind) && !values_convolve(p);
}

static bool side_is_real(const weft_params *p, bool out)
{
    return kind_is_real(p->kind, out && !values_convolve(p));
}

/* The axis of which there is half a spectrum; -1: none. */
static int real_axis(const weft_params *p)
{
    int axis = p->rank - 1;
    while (!(values_axes(p) >> axis & 1)) axis--;
    return kind_is_half(p->kind) ? axis : -1;
}

static int64_t side_length(const weft_params *p, bool out, int axis)
{
    const bool half = is_halved(p) && axis == real_axis(p) && !side_is_real(p, out);
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

/* The results of a convolution follow one another, kernel after kernel. */
static struct dim kernel_dim(const weft_params *p, const struct side_image images[2])
{
    const int64_t packed = packed_stride(p, images, true, -1);
    return (struct dim){p->kernels ? p->kernels : 1, 0,
                        p->kernel_distance && p->batch ? p->kernel_distance : packed};
}

/* The batch and the axes as one array; a packed distance follows the whole array. An empty batch is
 * packed: it lies nowhere, so its strides may be anything. */
static void fill_array(const weft_params *p, const struct side_image images[2],
                       struct array *array)
{
    const uint32_t axes = values_axes(p);
    const bool empty = p->batch == 0;
    const int64_t *in_stride = empty ? NULL : p->in_stride;
    const int64_t *out_stride = empty ? NULL : p->out_stride;
    const int64_t in_distance = empty ? 0 : p->in_distance;
    const int64_t out_distance = empty ? 0 : p->out_distance;
    const struct dim kernel = kernel_dim(p, images);
    for (int out = 0; out < 2; out++) array->real_side[out] = side_is_real(p, out);
    array->halved = is_halved(p);
    array->real = kind_is_half(p->kind) ? real_axis(p) + 1 : -1;
    array->rank = p->rank + 2;
    array->transformed[0] = array->transformed[p->rank + 1] = false;
    array->dim[0] = (struct dim){
        p->batch, in_distance ? in_distance : packed_stride(p, images, false, -1),
        out_distance ? out_distance : kernel.n * packed_stride(p, images, true, -1)};
    array->dim[p->rank + 1] = kernel;
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
    const bool half = array->halved && i == array->real && !array->real_side[out];
    return half ? array->dim[i].n / 2 + 1 : array->dim[i].n;
}

static weft_status fill_ranges(const weft_params *p, struct array *array)
{
    memset(array->range, 0, sizeof array->range);
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < p->rank; i++) {
            const struct ranges_axis axis = {i, array_length(array, out, i + 1),
                                             array->transformed[i + 1]};
            weft_status status = ranges_read(p, out, &axis, &array->range[out][i + 1]);
            if (status) return status;
        }
    }
    return WEFT_OK;
}

/* What holds all elements of a dimension that there are. */
static struct range array_extent(const struct array *array, bool out, int i)
{
    return range_extent(array->range[out][i], array_length(array, out, i));
}

/* Widens `side` by one dimension. */
static bool extend(struct side_layout *side, struct range extent, int64_t stride)
{
    int64_t first, reach;
    if (!checked_multiply(extent.first, stride, &first)) return false;
    if (!checked_multiply(extent.count - 1, stride, &reach)) return false;
    if (!checked_add(side->first, first, &side->first)) return false;
    if (!checked_add(side->last, first, &side->last)) return false;
    int64_t *end = reach < 0 ? &side->first : &side->last;
    return checked_add(*end, reach, end);
}

static weft_status lay_out(const struct array *array, bool out, int64_t offset,
                           struct side_layout *side)
{
    const char *name = out ? "output" : "input";
    int64_t whole = 0; /* from the first element to the last, be they more than there are */
    side->offset = side->first = side->last = offset;
    for (int i = 0; i < array->rank; i++) {
        const struct range extent = array_extent(array, out, i);
        const int64_t stride = out ? array->dim[i].out_stride : array->dim[i].in_stride;
        if (array_length(array, out, i) < 2) continue;
        int64_t reach;
        if (stride == INT64_MIN || !extend(side, extent, stride) ||
            !checked_multiply(array_length(array, out, i) - 1, llabs(stride), &reach) ||
            !checked_add(whole, reach, &whole)) {
            return error_set(WEFT_ERROR_SIZE, "the %s's strides reach beyond 2^63 elements", name);
        }
        side->unit = gcd(side->unit, stride);
    }
    int64_t bytes; /* plans keep places of elements that ranges leave out, too */
    if (!checked_multiply(side->last, 32, &bytes) || !checked_multiply(whole, 32, &bytes)) {
        return error_set(WEFT_ERROR_SIZE, "the %s reaches beyond 2^63 bytes", name);
    }
    if (side->first < 0) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "the %s reaches %llu elements before its buffer: its offset must be "
                         "greater by that",
                         name, 0 - (unsigned long long)side->first);
    }
    if (offset < 0) {
        return error_set(WEFT_ERROR_LAYOUT, "the %s's offset is %lld: it starts at 0", name,
                         (long long)offset);
    }
    return WEFT_OK;
}

/* Whether strides or offsets lead to one place: a complex element is two reals. */
static bool same_step(const struct array *array, int64_t in, int64_t out)
{
    if (!array->halved) return in == out;
    const int64_t real = array->real_side[0] ? in : out;
    const int64_t complex = array->real_side[0] ? out : in;
    return real % 2 == 0 && real / 2 == complex;
}

static bool same_layout(const struct array *array, const struct layout *layout)
{
    const struct side_layout *in = &layout->in, *out = &layout->out;
    if (array->halved && (in->planar || out->planar || in->image || out->image))
        return false;
    for (int i = 0; i < array->rank; i++) {
        const struct dim *dim = &array->dim[i];
        const bool line = array->halved && i == array->real; /* of neighbours on both sides */
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
    const weft_storage storage = values_storage(p, out);
    return storage ? storage_bytes(storage) : precision_bytes(precision_computed(p->precision));
}

/* Of one side, all but where it lies. */
static void describe_side(const weft_params *p, const struct side_image *image, bool out,
                          struct side_layout *side)
{
    const bool real = side_is_real(p, out);
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
    struct dim dim[ALIASING_MOST_DIMS];
    for (int i = 0; i < array->rank; i++) {
        dim[i] = array->dim[i];
        dim[i].n = array_extent(array, true, i).count;
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
    const int channels = side_is_real(p, out) ? 1 : 2;
    const struct texels *texels = &image->texels;
    if (!texels->format) return WEFT_OK;
    if (kind_is_trigonometric(p->kind)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "the %s is an image: accepted are WEFT_C2C, WEFT_R2C, WEFT_C2R", name);
    }
    if (p->precision != WEFT_F32 || values_storage(p, out) || p->effort != WEFT_ESTIMATE) {
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

/* What an axis takes; of a convolution, what going there and back multiplies by, undone. */
static struct extended axis_scale(const weft_params *p, bool inverse, int axis)
{
    const struct extended one = {1, 0}, n = {(double)p->size[axis], 0};
    const weft_kind given = values_axis_kind(p, axis), kind = inverse ? kind_inverse(given) : given;
    if (values_convolve(p)) return extended_divide(one, n);
    return kind_axis_scale(kind, p->size[axis], p->orthonormal);
}

/* Of a direction: the caller's, and what the axes take that need it. */
static weft_status fill_scale(const weft_params *p, weft_direction direction,
                              struct problem *problem)
{
    const bool inverse = direction == WEFT_INVERSE && !values_convolve(p);
    const double given = inverse ? p->inverse_scale : p->forward_scale;
    const double rest = inverse ? p->inverse_scale_rest : p->forward_scale_rest;
    struct extended scale = given != 0 ? extended_sum(given, rest) : (struct extended){1, 0};
    for (int i = 0; i < p->rank; i++) {
        if (values_axes(p) >> i & 1) scale = extended_multiply(scale, axis_scale(p, inverse, i));
    }
    problem->scale[direction] = scale.hi;
    if (problem->precision == WEFT_DD) problem->scale_rest[direction] = scale.lo;
    return values_check_scale(inverse ? "inverse_scale, with what the kind multiplies by,"
                                      : "forward_scale, with what the kind multiplies by,",
                              scale.hi, p->precision);
}

static weft_status fill_hooks(const weft_params *p, const struct array *array,
                              struct problem *problem)
{
    struct hook_dims dims = {.count = p->rank + 1};
    for (int i = 0; i < dims.count; i++) {
        const int64_t n = array->dim[i].n;
        dims.dim[i] = (struct hook_dim){
            n, {array_length(array, false, i), array_length(array, true, i)},
            array->transformed[i], n != 1 || i == array->real};
    }
    return hooks_fill(p, &dims, problem);
}

static void fill_dims(const weft_params *p, const struct array *array, struct problem *problem)
{
    for (int i = 0; i <= p->rank; i++) {
        if (array->dim[i].n == 1 && i != array->real) continue;
        if (!array->transformed[i]) {
            problem->loop[problem->loops++] = array->dim[i];
            continue;
        }
        for (int out = 0; out < 2; out++)
            problem->range[out][problem->axes] = array->range[out][i];
        problem_set_axis_kind(problem, problem->axes, values_axis_kind(p, i - 1));
        problem->axis[problem->axes++] = array->dim[i];
    }
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
        problem->side[i].storage = values_storage(p, i);
        problem->side[i].texels = images[i].texels;
    }
    problem->operation = p->operation;
    if (p->kind == WEFT_C2C && !values_convolve(p)) problem->order = p->out_order;
    if (values_convolve(p)) problem->kernel = array->dim[p->rank + 1];
    fill_dims(p, array, problem);
    if (problem_has_ranges(problem)) problem->order = WEFT_NATURAL;
    weft_status status = fill_scale(p, WEFT_FORWARD, problem);
    if (!status) status = fill_scale(p, WEFT_INVERSE, problem);
    return status ? status : fill_hooks(p, array, problem);
}

weft_status params_check(const weft_params *params, const struct side_image images[2],
                         const struct limits *limits, struct problem *problem,
                         struct layout *layout)
{
    struct array array;
    weft_status status = values_check(params, limits);
    for (int i = 0; i < 2 && !status; i++) status = check_image(params, &images[i], i == 1);
    if (status) return status;
    fill_array(params, images, &array);
    status = fill_ranges(params, &array);
    if (!status) status = check_image_strides(&array, images);
    if (!status) status = check_layout(params, images, &array, layout);
    return status ? status : fill_problem(params, images, &array, problem);
}
