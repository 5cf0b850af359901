/* A store's file: a head, the key, the data. */
#ifndef WEFT_STORE_ENTRY_H
#define WEFT_STORE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Files that are larger are neither written nor read. */
#define ENTRY_MOST_BYTES ((size_t)64 << 20)

struct entry_key {
    const void *data;
    size_t bytes;
    uint64_t hash; /* of the data */
};

/* Reads the file's data into memory for memory_free(). False: there is no file, or it does not hold
 * the key. What is no entry, or a damaged one, is removed. */
bool entry_read(const char *path, const struct entry_key *key, void **data, size_t *bytes);

/* Writes the file, quietly not if that cannot be done. */
void entry_write(const char *path, const struct entry_key *key, const void *data, size_t bytes);

#endif
