#include "spec/range.h"

int range_runs(struct range range, int64_t n, struct range run[2])
{
    const int64_t beyond = range.first + range.count - n;
    run[0] = range.count ? range : (struct range){0, n};
    if (range.count == 0 || beyond <= 0) return 1;
    run[0] = (struct range){0, beyond};
    run[1] = (struct range){range.first, n - range.first};
    return 2;
}

struct range range_run(struct range range, int64_t n, int *number)
{
    struct range run[2];
    const int runs = range_runs(range, n, run), taken = *number % runs;
    *number /= runs;
    return run[taken];
}

struct range range_extent(struct range range, int64_t n)
{
    struct range run[2];
    return range_runs(range, n, run) > 1 ? (struct range){0, n} : run[0];
}

bool range_holds(struct range outer, struct range inner, int64_t n)
{
    if (outer.count == 0) return true;
    if (inner.count == 0) return false;
    const int64_t ahead = (inner.first - outer.first + n) % n;
    return ahead + inner.count <= outer.count;
}

double range_share(struct range range, int64_t n)
{
    return range.count ? (double)range.count / (double)n : 1;
}
