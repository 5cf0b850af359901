#include "stream/layout.h"

#include "spec/kind.h"

int layout_dims(const struct problem *p)
{
    return p->loops + p->axes;
}

bool layout_is_real(const struct problem *p, enum stream_place place)
{
    if (place == STREAM_IN) return problem_is_real(p, false);
    if (place == STREAM_OUT) return problem_is_real(p, true);
    return place == STREAM_SPARE && kind_is_trigonometric(p->kind);
}

weft_storage layout_storage(const struct problem *p, enum stream_place place)
{
    if (place == STREAM_IN) return p->side[0].storage;
    return place == STREAM_OUT ? p->side[1].storage : WEFT_STORED_AS_COMPUTED;
}

size_t layout_element_bytes(const struct problem *p, enum stream_place place)
{
    const weft_storage storage = layout_storage(p, place);
    const int bytes = storage ? storage_bytes(storage) : precision_bytes(p->precision);
    return (size_t)bytes * (layout_is_real(p, place) ? 1 : 2);
}

const struct dim *layout_dim(const struct problem *p, int d)
{
    return d < p->loops ? &p->loop[d] : &p->axis[d - p->loops];
}

weft_kind layout_kind(const struct problem *p, int d)
{
    return d < p->loops ? p->kind : problem_axis_kind(p, d - p->loops);
}

int64_t layout_position(const struct problem *p, bool out, int d)
{
    return d < p->loops ? p->hooks.loop[out][d] : p->hooks.axis[out][d - p->loops];
}

int64_t layout_length(const struct problem *p, enum stream_place place, int d)
{
    const bool halved =
        kind_is_half(p->kind) && d == layout_dims(p) - 1 && !layout_is_real(p, place);
    return halved ? layout_dim(p, d)->n / 2 + 1 : layout_dim(p, d)->n;
}

struct layout layout_of(const struct problem *p, enum stream_place place)
{
    struct layout layout = {.place = place};
    int64_t packed = 1;
    for (int d = layout_dims(p) - 1; d >= 0; d--) {
        const struct dim *dim = layout_dim(p, d);
        layout.stride[d] = place == STREAM_IN    ? dim->in_stride
                           : place == STREAM_OUT ? dim->out_stride
                                                 : packed;
        packed *= layout_length(p, place, d);
    }
    return layout;
}

int64_t layout_elements(const struct problem *p, enum stream_place place)
{
    int64_t elements = 1;
    for (int d = 0; d < layout_dims(p); d++)
        elements *= layout_length(p, place, d);
    return elements;
}
