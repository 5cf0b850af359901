/* Blobs by key, in memory and on disk: compiled kernels, which take long to make and not long to
 * read. A cache: what it cannot keep it forgets, and nobody's work fails for it. Several threads
 * may use one store, and several processes one folder. */
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "weft/weft.h"

struct store;

/* folder: where the files are, made when something is first put; NULL: the folder "kernels" of
 * folder_path(), and none at all where that says so. The only error is MEMORY. */
weft_status store_open(const char *folder, struct store **made);
void store_close(struct store **store);

/* A copy of what was put under the key, for memory_free(). False: it is not there, or what is there
 * is damaged or another program's; such a file is removed. */
bool store_get(struct store *store, const void *key, size_t key_bytes, void **data, size_t *bytes);

/* Keeps a copy, in place of what was put under the key before. */
void store_put(struct store *store, const void *key, size_t key_bytes, const void *data,
               size_t bytes);

#endif
