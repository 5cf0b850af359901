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

double bench_geometric_mean(const struct bench_results *results)
{
    double logarithms = 0.0;
    for (int64_t i = 0; i < results->count; i++)
        logarithms += log(results->result[i].ratio);
    return exp(logarithms / (double)results->count);
}

static const char *rival_name(const struct bench_settings *settings)
{
    return settings->rival ? settings->rival->name : "none";
}

void bench_print_heading(const struct bench_settings *settings)
{
    printf("device %s, %d thread%s, %s, against %s; rates in GFLOP/s (5 N log2 N)\n",
           settings->device_name, settings->threads, settings->threads == 1 ? "" : "s",
           settings->in_place ? "in place" : "out of place", rival_name(settings));
    printf("%-14s %-4s %10s %10s %6s %9s %11s %9s %10s %8s\n", "size", "prec", "weft s", "rival s",
           "ratio", "weft rate", "rival rate", "plan s", "rival plan", "of bound");
}

/* One number of the table, or a dash where there is none. */
static void print_cell(int width, const char *format, double number)
{
    char text[32] = "-";
    if (isfinite(number)) snprintf(text, sizeof text, format, number);
    printf(" %*s", width, text);
}

void bench_print_row(const struct bench_settings *settings, const struct bench_result *result)
{
    char text[SIZE_TEXT_CAPACITY];
    (void)settings;
    printf("%-14s %-4s", size_case_text(&result->dims, text),
           options_precision_name(result->precision));
    print_cell(10, "%.3e", result->weft_seconds);
    print_cell(10, "%.3e", result->rival_seconds);
    print_cell(6, "%.2f", result->ratio);
    print_cell(9, "%.3f", bench_rate(result, result->weft_seconds));
    print_cell(11, "%.3f", bench_rate(result, result->rival_seconds));
    print_cell(9, "%.2e", result->plan_seconds);
    print_cell(10, "%.2e", result->rival_plan_seconds);
    print_cell(8, "%.1f%%", 100.0 * result->fraction_of_bound);
    printf("\n");
    fflush(stdout);
}

void bench_print_line(const struct bench_settings *settings, const struct bench_result *result)
{
    line_print(json_pack(
        "{s:s, s:o, s:I, s:s, s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", "c2c", "dims",
        line_dims(&result->dims), "batch", (json_int_t)result->dims.batch, "precision",
        options_precision_name(result->precision), "device", settings->device_name, "threads",
        settings->threads, "rival", rival_name(settings), "weft_seconds",
        line_number(result->weft_seconds), "rival_seconds", line_number(result->rival_seconds),
        "ratio", line_number(result->ratio), "plan_seconds", line_number(result->plan_seconds),
        "rival_plan_seconds", line_number(result->rival_plan_seconds), "fraction_of_bound",
        line_number(result->fraction_of_bound)));
}

void bench_print_mean(double geometric_mean)
{
    if (isfinite(geometric_mean)) printf("geometric mean of the ratio: %.3f\n", geometric_mean);
}

void bench_print_mean_line(double geometric_mean)
{
    line_print(json_pack("{s:o}", "geometric_mean", line_number(geometric_mean)));
}
