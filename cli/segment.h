/* Straight pieces that lines and letters are drawn from. */
#ifndef WEFT_CLI_SEGMENT_H
#define WEFT_CLI_SEGMENT_H

#include "canvas.h"

typedef struct segment {
    double x0, y0, x1, y1;
} segment;

/* How far a point lies from the segment. */
double segment_distance(const segment *s, double x, double y);

/* Draws them all as one shape, so that no pixel is covered twice where they meet. */
void canvas_segments(canvas *c, const segment *segments, int count, double width, colour ink);

#endif
