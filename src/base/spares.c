#include "base/spares.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What the heap gives back to the system at once, but no block that has large pages. The most of
 * them are those of four plans. (Experiment "spares" in docs/experiments.) */
#define LEAST_BYTES ((size_t)16 << 10)
#define ALL_BYTES   ((size_t)4 << 20)
#define MOST_SPARES 32
#ifdef WEFT_NO_SPARES /* who watches the heap is to see blocks go */
#define MOST_BYTES 0
#else
#define MOST_BYTES ((size_t)640 << 10)
#endif

struct spare {
    void *block;
    size_t bytes;
};

/* The oldest first. */
static struct {
    pthread_mutex_t lock;
    int users, count;
    size_t bytes;
    struct spare spare[MOST_SPARES];
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *remove_spare(int at)
{
    const struct spare removed = kept.spare[at];
    kept.count--;
    kept.bytes -= removed.bytes;
    memmove(kept.spare + at, kept.spare + at + 1, (size_t)(kept.count - at) * sizeof removed);
    return removed.block;
}

void spares_open(void)
{
    pthread_mutex_lock(&kept.lock);
    kept.users++;
    pthread_mutex_unlock(&kept.lock);
}

void spares_close(void)
{
    pthread_mutex_lock(&kept.lock);
    kept.users--;
    while (!kept.users && kept.count)
        free(remove_spare(kept.count - 1));
    pthread_mutex_unlock(&kept.lock);
}

/* The smallest that holds them, and is not a quarter larger; -1: there is none. */
static int find_spare(size_t bytes)
{
    int best = -1;
    size_t most = bytes + bytes / 4;
    for (int i = kept.count - 1; i >= 0; i--) {
        if (kept.spare[i].bytes < bytes || kept.spare[i].bytes > most) continue;
        best = i;
        most = kept.spare[i].bytes - 1;
    }
    return best;
}

/* Who finds the lock taken goes to the heap: nothing waits here, nor after a fork. */
void *spares_take(size_t bytes)
{
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES) return NULL;
    if (pthread_mutex_trylock(&kept.lock)) return NULL;
    const int found = find_spare(bytes);
    void *block = found < 0 ? NULL : remove_spare(found);
    pthread_mutex_unlock(&kept.lock);
    return block;
}

bool spares_keep(void *block)
{
    const size_t bytes = malloc_usable_size(block);
    if (bytes < LEAST_BYTES || bytes > MOST_BYTES) return false;
    if (pthread_mutex_trylock(&kept.lock)) return false;
    const bool keeps = kept.users > 0;
    if (keeps) {
        while (kept.count == MOST_SPARES || kept.bytes + bytes > ALL_BYTES)
            free(remove_spare(0));
        kept.spare[kept.count++] = (struct spare){block, bytes};
        kept.bytes += bytes;
    }
    pthread_mutex_unlock(&kept.lock);
    return keeps;
}
