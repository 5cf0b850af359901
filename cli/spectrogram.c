#include "spectrogram.h"

#include "engine.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES_A_BATCH = 32, LONGEST_FRAME = 1 << 16, SHORTEST_FRAME = 64, FINEST_HOP = 32 };

/* A frame of about this many seconds tells the tones of a voice apart and still follows it. */
#define FRAME_SECONDS 0.035

/* How a recording is cut into frames. */
typedef struct framing {
    int64_t length;   /* samples in a frame */
    int64_t hop;      /* samples from one frame to the next */
    int64_t count;    /* frames */
    int64_t a_column; /* frames that one column is the mean of */
} framing;

/* What one batch works in. */
typedef struct workspace {
    engine engine;
    array in, out;
    double *window;
} workspace;

static framing choose_framing(const array *recording, int most_columns)
{
    framing f = {.length = SHORTEST_FRAME};
    while (f.length < LONGEST_FRAME && (double)f.length < FRAME_SECONDS * recording->sample_rate) {
        f.length *= 2;
    }
    if (f.length > recording->count) f.length = recording->count;
    int64_t room = recording->count - f.length;
    f.hop = room / most_columns + 1;
    if (f.hop < f.length / FINEST_HOP) f.hop = f.length / FINEST_HOP;
    /* No sample may fall between two frames of a long recording. */
    if (f.hop > f.length / 2) f.hop = f.length > 1 ? f.length / 2 : 1;
    f.count = room / f.hop + 1;
    f.a_column = (f.count + most_columns - 1) / most_columns;
    return f;
}

static bool workspace_create(workspace *w, const framing *f, const array *recording,
                             weft_device *device, int threads, failure *why)
{
    *w = (workspace){0};
    const int64_t size[] = {FRAMES_A_BATCH, f->length};
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.precision = recording->precision;
    params.size[0] = f->length;
    params.batch = FRAMES_A_BATCH;
    params.threads = threads;
    if (!array_create(&w->in, 2, size, recording->precision, why)) return false;
    if (!array_create(&w->out, 2, size, recording->precision, why)) return false;
    w->window = malloc((size_t)f->length * sizeof *w->window);
    if (!w->window) return failure_memory(why, (size_t)f->length * sizeof *w->window);
    double turn = 2 * acos(-1) / (double)f->length;
    for (int64_t i = 0; i < f->length; i++) {
        w->window[i] = 0.5 - 0.5 * cos(turn * ((double)i + 0.5));
    }
    return engine_create(&w->engine, device, &params, why);
}

static void workspace_destroy(workspace *w)
{
    engine_destroy(&w->engine);
    array_destroy(&w->in);
    array_destroy(&w->out);
    free(w->window);
}

/* Copies the frames from `first` on into the workspace; in a last batch old ones may follow. */
static int64_t load_batch(workspace *w, const framing *f, const array *recording, int64_t first)
{
    int64_t count = f->count - first < FRAMES_A_BATCH ? f->count - first : FRAMES_A_BATCH;
    for (int64_t frame = 0; frame < count; frame++) {
        int64_t start = (first + frame) * f->hop;
        for (int64_t i = 0; i < f->length; i++) {
            double value = array_real(recording, start + i) * w->window[i];
            array_set(&w->in, frame * f->length + i, value, 0);
        }
    }
    return count;
}

static void add_batch(spectrogram *s, const workspace *w, const framing *f, int64_t first,
                      int64_t count)
{
    for (int64_t frame = 0; frame < count; frame++) {
        double *column = s->power + (first + frame) / f->a_column * s->bins;
        for (int bin = 0; bin < s->bins; bin++) {
            column[bin] += array_power(&w->out, frame * f->length + bin);
        }
    }
}

/* The last column may be the mean of fewer frames than the others. */
static void divide_columns(spectrogram *s, const framing *f)
{
    for (int column = 0; column < s->columns; column++) {
        int64_t left = f->count - column * f->a_column;
        double frames = (double)(left < f->a_column ? left : f->a_column);
        for (int bin = 0; bin < s->bins; bin++)
            s->power[column * s->bins + bin] /= frames;
    }
}

static bool sum_frames(spectrogram *s, workspace *w, const framing *f, const array *recording,
                       failure *why)
{
    double seconds;
    for (int64_t first = 0; first < f->count; first += FRAMES_A_BATCH) {
        int64_t count = load_batch(w, f, recording, first);
        if (!engine_run(&w->engine, WEFT_FORWARD, &w->in, &w->out, &seconds, why)) return false;
        add_batch(s, w, f, first, count);
    }
    divide_columns(s, f);
    return true;
}

bool spectrogram_create(spectrogram *s, const array *recording, int most_columns,
                        weft_device *device, int threads, failure *why)
{
    framing f = choose_framing(recording, most_columns);
    double rate = recording->sample_rate;
    *s = (spectrogram){.columns = (int)((f.count + f.a_column - 1) / f.a_column),
                       .bins = (int)(f.length / 2 + 1),
                       .step = (double)(f.hop * f.a_column) / rate,
                       .first = (double)(f.length + (f.a_column - 1) * f.hop) / 2 / rate,
                       .duration = (double)recording->count / rate,
                       .highest = (double)(f.length / 2) * rate / (double)f.length};
    size_t count = (size_t)s->columns * (size_t)s->bins;
    s->power = calloc(count, sizeof *s->power);
    if (!s->power) return failure_memory(why, count * sizeof *s->power);
    workspace w;
    bool good = workspace_create(&w, &f, recording, device, threads, why) &&
                sum_frames(s, &w, &f, recording, why);
    workspace_destroy(&w);
    if (!good) spectrogram_destroy(s);
    return good;
}

void spectrogram_destroy(spectrogram *s)
{
    free(s->power);
    *s = (spectrogram){0};
}
