#include "api/ranges.h"

#include <stddef.h>

#include "base/error.h"

static const char *side_name(bool out)
{
    return out ? "out" : "in";
}

static weft_status refuse_first(const char *side, const struct ranges_axis *axis, int64_t first)
{
    return error_set(WEFT_ERROR_ARGUMENT, "%s_first[%d] is %lld: accepted are 0 to %lld", side,
                     axis->number, (long long)first, (long long)axis->length - 1);
}

static weft_status refuse_count(const char *side, const struct ranges_axis *axis, int64_t count)
{
    return error_set(WEFT_ERROR_ARGUMENT, "%s_count[%d] is %lld: accepted are 1 to %lld", side,
                     axis->number, (long long)count, (long long)axis->length);
}

weft_status ranges_read(const weft_params *p, bool out, const struct ranges_axis *axis,
                        struct range *range)
{
    const int64_t *firsts = out ? p->out_first : p->in_first;
    const int64_t *counts = out ? p->out_count : p->in_count;
    const int64_t first = firsts ? firsts[axis->number] : 0;
    const int64_t count = counts ? counts[axis->number] : axis->length;
    const char *side = side_name(out);
    *range = (struct range){0, 0};
    if (firsts && !counts) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "there is %s_first without %s_count: accepted are both, %s_count alone, "
                         "or neither",
                         side, side, side);
    }
    if (first < 0 || first >= axis->length) return refuse_first(side, axis, first);
    if (count < 1 || count > axis->length) return refuse_count(side, axis, count);
    if (count == axis->length) return WEFT_OK;
    if (!axis->transformed) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "%s_count[%d] is %lld, but the axis is not transformed: accepted is its "
                         "length, %lld; a smaller size and an offset say the same",
                         side, axis->number, (long long)count, (long long)axis->length);
    }
    *range = (struct range){first, count};
    return WEFT_OK;
}
