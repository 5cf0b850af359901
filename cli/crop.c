#include "crop.h"

#include <string.h>

/* Where the element of the part is in the whole, both counted row by row. */
static int64_t place_of(const array *part, const array *whole, const struct ranges *ranges,
                        int64_t element)
{
    int64_t place = 0, stride = 1;
    for (int i = part->rank - 1; i >= 0; i--) {
        const int64_t index = ranges->first[1][i] + element % part->size[i];
        place += index % whole->size[i] * stride;
        stride *= whole->size[i];
        element /= part->size[i];
    }
    return place;
}

int64_t crop_place(const struct ranges *ranges, int64_t element)
{
    int64_t place = 0, stride = 1;
    for (int i = ranges->rank - 1; i >= 0; i--) {
        const int64_t n = ranges->length[1][i];
        place += (element % n + n - ranges->first[1][i]) % n * stride;
        stride *= ranges->count[1][i];
        element /= n;
    }
    return place;
}

bool crop_describe(array *part, const array *whole, const struct ranges *ranges, failure *why)
{
    if (!array_describe(part, whole->rank, ranges->count[1], whole->precision, why)) return false;
    part->storage = whole->storage;
    part->is_real = whole->is_real;
    return true;
}

bool crop_create(array *part, const array *whole, const struct ranges *ranges, failure *why)
{
    const size_t bytes = array_element_bytes(whole);
    if (!crop_describe(part, whole, ranges, why) || !array_allocate(part, why)) return false;
    for (int64_t i = 0; i < part->count; i++) {
        const int64_t place = place_of(part, whole, ranges, i);
        memcpy((char *)part->data + (size_t)i * bytes,
               (const char *)whole->data + (size_t)place * bytes, bytes);
    }
    return true;
}
