#include "input.h"

#include <sndfile.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_A_TIME = 4096,
    MOST_CHANNELS = 64,
    RIFF_HEAD = 12, /* bytes before the first chunk */
    CHUNK_HEAD = 8, /* a chunk's name and length */
    DS64_BYTES = 16 /* of a ds64 chunk: the lengths of the file and of its data */
};

#define UNKNOWN_LENGTH 0xffffffffu /* written by programs that could not go back to the header */

/* Samples collected so far. The header's claim of their number is not relied upon. */
typedef struct samples {
    double *values;
    size_t count, capacity;
} samples;

static sf_count_t file_length(void *user)
{
    FILE *file = user;
    long here = ftell(file);
    if (here < 0 || fseek(file, 0, SEEK_END) != 0) return -1;
    long length = ftell(file);
    if (fseek(file, here, SEEK_SET) != 0) return -1;
    return length;
}

static sf_count_t file_seek(sf_count_t offset, int whence, void *user)
{
    return fseek(user, (long)offset, whence) == 0 ? ftell(user) : -1;
}

static sf_count_t file_read(void *bytes, sf_count_t count, void *user)
{
    return count > 0 ? (sf_count_t)fread(bytes, 1, (size_t)count, user) : 0;
}

static sf_count_t file_tell(void *user)
{
    return ftell(user);
}

static bool reserve(samples *s, size_t more, failure *why)
{
    if (s->count + more <= s->capacity) return true;
    size_t capacity = 2 * (s->count + more);
    double *values = realloc(s->values, capacity * sizeof *values);
    if (!values) return failure_memory(why, capacity * sizeof *values);
    s->values = values;
    s->capacity = capacity;
    return true;
}

/* Appends the mean over the channels of each frame. */
static void append(samples *s, const double *frames, size_t count, int channels)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (int c = 0; c < channels; c++)
            sum += frames[i * (size_t)channels + (size_t)c];
        s->values[s->count++] = sum / channels;
    }
}

static bool collect(SNDFILE *sound, int channels, samples *s, failure *why)
{
    double *frames = malloc((size_t)channels * FRAMES_A_TIME * sizeof *frames);
    if (!frames) return failure_memory(why, (size_t)channels * FRAMES_A_TIME * sizeof *frames);
    bool good = true;
    for (;;) {
        sf_count_t got = sf_readf_double(sound, frames, FRAMES_A_TIME);
        if (got <= 0) break;
        good = reserve(s, (size_t)got, why);
        if (!good) break;
        append(s, frames, (size_t)got, channels);
    }
    free(frames);
    return good;
}

static bool convert(const samples *s, const SF_INFO *info, weft_precision precision, array *a,
                    failure *why)
{
    const int64_t size = (int64_t)s->count;
    if (size == 0) return failure_set(why, "the recording holds no samples");
    if (!array_create(a, 1, &size, precision, why)) return false;
    a->origin = ARRAY_RECORDING;
    a->is_real = true;
    a->sample_rate = info->samplerate;
    if (info->channels > 1) {
        snprintf(a->note, sizeof a->note, "%d channels averaged to one", info->channels);
    }
    for (int64_t i = 0; i < size; i++)
        array_set(a, i, s->values[i], 0);
    return true;
}

/* A file that ends early is read as far as it goes by libsndfile; here that is an error. A FLAC
 * stream need not tell its length; of an Ogg file it is known unless the end is missing. */
static bool check_complete(const samples *s, const SF_INFO *info, failure *why)
{
    bool is_ogg = (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_OGG;
    if (info->frames == SF_COUNT_MAX) {
        return is_ogg ? failure_set(why, "the recording is cut short: its end is missing") : true;
    }
    if (info->frames <= (sf_count_t)s->count) return true;
    return failure_set(why, "the recording is cut short: %lld of %lld samples could be read",
                       (long long)s->count, (long long)info->frames);
}

static bool read_recording(SNDFILE *sound, const SF_INFO *info, weft_precision precision, array *a,
                           failure *why)
{
    if (info->channels < 1 || info->channels > MOST_CHANNELS || info->samplerate < 1) {
        return failure_set(why, "%d channels at %d samples a second; 1 to %d channels are expected",
                           info->channels, info->samplerate, MOST_CHANNELS);
    }
    samples s = {0};
    bool good = collect(sound, info->channels, &s, why) && check_complete(&s, info, why) &&
                convert(&s, info, precision, a, why);
    free(s.values);
    return good;
}

/* A number of `length` bytes in a chunk of the RIFF family. */
static uint64_t riff_number(const unsigned char *bytes, int length, bool big_endian)
{
    uint64_t value = 0;
    for (int i = 0; i < length; i++) {
        value = value << 8 | bytes[big_endian ? i : length - 1 - i];
    }
    return value;
}

/* Checks the length that the data chunk claims, which libsndfile would silently cut to what is
 * there. Chunks start with a name and a length; RF64, whose data chunk claims 2^32 - 1, has the
 * length in its ds64 chunk (EBU Tech 3306). Nothing is said of files of another kind. */
static bool check_riff(FILE *file, int64_t bytes, failure *why)
{
    unsigned char head[RIFF_HEAD], chunk[CHUNK_HEAD + DS64_BYTES];
    uint64_t of_ds64 = UNKNOWN_LENGTH;
    if (fread(head, 1, sizeof head, file) != sizeof head) return true;
    bool big_endian = memcmp(head, "RIFX", 4) == 0;
    if (!big_endian && memcmp(head, "RIFF", 4) != 0 && memcmp(head, "RF64", 4) != 0) return true;
    for (int64_t at = RIFF_HEAD; at <= bytes - CHUNK_HEAD;) {
        if (fseek(file, (long)at, SEEK_SET) != 0) return true;
        size_t got = fread(chunk, 1, sizeof chunk, file);
        if (got < CHUNK_HEAD) return true;
        uint64_t length = riff_number(chunk + 4, 4, big_endian);
        at += CHUNK_HEAD;
        if (memcmp(chunk, "ds64", 4) == 0 && got == sizeof chunk) {
            of_ds64 = riff_number(chunk + CHUNK_HEAD + 8, 8, big_endian);
        }
        if (memcmp(chunk, "data", 4) == 0) {
            if (length == UNKNOWN_LENGTH) length = of_ds64;
            if (length == UNKNOWN_LENGTH || length <= (uint64_t)(bytes - at)) return true;
            return failure_set(why, "the recording is cut short: it claims %llu bytes, %lld follow",
                               (unsigned long long)length, (long long)(bytes - at));
        }
        at += (int64_t)(length + length % 2);
    }
    return true;
}

bool input_read_sound(FILE *file, int64_t bytes, precision_choice precision, array *a, failure *why)
{
    *a = (array){0};
    if (!check_riff(file, bytes, why)) return false;
    rewind(file);
    SF_VIRTUAL_IO access = {
        .get_filelen = file_length, .seek = file_seek, .read = file_read, .tell = file_tell};
    SF_INFO info = {0};
    SNDFILE *sound = sf_open_virtual(&access, SFM_READ, &info, file);
    if (!sound) return failure_set(why, "damaged or unknown recording: %s", sf_strerror(NULL));
    weft_precision chosen = precision == PRECISION_F64 ? WEFT_F64 : WEFT_F32;
    bool good = read_recording(sound, &info, chosen, a, why);
    sf_close(sound);
    return good;
}
