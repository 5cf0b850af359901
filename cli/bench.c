/* weft bench: the speed of transforms, beside that of another library. */
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"

static const char default_sizes[] =
    "2,4,8,16,32,64,128,256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,"
    "1048576,2097152,4194304,"
    "3,9,27,81,243,729,2187,6561,19683,59049,177147,531441,"
    "5,25,125,625,3125,15625,78125,390625,"
    "7,49,343,2401,16807,117649,823543,"
    "60,100,360,1000,1920,10000,44100,100000,"
    "17,101,1009,10007,"
    "512x512,1000x1000,64x64x64";

static const char explanation[] =
    "SIZE: " SIZES_SYNTAX ".\n"
    "Without sizes: the powers of 2, 3, 5 and 7, common sizes, primes, 2-D and 3-D, some minutes.\n"
    "\n"
    "Both libraries transform the same aligned random data in turns, out of place unless asked\n"
    "otherwise (in place on zeros), repeated until the clock is fine enough; the median counts.\n"
    "Their results are compared. ratio is rival_seconds / weft_seconds: above 1 weft is faster.\n"
    "fraction_of_bound is the time to read and write the data once over that of weft. The rival\n"
    "plans as its users would for speed: FFTW by FFTW_MEASURE.\n";

struct bench_options {
    char *rival;
    char *device;
    char *precision;
    char *effort;
    char *plot;
    int threads;
    int in_place;
    int json;
};

static void print_result(const struct bench_settings *settings, bool json,
                         const struct bench_result *result)
{
    (json ? bench_print_line : bench_print_row)(settings, result);
}

/* Measures every case, and goes on where one fails. Returns the exit code. */
static int measure_all(const char *called_as, const struct bench_settings *settings, bool json,
                       const struct size_list *sizes, unsigned precisions,
                       struct bench_results *results)
{
    int code = COMMAND_OK;
    for (int64_t i = 0; i < 2 * sizes->count; i++) {
        struct bench_result *next = &results->result[results->count];
        *next = (struct bench_result){.dims = sizes->cases[i % sizes->count],
                                      .precision = (weft_precision)(i / sizes->count)};
        if (!(precisions >> next->precision & 1)) continue;
        const char *problem = bench_measure(settings, next);
        char text[SIZE_TEXT_CAPACITY];
        if (problem) {
            code = command_fail(called_as, "%s %s: %s", size_case_text(&next->dims, text),
                                options_precision_name(next->precision), problem);
            continue;
        }
        print_result(settings, json, next);
        results->count++;
    }
    return code;
}

static int plot(const char *called_as, const struct bench_settings *settings,
                const struct bench_results *results, const char *path)
{
    if (bench_plot(settings, results, path)) return COMMAND_OK;
    return command_fail(called_as, "%s: %s", path, strerror(errno));
}

static int bench_sizes(const char *called_as, const struct bench_settings *settings,
                       const struct bench_options *options, const struct size_list *sizes,
                       unsigned precisions)
{
    struct bench_results results = {0};
    results.result = calloc((size_t)sizes->count * 2 + 1, sizeof *results.result);
    if (!results.result) return command_fail(called_as, "out of memory");
    if (!options->json) bench_print_heading(settings);
    int code = measure_all(called_as, settings, options->json, sizes, precisions, &results);
    (options->json ? bench_print_mean_line : bench_print_mean)(bench_geometric_mean(&results));
    if (options->plot && plot(called_as, settings, &results, options->plot) != COMMAND_OK)
        code = COMMAND_FAILED;
    free(results.result);
    return code;
}

/* Returns OPTIONS_PROCEED or the exit code. */
static int choose_rival(const char *called_as, const char *name, struct bench_settings *settings)
{
    if (name && strcmp(name, "none") == 0) return OPTIONS_PROCEED;
    settings->rival = rival_find(name ? name : "fftw");
    if (!settings->rival)
        return command_misuse(called_as, "--vs accepts %s or none", rival_names());
    const char *problem = settings->rival->open(settings->threads);
    return problem ? command_fail(called_as, "%s", problem) : OPTIONS_PROCEED;
}

static int bench_with(const char *called_as, const struct bench_options *options,
                      struct size_list *sizes)
{
    struct bench_settings settings = {.threads = options->threads, .in_place = options->in_place};
    unsigned precisions;
    if (!options_precisions(options->precision, 3, &precisions))
        return command_misuse(called_as, "--precision accepts f32, f64 or both");
    if (!options_threads(&settings.threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096");
    if (!options_effort(options->effort, &settings.effort))
        return command_misuse(called_as, "--plan-effort accepts estimate or measure");
    int code = choose_rival(called_as, options->rival, &settings);
    if (code != OPTIONS_PROCEED) return code;
    if (sizes->count == 0 && size_list_add(sizes, default_sizes) != SIZES_OK)
        return command_fail(called_as, "out of memory");
    code = options_open_device(called_as, options->device, &settings.device);
    if (code != OPTIONS_PROCEED) return code;
    weft_device_info info;
    settings.device_name = options_device_name(options->device, &info);
    code = bench_sizes(called_as, &settings, options, sizes, precisions);
    weft_device_close(&settings.device);
    return code;
}

static void free_options(struct bench_options *options)
{
    free(options->rival);
    free(options->device);
    free(options->precision);
    free(options->effort);
    free(options->plot);
}

int command_bench(int argc, const char **argv)
{
    struct bench_options options = {.threads = 1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        {"vs", 'v', POPT_ARG_STRING, &options.rival, 0,
         "the library to be timed against: fftw (default) or none", "NAME"},
        OPTIONS_DEVICE(options.device),
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0, "f32, f64 or both (default)",
         "NAME"},
        OPTIONS_THREADS(options.threads),
        OPTIONS_EFFORT(options.effort),
        {"in-place", 'i', POPT_ARG_NONE, &options.in_place, 0, "transform in place", NULL},
        OPTIONS_JSON(options.json),
        {"plot", 0, POPT_ARG_STRING, &options.plot, 0, "draw the rates into this file", "P.svg"},
        POPT_TABLEEND,
    };
    struct options_reader reader = {argv[0], table, "[SIZE ...]", explanation};
    int code = options_read(&reader, argc, argv, &sizes);
    if (code == OPTIONS_PROCEED) code = bench_with(argv[0], &options, &sizes);
    size_list_free(&sizes);
    free_options(&options);
    return code;
}
