#include "stream/convolve.h"

#include "base/checked.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/extended.h"
#include "spec/kind.h"

/* Numbers that the host multiplies at a time: they stay in a cache. */
#define PRODUCT_ELEMENTS 1024

/* ---- making ---- */

/* Rows of the spectrum behind each other, the axes and then the loops, on that side. */
static void pack_side(const struct problem *convolution, bool out, struct problem *p)
{
    int64_t stride = 1;
    for (int i = p->axes - 1; i >= 0; i--) {
        const bool half = kind_is_half(convolution->kind) && i == p->axes - 1;
        *(out ? &p->axis[i].out_stride : &p->axis[i].in_stride) = stride;
        stride *= half ? p->axis[i].n / 2 + 1 : p->axis[i].n;
    }
    for (int i = p->loops - 1; i >= 0; i--) {
        *(out ? &p->loop[i].out_stride : &p->loop[i].in_stride) = stride;
        stride *= p->loop[i].n;
    }
    for (int i = 0; i < p->axes; i++) p->range[out][i] = (struct range){0, 0};
    p->side[out].storage = WEFT_STORED_AS_COMPUTED;
    p->hooks.source[out][0] = 0;
}

/* The transform there, or back, of which the latter scales. */
static struct problem problem_of(const struct problem *convolution, bool back)
{
    struct problem p = *convolution;
    p.operation = WEFT_TRANSFORM;
    p.kernel = (struct dim){0, 0, 0};
    p.scale[0] = p.scale[1] = 1;
    p.scale_rest[0] = p.scale_rest[1] = 0;
    pack_side(convolution, !back, &p);
    if (!back) return p;
    if (kind_is_half(p.kind)) p.kind = WEFT_C2R;
    p.scale[WEFT_INVERSE] = convolution->scale[WEFT_FORWARD];
    p.scale_rest[WEFT_INVERSE] = convolution->scale_rest[WEFT_FORWARD];
    return p;
}

/* Of an array between; -1: two of them, and what else a run needs, are more than can be counted. */
static int64_t elements_between(const struct problem *p)
{
    int64_t n = problem_spectrum_elements(p), bytes;
    for (int i = 0; i < p->loops; i++) {
        if (!checked_multiply(n, p->loop[i].n, &n)) return -1;
    }
    return checked_multiply(n, 8 * 2 * precision_bytes(p->precision), &bytes) ? n : -1;
}

weft_status convolve_make(struct stream *s)
{
    if (hook_exists(&s->problem.hooks, true)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "a convolution that streams applies no store_hook: accepted is NULL");
    }
    s->spare_elements = elements_between(&s->problem);
    if (s->spare_elements < 0) {
        return error_set(WEFT_ERROR_SIZE, "what lies between the transforms of the convolution has "
                                          "2^63 bytes or more");
    }
    weft_status status = WEFT_OK;
    for (int back = 0; back < 2 && !status; back++) {
        const struct problem p = problem_of(&s->problem, back);
        status = stream_create(s->device, &p, s->limit, &s->way[back]);
    }
    return status;
}

/* ---- memory ---- */

static size_t element_bytes(const struct stream *s)
{
    return 2 * (size_t)precision_bytes(s->problem.precision);
}

/* Several kernels have the forward transform in common. */
static int64_t arrays_between(const struct stream *s)
{
    return s->problem.kernel.n > 1 ? 2 : 1;
}

size_t convolve_spare_bytes(const struct stream *s)
{
    const size_t there = stream_spare_bytes(s->way[0]), back = stream_spare_bytes(s->way[1]);
    return (size_t)(arrays_between(s) * s->spare_elements) * element_bytes(s) +
           (there > back ? there : back);
}

static struct far further(const struct far *far, int64_t elements)
{
    struct far moved = *far;
    moved.first += elements;
    return moved;
}

/* ---- the product ---- */

/* So many elements one behind the other. */
static struct box box_of(const struct stream *s, const struct far *far, int64_t first, int64_t n)
{
    const int64_t bytes = (int64_t)element_bytes(s);
    return (struct box){.dims = 1,
                        .dim = {{n, bytes, bytes}},
                        .far = (far->first + first) * bytes,
                        .element = (size_t)bytes};
}

static void multiply_floats(int64_t n, float sign, const float *h, float *x)
{
    for (int64_t i = 0; i < 2 * n; i += 2) {
        const float re = x[i], im = x[i + 1], h_im = sign * h[i + 1];
        x[i] = re * h[i] - im * h_im;
        x[i + 1] = re * h_im + im * h[i];
    }
}

static void multiply_doubles(int64_t n, double sign, const double *h, double *x)
{
    for (int64_t i = 0; i < 2 * n; i += 2) {
        const double re = x[i], im = x[i + 1], h_im = sign * h[i + 1];
        x[i] = re * h[i] - im * h_im;
        x[i + 1] = re * h_im + im * h[i];
    }
}

static void multiply_extended(int64_t n, double sign, const struct extended *h, struct extended *x)
{
    for (int64_t i = 0; i < 2 * n; i += 2) {
        const struct extended re = x[i], im = x[i + 1];
        const struct extended h_im = {sign * h[i + 1].hi, sign * h[i + 1].lo};
        x[i] = extended_add(extended_multiply(re, h[i]),
                            extended_negate(extended_multiply(im, h_im)));
        x[i + 1] = extended_add(extended_multiply(re, h_im), extended_multiply(im, h[i]));
    }
}

static void multiply(const struct stream *s, int64_t n, const void *h, void *x)
{
    const int sign = s->problem.operation == WEFT_CORRELATION ? -1 : 1;
    if (s->problem.precision == WEFT_F32) multiply_floats(n, (float)sign, h, x);
    else if (s->problem.precision == WEFT_F64) multiply_doubles(n, sign, h, x);
    else multiply_extended(n, sign, h, x);
}

/* Arrays between, and room for two runs of them. */
struct product {
    const struct stream *stream;
    struct far middle, products, spectrum;
    char *run[2];
};

static weft_status multiply_run(const struct product *p, int64_t spectrum, int64_t first, int64_t n)
{
    const struct stream *s = p->stream;
    const struct box factor = box_of(s, &p->spectrum, spectrum, n);
    const struct box from = box_of(s, &p->middle, first, n), to = box_of(s, &p->products, first, n);
    weft_status status = far_gather(&p->spectrum, 0, &factor, p->run[0]);
    if (!status) status = far_gather(&p->middle, 0, &from, p->run[1]);
    if (status) return status;
    multiply(s, n, p->run[0], p->run[1]);
    return far_scatter(&p->products, 0, &to, p->run[1]);
}

static weft_status multiply_all(const struct product *p, int64_t kernel)
{
    const int64_t line = problem_spectrum_elements(&p->stream->problem);
    weft_status status = WEFT_OK;
    for (int64_t first = 0; first < p->stream->spare_elements && !status;) {
        const int64_t at = first % line, left = line - at;
        const int64_t n = left < PRODUCT_ELEMENTS ? left : PRODUCT_ELEMENTS;
        status = multiply_run(p, kernel * line + at, first, n);
        first += n;
    }
    return status;
}

/* ---- running ---- */

static weft_status go_back(struct product *p, const struct far *out, const struct far *rest)
{
    const struct dim *kernel = &p->stream->problem.kernel;
    const struct stream_aids aids = {.spare = rest};
    weft_status status = WEFT_OK;
    for (int64_t k = 0; k < kernel->n && !status; k++) {
        const struct far to = further(out, k * kernel->out_stride);
        status = multiply_all(p, k);
        if (!status)
            status = stream_run(p->stream->way[1], WEFT_INVERSE, &p->products, &to, &aids);
    }
    stream_release(p->stream->way[1]);
    return status;
}

static weft_status go_both_ways(struct product *p, const struct far *in, const struct far *out)
{
    const struct stream *s = p->stream;
    const struct far rest = further(&p->products, s->spare_elements);
    const struct stream_aids aids = {.spare = &rest};
    const weft_status status = stream_run(s->way[0], WEFT_FORWARD, in, &p->middle, &aids);
    stream_release(s->way[0]);
    return status ? status : go_back(p, out, &rest);
}

weft_status convolve_run(struct stream *s, const struct far *in, const struct far *out,
                         const struct stream_aids *aids)
{
    const size_t bytes = PRODUCT_ELEMENTS * element_bytes(s);
    if (!aids->spare && !s->spare) s->spare = memory_alloc_large(convolve_spare_bytes(s));
    if (!s->workspace) s->workspace = memory_alloc(2 * bytes);
    if ((!aids->spare && !s->spare) || !s->workspace) return error_memory("spectra");
    const struct far own = {.re = s->spare};
    struct product p = {.stream = s,
                        .middle = aids->spare ? *aids->spare : own,
                        .spectrum = *aids->spectrum,
                        .run = {s->workspace, (char *)s->workspace + bytes}};
    p.products = further(&p.middle, (arrays_between(s) - 1) * s->spare_elements);
    return go_both_ways(&p, in, out);
}
