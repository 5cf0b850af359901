/* Libraries that are opened at run time. */
#ifndef WEFT_BASE_LIBRARY_H
#define WEFT_BASE_LIBRARY_H

#include <stddef.h>

/* A function and where its pointer belongs in a struct of such pointers. */
struct library_entry {
    const char *name;
    size_t place;
};

/* Fills in `count` pointers of the struct `functions`. handle: of dlopen(). Returns the name of the
 * first function that the library lacks; NULL: it has them all. */
const char *library_find(void *handle, const struct library_entry *entry, size_t count,
                         void *functions);

#endif
