/* Finished plans of one device, so that the next plan for an equal problem costs next to nothing.
 * May be used by several threads. */
#ifndef WEFT_RUN_PLAN_CACHE_H
#define WEFT_RUN_PLAN_CACHE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "run/executable.h"

/* What decides on a plan besides the device. */
struct plan_key {
    struct problem problem;
    weft_effort effort;
    uint64_t generation; /* of the wisdom that was asked */
};

/* A program chosen and made ready: all of a plan but whose it is. Never changes, so plans share
 * it. */
struct prepared {
    struct plan_key key;
    arena *arena; /* of the program; NULL: none yet */
    const struct program *program;
    struct executable *executable;
    struct pass_shortcut shortcut;

    /* of the cache, under its lock */
    struct prepared *next;
    int users; /* plans that hold it */
    bool listed;
};

struct plan_cache {
    pthread_mutex_t lock;
    struct prepared *first; /* the last taken in front */
};

void plan_cache_open(struct plan_cache *cache);
/* All that was taken must have been given back. */
void plan_cache_close(struct plan_cache *cache);

/* What was added for the key; NULL: nothing. To be given back. */
struct prepared *plan_cache_take(struct plan_cache *cache, const struct plan_key *key);
/* Adds what the caller has made and goes on using; it, too, is to be given back. */
void plan_cache_add(struct plan_cache *cache, struct prepared *prepared);
/* Frees it if nobody uses it and it is not worth its memory. */
void plan_cache_give(struct plan_cache *cache, struct prepared *prepared);
/* Frees whatever nobody uses: memory is short. */
void plan_cache_empty(struct plan_cache *cache);

/* Frees what was never added. NULL is left alone. */
void prepared_free(struct prepared *prepared);

#endif
