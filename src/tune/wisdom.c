#include "tune/wisdom.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "plan/planner.h"
#include "store/folder.h"
#include "tune/wisdom_text.h"

/* Larger files are no wisdom. */
#define MOST_FILE_BYTES ((size_t)64 << 20)

struct wisdom {
    const struct device *device;
    struct text key;  /* the device in a line */
    struct text path; /* of the file; "": nothing is kept from run to run */
    pthread_mutex_t lock; /* of what follows; held for files too, which are seldom touched */
    bool loaded;
    struct wisdom_list list;
    atomic_uint_least64_t generation; /* read without the lock */
};

/* ---- making ---- */

static void print_key(struct text *key, const struct device *device)
{
    const struct limits *l = &device->limits;
    text_append(key, "%s, %s, threads %d, simd %d, registers %d, shared %" PRId64, l->name,
                device->description, l->threads, l->simd_width, l->registers, l->shared_bytes);
    text_append(key, ", coalescing %d, cores %d", l->coalescing_bytes, l->cores);
    for (size_t i = 0; i < key->length; i++) {
        if ((unsigned char)key->data[i] < ' ') key->data[i] = ' ';
    }
}

static void print_path(struct text *path, const struct device *device, const struct text *key)
{
    if (!folder_path(path)) return;
    text_append(path, "/wisdom/%s-%016" PRIx64 ".txt", device->ops->name,
                hash_bytes(HASH_START, text_chars(key), key->length));
}

weft_status wisdom_create(const struct device *device, struct wisdom **made)
{
    struct wisdom *w = memory_alloc_zeroed(sizeof *w);
    if (!w) return error_memory("wisdom");
    w->device = device;
    print_key(&w->key, device);
    print_path(&w->path, device, &w->key);
    if (text_failed(&w->key) || text_failed(&w->path)) {
        text_free(&w->key);
        text_free(&w->path);
        memory_free(w);
        return error_memory("wisdom");
    }
    pthread_mutex_init(&w->lock, NULL);
    atomic_init(&w->generation, 1);
    *made = w;
    return WEFT_OK;
}

void wisdom_destroy(struct wisdom **wisdom)
{
    struct wisdom *w = *wisdom;
    if (!w) return;
    wisdom_list_free(&w->list);
    pthread_mutex_destroy(&w->lock);
    text_free(&w->key);
    text_free(&w->path);
    memory_free(w);
    *wisdom = NULL;
}

uint64_t wisdom_generation(struct wisdom *wisdom)
{
    return atomic_load(&wisdom->generation);
}

/* ---- files ---- */

/* Reads a file into an empty list. ARGUMENT also where there is none. */
static weft_status read_file(const struct wisdom *w, const char *path, struct wisdom_list *list)
{
    size_t bytes;
    char *text = folder_read(path, MOST_FILE_BYTES, &bytes);
    if (!text) return error_set(WEFT_ERROR_ARGUMENT, "%s: cannot be read", path);
    weft_status status = wisdom_read(text, path, text_chars(&w->key), w->device, list);
    memory_free(text);
    return status;
}

/* What the file is good for, if anything. Under the lock. */
static void load(struct wisdom *w)
{
    if (w->loaded) return;
    w->loaded = true;
    if (w->path.length > 0) (void)read_file(w, text_chars(&w->path), &w->list);
}

/* Writes what is known and, of other problems, what other processes have added to the file. */
static bool merge_into_file(const struct wisdom *w, const char *path)
{
    struct wisdom_list all = {0};
    (void)read_file(w, path, &all);
    struct text text = TEXT_EMPTY;
    bool good = wisdom_list_merge(&all, &w->list, true);
    if (good) wisdom_write(&text, text_chars(&w->key), &all);
    const struct folder_part part = {text_chars(&text), text.length};
    good = good && !text_failed(&text) && folder_write(path, &part, 1);
    text_free(&text);
    wisdom_list_free(&all);
    return good;
}

/* Under the lock. */
static bool save(const struct wisdom *w)
{
    if (w->path.length == 0) return false;
    const int lock = folder_lock(text_chars(&w->path));
    const bool good = merge_into_file(w, text_chars(&w->path));
    folder_unlock(lock);
    return good;
}

/* ---- asking and keeping ---- */

const struct plan_node *wisdom_find(struct wisdom *w, const struct problem *problem, arena *a)
{
    const struct plan_node *tree = NULL;
    pthread_mutex_lock(&w->lock);
    load(w);
    const struct wisdom_entry *entry = wisdom_list_find(&w->list, problem);
    const char *words = entry ? entry->tree : NULL;
    if (entry && plan_parse(a, &words, &tree)) tree = NULL;
    pthread_mutex_unlock(&w->lock);
    /* It is for the shape: hooks take fewer. */
    const struct limits *limits = device_limits(w->device, problem->precision);
    return tree && !plan_check(problem, limits, tree) ? tree : NULL;
}

bool wisdom_keep(struct wisdom *w, const struct problem *problem, const struct plan_node *tree)
{
    struct text words = TEXT_EMPTY;
    plan_print(&words, tree);
    pthread_mutex_lock(&w->lock);
    load(w);
    bool kept = !text_failed(&words) &&
                wisdom_list_put(&w->list, problem, text_chars(&words), words.length);
    if (kept) atomic_fetch_add(&w->generation, 1);
    kept = kept && save(w);
    pthread_mutex_unlock(&w->lock);
    text_free(&words);
    return kept;
}

/* ---- export and import ---- */

static weft_status refuse_path(const char *path)
{
    return error_set(WEFT_ERROR_ARGUMENT, "%s: cannot be written: %s", path, strerror(errno));
}

/* Into what is there already, and is not to be replaced: a pipe, a terminal, a link. */
static bool write_into(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    const bool good = fwrite(text_chars(text), 1, text->length, file) == text->length;
    return fclose(file) == 0 && good;
}

static bool write_text(const char *path, const struct text *text)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode)) return write_into(path, text);
    const struct folder_part part = {text_chars(text), text->length};
    return folder_write(path, &part, 1);
}

weft_status wisdom_export(struct wisdom *w, const char *path)
{
    struct text text = TEXT_EMPTY;
    pthread_mutex_lock(&w->lock);
    load(w);
    wisdom_write(&text, text_chars(&w->key), &w->list);
    pthread_mutex_unlock(&w->lock);
    weft_status status = WEFT_OK;
    if (text_failed(&text))
        status = error_memory("wisdom");
    else if (!write_text(path, &text))
        status = refuse_path(path);
    text_free(&text);
    return status;
}

weft_status wisdom_import(struct wisdom *w, const char *path)
{
    struct wisdom_list list = {0};
    weft_status status = read_file(w, path, &list);
    if (status) return status;
    pthread_mutex_lock(&w->lock);
    load(w);
    if (!wisdom_list_merge(&w->list, &list, true)) status = error_memory("wisdom");
    atomic_fetch_add(&w->generation, 1);
    (void)save(w);
    pthread_mutex_unlock(&w->lock);
    wisdom_list_free(&list);
    return status;
}
