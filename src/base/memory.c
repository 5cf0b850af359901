#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/spares.h"

#define LARGE_PAGE ((size_t)2 << 20)
/* What a large page must hold at least: it takes the time of 64 small ones to clear, and the rest
 * of it is memory. (Experiment "plan time" in docs/experiments.) */
#define LARGE_LEAST (LARGE_PAGE / 3)

/* Counters for the tests; nothing the library does depends on them otherwise. */
static atomic_int_least64_t successes_left = -1;
static atomic_int_least64_t live_blocks;

static bool may_succeed(void)
{
    int_least64_t left = atomic_load_explicit(&successes_left, memory_order_relaxed);
    while (left > 0) {
        if (atomic_compare_exchange_weak(&successes_left, &left, left - 1)) return true;
    }
    return left < 0;
}

static void *alloc_aligned(size_t bytes, size_t alignment)
{
    if (bytes == 0) bytes = 1;
    if (bytes > PTRDIFF_MAX - alignment) return NULL; /* rounding up would overflow */
    if (!may_succeed()) return NULL;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *block = alignment == MEMORY_ALIGNMENT ? spares_take(rounded) : NULL;
    if (!block) block = aligned_alloc(alignment, rounded);
    if (block) atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return block;
}

void *memory_alloc(size_t bytes)
{
    return alloc_aligned(bytes, MEMORY_ALIGNMENT);
}

void *memory_alloc_zeroed(size_t bytes)
{
    void *block = memory_alloc(bytes);
    if (block) memset(block, 0, bytes);
    return block;
}

void *memory_alloc_large(size_t bytes)
{
    if (bytes < LARGE_LEAST) return memory_alloc(bytes);
    void *block = alloc_aligned(bytes, LARGE_PAGE);
#ifdef MADV_HUGEPAGE
    /* Only advice: where the system has no large pages the block is as good as any. */
    const size_t pages = bytes / LARGE_PAGE + (bytes % LARGE_PAGE >= LARGE_LEAST);
    if (block) (void)madvise(block, pages * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return block;
}

void memory_free(void *block)
{
    if (!block) return;
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    if (!spares_keep(block)) free(block);
}

void memory_fail_after(int64_t successes)
{
    atomic_store(&successes_left, successes);
}

int64_t memory_live_blocks(void)
{
    return atomic_load(&live_blocks);
}
