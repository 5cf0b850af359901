/* weft check: transforms of random data against the exact reference. */
#include "check.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "lines.h"
#include "options.h"
#include "reference/policy.h"
#include "sizes.h"

/* Every small size, each kind of larger one, and the primes that are hardest to get right. */
static const char default_sizes[] =
    "1..128,"
    "256,512,1024,2048,4096,8192,16384,32768,65536,131072,262144,524288,1048576,"
    "243,2187,19683,531441,625,3125,78125,390625,343,2401,117649,823543,1331,2197,28561,"
    "360,1000,1920,10000,44100,100000,1000000,"
    "251,509,1009,2039,4093,10007,65537,100003,999983,1000003,"
    "2018,5046,70049,1018081,"
    "512x512,1000x1000,64x64x64,17x19x23,1009x12,2x3x4x5x6,100@7,101@9";

static const char explanation[] =
    "SIZE: " SIZES_SYNTAX ".\n"
    "Without sizes a list of small, large, smooth and prime ones is checked.\n"
    "\n"
    "The error is ||result - exact|| / ||exact|| on random complex data in [-1, 1). The limit on\n"
    "the CPU is 1.8e-7 in single and 3.3e-16 in double precision at 10^5 points, on other devices\n"
    "2.5e-7 and 5e-16, in double-double 1e-31. It grows as sqrt(log N), is 8 % larger where a\n"
    "size is no power of two, and twice that where a prime factor is above 13. That of halves is\n"
    "2.5e-4, of bfloat16 2e-3, which one rounding of each result takes. A small transform\n"
    "is repeated on several arrays. Real kinds are held to the limits of complex data of as many\n"
    "elements.\n"
    "The exit status is 1 if any error is above its limit.\n";

struct checker {
    const char *called_as;
    const char *device_name;
    weft_device *device;
    int threads;
    bool json;
    struct range_lists ranges;
    const struct rival *rival; /* NULL: none */
    int64_t checked;
    int64_t failed;
    int64_t compared;  /* with the rival's error, where both have one */
    int64_t worse;     /* of those: weft's is larger */
    double logarithms; /* sum of log(rival's error / weft's) */
};

static const char *direction_name(weft_direction direction)
{
    return direction == WEFT_FORWARD ? "forward" : "inverse";
}

static void print_json(const struct check_case *current, const char *class,
                       const struct check_errors *errors, double limit, bool fits)
{
    json_t *line = json_pack("{s:o, s:I, s:s, s:s, s:s, s:o, s:o, s:b}", "dims",
                             line_dims(current->dims), "batch", (json_int_t)current->dims->batch,
                             "precision", options_precision_name(current->precision), "direction",
                             direction_name(current->direction), "class", class, "error",
                             line_number(errors->weft), "limit", line_number(limit), "ok", fits);
    if (!isnan(errors->rival)) json_object_set_new(line, "rival", line_number(errors->rival));
    line_print(line);
}

static void print_row(const struct check_case *current, const char *class,
                      const struct check_errors *errors, double limit, bool fits)
{
    char text[SIZE_TEXT_CAPACITY];
    printf("%-20s %-5s %-9s %-11s %10.2e %10.2e  %s", size_case_text(current->dims, text),
           options_precision_name(current->precision), direction_name(current->direction), class,
           errors->weft, limit, fits ? "ok" : "ABOVE");
    if (!isnan(errors->rival)) printf(" %*.2e", fits ? 13 : 10, errors->rival);
    putchar('\n');
}

/* Of the limit for complex data: reals are turned before and after a transform of them. */
static const double trigonometric_allowance = 3;

typedef double policy_limit(const char *device, int rank, const int64_t *size);
static policy_limit *const policy_limits[] = {[WEFT_F32] = policy_limit_f32,
                                              [WEFT_F64] = policy_limit_f64,
                                              [WEFT_F16] = policy_limit_f16,
                                              [WEFT_BF16] = policy_limit_bf16,
                                              [WEFT_DD] = policy_limit_dd};

static double limit_of(const struct checker *checker, const struct check_case *current,
                       const int64_t *length)
{
    const struct size_case *dims = current->dims;
    const weft_precision precision = current->precision;
    const double limit = policy_limits[precision](checker->device_name, dims->rank, length);
    const bool rounded_once = precision == WEFT_F16 || precision == WEFT_BF16;
    return dims->kind >= WEFT_DCT1 && !rounded_once ? limit * trigonometric_allowance : limit;
}

/* Errors of nothing, as those of short transforms without products, have no ratio. */
static void count_rival(struct checker *checker, const struct check_errors *errors)
{
    if (isnan(errors->rival) || errors->rival == 0 || errors->weft == 0) return;
    checker->compared++;
    checker->worse += errors->weft > errors->rival;
    checker->logarithms += log(errors->rival / errors->weft);
}

static int check_one(struct checker *checker, const struct check_case *current)
{
    struct check_errors errors = {0, NAN};
    char text[SIZE_TEXT_CAPACITY];
    const char *problem =
        check_measure(checker->device, checker->threads, current, checker->rival, &errors);
    if (problem)
        return command_fail(checker->called_as, "%s: %s", size_case_text(current->dims, text),
                            problem);
    const struct size_case *dims = current->dims;
    int64_t length[WEFT_MAX_RANK];
    for (int i = 0; i < dims->rank; i++)
        length[i] = policy_length(size_case_kind(dims, i), dims->size[i]);
    const double limit = limit_of(checker, current, length);
    const char *class = policy_is_smooth(dims->rank, length) ? "smooth" : "large prime";
    bool fits = errors.weft <= limit;
    (checker->json ? print_json : print_row)(current, class, &errors, limit, fits);
    count_rival(checker, &errors);
    fflush(stdout);
    checker->checked++;
    checker->failed += !fits;
    return COMMAND_OK;
}

static void print_head(const struct checker *checker)
{
    printf("%-20s %-5s %-9s %-11s %10s %10s", "size", "prec", "direction", "class", "error",
           "limit");
    if (checker->rival) printf("        %10s", checker->rival->title);
    putchar('\n');
}

static void print_sums(const struct checker *checker)
{
    printf("%" PRId64 " checked, %" PRId64 " above the limit\n", checker->checked, checker->failed);
    if (checker->compared > 0)
        printf("%s's error over weft's: geometric mean %.2f; weft's is larger in %" PRId64
               " of %" PRId64 "\n",
               checker->rival->title, exp(checker->logarithms / (double)checker->compared),
               checker->worse, checker->compared);
}

static int check_all(struct checker *checker, const struct size_list *sizes, unsigned precisions,
                     int directions)
{
    if (!checker->json) print_head(checker);
    for (int64_t i = 0; i < sizes->count; i++) {
        for (int choice = 0; choice < OPTIONS_PRECISIONS_END * directions; choice++) {
            struct check_case current = {
                &sizes->cases[i], (weft_precision)(choice % OPTIONS_PRECISIONS_END),
                (weft_direction)(choice / OPTIONS_PRECISIONS_END), &checker->ranges};
            if (!(precisions >> current.precision & 1)) continue;
            int code = check_one(checker, &current);
            if (code != COMMAND_OK) return code;
        }
    }
    if (!checker->json) print_sums(checker);
    return checker->failed ? COMMAND_FAILED : COMMAND_OK;
}

struct check_options {
    char *device;
    char *precision;
    char *kind;
    char *in_range, *out_range;
    char *rival;
    int threads;
    int inverse;
    int json;
};

/* Only libraries that work in this machine's memory: their errors do not depend on the device. */
static int find_rival(const char *called_as, const struct check_options *options, int threads,
                      const struct rival **rival)
{
    if (!options->rival) return OPTIONS_PROCEED;
    *rival = rival_find(options->rival, &place_host);
    if (!*rival || (*rival)->place != &place_host)
        return command_misuse(called_as, "--vs accepts fftw, mkl or kissfft");
    if (options->in_range || options->out_range)
        return command_misuse(called_as, "--vs goes without ranges, which no rival has");
    const char *problem = (*rival)->open(threads);
    return problem ? command_fail(called_as, "%s", problem) : OPTIONS_PROCEED;
}

static int check_with(const char *called_as, const struct check_options *options,
                      struct size_list *sizes)
{
    struct checker checker = {
        .called_as = called_as, .threads = options->threads, .json = options->json};
    unsigned precisions;
    if (!options_precisions(options->precision, 3, &precisions))
        return command_misuse(called_as, "--precision accepts " OPTIONS_PRECISIONS);
    if (!options_threads(&checker.threads))
        return command_misuse(called_as, "--threads accepts 0 to 4096");
    const char *wrong = range_lists_read(options->in_range, options->out_range, &checker.ranges);
    if (wrong) return command_misuse(called_as, "%s accepts " RANGES_SYNTAX, wrong);
    int code = find_rival(called_as, options, checker.threads, &checker.rival);
    if (code != OPTIONS_PROCEED) return code;
    if (sizes->count == 0 && size_list_add(sizes, default_sizes) != SIZES_OK)
        return command_fail(called_as, "out of memory");
    if (!options_set_kinds(options->kind, sizes))
        return command_misuse(called_as, "--kind accepts " OPTIONS_AXIS_KINDS);
    code = options_open_device(called_as, options->device, &checker.device);
    if (code != OPTIONS_PROCEED) return code;
    weft_device_info info;
    checker.device_name = options_device_name(options->device, &info);
    code = check_all(&checker, sizes, precisions, options->inverse ? 2 : 1);
    weft_device_close(&checker.device);
    return code;
}

int command_check(int argc, const char **argv)
{
    struct check_options options = {.threads = 1};
    struct size_list sizes = {0};
    const struct poptOption table[] = {
        OPTIONS_KIND(options.kind),
        OPTIONS_DEVICE(options.device),
        {"precision", 'p', POPT_ARG_STRING, &options.precision, 0,
         OPTIONS_PRECISIONS " (default: f32 and f64)", "NAME"},
        OPTIONS_THREADS(options.threads),
        OPTIONS_IN_RANGE(options.in_range),
        OPTIONS_OUT_RANGE(options.out_range),
        {"vs", 0, POPT_ARG_STRING, &options.rival, 0,
         "print the error of another library beside: fftw, mkl or kissfft", "NAME"},
        {"inverse", 'i', POPT_ARG_NONE, &options.inverse, 0, "check the inverse as well", NULL},
        OPTIONS_JSON(options.json),
        POPT_TABLEEND,
    };
    struct options_reader reader = {argv[0], table, "[SIZE ...]", explanation};
    int code = options_read(&reader, argc, argv, &sizes);
    if (code == OPTIONS_PROCEED) code = check_with(argv[0], &options, &sizes);
    size_list_free(&sizes);
    free(options.device);
    free(options.precision);
    free(options.kind);
    free(options.in_range);
    free(options.out_range);
    free(options.rival);
    return code;
}
