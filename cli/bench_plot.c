/* The plot of `weft bench`: rates over sizes, a panel for each precision. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot.h"

/* weft's, the rivals' and the bound's. */
static const char *const colors[] = {"#c8392b", "#2b6ca8", "#3d8f5a", "#8a5aa8", "#888888"};

enum { LABEL_CAPACITY = SIZE_TEXT_CAPACITY + 64, PANELS = 2 };
enum { WEFT, FIRST_RIVAL, BOUND = FIRST_RIVAL + BENCH_MOST_RIVALS, CONTESTANTS };

/* All points, and the labels that they refer to. */
struct drawing {
    struct plot_point *point; /* of one panel and contestant after the other */
    char (*label)[LABEL_CAPACITY];
    struct plot_series series[PANELS][CONTESTANTS];
    struct plot_panel panel[PANELS];
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

/* Appends the points of one precision and contestant behind the `used` ones. Returns how many. */
static int64_t collect(struct drawing *drawing, int64_t used, const struct bench_results *results,
                       weft_precision precision, int contestant)
{
    int64_t count = 0;
    for (int64_t i = 0; i < results->count; i++) {
        const struct bench_result *result = &results->result[i];
        if (result->precision != precision || !result->measured) continue;
        if (!isfinite(seconds_of(result, contestant))) continue;
        int64_t place = used + count++;
        drawing->point[place] = make_point(result, contestant, drawing->label[place]);
    }
    qsort(drawing->point + used, (size_t)count, sizeof *drawing->point, compare_points);
    return count;
}

/* NULL: there is no such contestant. The bound is drawn where it was measured. */
static const char *name_of(const struct bench_settings *settings, int contestant)
{
    if (contestant == WEFT) return "weft";
    if (contestant == BOUND) return isfinite(settings->copy_rate) ? "bound: a copy" : NULL;
    int rival = contestant - FIRST_RIVAL;
    return rival < settings->rivals ? settings->rival[rival]->title : NULL;
}

static struct plot_panel make_panel(struct drawing *drawing, int64_t *used,
                                    const struct bench_settings *settings,
                                    const struct bench_results *results, weft_precision precision)
{
    struct plot_series *series = drawing->series[precision];
    int drawn = 0;
    for (int c = 0; c < CONTESTANTS; c++) {
        const char *name = name_of(settings, c);
        if (!name) continue;
        int64_t count = collect(drawing, *used, results, precision, c);
        series[drawn++] = (struct plot_series){name, colors[c], drawing->point + *used, count};
        *used += count;
    }
    const char *title = precision == WEFT_F64 ? "double precision" : "single precision";
    return (struct plot_panel){title, series, drawn};
}

static bool write_drawing(struct drawing *drawing, const struct bench_settings *settings,
                          const struct bench_results *results, const char *path)
{
    int64_t used = 0;
    int panels = 0;
    for (int p = WEFT_F32; p <= WEFT_F64; p++) {
        int64_t before = used;
        drawing->panel[panels] = make_panel(drawing, &used, settings, results, (weft_precision)p);
        panels += used > before;
    }
    char title[192];
    snprintf(title, sizeof title, "Transforms on %s, %s", settings->device_name,
             settings->in_place ? "in place" : "out of place");
    struct plot plot = {title, "points (the powers of two are joined)", "GFLOP/s (5 N log2 N)",
                        drawing->panel, panels};
    return plot_write(&plot, path);
}

bool bench_plot(const struct bench_settings *settings, const struct bench_results *results,
                const char *path)
{
    struct drawing drawing = {0};
    size_t points = (size_t)results->count * CONTESTANTS + 1;
    drawing.point = calloc(points, sizeof *drawing.point);
    drawing.label = calloc(points, sizeof *drawing.label);
    bool written =
        drawing.point && drawing.label && write_drawing(&drawing, settings, results, path);
    free(drawing.point);
    free(drawing.label);
    return written;
}
