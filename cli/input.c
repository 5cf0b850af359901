#include "input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { MAGIC_LENGTH = 8 };

/* The first bytes of a file and who reads it; NULL: nobody, and the hint says what to do. */
static const struct {
    const char *magic;
    input_reader *read;
    const char *hint;
} types[] = {
    {"\x93NUMPY", input_read_npy, NULL},
    {"\x89PNG\r\n\x1a\n", input_read_png, NULL},
    {"RIFF", input_read_sound, NULL},
    {"RIFX", input_read_sound, NULL},
    {"RF64", input_read_sound, NULL},
    {"fLaC", input_read_sound, NULL},
    {"OggS", input_read_sound, NULL},
    {"\xff\xd8\xff", NULL, "JPEG is not read; convert it to PNG"},
    {"ID3", NULL, "MP3 is not read; convert it to FLAC, Ogg or WAV"},
    {"PK\x03\x04", NULL, "archives are not read; numpy.save writes one array as .npy"},
};

enum { TYPES = sizeof types / sizeof types[0] };

static bool read_by_magic(FILE *file, int64_t bytes, precision_choice precision, array *a,
                          failure *why)
{
    char start[MAGIC_LENGTH + 1] = {0};
    size_t length = fread(start, 1, MAGIC_LENGTH, file);
    if (length == 0) return failure_set(why, "the file is empty");
    rewind(file);
    for (int i = 0; i < TYPES; i++) {
        if (strncmp(start, types[i].magic, strlen(types[i].magic)) != 0) continue;
        if (types[i].hint) return failure_set(why, "%s", types[i].hint);
        return types[i].read(file, bytes, precision, a, why);
    }
    return failure_set(why, "not a .npy, .png, .wav, .flac or .ogg file");
}

static bool read_open_file(FILE *file, precision_choice precision, array *a, failure *why)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0) return failure_set(why, "%s", strerror(errno));
    return read_by_magic(file, about.st_size, precision, a, why);
}

bool input_read(const char *path, precision_choice precision, array *a, failure *why)
{
    *a = (array){0};
    struct stat about;
    /* Asked before opening: opening a pipe would wait for somebody to write to it. */
    if (stat(path, &about) != 0) return failure_set(why, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode)) return failure_set(why, "%s: not a regular file", path);
    FILE *file = fopen(path, "rb");
    if (!file) return failure_set(why, "%s: %s", path, strerror(errno));
    failure reason = {""};
    bool good = read_open_file(file, precision, a, &reason);
    fclose(file);
    return good ? true : failure_set(why, "%s: %s", path, reason.text);
}
