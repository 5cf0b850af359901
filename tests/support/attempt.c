#include "support/attempt.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reference/extended.h"
#include "reference/reference.h"
#include "support/exact.h"

enum { MOST_DEVICES = 16, MOST_COMPLAINTS = 10 };

struct test_device attempt_devices[MOST_DEVICES];
int attempt_device_count;
uint64_t attempt_seed;
static int complaints;

int attempts_open(void **state)
{
    (void)state;
    attempt_seed = random_seed();
    attempt_device_count = devices_open(MOST_DEVICES, attempt_devices);
    return 0;
}

int attempts_close(void **state)
{
    (void)state;
    devices_close(attempt_device_count, attempt_devices);
    return 0;
}

void attempts_begin(void)
{
    complaints = 0;
}

void attempts_end(void)
{
    assert_int_equal(complaints, 0);
}

double *attempt_allocate(int64_t elements)
{
    double *data = malloc((size_t)elements * 2 * sizeof *data);
    if (!data) abort();
    return data;
}

/* Of a spectrum with few numbers, one perhaps, C2R may drop nearly all: no imaginary part is larger
 * than its real one, or errors of what is dropped would be many times what is left. */
static void lessen_dropped(const struct attempt *a, double *data)
{
    for (int64_t i = 0; i < a->elements; i++) {
        const double re = data[2 * i], im = data[2 * i + 1];
        if (fabs(im) <= fabs(re)) continue;
        data[2 * i] = im;
        data[2 * i + 1] = re;
    }
}

double *attempt_random_data(struct attempt *a)
{
    double *data = attempt_allocate(a->elements);
    for (int64_t i = 0; i < 2 * a->elements; i++)
        data[i] = random_number(&a->random);
    if (a->trial.params.kind == WEFT_C2R && a->trial.in.ranged) lessen_dropped(a, data);
    return data;
}

static void complain(const struct attempt *a, const char *what, const char *wrong, double error)
{
    if (complaints++ >= MOST_COMPLAINTS) return;
    print_error("%s, %s: %s: %s", a->device->name, trial_text(&a->trial), what,
                wrong ? wrong : "error");
    if (wrong)
        print_error("\n");
    else
        print_error(" %.3g, limit %.3g\n", error, a->limit);
}

void attempt_check(const struct attempt *a, const char *what, double error)
{
    if (!(error <= a->limit)) complain(a, what, NULL, error);
}

void attempt_run(struct attempt *a, const char *what, weft_direction direction, double *in,
                 double *out)
{
    const char *wrong = trial_run(&a->trial, a->plan, a->device->device, direction, in, out);
    if (wrong) complain(a, what, wrong, NAN);
}

static struct reference_extended *direct_sum(const struct attempt *a, weft_direction direction,
                                             const double *in)
{
    struct reference_axis axis[TRIAL_MAX_DIMS];
    int64_t stride = 1;
    for (int i = a->trial.dims - 1; i >= 0; i--) {
        axis[i] = (struct reference_axis){a->trial.n[i], stride, stride, a->trial.transformed[i]};
        stride *= a->trial.n[i];
    }
    struct reference_extended *sum = malloc((size_t)a->elements * 2 * sizeof *sum);
    if (!sum) abort();
    double *whole = exact_whole(&a->trial, in);
    const int sign = direction == WEFT_FORWARD ? -1 : 1;
    if (a->trial.params.kind >= WEFT_DCT1)
        assert_true(exact_transform(&a->trial, direction, whole, sum));
    else
        assert_true(reference_direct(a->trial.dims, axis, sign, whole, sum));
    exact_part(&a->trial, direction, sum);
    free(whole);
    return sum;
}

static struct reference_extended *fast_reference(const struct attempt *a, weft_direction direction,
                                                 const double *in)
{
    struct reference_extended *sum = malloc((size_t)a->elements * 2 * sizeof *sum);
    double *whole = exact_whole(&a->trial, in);
    if (!sum || !exact_transform(&a->trial, direction, whole, sum)) abort();
    exact_part(&a->trial, direction, sum);
    free(whole);
    return sum;
}

typedef struct reference_extended *exact_result(const struct attempt *, weft_direction,
                                                const double *);

static void compare_with(struct attempt *a, exact_result *exact)
{
    for (int d = 0; d < 2; d++) {
        const weft_direction direction = d ? WEFT_INVERSE : WEFT_FORWARD;
        const char *name = d ? "inverse" : "forward";
        const int64_t results = trial_side_elements(&a->trial, &a->trial.out);
        double *in = attempt_random_data(a), *out = attempt_allocate(a->elements);
        attempt_run(a, name, direction, in, out);
        struct reference_extended *sum = exact(a, direction, in);
        exact_forgive_storage(&a->trial, sum, out);
        attempt_check(a, name, reference_error_f64(results, out, sum));
        free(in);
        free(out);
        free(sum);
    }
}

void attempt_against_sum(struct attempt *a)
{
    compare_with(a, direct_sum);
}

void attempt_against_reference(struct attempt *a)
{
    compare_with(a, fast_reference);
}

void attempt_trial(const struct test_device *device, const struct trial *trial,
                   struct random random, examine_attempt *examine)
{
    struct attempt a = {.device = device, .random = random, .trial = *trial};
    a.elements = trial_elements(&a.trial);
    a.limit = exact_limit(&a.trial, a.device->name);
    const weft_params params = trial_params(&a.trial);
    if (weft_plan_create(device->device, &params, &a.plan)) {
        complain(&a, "plan", weft_last_error(), NAN);
        return;
    }
    examine(&a);
    weft_plan_destroy(&a.plan);
}

/* Problem number `index` of a test is the same whatever was tried before it. */
static void attempt_one(const struct test_device *device, const struct trial_range *range,
                        uint64_t index, examine_attempt *examine)
{
    struct random random = {attempt_seed * 1000003 + index};
    struct trial trial;
    trial_random(&random, range, &trial);
    attempt_trial(device, &trial, random, examine);
}

/* On every device of one sort. */
void attempt_many(bool evaluated, const struct trial_range *range, int problems,
                  examine_attempt *examine)
{
    attempts_begin();
    for (int d = 0; d < attempt_device_count; d++) {
        if (attempt_devices[d].evaluated != evaluated) continue;
        for (int i = 0; i < problems; i++)
            attempt_one(&attempt_devices[d], range, (uint64_t)(d * 10000 + i), examine);
    }
    attempts_end();
}
