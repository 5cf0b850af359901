/* A picture in memory and what is drawn on it. Coordinates are in pixels from the upper left
 * corner; the middle of the first pixel is (0.5, 0.5). */
#ifndef WEFT_CLI_CANVAS_H
#define WEFT_CLI_CANVAS_H

#include "failure.h"

#include <stdio.h>

typedef struct colour {
    unsigned char red, green, blue;
} colour;

typedef struct canvas {
    int width, height;
    colour *pixels; /* row by row; owned */
} canvas;

/* Where the given point lies in a text: its start, middle or end. */
typedef enum text_anchor { TEXT_START, TEXT_MIDDLE, TEXT_END } text_anchor;

/* A white canvas. */
bool canvas_create(canvas *c, int width, int height, failure *why);
void canvas_destroy(canvas *c);

/* Covers a pixel by `coverage` (0 to 1) with a colour; a pixel outside is left out. */
void canvas_blend(canvas *c, int x, int y, colour ink, double coverage);

void canvas_fill(canvas *c, int x, int y, int width, int height, colour ink);

/* A straight line of a width in pixels, with round ends and smooth edges. */
void canvas_line(canvas *c, double x0, double y0, double x1, double y1, double width, colour ink);

/* Draws printable ASCII in a sans-serif face; other characters appear as '?'. (x, y) is on the
 * base line at the anchor; `size` is the height of a capital letter in pixels. An upright text runs
 * from the bottom to the top. */
void canvas_text(canvas *c, double x, double y, text_anchor anchor, double size, bool upright,
                 colour ink, const char *text);

/* How long the text is, in pixels. */
double canvas_text_width(double size, const char *text);

/* Writes the canvas as PNG. */
bool canvas_write_png(const canvas *c, FILE *file, failure *why);

#endif
