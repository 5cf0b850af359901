#include "transform.h"

#include "number.h"
#include "options.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const units[] = {
    [ARRAY_PLAIN] = "cycles/sample", [ARRAY_IMAGE] = "cycles/pixel", [ARRAY_RECORDING] = "Hz"};

/* 5 N log2 N for each transform of N points, the usual count, and half of that for reals. */
static double count_operations(const weft_params *params)
{
    double points = 1, elements = 1;
    for (int i = 0; i < params->rank; i++) {
        elements *= (double)params->size[i];
        if (params->axes & 1u << i) points *= (double)params->size[i];
    }
    return (params->kind == WEFT_C2C ? 5 : 2.5) * elements * log2(points);
}

static void describe_device(transform_report *report)
{
    size_t stem = strcspn(report->device, ":");
    for (int i = 0; i < weft_device_count(); i++) {
        weft_device_info info;
        if (weft_device_describe(i, &info) != WEFT_OK) continue;
        if (strncmp(info.name, report->device, stem) != 0 || strlen(info.name) != stem) continue;
        memcpy(report->device_description, info.description, sizeof info.description);
    }
}

void transform_report_plan(transform_report *report, const weft_plan *plan,
                           const weft_params *params)
{
    weft_plan_info info;
    if (weft_plan_describe(plan, &info) == WEFT_OK) report->passes = info.passes;
    weft_plan_text(plan, report->plan, sizeof report->plan);
    report->plan[strcspn(report->plan, "\n")] = 0;
    report->operations = count_operations(params);
    describe_device(report);
}

/* A peak's frequency along one of the spectrum's axes. */
static double frequency(const transform_report *report, const peak *p, int axis)
{
    double scale = report->data->origin == ARRAY_RECORDING ? report->data->sample_rate : 1;
    return scale * (double)p->bin[axis] / (double)report->spectrum->size[axis];
}

static double decibels(const transform_report *report, const peak *p)
{
    return 10 * log10(p->power / report->peaks[0].power);
}

static double rate(const transform_report *report)
{
    return report->seconds > 0 ? report->operations / report->seconds / 1e9 : 0;
}

/* The amplitude of frequency 0: the magnitude of the mean, where the transform is forward. Not a
 * number where there is no spectrum. */
static double constant(const transform_report *report)
{
    if (!report->spectrum) return NAN;
    return sqrt(report->spectrum->power[0]) / (double)report->spectrum->count;
}

static void print_input(const transform_report *report)
{
    const array *data = report->data;
    printf("input      %s, ", report->options->input);
    for (int i = 0; i < data->rank; i++)
        printf(i ? " x %lld" : "%lld", (long long)data->size[i]);
    if (data->origin == ARRAY_RECORDING) printf(" samples at %g Hz", data->sample_rate);
    if (data->storage) printf(" of %s", number_name(data->storage));
    printf("%s%s\n", *data->note ? "; " : "", data->note);
    printf("transform  %s, %s precision, axes", //
           report->options->direction == WEFT_FORWARD ? "forward" : "inverse",
           data->precision == WEFT_F64 ? "double" : "single");
    for (int i = 0; i < data->rank; i++) {
        if (report->axes & 1u << i) printf(" %d", i);
    }
    printf("\n");
}

static void print_time(const transform_report *report)
{
    double seconds = report->seconds;
    bool in_milliseconds = seconds >= 1e-3 && seconds < 1;
    const char *unit = seconds >= 1 ? "s" : in_milliseconds ? "ms" : "us";
    double scaled = seconds * (seconds >= 1 ? 1 : in_milliseconds ? 1e3 : 1e6);
    printf("time       %.4g %s\n", scaled, unit);
    printf("rate       %.3g GFLOP/s (%s N log2 N)\n", rate(report),
           report->options->kind == WEFT_C2C ? "5" : "2.5");
}

/* Images name columns first, as people do; other data their axes in order. */
static void print_place(const transform_report *report, const peak *p)
{
    int rank = report->spectrum->rank;
    if (report->data->origin == ARRAY_IMAGE && rank == 2) {
        printf("%9.5f across %9.5f down", frequency(report, p, 1), frequency(report, p, 0));
    } else {
        for (int i = 0; i < rank; i++)
            printf(" %*.*g", 11, 6, frequency(report, p, i));
    }
    printf(" %s", units[report->data->origin]);
}

static void print_peaks(const transform_report *report)
{
    printf("constant   %.6g, the amplitude of frequency 0\n", constant(report));
    for (int i = 0; i < report->peak_count; i++) {
        const peak *p = &report->peaks[i];
        printf("%s", i ? "           " : "strongest  ");
        print_place(report, p);
        printf(" %7.1f dB  bin", decibels(report, p));
        for (int axis = 0; axis < report->spectrum->rank; axis++) {
            printf("%s%lld", axis ? "," : " ", (long long)p->bin[axis]);
        }
        printf("\n");
    }
    if (report->peak_count == 0) printf("strongest  none: only frequency 0 is there\n");
}

void transform_print(const transform_report *report)
{
    const transform_options *options = report->options;
    print_input(report);
    printf("device     %s", report->device);
    if (*report->device_description) printf(": %s", report->device_description);
    printf("\nplan       %s; %d %s\n", report->plan, report->passes,
           report->passes == 1 ? "pass" : "passes");
    print_time(report);
    if (report->spectrum) print_peaks(report);
    if (options->round_trip) {
        printf("round trip %.3g, the relative L2 error of transforming back\n",
               report->round_trip_error);
    }
    if (options->output) printf("written    %s\n", options->output);
    if (options->picture) printf("picture    %s\n", options->picture);
}

/* Names of files need not be UTF-8, which JSON is: bytes beyond ASCII then become '?'. */
static json_t *json_text(const char *text)
{
    json_t *json = json_string(text);
    if (json) return json;
    char *ascii = strdup(text);
    if (!ascii) return NULL;
    for (char *c = ascii; *c; c++) {
        if ((unsigned char)*c > 127) *c = '?';
    }
    json = json_string(ascii);
    free(ascii);
    return json;
}

static json_t *json_text_or_null(const char *text)
{
    return text ? json_text(text) : json_null();
}

/* JSON has no infinities and no NaN. */
static json_t *json_number_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *json_sizes(const array *data)
{
    json_t *sizes = json_array();
    for (int i = 0; i < data->rank; i++)
        json_array_append_new(sizes, json_integer(data->size[i]));
    return sizes;
}

static json_t *json_axes(const transform_report *report)
{
    json_t *axes = json_array();
    for (int i = 0; i < report->data->rank; i++) {
        if (report->axes & 1u << i) json_array_append_new(axes, json_integer(i));
    }
    return axes;
}

static json_t *json_peak(const transform_report *report, const peak *p)
{
    json_t *bins = json_array(), *frequencies = json_array();
    for (int i = 0; i < report->spectrum->rank; i++) {
        json_array_append_new(bins, json_integer(p->bin[i]));
        json_array_append_new(frequencies, json_real(frequency(report, p, i)));
    }
    return json_pack("{s:o, s:o, s:s, s:o, s:o}", "bin", bins, "frequency", frequencies, "unit",
                     units[report->data->origin], "magnitude", json_number_or_null(sqrt(p->power)),
                     "decibels", json_number_or_null(decibels(report, p)));
}

static json_t *json_peaks(const transform_report *report)
{
    json_t *peaks = json_array();
    for (int i = 0; i < report->peak_count; i++) {
        json_array_append_new(peaks, json_peak(report, &report->peaks[i]));
    }
    return peaks;
}

static json_t *json_report(const transform_report *report)
{
    const transform_options *options = report->options;
    return json_pack(
        "{s:o, s:o, s:o, s:s, s:s, s:o, s:o, s:i, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", //
        "input", json_text(options->input), "sizes", json_sizes(report->data), "axes",
        json_axes(report), "direction", options->direction == WEFT_FORWARD ? "forward" : "inverse",
        "precision", options_precision_name(report->data->precision), "device",
        json_text(report->device), "device_description", json_text(report->device_description),
        "threads", options->threads, "plan", json_text(report->plan), "passes", report->passes,
        "seconds", json_number_or_null(report->seconds), "gflops",
        json_number_or_null(rate(report)), "constant", json_number_or_null(constant(report)),
        "strongest", json_peaks(report), "round_trip_error",
        options->round_trip ? json_number_or_null(report->round_trip_error) : json_null(), "output",
        json_text_or_null(options->output), "picture", json_text_or_null(options->picture));
}

char *transform_json(const transform_report *report)
{
    json_t *object = json_report(report);
    char *text = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(object);
    return text;
}
