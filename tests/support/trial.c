#include "support/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/storage.h"

/* ---- making them ---- */

static void random_sizes(struct random *random, const struct trial_range *range,
                         struct trial *trial)
{
    int64_t room = range->points;
    const int rank = (int)random_between(random, 1, range->rank);
    trial->params.rank = rank;
    trial->dims = rank + 1;
    for (int i = 0; i < rank; i++) {
        const int64_t most = random_chance(random, 0.5) && room > 9 ? 9 : room;
        const int64_t n = random_between(random, 1, i == rank - 1 ? room : most);
        trial->params.size[i] = trial->n[i + 1] = n;
        room /= n;
    }
    const int64_t last = random_between(random, 0, rank - 1); /* so that no axis is always long */
    const int64_t swapped = trial->params.size[last];
    trial->params.size[last] = trial->n[last + 1] = trial->params.size[rank - 1];
    trial->params.size[rank - 1] = trial->n[rank] = swapped;
}

static void random_batch(struct random *random, const struct trial_range *range,
                         struct trial *trial)
{
    int64_t points = 1;
    for (int i = 1; i < trial->dims; i++)
        points *= trial->n[i];
    const int64_t most = range->elements / points;
    int64_t batch = random_chance(random, 0.5) ? 1 : random_between(random, 1, 5);
    if (random_chance(random, 0.15)) batch = random_between(random, 1, 100);
    trial->params.batch = trial->n[0] = batch < most ? batch : most < 1 ? 1 : most;
}

static void random_axes(struct random *random, struct trial *trial)
{
    const int rank = trial->params.rank;
    uint32_t axes = 0;
    if (random_chance(random, 0.5)) axes = (uint32_t)random_between(random, 1, (1 << rank) - 1);
    trial->params.axes = axes;
    for (int i = 0; i < rank; i++)
        trial->transformed[i + 1] = axes == 0 || (axes >> i & 1);
}

weft_kind trial_kind(const struct trial *trial, int i)
{
    const weft_kind own = i > 0 ? trial->params.axis_kind[i - 1] : 0;
    return own ? own : trial->params.kind;
}

/* Reals to reals, in a third of the cases by a kind for each axis. */
static void random_real_kinds(struct random *random, struct trial *trial)
{
    const bool mixed = random_chance(random, 0.3);
    weft_params *p = &trial->params;
    p->kind = (weft_kind)random_between(random, WEFT_DCT1, WEFT_DHT);
    for (int i = 0; i < p->rank; i++) {
        if (mixed && random_chance(random, 0.8))
            p->axis_kind[i] = (weft_kind)random_between(random, WEFT_DCT1, WEFT_DHT);
        const bool short_first = trial->n[i + 1] == 1 && trial_kind(trial, i + 1) == WEFT_DCT1;
        if (trial->transformed[i + 1] && short_first) p->axis_kind[i] = WEFT_DST1;
    }
}

/* Half of them with half a spectrum. */
static void random_kind(struct random *random, struct trial *trial)
{
    if (random_chance(random, 0.5)) {
        trial->params.kind = random_chance(random, 0.5) ? WEFT_R2C : WEFT_C2R;
        return;
    }
    random_real_kinds(random, trial);
    trial->params.orthonormal = random_chance(random, 0.3);
}

static void random_options(struct random *random, const struct trial_range *range,
                           struct trial *trial)
{
    static const double scale[] = {0, 0, 0.25, -3, 1.0f / 3};
    if (range->real && random_chance(random, 0.7)) random_kind(random, trial);
    trial->params.precision = random_chance(random, 0.5) ? WEFT_F32 : WEFT_F64;
    trial->params.format = random_chance(random, 0.5) ? WEFT_INTERLEAVED : WEFT_PLANAR;
    trial->params.forward_scale = scale[random_between(random, 0, 4)];
    trial->params.inverse_scale = scale[random_between(random, 0, 4)];
    trial->params.threads = (int)random_between(random, 1, range->threads);
    trial->in_shift = (int)random_between(random, 0, 15);
    trial->out_shift = (int)random_between(random, 0, 15);
}

/* ---- storages ---- */

weft_storage trial_storage(const struct trial *trial, const struct trial_side *side)
{
    const weft_params *p = &trial->params;
    const weft_storage storage = side == &trial->in ? p->in_storage : p->out_storage;
    return storage ? storage : storage_of_precision(p->precision);
}

double trial_unit(const struct trial *trial, const struct trial_side *side)
{
    return trial_storage(trial, side) >= WEFT_STORED_U8 ? 100 : 1;
}

/* In place both are equally large. Sums that become whole numbers, or halves, are brought to where
 * these have numbers. */
static void random_storages(struct random *random, struct trial *trial)
{
    weft_params *p = &trial->params;
    static const weft_precision single[] = {WEFT_F32, WEFT_F16, WEFT_BF16};
    if (p->precision == WEFT_F32) p->precision = single[random_between(random, 0, 2)];
    p->in_storage = (weft_storage)random_between(random, 0, STORAGE_COUNT - 1);
    p->out_storage = (weft_storage)random_between(random, 0, STORAGE_COUNT - 1);
    const bool equal = storage_bytes(trial_storage(trial, &trial->in)) ==
                       storage_bytes(trial_storage(trial, &trial->out));
    if (trial->in_place && !equal) p->out_storage = p->in_storage;
    const double unit = trial_unit(trial, &trial->out) / trial_unit(trial, &trial->in);
    p->forward_scale = p->inverse_scale = 0.5 * unit / sqrt((double)trial_points(trial));
}

/* ---- layouts ---- */

bool trial_is_half(const struct trial *trial)
{
    return trial->params.kind == WEFT_R2C || trial->params.kind == WEFT_C2R;
}

/* The last transformed dimension. */
static int last_axis(const struct trial *trial)
{
    int last = trial->dims - 1;
    while (last > 0 && !trial->transformed[last])
        last--;
    return last;
}

static void set_side(const struct trial *trial, struct trial_side *side, bool real)
{
    memcpy(side->n, trial->n, sizeof side->n);
    side->real = real;
    if (!trial_is_half(trial) || real) return;
    side->n[last_axis(trial)] = trial->n[last_axis(trial)] / 2 + 1;
}

void trial_set_sides(struct trial *trial)
{
    const weft_kind kind = trial->params.kind;
    set_side(trial, &trial->in, kind == WEFT_R2C || kind >= WEFT_DCT1);
    set_side(trial, &trial->out, kind == WEFT_C2R || kind >= WEFT_DCT1);
}

/* What first and last place follow from the strides. */
static void place_side(struct random *random, const struct trial *trial, struct trial_side *side)
{
    int64_t first = 0, last = 0;
    for (int i = 0; i < trial->dims; i++) {
        const int64_t reach = (side->n[i] - 1) * side->stride[i];
        if (reach < 0)
            first += reach;
        else
            last += reach;
    }
    side->offset = -first + (random_chance(random, 0.3) ? random_between(random, 1, 9) : 0);
    side->elements = side->offset + last + 1;
}

static void packed_side(struct trial *trial, struct trial_side *side)
{
    int64_t stride = 1;
    for (int i = trial->dims - 1; i >= 0; i--) {
        side->stride[i] = stride;
        stride *= side->n[i];
    }
    side->packed = true;
}

/* The dimensions nest in a random order, with gaps, some of them backwards. */
static void nested_side(struct random *random, const struct trial *trial, struct trial_side *side)
{
    int order[TRIAL_MAX_DIMS];
    for (int i = 0; i < trial->dims; i++) {
        const int j = (int)random_between(random, 0, i);
        order[i] = order[j];
        order[j] = i;
    }
    if (random_chance(random, 0.4)) /* row by row, as most arrays are */
        for (int i = 0; i < trial->dims; i++)
            order[i] = trial->dims - 1 - i;
    int64_t reach = 0;
    for (int i = 0; i < trial->dims; i++) {
        const int dim = order[i];
        int64_t stride = reach + 1;
        if (random_chance(random, 0.3)) stride += random_between(random, 1, 5);
        reach += (side->n[dim] - 1) * stride;
        side->stride[dim] = random_chance(random, 0.2) ? -stride : stride;
    }
}

static void random_side(struct random *random, struct trial *trial, struct trial_side *side)
{
    if (random_chance(random, 0.3))
        packed_side(trial, side);
    else
        nested_side(random, trial, side);
    place_side(random, trial, side);
}

/* Rows of reals padded to what half their spectrum takes up. */
static void padded_in_place(struct random *random, struct trial *trial)
{
    const bool forward = trial->params.kind == WEFT_R2C;
    struct trial_side *real = forward ? &trial->in : &trial->out;
    struct trial_side *half = forward ? &trial->out : &trial->in;
    const int line = last_axis(trial);
    int64_t stride = half->n[line];
    half->stride[line] = real->stride[line] = 1;
    for (int i = trial->dims - 1; i >= 0; i--) {
        if (i == line) continue;
        if (random_chance(random, 0.3)) stride += random_between(random, 1, 5);
        half->stride[i] = random_chance(random, 0.2) ? -stride : stride;
        real->stride[i] = 2 * half->stride[i];
        stride *= trial->n[i];
    }
    place_side(random, trial, half);
    real->offset = 2 * half->offset;
    real->elements = 2 * half->elements;
    trial->in_place = true;
    trial->params.format = WEFT_INTERLEAVED;
    trial->out_shift = trial->in_shift;
}

static void random_layout(struct random *random, struct trial *trial)
{
    trial_set_sides(trial);
    if (trial_is_half(trial) && random_chance(random, 0.2)) {
        padded_in_place(random, trial);
        return;
    }
    random_side(random, trial, &trial->in);
    trial->in_place = !trial_is_half(trial) && random_chance(random, 0.3);
    if (trial->in_place) {
        trial->out = trial->in;
        trial->out_shift = trial->in_shift;
        return;
    }
    random_side(random, trial, &trial->out);
    if (trial->in.packed || !random_chance(random, 0.15)) return;
    /* Of one number repeated, what is dropped may be far more than what is kept: no relative error
     * says anything then. */
    if (trial->params.kind == WEFT_C2R) return;
    trial->in.stride[random_between(random, 1, trial->dims - 1)] = 0;
    place_side(random, trial, &trial->in);
}

/* ---- ranges ---- */

void trial_range_whole(const struct trial *trial, struct trial_side *side)
{
    side->ranged = true;
    for (int i = 0; i < trial->dims; i++) {
        side->first[i] = 0;
        side->count[i] = side->n[i];
    }
}

void trial_range_random(struct random *random, const struct trial *trial,
                          struct trial_side *side)
{
    trial_range_whole(trial, side);
    for (int i = 1; i < trial->dims; i++) {
        if (!trial->transformed[i] || random_chance(random, 0.4)) continue;
        side->first[i] = random_chance(random, 0.3) ? 0 : random_between(random, 0, side->n[i] - 1);
        side->count[i] = random_between(random, 1, side->n[i]);
        if (side->n[i] % 2 || random_chance(random, 0.5)) continue;
        side->first[i] -= side->first[i] % 2; /* of reals, as numbers of two */
        side->count[i] += side->count[i] % 2;
    }
}

static void straighten(const struct trial *trial, struct trial_side *side)
{
    for (int i = 0; i < trial->dims && side->ranged; i++) {
        const int64_t last = side->n[i] - side->count[i];
        if (side->first[i] > last) side->first[i] = last;
    }
}

void trial_straighten(struct trial *trial)
{
    straighten(trial, &trial->in);
    straighten(trial, &trial->out);
}

/* Strides with room for what the ranges have, and from there to element 0, alone. */
static void compact_side(struct random *random, const struct trial *trial, struct trial_side *side)
{
    struct trial_side room = *side;
    for (int i = 0; i < trial->dims; i++) {
        const int64_t end = side->first[i] + side->count[i];
        if (end < room.n[i]) room.n[i] = end;
    }
    nested_side(random, trial, &room);
    memcpy(side->stride, room.stride, sizeof side->stride);
    side->packed = false;
    place_side(random, trial, side);
}

bool trial_has(const struct trial *trial, const struct trial_side *side, int64_t index)
{
    for (int i = trial->dims - 1; i >= 0 && side->ranged; i--) {
        const int64_t n = side->n[i], ahead = (index % n - side->first[i] + n) % n;
        if (ahead >= side->count[i]) return false;
        index /= n;
    }
    return true;
}

int64_t trial_had_elements(const struct trial *trial, const struct trial_side *side)
{
    int64_t elements = 1;
    for (int i = 0; i < trial->dims; i++) elements *= side->ranged ? side->count[i] : side->n[i];
    return elements;
}

void trial_random(struct random *random, const struct trial_range *range, struct trial *trial)
{
    *trial = (struct trial){.params = WEFT_PARAMS_DEFAULT};
    random_sizes(random, range, trial);
    random_batch(random, range, trial);
    random_axes(random, trial);
    random_options(random, range, trial);
    random_layout(random, trial);
    if (range->stored) random_storages(random, trial);
    if (!range->ranged) return;
    const int sides = (int)random_between(random, 1, 3);
    if (sides & 1) trial_range_random(random, trial, &trial->in);
    if (sides & 2) trial_range_random(random, trial, &trial->out);
    if (sides & 2 && !trial->in_place && random_chance(random, 0.4))
        compact_side(random, trial, &trial->out);
}

weft_params trial_params(const struct trial *trial)
{
    weft_params params = trial->params;
    params.in_offset = trial->in.offset;
    params.out_offset = trial->out.offset;
    if (!trial->in.packed) {
        params.in_stride = trial->in.stride + 1;
        params.in_distance = trial->in.stride[0];
    }
    if (!trial->out.packed) {
        params.out_stride = trial->out.stride + 1;
        params.out_distance = trial->out.stride[0];
    }
    if (trial->in.ranged) {
        params.in_first = trial->in.first + 1;
        params.in_count = trial->in.count + 1;
    }
    if (trial->out.ranged) {
        params.out_first = trial->out.first + 1;
        params.out_count = trial->out.count + 1;
    }
    return params;
}

/* ---- looking at them ---- */

int64_t trial_elements(const struct trial *trial)
{
    int64_t elements = 1;
    for (int i = 0; i < trial->dims; i++)
        elements *= trial->n[i];
    return elements;
}

int64_t trial_side_elements(const struct trial *trial, const struct trial_side *side)
{
    int64_t elements = 1;
    for (int i = 0; i < trial->dims; i++)
        elements *= side->n[i];
    return elements;
}

int64_t trial_points(const struct trial *trial)
{
    int64_t points = 1;
    for (int i = 0; i < trial->dims; i++)
        if (trial->transformed[i]) points *= trial->n[i];
    return points;
}

int64_t trial_place(const struct trial *trial, const struct trial_side *side, int64_t index)
{
    int64_t place = side->offset;
    for (int i = trial->dims - 1; i >= 0; i--) {
        place += index % side->n[i] * side->stride[i];
        index /= side->n[i];
    }
    return place;
}

static int print_side(char *text, size_t capacity, const struct trial *trial, const char *name,
                      const struct trial_side *side)
{
    int length = snprintf(text, capacity, ", %s:", name);
    for (int i = 0; i < trial->dims; i++)
        length += snprintf(text + length, capacity - (size_t)length, " %" PRId64, side->stride[i]);
    length += snprintf(text + length, capacity - (size_t)length, " from %" PRId64 "%s",
                       side->offset, side->packed ? " (packed)" : "");
    for (int i = 1; i < trial->dims && side->ranged; i++)
        length += snprintf(text + length, capacity - (size_t)length, " %" PRId64 "+%" PRId64,
                           side->first[i], side->count[i]);
    return length;
}

const char *trial_text(const struct trial *trial)
{
    static _Thread_local char text[1024];
    const weft_params *p = &trial->params;
    static const char *const kinds[] = {"c2c",  "r2c",  "c2r",  "dct1", "dct2", "dct3",
                                        "dct4", "dst1", "dst2", "dst3", "dst4", "dht"};
    int length = snprintf(text, sizeof text, "%s%s %s %s, batch %" PRId64 ", sizes", kinds[p->kind],
                          p->orthonormal ? " orthonormal" : "",
                          storage_names[storage_of_precision(p->precision)],
                          p->format == WEFT_PLANAR ? "planar" : "interleaved", p->batch);
    for (int i = 0; i < p->rank; i++) {
        const weft_kind own = p->axis_kind[i];
        length += snprintf(text + length, sizeof text - (size_t)length, " %" PRId64 "%s%s",
                           p->size[i], own ? " by " : "", own ? kinds[own] : "");
    }
    length += snprintf(text + length, sizeof text - (size_t)length,
                       ", axes 0x%x, threads %d, scales %g %g, shifts %d %d%s", (unsigned)p->axes,
                       p->threads, p->forward_scale, p->inverse_scale, trial->in_shift,
                       trial->out_shift, trial->in_place ? ", in place" : "");
    length += print_side(text + length, sizeof text - (size_t)length, trial, "in", &trial->in);
    length += print_side(text + length, sizeof text - (size_t)length, trial, "out", &trial->out);
    if (p->in_storage || p->out_storage)
        snprintf(text + length, sizeof text - (size_t)length, ", stored %s, %s",
                 storage_names[p->in_storage], storage_names[p->out_storage]);
    return text;
}
