/* weft tune: times the candidate plans of transforms and keeps the fastest as wisdom. */
#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lines.h"
#include "options.h"
#include "progress.h"

static const char default_sizes[] =
    "2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,"
    "1048576,60,100,360,1000,1009,1920,10000,10007,44100,100000,64x64,512x512,1000x1000,32x32x32";

static const char explanation[] =
    "SIZE: " SIZES_SYNTAX ".\n"
    "Without sizes, and without --import and --export: the powers of 2 to 2^20 and common sizes.\n"
    "\n"
    "For each size the likeliest plans are timed, and the fastest is kept: it will be chosen from\n"
    "now on. estimate is the time of the plan that would be chosen untuned, tuned that of the\n"
    "fastest, ratio the one over the other.\n"
    "The file that --import reads is ignored, with a message, if it is of another device or\n"
    "version. Import comes first, export last.\n";

struct tune_options {
    char *device;
    char *kind;
    char *precision;
    char *import_path;
    char *export_path;
    int threads;
    int json;
};

struct tally {
    int64_t count;
    double logarithms; /* of the ratios */
    bool lost;         /* something was not kept */
};

/* ---- printing ---- */

static void print_heading(void)
{
    printf("%-16s %-4s %6s %12s %12s %7s\n", "size", "prec", "plans", "estimate/ms", "tuned/ms",
           "ratio");
}

static void print_row(const struct size_case *dims, weft_precision precision,
                      const weft_tuning *tuning)
{
    char text[SIZE_TEXT_CAPACITY];
    printf("%-16s %-4s %6d %12.5g %12.5g %7.3f\n", size_case_text(dims, text),
           options_precision_name(precision), tuning->candidates, 1e3 * tuning->estimate_seconds,
           1e3 * tuning->tuned_seconds, tuning->estimate_seconds / tuning->tuned_seconds);
    fflush(stdout);
}

static void print_line(const struct size_case *dims, weft_precision precision,
                       const weft_tuning *tuning)
{
    line_print(json_pack("{s:s, s:o, s:I, s:s, s:i, s:o, s:o, s:b}", "kind",
                         options_kind_name(dims->kind), "dims", line_dims(dims), "batch",
                         (json_int_t)dims->batch, "precision", options_precision_name(precision),
                         "candidates", tuning->candidates, "estimate_seconds",
                         line_number(tuning->estimate_seconds), "tuned_seconds",
                         line_number(tuning->tuned_seconds), "kept", tuning->kept));
}

static void print_mean(const struct tally *tally)
{
    printf("geometric mean of the ratios %.3f\n", exp(tally->logarithms / (double)tally->count));
}

/* ---- tuning ---- */

static int tune_one(const char *called_as, const struct tune_options *options, weft_device *device,
                    const struct size_case *dims, weft_precision precision, progress *bar,
                    struct tally *tally)
{
    weft_params params = size_case_params(dims, precision, options->threads);
    weft_tuning tuning;
    const weft_status status = weft_tune(device, &params, &tuning);
    progress_hide(bar);
    int code = COMMAND_OK;
    if (status) {
        char text[SIZE_TEXT_CAPACITY];
        code = command_fail(called_as, "%s %s: %s", size_case_text(dims, text),
                            options_precision_name(precision), weft_last_error());
    } else {
        (options->json ? print_line : print_row)(dims, precision, &tuning);
        tally->count++;
        tally->logarithms += log(tuning.estimate_seconds / tuning.tuned_seconds);
        tally->lost = tally->lost || !tuning.kept;
    }
    progress_show(bar);
    return code;
}

/* Tunes every size, and goes on where one fails. Returns the exit code. */
static int tune_all(const char *called_as, const struct tune_options *options, weft_device *device,
                    const struct size_list *sizes, unsigned precisions)
{
    struct tally tally = {0};
    int code = COMMAND_OK;
    progress bar;
    if (!options->json) print_heading();
    fflush(stdout);
    const bool several = (precisions & (precisions - 1)) != 0; /* two, then */
    progress_start(&bar, (int)sizes->count * (several ? 2 : 1));
    for (int64_t i = 0; i < OPTIONS_PRECISIONS_END * sizes->count; i++) {
        const struct size_case *dims = &sizes->cases[i % sizes->count];
        const weft_precision precision = (weft_precision)(i / sizes->count);
        if (!(precisions >> precision & 1)) continue;
        progress_next(&bar, "tuning");
        const int one = tune_one(called_as, options, device, dims, precision, &bar, &tally);
        if (one != COMMAND_OK) code = one;
    }
    progress_stop(&bar);
    if (!options->json && tally.count > 0) print_mean(&tally);
    if (tally.lost && !options->export_path)
        command_fail(called_as, "warning: what was found is lost with this command: the folder of "
                                "WEFT_CACHE_DIR or ~/.cache is switched off or cannot be written");
    return code;
}

/* ---- files ---- */

/* Returns OPTIONS_PROCEED or the exit code. */
static int import_wisdom(const char *called_as, weft_device *device, const char *path)
{
    if (!path) return OPTIONS_PROCEED;
    const weft_status status = weft_wisdom_import(device, path);
    if (status == WEFT_OK) return OPTIONS_PROCEED;
    const int code = command_fail(called_as, "%s", weft_last_error());
    return status == WEFT_ERROR_UNSUPPORTED ? OPTIONS_PROCEED : code;
}

static int export_wisdom(const char *called_as, weft_device *device, const char *path)
{
    if (!path || weft_wisdom_export(device, path) == WEFT_OK) return COMMAND_OK;
    return command_fail(called_as, "%s", weft_last_error());
}

static int tune_on(const char *called_as, const struct tune_options *options, weft_device *device,
                   const struct size_list *sizes, unsigned precisions)
{
    int code = import_wisdom(called_as, device, options->import_path);
    if (code != OPTIONS_PROCEED) return code;
    code = COMMAND_OK;
    if (sizes->count > 0) code = tune_all(called_as, options, device, sizes, precisions);
    const int exported = export_wisdom(called_as, device, options->export_path);
    return code == COMMAND_OK ? exported : code;
}

static int tune_with(const char *called_as, struct tune_options *options, struct size_list *sizes)
{
    unsigned precisions;
    const bool files = options->import_path || options->export_path;
    if (!options_precisions(options->precision, 1u << WEFT_F32, &precisions))
        return command_misuse(called_as, "--precision accepts " OPTIONS_PRECISIONS);
    if (!options_threads(&options->threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096");
    if (sizes->count == 0 && !files && size_list_add(sizes, default_sizes) != SIZES_OK)
        return command_fail(called_as, "out of memory");
    if (!options_set_kinds(options->kind, sizes))
        return command_misuse(called_as, "--kind accepts " OPTIONS_AXIS_KINDS);
    weft_device *device = NULL;
    int code = options_open_device(called_as, options->device, &device);
    if (code != OPTIONS_PROCEED) return code;
    code = tune_on(called_as, options, device, sizes, precisions);
    weft_device_close(&device);
    return code;
}

int command_tune(int argc, const char **argv)
{
    struct tune_options options = {.threads = 1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        OPTIONS_KIND(options.kind),
        OPTIONS_DEVICE(options.device),
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0,
         "f32 (default), f64, f16, bf16, dd or both", "NAME"},
        OPTIONS_THREADS(options.threads),
        {"import", 'I', POPT_ARG_STRING, &options.import_path, 0, "add what this file knows",
         "FILE"},
        {"export", 'E', POPT_ARG_STRING, &options.export_path, 0,
         "write all that is known into this file", "FILE"},
        OPTIONS_JSON(options.json),
        POPT_TABLEEND,
    };
    struct options_reader reader = {argv[0], table, "[SIZE ...]", explanation};
    int code = options_read(&reader, argc, argv, &sizes);
    if (code == OPTIONS_PROCEED) code = tune_with(argv[0], &options, &sizes);
    size_list_free(&sizes);
    free(options.device);
    free(options.kind);
    free(options.precision);
    free(options.import_path);
    free(options.export_path);
    return code;
}
