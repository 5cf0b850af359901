#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* mkostemp, flock */
#endif
#include "store/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

/* ---- where ---- */

bool folder_path(struct text *path)
{
    const char *chosen = getenv("WEFT_CACHE_DIR");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (chosen) {
        if (*chosen) text_append(path, "%s", chosen);
        return *chosen != 0;
    }
    const bool by_cache = cache && *cache == '/';
    if (!by_cache && !(home && *home == '/')) return false;
    text_append(path, by_cache ? "%s/weft" : "%s/.cache/weft", by_cache ? cache : home);
    return true;
}

/* ---- reading ---- */

/* read() until all is there: it may return less for many reasons. */
static bool read_all(int file, char *data, size_t bytes)
{
    size_t have = 0;
    while (have < bytes) {
        const ssize_t got = read(file, data + have, bytes - have);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        have += (size_t)got;
    }
    return true;
}

static char *read_open(int file, size_t most, size_t *bytes)
{
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
    if (status.st_size < 0 || (unsigned long long)status.st_size > most) return NULL;
    const size_t size = (size_t)status.st_size;
    char *data = memory_alloc(size + 1);
    if (!data) return NULL;
    if (!read_all(file, data, size)) {
        memory_free(data);
        return NULL;
    }
    data[size] = 0;
    *bytes = size;
    return data;
}

char *folder_read(const char *path, size_t most, size_t *bytes)
{
    /* Not blocking: what lies there may be a pipe. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return NULL;
    char *data = read_open(file, most, bytes);
    close(file);
    return data;
}

/* ---- writing ---- */

/* Makes every folder that the path names before its last slash. What fails shows when the file is
 * opened. */
static void make_folders(char *path)
{
    for (char *c = path + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        (void)mkdir(path, 0700);
        *c = '/';
    }
}

static bool write_all(int file, const struct folder_part *part)
{
    const char *data = part->data;
    size_t left = part->bytes;
    while (left > 0) {
        const ssize_t done = write(file, data, left);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        data += done;
        left -= (size_t)done;
    }
    return true;
}

static int open_temporary(struct text *name)
{
    int file = mkostemp(name->data, O_CLOEXEC);
    if (file >= 0 || errno != ENOENT) return file;
    make_folders(name->data);
    memcpy(name->data + name->length - 6, "XXXXXX", 6);
    return mkostemp(name->data, O_CLOEXEC);
}

bool folder_write(const char *path, const struct folder_part *part, int parts)
{
    struct text name = TEXT_EMPTY;
    text_append(&name, "%s" FOLDER_TEMPORARY "XXXXXX", path);
    const int file = text_failed(&name) ? -1 : open_temporary(&name);
    bool good = file >= 0;
    for (int i = 0; good && i < parts; i++)
        good = write_all(file, &part[i]);
    /* Not synchronised: after a crash of the system the file may be short, which readers notice. */
    if (file >= 0) {
        good = close(file) == 0 && good;
        good = good && rename(name.data, path) == 0;
        if (!good) unlink(name.data);
    }
    text_free(&name);
    return good;
}

/* ---- locks ---- */

static int open_lock(struct text *name)
{
    int lock = open(name->data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock >= 0 || errno != ENOENT) return lock;
    make_folders(name->data);
    return open(name->data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int folder_lock(const char *path)
{
    struct text name = TEXT_EMPTY;
    text_append(&name, "%s.lock", path);
    int lock = text_failed(&name) ? -1 : open_lock(&name);
    text_free(&name);
    if (lock < 0) return -1;
    int taken;
    do
        taken = flock(lock, LOCK_EX);
    while (taken != 0 && errno == EINTR);
    if (taken == 0) return lock;
    close(lock);
    return -1;
}

void folder_unlock(int lock)
{
    if (lock >= 0) close(lock);
}
