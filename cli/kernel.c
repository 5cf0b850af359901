/* weft kernel: the source of what a transform runs. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

#include "options.h"

static const char explanation[] =
    "SIZE: " SIZES_SYNTAX ".\n"
    "Prints what the device runs for every pass of the plan: the source of its kernel, or on a\n"
    "CPU the codelets that it calls.\n";

struct kernel_options {
    char *device;
    char *precision;
    char *kind;
    int threads;
};

/* Prints the pass's source. Returns the exit code. */
static int print_pass(const char *called_as, const weft_plan *plan, int pass)
{
    size_t capacity = weft_plan_source(plan, pass, NULL, 0) + 1;
    if (capacity == 1) return command_fail(called_as, "the device has no source to show");
    char *text = malloc(capacity);
    if (!text) return command_fail(called_as, "out of memory");
    weft_plan_source(plan, pass, text, capacity);
    fputs(text, stdout);
    if (text[capacity - 2] != '\n') fputc('\n', stdout);
    free(text);
    return COMMAND_OK;
}

static int print_passes(const char *called_as, const weft_plan *plan, const char *size)
{
    weft_plan_info info;
    if (weft_plan_describe(plan, &info) != WEFT_OK)
        return command_fail(called_as, "%s", weft_last_error());
    int code = COMMAND_OK;
    for (int pass = 0; pass < info.passes && code == COMMAND_OK; pass++) {
        printf("%s/* %s, pass %d of %d */\n", pass ? "\n" : "", size, pass + 1, info.passes);
        code = print_pass(called_as, plan, pass);
    }
    return code;
}

static int print_size(const char *called_as, weft_device *device, const struct size_case *dims,
                      weft_precision precision, int threads)
{
    weft_params params = size_case_params(dims, precision, threads);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan) != WEFT_OK)
        return command_fail(called_as, "%s", weft_last_error());
    char text[SIZE_TEXT_CAPACITY];
    int code = print_passes(called_as, plan, size_case_text(dims, text));
    weft_plan_destroy(&plan);
    return code;
}

static int print_with(const char *called_as, struct kernel_options *options,
                      struct size_list *sizes)
{
    weft_precision precision;
    if (sizes->count == 0) return command_misuse(called_as, "expected a size: %s", SIZES_SYNTAX);
    if (!options_precision(options->precision, &precision))
        return command_misuse(called_as, "--precision accepts " OPTIONS_PRECISION);
    if (!options_threads(&options->threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096");
    if (!options_set_kinds(options->kind, sizes))
        return command_misuse(called_as, "--kind accepts " OPTIONS_AXIS_KINDS);
    weft_device *device = NULL;
    int code = options_open_device(called_as, options->device, &device);
    if (code != OPTIONS_PROCEED) return code;
    code = COMMAND_OK;
    for (int64_t i = 0; i < sizes->count && code == COMMAND_OK; i++) {
        if (i > 0) printf("\n");
        code = print_size(called_as, device, &sizes->cases[i], precision, options->threads);
    }
    weft_device_close(&device);
    return code;
}

int command_kernel(int argc, const char **argv)
{
    struct kernel_options options = {.threads = 1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        OPTIONS_KIND(options.kind),
        OPTIONS_DEVICE(options.device),
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0,
         "f32 (default), f64, f16, bf16 or dd", "NAME"},
        OPTIONS_THREADS(options.threads),
        POPT_TABLEEND,
    };
    struct options_reader reader = {argv[0], table, "SIZE [...]", explanation};
    int code = options_read(&reader, argc, argv, &sizes);
    if (code == OPTIONS_PROCEED) code = print_with(argv[0], &options, &sizes);
    size_list_free(&sizes);
    free(options.device);
    free(options.precision);
    free(options.kind);
    return code;
}
