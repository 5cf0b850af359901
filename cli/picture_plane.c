/* The magnitude of two axes' frequencies, frequency 0 in the middle. */
#include "picture_parts.h"

#include "colour_map.h"

#include <math.h>
#include <stdlib.h>

enum { LONGEST_SIDE = 900, SHORTEST_SIDE = 120, COMMON_SIDE = 500 };

/* Shares of the pixels that may be darker or lighter than the colours can show. */
#define LOW_SHARE  0.02
#define HIGH_SHARE 0.0005

/* The spectrum as pixels. */
typedef struct plane {
    int width, height;
    double *decibels; /* rows from the lowest vertical frequency on; owned */
} plane;

/* How many pixels an axis takes: whole pixels a bin where that is at least one, so that no bin is
 * wider than its neighbour; and the same scale for both axes unless one would be a mere line. */
static int side_pixels(int64_t size, int64_t longest)
{
    int64_t pixels;
    if (longest > LONGEST_SIDE) {
        pixels = size * LONGEST_SIDE / longest;
    } else {
        pixels = size * (longest < COMMON_SIDE ? COMMON_SIDE / longest : 1);
    }
    if (pixels >= SHORTEST_SIDE) return (int)pixels;
    return (int)(size < SHORTEST_SIDE ? size * (SHORTEST_SIDE / size) : SHORTEST_SIDE);
}

/* The bins that the index-th of `pixels` pixels covers, in centred order: at least one. */
typedef struct span {
    int64_t first, end;
} span;

static span pixel_span(int index, int pixels, int64_t size)
{
    span s = {index * size / pixels, (index + 1) * size / pixels};
    if (s.end == s.first) s.end++;
    return s;
}

/* Where the index-th bin in centred order, from -(size / 2) on, is stored. */
static int64_t stored_at(int64_t centred, int64_t size)
{
    return (centred + (size + 1) / 2) % size;
}

static double mean_power(const spectrum *s, const int64_t *size, span rows, span columns)
{
    double sum = 0;
    for (int64_t y = rows.first; y < rows.end; y++) {
        int64_t row = stored_at(y, size[0]) * size[1];
        for (int64_t x = columns.first; x < columns.end; x++) {
            sum += s->power[row + stored_at(x, size[1])];
        }
    }
    return sum / (double)((rows.end - rows.first) * (columns.end - columns.first));
}

static bool plane_create(plane *p, const spectrum *s, const int64_t *size, failure *why)
{
    int64_t longest = size[0] > size[1] ? size[0] : size[1];
    *p = (plane){.width = side_pixels(size[1], longest), .height = side_pixels(size[0], longest)};
    size_t bytes = (size_t)p->width * (size_t)p->height * sizeof *p->decibels;
    p->decibels = malloc(bytes);
    if (!p->decibels) return failure_memory(why, bytes);
    double reference = picture_reference(s);
    for (int y = 0; y < p->height; y++) {
        span rows = pixel_span(y, p->height, size[0]);
        for (int x = 0; x < p->width; x++) {
            double power = mean_power(s, size, rows, pixel_span(x, p->width, size[1]));
            p->decibels[y * p->width + x] = picture_decibels(power, reference);
        }
    }
    return true;
}

/* The axis of frequencies: every bin reaches half a bin to either side of its frequency. */
static frame_axis frequencies(int64_t size, const char *label)
{
    double low = (-(double)(size / 2) - 0.5) / (double)size;
    return (frame_axis){low, low + 1, label};
}

static void draw_plane(frame *f, const plane *p, const frame_axis *range)
{
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            double value = p->decibels[y * p->width + x];
            colour shade = colour_map((value - range->low) / (range->high - range->low));
            canvas_blend(&f->canvas, f->left + x, f->top + y, shade, 1);
        }
    }
}

/* The range of the colours. Sorting it out destroys the order of a copy. */
static bool choose_range(const plane *p, frame_axis *range, failure *why)
{
    size_t count = (size_t)p->width * (size_t)p->height;
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted) return failure_memory(why, count * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = p->decibels[i];
    *range = picture_decibel_range(sorted, count, LOW_SHARE, HIGH_SHARE);
    range->label = "magnitude, dB";
    free(sorted);
    return true;
}

static bool draw(frame *f, const plane *p, const int64_t *size, bool is_image, const char *title,
                 failure *why)
{
    frame_axis range;
    char subtitle[PICTURE_TEXT];
    if (!choose_range(p, &range, why)) return false;
    if (!frame_create(f, p->width, p->height, true, why)) return false;
    snprintf(subtitle, sizeof subtitle, "%lld x %lld %s; 0 dB: the strongest frequency but 0",
             (long long)size[is_image ? 1 : 0], (long long)size[is_image ? 0 : 1],
             is_image ? "pixels" : "samples");
    f->x = frequencies(size[1], is_image ? "horizontal frequency, cycles per pixel"
                                         : "last axis, cycles per sample");
    f->y = frequencies(size[0], is_image ? "vertical frequency, cycles per pixel"
                                         : "first axis, cycles per sample");
    /* Rows run downwards, and so do their frequencies. */
    double low = f->y.low;
    f->y.low = f->y.high;
    f->y.high = low;
    draw_plane(f, p, &range);
    frame_draw(f, title, subtitle);
    frame_draw_bar(f, &range);
    return true;
}

bool picture_of_plane(frame *f, const spectrum *s, const int64_t *size, bool is_image,
                      const char *title, failure *why)
{
    plane p;
    if (!plane_create(&p, s, size, why)) return false;
    bool good = draw(f, &p, size, is_image, title, why);
    free(p.decibels);
    return good;
}
