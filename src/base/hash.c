#include "base/hash.h"

#include <string.h>

#define FNV_PRIME UINT64_C(1099511628211)

/* The product moves nothing down: the shift lets the upper bits of a word reach the lower ones. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * FNV_PRIME;
    return hash ^ hash >> 32;
}

uint64_t hash_bytes(uint64_t start, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    uint64_t hash = start, word;
    for (; bytes >= sizeof word; bytes -= sizeof word, byte += sizeof word) {
        memcpy(&word, byte, sizeof word);
        hash = mix(hash, word);
    }
    for (size_t i = 0; i < bytes; i++)
        hash = mix(hash, byte[i]);
    return hash;
}
