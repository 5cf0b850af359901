/* Empties the caches, for times of the first run. */
#ifndef WEFT_CLI_EVICTION_H
#define WEFT_CLI_EVICTION_H

#include <stdbool.h>
#include <stddef.h>

struct eviction {
    unsigned char *pool; /* larger than the last level of cache */
    size_t bytes;
};

/* false: no memory. */
bool eviction_create(struct eviction *eviction);

/* Reads the pool on every processor at once, a part on each, so that nothing else is left in the
 * caches of any. */
void eviction_run(const struct eviction *eviction);

void eviction_destroy(struct eviction *eviction);

#endif
