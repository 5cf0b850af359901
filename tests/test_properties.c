/* What is too large for the defining sum, by the properties of a Fourier transform (F. Ergün,
 * "Testing multivariate linear functions", 1995: linearity, impulse and shift decide). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/extended.h"
#include "reference/policy.h"
#include "reference/roots.h"
#include "support/attempt.h"

static const struct trial_range large_range = {20000, 60000, 4, 3, false, false, false};
static const struct trial_range large_evaluated_range = {3000, 5000, 4, 1, false, false, false};

enum { PROBLEMS = 25, EVALUATED_PROBLEMS = 8 };

static double scale_of(const struct attempt *a, weft_direction direction)
{
    const double scale =
        direction == WEFT_FORWARD ? a->trial.params.forward_scale : a->trial.params.inverse_scale;
    return scale != 0 ? scale : 1;
}

/* ||x - y|| / ||y|| */
static double difference(int64_t elements, const double *x, const double *y)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        off += (x[i] - y[i]) * (x[i] - y[i]);
        norm += y[i] * y[i];
    }
    return norm == 0 && off == 0 ? 0 : sqrt(off / norm);
}

static double norm_of(int64_t elements, const double *x)
{
    long double norm = 0; /* so that summing does not add an error of its own */
    for (int64_t i = 0; i < 2 * elements; i++)
        norm += (long double)x[i] * x[i];
    return (double)norm;
}

static bool repeats_input(const struct attempt *a)
{
    for (int i = 0; i < a->trial.dims; i++)
        if (a->trial.n[i] > 1 && a->trial.in.stride[i] == 0) return true;
    return false;
}

/* Parseval: the transform keeps the energy, up to its points and the scale. */
static void keeps_energy(struct attempt *a, const double *in, const double *out)
{
    const double scale = scale_of(a, WEFT_FORWARD);
    const double points = (double)trial_points(&a->trial);
    const double expected = norm_of(a->elements, in) * points * scale * scale;
    attempt_check(a, "Parseval", fabs(norm_of(a->elements, out) / expected - 1) / 4);
}

static void returns(struct attempt *a, const double *in, double *out)
{
    double *back = attempt_allocate(a->elements);
    attempt_run(a, "back", WEFT_INVERSE, out, back);
    const double scale = scale_of(a, WEFT_FORWARD) * scale_of(a, WEFT_INVERSE);
    const double points = (double)trial_points(&a->trial);
    for (int64_t i = 0; i < 2 * a->elements; i++)
        back[i] /= scale * points;
    attempt_check(a, "round trip", difference(a->elements, back, in) / 2);
    free(back);
}

/* F(2x - y) = 2 F(x) - F(y): exact numbers, so that only the transforms round. */
static void is_linear(struct attempt *a, double *x, const double *x_out)
{
    double *y = attempt_random_data(a), *y_out = attempt_allocate(a->elements);
    attempt_run(a, "linear", WEFT_FORWARD, y, y_out);
    double *sum = attempt_allocate(a->elements), *sum_out = attempt_allocate(a->elements);
    for (int64_t i = 0; i < 2 * a->elements; i++)
        sum[i] = 2 * x[i] - y[i];
    for (int64_t i = 0; i < 2 * a->elements; i++)
        y[i] = 2 * x_out[i] - y_out[i];
    attempt_run(a, "linear", WEFT_FORWARD, sum, sum_out);
    attempt_check(a, "linearity", difference(a->elements, sum_out, y) / 4);
    free(y);
    free(y_out);
    free(sum);
    free(sum_out);
}

/* The forward transform of one that stands at element `at`, everywhere. */
static void expect_impulse(const struct attempt *a, int64_t at, double *expected)
{
    for (int64_t i = 0; i < a->elements; i++) {
        double re = scale_of(a, WEFT_FORWARD), im = 0;
        int64_t rest = i, place = at;
        for (int d = a->trial.dims - 1; d >= 0; d--) {
            const int64_t n = a->trial.n[d], k = rest % n, j = place % n;
            rest /= n;
            place /= n;
            if (!a->trial.transformed[d]) {
                if (k != j) re = im = 0;
                continue;
            }
            const struct extended_complex root = reference_root(j * k % n, n);
            const double turned = re * root.re.hi + im * root.im.hi;
            im = im * root.re.hi - re * root.im.hi;
            re = turned;
        }
        expected[2 * i] = re;
        expected[2 * i + 1] = im;
    }
}

/* Limits are of random data: a number in the middle of a resampled line is weighted by all of the
 * window's range, 2.5 times what such data's are in the mean. */
static double impulse_allowance(const struct attempt *a)
{
    return policy_is_smooth(a->trial.dims, a->trial.n) ? 1 : 2;
}

static void turns_impulses_into_waves(struct attempt *a)
{
    const int64_t at = random_between(&a->random, 0, a->elements - 1);
    double *in = attempt_allocate(a->elements), *out = attempt_allocate(a->elements);
    double *expected = attempt_allocate(a->elements);
    memset(in, 0, (size_t)a->elements * 2 * sizeof *in);
    in[2 * at] = 1;
    attempt_run(a, "impulse", WEFT_FORWARD, in, out);
    expect_impulse(a, at, expected);
    attempt_check(a, "impulse", difference(a->elements, out, expected) / impulse_allowance(a));
    free(in);
    free(out);
    free(expected);
}

/* The index of the element one further along dimension d, in a circle. */
static int64_t next_along(const struct trial *trial, int d, int64_t index)
{
    int64_t stride = 1;
    for (int i = trial->dims - 1; i > d; i--)
        stride *= trial->n[i];
    const int64_t k = index / stride % trial->n[d];
    return k == trial->n[d] - 1 ? index - k * stride : index + stride;
}

/* Delayed by one along an axis, the spectrum is turned by exp(-2 pi i k / n). */
static void turns_delays_into_phases(struct attempt *a, const double *x, const double *x_out)
{
    int d = (int)random_between(&a->random, 1, a->trial.dims - 1);
    while (!a->trial.transformed[d])
        d = d == 1 ? a->trial.dims - 1 : d - 1;
    int64_t stride = 1;
    for (int i = a->trial.dims - 1; i > d; i--)
        stride *= a->trial.n[i];
    double *late = attempt_allocate(a->elements), *late_out = attempt_allocate(a->elements);
    double *expected = attempt_allocate(a->elements);
    for (int64_t i = 0; i < a->elements; i++) {
        const int64_t to = next_along(&a->trial, d, i);
        late[2 * to] = x[2 * i];
        late[2 * to + 1] = x[2 * i + 1];
        const int64_t k = i / stride % a->trial.n[d];
        const struct extended_complex root = reference_root(k, a->trial.n[d]);
        expected[2 * i] = x_out[2 * i] * root.re.hi + x_out[2 * i + 1] * root.im.hi;
        expected[2 * i + 1] = x_out[2 * i + 1] * root.re.hi - x_out[2 * i] * root.im.hi;
    }
    attempt_run(a, "shift", WEFT_FORWARD, late, late_out);
    attempt_check(a, "shift", difference(a->elements, late_out, expected) / 2);
    free(late);
    free(late_out);
    free(expected);
}

static void try_properties(struct attempt *a)
{
    double *in = attempt_random_data(a), *out = attempt_allocate(a->elements);
    attempt_run(a, "forward", WEFT_FORWARD, in, out);
    if (!repeats_input(a)) {
        keeps_energy(a, in, out);
        is_linear(a, in, out);
        turns_impulses_into_waves(a);
        turns_delays_into_phases(a, in, out);
        const struct trial forward = a->trial;
        returns(a, in, out);
        a->trial = forward;
    }
    free(in);
    free(out);
}

static void larger_problems_have_the_properties_of_the_transform(void **state)
{
    (void)state;
    attempt_many(false, &large_range, PROBLEMS, try_properties);
}

static void larger_problems_have_the_properties_when_evaluated(void **state)
{
    (void)state;
    attempt_many(true, &large_evaluated_range, EVALUATED_PROBLEMS, try_properties);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(larger_problems_have_the_properties_of_the_transform),
        cmocka_unit_test(larger_problems_have_the_properties_when_evaluated),
    };
    return cmocka_run_group_tests(tests, attempts_open, attempts_close);
}
