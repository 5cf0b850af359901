#include "base/hash.h"

#define FNV_PRIME UINT64_C(1099511628211)

uint64_t hash_bytes(uint64_t start, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    uint64_t hash = start;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * FNV_PRIME;
    return hash;
}
