#include "ranges.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Few enough that what is left of a length, times them, is a number. */
#define MOST_PARTS 1000000

/* ---- reading ---- */

/* A number without a sign. */
static bool take_number(const char **at, int64_t *number)
{
    char *end;
    if (**at < '0' || **at > '9') return false;
    errno = 0;
    *number = strtoll(*at, &end, 10);
    *at = end;
    return errno == 0;
}

static bool take(const char **at, char expected)
{
    if (**at != expected) return false;
    ++*at;
    return true;
}

/* "AXIS=", where there is one. */
static bool take_axis(const char **at, struct range_item *item)
{
    const char *digits = *at;
    const bool negative = take(&digits, '-');
    int64_t axis;
    item->every = true;
    if (!take_number(&digits, &axis) || !take(&digits, '=')) return !negative;
    if (axis > WEFT_MAX_RANK) return false;
    item->every = false;
    item->axis = negative ? -(int)axis : (int)axis;
    *at = digits;
    return true;
}

static bool take_item(const char **at, struct range_item *item)
{
    *item = (struct range_item){0};
    if (!take_axis(at, item) || !take_number(at, &item->first) || !take(at, ':')) return false;
    if (!take_number(at, &item->count)) return false;
    if (!take(at, '/')) return true;
    if (!take_number(at, &item->parts) || item->parts > MOST_PARTS) return false;
    return item->parts > 0 && item->count <= item->parts;
}

static bool read_list(const char *text, struct range_list *list)
{
    list->count = 0;
    if (!text) return true;
    do {
        if (list->count == WEFT_MAX_RANK) return false;
        if (!take_item(&text, &list->item[list->count++])) return false;
    } while (take(&text, ','));
    return *text == 0;
}

const char *range_lists_read(const char *in, const char *out, struct range_lists *lists)
{
    if (!read_list(in, &lists->side[0])) return "--in-range";
    return read_list(out, &lists->side[1]) ? NULL : "--out-range";
}

bool range_lists_exist(const struct range_lists *lists)
{
    return lists->side[0].count > 0 || lists->side[1].count > 0;
}

/* ---- of a problem ---- */

static uint32_t axes_of(const weft_params *params)
{
    return params->axes ? params->axes : (1u << params->rank) - 1;
}

static int64_t side_length(const weft_params *params, bool out, int axis)
{
    const bool last = axes_of(params) >> axis == 1;
    const bool halved = params->kind == (out ? WEFT_R2C : WEFT_C2R);
    return halved && last ? params->size[axis] / 2 + 1 : params->size[axis];
}

/* Of parts whole elements alone, but for the first. */
static int64_t count_of(const struct range_item *item, int64_t length)
{
    if (!item->parts) return item->count;
    const int64_t part = length / item->parts, left = length % item->parts;
    const int64_t count = part * item->count + left * item->count / item->parts;
    return count > 0 ? count : 1;
}

static const char *make_item(const struct range_item *item, const weft_params *params, bool out,
                             struct ranges *ranges)
{
    static char text[96];
    const int rank = params->rank, axis = item->axis < 0 ? item->axis + rank : item->axis;
    if (!item->every && (axis < 0 || axis >= rank)) {
        snprintf(text, sizeof text, "%s: there is no axis %d; expected %d to %d",
                 out ? "--out-range" : "--in-range", item->axis, -rank, rank - 1);
        return text;
    }
    for (int i = 0; i < rank; i++) {
        if (item->every ? !(axes_of(params) >> i & 1) : i != axis) continue;
        ranges->first[out][i] = item->first;
        ranges->count[out][i] = count_of(item, ranges->length[out][i]);
    }
    return NULL;
}

const char *ranges_make(const struct range_lists *lists, const weft_params *params,
                        struct ranges *ranges)
{
    const char *problem = NULL;
    *ranges = (struct ranges){.rank = params->rank};
    for (int out = 0; out < 2; out++) {
        const struct range_list *list = &lists->side[out];
        ranges->given[out] = list->count > 0;
        for (int i = 0; i < params->rank; i++) {
            ranges->length[out][i] = side_length(params, out, i);
            ranges->count[out][i] = ranges->length[out][i];
        }
        for (int i = 0; i < list->count && !problem; i++)
            problem = make_item(&list->item[i], params, out, ranges);
    }
    return problem;
}

void ranges_take(const struct ranges *ranges, weft_params *params)
{
    if (ranges->given[0]) {
        params->in_first = ranges->first[0];
        params->in_count = ranges->count[0];
    }
    if (ranges->given[1]) {
        params->out_first = ranges->first[1];
        params->out_count = ranges->count[1];
    }
}

bool ranges_have(const struct ranges *ranges, bool out, const int64_t *size, int64_t element)
{
    for (int i = ranges->rank - 1; i >= 0 && ranges->given[out]; i--) {
        const int64_t place = element % size[i] - ranges->first[out][i];
        const int64_t from_first = place < 0 ? place + ranges->length[out][i] : place;
        if (from_first >= ranges->count[out][i]) return false;
        element /= size[i];
    }
    return true;
}
