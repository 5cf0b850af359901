#include "run/plan_cache.h"

#include <stddef.h>

#include "base/memory.h"

/* Plans kept that nobody uses, and the bytes of their tables: what a program that transforms a few
 * dozen sizes in turns needs. */
#define MOST_IDLE       64
#define MOST_IDLE_BYTES ((size_t)64 << 20)

void plan_cache_open(struct plan_cache *cache)
{
    pthread_mutex_init(&cache->lock, NULL);
    cache->first = NULL;
}

void prepared_free(struct prepared *p)
{
    if (!p) return;
    executable_destroy(&p->executable);
    arena_destroy(&p->arena);
    memory_free(p);
}

static void free_all(struct prepared *list)
{
    while (list) {
        struct prepared *next = list->next;
        prepared_free(list);
        list = next;
    }
}

void plan_cache_close(struct plan_cache *cache)
{
    free_all(cache->first);
    cache->first = NULL;
    pthread_mutex_destroy(&cache->lock);
}

/* ---- under the lock ---- */

static bool same_key(const struct plan_key *a, const struct plan_key *b)
{
    return a->effort == b->effort && a->generation == b->generation &&
           problem_equal(&a->problem, &b->problem);
}

static struct prepared **link_to(struct plan_cache *cache, const struct plan_key *key)
{
    struct prepared **link = &cache->first;
    while (*link && !same_key(&(*link)->key, key))
        link = &(*link)->next;
    return link;
}

static void put_in_front(struct plan_cache *cache, struct prepared *p)
{
    p->next = cache->first;
    cache->first = p;
}

/* Takes those that nobody uses, beyond so many and so many bytes, out of the list: the ones that
 * were taken longest ago. */
static struct prepared *remove_idle(struct plan_cache *cache, int most, size_t most_bytes)
{
    struct prepared *removed = NULL, **link = &cache->first;
    int idle = 0;
    size_t bytes = 0;
    while (*link) {
        struct prepared *p = *link;
        const size_t own = executable_table_bytes(p->executable);
        const bool stays = idle < most && own <= most_bytes - bytes;
        if (p->users == 0 && stays) {
            idle++;
            bytes += own;
        }
        if (p->users > 0 || stays) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        p->next = removed;
        removed = p;
    }
    return removed;
}

/* ---- the interface ---- */

struct prepared *plan_cache_take(struct plan_cache *cache, const struct plan_key *key)
{
    pthread_mutex_lock(&cache->lock);
    struct prepared **link = link_to(cache, key), *found = *link;
    if (found) {
        *link = found->next;
        put_in_front(cache, found);
        found->users++;
    }
    pthread_mutex_unlock(&cache->lock);
    return found;
}

void plan_cache_add(struct plan_cache *cache, struct prepared *p)
{
    pthread_mutex_lock(&cache->lock);
    p->users = 1;
    /* Another thread may have made the same meanwhile. */
    p->listed = *link_to(cache, &p->key) == NULL;
    if (p->listed) put_in_front(cache, p);
    pthread_mutex_unlock(&cache->lock);
}

void plan_cache_give(struct plan_cache *cache, struct prepared *p)
{
    if (!p) return;
    pthread_mutex_lock(&cache->lock);
    const bool last = --p->users == 0;
    struct prepared *removed = last ? remove_idle(cache, MOST_IDLE, MOST_IDLE_BYTES) : NULL;
    const bool unlisted = last && !p->listed;
    pthread_mutex_unlock(&cache->lock);
    if (unlisted) prepared_free(p);
    free_all(removed);
}

void plan_cache_empty(struct plan_cache *cache)
{
    pthread_mutex_lock(&cache->lock);
    struct prepared *removed = remove_idle(cache, 0, 0);
    pthread_mutex_unlock(&cache->lock);
    free_all(removed);
}
