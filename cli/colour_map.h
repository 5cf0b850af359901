/* A colour for a number. */
#ifndef WEFT_CLI_COLOUR_MAP_H
#define WEFT_CLI_COLOUR_MAP_H

#include "canvas.h"

/* The colour of `value` from 0 (darkest) to 1 (lightest); what lies outside takes the end's colour.
 * Equal steps look equal, and the lightness alone tells the order, so that it survives grey
 * printing and colour blindness. */
colour colour_map(double value);

#endif
