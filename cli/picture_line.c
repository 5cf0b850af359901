/* The magnitude of one axis' frequencies. */
#include "picture_parts.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 900, HEIGHT = 420, FEW_BINS = 100, CIRCLE_WIDTH = 6 };

#define CURVE_WIDTH 1.5
#define LOW_SHARE   0.01 /* of the bins may fall below the plot */

/* The bins in the order they are drawn in, from the lowest frequency to the highest. */
typedef struct line {
    int64_t count;
    int64_t first;    /* the first's frequency in cycles over the whole axis, negative or 0 */
    double per_bin;   /* cycles per sample */
    double *decibels; /* owned */
} line;

static bool line_create(line *l, const spectrum *s, int64_t size, failure *why)
{
    *l = (line){.count = s->is_real ? size / 2 + 1 : size, .per_bin = 1 / (double)size};
    l->first = s->is_real ? 0 : -(size / 2);
    l->decibels = malloc((size_t)l->count * sizeof *l->decibels);
    if (!l->decibels) return failure_memory(why, (size_t)l->count * sizeof *l->decibels);
    double reference = picture_reference(s);
    for (int64_t i = 0; i < l->count; i++) {
        l->decibels[i] = picture_decibels(s->power[(l->first + i + size) % size], reference);
    }
    return true;
}

static bool choose_range(frame *f, const line *l, failure *why)
{
    size_t bytes = (size_t)l->count * sizeof(double);
    double *sorted = malloc(bytes);
    if (!sorted) return failure_memory(why, bytes);
    for (int64_t i = 0; i < l->count; i++)
        sorted[i] = l->decibels[i];
    f->y = picture_decibel_range(sorted, (size_t)l->count, LOW_SHARE, 0);
    f->y.high += 5; /* air above the highest */
    f->y.label = "magnitude, dB";
    free(sorted);
    return true;
}

static double bin_x(const frame *f, const line *l, int64_t i)
{
    return frame_place_x(f, (double)(l->first + i) * l->per_bin);
}

static double bin_y(const frame *f, const line *l, int64_t i)
{
    return frame_place_y(f, fmax(l->decibels[i], f->y.low));
}

/* Joins the bins; few of them are marked one by one. */
static void draw_curve(frame *f, const line *l)
{
    for (int64_t i = 0; i < l->count; i++) {
        double x = bin_x(f, l, i), y = bin_y(f, l, i);
        if (i > 0) {
            canvas_line(&f->canvas, bin_x(f, l, i - 1), bin_y(f, l, i - 1), x, y, CURVE_WIDTH,
                        frame_line);
        }
        if (l->count <= FEW_BINS) canvas_line(&f->canvas, x, y, x, y, CIRCLE_WIDTH, frame_line);
    }
}

/* Of many bins each column of pixels shows the lowest and the highest. */
static void draw_bars(frame *f, const line *l)
{
    double last = -1;
    for (int column = 0; column < f->width; column++) {
        int64_t start = column * l->count / f->width, end = (column + 1) * l->count / f->width;
        double top = INFINITY, bottom = -INFINITY;
        for (int64_t i = start; i < end; i++) {
            top = fmin(top, bin_y(f, l, i));
            bottom = fmax(bottom, bin_y(f, l, i));
        }
        /* Neighbouring columns touch, so that the curve has no gaps. */
        if (last >= 0 && top > last) top = last;
        last = bottom;
        double x = f->left + column + 0.5;
        canvas_line(&f->canvas, x, top, x, bottom, CURVE_WIDTH, frame_line);
    }
}

bool picture_of_line(frame *f, const spectrum *s, int64_t size, const char *title, failure *why)
{
    line l;
    if (!line_create(&l, s, size, why)) return false;
    bool good = frame_create(f, WIDTH, HEIGHT, false, why) && choose_range(f, &l, why);
    if (good) {
        char subtitle[PICTURE_TEXT];
        snprintf(subtitle, sizeof subtitle, "%lld samples; 0 dB: the strongest frequency but 0",
                 (long long)size);
        f->x =
            (frame_axis){(double)l.first * l.per_bin, (double)(l.first + l.count - 1) * l.per_bin,
                         "frequency, cycles per sample"};
        frame_draw_grid(f);
        if (l.count > 2 * WIDTH)
            draw_bars(f, &l);
        else
            draw_curve(f, &l);
        frame_draw(f, title, subtitle);
    } else {
        frame_destroy(f);
    }
    free(l.decibels);
    return good;
}
