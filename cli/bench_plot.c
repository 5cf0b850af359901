/* The plot of `weft bench`: rates over sizes, a panel for each kind, precision and number of
 * threads. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "peak.h"
#include "plot.h"

/* weft's, the rivals' and the bound's. */
static const char *const colors[] = {"#c8392b", "#2b6ca8", "#3d8f5a",
                                     "#8a5aa8", "#c98a1b", "#888888"};

enum { LABEL_CAPACITY = SIZE_TEXT_CAPACITY + 64 };
enum { WEFT, FIRST_RIVAL, BOUND = FIRST_RIVAL + BENCH_MOST_RIVALS, CONTESTANTS };

static const char *const precision_titles[] = {
    [WEFT_F32] = "single precision",
    [WEFT_F64] = "double precision",
    [WEFT_F16] = "halves in single precision",
    [WEFT_BF16] = "bfloat16 in single precision",
    [WEFT_DD] = "double-double"};

/* One group's, and its title and level's name. */
struct panel_text {
    char title[64], level[64];
};

/* All points, and what they refer to. */
struct drawing {
    const struct bench_settings *settings;
    const struct bench_results *results;
    struct plot_point *point; /* of one panel and contestant after the other */
    char (*label)[LABEL_CAPACITY];
    int64_t used; /* of both */
    struct bench_group group[BENCH_MOST_GROUPS];
    struct plot_series series[BENCH_MOST_GROUPS][CONTESTANTS];
    struct panel_text text[BENCH_MOST_GROUPS];
    struct plot_panel panel[BENCH_MOST_GROUPS];
};

static int compare_points(const void *a, const void *b)
{
    const struct plot_point *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Only these are joined: between sizes of different factors a line would mean nothing. */
static bool is_plain_power_of_two(const struct size_case *dims)
{
    return dims->rank == 1 && (dims->size[0] & (dims->size[0] - 1)) == 0;
}

static double seconds_of(const struct bench_result *result, int contestant)
{
    if (contestant == WEFT) return result->seconds;
    if (contestant == BOUND) return result->bound_seconds;
    return result->rival[contestant - FIRST_RIVAL].seconds;
}

static struct plot_point make_point(const struct bench_result *result, int contestant,
                                    char label[LABEL_CAPACITY])
{
    char text[SIZE_TEXT_CAPACITY];
    double rate = bench_rate(result, seconds_of(result, contestant));
    snprintf(label, LABEL_CAPACITY, "%s: %.2f GFLOP/s", size_case_text(&result->dims, text), rate);
    return (struct plot_point){(double)size_case_elements(&result->dims), rate,
                               is_plain_power_of_two(&result->dims), label};
}

/* Appends the points of one group and contestant. Returns how many. */
static int64_t collect(struct drawing *drawing, const struct bench_group *group, int contestant)
{
    const int64_t first = drawing->used;
    for (int64_t i = 0; i < drawing->results->count; i++) {
        const struct bench_result *result = &drawing->results->result[i];
        if (!bench_belongs(result, group) || !isfinite(seconds_of(result, contestant))) continue;
        const int64_t place = drawing->used++;
        drawing->point[place] = make_point(result, contestant, drawing->label[place]);
    }
    const int64_t count = drawing->used - first;
    qsort(drawing->point + first, (size_t)count, sizeof *drawing->point, compare_points);
    return count;
}

static const char *name_of(const struct bench_settings *settings, int contestant, int threads)
{
    if (contestant == WEFT) return "weft";
    if (contestant != BOUND) return settings->rival[contestant - FIRST_RIVAL]->title;
    const bool copied = isfinite(settings->copy_rate) || (settings->place->host && threads == 1);
    return copied ? "memory (a copy)" : "memory (model)";
}

/* What multiplying and adding alone would reach, on a CPU. */
static void draw_level(struct drawing *drawing, int which)
{
    const struct bench_group *group = &drawing->group[which];
    struct panel_text *text = &drawing->text[which];
    struct plot_panel *panel = &drawing->panel[which];
    if (!drawing->settings->place->host) return;
    panel->level = 1e-9 * peak_rate(group->precision) * group->threads;
    if (!isfinite(panel->level)) return;
    snprintf(text->level, sizeof text->level, "arithmetic: %.0f", panel->level);
    panel->level_name = text->level;
}

static void draw_panel(struct drawing *drawing, int which)
{
    const struct bench_group *group = &drawing->group[which];
    struct plot_series *series = drawing->series[which];
    struct panel_text *text = &drawing->text[which];
    int drawn = 0;
    for (int c = 0; c < CONTESTANTS; c++) {
        const struct plot_point *point = drawing->point + drawing->used;
        if (c >= FIRST_RIVAL + drawing->settings->rivals && c != BOUND) continue;
        const int64_t count = collect(drawing, group, c);
        if (count == 0) continue;
        const char *name = name_of(drawing->settings, c, group->threads);
        series[drawn++] = (struct plot_series){name, colors[c], point, count, c == BOUND};
    }
    snprintf(text->title, sizeof text->title, "%s, %s, %d thread%s", options_kind_name(group->kind),
             precision_titles[group->precision], group->threads, group->threads == 1 ? "" : "s");
    drawing->panel[which] =
        (struct plot_panel){.title = text->title, .series = series, .series_count = drawn};
    draw_level(drawing, which);
}

static bool write_drawing(struct drawing *drawing, const char *path)
{
    const struct bench_settings *settings = drawing->settings;
    const int panels = bench_list_groups(drawing->results, drawing->group, BENCH_MOST_GROUPS);
    for (int i = 0; i < panels; i++)
        draw_panel(drawing, i);
    char title[192];
    snprintf(title, sizeof title, "Transforms on %s, %s, %s caches", settings->device_name,
             settings->in_place ? "in place" : "out of place", settings->cold ? "cold" : "warm");
    struct plot plot = {title, "points (the powers of two are joined)",
                        "GFLOP/s (5 N log2 N, of reals half)", drawing->panel, panels};
    return plot_write(&plot, path);
}

bool bench_plot(const struct bench_settings *settings, const struct bench_results *results,
                const char *path)
{
    struct drawing *drawing = calloc(1, sizeof *drawing);
    const size_t points = (size_t)results->count * CONTESTANTS + 1;
    if (!drawing) return false;
    drawing->settings = settings;
    drawing->results = results;
    drawing->point = calloc(points, sizeof *drawing->point);
    drawing->label = calloc(points, sizeof *drawing->label);
    bool written = drawing->point && drawing->label && write_drawing(drawing, path);
    free(drawing->point);
    free(drawing->label);
    free(drawing);
    return written;
}
