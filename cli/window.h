/* Windows by name, as expressions that the library takes (docs/hooks.md). */
#ifndef WEFT_CLI_WINDOW_H
#define WEFT_CLI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The names, for messages. */
#define WINDOWS "hann, hamming, blackman, nuttall, flattop, sine or bartlett"

/* Room for any expression that the library takes. */
#define WINDOW_LENGTH 1001

/* Whether there is such a window. */
bool window_exists(const char *name);

/* Writes the expression that multiplies elements by the window along each of the axes, periodic:
 * the n-th value would be the 0-th. False: there is no room. */
bool window_expression(const char *name, uint32_t axes, char *text, size_t capacity);

#endif
