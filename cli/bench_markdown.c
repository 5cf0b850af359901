/* The tables of `weft bench` as Markdown: a short one of geometric means, and one of all sizes for
 * each kind and number of threads, with the precisions side by side. What loses is bold. */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "options.h"

struct markdown {
    FILE *file;
    const struct bench_settings *settings;
    const struct bench_results *results;
    struct bench_group group[BENCH_MOST_GROUPS];
    int groups;
};

static void write_rule(const struct markdown *markdown, int columns)
{
    fputc('|', markdown->file);
    for (int i = 0; i < columns; i++)
        fputs("---|", markdown->file);
    fputc('\n', markdown->file);
}

/* ---- the machine ---- */

static const char *describe_device(const struct bench_settings *settings, weft_device_info *info)
{
    for (int i = 0; i < weft_device_count(); i++) {
        if (weft_device_describe(i, info) != WEFT_OK) continue;
        if (strcmp(info->name, settings->device_name) == 0) return info->description;
    }
    return settings->device_name;
}

static void write_machine(const struct markdown *markdown)
{
    const struct bench_settings *settings = markdown->settings;
    weft_device_info info;
    char date[32] = "";
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(markdown->file,
            "%s, %s, %s, %s caches; rates in GFLOP/s (5 N log2 N, of reals half).\n\n", date,
            describe_device(settings, &info), settings->in_place ? "in place" : "out of place",
            settings->cold ? "cold" : "warm");
}

/* ---- geometric means ---- */

static void write_mean(const struct markdown *markdown, const struct bench_group *group, int rival)
{
    const struct bench_summary summary = bench_summarize(markdown->results, group, rival);
    char text[SIZE_TEXT_CAPACITY];
    if (summary.count == 0) {
        fputs(" - |", markdown->file);
        return;
    }
    const char *bold = summary.mean < 1.0 ? "**" : "";
    fprintf(markdown->file, " %s%.2f%s (%lld of %lld below 1, worst %.2f at %s) |", bold,
            summary.mean, bold, (long long)summary.losing, (long long)summary.count,
            summary.worst_ratio, size_case_text(&summary.worst->dims, text));
}

static void write_means(const struct markdown *markdown)
{
    const struct bench_settings *settings = markdown->settings;
    fputs("| kind | precision | threads |", markdown->file);
    for (int i = 0; i < settings->rivals; i++)
        fprintf(markdown->file, " over %s |", settings->rival[i]->title);
    if (settings->table) fputs(" over the best of the table |", markdown->file);
    fputc('\n', markdown->file);
    write_rule(markdown, 3 + settings->rivals + settings->table);
    for (int g = 0; g < markdown->groups; g++) {
        const struct bench_group *group = &markdown->group[g];
        fprintf(markdown->file, "| %s | %s | %d |", options_kind_name(group->kind),
                options_precision_name(group->precision), group->threads);
        for (int i = 0; i < settings->rivals; i++)
            write_mean(markdown, group, i);
        if (settings->table) write_mean(markdown, group, BENCH_STANDING);
        fputc('\n', markdown->file);
    }
    fputc('\n', markdown->file);
}

/* ---- all sizes ---- */

/* The same case of another group. Batches that fill the memory differ by precision. NULL: none. */
static const struct bench_result *find_case(const struct bench_results *results,
                                            const struct bench_group *group,
                                            const struct size_case *dims)
{
    for (int64_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->result[i];
        const struct size_case *other = &result->dims;
        if (bench_belongs(result, group) && other->rank == dims->rank &&
            memcmp(other->size, dims->size, sizeof dims->size) == 0 &&
            (!dims->batched || other->batch == dims->batch))
            return result;
    }
    return NULL;
}

static void write_ratio(FILE *file, double ratio)
{
    if (isfinite(ratio))
        fprintf(file, ratio < 1.0 ? " **%.2f** |" : " %.2f |", ratio);
    else
        fputs(" - |", file);
}

static void write_time(FILE *file, double seconds)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    for (; seconds < 1.0 && unit < 3; unit++)
        seconds *= 1e3;
    fprintf(file, " %.3g %s |", seconds, units[unit]);
}

static void write_case(const struct markdown *markdown, const struct bench_result *result)
{
    const struct bench_settings *settings = markdown->settings;
    write_time(markdown->file, result->seconds);
    fprintf(markdown->file, " %.3g | %.0f%% |", bench_rate(result, result->seconds),
            100.0 * result->fraction_of_bound);
    for (int i = 0; i < settings->rivals; i++)
        write_ratio(markdown->file, result->rival[i].ratio);
    if (settings->table) write_ratio(markdown->file, result->anchor.standing);
}

/* The columns of one precision. */
static int columns_of_case(const struct markdown *markdown)
{
    return 3 + markdown->settings->rivals + markdown->settings->table;
}

/* Groups of the same kind and threads as `first`, whose precisions stand side by side. */
static bool stands_beside(const struct markdown *markdown, int first, int other)
{
    const struct bench_group *a = &markdown->group[first], *b = &markdown->group[other];
    return a->kind == b->kind && a->threads == b->threads;
}

static void write_heading(const struct markdown *markdown, int first)
{
    const struct bench_settings *settings = markdown->settings;
    const struct bench_group *group = &markdown->group[first];
    int columns = 1;
    fprintf(markdown->file, "| %s, %d thread%s |", options_kind_name(group->kind), group->threads,
            group->threads == 1 ? "" : "s");
    for (int g = first; g < markdown->groups; g++) {
        if (!stands_beside(markdown, first, g)) continue;
        fprintf(markdown->file, " %s | rate | bound |",
                options_precision_name(markdown->group[g].precision));
        for (int i = 0; i < settings->rivals; i++)
            fprintf(markdown->file, " %s |", settings->rival[i]->title);
        if (settings->table) fputs(" table |", markdown->file);
        columns += columns_of_case(markdown);
    }
    fputc('\n', markdown->file);
    write_rule(markdown, columns);
}

static void write_row(const struct markdown *markdown, int first, const struct size_case *dims)
{
    char text[SIZE_TEXT_CAPACITY];
    struct size_case shown = *dims;
    if (!dims->batched) shown.batch = 1;
    fprintf(markdown->file, "| %s |", size_case_text(&shown, text));
    for (int g = first; g < markdown->groups; g++) {
        if (!stands_beside(markdown, first, g)) continue;
        const struct bench_result *found = find_case(markdown->results, &markdown->group[g], dims);
        for (int i = 0; !found && i < columns_of_case(markdown); i++)
            fputs(" - |", markdown->file);
        if (found) write_case(markdown, found);
    }
    fputc('\n', markdown->file);
}

static void write_sizes(const struct markdown *markdown, int first)
{
    for (int earlier = 0; earlier < first; earlier++)
        if (stands_beside(markdown, first, earlier)) return;
    write_heading(markdown, first);
    for (int64_t i = 0; i < markdown->results->count; i++) {
        const struct bench_result *result = &markdown->results->result[i];
        if (bench_belongs(result, &markdown->group[first]))
            write_row(markdown, first, &result->dims);
    }
    fputc('\n', markdown->file);
}

/* ---- all together ---- */

static void write_all(struct markdown *markdown)
{
    markdown->groups = bench_list_groups(markdown->results, markdown->group, BENCH_MOST_GROUPS);
    write_machine(markdown);
    write_means(markdown);
    for (int g = 0; g < markdown->groups; g++)
        write_sizes(markdown, g);
}

bool bench_markdown(const struct bench_settings *settings, const struct bench_results *results,
                    const char *path)
{
    struct markdown markdown = {.file = fopen(path, "w"), .settings = settings, .results = results};
    if (!markdown.file) return false;
    write_all(&markdown);
    bool failed = ferror(markdown.file) != 0;
    const int reason = errno;
    failed = fclose(markdown.file) != 0 || failed;
    if (failed && errno == 0) errno = reason;
    return !failed;
}
