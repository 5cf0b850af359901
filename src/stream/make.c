/* Passes by their dimensions, and what of these is in a band. */
#include "stream/make.h"

#include <string.h>

#include "spec/kind.h"

/* What a link's engines copy as fast as any. (Experiment "runs".) */
#define LONG_ROW_BYTES 65536

/* ---- bands ---- */

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

static int64_t band_length(const struct stream_dim *dim, int side)
{
    return dim->line ? dim->n[side] : dim->part;
}

/* The pass's dimensions by their strides there, the nearest together first. */
static void sort_dims(const struct stream_pass *pass, int side, int *order)
{
    for (int d = 0; d < pass->dims; d++) {
        int at = pass->dims - 1 - d; /* of equals the one behind is the nearer */
        int place = d;
        const int64_t stride = magnitude(pass->dim[at].far[side]);
        for (; place > 0; place--) {
            if (magnitude(pass->dim[order[place - 1]].far[side]) <= stride) break;
            order[place] = order[place - 1];
        }
        order[place] = at;
    }
}

/* A dimension is cut into parts of whole lines of caches, if that costs little: links want them. */
#define LINE_ELEMENTS 16

static int64_t part_of(int64_t n, int64_t elements)
{
    if (n <= elements) return n;
    return elements < 4 * LINE_ELEMENTS ? elements : elements - elements % LINE_ELEMENTS;
}

/* Whole dimensions are put into a band while they fit, those first that are nearest in the output;
 * one more is cut. */
static void choose_parts(struct stream_pass *pass, int64_t elements)
{
    int order[BOX_MAX_DIMS];
    for (int d = 0; d < pass->dims; d++) {
        const struct stream_dim *dim = &pass->dim[d];
        if (dim->line) elements /= dim->n[0] > dim->n[1] ? dim->n[0] : dim->n[1];
    }
    const bool carries = stream_carries(pass, 0) || stream_carries(pass, 1);
    const int only = carries ? 2 * pass->dims - 3 - stream_line(pass) : pass->columns;
    sort_dims(pass, 1, order);
    pass->cut = -1;
    for (int i = 0; i < pass->dims; i++) {
        struct stream_dim *dim = &pass->dim[order[i]];
        if (dim->line) continue;
        const bool alone = only >= 0 && order[i] != only;
        dim->part = alone ? 1 : part_of(dim->n[1], elements);
        if (dim->n[1] % dim->part) pass->cut = order[i];
        if (!alone) elements /= dim->part;
    }
}

/* A band has the order of the array that it is part of, without gaps; what is read again and again
 * lies in it once. The band of columns is a matrix. */
static void pack_bands(struct stream_pass *pass)
{
    for (int side = 0; side < 2; side++) {
        int64_t packed = 1;
        sort_dims(pass, side, pass->order[side]);
        if (pass->columns >= 0) {
            pass->order[side][0] = pass->columns;
            for (int d = 0, at = 1; d < pass->dims; d++) {
                const int other = pass->dims - 1 - d;
                if (other != pass->columns) pass->order[side][at++] = other;
            }
        }
        for (int i = 0; i < pass->dims; i++) {
            struct stream_dim *dim = &pass->dim[pass->order[side][i]];
            const bool repeated = dim->far[side] == 0 && pass->columns < 0;
            dim->near[side] = repeated ? 0 : packed;
            if (!repeated) packed *= band_length(dim, side);
        }
        pass->elements[side] = packed;
    }
}

int64_t stream_run_bytes(const struct stream_pass *pass, int side)
{
    int64_t run = 1;
    for (int i = 0; i < pass->dims; i++) {
        const struct stream_dim *dim = &pass->dim[pass->order[side][i]];
        const int64_t n = dim->line ? stream_range(dim, side).count : dim->part;
        if (n == 1) continue;
        if (dim->far[side] != run || dim->near[side] != run) break;
        run *= n;
    }
    return run * (int64_t)pass->element_bytes[side];
}

bool stream_is_scattered(const struct stream_pass *pass)
{
    return stream_run_bytes(pass, 0) < LONG_ROW_BYTES || stream_run_bytes(pass, 1) < LONG_ROW_BYTES;
}

/* ---- passes ---- */

struct stream_pass *stream_start_pass(struct stream *s, enum stream_place from,
                                      enum stream_place to)
{
    struct stream_pass *pass = &s->pass[s->passes++];
    const enum stream_place places[2] = {from, to};
    memset(pass, 0, sizeof *pass);
    pass->kind = kind_is_half(s->problem.kind) ? WEFT_C2C : s->problem.kind;
    pass->columns = -1;
    pass->runs[WEFT_FORWARD] = pass->runs[WEFT_INVERSE] = true;
    for (int side = 0; side < 2; side++) {
        pass->place[side] = places[side];
        pass->element_bytes[side] = layout_element_bytes(&s->problem, places[side]);
    }
    return pass;
}

void stream_add_dim(struct stream_pass *pass, struct stream_dim dim)
{
    pass->dim[pass->dims++] = dim;
}

void stream_finish_pass(struct stream_pass *pass, int64_t elements)
{
    choose_parts(pass, elements);
    pack_bands(pass);
}

void stream_add_line(const struct problem *p, struct stream_pass *pass, int d,
                     const struct layout *from, const struct layout *to)
{
    const struct stream_dim dim = {
        .n = {layout_length(p, from->place, d), layout_length(p, to->place, d)},
        .far = {from->stride[d], to->stride[d]},
        .position = {layout_position(p, false, d), layout_position(p, true, d)},
        .line = true,
        .kind = layout_kind(p, d),
        .range = {from->range[d], to->range[d]}};
    stream_add_dim(pass, dim);
}

void stream_add_other(const struct problem *p, struct stream_pass *pass, int d,
                      const struct layout *from, const struct layout *to)
{
    const struct range range = from->range[d];
    const int64_t n = range.count > 0 ? range.count : layout_length(p, to->place, d);
    const struct stream_dim dim = {
        .n = {n, n},
        .far = {from->stride[d], to->stride[d]},
        .position = {layout_position(p, false, d), layout_position(p, true, d)}};
    for (int side = 0; side < 2; side++) {
        pass->first[side] += range.first * dim.far[side];
        pass->first_position[side] += range.first * dim.position[side];
    }
    stream_add_dim(pass, dim);
}

void stream_add_others(const struct problem *p, struct stream_pass *pass, int axis,
                       const struct layout *from, const struct layout *to)
{
    for (int d = 0; d < layout_dims(p); d++)
        if (d != axis) stream_add_other(p, pass, d, from, to);
}

int64_t stream_place_lines(const struct problem *p, int axis, const struct layout *from,
                           int64_t packed, struct layout *lines)
{
    *lines = *from;
    lines->place = STREAM_LINES;
    for (int d = layout_dims(p) - 1; d >= 0; d--) {
        if (d == axis) continue;
        lines->stride[d] = packed;
        packed *= layout_length(p, from->place, d);
    }
    return packed;
}
