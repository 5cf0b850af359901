/* The frame around a picture: title, axes with ticks and labels, and the bar that explains colours.
 */
#ifndef WEFT_CLI_FRAME_H
#define WEFT_CLI_FRAME_H

#include "canvas.h"

/* What an axis shows. `low` is the value at its left or lower end, and may be above `high`. */
typedef struct frame_axis {
    double low, high;
    const char *label;
} frame_axis;

typedef struct frame {
    canvas canvas;
    int left, top, width, height; /* of the area within, in pixels */
    frame_axis x, y;
} frame;

extern const colour frame_ink;  /* text and lines of the frame */
extern const colour frame_line; /* curves */

/* A canvas with room for an area of this size and for all that stands around it; with_bar: also for
 * a colour bar at its right. */
bool frame_create(frame *f, int width, int height, bool with_bar, failure *why);
void frame_destroy(frame *f);

/* Where a value lies on the canvas. */
double frame_place_x(const frame *f, double value);
double frame_place_y(const frame *f, double value);

/* Grid lines at the ticks; drawn before the curves that shall lie over them. */
void frame_draw_grid(frame *f);

/* Box, ticks, labels, and the title, shortened to what fits. */
void frame_draw(frame *f, const char *title, const char *subtitle);

/* The bar of colours at the right, from `low` to `high`. */
void frame_draw_bar(frame *f, const frame_axis *meaning);

#endif
