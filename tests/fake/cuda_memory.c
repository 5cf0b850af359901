/* The memory of the fake driver: the host's, all ones where nothing was written. */
#include <stdlib.h>
#include <string.h>

#include "fake/cuda.h"

struct block {
    struct CUctx_st *context;
    char *start;
    size_t bytes;
    struct block *next;
};

static struct block *blocks;
static size_t allocated;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block **find_block(const char *address)
{
    struct block **link = &blocks;
    while (*link && !(address >= (*link)->start && address < (*link)->start + (*link)->bytes))
        link = &(*link)->next;
    return link;
}

EXPORTED int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
EXPORTED int cuMemFree_v2(uint64_t memory);
EXPORTED int cuPointerGetAttributes(unsigned count, const int *attributes, void **values,
                                    uint64_t pointer);

EXPORTED int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags);
EXPORTED int cuMemHostUnregister(void *memory);

static int allocate(uint64_t *memory, size_t bytes)
{
    if (!current_context()) return INVALID_CONTEXT;
    if (forbids_allocating()) return CAPTURE_UNSUPPORTED;
    if (bytes > DEVICE_BYTES - allocated) return OUT_OF_MEMORY;
    struct block *block = malloc(sizeof *block);
    char *start = block ? malloc(bytes) : NULL;
    if (!start) {
        free(block);
        return OUT_OF_MEMORY;
    }
    memset(start, 0xff, bytes);
    *block = (struct block){current_context(), start, bytes, blocks};
    blocks = block;
    allocated += bytes;
    *memory = (uint64_t)(uintptr_t)start;
    return OK;
}

int cuMemAlloc_v2(uint64_t *memory, size_t bytes)
{
    pthread_mutex_lock(&lock);
    int result = allocate(memory, bytes);
    pthread_mutex_unlock(&lock);
    return result;
}

int cuMemFree_v2(uint64_t memory)
{
    do_all(NULL);
    pthread_mutex_lock(&lock);
    struct block **link = find_block((char *)(uintptr_t)memory), *block = *link;
    int result = block && current_context() ? OK : INVALID_VALUE;
    if (result == OK) {
        *link = block->next;
        allocated -= block->bytes;
        free(block->start);
        free(block);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

enum { MOST_REGISTERED = 64, ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };

static struct {
    void *memory;
    size_t bytes;
} registered[MOST_REGISTERED];

/* Under the lock. */
static bool is_registered(const char *address)
{
    for (int i = 0; i < MOST_REGISTERED; i++) {
        const char *start = registered[i].memory;
        if (start && address >= start && address < start + registered[i].bytes) return true;
    }
    return false;
}

/* Of CUpointer_attribute: the context, the type of memory, the device. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t pointer)
{
    pthread_mutex_lock(&lock);
    const struct block *block = *find_block((char *)(uintptr_t)pointer);
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] == 1) *(struct CUctx_st **)values[i] = block ? block->context : NULL;
        if (attributes[i] == 2)
            *(unsigned *)values[i] = block ? 2 : is_registered((char *)(uintptr_t)pointer);
        if (attributes[i] == 9) *(int *)values[i] = block ? block->context->device : -1;
    }
    pthread_mutex_unlock(&lock);
    return OK;
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    int result = OUT_OF_MEMORY;
    if (!bytes || flags != 1) return INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_REGISTERED; i++)
        if (registered[i].memory == memory) result = ALREADY_REGISTERED;
    for (int i = 0; i < MOST_REGISTERED && result == OUT_OF_MEMORY; i++) {
        if (registered[i].memory) continue;
        registered[i].memory = memory;
        registered[i].bytes = bytes;
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int cuMemHostUnregister(void *memory)
{
    int result = NOT_REGISTERED;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_REGISTERED; i++) {
        if (registered[i].memory != memory) continue;
        registered[i].memory = NULL;
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}
