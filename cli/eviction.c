#define _GNU_SOURCE /* affinity */
#include "eviction.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "samples.h"

/* Where the system does not say how large the caches are. */
static const size_t usual_cache_bytes = (size_t)64 << 20;

/* No cache replaces strictly the oldest. */
static const double pool_over_cache = 1.5;

enum { LINE_BYTES = 64, MOST_PROCESSORS = 256 };

struct sweep {
    const unsigned char *from;
    size_t bytes;
    int processor;
    pthread_t thread;
    bool started;
};

bool eviction_create(struct eviction *eviction)
{
    long last = sysconf(_SC_LEVEL3_CACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    size_t cache = last > 0 ? (size_t)last : second > 0 ? (size_t)second : usual_cache_bytes;
    eviction->bytes = (size_t)(pool_over_cache * (double)cache);
    eviction->pool = samples_create(eviction->bytes);
    return eviction->pool != NULL;
}

static void *sweep(void *context)
{
    const struct sweep *part = context;
    volatile unsigned char sink = 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(part->processor, &set);
    /* If it may not be moved there, it sweeps where it is. */
    (void)pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    for (size_t i = 0; i < part->bytes; i += LINE_BYTES)
        sink = (unsigned char)(sink + part->from[i]);
    return NULL;
}

/* The processors that this process may use. */
static int list_processors(int list[MOST_PROCESSORS])
{
    int count = 0;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_SET(0, &set);
    for (int i = 0; i < CPU_SETSIZE && count < MOST_PROCESSORS; i++)
        if (CPU_ISSET(i, &set)) list[count++] = i;
    return count;
}

void eviction_run(const struct eviction *eviction)
{
    int processor[MOST_PROCESSORS];
    struct sweep part[MOST_PROCESSORS];
    const int count = list_processors(processor);
    const size_t bytes = eviction->bytes / (size_t)count;
    for (int i = 0; i < count; i++) {
        part[i] = (struct sweep){eviction->pool + (size_t)i * bytes, bytes, processor[i], 0, false};
        part[i].started = pthread_create(&part[i].thread, NULL, sweep, &part[i]) == 0;
    }
    for (int i = 0; i < count; i++)
        if (part[i].started) pthread_join(part[i].thread, NULL);
}

void eviction_destroy(struct eviction *eviction)
{
    free(eviction->pool);
    eviction->pool = NULL;
}
