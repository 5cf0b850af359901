#include "transform.h"

#include "command.h"
#include "number.h"
#include "options.h"
#include "window.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char accepted[] = "--inverse, --kind, --half, --length, --orthonormal, --axes, "
                               "--window, --load, --store, --in-range, --out-range, --precision, "
                               "--out-storage, --memory, --device, --threads, --picture, "
                               "--round-trip, --json and --help";

/* Of the texts that options point into, those of the files come after the options' own. */
enum { OWN_TEXTS = 12 };

static const char explanation[] =
    "IN is a .npy array, a .png picture, or a .wav, .flac or .ogg recording. A picture's colours\n"
    "are combined to luminance, a recording's channels are averaged. OUT.npy holds what\n"
    "numpy.fft.fftn would give, with --inverse what ifftn would, as complex64 or complex128;\n"
    "with --half what rfftn and irfftn would; of --out-range what it says, from FIRST on.\n"
    "\n"
    "The picture shows a recording's frequencies over time, or else the magnitude of the\n"
    "spectrum (with --inverse the one that is read). Axes are counted from 0, or from the end\n"
    "as -1, -2. Nothing is written under the names given unless all went well.\n";

/* The arguments as popt stores them. */
typedef struct raw {
    char *axes, *precision, *device, *picture, *kind, *memory, *window, *load, *store,
        *out_storage, *in_range, *out_range;
    long length;
    int inverse, half, orthonormal, round_trip, json, threads, help;
} raw;

static bool parse_axes(transform_options *options, const char *text)
{
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        long axis = strtol(at, &end, 10);
        bool is_number = end != at && *at != ' ' && *at != '+' && errno == 0;
        if (!is_number || axis < INT_MIN || axis > INT_MAX) return false;
        if (options->axis_count == WEFT_MAX_RANK) return false;
        options->axis[options->axis_count++] = (int)axis;
        if (*end == 0) return true;
        if (*end != ',') return false;
        at = end;
    }
}

/* A number of bytes, or of 2^10, 2^20, 2^30 or 2^40 of them. */
static bool parse_memory(transform_options *options, const char *text)
{
    static const char units[] = "KMGT";
    options->memory = 0;
    if (!text) return true;
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (end == text || errno || number < 1 || (*end && (!unit || end[1]))) return false;
    options->memory = number;
    for (const char *u = units; unit && u <= unit; u++) {
        if (__builtin_mul_overflow(options->memory, 1024, &options->memory)) return false;
    }
    return true;
}

static bool parse_precision(transform_options *options, const char *text)
{
    static const char *const names[] = {[WEFT_F32] = "f32", [WEFT_F64] = "f64"};
    options->precision = PRECISION_AUTOMATIC;
    if (!text) return true;
    for (int i = 0; i < 2; i++) {
        if (strcmp(text, names[i]) == 0) options->precision = (precision_choice)i;
    }
    return options->precision != PRECISION_AUTOMATIC;
}

/* --half is the kind of the direction that has half a spectrum on its complex side. */
static int interpret_kind(transform_options *options, const char *called_as, const raw *given)
{
    if (!options_axis_kinds(given->kind, &options->kinds)) {
        return command_misuse(called_as, "--kind %s: expected " OPTIONS_AXIS_KINDS, given->kind);
    }
    options->kind = options->kinds.kind[0];
    if (given->half && given->kind && options->kind != WEFT_R2C && options->kind != WEFT_C2R) {
        return command_misuse(called_as, "--half goes with --kind r2c and c2r, not with %s",
                              given->kind);
    }
    if (given->half && !given->kind) options->kind = given->inverse ? WEFT_C2R : WEFT_R2C;
    if (options->kind >= WEFT_DCT1 && options->picture) {
        return command_misuse(called_as, "--picture draws spectra, which --kind %s has not",
                              given->kind);
    }
    options->length = given->length;
    if (given->length < 0 || (given->length && options->kind != WEFT_C2R)) {
        return command_misuse(called_as, "--length %ld: expected a number of reals that half a "
                                         "spectrum is of, with --kind c2r or --half --inverse",
                              given->length);
    }
    return OPTIONS_PROCEED;
}

static int interpret_hooks(transform_options *options, const char *called_as, const raw *given)
{
    options->window = given->window;
    options->load = given->load;
    options->store = given->store;
    if (given->window && !window_exists(given->window)) {
        return command_misuse(called_as, "--window %s: expected " WINDOWS, given->window);
    }
    if (given->window && given->load) {
        return command_misuse(called_as, "--window is a --load of its own: expected one of them");
    }
    if (given->round_trip && (given->window || given->load || given->store)) {
        return command_misuse(called_as, "--round-trip finds what was read, which --window, --load "
                                         "and --store change");
    }
    return OPTIONS_PROCEED;
}

static int interpret_ranges(transform_options *options, const char *called_as, const raw *given)
{
    const char *wrong = range_lists_read(given->in_range, given->out_range, &options->ranges);
    if (wrong) {
        return command_misuse(called_as, "%s %s: expected " RANGES_SYNTAX, wrong,
                              wrong[2] == 'i' ? given->in_range : given->out_range);
    }
    if (given->round_trip && range_lists_exist(&options->ranges)) {
        return command_misuse(called_as, "--round-trip finds what was read, of which ranges leave "
                                         "out some");
    }
    return OPTIONS_PROCEED;
}

static int take_files(transform_options *options, const char *called_as, poptContext context)
{
    const char **files = poptGetArgs(context);
    int count = 0;
    while (files && files[count])
        count++;
    if (count < 1 || count > 2) {
        return command_misuse(called_as, "%d files given; expected IN [OUT.npy]", count);
    }
    for (int i = 0; i < count; i++) {
        options->strings[OWN_TEXTS + i] = strdup(files[i]);
        if (!options->strings[OWN_TEXTS + i]) return command_fail(called_as, "no memory");
    }
    options->input = options->strings[OWN_TEXTS];
    options->output = options->strings[OWN_TEXTS + 1];
    if (options->output && options->picture && strcmp(options->output, options->picture) == 0) {
        return command_misuse(called_as, "%s: OUT.npy and --picture need different names",
                              options->output);
    }
    return OPTIONS_PROCEED;
}

/* Makes options of what popt stored; everything popt allocated is theirs already. */
static int interpret(transform_options *options, const char *called_as, const raw *given,
                     poptContext context)
{
    options->threads = given->threads;
    options->direction = given->inverse ? WEFT_INVERSE : WEFT_FORWARD;
    options->json = given->json;
    options->round_trip = given->round_trip;
    options->orthonormal = given->orthonormal;
    options->device = given->device;
    options->picture = given->picture;
    if (given->axes && !parse_axes(options, given->axes)) {
        return command_misuse(called_as,
                              "--axes %s: expected up to %d numbers with commas between, as in 0,1",
                              given->axes, WEFT_MAX_RANK);
    }
    int code = interpret_kind(options, called_as, given);
    if (code == OPTIONS_PROCEED) code = interpret_hooks(options, called_as, given);
    if (code == OPTIONS_PROCEED) code = interpret_ranges(options, called_as, given);
    if (code != OPTIONS_PROCEED) return code;
    if (!parse_precision(options, given->precision)) {
        return command_misuse(called_as,
                              "--precision %s: expected f32 or f64 (no file has a type for dd)",
                              given->precision);
    }
    if (given->out_storage && !number_read(given->out_storage, &options->out_storage)) {
        return command_misuse(called_as, "--out-storage %s: expected " NUMBERS, given->out_storage);
    }
    if (!parse_memory(options, given->memory)) {
        return command_misuse(called_as, "--memory %s: expected bytes, as 500M or 4G",
                              given->memory);
    }
    if (!options_threads(&options->threads)) {
        return command_misuse(called_as, "--threads %d: expected 0 (one a processor) to 4096",
                              given->threads);
    }
    return take_files(options, called_as, context);
}

static int read_context(transform_options *options, const char *called_as, raw *given,
                        poptContext context)
{
    poptSetOtherOptionHelp(context, "IN [OUT.npy]");
    int code = poptGetNextOpt(context);
    char *owned[OWN_TEXTS] = {given->axes, given->precision, given->device, given->picture,
                              given->kind, given->window, given->load, given->store,
                              given->memory, given->out_storage, given->in_range,
                              given->out_range};
    memcpy(options->strings, owned, sizeof owned);
    if (given->help) {
        poptPrintHelp(context, stdout, 0);
        printf("\n%s", explanation);
        return COMMAND_OK;
    }
    if (code < -1) {
        return command_misuse(called_as, "%s: %s; accepted are %s", poptBadOption(context, 0),
                              poptStrerror(code), accepted);
    }
    return interpret(options, called_as, given, context);
}

int transform_options_read(transform_options *options, int argc, const char **argv)
{
    raw given = {.threads = 1};
    const struct poptOption own[] = {
        {"inverse", 'i', POPT_ARG_NONE, &given.inverse, 0, "transform back, scaled by 1/N", NULL},
        {"kind", 'k', POPT_ARG_STRING, &given.kind, 0,
         "c2c (default), r2c, c2r, or of reals to reals dct1 to dct4, dst1 to dst4, dht", "NAME"},
        {"half", 'H', POPT_ARG_NONE, &given.half, 0,
         "real data have only half their spectrum stored, as by numpy.fft.rfftn", NULL},
        {"length", 'n', POPT_ARG_LONG, &given.length, 0,
         "reals along the last axis that half a spectrum is of (default: the even number)", "N"},
        {"orthonormal", 'o', POPT_ARG_NONE, &given.orthonormal, 0,
         "scale both ways so that the matrix is orthonormal", NULL},
        {"axes", 'a', POPT_ARG_STRING, &given.axes, 0, "the axes to transform (default: all)",
         "0,1"},
        {"window", 'w', POPT_ARG_STRING, &given.window, 0,
         "multiply what is read by a window along the axes: " WINDOWS, "NAME"},
        {"load", 'L', POPT_ARG_STRING, &given.load, 0,
         "an expression that each element x becomes as it is read, as in \"x * k\"", "EXPR"},
        {"store", 'S', POPT_ARG_STRING, &given.store, 0,
         "likewise before it is written, as in \"abs(x)\"", "EXPR"},
        OPTIONS_IN_RANGE(given.in_range),
        OPTIONS_OUT_RANGE(given.out_range),
        {"precision", 'p', POPT_ARG_STRING, &given.precision, 0,
         "f32 or f64 (default: f64 for .npy arrays of wider numbers than f32 holds, else f32)",
         "f32|f64"},
        {"out-storage", 'O', POPT_ARG_STRING, &given.out_storage, 0,
         "what OUT.npy holds (default: as computed): " NUMBERS, "NAME"},
        {"memory", 'm', POPT_ARG_STRING, &given.memory, 0,
         "transform from IN.npy to OUT.npy through so much memory (default: whole arrays)",
         "BYTES"},
        OPTIONS_DEVICE(given.device),
        OPTIONS_THREADS(given.threads),
        {"picture", 'P', POPT_ARG_STRING, &given.picture, 0, "draw the spectrum", "P.png"},
        {"round-trip", 'r', POPT_ARG_NONE, &given.round_trip, 0,
         "transform back too, and print the relative L2 error", NULL},
        OPTIONS_JSON(given.json),
        POPT_TABLEEND,
    };
    const struct poptOption table[] = {
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)own, 0, "Options:", NULL},
        {"help", 'h', POPT_ARG_NONE, &given.help, 0, "print this", NULL},
        POPT_TABLEEND,
    };
    *options = (transform_options){0};
    poptContext context = poptGetContext(argv[0], argc, argv, table, 0);
    if (!context) return command_fail(argv[0], "no memory");
    int code = read_context(options, argv[0], &given, context);
    poptFreeContext(context);
    return code;
}

void transform_options_free(transform_options *options)
{
    for (size_t i = 0; i < sizeof options->strings / sizeof options->strings[0]; i++) {
        free(options->strings[i]);
    }
    *options = (transform_options){0};
}

int transform_axes(const transform_options *options, const char *called_as, int rank,
                   uint32_t *axes)
{
    *axes = 0;
    for (int i = 0; i < options->axis_count; i++) {
        int axis = options->axis[i];
        if (axis < -rank || axis >= rank) {
            return command_misuse(called_as, "--axes: there is no axis %d; expected %d to %d", axis,
                                  -rank, rank - 1);
        }
        uint32_t bit = 1u << (axis < 0 ? axis + rank : axis);
        if (*axes & bit) return command_misuse(called_as, "--axes: axis %d is named twice", axis);
        *axes |= bit;
    }
    if (options->axis_count == 0) *axes = (1u << rank) - 1;
    return OPTIONS_PROCEED;
}
