/* weft plan: how a transform would be done, and why. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

#include "options.h"
#include "ranges.h"

static const char explanation[] = "SIZE: " SIZES_SYNTAX ".\n"
                                  "Prints the plan's tree, and for every pass over memory the "
                                  "bytes it moves and the time that is\n"
                                  "expected.\n";

struct plan_options {
    char *device;
    char *profile;
    char *precision;
    char *effort;
    char *kind;
    char *order;
    char *in_range, *out_range;
    struct range_lists ranges;
    long long batch;
    int threads;
};

static int print_text(const char *called_as, const weft_plan *plan)
{
    size_t capacity = weft_plan_text(plan, NULL, 0) + 1;
    char *text = malloc(capacity);
    if (!text) return command_fail(called_as, "out of memory");
    weft_plan_text(plan, text, capacity);
    fputs(text, stdout);
    if (capacity > 1 && text[capacity - 2] != '\n') fputc('\n', stdout);
    free(text);
    return COMMAND_OK;
}

static int explain(const char *called_as, weft_device *device, const weft_params *params)
{
    weft_plan *plan = NULL;
    if (weft_plan_create(device, params, &plan) != WEFT_OK)
        return command_fail(called_as, "%s", weft_last_error());
    int code = print_text(called_as, plan);
    weft_plan_destroy(&plan);
    return code;
}

static int explain_all(const char *called_as, const struct plan_options *options,
                       weft_device *device, const struct size_list *sizes, weft_params defaults)
{
    int code = COMMAND_OK;
    struct ranges ranges;
    for (int64_t i = 0; i < sizes->count && code == COMMAND_OK; i++) {
        weft_params params =
            size_case_params(&sizes->cases[i], defaults.precision, defaults.threads);
        params.effort = defaults.effort;
        params.out_order = defaults.out_order;
        if (options->batch) params.batch = options->batch;
        const char *problem = ranges_make(&options->ranges, &params, &ranges);
        if (problem) return command_misuse(called_as, "%s", problem);
        ranges_take(&ranges, &params);
        if (i > 0) printf("\n");
        code = explain(called_as, device, &params);
    }
    return code;
}

/* A profile is limits of the device whose limits can be invented. */
static int open_device(const char *called_as, const struct plan_options *options,
                       weft_device **device)
{
    char name[64];
    if (!options->profile) return options_open_device(called_as, options->device, device);
    if (options->device)
        return command_misuse(called_as, "--profile and --device exclude each other");
    snprintf(name, sizeof name, "null:%.50s", options->profile);
    return options_open_device(called_as, name, device);
}

static int plan_with(const char *called_as, struct plan_options *options,
                     struct size_list *sizes)
{
    weft_params defaults = {.threads = options->threads};
    if (sizes->count == 0) return command_misuse(called_as, "expected a size: %s", SIZES_SYNTAX);
    if (options->batch < 0) return command_misuse(called_as, "--batch accepts 1 and more");
    if (!options_precision(options->precision, &defaults.precision))
        return command_misuse(called_as, "--precision accepts " OPTIONS_PRECISION);
    if (!options_threads(&defaults.threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096");
    if (!options_effort(options->effort, &defaults.effort))
        return command_misuse(called_as, "--plan-effort accepts estimate or measure");
    if (!options_set_kinds(options->kind, sizes))
        return command_misuse(called_as, "--kind accepts " OPTIONS_AXIS_KINDS);
    if (!options_order(options->order, &defaults.out_order))
        return command_misuse(called_as, "--order accepts natural or transposed");
    const char *wrong = range_lists_read(options->in_range, options->out_range, &options->ranges);
    if (wrong) return command_misuse(called_as, "%s accepts " RANGES_SYNTAX, wrong);

    weft_device *device = NULL;
    int code = open_device(called_as, options, &device);
    if (code != OPTIONS_PROCEED) return code;
    code = explain_all(called_as, options, device, sizes, defaults);
    weft_device_close(&device);
    return code;
}

int command_plan(int argc, const char **argv)
{
    struct plan_options options = {.threads = 1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        {"batch", 'b', POPT_ARG_LONGLONG, &options.batch, 0,
         "plan for N arrays of each size, instead of what @ says", "N"},
        OPTIONS_KIND(options.kind),
        OPTIONS_DEVICE(options.device),
        {"profile", 0, POPT_ARG_STRING, &options.profile, 0,
         "plan for a chip that is not here: rpi4, rpi5, mali, adreno, xe, rdna, gcn, m1, turing, "
         "lavapipe, or least, what every device of Vulkan has",
         "NAME"},
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0,
         "f32 (default), f64, f16, bf16 or dd", "NAME"},
        OPTIONS_THREADS(options.threads),
        OPTIONS_EFFORT(options.effort),
        OPTIONS_ORDER(options.order),
        OPTIONS_IN_RANGE(options.in_range),
        OPTIONS_OUT_RANGE(options.out_range),
        POPT_TABLEEND,
    };
    struct options_reader reader = {argv[0], table, "SIZE [...]", explanation};
    int code = options_read(&reader, argc, argv, &sizes);
    if (code == OPTIONS_PROCEED) code = plan_with(argv[0], &options, &sizes);
    size_list_free(&sizes);
    free(options.device);
    free(options.profile);
    free(options.precision);
    free(options.effort);
    free(options.kind);
    free(options.order);
    free(options.in_range);
    free(options.out_range);
    return code;
}
