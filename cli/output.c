#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100, SUFFIX_CAPACITY = 64 };

/* Creates PATH.weft-PID-ATTEMPT, with the permissions of a new file of this user. */
static bool create_temporary(output *out, failure *why)
{
    size_t capacity = strlen(out->path) + SUFFIX_CAPACITY;
    out->temporary = malloc(capacity);
    if (!out->temporary) return failure_memory(why, capacity);
    int descriptor = -1;
    for (int i = 0; i < ATTEMPTS && descriptor < 0; i++) {
        snprintf(out->temporary, capacity, "%s.weft-%ld-%d", out->path, (long)getpid(), i);
        descriptor = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST) break;
    }
    if (descriptor < 0) {
        failure_set(why, "%s: cannot be written: %s", out->path, strerror(errno));
        free(out->temporary);
        out->temporary = NULL;
        return false;
    }
    out->file = fdopen(descriptor, "wb");
    if (out->file) return true;
    close(descriptor);
    return failure_set(why, "%s: %s", out->temporary, strerror(errno));
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

bool output_commit(output *out, failure *why)
{
    bool lost = ferror(out->file) != 0;
    lost = fclose(out->file) != 0 || lost;
    int reason = errno;
    out->file = NULL;
    if (!lost && out->temporary && rename(out->temporary, out->path) != 0) {
        lost = true;
        reason = errno;
    }
    if (lost) {
        failure_set(why, "%s: could not be written: %s", out->path, strerror(reason));
    } else {
        free(out->temporary); /* the name is gone */
        out->temporary = NULL;
    }
    output_discard(out);
    return !lost;
}

void output_discard(output *out)
{
    if (out->file) fclose(out->file);
    if (out->temporary) unlink(out->temporary);
    free(out->temporary);
    free(out->path);
    *out = (output){0};
}
