#include "plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* In pixels. */
enum {
    WIDTH = 900,
    PANEL_HEIGHT = 384,
    TITLE_HEIGHT = 40,
    MARGIN_LEFT = 70,
    MARGIN_RIGHT = 20,
    MARGIN_TOP = 58,
    MARGIN_BOTTOM = 56,
    LEGEND_LINE = 24,
    LEGEND_CHARACTER = 8
};

static const char limit_color[] = "#888888";

/* Room is made for a level that is not so many times as high as all points. */
static const double room_for_level = 3.0;

enum { MOST_X_TICKS = 12, Y_TICKS = 5 };

/* One panel's frame, and the data's ranges in it. */
struct frame {
    FILE *file;
    double left, right, top, bottom;
    double x_low, x_high; /* log2 */
    double y_high;
    double y_step;
    char clip[24]; /* the name of what its lines may cover */
};

static double place_x(const struct frame *frame, double x)
{
    double part = (log2(x) - frame->x_low) / (frame->x_high - frame->x_low);
    return frame->left + part * (frame->right - frame->left);
}

static double place_y(const struct frame *frame, double y)
{
    return frame->bottom - y / frame->y_high * (frame->bottom - frame->top);
}

static void write_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
}

static void draw_text(FILE *file, double x, double y, const char *style, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, style);
    write_text(file, text);
    fputs("</text>\n", file);
}

/* 1, 2 or 5 times a power of ten, so that about Y_TICKS of them reach the highest value. */
static double nice_step(double highest)
{
    double rough = highest / Y_TICKS, power = pow(10.0, floor(log10(rough)));
    double digit = rough / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static void fit_ranges(struct frame *frame, const struct plot_panel *panel)
{
    double low = INFINITY, high = -INFINITY, highest = 0.0;
    for (int s = 0; s < panel->series_count; s++) {
        for (int64_t i = 0; i < panel->series[s].count; i++) {
            const struct plot_point *point = &panel->series[s].point[i];
            low = fmin(low, log2(point->x));
            high = fmax(high, log2(point->x));
            if (!panel->series[s].limit) highest = fmax(highest, point->y);
        }
    }
    if (panel->level_name && panel->level < room_for_level * highest)
        highest = fmax(highest, panel->level);
    frame->x_low = floor(isfinite(low) ? low : 0.0);
    frame->x_high = fmax(ceil(isfinite(high) ? high : 1.0), frame->x_low + 1.0);
    frame->y_step = nice_step(highest > 0.0 ? highest : 1.0);
    frame->y_high = frame->y_step * ceil((highest > 0.0 ? highest : 1.0) / frame->y_step);
}

static void draw_y_axis(const struct frame *frame)
{
    FILE *file = frame->file;
    for (double y = 0.0; y <= frame->y_high * 1.0001; y += frame->y_step) {
        double at = place_y(frame, y);
        char text[32];
        snprintf(text, sizeof text, "%g", y);
        fprintf(file, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                frame->left, at, frame->right, at);
        draw_text(file, frame->left - 8, at + 4, "class=\"tick\" text-anchor=\"end\"", text);
    }
}

static void draw_power_of_two(const struct frame *frame, int exponent)
{
    double at = place_x(frame, exp2(exponent));
    char text[16];
    snprintf(text, sizeof text, "%d", exponent);
    fprintf(frame->file, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            at, frame->top, at, frame->bottom);
    draw_text(frame->file, at, frame->bottom + 20, "class=\"tick\" text-anchor=\"end\"", "2");
    draw_text(frame->file, at + 1, frame->bottom + 14, "class=\"power\"", text);
}

static void draw_x_axis(const struct frame *frame, const char *label)
{
    int span = (int)(frame->x_high - frame->x_low);
    int step = (span + MOST_X_TICKS - 1) / MOST_X_TICKS;
    for (int tick = 0; tick <= span; tick += step)
        draw_power_of_two(frame, (int)frame->x_low + tick);
    draw_text(frame->file, 0.5 * (frame->left + frame->right), frame->bottom + 42,
              "class=\"label\" text-anchor=\"middle\"", label);
}

static void draw_line(const struct frame *frame, const struct plot_series *series)
{
    fprintf(frame->file,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" clip-path=\"url(#%s)\" "
            "%spoints=\"",
            series->color, frame->clip, series->limit ? "stroke-dasharray=\"6 4\" " : "");
    for (int64_t i = 0; i < series->count; i++) {
        const struct plot_point *point = &series->point[i];
        if (point->joined)
            fprintf(frame->file, "%.1f,%.1f ", place_x(frame, point->x), place_y(frame, point->y));
    }
    fputs("\"/>\n", frame->file);
}

static void draw_points(const struct frame *frame, const struct plot_series *series)
{
    for (int64_t i = 0; i < series->count; i++) {
        const struct plot_point *point = &series->point[i];
        fputs("<g><title>", frame->file);
        write_text(frame->file, point->label);
        fprintf(frame->file,
                "</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\" stroke=\"%s\" "
                "stroke-width=\"1.5\"/></g>\n",
                place_x(frame, point->x), place_y(frame, point->y),
                point->joined ? series->color : "white", series->color);
    }
}

static void draw_level(const struct frame *frame, double level)
{
    if (level > frame->y_high) return;
    fprintf(frame->file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"2\" stroke-dasharray=\"2 4\"/>\n",
            frame->left, place_y(frame, level), frame->right, place_y(frame, level), limit_color);
}

/* Returns where the next entry begins. */
static double draw_legend_entry(const struct frame *frame, double x, const char *color,
                                const char *dashes, const char *name)
{
    const double y = frame->top - 14;
    fprintf(frame->file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-width=\"2\" %s/>\n",
            x, y, x + LEGEND_LINE, y, color, dashes);
    draw_text(frame->file, x + LEGEND_LINE + 8, y + 4, "class=\"label\"", name);
    return x + 2 * LEGEND_LINE + LEGEND_CHARACTER * (double)strlen(name);
}

/* Between the panel's title and its frame. */
static void draw_legend(const struct frame *frame, const struct plot_panel *panel)
{
    double x = frame->left;
    for (int s = 0; s < panel->series_count; s++) {
        const struct plot_series *series = &panel->series[s];
        x = draw_legend_entry(frame, x, series->color,
                              series->limit ? "stroke-dasharray=\"6 4\"" : "", series->name);
    }
    if (panel->level_name)
        draw_legend_entry(frame, x, limit_color, "stroke-dasharray=\"2 4\"", panel->level_name);
}

/* What is above the frame's top is not shown. */
static void define_clip(const struct frame *frame)
{
    fprintf(frame->file,
            "<clipPath id=\"%s\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"/></clipPath>\n",
            frame->clip, frame->left, frame->top, frame->right - frame->left,
            frame->bottom - frame->top);
}

static void draw_panel(FILE *file, const struct plot *plot, int index)
{
    const struct plot_panel *panel = &plot->panel[index];
    const double top = TITLE_HEIGHT + PANEL_HEIGHT * index;
    struct frame frame = {.file = file,
                          .left = MARGIN_LEFT,
                          .right = WIDTH - MARGIN_RIGHT,
                          .top = top + MARGIN_TOP,
                          .bottom = top + PANEL_HEIGHT - MARGIN_BOTTOM};
    snprintf(frame.clip, sizeof frame.clip, "panel%d", index);
    fit_ranges(&frame, panel);
    char title[128];
    snprintf(title, sizeof title, "%s: %s", panel->title, plot->y_label);
    draw_text(file, frame.left, frame.top - 34, "class=\"panel\"", title);
    draw_y_axis(&frame);
    draw_x_axis(&frame, plot->x_label);
    draw_legend(&frame, panel);
    define_clip(&frame);
    if (panel->level_name) draw_level(&frame, panel->level);
    for (int s = panel->series_count - 1; s >= 0; s--) {
        draw_line(&frame, &panel->series[s]);
        if (!panel->series[s].limit) draw_points(&frame, &panel->series[s]);
    }
}

static void draw(FILE *file, const struct plot *plot)
{
    int height = TITLE_HEIGHT + PANEL_HEIGHT * plot->panel_count;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
            "<style>.grid{stroke:#e2e2e2}.tick{font-size:12px;fill:#555}"
            ".power{font-size:9px;fill:#555}"
            ".label{font-size:13px;fill:#222}.panel{font-size:14px;font-weight:bold;fill:#222}"
            ".title{font-size:16px;font-weight:bold;fill:#111}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, height, WIDTH, height);
    draw_text(file, MARGIN_LEFT, 28, "class=\"title\"", plot->title);
    for (int i = 0; i < plot->panel_count; i++)
        draw_panel(file, plot, i);
    fputs("</svg>\n", file);
}

bool plot_write(const struct plot *plot, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    draw(file, plot);
    bool failed = ferror(file) != 0;
    int reason = errno;
    failed = fclose(file) != 0 || failed;
    if (failed && errno == 0) errno = reason;
    return !failed;
}
