#define _GNU_SOURCE /* O_TMPFILE */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, SUFFIX_CAPACITY = 64 };

/* A file without a name, which the system removes however the program may end; -1 where the file
 * system has none, or where no name could be given to it later. */
static int open_nameless(const char *path)
{
    if (access("/proc/self/fd", X_OK) != 0) return -1;
    char *copy = strdup(path);
    if (!copy) return -1;
    int descriptor = open(dirname(copy), O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
    free(copy);
    return descriptor;
}

/* Finds a name that is free, PATH.weft-PID-ATTEMPT, by `take`, which returns -1 and sets errno
 * where it is not. */
static int take_temporary_name(output *out, int (*take)(const output *out))
{
    size_t capacity = strlen(out->path) + SUFFIX_CAPACITY;
    int result = -1;
    free(out->temporary);
    out->temporary = malloc(capacity);
    if (!out->temporary) return -1;
    for (int i = 0; i < ATTEMPTS && result < 0; i++) {
        snprintf(out->temporary, capacity, "%s.weft-%ld-%d", out->path, (long)getpid(), i);
        result = take(out);
        if (result < 0 && errno != EEXIST) break;
    }
    if (result >= 0) return result;
    free(out->temporary);
    out->temporary = NULL;
    return -1;
}

static int create_named(const output *out)
{
    return open(out->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static int name_nameless(const output *out)
{
    char link[SUFFIX_CAPACITY];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(out->file));
    return linkat(AT_FDCWD, link, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW);
}

static bool create_temporary(output *out, failure *why)
{
    int descriptor = open_nameless(out->path);
    out->nameless = descriptor >= 0;
    if (!out->nameless) descriptor = take_temporary_name(out, create_named);
    if (descriptor < 0) {
        return failure_set(why, "%s: cannot be written: %s", out->path, strerror(errno));
    }
    out->file = fdopen(descriptor, "w+b");
    if (out->file) return true;
    close(descriptor);
    return failure_set(why, "%s: %s", out->path, strerror(errno));
}

/* Devices and pipes cannot be replaced by a new file and are written to as they are. */
static bool open_existing(output *out, const struct stat *about, failure *why)
{
    if (S_ISDIR(about->st_mode)) return failure_set(why, "%s: is a folder", out->path);
    if (access(out->path, W_OK) != 0) {
        return failure_set(why, "%s: cannot be written: %s", out->path, strerror(errno));
    }
    if (S_ISREG(about->st_mode)) return create_temporary(out, why);
    out->file = fopen(out->path, "wb");
    if (out->file) return true;
    return failure_set(why, "%s: cannot be written: %s", out->path, strerror(errno));
}

bool output_open(output *out, const char *path, failure *why)
{
    *out = (output){0};
    struct stat about;
    bool exists = stat(path, &about) == 0;
    /* A link stays one: the file that it leads to is replaced. */
    out->path = exists && S_ISREG(about.st_mode) ? realpath(path, NULL) : strdup(path);
    if (!out->path) return failure_set(why, "%s: %s", path, strerror(errno));
    if (exists ? open_existing(out, &about, why) : create_temporary(out, why)) return true;
    output_discard(out);
    return false;
}

/* Flushes and closes, and gives the file the temporary name if there shall be one. */
static bool close_written(output *out)
{
    if (ferror(out->file) || fflush(out->file) != 0) return false;
    if (out->nameless && take_temporary_name(out, name_nameless) < 0) return false;
    FILE *file = out->file;
    out->file = NULL;
    return fclose(file) == 0;
}

bool output_finish(output *out, failure *why)
{
    if (!out->path || close_written(out)) return true;
    return failure_set(why, "%s: could not be written: %s", out->path, strerror(errno));
}

bool output_commit(output *out, failure *why)
{
    bool good = !out->temporary || rename(out->temporary, out->path) == 0;
    if (good) {
        free(out->temporary); /* the name is gone */
        out->temporary = NULL;
    } else {
        failure_set(why, "%s: could not be written: %s", out->path, strerror(errno));
    }
    output_discard(out);
    return good;
}

void output_discard(output *out)
{
    if (out->file) fclose(out->file);
    if (out->temporary) unlink(out->temporary);
    free(out->temporary);
    free(out->path);
    *out = (output){0};
}
