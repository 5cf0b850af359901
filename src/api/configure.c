/* The functions of weft/configure.h: rectangles into strides and offsets, and two calls into plans.
 */
#include <weft/configure.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"

enum { SPATIAL, FREQUENCY, DOMAINS };

/* One placement's plans for one direction. */
struct steps {
    weft_plan *widen; /* reals to complex numbers, the rest is done in place; NULL: nothing is */
    weft_plan *transform;
};

struct weft_configuration {
    weft_device *device;
    weft_domain_format format[DOMAINS];
    int64_t size[2]; /* columns, rows */
    int64_t width[DOMAINS];
    unsigned mask;
    struct steps steps[2]; /* by direction, of data that begin at their rectangles' first texel */
};

/* ---- what is asked for ---- */

static weft_status check_formats(weft_domain_format spatial, weft_domain_format frequency,
                                 unsigned mask)
{
    const bool known = (spatial == WEFT_REAL && frequency == WEFT_HALF_COMPLEX) ||
                       ((spatial == WEFT_REAL || spatial == WEFT_COMPLEX) &&
                        frequency == WEFT_COMPLEX);
    if (!known) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_configure: formats are %d and %d: accepted are WEFT_REAL with "
                         "WEFT_HALF_COMPLEX or WEFT_COMPLEX, and WEFT_COMPLEX with WEFT_COMPLEX",
                         (int)spatial, (int)frequency);
    }
    if (mask >= 1 && mask <= (WEFT_ROWS | WEFT_COLUMNS)) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT,
                     "weft_configure: dim_mask is %u: accepted are WEFT_ROWS, WEFT_COLUMNS and "
                     "both",
                     mask);
}

static bool is_real(const weft_configuration *c, int domain)
{
    return c->format[domain] == WEFT_REAL;
}

/* The plans' axes: rows of data are their last. */
static uint32_t axes_of(const weft_configuration *c)
{
    return (c->mask & WEFT_ROWS ? 2u : 0) | (c->mask & WEFT_COLUMNS ? 1u : 0);
}

static int64_t columns_in(const weft_configuration *c, int domain)
{
    const bool half = c->format[domain] == WEFT_HALF_COMPLEX && c->mask & WEFT_ROWS;
    return half ? c->size[0] / 2 + 1 : c->size[0];
}

/* ---- rectangles ---- */

/* Where a domain's elements lie, as weft_params says it. */
struct placement {
    int64_t stride[3]; /* of rows, of elements, and of an axis of length 1 */
    int64_t offset;
};

static weft_status check_channels(const weft_configuration *c, int domain,
                                  const weft_rectangle *rectangle, int channels)
{
    const int needed = is_real(c, domain) ? 1 : 2;
    const char *name = domain == SPATIAL ? "spatial" : "frequency";
    const bool pairs = (channels | rectangle->channel) % needed == 0;
    if (pairs && channels >= needed && rectangle->channel >= 0 &&
        rectangle->channel <= channels - needed) {
        return WEFT_OK;
    }
    return error_set(WEFT_ERROR_ARGUMENT,
                     "weft_compute: channel %d of %d in the %s domain: %s are accepted",
                     rectangle->channel, channels, name,
                     needed == 1 ? "those of 1 or more" : "even ones of an even number of them");
}

static weft_status check_reach(const weft_configuration *c, int domain,
                               const weft_rectangle *rectangle)
{
    const int64_t room = c->width[domain] - columns_in(c, domain);
    if (rectangle->origin[0] >= 0 && rectangle->origin[1] >= 0 && rectangle->origin[0] <= room) {
        return WEFT_OK;
    }
    return error_set(WEFT_ERROR_LAYOUT,
                     "weft_compute: the %s data begin at column %lld, row %lld: accepted are "
                     "columns 0 to %lld, and rows from 0 on",
                     domain == SPATIAL ? "spatial" : "frequency",
                     (long long)rectangle->origin[0], (long long)rectangle->origin[1],
                     (long long)room);
}

static weft_status place(const weft_configuration *c, int domain, const weft_rectangle *rectangle,
                         struct placement *placement)
{
    const int needed = is_real(c, domain) ? 1 : 2;
    const int channels = rectangle->channels ? rectangle->channels : needed;
    weft_status status = check_channels(c, domain, rectangle, channels);
    if (!status) status = check_reach(c, domain, rectangle);
    if (status) return status;
    const int64_t texel = channels / needed;
    int64_t pitch, first;
    if (!checked_multiply(c->width[domain], texel, &pitch) ||
        !checked_multiply(rectangle->origin[1], pitch, &first) ||
        !checked_add(first, rectangle->origin[0] * texel + rectangle->channel / needed, &first)) {
        return error_set(WEFT_ERROR_SIZE, "weft_compute: the %s rectangle passes 2^63 elements",
                         domain == SPATIAL ? "spatial" : "frequency");
    }
    *placement = (struct placement){{pitch, texel, 1}, first};
    return WEFT_OK;
}

/* ---- plans ---- */

static weft_params start_params(const weft_configuration *c, weft_kind kind,
                                const struct placement *in, const struct placement *out)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = kind;
    params.rank = 2;
    params.size[0] = c->size[1];
    params.size[1] = c->size[0];
    params.axes = axes_of(c);
    params.in_stride = in->stride;
    params.out_stride = out->stride;
    params.in_offset = in->offset;
    params.out_offset = out->offset;
    params.threads = 0;
    return params;
}

/* A spectrum of one number is that number: reals along an axis of length 1 become complex. */
static weft_status make_widening(const weft_configuration *c, const struct placement *in,
                                 const struct placement *out, weft_plan **plan)
{
    weft_params params = start_params(c, WEFT_R2C, in, out);
    params.rank = 3;
    params.size[2] = 1;
    params.axes = 4;
    return weft_plan_create(c->device, &params, plan);
}

static double points(const weft_configuration *c)
{
    return (c->mask & WEFT_ROWS ? (double)c->size[0] : 1) *
           (c->mask & WEFT_COLUMNS ? (double)c->size[1] : 1);
}

static weft_status make_forward(const weft_configuration *c, const struct placement *spatial,
                                const struct placement *frequency, struct steps *steps)
{
    const bool real = is_real(c, SPATIAL), half = c->format[FREQUENCY] == WEFT_HALF_COMPLEX;
    const bool widens = real && !half;
    weft_status status =
        widens ? make_widening(c, spatial, frequency, &steps->widen) : WEFT_OK;
    if (status) return status;
    const weft_params params = start_params(c, half ? WEFT_R2C : WEFT_C2C,
                                            widens ? frequency : spatial, frequency);
    return weft_plan_create(c->device, &params, &steps->transform);
}

static weft_status make_inverse(const weft_configuration *c, const struct placement *spatial,
                                const struct placement *frequency, struct steps *steps)
{
    weft_params params =
        start_params(c, is_real(c, SPATIAL) ? WEFT_C2R : WEFT_C2C, frequency, spatial);
    params.inverse_scale = 1 / points(c);
    return weft_plan_create(c->device, &params, &steps->transform);
}

static void destroy_steps(struct steps *steps)
{
    weft_plan_destroy(&steps->widen);
    weft_plan_destroy(&steps->transform);
}

/* Nothing is left of steps that failed. */
static weft_status make_steps(const weft_configuration *c, bool inverse,
                              const weft_computation *computation, struct steps *steps)
{
    struct placement spatial, frequency;
    *steps = (struct steps){NULL, NULL};
    weft_status status = place(c, SPATIAL, &computation->spatial, &spatial);
    if (!status) status = place(c, FREQUENCY, &computation->frequency, &frequency);
    if (status) return status;
    status = inverse ? make_inverse(c, &spatial, &frequency, steps)
                     : make_forward(c, &spatial, &frequency, steps);
    if (status) destroy_steps(steps);
    return status;
}

/* ---- configuring ---- */

static const weft_computation no_computation;

static weft_status check_data(const weft_configuration *c)
{
    if (c->size[0] < 1 || c->size[1] < 1) {
        return error_set(WEFT_ERROR_SIZE,
                         "weft_configure: data_size is %lld x %lld: sizes start at 1",
                         (long long)c->size[0], (long long)c->size[1]);
    }
    for (int domain = 0; domain < DOMAINS; domain++) {
        if (c->width[domain] >= columns_in(c, domain)) continue;
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_configure: the %s rectangle is %lld wide, its data take %lld",
                         domain == SPATIAL ? "spatial" : "frequency", (long long)c->width[domain],
                         (long long)columns_in(c, domain));
    }
    return WEFT_OK;
}

static weft_status fill(weft_configuration *c)
{
    weft_status status = check_data(c);
    for (int inverse = 0; inverse < 2 && !status; inverse++)
        status = make_steps(c, inverse, &no_computation, &c->steps[inverse]);
    return status;
}

weft_status weft_configure(weft_device *device, weft_domain_format spatial_format,
                           weft_domain_format frequency_format, const int64_t data_size[2],
                           int64_t spatial_rect_width, int64_t frequency_rect_width,
                           unsigned dim_mask, weft_configuration **configuration)
{
    if (!device || !data_size || !configuration) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_configure: %s is NULL",
                         !device      ? "device"
                         : !data_size ? "data_size"
                                      : "configuration");
    }
    weft_status status = check_formats(spatial_format, frequency_format, dim_mask);
    if (status) return status;
    weft_configuration *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return error_memory("a configuration");
    *made = (weft_configuration){.device = device,
                                 .format = {spatial_format, frequency_format},
                                 .size = {data_size[0], data_size[1]},
                                 .width = {spatial_rect_width, frequency_rect_width},
                                 .mask = dim_mask};
    status = fill(made);
    if (status)
        weft_configuration_destroy(&made);
    else
        *configuration = made;
    return status;
}

void weft_configuration_destroy(weft_configuration **configuration)
{
    if (!configuration || !*configuration) return;
    for (int inverse = 0; inverse < 2; inverse++)
        destroy_steps(&(*configuration)->steps[inverse]);
    memory_free(*configuration);
    *configuration = NULL;
}

/* ---- computing ---- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t temporary_bytes(const struct steps *steps)
{
    return larger(weft_plan_scratch_bytes(steps->widen), weft_plan_scratch_bytes(steps->transform));
}

size_t weft_configuration_temporary_bytes(const weft_configuration *c)
{
    return c ? larger(temporary_bytes(&c->steps[0]), temporary_bytes(&c->steps[1])) : 0;
}

static weft_status run(const struct steps *steps, bool inverse, const weft_buffer *in,
                       weft_buffer *out, weft_buffer *temporary)
{
    const weft_execution execution = {.scratch = temporary};
    weft_status status = WEFT_OK;
    if (steps->widen)
        status = weft_execute_with(steps->widen, WEFT_FORWARD, in, out, &execution);
    if (status) return status;
    return weft_execute_with(steps->transform, inverse ? WEFT_INVERSE : WEFT_FORWARD,
                             steps->widen ? out : in, out, &execution);
}

weft_status weft_compute(const weft_configuration *configuration, int inverse,
                         const weft_buffer *in, weft_buffer *out)
{
    if (!configuration) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_compute: configuration is NULL");
    }
    return run(&configuration->steps[inverse != 0], inverse, in, out, NULL);
}

weft_status weft_compute_with(const weft_configuration *configuration, int inverse,
                              const weft_buffer *in, weft_buffer *out,
                              const weft_computation *computation)
{
    if (!configuration) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_compute: configuration is NULL");
    }
    if (!computation) computation = &no_computation;
    struct steps steps;
    weft_status status = make_steps(configuration, inverse, computation, &steps);
    if (status) return status;
    status = run(&steps, inverse, in, out, computation->temporary);
    destroy_steps(&steps);
    return status;
}
