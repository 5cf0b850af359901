/* weft transform: reads a file, transforms it, and writes and draws the result. */
#include "transform.h"

#include "command.h"
#include "crop.h"
#include "engine.h"
#include "input.h"
#include "npy.h"
#include "options.h"
#include "output.h"
#include "picture.h"
#include "progress.h"
#include "transform_large.h"
#include "transform_problem.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 4 };

/* Everything the work holds; all zero at first, and freed in one place. */
typedef struct work {
    const char *called_as;
    transform_options options;
    progress progress;
    output npy, png;
    array in, out;
    transform_problem problem;
    weft_device *device;
    engine engine;
    spectrum spectrum;
    weft_device_info device_info;
    transform_report report;
} work;

static int fail(work *w, const failure *why)
{
    progress_stop(&w->progress);
    return command_fail(w->called_as, "%s", why->text);
}

/* Outputs are opened first, so that a long transform is not done in vain. */
static bool open_outputs(work *w, failure *why)
{
    if (w->options.output && !output_open(&w->npy, w->options.output, why)) return false;
    return !w->options.picture || output_open(&w->png, w->options.picture, why);
}

static bool make_engine(work *w, failure *why)
{
    if (!engine_create(&w->engine, w->device, &w->problem.there, why)) return false;
    w->report.device = options_device_name(w->options.device, &w->device_info);
    transform_report_plan(&w->report, w->engine.plan, &w->problem.there);
    return true;
}

static bool measure_round_trip(work *w, failure *why)
{
    array back;
    double seconds;
    if (!array_create(&back, w->in.rank, w->in.size, w->in.precision, why)) return false;
    weft_direction opposite = w->options.direction == WEFT_FORWARD ? WEFT_INVERSE : WEFT_FORWARD;
    engine way_back = {0};
    bool good = engine_create(&way_back, w->device, &w->problem.back, why) &&
                engine_run(&way_back, opposite, &w->out, &back, &seconds, why);
    engine_destroy(&way_back);
    if (good) w->report.round_trip_error = array_relative_difference(&back, &w->in);
    array_destroy(&back);
    return good;
}

static bool transform(work *w, failure *why)
{
    if (!array_describe(&w->out, w->in.rank, w->problem.out_size, w->in.precision, why))
        return false;
    w->out.storage = w->options.out_storage;
    if (!array_allocate(&w->out, why)) return false;
    w->out.is_real = w->problem.out_is_real;
    /* Written once before, so that the time is not that of the system finding pages. */
    memset(w->out.data, 0, array_bytes(&w->out));
    if (!engine_run(&w->engine, w->options.direction, &w->in, &w->out, &w->report.seconds, why)) {
        return false;
    }
    return !w->options.round_trip || measure_round_trip(w, why);
}

/* The spectrum is what a forward transform makes and an inverse one is given, or the side that is
 * half of one. */
static bool find_peaks(work *w, failure *why)
{
    const weft_kind kind = w->options.kind;
    bool forward = kind == WEFT_C2C ? w->options.direction == WEFT_FORWARD : kind == WEFT_R2C;
    if (kind >= WEFT_DCT1) return true;
    const array *frequencies = forward ? &w->out : &w->in;
    bool is_real = kind != WEFT_C2C || (forward && w->in.is_real);
    if (!spectrum_create(&w->spectrum, frequencies, w->report.axes, w->problem.whole, is_real,
                         why)) {
        return false;
    }
    w->report.spectrum = &w->spectrum;
    w->report.peak_count = spectrum_peaks(&w->spectrum, w->report.peaks, TRANSFORM_PEAKS);
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool draw_recording(work *w, frame *f, failure *why)
{
    spectrogram s;
    if (!spectrogram_create(&s, &w->in, PICTURE_COLUMNS, w->device, w->options.threads, why)) {
        return false;
    }
    bool good = picture_of_spectrogram(f, &s, w->in.sample_rate, base_name(w->options.input), why);
    spectrogram_destroy(&s);
    return good;
}

static bool draw(work *w, failure *why)
{
    frame f = {0};
    bool good =
        w->in.origin == ARRAY_RECORDING
            ? draw_recording(w, &f, why)
            : picture_of_spectrum(&f, &w->spectrum, w->in.origin, base_name(w->options.input), why);
    good = good && canvas_write_png(&f.canvas, w->png.file, why);
    frame_destroy(&f);
    return good;
}

/* Puts the path before the reason. Always returns false. */
static bool of_path(const char *path, failure *why)
{
    failure reason = *why;
    return failure_set(why, "%s: %s", path, reason.text);
}

/* What is wanted of the result. */
static bool write_array(work *w, failure *why)
{
    array part = {0};
    if (!w->problem.ranges.given[1]) return npy_write(w->npy.file, &w->out, why);
    bool good = crop_create(&part, &w->out, &w->problem.ranges, why) &&
                npy_write(w->npy.file, &part, why);
    array_destroy(&part);
    return good;
}

static bool write_outputs(work *w, failure *why)
{
    if (w->npy.file && !write_array(w, why)) return of_path(w->npy.path, why);
    if (w->png.file && !draw(w, why)) return of_path(w->png.path, why);
    return output_finish(&w->npy, why) && output_finish(&w->png, why);
}

/* The report is ready before any output gets its name: after that, nothing is left to fail. */
static bool complete(work *w, failure *why)
{
    char *json = w->options.json ? transform_json(&w->report) : NULL;
    if (w->options.json && !json) return failure_set(why, "no memory for the report");
    bool good = output_commit(&w->npy, why) && output_commit(&w->png, why);
    progress_stop(&w->progress);
    if (good && json)
        puts(json);
    else if (good)
        transform_print(&w->report);
    free(json);
    return good;
}

static int check_picture(const work *w)
{
    bool possible = w->in.origin == ARRAY_RECORDING ||
                    picture_is_possible(w->in.rank, w->in.size, w->report.axes);
    if (!w->options.picture || possible) return OPTIONS_PROCEED;
    return command_misuse(w->called_as, "--picture: one or two of the transformed axes must be "
                                        "longer than 1; --axes chooses them");
}

/* Reads the input and finds out all that may be wrong about the arguments. */
static int prepare(work *w)
{
    failure why;
    progress_next(&w->progress, "reading");
    if (!open_outputs(w, &why)) return fail(w, &why);
    if (!input_read(w->options.input, w->options.precision, &w->in, &why)) return fail(w, &why);
    w->report.options = &w->options;
    w->report.data = &w->in;
    int code = transform_axes(&w->options, w->called_as, w->in.rank, &w->report.axes);
    if (code != OPTIONS_PROCEED) return code;
    if (!transform_problem_make(&w->problem, &w->options, &w->in, w->report.axes, &why)) {
        return command_misuse(w->called_as, "%s", why.text);
    }
    code = check_picture(w);
    if (code != OPTIONS_PROCEED) return code;
    return options_open_device(w->called_as, w->options.device, &w->device);
}

static int work_through(work *w)
{
    failure why;
    progress_next(&w->progress, "planning");
    if (!make_engine(w, &why)) return fail(w, &why);
    progress_next(&w->progress, "transform");
    if (!transform(w, &why)) return fail(w, &why);
    progress_next(&w->progress, "writing");
    if (!find_peaks(w, &why) || !write_outputs(w, &why)) return fail(w, &why);
    if (!complete(w, &why)) return fail(w, &why);
    return COMMAND_OK;
}

static void work_free(work *w)
{
    progress_stop(&w->progress);
    output_discard(&w->npy);
    output_discard(&w->png);
    spectrum_destroy(&w->spectrum);
    engine_destroy(&w->engine);
    weft_device_close(&w->device);
    array_destroy(&w->in);
    array_destroy(&w->out);
    transform_options_free(&w->options);
}

int command_transform(int argc, const char **argv)
{
    work w = {.called_as = argv[0]};
    int code = transform_options_read(&w.options, argc, argv);
    if (code == OPTIONS_PROCEED && w.options.memory) {
        code = transform_large(argv[0], &w.options);
    } else if (code == OPTIONS_PROCEED) {
        progress_start(&w.progress, STAGES);
        code = prepare(&w);
        if (code == OPTIONS_PROCEED) code = work_through(&w);
    }
    work_free(&w);
    return code;
}
