#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

const char *library_find(void *handle, const struct library_entry *entry, size_t count,
                         void *functions)
{
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(handle, entry[i].name);
        if (!function) return entry[i].name;
        /* Copied as bytes because ISO C cannot convert what dlsym returns. */
        memcpy((char *)functions + entry[i].place, &function, sizeof function);
    }
    return NULL;
}
