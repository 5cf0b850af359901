/* JSON lines: what check, bench and devices print with --json. */
#ifndef WEFT_CLI_LINES_H
#define WEFT_CLI_LINES_H

#include <jansson.h>

#include "sizes.h"

/* The number, or null where it is none or infinite, which JSON cannot say. */
json_t *line_number(double number);

/* The sizes as an array. */
json_t *line_dims(const struct size_case *dims);

/* Prints the object as one line to stdout at once, and releases it. NULL (no memory to make it)
 * prints a line with null, so that lines can still be counted. */
void line_print(json_t *object);

#endif
