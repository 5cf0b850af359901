#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define ARENA_ALIGNMENT 16
/* The first chunk holds a small plan; each further one is twice its predecessor, up to the last. */
#define FIRST_CHUNK_BYTES 4096
#define LAST_CHUNK_BYTES  (1 << 20)

struct chunk {
    struct chunk *previous;
    size_t used;
    size_t capacity; /* of data */
    _Alignas(ARENA_ALIGNMENT) char data[];
};

struct arena {
    struct chunk *newest;
    size_t next_capacity;
    bool failed;
};

arena *arena_create(void)
{
    arena *a = memory_alloc_zeroed(sizeof *a);
    if (a) a->next_capacity = FIRST_CHUNK_BYTES;
    return a;
}

static bool add_chunk(arena *a, size_t bytes)
{
    size_t capacity = bytes > a->next_capacity ? bytes : a->next_capacity;
    if (capacity > SIZE_MAX - sizeof(struct chunk)) return false;
    struct chunk *c = memory_alloc(sizeof *c + capacity);
    if (!c) return false;
    *c = (struct chunk){.previous = a->newest, .capacity = capacity};
    a->newest = c;
    if (a->next_capacity < LAST_CHUNK_BYTES) a->next_capacity *= 2;
    return true;
}

/* A request of 0 bytes gets a place of its own too: the pointer then never equals another. */
static void *take(arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX - ARENA_ALIGNMENT) return NULL;
    if (bytes == 0) bytes = 1;
    bytes = (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    if (!a->newest || a->newest->capacity - a->newest->used < bytes) {
        if (!add_chunk(a, bytes)) return NULL;
    }
    void *block = a->newest->data + a->newest->used;
    a->newest->used += bytes;
    return block;
}

void *arena_alloc_raw(arena *a, size_t bytes)
{
    if (a->failed) return NULL;
    void *block = take(a, bytes);
    a->failed = !block;
    return block;
}

void *arena_alloc(arena *a, size_t bytes)
{
    void *block = arena_alloc_raw(a, bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void *arena_array(arena *a, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX; /* fails, and sticks */
    return arena_alloc(a, bytes);
}

char *arena_printf(arena *a, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) a->failed = true;
    char *words = arena_alloc(a, (size_t)length + 1);
    if (words) vsnprintf(words, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return words;
}

bool arena_failed(const arena *a)
{
    return a->failed;
}

void arena_destroy(arena **a)
{
    if (!a || !*a) return;
    struct chunk *c = (*a)->newest;
    while (c) {
        struct chunk *previous = c->previous;
        memory_free(c);
        c = previous;
    }
    memory_free(*a);
    *a = NULL;
}
