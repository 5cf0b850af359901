/* 64 bits in the manner of FNV-1a, eight bytes at a time: for tables in memory and for cache keys,
 * not for secrets. */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(14695981039346656037)

uint64_t hash_bytes(uint64_t start, const void *data, size_t bytes);

#endif
