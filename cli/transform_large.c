/* weft transform --memory: from file to file, a band of the arrays at a time. */
#include "transform_large.h"

#include "command.h"
#include "crop.h"
#include "engine.h"
#include "far_file.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "transform_problem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 2 };

/* Everything the work holds; all zero at first, and freed in one place. */
typedef struct work {
    const char *called_as;
    const transform_options *options;
    progress progress;
    FILE *input;
    npy_header header;
    output npy, between; /* the result; what lies between two sweeps, never to be kept */
    array in, out;       /* their shapes, the result's as if no range were given; */
    array part;          /* of what is written of it */
    transform_problem problem;
    weft_device *device;
    engine engine;
    far_traffic traffic;
    far_file far_in, far_out, far_between;
    weft_device_info device_info;
    transform_report report;
} work;

static int fail(work *w, const failure *why)
{
    progress_stop(&w->progress);
    return command_fail(w->called_as, "%s", why->text);
}

static int check_options(const char *called_as, const transform_options *options)
{
    if (!options->output) return command_misuse(called_as, "--memory goes from IN.npy to OUT.npy");
    if (!options->picture && !options->round_trip) return OPTIONS_PROCEED;
    return command_misuse(called_as, "--memory draws no --picture and makes no --round-trip");
}

/* ---- files ---- */

static bool open_input(work *w, failure *why)
{
    const char *path = w->options->input;
    failure reason = {""};
    w->input = fopen(path, "rb");
    if (!w->input) return failure_set(why, "%s: %s", path, strerror(errno));
    bool good = npy_open(w->input, &w->header, &reason);
    if (good && w->header.fortran_order && w->header.rank > 1)
        good = failure_set(&reason, "is in Fortran order; with --memory C order is accepted");
    good = good && array_describe(&w->in, w->header.rank, w->header.size,
                                  npy_precision(&w->header, w->options->precision), &reason);
    if (!good) return failure_set(why, "%s: %s", path, reason.text);
    w->in.is_real = w->header.type->kind != 'c';
    w->in.storage = npy_storage(&w->header, w->in.precision);
    return true;
}

/* Whatever the file will hold is asked of the disk before any work is done. */
static bool reserve(output *out, int64_t bytes, failure *why)
{
    const char *path = out->path;
    if (!out->temporary && !out->nameless)
        return failure_set(why, "%s: is no regular file, which --memory needs", path);
    if (fflush(out->file) != 0) return failure_set(why, "%s: %s", path, strerror(errno));
    const int error = posix_fallocate(fileno(out->file), 0, (off_t)bytes);
    return error ? failure_set(why, "%s: no room for %lld bytes: %s", path, (long long)bytes,
                               strerror(error))
                 : true;
}

static bool open_output(work *w, failure *why)
{
    if (!array_describe(&w->out, w->in.rank, w->problem.out_size, w->in.precision, why))
        return false;
    w->out.is_real = w->problem.out_is_real;
    w->out.storage = w->options->out_storage;
    if (!crop_describe(&w->part, &w->out, &w->problem.ranges, why)) return false;
    if (!output_open(&w->npy, w->options->output, why)) return false;
    if (!npy_write_header(w->npy.file, &w->part, why)) return false;
    const int64_t start = ftell(w->npy.file);
    w->far_out = (far_file){.traffic = &w->traffic,
                            .file = w->npy.file,
                            .start = start,
                            .crop = w->problem.ranges.given[1] ? &w->problem.ranges : NULL,
                            .element = npy_data_bytes(&w->out) / (size_t)w->out.count};
    return reserve(&w->npy, start + (int64_t)npy_data_bytes(&w->part), why);
}

/* ---- buffers ---- */

static bool wrap(const work *w, far_file *file, size_t bytes, weft_buffer **buffer, failure *why)
{
    const weft_calls calls = {far_file_read, far_file_write, file};
    if (weft_buffer_wrap_calls(w->device, &calls, bytes, buffer) == WEFT_OK) return true;
    return failure_set(why, "%s", weft_last_error());
}

/* The lines of split axes, in a file in the folder of the result. */
static bool wrap_between(work *w, weft_buffer **buffer, failure *why)
{
    const size_t bytes = weft_plan_scratch_bytes(w->engine.plan);
    if (bytes == 0) return true;
    if (!output_open(&w->between, w->options->output, why)) return false;
    w->far_between = (far_file){.traffic = &w->traffic, .file = w->between.file};
    return reserve(&w->between, (int64_t)bytes, why) &&
           wrap(w, &w->far_between, bytes, buffer, why);
}

/* The input as the library is to see it: complex numbers, or reals where the kind takes them. */
static size_t describe_input(work *w)
{
    const bool reals = w->options->kind == WEFT_R2C || w->options->kind >= WEFT_DCT1;
    w->far_in = (far_file){.traffic = &w->traffic,
                           .file = w->input,
                           .start = ftell(w->input),
                           .target = {array_storage(&w->in), reals}};
    if (!npy_is_target(&w->header, &w->far_in.target)) w->far_in.header = &w->header;
    return (size_t)w->in.count * npy_target_bytes(&w->far_in.target);
}

static bool execute(work *w, weft_buffer *from, weft_buffer *to, weft_buffer *between,
                    failure *why)
{
    const weft_execution execution = {.scratch = between};
    const double start = engine_clock();
    const weft_status status = weft_execute_with(w->engine.plan, w->options->direction, from, to,
                                                 &execution);
    w->report.seconds = engine_clock() - start;
    if (status == WEFT_OK) return true;
    return w->traffic.why.text[0] ? failure_set(why, "%s", w->traffic.why.text)
                                  : failure_set(why, "the transform failed: %s", weft_last_error());
}

static bool transform(work *w, failure *why)
{
    weft_buffer *from = NULL, *to = NULL, *between = NULL;
    bool good = wrap(w, &w->far_in, describe_input(w), &from, why) &&
                wrap(w, &w->far_out, npy_data_bytes(&w->out), &to, why) &&
                wrap_between(w, &between, why) && execute(w, from, to, between, why);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&between);
    return good;
}

/* ---- the whole ---- */

static int prepare(work *w)
{
    failure why;
    w->report = (transform_report){.options = w->options, .data = &w->in};
    if (!open_input(w, &why)) return fail(w, &why);
    int code = transform_axes(w->options, w->called_as, w->in.rank, &w->report.axes);
    if (code != OPTIONS_PROCEED) return code;
    if (!transform_problem_make(&w->problem, w->options, &w->in, w->report.axes, &why))
        return command_misuse(w->called_as, "%s", why.text);
    /* Files hold reals one behind the other. */
    w->problem.there.in_stride = w->problem.there.out_stride = NULL;
    w->problem.there.memory_limit = w->options->memory;
    return options_open_device(w->called_as, w->options->device, &w->device);
}

static bool make_engine(work *w, failure *why)
{
    if (!engine_create(&w->engine, w->device, &w->problem.there, why)) return false;
    weft_plan_info info;
    w->report.device = options_device_name(w->options->device, &w->device_info);
    transform_report_plan(&w->report, w->engine.plan, &w->problem.there);
    if (weft_plan_describe(w->engine.plan, &info) == WEFT_OK) w->traffic.expected = info.bytes;
    w->traffic.progress = &w->progress;
    return true;
}

static bool complete(work *w, failure *why)
{
    char *json = w->options->json ? transform_json(&w->report) : NULL;
    if (w->options->json && !json) return failure_set(why, "no memory for the report");
    bool good = output_finish(&w->npy, why) && output_commit(&w->npy, why);
    progress_stop(&w->progress);
    if (good && json) puts(json);
    else if (good) transform_print(&w->report);
    free(json);
    return good;
}

static int work_through(work *w)
{
    failure why;
    progress_next(&w->progress, "planning");
    if (!make_engine(w, &why)) return fail(w, &why);
    progress_next(&w->progress, "transform");
    if (!open_output(w, &why)) return fail(w, &why);
    if (!transform(w, &why) || !complete(w, &why)) return fail(w, &why);
    return COMMAND_OK;
}

static void work_free(work *w)
{
    progress_stop(&w->progress);
    output_discard(&w->npy);
    output_discard(&w->between);
    engine_destroy(&w->engine);
    weft_device_close(&w->device);
    if (w->input) fclose(w->input);
}

int transform_large(const char *called_as, const transform_options *options)
{
    work w = {.called_as = called_as, .options = options};
    int code = check_options(called_as, options);
    if (code != OPTIONS_PROCEED) return code;
    progress_start(&w.progress, STAGES);
    code = prepare(&w);
    if (code == OPTIONS_PROCEED) code = work_through(&w);
    work_free(&w);
    return code;
}
