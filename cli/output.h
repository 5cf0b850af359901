/* A file that appears whole or not at all: it is written without a name, or under a temporary one,
 * in the same folder, and gets its name when it is complete. */
#ifndef WEFT_CLI_OUTPUT_H
#define WEFT_CLI_OUTPUT_H

#include "failure.h"

#include <stdio.h>

typedef struct output {
    FILE *file;      /* to write to, and to read unless it is a device; NULL: not open */
    char *path;      /* the name it shall have, links resolved; owned */
    char *temporary; /* the name it has; NULL: none, or its own, as that of a device; owned */
    bool nameless;   /* it has no name until it is committed */
} output;

/* Opens the output, so that a path that cannot be written to is found before any work is done. */
bool output_open(output *out, const char *path, failure *why);

/* Writes out what is still on its way, so that committing the output can hardly fail: where there
 * are several, none gets its name before all are finished. */
bool output_finish(output *out, failure *why);

/* Gives the finished output its name, and closes it, whatever happened. An output that is not open
 * is finished and committed by doing nothing. */
bool output_commit(output *out, failure *why);

/* Closes an output without keeping what was written. One that is not open is left alone. */
void output_discard(output *out);

#endif
