/* The folder of what is kept between runs, and how files in it are read and replaced. */
#ifndef WEFT_STORE_FOLDER_H
#define WEFT_STORE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends $WEFT_CACHE_DIR, else $XDG_CACHE_HOME/weft, else $HOME/.cache/weft. False, and nothing
 * appended: WEFT_CACHE_DIR is set and empty, which means that nothing is to be kept, or none of
 * the three is set. (XDG Base Directory Specification; relative paths do not count.) */
bool folder_path(struct text *path);

/* Reads a whole regular file of at most `most` bytes into memory for memory_free(), a 0 behind it.
 * NULL: there is none, it is larger, it cannot be read, or there is no memory. */
char *folder_read(const char *path, size_t most, size_t *bytes);

struct folder_part {
    const void *data;
    size_t bytes;
};

/* Makes the parts, one behind the other, the file's contents in one step: whoever reads it sees the
 * old file or the new one. Makes the folders on the way to it, for this user only. False: it could
 * not be written; the old file is as it was. */
bool folder_write(const char *path, const struct folder_part *part, int parts);

/* Waits until no other process holds the lock beside the file, "PATH.lock", and takes it; -1: there
 * is none to be had, and the caller goes on without. */
int folder_lock(const char *path);
void folder_unlock(int lock);

/* Ends the file names that folder_write() works under, before six characters of mkstemp(). */
#define FOLDER_TEMPORARY ".new-"

#endif
