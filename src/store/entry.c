#include "store/entry.h"

#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/folder.h"
#include "weft/weft.h"

/* In the machine's byte order: another's file is a foreign one. */
#define MAGIC UINT64_C(0x31656c6974666577) /* "weftile1" */

struct head {
    uint64_t magic;
    uint64_t version; /* of the library, which may change what a key means */
    uint64_t key_bytes, data_bytes;
    uint64_t check; /* of everything else in the file */
};

static uint64_t library_version(void)
{
    return (uint64_t)WEFT_VERSION_MAJOR << 32 | (uint64_t)WEFT_VERSION_MINOR << 16 |
           (uint64_t)WEFT_VERSION_PATCH;
}

static uint64_t check_of(const struct head *head, const void *key, const void *data)
{
    struct head bare = *head;
    bare.check = 0;
    uint64_t hash = hash_bytes(HASH_START, &bare, sizeof bare);
    hash = hash_bytes(hash, key, (size_t)head->key_bytes);
    return hash_bytes(hash, data, (size_t)head->data_bytes);
}

/* Whether the file is whole: a head, and behind it what it says. */
static bool is_sound(const char *file, size_t bytes, struct head *head)
{
    if (bytes < sizeof *head) return false;
    memcpy(head, file, sizeof *head);
    const size_t rest = bytes - sizeof *head;
    if (head->magic != MAGIC || head->version != library_version()) return false;
    if (head->key_bytes > rest || head->data_bytes != rest - head->key_bytes) return false;
    const char *key = file + sizeof *head;
    return head->check == check_of(head, key, key + head->key_bytes);
}

bool entry_read(const char *path, const struct entry_key *key, void **data, size_t *bytes)
{
    size_t size;
    char *file = folder_read(path, ENTRY_MOST_BYTES, &size);
    if (!file) return false;
    struct head head;
    const bool sound = is_sound(file, size, &head);
    if (!sound) (void)unlink(path);
    const char *place = file + sizeof head;
    if (!sound || head.key_bytes != key->bytes || memcmp(place, key->data, key->bytes) != 0) {
        memory_free(file);
        return false;
    }
    *bytes = (size_t)head.data_bytes;
    memmove(file, place + head.key_bytes, *bytes);
    *data = file;
    return true;
}

void entry_write(const char *path, const struct entry_key *key, const void *data, size_t bytes)
{
    struct head head = {MAGIC, library_version(), key->bytes, bytes, 0};
    head.check = check_of(&head, key->data, data);
    const struct folder_part part[] = {
        {&head, sizeof head}, {key->data, key->bytes}, {data, bytes}};
    (void)folder_write(path, part, sizeof part / sizeof *part);
}
