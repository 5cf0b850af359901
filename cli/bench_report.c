/* What `weft bench` prints. */
#include "bench.h"

#include <math.h>
#include <stdio.h>

#include "lines.h"
#include "options.h"

/* One number of the table, or a dash where there is none. */
static void print_cell(int width, const char *format, double number)
{
    char text[32] = "-";
    if (isfinite(number)) snprintf(text, sizeof text, format, number);
    printf(" %*s", width, text);
}

void bench_print_heading(const struct bench_settings *settings)
{
    printf("device %s, %s, %s caches; times in milliseconds, rates in GFLOP/s "
           "(5 N log2 N, of reals half)\n",
           settings->device_name, settings->in_place ? "in place" : "out of place",
           settings->cold ? "cold" : "warm");
    if (isfinite(settings->copy_rate))
        printf("a copy reads and writes %.0f GB/s\n", 1e-9 * settings->copy_rate);
    printf("%-14s %8s %-4s %-4s %3s %9s %4s %6s %9s %8s %8s %8s", "size", "batch", "prec", "kind",
           "thr", "weft", "+-", "bound", "rate", "1st plan", "on disk", "plan");
    if (range_lists_exist(&settings->ranges)) printf(" | %9s %6s", "whole", "ratio");
    for (int i = 0; i < settings->rivals; i++)
        printf(" | %9s %6s %8s", settings->rival[i]->title, "ratio", "plan");
    if (settings->table) printf(" | %-20s %6s %8s", "best of the table", "ratio", "standing");
    printf("\n");
}

void bench_print_row(const struct bench_settings *settings, const struct bench_result *result)
{
    char text[SIZE_TEXT_CAPACITY];
    struct size_case single = result->dims;
    single.batch = 1;
    printf("%-14s %8lld %-4s %-4s %3d", size_case_text(&single, text),
           (long long)result->dims.batch, options_precision_name(result->precision),
           options_kind_name(result->dims.kind), result->threads);
    print_cell(9, "%.4g", 1e3 * result->seconds);
    print_cell(4, "%.0f%%", 100.0 * result->spread);
    print_cell(6, "%.1f%%", 100.0 * result->fraction_of_bound);
    print_cell(9, "%.4g", bench_rate(result, result->seconds));
    print_cell(8, "%.3g", 1e3 * result->first_plan_seconds);
    print_cell(8, "%.3g", 1e3 * result->disk_plan_seconds);
    print_cell(8, "%.3g", 1e3 * result->plan_seconds);
    if (range_lists_exist(&settings->ranges)) {
        printf(" |");
        print_cell(9, "%.4g", 1e3 * result->whole_seconds);
        print_cell(6, "%.2f", result->whole_seconds / result->seconds);
    }
    for (int i = 0; i < settings->rivals; i++) {
        printf(" |");
        print_cell(9, "%.4g", 1e3 * result->rival[i].seconds);
        print_cell(6, "%.2f", result->rival[i].ratio);
        print_cell(8, "%.3g", 1e3 * result->rival[i].plan_seconds);
    }
    if (settings->table) {
        printf(" | %-20s", result->anchor.best);
        print_cell(6, "%.2f", result->anchor.ratio);
        print_cell(8, "%.2f", result->anchor.standing);
    }
    printf("\n");
    fflush(stdout);
}

static json_t *rival_list(const struct bench_settings *settings, const struct bench_result *result)
{
    json_t *list = json_array();
    for (int i = 0; i < settings->rivals; i++) {
        const struct bench_rival_result *rival = &result->rival[i];
        json_array_append_new(
            list,
            json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", settings->rival[i]->name, "seconds",
                      line_number(rival->seconds), "spread", line_number(rival->spread), "ratio",
                      line_number(rival->ratio), "plan_seconds", line_number(rival->plan_seconds),
                      "work_bytes", line_number(rival->work_bytes)));
    }
    return list;
}

static json_t *anchor_object(const struct bench_settings *settings,
                             const struct bench_result *result)
{
    const struct bench_anchor *anchor = &result->anchor;
    if (!settings->table) return json_null();
    return json_pack("{s:s, s:o, s:o}", "best", anchor->best, "ratio", line_number(anchor->ratio),
                     "standing", line_number(anchor->standing));
}

void bench_print_line(const struct bench_settings *settings, const struct bench_result *result)
{
    line_print(json_pack(
        "{s:s, s:o, s:I, s:s, s:s, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o}",
        "kind", options_kind_name(result->dims.kind), "dims", line_dims(&result->dims), "batch",
        (json_int_t)result->dims.batch, "precision", options_precision_name(result->precision),
        "device", settings->device_name, "threads", result->threads, "in_place",
        (int)settings->in_place, "cold", settings->cold != NULL, "seconds",
        line_number(result->seconds), "spread", line_number(result->spread), "rate",
        line_number(bench_rate(result, result->seconds)), "fraction_of_bound",
        line_number(result->fraction_of_bound), "first_plan_seconds",
        line_number(result->first_plan_seconds), "disk_plan_seconds",
        line_number(result->disk_plan_seconds), "plan_seconds", line_number(result->plan_seconds),
        "scratch_bytes", line_number(result->scratch_bytes),
        "whole_seconds", line_number(result->whole_seconds), "rivals", rival_list(settings, result),
        "table", anchor_object(settings, result)));
}

/* ---- what comes last ---- */

static void print_summary(const struct bench_results *results, const struct bench_group *group,
                          int rival, const char *name)
{
    const struct bench_summary summary = bench_summarize(results, group, rival);
    char text[SIZE_TEXT_CAPACITY];
    if (summary.count == 0) return;
    printf("%s %s, %d thread%s: geometric mean %.3f %s; %lld of %lld at 1 or above, worst %.2f "
           "(%s)\n",
           options_kind_name(group->kind), options_precision_name(group->precision), group->threads,
           group->threads == 1 ? "" : "s", summary.mean, name,
           (long long)(summary.count - summary.losing), (long long)summary.count,
           summary.worst_ratio, size_case_text(&summary.worst->dims, text));
}

void bench_print_means(const struct bench_settings *settings, const struct bench_results *results)
{
    struct bench_group groups[BENCH_MOST_GROUPS];
    const int count = bench_list_groups(results, groups, BENCH_MOST_GROUPS);
    for (int i = 0; i < count; i++) {
        for (int rival = 0; rival < settings->rivals; rival++)
            print_summary(results, &groups[i], rival, settings->rival[rival]->title);
        if (settings->table)
            print_summary(results, &groups[i], BENCH_STANDING, "the best of the table");
    }
}

void bench_print_mean_line(const struct bench_settings *settings,
                           const struct bench_results *results)
{
    json_t *means = json_object();
    for (int i = 0; i < settings->rivals; i++)
        json_object_set_new(means, settings->rival[i]->name,
                            line_number(bench_summarize(results, NULL, i).mean));
    if (settings->table)
        json_object_set_new(means, "table",
                            line_number(bench_summarize(results, NULL, BENCH_STANDING).mean));
    line_print(json_pack("{s:o}", "geometric_mean", means));
}
