#include "spec/problem.h"

#include <inttypes.h>
#include <string.h>

#include "base/scan.h"
#include "spec/kind.h"

static const char *const precision_names[] = {"f32", "f64", "f16", "bf16", "dd"};
#define PRECISIONS (WEFT_DD + 1)
static const char *const format_names[] = {"interleaved", "planar"};
static const char *const operation_names[] = {"transform", "convolution", "correlation"};

int64_t problem_elements(const struct problem *p)
{
    int64_t elements = 1;
    for (int i = 0; i < p->axes; i++)
        elements *= p->axis[i].n;
    for (int i = 0; i < p->loops; i++)
        elements *= p->loop[i].n;
    return elements;
}

bool problem_has_range(const struct problem *p, bool out)
{
    for (int i = 0; i < p->axes; i++) {
        if (p->range[out][i].count) return true;
    }
    return false;
}

bool problem_is_plain(const struct problem *p)
{
    for (int out = 0; out < 2; out++) {
        if (p->side[out].storage || p->side[out].texels.format) return false;
    }
    return p->format == WEFT_INTERLEAVED && p->hooks.dims == 0;
}

bool problem_has_ranges(const struct problem *p)
{
    return problem_has_range(p, false) || problem_has_range(p, true);
}

bool problem_wraps(const struct problem *p)
{
    struct range run[2];
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < p->axes; i++) {
            const int64_t n = problem_side_length(p, out, i);
            if (range_runs(p->range[out][i], n, run) > 1) return true;
        }
    }
    for (int i = 0; i < p->loops; i++) {
        if (range_runs(p->repeated[i], p->loop[i].n, run) > 1) return true;
    }
    return false;
}

double problem_side_share(const struct problem *p, bool out)
{
    double share = 1;
    for (int i = 0; i < p->axes; i++)
        share *= range_share(p->range[out][i], problem_side_length(p, out, i));
    return share;
}

/* Between two axes those that are still to come have the input's ranges, and so has what a sweep
 * leaves there that applies a hook. A convolution's output takes what may be anywhere. */
bool problem_output_cuts(const struct problem *p)
{
    if (problem_convolves(p)) return problem_has_range(p, true);
    const bool sweeps = kind_is_trigonometric(p->kind) && hook_exists(&p->hooks, false);
    for (int i = 0; i < p->axes - !sweeps; i++) {
        if (!range_holds(p->range[1][i], p->range[0][i], p->axis[i].n)) return true;
    }
    return false;
}

bool problem_output_loses(const struct problem *p)
{
    return p->side[1].texels.format || p->side[1].storage || problem_output_cuts(p);
}

bool problem_convolves(const struct problem *p)
{
    return p->operation != WEFT_TRANSFORM;
}

int64_t problem_spectrum_elements(const struct problem *p)
{
    int64_t elements = 1;
    for (int i = 0; i < p->axes; i++)
        elements *= kind_is_half(p->kind) && i == p->axes - 1 ? p->axis[i].n / 2 + 1 : p->axis[i].n;
    return elements;
}

size_t problem_spectrum_bytes(const struct problem *p)
{
    return (size_t)(problem_spectrum_elements(p) * p->kernel.n) * 2 *
           (size_t)precision_bytes(p->precision);
}

bool problem_is_real(const struct problem *p, bool out)
{
    if (problem_convolves(p)) return kind_is_half(p->kind);
    return kind_is_real(p->kind, out);
}

int64_t problem_side_length(const struct problem *p, bool out, int i)
{
    const bool half = kind_is_half(p->kind) && !problem_is_real(p, out) && i == p->axes - 1;
    return half ? p->axis[i].n / 2 + 1 : p->axis[i].n;
}

int64_t problem_side_arrays(const struct problem *p, bool out)
{
    return out && problem_convolves(p) ? p->kernel.n : 1;
}

bool problem_scales(const struct problem *p)
{
    for (int d = 0; d < 2; d++) {
        if (p->scale[d] != 1 || p->scale_rest[d] != 0) return true;
    }
    return false;
}

weft_precision precision_computed(weft_precision precision)
{
    return precision == WEFT_F16 || precision == WEFT_BF16 ? WEFT_F32 : precision;
}

int precision_bytes(weft_precision precision)
{
    static const int bytes[PRECISIONS] = {[WEFT_F32] = 4, [WEFT_F64] = 8, [WEFT_DD] = 16};
    return bytes[precision];
}

int problem_side_bytes(const struct problem *p, bool out)
{
    const weft_storage storage = p->side[out].storage;
    return storage ? storage_bytes(storage) : precision_bytes(p->precision);
}

/* "1000:1009:1009x1009:1:1" */
static void print_dims(struct text *t, int count, const struct dim *dim)
{
    for (int i = 0; i < count; i++) {
        text_append(t, "%s%" PRId64 ":%" PRId64 ":%" PRId64, i ? "x" : "", dim[i].n,
                    dim[i].in_stride, dim[i].out_stride);
    }
}

static const char transposed_word[] = " transposed";
static const char *const side_names[] = {" input ", " output "};

static void print_side(struct text *t, const char *name, const struct problem_side *side)
{
    const struct texels *texels = &side->texels;
    if (side->storage) text_append(t, "%s%s", name, storage_names[side->storage]);
    if (!texels->format) return;
    text_append(t, "%simage %d:%d:%" PRId64, name, texels->format, texels->channel, texels->width);
}

static const char *const range_names[] = {" input range ", " output range "};

static void print_range(struct text *t, const struct problem *p, bool out)
{
    if (!problem_has_range(p, out)) return;
    text_append(t, "%s", range_names[out]);
    for (int i = 0; i < p->axes; i++) {
        const struct range *range = &p->range[out][i];
        text_append(t, i ? "x" : "");
        if (range->count) text_append(t, "%" PRId64 "+%" PRId64, range->first, range->count);
        else text_append(t, "all");
    }
}

static void print_kinds(struct text *t, const struct problem *p)
{
    text_append(t, "%s", kind_names[p->kind]);
    for (int i = 1; i < p->axes && problem_mixes_kinds(p); i++)
        text_append(t, "+%s", kind_names[problem_axis_kind(p, i)]);
}

void problem_print_shape(struct text *t, const struct problem *p)
{
    print_kinds(t, p);
    text_append(t, " %s %s ", precision_names[p->precision], format_names[p->format]);
    print_dims(t, p->axes, p->axis);
    if (p->axes == 0) text_append(t, "copy");
    if (p->loops > 0) {
        text_append(t, " batch ");
        print_dims(t, p->loops, p->loop);
    }
    text_append(t, " threads %d", p->threads);
    if (problem_convolves(p)) {
        text_append(t, " %s %" PRId64 ":%" PRId64, operation_names[p->operation], p->kernel.n,
                    p->kernel.out_stride);
    }
    for (int i = 0; i < 2; i++) print_side(t, side_names[i], &p->side[i]);
    for (int i = 0; i < 2; i++) print_range(t, p, i);
    if (p->order == WEFT_TRANSPOSED) text_append(t, transposed_word);
}

static void print_hooks(struct text *t, const struct hooks *hooks)
{
    for (int out = 0; out < 2; out++) {
        if (!hook_exists(hooks, out)) continue;
        text_append(t, " %s %d(%s)", out ? "store" : "load", (int)strlen(hooks->source[out]),
                    hooks->source[out]);
    }
    for (int i = 0; i < hooks->dims; i++)
        text_append(t, "%s%" PRId64, i ? "x" : " of ", hooks->size[i]);
}

void problem_print(struct text *t, const struct problem *p)
{
    problem_print_shape(t, p);
    text_append(t, " scale ");
    for (int d = 0; d < 2; d++) {
        if (d) text_append(t, ":");
        text_real(t, p->scale[d]);
        if (p->scale_rest[d] == 0) continue;
        text_append(t, "+");
        text_real(t, p->scale_rest[d]);
    }
    if (p->orthonormal) text_append(t, " orthonormal");
    print_hooks(t, &p->hooks);
}

/* ---- reading ---- */

static bool scan_dims(const char **text, int *count, struct dim *dim)
{
    *count = 0;
    do {
        if (*count == PROBLEM_MAX_DIMS) return false;
        struct dim *next = &dim[(*count)++];
        const bool read = scan_number(text, &next->n) && scan_word(text, ":") &&
                          scan_number(text, &next->in_stride) && scan_word(text, ":") &&
                          scan_number(text, &next->out_stride);
        if (!read) return false;
    } while (scan_word(text, "x"));
    return true;
}

static bool scan_operation(const char **text, struct problem *p)
{
    for (int i = WEFT_CONVOLUTION; i <= WEFT_CORRELATION; i++) {
        const char *rest = *text;
        if (!scan_word(&rest, " ") || !scan_word(&rest, operation_names[i])) continue;
        p->operation = (weft_operation)i;
        *text = rest;
        return scan_word(text, " ") && scan_number(text, &p->kernel.n) && scan_word(text, ":") &&
               scan_number(text, &p->kernel.out_stride) && p->kernel.n > 0;
    }
    return true;
}

/* A storage that is not the precision's own. */
static bool scan_storage(const char **text, const struct problem *p, weft_storage *storage)
{
    const int found = scan_choice(text, storage_names, STORAGE_COUNT);
    *storage = (weft_storage)found;
    return found > 0 && *storage != storage_of_precision(p->precision);
}

static bool scan_axis_range(const char **text, int64_t n, struct range *range)
{
    if (scan_word(text, "all")) return true;
    const bool read = scan_number(text, &range->first) && scan_word(text, "+") &&
                      scan_number(text, &range->count);
    return read && range->first >= 0 && range->first < n && range->count > 0 && range->count < n;
}

static bool scan_range(const char **text, struct problem *p, bool out)
{
    for (int i = 0; i < p->axes; i++) {
        if (i > 0 && !scan_word(text, "x")) return false;
        if (!scan_axis_range(text, problem_side_length(p, out, i), &p->range[out][i]))
            return false;
    }
    return problem_has_range(p, out);
}

/* " input f16", of which " input range 0+8" is none. */
static bool scan_sides(const char **text, struct problem *p)
{
    for (int i = 0; i < 2; i++) {
        const char *rest = *text;
        if (scan_word(&rest, range_names[i]) || !scan_word(text, side_names[i])) continue;
        if (!scan_storage(text, p, &p->side[i].storage)) return false;
    }
    for (int i = 0; i < 2; i++) {
        if (scan_word(text, range_names[i]) && !scan_range(text, p, i)) return false;
    }
    return true;
}

/* "dct2", or of several kinds that of each axis: "dct2+dht". */
static bool scan_kinds(const char **text, struct problem *p, int *kinds)
{
    *kinds = 0;
    do {
        const int found = scan_choice(text, kind_names, KIND_COUNT);
        const weft_kind kind = (weft_kind)found, first = *kinds ? p->kind : kind;
        if (found < 0 || *kinds == PROBLEM_MAX_DIMS) return false;
        const bool both_real = kind_is_trigonometric(kind) && kind_is_trigonometric(first);
        if (*kinds > 0 && !both_real) return false;
        problem_set_axis_kind(p, (*kinds)++, kind);
    } while (scan_word(text, "+"));
    return true;
}

static bool scan_shape(const char **text, struct problem *p)
{
    int64_t threads;
    int kinds;
    if (!scan_kinds(text, p, &kinds) || !scan_word(text, " ")) return false;
    const int precision = scan_choice(text, precision_names, PRECISIONS);
    if (precision < 0 || precision_computed((weft_precision)precision) != (weft_precision)precision)
        return false;
    if ( !scan_word(text, " ")) return false;
    const int format = scan_choice(text, format_names, 2);
    if (format < 0 || !scan_word(text, " ")) return false;
    p->precision = (weft_precision)precision;
    p->format = (weft_format)format;
    if (!scan_word(text, "copy") && !scan_dims(text, &p->axes, p->axis)) return false;
    if (kinds > 1 && (kinds != p->axes || !problem_mixes_kinds(p))) return false;
    if (scan_word(text, " batch ") && !scan_dims(text, &p->loops, p->loop)) return false;
    if (!scan_word(text, " threads ") || !scan_number(text, &threads)) return false;
    if (threads < 1 || threads > INT32_MAX) return false;
    if (kind_is_half(p->kind) && p->axes == 0) return false;
    p->threads = (int)threads;
    if (!scan_operation(text, p) || !scan_sides(text, p)) return false;
    if (scan_word(text, transposed_word)) p->order = WEFT_TRANSPOSED;
    return p->order == WEFT_NATURAL ||
           (p->kind == WEFT_C2C && !problem_convolves(p) && !problem_has_ranges(p));
}

bool problem_parse_shape(const char **text, struct problem *p)
{
    struct problem made = {.scale = {1, 1}};
    const char *rest = *text;
    if (!scan_shape(&rest, &made)) return false;
    *p = made;
    *text = rest;
    return true;
}

/* ---- comparing ---- */

static bool same_dims(int count, const struct dim *a, const struct dim *b)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0; /* no padding: three int64_t */
}

static bool same_ranges(const struct problem *a, const struct problem *b)
{
    for (int out = 0; out < 2; out++) {
        for (int i = 0; i < a->axes; i++) {
            const struct range *x = &a->range[out][i], *y = &b->range[out][i];
            if (x->first != y->first || x->count != y->count) return false;
        }
    }
    return true;
}

static bool same_kinds(const struct problem *a, const struct problem *b)
{
    for (int i = 0; i < a->axes; i++) {
        if (problem_axis_kind(a, i) != problem_axis_kind(b, i)) return false;
    }
    return a->kind == b->kind;
}

static bool same_side(const struct problem_side *a, const struct problem_side *b)
{
    return a->storage == b->storage && texels_equal(&a->texels, &b->texels);
}

bool problem_same_shape(const struct problem *a, const struct problem *b)
{
    return a->axes == b->axes && same_kinds(a, b) && a->precision == b->precision &&
           a->format == b->format && a->loops == b->loops && a->threads == b->threads &&
           same_dims(a->axes, a->axis, b->axis) && same_dims(a->loops, a->loop, b->loop) &&
           same_side(&a->side[0], &b->side[0]) && same_side(&a->side[1], &b->side[1]) &&
           same_ranges(a, b) &&
           a->operation == b->operation && a->order == b->order &&
           same_dims(1, &a->kernel, &b->kernel);
}

static bool same_hooks(const struct hooks *a, const struct hooks *b)
{
    if (a->dims != b->dims) return false;
    if (a->dims == 0) return true;
    for (int out = 0; out < 2; out++) {
        if (strcmp(a->source[out], b->source[out]) != 0) return false;
    }
    return memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(a->length, b->length, sizeof a->length) == 0 &&
           memcmp(a->axis, b->axis, sizeof a->axis) == 0 &&
           memcmp(a->loop, b->loop, sizeof a->loop) == 0;
}

bool problem_equal(const struct problem *a, const struct problem *b)
{
    for (int d = 0; d < 2; d++) {
        if (a->scale[d] != b->scale[d] || a->scale_rest[d] != b->scale_rest[d]) return false;
    }
    return problem_same_shape(a, b) && a->orthonormal == b->orthonormal &&
           same_hooks(&a->hooks, &b->hooks);
}
