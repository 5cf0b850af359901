/* Geometric means of `weft bench`. */
#include <math.h>

#include "bench.h"

double bench_rate(const struct bench_result *result, double seconds)
{
    const double points = (double)size_case_points(&result->dims);
    const double operations = result->dims.kind == WEFT_C2C ? 5.0 : 2.5;
    return 1e-9 * operations * points * log2(points) * (double)result->dims.batch / seconds;
}

bool bench_belongs(const struct bench_result *result, const struct bench_group *group)
{
    return result->measured &&
           (!group || (result->dims.kind == group->kind && result->precision == group->precision &&
                       result->threads == group->threads));
}

int bench_list_groups(const struct bench_results *results, struct bench_group *groups, int most)
{
    int count = 0;
    for (int64_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->result[i];
        int at = 0;
        while (at < count && !bench_belongs(result, &groups[at]))
            at++;
        if (!result->measured || at < count || count == most) continue;
        groups[count++] =
            (struct bench_group){result->dims.kind, result->precision, result->threads};
    }
    return count;
}

struct bench_summary bench_summarize(const struct bench_results *results,
                                     const struct bench_group *group, int rival)
{
    struct bench_summary summary = {.worst_ratio = INFINITY};
    double logarithms = 0.0;
    for (int64_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->result[i];
        if (!bench_belongs(result, group)) continue;
        const double ratio =
            rival == BENCH_STANDING ? result->anchor.standing : result->rival[rival].ratio;
        if (!isfinite(ratio)) continue;
        logarithms += log(ratio);
        summary.count++;
        summary.losing += ratio < 1.0;
        if (ratio >= summary.worst_ratio) continue;
        summary.worst = result;
        summary.worst_ratio = ratio;
    }
    summary.mean = exp(logarithms / (double)summary.count);
    return summary;
}
