/* weft convolve: an array or a picture with a kernel. */
#include "command.h"
#include "engine.h"
#include "grey.h"
#include "input.h"
#include "npy.h"
#include "options.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 3, FILES = 3, LARGEST_FACTOR = 7 };

static const char explanation[] =
    "IN and KERNEL are .npy arrays or .png pictures with equally many axes. OUT is as large as\n"
    "IN: what scipy.signal.convolve or correlate give with mode='same'. Beyond IN's edges there\n"
    "are zeros, with --wrap its other side. A picture's colours are combined to luminance.\n"
    "OUT.png is the picture that comes of a picture; any other OUT is a .npy array.\n";

typedef struct convolve_options {
    char *files[FILES];
    char *precision, *device;
    int correlate, wrap, normalize, threads;
} convolve_options;

/* Everything the work holds; all zero at first, and freed in one place. */
typedef struct work {
    const char *called_as;
    convolve_options options;
    precision_choice precision;
    progress progress;
    output result;
    array in, kernel, out;
    int64_t size[WEFT_MAX_RANK]; /* that the transforms have: of the output, and the zeros beyond */
    array padded;                /* the input, with its zeros, then the result */
    array spread;                /* the kernel in an array of that size, around element 0 */
    bool reals;
    weft_device *device;
    weft_plan *plan;
    weft_device_info device_info;
    double seconds;
} work;

static int fail(work *w, const failure *why)
{
    progress_stop(&w->progress);
    return command_fail(w->called_as, "%s", why->text);
}

/* ---- arrays ---- */

static bool is_smooth(int64_t n)
{
    for (int64_t factor = 2; factor <= LARGEST_FACTOR; factor++) {
        while (n % factor == 0) n /= factor;
    }
    return n == 1;
}

/* Sizes of which no result sees the other side, and that transforms like; or the input's own. */
static void choose_sizes(work *w)
{
    for (int i = 0; i < w->in.rank; i++) {
        w->size[i] = w->in.size[i];
        if (w->options.wrap) continue;
        w->size[i] += w->kernel.size[i] - 1;
        while (!is_smooth(w->size[i])) w->size[i]++;
    }
}

/* Visits the elements of an array, and their places in one of other sizes that lies `shift` on
 * along every axis, around its ends. */
typedef struct walker {
    const array *over;
    const int64_t *size, *shift;
    int64_t counter[WEFT_MAX_RANK];
} walker;

static int64_t walker_place(const walker *w)
{
    int64_t place = 0;
    for (int i = 0; i < w->over->rank; i++) {
        const int64_t at = (w->counter[i] + w->shift[i]) % w->size[i];
        place = place * w->size[i] + (at < 0 ? at + w->size[i] : at);
    }
    return place;
}

static void walker_step(walker *w)
{
    for (int i = w->over->rank - 1; i >= 0; i--) {
        if (++w->counter[i] < w->over->size[i]) return;
        w->counter[i] = 0;
    }
}

/* Adds what wraps around to what is there; reals of an array of reals take half as much room. */
static void put_spread(work *w, int64_t place, double re, double im)
{
    if (w->precision == PRECISION_F64) {
        double *to = w->spread.data;
        to[w->reals ? place : 2 * place] += re;
        if (!w->reals) to[2 * place + 1] += im;
    } else {
        float *to = w->spread.data;
        to[w->reals ? place : 2 * place] += (float)re;
        if (!w->reals) to[2 * place + 1] += (float)im;
    }
}

static double kernel_factor(const work *w)
{
    double sum = 0;
    if (!w->options.normalize) return 1;
    for (int64_t i = 0; i < w->kernel.count; i++) sum += array_real(&w->kernel, i);
    return sum != 0 ? 1 / sum : 1;
}

/* The middle of the kernel is the element that leaves data in their place. */
static void spread_kernel(work *w)
{
    int64_t shift[WEFT_MAX_RANK];
    const double factor = kernel_factor(w);
    for (int i = 0; i < w->kernel.rank; i++) {
        const int64_t n = w->kernel.size[i];
        shift[i] = -(w->options.correlate ? n / 2 : (n - 1) / 2);
    }
    walker at = {.over = &w->kernel, .size = w->size, .shift = shift};
    for (int64_t i = 0; i < w->kernel.count; i++) {
        put_spread(w, walker_place(&at), factor * array_real(&w->kernel, i),
                   factor * array_imaginary(&w->kernel, i));
        walker_step(&at);
    }
}

static const int64_t no_shift[WEFT_MAX_RANK];

static void pad_input(work *w)
{
    walker at = {.over = &w->in, .size = w->size, .shift = no_shift};
    for (int64_t i = 0; i < w->in.count; i++) {
        array_set(&w->padded, walker_place(&at), array_real(&w->in, i),
                  array_imaginary(&w->in, i));
        walker_step(&at);
    }
}

static void crop_result(work *w)
{
    walker at = {.over = &w->out, .size = w->size, .shift = no_shift};
    for (int64_t i = 0; i < w->out.count; i++) {
        const int64_t place = walker_place(&at);
        array_set(&w->out, i, array_real(&w->padded, place),
                  w->reals ? 0 : array_imaginary(&w->padded, place));
        walker_step(&at);
    }
}

static bool make_arrays(work *w, failure *why)
{
    const int rank = w->in.rank;
    choose_sizes(w);
    if (!array_create(&w->padded, rank, w->size, w->in.precision, why)) return false;
    if (!array_create(&w->spread, rank, w->size, w->in.precision, why)) return false;
    if (!array_create(&w->out, rank, w->in.size, w->in.precision, why)) return false;
    w->precision = (precision_choice)w->in.precision;
    w->reals = w->in.is_real && w->kernel.is_real;
    w->out.is_real = w->reals;
    w->out.white = w->in.white;
    pad_input(w);
    spread_kernel(w);
    return true;
}

/* ---- convolving ---- */

/* Reals are the real parts of the padded array. */
static bool make_plan(work *w, failure *why)
{
    int64_t stride[WEFT_MAX_RANK], packed = w->reals ? 2 : 1;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.operation = w->options.correlate ? WEFT_CORRELATION : WEFT_CONVOLUTION;
    params.kind = w->reals ? WEFT_R2C : WEFT_C2C;
    params.precision = w->in.precision;
    params.threads = w->options.threads;
    params.rank = w->in.rank;
    for (int i = w->in.rank - 1; i >= 0; i--) {
        params.size[i] = w->size[i];
        stride[i] = packed;
        packed *= w->size[i];
    }
    params.in_stride = params.out_stride = stride;
    if (weft_plan_create(w->device, &params, &w->plan) == WEFT_OK) return true;
    return engine_failure("no plan could be made", why);
}

static bool run(work *w, weft_buffer *data, weft_buffer *kernel, weft_buffer *spectrum,
                failure *why)
{
    const weft_execution execution = {.spectrum = spectrum};
    if (weft_plan_transform_kernels(w->plan, kernel, spectrum) != WEFT_OK)
        return engine_failure("the kernel could not be transformed", why);
    const double start = engine_clock();
    if (weft_execute_with(w->plan, WEFT_FORWARD, data, data, &execution) != WEFT_OK)
        return engine_failure("the convolution failed", why);
    w->seconds = engine_clock() - start;
    return true;
}

static bool convolve(work *w, failure *why)
{
    weft_buffer *data = NULL, *kernel = NULL, *spectrum = NULL;
    if (!make_arrays(w, why) || !make_plan(w, why)) return false;
    const size_t bytes = array_bytes(&w->padded);
    const size_t spectrum_bytes = weft_plan_spectrum_bytes(w->plan);
    bool good = weft_buffer_wrap(w->device, w->padded.data, bytes, &data) == WEFT_OK &&
                weft_buffer_wrap(w->device, w->spread.data, bytes, &kernel) == WEFT_OK &&
                weft_buffer_create(w->device, spectrum_bytes, &spectrum) == WEFT_OK;
    good = good ? run(w, data, kernel, spectrum, why)
                : engine_failure("no buffer could be made", why);
    weft_buffer_destroy(&data);
    weft_buffer_destroy(&kernel);
    weft_buffer_destroy(&spectrum);
    if (good) crop_result(w);
    return good;
}

/* ---- the command ---- */

static bool makes_picture(const work *w)
{
    const char *ending = strrchr(w->options.files[2], '.');
    return ending && strcmp(ending, ".png") == 0;
}

static bool write_result(work *w, failure *why)
{
    bool good = makes_picture(w) ? grey_write(&w->out, 0, w->result.file, why)
                                 : npy_write(w->result.file, &w->out, why);
    return good && output_finish(&w->result, why) && output_commit(&w->result, why);
}

static void report(const work *w)
{
    weft_device_info info;
    printf("input      %s, ", w->options.files[0]);
    for (int i = 0; i < w->in.rank; i++)
        printf(i ? " x %lld" : "%lld", (long long)w->in.size[i]);
    printf("%s%s\nkernel     %s, ", *w->in.note ? "; " : "", w->in.note, w->options.files[1]);
    for (int i = 0; i < w->in.rank; i++)
        printf(i ? " x %lld" : "%lld", (long long)w->kernel.size[i]);
    printf("\ntransforms ");
    for (int i = 0; i < w->in.rank; i++) printf(i ? " x %lld" : "%lld", (long long)w->size[i]);
    printf(", of %s\n", w->reals ? "reals" : "complex numbers");
    printf("device     %s\n", options_device_name(w->options.device, &info));
    printf("time       %.4g ms\n", 1e3 * w->seconds);
    printf("written    %s\n", w->options.files[2]);
}

static int check_options(work *w)
{
    weft_precision precision = WEFT_F32;
    w->precision = PRECISION_AUTOMATIC;
    if (!options_threads(&w->options.threads)) {
        return command_misuse(w->called_as, "--threads %d: expected 0 (one a processor) to 4096",
                              w->options.threads);
    }
    if (!w->options.precision) return OPTIONS_PROCEED;
    if (!options_precision(w->options.precision, &precision) || precision > WEFT_F64) {
        return command_misuse(w->called_as, "--precision %s: expected f32 or f64",
                              w->options.precision);
    }
    w->precision = (precision_choice)precision;
    return OPTIONS_PROCEED;
}

static int check_inputs(const work *w)
{
    if (w->in.rank != w->kernel.rank) {
        return command_misuse(w->called_as, "%s has %d axes, %s %d: expected as many",
                              w->options.files[0], w->in.rank, w->options.files[1],
                              w->kernel.rank);
    }
    if (makes_picture(w) && (w->in.origin != ARRAY_IMAGE || !w->kernel.is_real)) {
        return command_misuse(w->called_as,
                              "%s: a picture comes of a .png and a real kernel; expected OUT.npy",
                              w->options.files[2]);
    }
    for (int i = 0; i < w->in.rank && w->options.wrap; i++) {
        if (w->kernel.size[i] <= w->in.size[i]) continue;
        return command_misuse(w->called_as,
                              "--wrap: the kernel is longer than IN along axis %d: at most %lld "
                              "are accepted",
                              i, (long long)w->in.size[i]);
    }
    return OPTIONS_PROCEED;
}

static int prepare(work *w)
{
    failure why;
    progress_next(&w->progress, "reading");
    if (!output_open(&w->result, w->options.files[2], &why)) return fail(w, &why);
    if (!input_read(w->options.files[0], w->precision, &w->in, &why)) return fail(w, &why);
    if (!input_read(w->options.files[1], (precision_choice)w->in.precision, &w->kernel, &why))
        return fail(w, &why);
    int code = check_inputs(w);
    if (code != OPTIONS_PROCEED) return code;
    return options_open_device(w->called_as, w->options.device, &w->device);
}

static int work_through(work *w)
{
    failure why;
    progress_next(&w->progress, "convolving");
    if (!convolve(w, &why)) return fail(w, &why);
    progress_next(&w->progress, "writing");
    if (!write_result(w, &why)) return fail(w, &why);
    progress_stop(&w->progress);
    report(w);
    return COMMAND_OK;
}

static void work_free(work *w)
{
    progress_stop(&w->progress);
    output_discard(&w->result);
    weft_plan_destroy(&w->plan);
    weft_device_close(&w->device);
    array *arrays[] = {&w->in, &w->kernel, &w->out, &w->padded, &w->spread};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) array_destroy(arrays[i]);
    for (int i = 0; i < FILES; i++) free(w->options.files[i]);
    free(w->options.precision);
    free(w->options.device);
}

int command_convolve(int argc, const char **argv)
{
    work w = {.called_as = argv[0], .options = {.threads = 1}};
    const struct poptOption table[] = {
        {"correlate", 'c', POPT_ARG_NONE, &w.options.correlate, 0,
         "correlate: the kernel is not reversed, but conjugated", NULL},
        {"wrap", 'w', POPT_ARG_NONE, &w.options.wrap, 0, "edges meet, instead of zeros", NULL},
        {"normalize", 'N', POPT_ARG_NONE, &w.options.normalize, 0,
         "divide the kernel by the sum of its real parts", NULL},
        {"precision", 'p', POPT_ARG_STRING, &w.options.precision, 0,
         "f32 or f64 (default: that of IN)", "f32|f64"},
        OPTIONS_DEVICE(w.options.device),
        OPTIONS_THREADS(w.options.threads),
        POPT_TABLEEND,
    };
    const struct options_reader reader = {argv[0], table, "IN KERNEL OUT", explanation};
    int code = options_read_files(&reader, argc, argv, FILES, w.options.files);
    if (code == OPTIONS_PROCEED) code = check_options(&w);
    if (code == OPTIONS_PROCEED) {
        progress_start(&w.progress, STAGES);
        code = prepare(&w);
        if (code == OPTIONS_PROCEED) code = work_through(&w);
    }
    work_free(&w);
    return code;
}
