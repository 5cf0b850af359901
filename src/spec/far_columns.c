#include "spec/far_columns.h"

#define FAR_LINES  4
#define FAR_LEVELS 4

/* Second levels from here on hold wide tiles of most columns. */
#define LARGE_BYTES (INT64_C(1) << 20)

bool far_columns_are_wide(const struct limits *limits)
{
    return limits_halve_lines(limits) && limits->cache_bytes[1] < LARGE_BYTES;
}

/* Shares of the third level. (Experiments "ahead" and "one line or four" in docs/experiments.) */
#define FAR_SHARE      4
#define FAR_WIDE_SHARE 8

int64_t far_sweep_bytes(const struct limits *limits, int64_t third_level)
{
    return third_level / (far_columns_are_wide(limits) ? FAR_WIDE_SHARE : FAR_SHARE);
}

static int64_t wide_columns(const struct limits *limits, weft_precision precision)
{
    return FAR_LINES * limits->coalescing_bytes / (2 * precision_bytes(precision));
}

int64_t far_columns_widest(const struct limits *limits, const struct problem *problem)
{
    const int64_t one_end = problem_elements(problem) * 2 * precision_bytes(problem->precision);
    const bool far = one_end > far_sweep_bytes(limits, limits->cache_bytes[2]) / 2;
    return far && far_columns_are_wide(limits) ? wide_columns(limits, problem->precision) : 1;
}

int64_t far_columns_longest(const struct limits *limits, weft_precision precision)
{
    const int64_t bytes = 4 * precision_bytes(precision) * wide_columns(limits, precision);
    return FAR_LEVELS * limits->cache_bytes[1] / bytes;
}

/* By division, for n may be near the end of the integers. */
int64_t far_columns(const struct limits *limits, weft_precision precision, int64_t n,
                    int64_t columns, int64_t most)
{
    const int64_t wide = wide_columns(limits, precision);
    const int64_t held = far_columns_longest(limits, precision) * wide / n;
    if (held < most) most = held;
    while (columns < wide && 2 * columns <= most) columns *= 2;
    return columns;
}
