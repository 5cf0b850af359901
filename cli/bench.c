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

/* Of the arrays on devices: several times their caches. */
enum { device_megabytes = 512 };

static const char explanation[] =
    "SIZE: " SIZES_SYNTAX ".\n"
    "Without sizes: the powers of 2, 3, 5 and 7, common sizes, primes, 2-D and 3-D, some minutes.\n"
    "\n"
    "All transform the same random data in turns, out of place unless asked otherwise (in place "
    "on\n"
    "zeros), repeated until the clock is fine enough; the median counts. On GPUs the data stay on\n"
    "the device. Results are compared. ratio is the rival's time over weft's: above 1 weft is\n"
    "faster. bound is the time to read and write the data once (on CUDA and Vulkan devices that\n"
    "of a copy in the same run) over weft's. 1st plan may compile kernels; on disk is a plan\n"
    "after the device was opened anew, plan one of many. FFTW plans by FFTW_MEASURE.\n";

struct bench_options {
    char *rivals;
    char *device;
    char *precision;
    char *effort;
    char *plot;
    int threads;
    int in_place;
    int megabytes;
    int json;
};

static void print_result(const struct bench_settings *settings, bool json,
                         const struct bench_result *result)
{
    (json ? bench_print_line : bench_print_row)(settings, result);
}

/* As many arrays as fit so many megabytes, where no batch was asked for. */
static struct size_case filled(const struct size_case *dims, weft_precision precision,
                               int megabytes)
{
    struct size_case result = *dims;
    int64_t batch = ((int64_t)megabytes << 20) / (int64_t)size_case_bytes(dims, precision);
    if (!dims->batched && batch > 1) result.batch = batch;
    return result;
}

/* Measures every case, and goes on where one fails. Returns the exit code. */
static int measure_all(const char *called_as, const struct bench_settings *settings, bool json,
                       const struct size_list *sizes, unsigned precisions,
                       struct bench_results *results)
{
    int code = COMMAND_OK;
    for (int64_t i = 0; i < 2 * sizes->count; i++) {
        struct bench_result *next = &results->result[results->count];
        const weft_precision precision = (weft_precision)(i / sizes->count);
        *next = (struct bench_result){
            .dims = filled(&sizes->cases[i % sizes->count], precision, settings->megabytes),
            .precision = precision};
        if (!(precisions >> next->precision & 1)) continue;
        const char *problem = bench_measure(settings, next);
        char text[SIZE_TEXT_CAPACITY];
        if (problem) {
            code = command_fail(called_as, "%s %s: %s", size_case_text(&next->dims, text),
                                options_precision_name(next->precision), problem);
            continue;
        }
        print_result(settings, json, next);
        if (next->complaint[0])
            code = command_fail(called_as, "%s %s: %s", size_case_text(&next->dims, text),
                                options_precision_name(next->precision), next->complaint);
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
    (options->json ? bench_print_mean_line : bench_print_means)(settings, &results);
    if (options->plot && plot(called_as, settings, &results, options->plot) != COMMAND_OK)
        code = COMMAND_FAILED;
    free(results.result);
    return code;
}

/* ---- the rivals ---- */

/* Returns OPTIONS_PROCEED or the exit code. */
static int add_rival(const char *called_as, const char *name, struct bench_settings *settings)
{
    const struct rival *rival = rival_find(name, settings->place);
    if (!rival) return command_misuse(called_as, "--vs accepts %s or none", rival_names());
    if (settings->rivals == BENCH_MOST_RIVALS)
        return command_misuse(called_as, "--vs accepts at most %d rivals", BENCH_MOST_RIVALS);
    if (rival->place != settings->place)
        return command_misuse(called_as, "%s cannot work where %s does", rival->title,
                              settings->device_name);
    const char *problem = rival->open(settings->threads);
    if (problem) return command_fail(called_as, "%s", problem);
    settings->rival[settings->rivals++] = rival;
    return OPTIONS_PROCEED;
}

static const char *usual_rival(const struct place *place)
{
    return place->host ? "fftw" : place == &place_cuda ? "cufft" : "none";
}

/* Reads names with commas between. */
static int choose_rivals(const char *called_as, const char *names, struct bench_settings *settings)
{
    char copy[64];
    int length = snprintf(copy, sizeof copy, "%s", names ? names : usual_rival(settings->place));
    if (strcmp(copy, "none") == 0) return OPTIONS_PROCEED;
    if (length >= (int)sizeof copy)
        return command_misuse(called_as, "--vs accepts %s or none", rival_names());
    int code = OPTIONS_PROCEED;
    char *rest = NULL;
    for (char *name = strtok_r(copy, ",", &rest); name && code == OPTIONS_PROCEED;
         name = strtok_r(NULL, ",", &rest))
        code = add_rival(called_as, name, settings);
    return code;
}

/* ---- all together ---- */

/* As much as a device takes in one array, if that is less. */
static int usual_megabytes(const struct bench_settings *settings)
{
    struct place_array array = {0};
    int megabytes = device_megabytes;
    if (settings->place->host) return 0;
    while (megabytes > 1 &&
           settings->place->create(settings->device, (size_t)megabytes << 20, &array))
        megabytes /= 2;
    if (megabytes > 1) settings->place->destroy(&array);
    return megabytes;
}

static int bench_on_device(const char *called_as, const struct bench_options *options,
                           struct bench_settings *settings, struct size_list *sizes,
                           unsigned precisions)
{
    int code = choose_rivals(called_as, options->rivals, settings);
    if (code != OPTIONS_PROCEED) return code;
    if (sizes->count == 0 && size_list_add(sizes, default_sizes) != SIZES_OK)
        return command_fail(called_as, "out of memory");
    settings->megabytes =
        options->megabytes < 0 ? usual_megabytes(settings) : options->megabytes;
    const char *problem = bench_measure_copy(settings);
    if (problem) return command_fail(called_as, "%s", problem);
    return bench_sizes(called_as, settings, options, sizes, precisions);
}

static int bench_with(const char *called_as, const struct bench_options *options,
                      struct size_list *sizes)
{
    struct bench_settings settings = {.threads = options->threads,
                                      .in_place = options->in_place,
                                      .device_argument = options->device,
                                      .place = place_find(options->device)};
    unsigned precisions;
    if (!options_precisions(options->precision, 3, &precisions))
        return command_misuse(called_as, "--precision accepts f32, f64 or both");
    if (!options_threads(&settings.threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096");
    if (!options_effort(options->effort, &settings.effort))
        return command_misuse(called_as, "--plan-effort accepts estimate or measure");
    const char *problem = settings.place->open(options->device, &settings.device);
    if (problem) return (options->device ? command_misuse : command_fail)(called_as, "%s", problem);
    weft_device_info info;
    settings.device_name = options_device_name(options->device, &info);
    int code = bench_on_device(called_as, options, &settings, sizes, precisions);
    weft_device_close(&settings.device);
    return code;
}

static void free_options(struct bench_options *options)
{
    free(options->rivals);
    free(options->device);
    free(options->precision);
    free(options->effort);
    free(options->plot);
}

int command_bench(int argc, const char **argv)
{
    struct bench_options options = {.threads = 1, .megabytes = -1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        {"vs", 'v', POPT_ARG_STRING, &options.rivals, 0,
         "the libraries to be timed against, with commas between: fftw (default on the CPU), "
         "cufft (default on CUDA devices), vkfft, or none",
         "NAME"},
        OPTIONS_DEVICE(options.device),
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0, "f32, f64 or both (default)",
         "NAME"},
        OPTIONS_THREADS(options.threads),
        OPTIONS_EFFORT(options.effort),
        {"in-place", 'i', POPT_ARG_NONE, &options.in_place, 0, "transform in place", NULL},
        {"megabytes", 'm', POPT_ARG_INT, &options.megabytes, 0,
         "transform as many arrays at once as have so many megabytes, where SIZE has no batch "
         "(default: 0 on the CPU, elsewhere 512 or what fits)",
         "N"},
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
