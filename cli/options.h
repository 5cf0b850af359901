/* What the subcommands share of reading their arguments. */
#ifndef WEFT_CLI_OPTIONS_H
#define WEFT_CLI_OPTIONS_H

#include <popt.h>
#include <stdbool.h>

#include <weft/weft.h>

#include "sizes.h"

/* Returned instead of an exit code where there is none yet. */
enum { OPTIONS_PROCEED = -1 };

/* A row of a popt table for each option that several subcommands have. */
#define OPTIONS_DEVICE(variable)                                                                   \
    {                                                                                              \
        "device", 'd', POPT_ARG_STRING, &(variable), 0,                                            \
            "the device to use, as `weft devices` names it (default: the best)", "NAME"            \
    }
#define OPTIONS_THREADS(variable)                                                                  \
    {                                                                                              \
        "threads", 't', POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &(variable), 0,                  \
            "CPU threads to use; 0: one a processor", "N"                                          \
    }
#define OPTIONS_JSON(variable)                                                                     \
    {                                                                                              \
        "json", 'j', POPT_ARG_NONE, &(variable), 0, "print one JSON object a line", NULL           \
    }

#define OPTIONS_KIND(variable)                                                                     \
    {                                                                                              \
        "kind", 'k', POPT_ARG_STRING, &(variable), 0,                                              \
            "the transform: c2c (default), r2c, c2r, dct1 to 4, dst1 to 4 or dht; of these "      \
            "also one for each axis, as dct2+dst1",                                                \
            "NAME"                                                                                 \
    }

#define OPTIONS_ORDER(variable)                                                                    \
    {                                                                                              \
        "order", 'o', POPT_ARG_STRING, &(variable), 0,                                             \
            "in which frequencies may lie: natural (default) or transposed", "NAME"                \
    }

#define OPTIONS_EFFORT(variable)                                                                   \
    {                                                                                              \
        "plan-effort", 'e', POPT_ARG_STRING, &(variable), 0,                                       \
            "how plans are chosen: estimate (default) or measure", "NAME"                          \
    }

#define OPTIONS_IN_RANGE(variable)                                                                 \
    {                                                                                              \
        "in-range", 0, POPT_ARG_STRING, &(variable), 0,                                            \
            "what of the input there is, all else being zero: COUNT elements of an axis, or of "   \
            "every transformed one, from FIRST on in a circle; 0:1/2 is the first half",           \
            "[AXIS=]FIRST:COUNT"                                                                   \
    }
#define OPTIONS_OUT_RANGE(variable)                                                                \
    {                                                                                              \
        "out-range", 0, POPT_ARG_STRING, &(variable), 0, "likewise what of the output is wanted",  \
            "[AXIS=]FIRST:COUNT"                                                                   \
    }

/* The arguments of one subcommand. */
struct options_reader {
    const char *called_as;          /* argv[0], for messages */
    const struct poptOption *table; /* its options, without --help */
    const char *arguments;   /* what follows the options in the usage line; NULL: nothing may */
    const char *explanation; /* printed by --help after the options; NULL: nothing */
};

/* Reads argv into the variables of the table and, from what is no option, into sizes. Returns
 * OPTIONS_PROCEED, or the exit code after --help or a message. The strings that options were given
 * and sizes are the caller's to free in any case. */
int options_read(const struct options_reader *reader, int argc, const char **argv,
                 struct size_list *sizes);

/* Likewise where what is no option is files: exactly `count` of them. Their names are the caller's
 * to free in any case; `files` is all NULL before. */
int options_read_files(const struct options_reader *reader, int argc, const char **argv, int count,
                       char **files);

/* Reads "f32", "f64", "f16", "bf16", "dd" or "both", which is the first two (NULL: `absent`), into
 * a mask with bit p for weft_precision p. false: none of these. */
bool options_precisions(const char *text, unsigned absent, unsigned *mask);
#define OPTIONS_PRECISIONS "f32, f64, f16, bf16, dd or both"
#define OPTIONS_PRECISIONS_END (WEFT_DD + 1) /* all masks have lower bits only */

/* Reads one of them (NULL: f32). false: it is none, or both. */
bool options_precision(const char *text, weft_precision *precision);
#define OPTIONS_PRECISION "f32, f64, f16, bf16 or dd"

/* Reads one of OPTIONS_KINDS (NULL: c2c), or one for each axis. false: none of these. */
bool options_axis_kinds(const char *text, struct size_kinds *kinds);
/* ... which become those of the sizes. */
bool options_set_kinds(const char *text, struct size_list *sizes);
#define OPTIONS_KINDS "c2c, r2c, c2r, dct1 to dct4, dst1 to dst4 or dht"
#define OPTIONS_AXIS_KINDS OPTIONS_KINDS ", of these nine also one for each axis, as dct2+dst1"

/* Likewise several with commas between, into a mask with bit k for weft_kind k. */
bool options_kinds(const char *text, unsigned *mask);

/* The name of a kind as it is written in options and in JSON. */
const char *options_kind_name(weft_kind kind);

/* The name of a precision as it is written in options and in JSON. */
const char *options_precision_name(weft_precision precision);

/* Reads "estimate" or "measure" (NULL: estimate). false: neither. */
bool options_effort(const char *text, weft_effort *effort);

/* Reads "natural" or "transposed" (NULL: natural). false: neither. */
bool options_order(const char *text, weft_order *order);

/* Replaces 0 by the number of processors. false: negative, or beyond reason. */
bool options_threads(int *threads);

/* Reads a number as options_threads() takes it, or "all", which is as 0 (NULL: `absent`). false:
 * neither. */
bool options_thread_count(const char *text, int absent, int *threads);

/* Opens the device and prints a message if that fails. Returns OPTIONS_PROCEED or the exit code. */
int options_open_device(const char *called_as, const char *name, weft_device **device);

/* The name of the device that options_open_device() opens. */
const char *options_device_name(const char *name, weft_device_info *info);

#endif
