#include "store/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "store/folder.h"

/* A writer that is still at work has begun more recently. */
#define ABANDONED_SECONDS 3600
/* Files weighed in one sweep; more than a folder of the size allowed is likely to hold. */
#define MOST_FILES 8192

struct found {
    time_t written;
    int64_t bytes;
    char name[64]; /* longer ones are no files of ours */
};

struct listing {
    int count;
    int64_t bytes;
    struct found *file;
};

static int older_first(const void *a, const void *b)
{
    const time_t x = ((const struct found *)a)->written, y = ((const struct found *)b)->written;
    return (x > y) - (x < y);
}

/* Notes a file, or removes it if it was abandoned. */
static void look_at(int folder, const char *name, struct listing *listing)
{
    struct stat status;
    const size_t length = strlen(name);
    if (length >= sizeof listing->file->name || listing->count == MOST_FILES) return;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
    if (!S_ISREG(status.st_mode)) return;
    if (strstr(name, FOLDER_TEMPORARY)) {
        if (time(NULL) - status.st_mtime > ABANDONED_SECONDS) (void)unlinkat(folder, name, 0);
        return;
    }
    struct found *file = &listing->file[listing->count++];
    *file = (struct found){.written = status.st_mtime, .bytes = (int64_t)status.st_size};
    memcpy(file->name, name, length + 1);
    listing->bytes += file->bytes;
}

static void remove_oldest(int folder, struct listing *listing, int64_t most)
{
    qsort(listing->file, (size_t)listing->count, sizeof *listing->file, older_first);
    for (int i = 0; i < listing->count && listing->bytes > most / 2; i++) {
        (void)unlinkat(folder, listing->file[i].name, 0);
        listing->bytes -= listing->file[i].bytes;
    }
}

void sweep_folder(const char *folder, int64_t most)
{
    DIR *open = opendir(folder);
    if (!open) return;
    struct listing listing = {0};
    listing.file = memory_alloc(MOST_FILES * sizeof *listing.file);
    if (listing.file) {
        for (struct dirent *entry = readdir(open); entry; entry = readdir(open))
            look_at(dirfd(open), entry->d_name, &listing);
        if (listing.bytes > most) remove_oldest(dirfd(open), &listing, most);
        memory_free(listing.file);
    }
    closedir(open);
}
