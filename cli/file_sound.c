#include "input.h"

#include <sndfile.h>
#include <stdlib.h>

enum { FRAMES_A_TIME = 4096, MOST_CHANNELS = 64 };

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

/* A file that ends early is read as far as it goes by libsndfile; here that is an error. */
static bool check_complete(const samples *s, const SF_INFO *info, failure *why)
{
    if (!info->seekable || info->frames <= (sf_count_t)s->count) return true;
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

bool input_read_sound(FILE *file, int64_t bytes, precision_choice precision, array *a, failure *why)
{
    (void)bytes; /* nothing is allocated by what the header claims */
    *a = (array){0};
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
