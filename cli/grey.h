/* Arrays as grey pictures. */
#ifndef WEFT_CLI_GREY_H
#define WEFT_CLI_GREY_H

#include "array.h"
#include "canvas.h"

/* Draws the real parts of two axes from the upper left corner on, a pixel each: 0 is black, and
 * what is lighter than `white` is white. grey: added to all of them, as a share of white. */
void grey_draw(canvas *c, const array *picture, double grey);

/* Writes them as PNG. */
bool grey_write(const array *picture, double grey, FILE *file, failure *why);

#endif
