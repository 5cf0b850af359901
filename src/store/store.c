#include "store/store.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/entry.h"
#include "store/folder.h"
#include "store/sweep.h"

/* Keys and data kept in memory; a kernel is some tens of kilobytes. */
#define MOST_BYTES ((size_t)32 << 20)
/* Files kept on disk. */
#define MOST_DISK_BYTES ((int64_t)512 << 20)

/* What is in memory, a list with the last used in front. Key and data lie behind it. */
struct kept {
    struct kept *next;
    uint64_t hash;
    size_t key_bytes, data_bytes;
};

struct store {
    pthread_mutex_t lock; /* of everything below; held for memory only, never for files */
    struct kept *first;
    size_t bytes;
    bool swept;         /* the folder was, by this process */
    struct text folder; /* "": nothing goes to disk. Never changes. */
};

/* ---- opening ---- */

static void choose_folder(const char *folder, struct text *path)
{
    if (folder) {
        text_append(path, "%s", folder);
    } else if (folder_path(path)) {
        text_append(path, "/kernels");
    }
}

weft_status store_open(const char *folder, struct store **made)
{
    struct store *store = memory_alloc_zeroed(sizeof *store);
    if (!store) return error_memory("a cache of kernels");
    choose_folder(folder, &store->folder);
    if (text_failed(&store->folder)) {
        text_free(&store->folder);
        memory_free(store);
        return error_memory("a cache of kernels");
    }
    pthread_mutex_init(&store->lock, NULL);
    *made = store;
    return WEFT_OK;
}

void store_close(struct store **store)
{
    struct store *s = *store;
    if (!s) return;
    while (s->first) {
        struct kept *next = s->first->next;
        memory_free(s->first);
        s->first = next;
    }
    pthread_mutex_destroy(&s->lock);
    text_free(&s->folder);
    memory_free(s);
    *store = NULL;
}

/* ---- in memory ---- */

static size_t size_of(const struct kept *kept)
{
    return sizeof *kept + kept->key_bytes + kept->data_bytes;
}

static bool has_key(const struct kept *kept, const struct entry_key *key)
{
    return kept->hash == key->hash && kept->key_bytes == key->bytes &&
           memcmp(kept + 1, key->data, key->bytes) == 0;
}

/* Takes what has the key out of the list. NULL: nothing has. */
static struct kept *take(struct store *store, const struct entry_key *key)
{
    struct kept **link = &store->first;
    while (*link && !has_key(*link, key))
        link = &(*link)->next;
    struct kept *kept = *link;
    if (!kept) return NULL;
    *link = kept->next;
    store->bytes -= size_of(kept);
    return kept;
}

static void give(struct store *store, struct kept *kept)
{
    kept->next = store->first;
    store->first = kept;
    store->bytes += size_of(kept);
}

static void remove_last(struct store *store)
{
    struct kept **link = &store->first;
    while ((*link)->next)
        link = &(*link)->next;
    store->bytes -= size_of(*link);
    memory_free(*link);
    *link = NULL;
}

static bool remember_fits(const struct entry_key *key, size_t bytes)
{
    return key->bytes <= MOST_BYTES / 4 && bytes <= MOST_BYTES / 4;
}

static void remember(struct store *store, const struct entry_key *key, const void *data,
                     size_t bytes)
{
    struct kept *kept =
        remember_fits(key, bytes) ? memory_alloc(sizeof *kept + key->bytes + bytes) : NULL;
    if (kept) {
        *kept = (struct kept){NULL, key->hash, key->bytes, bytes};
        memcpy(kept + 1, key->data, key->bytes);
        memcpy((char *)(kept + 1) + key->bytes, data, bytes);
    }
    pthread_mutex_lock(&store->lock);
    struct kept *old = take(store, key);
    if (kept) give(store, kept);
    while (store->bytes > MOST_BYTES)
        remove_last(store);
    pthread_mutex_unlock(&store->lock);
    memory_free(old);
}

/* A copy of what is in memory, or NULL. */
static void *recall(struct store *store, const struct entry_key *key, size_t *bytes)
{
    void *copy = NULL;
    pthread_mutex_lock(&store->lock);
    struct kept *kept = take(store, key);
    if (kept) {
        give(store, kept);
        copy = memory_alloc(kept->data_bytes);
        if (copy) memcpy(copy, (char *)(kept + 1) + kept->key_bytes, kept->data_bytes);
        *bytes = kept->data_bytes;
    }
    pthread_mutex_unlock(&store->lock);
    return copy;
}

/* ---- on disk ---- */

/* False: nothing goes to disk, or no memory. */
static bool path_of(const struct store *store, const struct entry_key *key, struct text *path)
{
    if (!store->folder.length) return false;
    text_append(path, "%s/%016" PRIx64, text_chars(&store->folder), key->hash);
    return !text_failed(path);
}

static bool load(const struct store *store, const struct entry_key *key, void **data, size_t *bytes)
{
    struct text path = TEXT_EMPTY;
    const bool found =
        path_of(store, key, &path) && entry_read(text_chars(&path), key, data, bytes);
    text_free(&path);
    return found;
}

static void save(const struct store *store, const struct entry_key *key, const void *data,
                 size_t bytes)
{
    struct text path = TEXT_EMPTY;
    if (path_of(store, key, &path)) entry_write(text_chars(&path), key, data, bytes);
    text_free(&path);
}

static bool sweep_is_due(struct store *store)
{
    pthread_mutex_lock(&store->lock);
    const bool due = store->folder.length && !store->swept;
    store->swept = true;
    pthread_mutex_unlock(&store->lock);
    return due;
}

/* ---- both ---- */

static struct entry_key make_key(const void *key, size_t bytes)
{
    return (struct entry_key){key, bytes, hash_bytes(HASH_START, key, bytes)};
}

bool store_get(struct store *store, const void *key, size_t key_bytes, void **data, size_t *bytes)
{
    const struct entry_key wanted = make_key(key, key_bytes);
    size_t size = 0;
    void *copy = recall(store, &wanted, &size);
    if (!copy) {
        if (!load(store, &wanted, &copy, &size)) return false;
        remember(store, &wanted, copy, size);
    }
    *data = copy;
    *bytes = size;
    return true;
}

void store_put(struct store *store, const void *key, size_t key_bytes, const void *data,
               size_t bytes)
{
    const struct entry_key kept = make_key(key, key_bytes);
    remember(store, &kept, data, bytes);
    if (key_bytes > ENTRY_MOST_BYTES / 2 || bytes > ENTRY_MOST_BYTES / 2 - 4096) return;
    save(store, &kept, data, bytes);
    if (sweep_is_due(store)) sweep_folder(text_chars(&store->folder), MOST_DISK_BYTES);
}
