/* The one door to the heap: every allocation of the library comes through here, so that tests can
 * make the n-th one fail. */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Alignment of every block: a cache line, and the widest vector. */
#define MEMORY_ALIGNMENT 64

/* At least `bytes` bytes aligned to MEMORY_ALIGNMENT, or NULL. memory_free accepts NULL. */
void *memory_alloc(size_t bytes);
void *memory_alloc_zeroed(size_t bytes);
void memory_free(void *block);

/* For arrays of 0.7 MB and more: asks the system for large pages where it has them. */
void *memory_alloc_large(size_t bytes);

/* Tests: the allocation after `successes` more successful ones fails, and all later ones, until
 * called again; -1 never fails (the default). Counts over all threads. */
void memory_fail_after(int64_t successes);

/* Tests: blocks now allocated and not freed. */
int64_t memory_live_blocks(void);

#endif
