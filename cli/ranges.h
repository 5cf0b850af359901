/* Ranges of axes, as --in-range and --out-range say which elements there are: others of the input
 * count as zero, others of the output are not wanted. */
#ifndef WEFT_CLI_RANGES_H
#define WEFT_CLI_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include <weft/weft.h>

/* For --help and for messages. */
#define RANGES_SYNTAX "[AXIS=]FIRST:COUNT or [AXIS=]FIRST:PART/PARTS, several with commas between"

/* One of them as it was written. */
struct range_item {
    bool every; /* transformed axis, or */
    int axis;   /* this one, negative ones counted from the last */
    int64_t first;
    int64_t count, parts; /* so many elements, or count / parts of the axis if that is not 0 */
};

struct range_list {
    int count;
    struct range_item item[WEFT_MAX_RANK];
};

/* Of the input and of the output. */
struct range_lists {
    struct range_list side[2];
};

/* Reads what the two options were given, each NULL where it was not. Returns NULL, or the name of
 * the option that is wrong. */
const char *range_lists_read(const char *in, const char *out, struct range_lists *lists);

/* What they come to in one problem, by side. */
struct ranges {
    bool given[2];
    int rank;
    int64_t first[2][WEFT_MAX_RANK], count[2][WEFT_MAX_RANK];
    int64_t length[2][WEFT_MAX_RANK]; /* of the whole axis there */
};

/* Whether any are given. */
bool range_lists_exist(const struct range_lists *lists);

/* Makes them of the parameters' kind, rank, sizes and axes. Returns NULL, or one line that says
 * what is wrong. Whether such a range may be is for the library to say. */
const char *ranges_make(const struct range_lists *lists, const weft_params *params,
                        struct ranges *ranges);

/* params with them; `ranges` must outlive its use. */
void ranges_take(const struct ranges *ranges, weft_params *params);

/* Whether the element of a side is one of those that there are. It is counted row by row through
 * arrays of these sizes, one behind the other. */
bool ranges_have(const struct ranges *ranges, bool out, const int64_t *size, int64_t element);

#endif
