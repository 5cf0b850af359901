#include "canvas.h"

#include "segment.h"

#include <math.h>
#include <stdlib.h>

bool canvas_create(canvas *c, int width, int height, failure *why)
{
    size_t count = (size_t)width * (size_t)height;
    *c = (canvas){.width = width, .height = height};
    c->pixels = malloc(count * sizeof *c->pixels);
    if (!c->pixels) return failure_memory(why, count * sizeof *c->pixels);
    for (size_t i = 0; i < count; i++)
        c->pixels[i] = (colour){255, 255, 255};
    return true;
}

void canvas_destroy(canvas *c)
{
    free(c->pixels);
    *c = (canvas){0};
}

static unsigned char mix(unsigned char paper, unsigned char ink, double coverage)
{
    return (unsigned char)lround(paper + (ink - paper) * coverage);
}

void canvas_blend(canvas *c, int x, int y, colour ink, double coverage)
{
    if (x < 0 || y < 0 || x >= c->width || y >= c->height) return;
    colour *pixel = &c->pixels[(size_t)y * (size_t)c->width + (size_t)x];
    pixel->red = mix(pixel->red, ink.red, coverage);
    pixel->green = mix(pixel->green, ink.green, coverage);
    pixel->blue = mix(pixel->blue, ink.blue, coverage);
}

void canvas_fill(canvas *c, int x, int y, int width, int height, colour ink)
{
    for (int row = y; row < y + height; row++) {
        for (int column = x; column < x + width; column++)
            canvas_blend(c, column, row, ink, 1);
    }
}

double segment_distance(const segment *s, double x, double y)
{
    double along_x = s->x1 - s->x0, along_y = s->y1 - s->y0;
    double length = along_x * along_x + along_y * along_y;
    double t = length > 0 ? ((x - s->x0) * along_x + (y - s->y0) * along_y) / length : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - s->x0 - t * along_x, y - s->y0 - t * along_y);
}

/* x as the number of a pixel, the nearest where it lies outside; x may be infinite. */
static int pixel_within(double x, int most)
{
    return (int)fmin(fmax(x, 0), most);
}

void canvas_segments(canvas *c, const segment *segments, int count, double width, colour ink)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < count; i++) {
        left = fmin(left, fmin(segments[i].x0, segments[i].x1));
        right = fmax(right, fmax(segments[i].x0, segments[i].x1));
        top = fmin(top, fmin(segments[i].y0, segments[i].y1));
        bottom = fmax(bottom, fmax(segments[i].y0, segments[i].y1));
    }
    double reach = width / 2 + 0.5; /* beyond it, coverage is 0 */
    int first_row = pixel_within(top - reach, c->height);
    int last_row = pixel_within(bottom + reach, c->height);
    int first = pixel_within(left - reach, c->width);
    int last = pixel_within(right + reach, c->width);
    for (int y = first_row; y <= last_row; y++) {
        for (int x = first; x <= last; x++) {
            double nearest = INFINITY;
            for (int i = 0; i < count; i++) {
                nearest = fmin(nearest, segment_distance(&segments[i], x + 0.5, y + 0.5));
            }
            if (nearest < reach) canvas_blend(c, x, y, ink, fmin(reach - nearest, fmin(width, 1)));
        }
    }
}

void canvas_line(canvas *c, double x0, double y0, double x1, double y1, double width, colour ink)
{
    segment line = {x0, y0, x1, y1};
    canvas_segments(c, &line, 1, width, ink);
}
