/* Libraries that are opened at run time, so that none is needed to build. */
#ifndef WEFT_CLI_SHARED_LIBRARY_H
#define WEFT_CLI_SHARED_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function that a library has. */
struct library_entry {
    const char *name;
    void *function; /* the address of the pointer to it */
};

/* Opens the file that the environment variable names (NULL: there is no such variable), or else the
 * first of the `count` names that the loader finds. The library stays open until the process ends.
 * NULL: it is not there. */
void *library_open(const char *variable, const char *const *names, size_t count);

/* Sets the pointers of all entries. false: the library lacks one. */
bool library_find(void *library, const struct library_entry *entries, size_t count);

#endif
