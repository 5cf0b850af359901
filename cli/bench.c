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
    "All transform the same random data in turns, out of place unless asked otherwise (zeros, "
    "where\n"
    "the input is overwritten), repeated until the clock is fine enough; the median counts, and "
    "+-\n"
    "is half the distance of the quartiles. On GPUs the data stay on the device. Results are\n"
    "compared. ratio is the rival's time over weft's: above 1 weft is faster. bound is the time "
    "of\n"
    "a copy of as many data in the same run over weft's (of several CPU threads, that of one read\n"
    "and one write by the library's model). 1st plan may compile kernels; on disk is a plan after\n"
    "the device was opened anew, plan one of many. FFTW plans by FFTW_MEASURE.\n"
    "Ranges are weft's alone; whole is weft without them, on the same data, ratio its time over\n"
    "that with them, and rivals transform everything.\n";

struct bench_options {
    char *rivals;
    char *kinds;
    char *device;
    char *precision;
    char *threads;
    char *effort;
    char *order;
    char *in_range, *out_range;
    char *table;
    char *plot;
    char *markdown;
    int in_place;
    int cold;
    int megabytes;
    int json;
};

/* How many times faster than FFTW weft is here, over how many times the table's best is there. */
static void compare_with_table(const struct bench_settings *settings, struct bench_result *result)
{
    for (int i = 0; i < settings->rivals; i++)
        if (settings->rival[i] == &rival_fftw)
            result->anchor.standing = result->rival[i].ratio / result->anchor.ratio;
}

/* Measures every case, and goes on where one fails. Returns the exit code. */
static int measure_all(const char *called_as, const struct bench_settings *settings, bool json,
                       struct bench_results *results)
{
    int code = COMMAND_OK;
    for (int64_t i = 0; i < results->count; i++) {
        struct bench_result *next = &results->result[i];
        const char *problem = bench_measure(settings, next);
        char text[SIZE_TEXT_CAPACITY];
        if (!problem) {
            compare_with_table(settings, next);
            (json ? bench_print_line : bench_print_row)(settings, next);
            if (next->complaint[0]) problem = next->complaint;
        }
        if (problem)
            code = command_fail(called_as, "%s %s %s: %s", size_case_text(&next->dims, text),
                                options_kind_name(next->dims.kind),
                                options_precision_name(next->precision), problem);
    }
    return code;
}

typedef bool write_results(const struct bench_settings *settings,
                           const struct bench_results *results, const char *path);

/* path: NULL, if it is not wanted. */
static int write_file(const char *called_as, const struct bench_settings *settings,
                      const struct bench_results *results, const char *path,
                      write_results *write_them)
{
    if (!path || write_them(settings, results, path)) return COMMAND_OK;
    return command_fail(called_as, "%s: %s", path, strerror(errno));
}

static int bench_cases(const char *called_as, const struct bench_settings *settings,
                       const struct bench_options *options, struct bench_results *results)
{
    if (!options->json) bench_print_heading(settings);
    int code = measure_all(called_as, settings, options->json, results);
    (options->json ? bench_print_mean_line : bench_print_means)(settings, results);
    const int plotted = write_file(called_as, settings, results, options->plot, bench_plot);
    const int written = write_file(called_as, settings, results, options->markdown, bench_markdown);
    return code ? code : plotted ? plotted : written;
}

/* ---- what there is to do ---- */

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

static int list_cases(const char *called_as, const struct bench_options *options,
                      const struct bench_settings *settings, const struct bench_wish *wish,
                      struct bench_results *results)
{
    if (options->table) {
        const char *problem = bench_read_table(called_as, options->table, wish, results);
        if (problem) return command_fail(called_as, "%s", problem);
        if (results->count == 0)
            return command_fail(called_as, "%s: no row is as it was asked for", options->table);
        return OPTIONS_PROCEED;
    }
    return bench_list_cases(wish, settings->megabytes, results)
               ? OPTIONS_PROCEED
               : command_fail(called_as, "out of memory");
}

static int bench_on_device(const char *called_as, const struct bench_options *options,
                           struct bench_settings *settings, const struct bench_wish *wish,
                           struct bench_results *results)
{
    settings->megabytes = options->megabytes < 0 ? usual_megabytes(settings) : options->megabytes;
    int code = list_cases(called_as, options, settings, wish, results);
    if (code == OPTIONS_PROCEED)
        code = bench_choose_rivals(called_as, options->rivals, wish, results, settings);
    if (code != OPTIONS_PROCEED) return code;
    const char *problem = bench_measure_copy(settings);
    if (problem) return command_fail(called_as, "%s", problem);
    return bench_cases(called_as, settings, options, results);
}

static int bench_with_device(const char *called_as, const struct bench_options *options,
                             struct bench_settings *settings, const struct bench_wish *wish)
{
    struct bench_results results = {0};
    const char *problem = settings->place->open(options->device, &settings->device);
    if (problem) return (options->device ? command_misuse : command_fail)(called_as, "%s", problem);
    int code = bench_on_device(called_as, options, settings, wish, &results);
    free(results.result);
    weft_device_close(&settings->device);
    return code;
}

static int bench_cold(const char *called_as, const struct bench_options *options,
                      struct bench_settings *settings, const struct bench_wish *wish)
{
    struct eviction eviction;
    if (!options->cold) return bench_with_device(called_as, options, settings, wish);
    if (!settings->place->host) return command_misuse(called_as, "--cold is of the CPU's caches");
    if (!eviction_create(&eviction)) return command_fail(called_as, "out of memory");
    settings->cold = &eviction;
    int code = bench_with_device(called_as, options, settings, wish);
    eviction_destroy(&eviction);
    return code;
}

/* ---- all together ---- */

static int bench_with(const char *called_as, const struct bench_options *options,
                      struct size_list *sizes)
{
    weft_device_info info;
    struct bench_settings settings = {.in_place = options->in_place,
                                      .device_argument = options->device,
                                      .device_name = options_device_name(options->device, &info),
                                      .table = options->table != NULL,
                                      .place = place_find(options->device)};
    struct bench_wish wish = {.sizes = sizes};
    if (!options_kinds(options->kinds, &wish.kinds))
        return command_misuse(called_as, "--kind accepts " OPTIONS_KINDS);
    if (settings.table && !options->kinds) wish.kinds = ~0u;
    if (!options_precisions(options->precision, 3, &wish.precisions))
        return command_misuse(called_as, "--precision accepts " OPTIONS_PRECISIONS);
    if (!options_thread_count(options->threads, settings.table ? 0 : 1, &wish.threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096 or all");
    if (!options_effort(options->effort, &settings.effort))
        return command_misuse(called_as, "--plan-effort accepts estimate or measure");
    if (!options_order(options->order, &settings.order))
        return command_misuse(called_as, "--order accepts natural or transposed");
    const char *wrong = range_lists_read(options->in_range, options->out_range, &settings.ranges);
    if (wrong) return command_misuse(called_as, "%s accepts " RANGES_SYNTAX, wrong);
    if (!settings.table && sizes->count == 0 && size_list_add(sizes, default_sizes) != SIZES_OK)
        return command_fail(called_as, "out of memory");
    return bench_cold(called_as, options, &settings, &wish);
}

static void free_options(struct bench_options *options)
{
    free(options->rivals);
    free(options->kinds);
    free(options->device);
    free(options->precision);
    free(options->threads);
    free(options->effort);
    free(options->order);
    free(options->in_range);
    free(options->out_range);
    free(options->table);
    free(options->plot);
    free(options->markdown);
}

int command_bench(int argc, const char **argv)
{
    struct bench_options options = {.megabytes = -1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        {"vs", 'v', POPT_ARG_STRING, &options.rivals, 0,
         "the libraries to be timed against, with commas between: fftw (default on the CPU), mkl "
         "or kissfft, cufft (default on CUDA devices), vkfft, or none",
         "NAME"},
        {"kind", 'k', POPT_ARG_STRING, &options.kinds, 0,
         "the transforms, with commas between: c2c (default), r2c, c2r, dct1 to 4, dst1 to 4 or "
         "dht",
         "NAME"},
        OPTIONS_DEVICE(options.device),
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0,
         OPTIONS_PRECISIONS " (default: f32 and f64)", "NAME"},
        {"threads", 't', POPT_ARG_STRING, &options.threads, 0,
         "CPU threads that all libraries use (default 1; of a table its own); all: one a processor",
         "N|all"},
        OPTIONS_EFFORT(options.effort),
        OPTIONS_ORDER(options.order),
        OPTIONS_IN_RANGE(options.in_range),
        OPTIONS_OUT_RANGE(options.out_range),
        {"in-place", 'i', POPT_ARG_NONE, &options.in_place, 0, "transform in place", NULL},
        {"cold", 'c', POPT_ARG_NONE, &options.cold, 0,
         "empty the caches of all processors before every run", NULL},
        {"megabytes", 'm', POPT_ARG_INT, &options.megabytes, 0,
         "transform as many arrays at once as have so many megabytes, where SIZE has no batch "
         "(default: 0 on the CPU, elsewhere 512 or what fits)",
         "N"},
        {"table", 0, POPT_ARG_STRING, &options.table, 0,
         "run the cases of this table of other libraries' rates, of those given by SIZE and "
         "options, and compare by FFTW, which it has too",
         "T.tsv"},
        OPTIONS_JSON(options.json),
        {"plot", 0, POPT_ARG_STRING, &options.plot, 0,
         "draw the rates of all and the machine's limits into this file", "P.svg"},
        {"markdown", 0, POPT_ARG_STRING, &options.markdown, 0,
         "write the means and all cases into this file, as tables", "T.md"},
        POPT_TABLEEND,
    };
    struct options_reader reader = {argv[0], table, "[SIZE ...]", explanation};
    int code = options_read(&reader, argc, argv, &sizes);
    if (code == OPTIONS_PROCEED) code = bench_with(argv[0], &options, &sizes);
    size_list_free(&sizes);
    free_options(&options);
    return code;
}
