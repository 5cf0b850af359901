#include "options.h"

#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 4096 };

static const char *const kind_names[] = {
    [WEFT_C2C] = "c2c",   [WEFT_R2C] = "r2c",   [WEFT_C2R] = "c2r",   [WEFT_DCT1] = "dct1",
    [WEFT_DCT2] = "dct2", [WEFT_DCT3] = "dct3", [WEFT_DCT4] = "dct4", [WEFT_DST1] = "dst1",
    [WEFT_DST2] = "dst2", [WEFT_DST3] = "dst3", [WEFT_DST4] = "dst4", [WEFT_DHT] = "dht"};
static const char *const precision_names[OPTIONS_PRECISIONS_END] = {
    [WEFT_F32] = "f32", [WEFT_F64] = "f64", [WEFT_F16] = "f16", [WEFT_BF16] = "bf16",
    [WEFT_DD] = "dd"};

/* Takes what is no option, NULL or a list that ends with NULL. */
typedef int take_arguments(const struct options_reader *reader, const char **arguments,
                           void *target);

static int take_sizes(const struct options_reader *reader, const char **arguments, void *target)
{
    struct size_list *sizes = target;
    for (int i = 0; arguments && arguments[i]; i++) {
        if (!reader->arguments)
            return command_misuse(reader->called_as, "%s: no arguments are accepted, only options",
                                  arguments[i]);
        enum size_status status = size_list_add(sizes, arguments[i]);
        if (status == SIZES_NO_MEMORY) return command_fail(reader->called_as, "out of memory");
        if (status == SIZES_MALFORMED)
            return command_misuse(reader->called_as,
                                  "%s: a size is %s, with at most 2^40 points and 8 axes",
                                  arguments[i], SIZES_SYNTAX);
    }
    return OPTIONS_PROCEED;
}

static int print_help(const struct options_reader *reader, poptContext context)
{
    poptPrintHelp(context, stdout, 0);
    if (reader->explanation) printf("\n%s", reader->explanation);
    return COMMAND_OK;
}

struct file_list {
    int count;
    char **files;
};

static int take_files(const struct options_reader *reader, const char **arguments, void *target)
{
    const struct file_list *list = target;
    int given = 0;
    while (arguments && arguments[given])
        given++;
    if (given != list->count) {
        return command_misuse(reader->called_as, "%d files given; expected %s", given,
                              reader->arguments);
    }
    for (int i = 0; i < given; i++) {
        list->files[i] = strdup(arguments[i]);
        if (!list->files[i]) return command_fail(reader->called_as, "out of memory");
    }
    return OPTIONS_PROCEED;
}

static int read_context(const struct options_reader *reader, poptContext context,
                        const int *wants_help, take_arguments *take, void *target)
{
    poptSetOtherOptionHelp(context, reader->arguments ? reader->arguments : "");
    int code = poptGetNextOpt(context);
    if (*wants_help) return print_help(reader, context);
    if (code < -1)
        return command_misuse(reader->called_as, "%s: %s; `%s --help` lists what is accepted",
                              poptBadOption(context, 0), poptStrerror(code), reader->called_as);
    return take(reader, poptGetArgs(context), target);
}

static int read_arguments(const struct options_reader *reader, int argc, const char **argv,
                          take_arguments *take, void *target)
{
    int wants_help = 0;
    const struct poptOption table[] = {
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)reader->table, 0, "Options:", NULL},
        {"help", 'h', POPT_ARG_NONE, &wants_help, 0, "print this", NULL},
        POPT_TABLEEND,
    };
    poptContext context = poptGetContext(reader->called_as, argc, argv, table, 0);
    if (!context) return command_fail(reader->called_as, "out of memory");
    int code = read_context(reader, context, &wants_help, take, target);
    poptFreeContext(context);
    return code;
}

int options_read(const struct options_reader *reader, int argc, const char **argv,
                 struct size_list *sizes)
{
    return read_arguments(reader, argc, argv, take_sizes, sizes);
}

int options_read_files(const struct options_reader *reader, int argc, const char **argv, int count,
                       char **files)
{
    struct file_list list = {count, files};
    return read_arguments(reader, argc, argv, take_files, &list);
}

bool options_precisions(const char *text, unsigned absent, unsigned *mask)
{
    const bool both = text && strcmp(text, "both") == 0;
    *mask = !text ? absent : both ? 1u << WEFT_F32 | 1u << WEFT_F64 : 0;
    for (int p = 0; text && p < OPTIONS_PRECISIONS_END; p++)
        if (strcmp(text, precision_names[p]) == 0) *mask = 1u << p;
    return *mask != 0;
}

bool options_precision(const char *text, weft_precision *precision)
{
    unsigned mask;
    if (!options_precisions(text, 1u << WEFT_F32, &mask)) return false;
    int p = 0;
    while (!(mask >> p & 1)) p++;
    *precision = (weft_precision)p;
    return mask == 1u << p;
}

/* Whether the first `length` characters name a kind. */
static bool read_kind(const char *text, size_t length, weft_kind *kind)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++) {
        if (strlen(kind_names[i]) != length || strncmp(text, kind_names[i], length) != 0) continue;
        *kind = (weft_kind)i;
        return true;
    }
    return false;
}

bool options_axis_kinds(const char *text, struct size_kinds *kinds)
{
    *kinds = (struct size_kinds){.count = text ? 0 : 1};
    while (text) {
        const size_t length = strcspn(text, "+");
        if (kinds->count == WEFT_MAX_RANK) return false;
        if (!read_kind(text, length, &kinds->kind[kinds->count++])) return false;
        text = text[length] ? text + length + 1 : NULL;
    }
    for (int i = 0; i < kinds->count && kinds->count > 1; i++) {
        if (kinds->kind[i] < WEFT_DCT1) return false;
    }
    return true;
}

bool options_set_kinds(const char *text, struct size_list *sizes)
{
    struct size_kinds kinds;
    return options_axis_kinds(text, &kinds) && size_list_set_kinds(sizes, &kinds);
}

bool options_kinds(const char *text, unsigned *mask)
{
    *mask = text ? 0 : 1u << WEFT_C2C;
    while (text) {
        weft_kind kind;
        size_t length = strcspn(text, ",");
        if (!read_kind(text, length, &kind)) return false;
        *mask |= 1u << kind;
        text = text[length] ? text + length + 1 : NULL;
    }
    return true;
}

const char *options_kind_name(weft_kind kind)
{
    return kind_names[kind];
}

const char *options_precision_name(weft_precision precision)
{
    return precision_names[precision];
}

/* One of two words; the first one is what is meant by none. */
static bool is_one_of(const char *text, const char *first, const char *second, bool *is_second)
{
    *is_second = text && strcmp(text, second) == 0;
    return !text || *is_second || strcmp(text, first) == 0;
}

bool options_order(const char *text, weft_order *order)
{
    bool transposed;
    if (!is_one_of(text, "natural", "transposed", &transposed)) return false;
    *order = transposed ? WEFT_TRANSPOSED : WEFT_NATURAL;
    return true;
}

bool options_effort(const char *text, weft_effort *effort)
{
    bool measure;
    if (!is_one_of(text, "estimate", "measure", &measure)) return false;
    *effort = measure ? WEFT_MEASURE : WEFT_ESTIMATE;
    return true;
}

bool options_threads(int *threads)
{
    if (*threads < 0 || *threads > MOST_THREADS) return false;
    if (*threads == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        *threads = processors > 0 ? (int)processors : 1;
    }
    return true;
}

bool options_thread_count(const char *text, int absent, int *threads)
{
    *threads = absent;
    if (!text) return true;
    char *end = NULL;
    const bool all = strcmp(text, "all") == 0;
    const long number = all ? 0 : strtol(text, &end, 10);
    if (!all && (end == text || *end || number < 0 || number > MOST_THREADS)) return false;
    *threads = (int)number;
    return options_threads(threads);
}

int options_open_device(const char *called_as, const char *name, weft_device **device)
{
    weft_status status = weft_device_open(name, device);
    if (status == WEFT_OK) return OPTIONS_PROCEED;
    bool no_such_name = name && (status == WEFT_ERROR_ARGUMENT || status == WEFT_ERROR_DEVICE);
    return (no_such_name ? command_misuse : command_fail)(called_as, "%s", weft_last_error());
}

const char *options_device_name(const char *name, weft_device_info *info)
{
    if (name) return name;
    return weft_device_describe(0, info) == WEFT_OK ? info->name : "default";
}
