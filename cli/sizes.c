#include "sizes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

static const int64_t most_points = (int64_t)1 << 40;
static const int64_t longest_range = (int64_t)1 << 20;

static enum size_status append(struct size_list *list, const struct size_case *dims)
{
    if (list->count == list->capacity) {
        int64_t capacity = list->capacity ? 2 * list->capacity : 64;
        struct size_case *cases = realloc(list->cases, (size_t)capacity * sizeof *cases);
        if (!cases) return SIZES_NO_MEMORY;
        list->cases = cases;
        list->capacity = capacity;
    }
    list->cases[list->count++] = *dims;
    return SIZES_OK;
}

/* Reads a number from 1 to 2^40 and moves *text behind it. strtoll would take signs and blanks. */
static bool read_number(const char **text, int64_t *number)
{
    const char *digit = *text;
    int64_t value = 0;
    while (*digit >= '0' && *digit <= '9' && value <= most_points)
        value = 10 * value + (*digit++ - '0');
    if (value < 1 || value > most_points) return false;
    *text = digit;
    *number = value;
    return true;
}

/* The rest of "FIRST..LAST". */
static enum size_status add_range(struct size_list *list, const char **text, int64_t first)
{
    int64_t last;
    *text += strlen("..");
    if (!read_number(text, &last) || last < first || last - first >= longest_range)
        return SIZES_MALFORMED;
    for (int64_t n = first; n <= last; n++) {
        struct size_case dims = {.rank = 1, .size = {n}, .batch = 1};
        enum size_status status = append(list, &dims);
        if (status != SIZES_OK) return status;
    }
    return SIZES_OK;
}

/* "x64x64" and "@16", either of which may be missing. */
static bool read_further_axes(const char **text, struct size_case *dims)
{
    int64_t elements = dims->size[0];
    while (**text == 'x') {
        (*text)++;
        int64_t n;
        if (dims->rank == WEFT_MAX_RANK || !read_number(text, &n)) return false;
        if (n > most_points / elements) return false;
        dims->size[dims->rank++] = n;
        elements *= n;
    }
    if (**text != '@') return true;
    (*text)++;
    dims->batched = true;
    return read_number(text, &dims->batch) && dims->batch <= most_points / elements;
}

static enum size_status add_item(struct size_list *list, const char **text)
{
    struct size_case dims = {.rank = 1, .batch = 1};
    if (!read_number(text, &dims.size[0])) return SIZES_MALFORMED;
    if (strncmp(*text, "..", 2) == 0) return add_range(list, text, dims.size[0]);
    if (!read_further_axes(text, &dims)) return SIZES_MALFORMED;
    return append(list, &dims);
}

enum size_status size_list_add(struct size_list *list, const char *text)
{
    for (;;) {
        enum size_status status = add_item(list, &text);
        if (status != SIZES_OK) return status;
        if (*text == '\0') return SIZES_OK;
        if (*text++ != ',') return SIZES_MALFORMED;
    }
}

bool size_list_set_kinds(struct size_list *list, const struct size_kinds *kinds)
{
    for (int64_t i = 0; i < list->count; i++) {
        struct size_case *dims = &list->cases[i];
        dims->kind = kinds->kind[0];
        if (kinds->count == 1) continue;
        if (kinds->count != dims->rank) return false;
        memcpy(dims->axis_kind, kinds->kind, (size_t)dims->rank * sizeof *dims->axis_kind);
    }
    return true;
}

weft_kind size_case_kind(const struct size_case *dims, int i)
{
    return dims->axis_kind[i] ? dims->axis_kind[i] : dims->kind;
}

void size_list_free(struct size_list *list)
{
    free(list->cases);
    *list = (struct size_list){0};
}

const char *size_case_text(const struct size_case *dims, char text[SIZE_TEXT_CAPACITY])
{
    size_t length = 0;
    for (int i = 0; i < dims->rank; i++)
        length += (size_t)snprintf(text + length, SIZE_TEXT_CAPACITY - length, "%s%" PRId64,
                                   i ? "x" : "", dims->size[i]);
    if (dims->batch != 1)
        snprintf(text + length, SIZE_TEXT_CAPACITY - length, "@%" PRId64, dims->batch);
    return text;
}

int64_t size_case_points(const struct size_case *dims)
{
    int64_t points = 1;
    for (int i = 0; i < dims->rank; i++)
        points *= dims->size[i];
    return points;
}

int64_t size_case_elements(const struct size_case *dims)
{
    return size_case_points(dims) * dims->batch;
}

weft_params size_case_params(const struct size_case *dims, weft_precision precision, int threads)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = dims->kind;
    memcpy(params.axis_kind, dims->axis_kind, sizeof params.axis_kind);
    params.precision = precision;
    params.rank = dims->rank;
    memcpy(params.size, dims->size, sizeof params.size);
    params.batch = dims->batch;
    params.threads = threads;
    return params;
}

size_t size_case_bytes(const struct size_case *dims, weft_precision precision)
{
    int64_t in = size_case_numbers(dims, false), out = size_case_numbers(dims, true);
    return (size_t)(in > out ? in : out) * samples_number_bytes(precision);
}

static bool is_real(const struct size_case *dims, bool out)
{
    return dims->kind >= WEFT_DCT1 || dims->kind == (out ? WEFT_C2R : WEFT_R2C);
}

static bool is_half(const struct size_case *dims, bool out)
{
    return dims->kind == (out ? WEFT_R2C : WEFT_C2R);
}

struct size_side size_case_side(const struct size_case *dims, bool out, bool in_place)
{
    const int64_t n = dims->size[dims->rank - 1], half = n / 2 + 1;
    const bool real = is_real(dims, out), padded = in_place && real && dims->kind < WEFT_DCT1;
    struct size_side side = {.width = real ? n : 2 * (is_half(dims, out) ? half : n),
                             .parts = real ? 1 : 2};
    side.pitch = padded ? 2 * half : side.width;
    int64_t stride = 1;
    for (int i = dims->rank - 1; i >= 0; i--) {
        side.stride[i] = stride;
        stride *= i == dims->rank - 1 ? side.pitch / side.parts : dims->size[i];
    }
    side.distance = stride;
    side.numbers = stride * dims->batch * side.parts;
    return side;
}

int64_t size_case_numbers(const struct size_case *dims, bool out)
{
    return size_case_side(dims, out, false).numbers;
}

void size_case_lay_out(weft_params *params, const struct size_side *in, const struct size_side *out)
{
    if (in->pitch == in->width && out->pitch == out->width) return;
    params->in_stride = in->stride;
    params->in_distance = in->distance;
    params->out_stride = out->stride;
    params->out_distance = out->distance;
}
