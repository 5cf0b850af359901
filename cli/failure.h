/* Why something failed, in words for the person at the terminal. */
#ifndef WEFT_CLI_FAILURE_H
#define WEFT_CLI_FAILURE_H

#include <stdbool.h>

typedef struct failure {
    char text[400];
} failure;

/* Writes the text, cut to what fits. Always returns false, so that a function that returns true on
 * success can end with `return failure_set(...)`. */
bool failure_set(failure *why, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Likewise, for memory that could not be had. */
bool failure_memory(failure *why, unsigned long long bytes);

#endif
