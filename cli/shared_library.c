#include "shared_library.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *library_open(const char *variable, const char *const *names, size_t count)
{
    const char *wanted = variable ? getenv(variable) : NULL;
    if (wanted && wanted[0]) return dlopen(wanted, RTLD_NOW);
    void *library = NULL;
    for (size_t i = 0; i < count && !library; i++)
        library = dlopen(names[i], RTLD_NOW);
    return library;
}

/* ISO C cannot convert what dlsym returns to a pointer to a function. */
bool library_find(void *library, const struct library_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(library, entries[i].name);
        if (!symbol) return false;
        memcpy(entries[i].function, &symbol, sizeof symbol);
    }
    return true;
}
