#include "support/convolved.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/guarded.h"
#include "support/hook_twin.h"

static _Thread_local char words[512];

static void *allocate(int64_t count, size_t size)
{
    void *data = calloc((size_t)count + 1, size);
    if (!data) abort();
    return data;
}

/* ---- making ---- */

static void pack_side(struct convolved *c, struct convolved_side *side, bool out)
{
    int64_t stride = 1;
    *side = (struct convolved_side){.offset = 0};
    for (int i = c->dims - 2; i >= 1; i--) {
        side->stride[i] = stride;
        stride *= c->n[i];
    }
    side->stride[c->dims - 1] = out ? stride : 0;
    if (out) stride *= c->n[c->dims - 1];
    side->stride[0] = stride;
    side->elements = stride * c->n[0];
}

/* Any order of the dimensions, with gaps and any sign. */
static void scatter_side(struct random *random, struct convolved *c, struct convolved_side *side,
                         bool out)
{
    const int dims = out ? c->dims : c->dims - 1;
    bool done[CONVOLVED_MAX_DIMS] = {false};
    int64_t stride = random_between(random, 1, 2);
    *side = (struct convolved_side){.offset = random_between(random, 0, 5)};
    for (int placed = 0; placed < dims; placed++) {
        int i = (int)random_between(random, 0, dims - 1);
        while (done[i]) i = (i + 1) % dims;
        done[i] = true;
        const bool back = random_chance(random, 0.2);
        side->stride[i] = back ? -stride : stride;
        if (back) side->offset += (c->n[i] - 1) * stride;
        stride = stride * c->n[i] + random_between(random, 0, 3);
    }
    side->elements = stride + side->offset;
}

void convolved_packed(int rank, const int64_t *size, weft_kind kind, int kernels,
                      struct convolved *c)
{
    *c = (struct convolved){.params = WEFT_PARAMS_DEFAULT, .dims = rank + 2};
    c->params.operation = WEFT_CONVOLUTION;
    c->params.kind = kind;
    c->params.rank = rank;
    c->params.kernels = kernels;
    c->n[0] = 1;
    for (int i = 0; i < rank; i++) c->params.size[i] = c->n[i + 1] = size[i];
    for (int i = 1; i <= rank; i++) c->transformed[i] = true;
    c->n[rank + 1] = kernels ? kernels : 1;
    pack_side(c, &c->in, false);
    pack_side(c, &c->out, true);
}

static void choose_axes(struct random *random, struct convolved *c)
{
    for (int i = 0; i < c->params.rank; i++) {
        c->transformed[i + 1] = random_chance(random, 0.8);
        if (c->transformed[i + 1]) c->params.axes |= 1u << i;
    }
    if (c->params.axes) return;
    for (int i = 1; i <= c->params.rank; i++) c->transformed[i] = true;
}

static void choose_ranges(struct random *random, const struct convolved *c,
                          struct convolved_side *side)
{
    side->ranged = random_chance(random, 0.3);
    for (int i = 0; i < c->dims; i++) {
        side->first[i] = 0;
        side->count[i] = c->n[i];
        if (!side->ranged || !c->transformed[i] || random_chance(random, 0.3)) continue;
        side->first[i] = random_between(random, 0, c->n[i] - 1);
        side->count[i] = random_between(random, 1, c->n[i]);
    }
}

void convolved_choose_hooks(struct random *random, double chance, struct convolved *c)
{
    const bool real = c->params.kind == WEFT_R2C;
    if (c->params.precision == WEFT_DD) return;
    if (random_chance(random, chance)) c->params.load_hook = hook_twin_random(random, real);
    if (random_chance(random, chance)) c->params.store_hook = hook_twin_random(random, real);
}

/* Whether the side has the element with these counters. */
static bool has(const struct convolved *c, const struct convolved_side *side,
                const int64_t *counter)
{
    for (int i = 1; i < c->dims - 1 && side->ranged; i++) {
        const int64_t ahead = (counter[i] - side->first[i] + c->n[i]) % c->n[i];
        if (ahead >= side->count[i]) return false;
    }
    return true;
}

void convolved_random(struct random *random, int64_t elements, struct convolved *c)
{
    int64_t size[WEFT_MAX_RANK], left = elements;
    const int rank = (int)random_between(random, 1, 4);
    const int kernels = random_chance(random, 0.3) ? (int)random_between(random, 2, 3) : 0;
    const int64_t batch = random_chance(random, 0.3) ? random_between(random, 2, 4) : 1;
    left /= batch * (kernels ? kernels : 1);
    for (int i = 0; i < rank; i++) {
        const int64_t most = (int64_t)pow((double)left, 1.0 / (rank - i));
        size[i] = random_between(random, 1, most > 1 ? 2 * most : 1);
        if (size[i] > left) size[i] = left > 0 ? left : 1;
        left /= size[i];
    }
    convolved_packed(rank, size, random_chance(random, 0.5) ? WEFT_R2C : WEFT_C2C, kernels, c);
    c->params.batch = c->n[0] = batch;
    choose_axes(random, c);
    c->params.operation = random_chance(random, 0.5) ? WEFT_CONVOLUTION : WEFT_CORRELATION;
    c->params.precision = random_chance(random, 0.5)   ? WEFT_F32
                          : random_chance(random, 0.8) ? WEFT_F64
                                                       : WEFT_DD;
    c->params.format = random_chance(random, 0.3) ? WEFT_PLANAR : WEFT_INTERLEAVED;
    c->params.forward_scale = random_chance(random, 0.3) ? 0.75 : 0;
    c->params.threads = random_chance(random, 0.2) ? 3 : 1;
    pack_side(c, &c->in, false);
    pack_side(c, &c->out, true);
    if (random_chance(random, 0.5)) scatter_side(random, c, &c->in, false);
    if (random_chance(random, 0.5)) scatter_side(random, c, &c->out, true);
    c->in_place = kernels == 0 && random_chance(random, 0.3);
    if (c->in_place) c->out = c->in;
    choose_ranges(random, c, &c->in);
    choose_ranges(random, c, &c->out);
    convolved_choose_hooks(random, 0.3, c);
}

weft_params convolved_params(struct convolved *c)
{
    weft_params params = c->params;
    params.in_stride = c->in.stride + 1;
    params.out_stride = c->out.stride + 1;
    params.in_distance = c->in.stride[0];
    params.out_distance = c->out.stride[0];
    params.in_offset = c->in.offset;
    params.out_offset = c->out.offset;
    params.kernel_distance = c->out.stride[c->dims - 1];
    params.in_first = c->in.ranged ? c->in.first + 1 : NULL;
    params.in_count = c->in.ranged ? c->in.count + 1 : NULL;
    params.out_first = c->out.ranged ? c->out.first + 1 : NULL;
    params.out_count = c->out.ranged ? c->out.count + 1 : NULL;
    return params;
}

/* Adds a side's ranges, first+count of each axis. */
static size_t add_ranges(const struct convolved *c, const struct convolved_side *side,
                         const char *name, size_t length)
{
    if (!side->ranged) return length;
    for (int i = 1; i < c->dims - 1 && length < sizeof words; i++) {
        length += (size_t)snprintf(words + length, sizeof words - length,
                                   "%s%" PRId64 "+%" PRId64, i > 1 ? "," : name, side->first[i],
                                   side->count[i]);
    }
    return length;
}

const char *convolved_text(const struct convolved *c)
{
    size_t length = (size_t)snprintf(
        words, sizeof words, "%s %s %s%s", c->params.kind == WEFT_R2C ? "real" : "complex",
        c->params.precision == WEFT_F32 ? "f32" : c->params.precision == WEFT_F64 ? "f64" : "dd",
        c->params.format == WEFT_PLANAR ? "planar " : "",
        c->params.operation == WEFT_CORRELATION ? "correlation" : "convolution");
    for (int i = 0; i < c->dims && length < sizeof words; i++) {
        length += (size_t)snprintf(words + length, sizeof words - length,
                                   " %" PRId64 "%s:%" PRId64 ":%" PRId64, c->n[i],
                                   c->transformed[i] ? "*" : "", c->in.stride[i],
                                   c->out.stride[i]);
    }
    length = add_ranges(c, &c->in, " in ", length);
    length = add_ranges(c, &c->out, " out ", length);
    if (length < sizeof words)
        snprintf(words + length, sizeof words - length, "%s, load %s, store %s",
                 c->in_place ? " in place" : "", c->params.load_hook ? c->params.load_hook : "-",
                 c->params.store_hook ? c->params.store_hook : "-");
    return words;
}

/* ---- the sums ---- */

struct number {
    double re, im;
};

static int64_t elements_of(const struct convolved *c, bool out)
{
    int64_t elements = 1;
    for (int i = 0; i < (out ? c->dims : c->dims - 1); i++) elements *= c->n[i];
    return elements;
}

static int64_t kernel_elements(const struct convolved *c)
{
    int64_t elements = c->n[c->dims - 1];
    for (int i = 1; i < c->dims - 1; i++) elements *= c->transformed[i] ? c->n[i] : 1;
    return elements;
}

/* The counters of the index-th element, the last dimension the fastest. */
static void unravel(const struct convolved *c, bool out, int64_t index, int64_t *counter)
{
    counter[c->dims - 1] = 0;
    for (int i = (out ? c->dims : c->dims - 1) - 1; i >= 0; i--) {
        counter[i] = index % c->n[i];
        index /= c->n[i];
    }
}

static int64_t place_of(const struct convolved *c, bool out, const int64_t *counter)
{
    const struct convolved_side *side = out ? &c->out : &c->in;
    int64_t place = side->offset;
    for (int i = 0; i < c->dims; i++) place += counter[i] * side->stride[i];
    return place;
}

/* Where among the packed kernels the element at `at` of kernel `counter` is. */
static int64_t kernel_index(const struct convolved *c, const int64_t *counter, const int64_t *at)
{
    int64_t index = counter[c->dims - 1];
    for (int i = 1; i < c->dims - 1; i++)
        if (c->transformed[i]) index = index * c->n[i] + at[i];
    return index;
}

/* The number as a hook makes it. */
static struct number hooked(const struct convolved *c, const char *source, const int64_t *counter,
                            struct number x)
{
    struct hook_place at = {.n = c->n, .last = c->dims - 2, .kernel = counter[c->dims - 1]};
    memcpy(at.k, counter, (size_t)(c->dims - 1) * sizeof *counter);
    hook_twin_apply(source, &at, c->params.kind == WEFT_R2C, &x.re, &x.im);
    return x;
}

/* One element of the output. */
static struct number sum_at(const struct convolved *c, const struct number *in,
                            const struct number *kernel, const int64_t *counter)
{
    struct number sum = {0, 0};
    const int64_t elements = elements_of(c, false);
    const bool correlates = c->params.operation == WEFT_CORRELATION;
    for (int64_t e = 0; e < elements; e++) {
        int64_t from[CONVOLVED_MAX_DIMS], at[CONVOLVED_MAX_DIMS];
        unravel(c, false, e, from);
        bool counts = true;
        for (int i = 0; i < c->dims - 1; i++) {
            const int64_t apart = correlates ? from[i] - counter[i] : counter[i] - from[i];
            at[i] = (apart + c->n[i]) % c->n[i];
            if (!c->transformed[i] && at[i] != 0) counts = false;
        }
        if (!counts) continue;
        struct number h = kernel[kernel_index(c, counter, at)];
        if (correlates) h.im = -h.im;
        sum.re += h.re * in[e].re - h.im * in[e].im;
        sum.im += h.re * in[e].im + h.im * in[e].re;
    }
    const double scale = c->params.forward_scale != 0 ? c->params.forward_scale : 1;
    return (struct number){scale * sum.re, scale * sum.im};
}

/* ---- running ---- */

/* Everything one run needs. */
struct run {
    struct convolved *c;
    weft_device *device;
    struct number *input, *kernel;
    struct guarded in, out, kernels;
    const char *wrong;
};

static weft_storage storage_for(const struct convolved *c)
{
    static const weft_storage storages[] = {
        [WEFT_F32] = WEFT_STORED_F32, [WEFT_F64] = WEFT_STORED_F64, [WEFT_DD] = 0};
    return storages[c->params.precision];
}

static void create(const struct run *r, int64_t elements, struct guarded *guarded)
{
    const weft_params *p = &r->c->params;
    if (p->kind == WEFT_R2C) guarded_create_real(guarded, storage_for(r->c), elements, 0);
    else guarded_create(guarded, p->format, storage_for(r->c), elements, 0);
}

/* Of double-double numbers the leading half. */
static struct number get(const struct guarded *guarded, int64_t place)
{
    struct number number;
    struct reference_extended value[2];
    if (guarded->storage) {
        guarded_get(guarded, place, &number.re, &number.im);
        return number;
    }
    guarded_get_extended(guarded, place, value);
    return (struct number){value[0].hi, value[1].hi};
}

static struct number put_random(struct guarded *guarded, int64_t place, struct random *random)
{
    const double re = random_number(random), im = random_number(random);
    const struct reference_extended value[2] = {{re, 0}, {im, 0}};
    if (guarded->storage) guarded_put(guarded, place, re, im);
    else guarded_put_extended(guarded, place, value);
    return get(guarded, place);
}

static void create_memory(struct run *r, struct random *random)
{
    struct convolved *c = r->c;
    const bool real = c->params.kind == WEFT_R2C;
    const int64_t elements = elements_of(c, false), kernels = kernel_elements(c);
    r->input = allocate(elements, sizeof *r->input);
    r->kernel = allocate(kernels, sizeof *r->kernel);
    create(r, c->in.elements, &r->in);
    create(r, c->out.elements, &r->out);
    if (real) guarded_create_real(&r->kernels, storage_for(c), kernels, 0);
    else guarded_create(&r->kernels, WEFT_INTERLEAVED, storage_for(c), kernels, 0);
    for (int64_t e = 0; e < elements; e++) {
        int64_t counter[CONVOLVED_MAX_DIMS];
        unravel(c, false, e, counter);
        const int64_t place = place_of(c, false, counter);
        if (!has(c, &c->in, counter)) continue;
        const struct number x = put_random(&r->in, place, random);
        r->input[e] = hooked(c, c->params.load_hook, counter, x);
    }
    for (int64_t e = 0; e < kernels; e++) {
        r->kernel[e] = put_random(&r->kernels, e, random);
    }
    if (c->in_place) guarded_share(&r->out, &r->in);
    guarded_remember(&r->in);
    guarded_remember(&r->out);
    guarded_remember(&r->kernels);
}

static weft_status execute(const struct run *r, const weft_plan *plan)
{
    weft_buffer *in = guarded_wrap(&r->in, r->device);
    weft_buffer *kernels = guarded_wrap(&r->kernels, r->device);
    weft_buffer *out = r->c->in_place ? in : guarded_wrap(&r->out, r->device), *spectrum = NULL;
    weft_status status =
        weft_buffer_create(r->device, weft_plan_spectrum_bytes(plan), &spectrum);
    if (!status) status = weft_plan_transform_kernels(plan, kernels, spectrum);
    const weft_execution execution = {.spectrum = spectrum};
    if (!status) status = weft_execute_with(plan, WEFT_FORWARD, in, out, &execution);
    weft_buffer_destroy(&spectrum);
    weft_buffer_destroy(&kernels);
    if (out != in) weft_buffer_destroy(&out);
    weft_buffer_destroy(&in);
    return status;
}

static void compare(struct run *r)
{
    const struct convolved *c = r->c;
    const int64_t elements = elements_of(c, true);
    const bool real = c->params.kind == WEFT_R2C;
    int64_t *place = allocate(elements, sizeof *place);
    int64_t wanted = 0;
    double error = 0, norm = 0;
    for (int64_t e = 0; e < elements; e++) {
        int64_t counter[CONVOLVED_MAX_DIMS];
        unravel(c, true, e, counter);
        const struct number sum = sum_at(c, r->input, r->kernel, counter);
        const struct number exact = hooked(c, c->params.store_hook, counter, sum);
        const int64_t at = place_of(c, true, counter);
        struct number found = exact;
        if (has(c, &c->out, counter)) found = get(&r->out, place[wanted++] = at);
        const double re = found.re - exact.re, im = real ? 0 : found.im - exact.im;
        error += re * re + im * im;
        norm += exact.re * exact.re + (real ? 0 : exact.im * exact.im);
    }
    const double limit = c->params.precision == WEFT_F32 ? 8e-6 : 2e-14;
    if (!(sqrt(error) <= limit * sqrt(norm))) r->wrong = "the numbers are wrong";
    if (!guarded_is_unchanged_beside(&r->out, wanted, place))
        r->wrong = "written beside the output";
    if (!c->in_place && !guarded_is_unchanged(&r->in)) r->wrong = "the input has changed";
    if (!guarded_is_unchanged(&r->kernels)) r->wrong = "the kernels have changed";
    free(place);
}

const char *convolved_run(struct convolved *c, weft_device *device, struct random *random)
{
    struct run r = {.c = c, .device = device};
    const weft_params params = convolved_params(c);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan)) return weft_last_error();
    create_memory(&r, random);
    if (execute(&r, plan)) r.wrong = weft_last_error();
    else compare(&r);
    weft_plan_destroy(&plan);
    guarded_destroy(&r.in);
    guarded_destroy(&r.out);
    guarded_destroy(&r.kernels);
    free(r.input);
    free(r.kernel);
    return r.wrong;
}
