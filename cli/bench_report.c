/* What `weft bench` prints. */
#include "bench.h"

#include <math.h>
#include <stdio.h>

#include "lines.h"
#include "options.h"

double bench_rate(const struct bench_result *result, double seconds)
{
    double points = (double)size_case_points(&result->dims);
    return 5e-9 * points * log2(points) * (double)result->dims.batch / seconds;
}

double bench_geometric_mean(const struct bench_results *results, int rival)
{
    double logarithms = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < results->count; i++) {
        double ratio = results->result[i].rival[rival].ratio;
        if (!isfinite(ratio)) continue;
        logarithms += log(ratio);
        count++;
    }
    return exp(logarithms / (double)count);
}

/* One number of the table, or a dash where there is none. */
static void print_cell(int width, const char *format, double number)
{
    char text[32] = "-";
    if (isfinite(number)) snprintf(text, sizeof text, format, number);
    printf(" %*s", width, text);
}

void bench_print_heading(const struct bench_settings *settings)
{
    printf("device %s, %d thread%s, %s; times in milliseconds, rates in GFLOP/s (5 N log2 N)\n",
           settings->device_name, settings->threads, settings->threads == 1 ? "" : "s",
           settings->in_place ? "in place" : "out of place");
    if (isfinite(settings->copy_rate))
        printf("a copy reads and writes %.0f GB/s\n", 1e-9 * settings->copy_rate);
    printf("%-14s %8s %-4s %9s %6s %9s %8s %8s %8s", "size", "batch", "prec", "weft", "bound",
           "rate", "1st plan", "on disk", "plan");
    for (int i = 0; i < settings->rivals; i++)
        printf(" | %9s %6s %8s", settings->rival[i]->title, "ratio", "plan");
    printf("\n");
}

void bench_print_row(const struct bench_settings *settings, const struct bench_result *result)
{
    char text[SIZE_TEXT_CAPACITY];
    struct size_case single = result->dims;
    single.batch = 1;
    printf("%-14s %8lld %-4s", size_case_text(&single, text), (long long)result->dims.batch,
           options_precision_name(result->precision));
    print_cell(9, "%.4g", 1e3 * result->seconds);
    print_cell(6, "%.1f%%", 100.0 * result->fraction_of_bound);
    print_cell(9, "%.4g", bench_rate(result, result->seconds));
    print_cell(8, "%.3g", 1e3 * result->first_plan_seconds);
    print_cell(8, "%.3g", 1e3 * result->disk_plan_seconds);
    print_cell(8, "%.3g", 1e3 * result->plan_seconds);
    for (int i = 0; i < settings->rivals; i++) {
        printf(" |");
        print_cell(9, "%.4g", 1e3 * result->rival[i].seconds);
        print_cell(6, "%.2f", result->rival[i].ratio);
        print_cell(8, "%.3g", 1e3 * result->rival[i].plan_seconds);
    }
    printf("\n");
    fflush(stdout);
}

static json_t *rival_list(const struct bench_settings *settings, const struct bench_result *result)
{
    json_t *list = json_array();
    for (int i = 0; i < settings->rivals; i++) {
        const struct bench_rival_result *rival = &result->rival[i];
        json_array_append_new(list, json_pack("{s:s, s:o, s:o, s:o, s:o}", "name",
                                              settings->rival[i]->name, "seconds",
                                              line_number(rival->seconds), "ratio",
                                              line_number(rival->ratio), "plan_seconds",
                                              line_number(rival->plan_seconds), "work_bytes",
                                              line_number(rival->work_bytes)));
    }
    return list;
}

void bench_print_line(const struct bench_settings *settings, const struct bench_result *result)
{
    line_print(json_pack(
        "{s:s, s:o, s:I, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", "c2c", "dims",
        line_dims(&result->dims), "batch", (json_int_t)result->dims.batch, "precision",
        options_precision_name(result->precision), "device", settings->device_name, "threads",
        settings->threads, "seconds", line_number(result->seconds), "fraction_of_bound",
        line_number(result->fraction_of_bound), "first_plan_seconds",
        line_number(result->first_plan_seconds), "disk_plan_seconds",
        line_number(result->disk_plan_seconds), "plan_seconds", line_number(result->plan_seconds),
        "scratch_bytes", line_number(result->scratch_bytes), "rivals",
        rival_list(settings, result)));
}

void bench_print_means(const struct bench_settings *settings, const struct bench_results *results)
{
    for (int i = 0; i < settings->rivals; i++) {
        double mean = bench_geometric_mean(results, i);
        if (isfinite(mean))
            printf("geometric mean of the ratios to %s: %.3f\n", settings->rival[i]->title, mean);
    }
}

void bench_print_mean_line(const struct bench_settings *settings,
                           const struct bench_results *results)
{
    json_t *means = json_object();
    for (int i = 0; i < settings->rivals; i++)
        json_object_set_new(means, settings->rival[i]->name,
                            line_number(bench_geometric_mean(results, i)));
    line_print(json_pack("{s:o}", "geometric_mean", means));
}
