/* weft filter: keeps a band of a picture's frequencies. */
#include "band.h"
#include "canvas.h"
#include "colour_map.h"
#include "command.h"
#include "engine.h"
#include "grey.h"
#include "input.h"
#include "options.h"
#include "output.h"
#include "picture_parts.h"
#include "progress.h"
#include "spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, FILES = 2, GAP_PIXELS = 8 };

/* Shares of the spectrum's pixels that may be darker or lighter than the colours can show. */
#define LOW_SHARE  0.02
#define HIGH_SHARE 0.0005

#define USUAL_FALLOFF 0.02 /* cycles per pixel */

static const char explanation[] =
    "Keeps the frequencies of the picture IN.png from LOW to HIGH, in cycles per pixel and in all\n"
    "directions; pixels alternate at 0.5. An end that is left out, as in 0.1:, is no end. Beyond\n"
    "the band the gain falls like the square of a cosine. Colours are combined to luminance. The\n"
    "mean is frequency 0: what a filter takes of it is made up by grey.\n"
    "\n"
    "With --spectrum the result is also drawn with its power spectrum beside it, frequency 0 in\n"
    "the middle, in the colours that IN.png's spectrum would have.\n";

typedef struct filter_options {
    char *files[FILES];
    char *band, *spectrum, *device;
    double falloff;
    int threads;
} filter_options;

/* Everything the work holds; all zero at first, and freed in one place. */
typedef struct work {
    const char *called_as;
    filter_options options;
    band band;
    progress progress;
    output picture, comparison;
    array in, half, out; /* the picture; its spectrum, or what the filter leaves; the result */
    double kept;         /* share of the power but of frequency 0 */
    frame_axis range;    /* of the spectrum's colours */
    double reference;    /* their 0 dB */
    double seconds;      /* of both transforms */
    weft_device *device;
    weft_device_info device_info;
} work;

static int fail(work *w, const failure *why)
{
    progress_stop(&w->progress);
    return command_fail(w->called_as, "%s", why->text);
}

/* ---- transforming ---- */

/* The picture's reals are the real parts of an array. */
static bool transform(work *w, weft_kind kind, const array *from, const array *to, failure *why)
{
    const int64_t *size = w->in.size, stride[] = {2 * size[1], 2};
    weft_params params = WEFT_PARAMS_DEFAULT;
    engine e;
    double seconds = 0;
    params.kind = kind;
    params.precision = w->in.precision;
    params.rank = 2;
    params.size[0] = size[0];
    params.size[1] = size[1];
    params.threads = w->options.threads;
    params.inverse_scale = 1 / (double)w->in.count;
    if (kind == WEFT_R2C) params.in_stride = stride;
    else params.out_stride = stride;
    if (!engine_create(&e, w->device, &params, why)) return false;
    bool good = engine_run(&e, kind == WEFT_R2C ? WEFT_FORWARD : WEFT_INVERSE, from, to, &seconds,
                           why);
    engine_destroy(&e);
    w->seconds += seconds;
    return good;
}

static double power_beside_0(const spectrum *s)
{
    double sum = 0;
    for (int64_t i = 1; i < s->count; i++)
        sum += s->power[i];
    return sum;
}

/* What the picture's own spectrum says about the colours of the filtered one. */
static bool note_range(work *w, const spectrum *s, failure *why)
{
    const size_t bytes = (size_t)s->count * sizeof(double);
    double *decibels = malloc(bytes);
    if (!decibels) return failure_memory(why, bytes);
    w->reference = picture_reference(s);
    for (int64_t i = 0; i < s->count; i++)
        decibels[i] = picture_decibels(s->power[i], w->reference);
    w->range = picture_decibel_range(decibels, (size_t)s->count, LOW_SHARE, HIGH_SHARE);
    free(decibels);
    return true;
}

static bool take_spectrum(const work *w, spectrum *s, failure *why)
{
    return spectrum_create(s, &w->half, 3, w->in.size[1], true, why);
}

/* Filters the spectrum, and notes how much of the power is left. */
static bool filter_spectrum(work *w, failure *why)
{
    spectrum before, after;
    if (!take_spectrum(w, &before, why)) return false;
    bool good = note_range(w, &before, why);
    const double all = power_beside_0(&before);
    spectrum_destroy(&before);
    if (!good) return false;
    band_apply(&w->band, &w->half, w->in.size[1]);
    if (!take_spectrum(w, &after, why)) return false;
    w->kept = all > 0 ? power_beside_0(&after) / all : 1;
    spectrum_destroy(&after);
    return true;
}

static bool filter(work *w, failure *why)
{
    const int64_t half[] = {w->in.size[0], w->in.size[1] / 2 + 1};
    if (!array_create(&w->half, 2, half, w->in.precision, why)) return false;
    if (!array_create(&w->out, 2, w->in.size, w->in.precision, why)) return false;
    w->out.white = w->in.white;
    return transform(w, WEFT_R2C, &w->in, &w->half, why) && filter_spectrum(w, why) &&
           transform(w, WEFT_C2R, &w->half, &w->out, why);
}

/* ---- drawing ---- */

/* What makes up for the mean, as a share of white. */
static double grey_of(const work *w)
{
    return (1 - band_gain(&w->band, 0)) / 2;
}

static void draw_spectrum(const work *w, const spectrum *s, canvas *c, int left)
{
    const int64_t rows = s->size[0], columns = s->size[1];
    for (int64_t y = 0; y < rows; y++) {
        for (int64_t x = 0; x < columns; x++) {
            const int64_t row = (y + (rows + 1) / 2) % rows;
            const int64_t column = (x + (columns + 1) / 2) % columns;
            const double decibels =
                picture_decibels(s->power[row * columns + column], w->reference);
            const double shade = (decibels - w->range.low) / (w->range.high - w->range.low);
            canvas_blend(c, left + (int)x, (int)y, colour_map(shade), 1);
        }
    }
}

static bool write_comparison(work *w, failure *why)
{
    const int width = (int)w->in.size[1];
    canvas c;
    spectrum s;
    if (!w->comparison.file) return true;
    if (!take_spectrum(w, &s, why)) return false;
    bool good = canvas_create(&c, 2 * width + GAP_PIXELS, (int)w->in.size[0], why);
    if (good) {
        grey_draw(&c, &w->out, grey_of(w));
        draw_spectrum(w, &s, &c, width + GAP_PIXELS);
        good = canvas_write_png(&c, w->comparison.file, why);
        canvas_destroy(&c);
    }
    spectrum_destroy(&s);
    return good;
}

static bool write_outputs(work *w, failure *why)
{
    return grey_write(&w->out, grey_of(w), w->picture.file, why) && write_comparison(w, why) &&
           output_finish(&w->picture, why) && output_finish(&w->comparison, why) &&
           output_commit(&w->picture, why) && output_commit(&w->comparison, why);
}

static void report(const work *w)
{
    printf("input      %s, %lld x %lld pixels%s%s\n", w->options.files[0],
           (long long)w->in.size[1], (long long)w->in.size[0], *w->in.note ? "; " : "",
           w->in.note);
    printf("band       %g to %g cycles/pixel, falloff %g\n", w->band.low, w->band.high,
           w->band.falloff);
    printf("kept       %.3g %% of the power beside frequency 0\n", 100 * w->kept);
    weft_device_info info;
    printf("device     %s\n", options_device_name(w->options.device, &info));
    printf("time       %.4g ms, there and back\n", 1e3 * w->seconds);
    printf("written    %s\n", w->options.files[1]);
    if (w->options.spectrum) printf("spectrum   %s\n", w->options.spectrum);
}

/* ---- the command ---- */

static int check_options(work *w)
{
    const filter_options *options = &w->options;
    if (!options->band || !band_read(options->band, &w->band)) {
        return command_misuse(w->called_as,
                              "--band%s%s: expected LOW:HIGH in cycles per pixel, as 0.05:0.2",
                              options->band ? " " : "", options->band ? options->band : "");
    }
    w->band.falloff = options->falloff;
    if (!isfinite(options->falloff) || options->falloff < 0) {
        return command_misuse(w->called_as, "--falloff %g: expected cycles per pixel, from 0 on",
                              options->falloff);
    }
    if (!options_threads(&w->options.threads)) {
        return command_misuse(w->called_as, "--threads %d: expected 0 (one a processor) to 4096",
                              options->threads);
    }
    if (options->spectrum && strcmp(options->spectrum, options->files[1]) == 0) {
        return command_misuse(w->called_as, "%s: OUT.png and --spectrum need different names",
                              options->spectrum);
    }
    return OPTIONS_PROCEED;
}

static int prepare(work *w)
{
    failure why;
    const filter_options *options = &w->options;
    progress_next(&w->progress, "reading");
    if (!output_open(&w->picture, options->files[1], &why)) return fail(w, &why);
    if (options->spectrum && !output_open(&w->comparison, options->spectrum, &why))
        return fail(w, &why);
    if (!input_read(options->files[0], PRECISION_AUTOMATIC, &w->in, &why)) return fail(w, &why);
    if (w->in.origin != ARRAY_IMAGE) {
        return command_misuse(w->called_as, "%s: is no picture; a .png is accepted",
                              options->files[0]);
    }
    return options_open_device(w->called_as, options->device, &w->device);
}

static int work_through(work *w)
{
    failure why;
    progress_next(&w->progress, "filtering");
    if (!filter(w, &why)) return fail(w, &why);
    progress_next(&w->progress, "writing");
    if (!write_outputs(w, &why)) return fail(w, &why);
    progress_stop(&w->progress);
    report(w);
    return COMMAND_OK;
}

static void work_free(work *w)
{
    progress_stop(&w->progress);
    output_discard(&w->picture);
    output_discard(&w->comparison);
    weft_device_close(&w->device);
    array_destroy(&w->in);
    array_destroy(&w->half);
    array_destroy(&w->out);
    char *owned[] = {w->options.files[0], w->options.files[1], w->options.band,
                     w->options.spectrum, w->options.device};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
}

int command_filter(int argc, const char **argv)
{
    work w = {.called_as = argv[0], .options = {.threads = 1, .falloff = USUAL_FALLOFF}};
    const struct poptOption table[] = {
        {"band", 'b', POPT_ARG_STRING, &w.options.band, 0, "the frequencies to keep", "LOW:HIGH"},
        {"falloff", 'f', POPT_ARG_DOUBLE, &w.options.falloff, 0,
         "how much beyond them the gain reaches 0 (default: 0.02; 0: sharp edges)", "F"},
        {"spectrum", 's', POPT_ARG_STRING, &w.options.spectrum, 0,
         "write the result beside its power spectrum", "S.png"},
        OPTIONS_DEVICE(w.options.device),
        OPTIONS_THREADS(w.options.threads),
        POPT_TABLEEND,
    };
    const struct options_reader reader = {argv[0], table, "IN.png OUT.png", explanation};
    int code = options_read_files(&reader, argc, argv, FILES, w.options.files);
    if (code == OPTIONS_PROCEED) code = check_options(&w);
    if (code == OPTIONS_PROCEED) {
        progress_start(&w.progress, STAGES);
        code = prepare(&w);
        if (code == OPTIONS_PROCEED) code = work_through(&w);
    }
    work_free(&w);
    return code;
}
