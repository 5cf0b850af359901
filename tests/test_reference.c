/* The reference transform against what is known without it. */
#include "reference/policy.h"
#include "reference/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/quad.h"

/* The errors that the two arithmetics may have on the sizes tried here. */
static const double double_limit = 1e-15;
static const double extended_limit = 1e-30;

static uint64_t random_state = 1;

static double random_number(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(random_state >> 11) * 0x1p-52 - 1.0;
}

static double *random_data(int64_t elements)
{
    double *data = calloc((size_t)elements, 2 * sizeof *data);
    assert_non_null(data);
    for (int64_t i = 0; i < 2 * elements; i++)
        data[i] = random_number();
    return data;
}

static struct reference_extended *extended_data(int64_t elements)
{
    struct reference_extended *data = calloc((size_t)elements, 2 * sizeof *data);
    assert_non_null(data);
    return data;
}

/* ||a - b|| / ||b||, with the difference in extended precision. */
static double difference(int64_t elements, const struct reference_extended *a,
                         const struct reference_extended *b)
{
    double off = 0.0, norm = 0.0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        double part = (a[i].hi - b[i].hi) + (a[i].lo - b[i].lo);
        off += part * part;
        norm += b[i].hi * b[i].hi;
    }
    return sqrt(off / norm);
}

static void compare_with_sum(int64_t n, int sign)
{
    double *in = random_data(n), *out = random_data(n);
    struct reference_extended *fast = extended_data(n), *sum = extended_data(n);
    struct reference_axis axis = {n, 1, 1, true};
    assert_true(reference_direct(1, &axis, sign, in, sum));
    assert_true(reference_dft_extended(n, sign, in, fast));
    assert_true(reference_dft_double(n, sign, in, out));
    assert_true(difference(n, fast, sum) < extended_limit);
    assert_true(reference_error_f64(n, out, sum) < double_limit);
    free(in);
    free(out);
    free(fast);
    free(sum);
}

static void every_size_to_200_matches_the_direct_sum(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 200; n++) {
        compare_with_sum(n, -1);
        compare_with_sum(n, 1);
    }
}

static void primes_and_their_products_match_the_direct_sum(void **state)
{
    (void)state;
    const int64_t sizes[] = {211, 257, 499, 59 * 61, 2 * 67, 4 * 3 * 71, 73 * 73, 1009};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        compare_with_sum(sizes[i], -1);
}

/* x[j]'s share of the result k, as reference.h's kinds are defined. */
static long double real_term(enum reference_kind kind, int64_t n, int64_t j, int64_t k)
{
    const long double pi = acosl(-1.0L), a = (long double)j, b = (long double)k;
    const long double x = a + 0.5L, y = b + 0.5L;
    const bool first = j == 0, last = j == n - 1;
    switch (kind) {
    case REFERENCE_DCT1:
        return (first || last ? 1 : 2) * cosl(pi * a * b / (long double)(n - 1));
    case REFERENCE_DCT2:
        return 2 * cosl(pi * x * b / (long double)n);
    case REFERENCE_DCT3:
        return (first ? 1 : 2) * cosl(pi * a * y / (long double)n);
    case REFERENCE_DCT4:
        return 2 * cosl(pi * x * y / (long double)n);
    case REFERENCE_DST1:
        return 2 * sinl(pi * (a + 1) * (b + 1) / (long double)(n + 1));
    case REFERENCE_DST2:
        return 2 * sinl(pi * x * (b + 1) / (long double)n);
    case REFERENCE_DST3:
        return (last ? 1 : 2) * sinl(pi * (a + 1) * y / (long double)n);
    case REFERENCE_DST4:
        return 2 * sinl(pi * x * y / (long double)n);
    default:
        return cosl(2 * pi * a * b / (long double)n) + sinl(2 * pi * a * b / (long double)n);
    }
}

static void compare_with_real_sum(enum reference_kind kind, int64_t n)
{
    double *in = random_data(n), *out = random_data(n);
    struct reference_extended *fast = extended_data(n);
    const struct reference_real real = {&kind, false};
    assert_true(reference_real_axes_extended(1, &n, 0, real, in, fast));
    assert_true(reference_real_axes_double(1, &n, 0, real, in, out));
    long double off = 0, norm = 0;
    for (int64_t k = 0; k < n; k++) {
        long double sum = 0;
        for (int64_t j = 0; j < n; j++) sum += real_term(kind, n, j, k) * in[2 * j];
        const long double difference = (sum - fast[2 * k].hi) - fast[2 * k].lo;
        off += difference * difference;
        norm += sum * sum;
        assert_true(fast[2 * k + 1].hi == 0 && out[2 * k + 1] == 0);
    }
    assert_true(sqrtl(off / norm) < 1e-16L);
    assert_true(reference_error_f64(n, out, fast) < double_limit);
    free(in);
    free(out);
    free(fast);
}

static void real_kinds_match_their_formulas(void **state)
{
    (void)state;
    for (int kind = REFERENCE_DCT1; kind <= REFERENCE_DHT; kind++)
        for (int64_t n = kind == REFERENCE_DCT1 ? 2 : 1; n <= 40; n++)
            compare_with_real_sum((enum reference_kind)kind, n);
}

/* There and back, the second time by the inverse kind. */
static void orthonormal_kinds_return(void **state)
{
    (void)state;
    static const enum reference_kind inverse[] = {
        REFERENCE_DCT1, REFERENCE_DCT3, REFERENCE_DCT2, REFERENCE_DCT4, REFERENCE_DST1,
        REFERENCE_DST3, REFERENCE_DST2, REFERENCE_DST4, REFERENCE_DHT};
    for (int kind = REFERENCE_DCT1; kind <= REFERENCE_DHT; kind++) {
        enum { ROWS = 5, COLUMNS = 6 };
        const int64_t size[] = {ROWS, COLUMNS};
        const enum reference_kind other = REFERENCE_DST3;
        const enum reference_kind there[] = {(enum reference_kind)kind, other};
        const enum reference_kind again[] = {inverse[kind], inverse[other]};
        const struct reference_real forth = {there, true}, back = {again, true};
        double *in = random_data(ROWS * COLUMNS), *out = random_data(ROWS * COLUMNS);
        assert_true(reference_real_axes_double(2, size, 0, forth, in, out));
        assert_true(reference_real_axes_double(2, size, 0, back, out, out));
        for (int i = 0; i < ROWS * COLUMNS; i++)
            assert_true(fabs(out[2 * i] - in[2 * i]) < 1e-14);
        free(in);
        free(out);
    }
}

static void axes_and_strides_of_the_direct_sum_match_the_packed_transform(void **state)
{
    (void)state;
    enum { A = 3, B = 5, C = 4, ELEMENTS = A * B * C };
    const int64_t size[] = {A, B, C};
    /* The input runs backwards along B; the output has C outermost, and gaps. */
    const struct reference_axis axis[] = {
        {A, B * C, 2, true}, {B, -C, 2 * A, false}, {C, 1, 2 * A * B, true}};
    double *packed = random_data(ELEMENTS), *flipped = random_data(ELEMENTS);
    for (int64_t i = 0; i < ELEMENTS; i++) {
        int64_t b = i / C % B, from = i + (B - 1 - 2 * b) * C;
        flipped[2 * i] = packed[2 * from];
        flipped[2 * i + 1] = packed[2 * from + 1];
    }
    struct reference_extended *expected = extended_data(ELEMENTS),
                              *out = extended_data(2 * ELEMENTS);
    assert_true(reference_dft_axes_extended(3, size, 5, 1, packed, expected));
    assert_true(reference_direct(3, axis, 1, flipped + 2 * (B - 1) * C, out));
    for (int64_t i = 0; i < ELEMENTS; i++) {
        int64_t place = i / (B * C) * 2 + i / C % B * 2 * A + i % C * 2 * A * B;
        for (int part = 0; part < 2; part++) {
            struct reference_extended a = out[2 * place + part], b = expected[2 * i + part];
            assert_true(fabs((a.hi - b.hi) + (a.lo - b.lo)) < 1e-28);
        }
        assert_true(out[2 * place + 2].hi == 0.0); /* the gap */
    }
    free(packed);
    free(flipped);
    free(expected);
    free(out);
}

static void all_axes_of_the_double_transform_match_the_extended_one(void **state)
{
    (void)state;
    const int64_t size[] = {6, 61, 10};
    const int64_t elements = 6 * 61 * 10;
    double *in = random_data(elements), *out = random_data(elements);
    struct reference_extended *exact = extended_data(elements);
    assert_true(reference_dft_axes_extended(3, size, 0, -1, in, exact));
    assert_true(reference_dft_axes_double(3, size, 7, -1, in, out));
    assert_true(reference_error_f64(elements, out, exact) < double_limit);
    free(in);
    free(out);
    free(exact);
}

static void an_impulse_becomes_all_ones(void **state)
{
    (void)state;
    const int64_t sizes[] = {1, 2, 12, 1009, 4096};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int64_t n = sizes[i];
        double *in = calloc((size_t)n, 2 * sizeof *in);
        struct reference_extended *out = extended_data(n);
        assert_non_null(in);
        in[0] = 1.0;
        assert_true(reference_dft_extended(n, -1, in, out));
        for (int64_t k = 0; k < n; k++) {
            assert_true(fabs(out[2 * k].hi - 1.0 + out[2 * k].lo) < 1e-28);
            assert_true(fabs(out[2 * k + 1].hi) < 1e-28);
        }
        free(in);
        free(out);
    }
}

/* cos(2 pi / 12) = sqrt(3) / 2 and sin(2 pi / 12) = 1 / 2: a shifted impulse shows the root. */
static void a_shifted_impulse_becomes_the_roots_of_unity(void **state)
{
    (void)state;
    const double root_3_half_hi = 0x1.bb67ae8584caap-1, root_3_half_lo = 0x1.cec95d0b5c1e3p-55;
    double in[24] = {[2] = 1.0};
    struct reference_extended out[24];
    assert_true(reference_dft_extended(12, -1, in, out));
    assert_true(fabs(out[2].hi - root_3_half_hi + (out[2].lo - root_3_half_lo)) < 1e-31);
    assert_true(fabs(out[3].hi + 0.5 + out[3].lo) < 1e-31);
    assert_true(reference_dft_extended(12, 1, in, out));
    assert_true(fabs(out[3].hi - 0.5 + out[3].lo) < 1e-31);
}

/* Its samples are rounded to double, which is all that may leak out of its bin. */
static void a_single_exponential_becomes_one_bin(void **state)
{
    (void)state;
    enum { N = 720, BIN = 37 };
    double in[2 * N];
    struct reference_extended out[2 * N];
    for (int j = 0; j < N; j++) {
        double angle = 2.0 * acos(-1.0) * (j * BIN % N) / N;
        in[2 * j] = cos(angle);
        in[2 * j + 1] = sin(angle);
    }
    assert_true(reference_dft_extended(N, -1, in, out));
    for (int k = 0; k < N; k++) {
        assert_true(fabs(out[2 * k].hi - (k == BIN ? N : 0)) < 1e-12);
        assert_true(fabs(out[2 * k + 1].hi) < 1e-12);
    }
}

/* The sum of squares in long double, enough to see errors of 1e-18. */
static void the_transform_keeps_the_energy(void **state)
{
    (void)state;
    const int64_t sizes[] = {1000, 10007, 16384};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int64_t n = sizes[i];
        double *in = random_data(n);
        struct reference_extended *out = extended_data(n);
        assert_true(reference_dft_extended(n, -1, in, out));
        long double before = 0.0L, after = 0.0L;
        for (int64_t j = 0; j < 2 * n; j++) {
            long double value = (long double)out[j].hi + out[j].lo;
            before += (long double)in[j] * in[j];
            after += value * value;
        }
        assert_true(fabsl(after / (before * (long double)n) - 1.0L) < 1e-15L);
        free(in);
        free(out);
    }
}

static void the_inverse_brings_the_data_back(void **state)
{
    (void)state;
    const int64_t n = 3 * 5 * 7 * 64 * 11;
    double *in = random_data(n), *out = random_data(n);
    struct reference_extended *back = extended_data(n);
    assert_true(reference_dft_double(n, -1, in, out));
    assert_true(reference_dft_extended(n, 1, out, back));
    for (int64_t i = 0; i < 2 * n; i++)
        back[i].hi /= (double)n;
    for (int64_t i = 0; i < 2 * n; i++)
        back[i].lo = 0.0;
    assert_true(reference_error_f64(n, in, back) < double_limit);
    free(in);
    free(out);
    free(back);
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    double value[2] = {3.0, 4.0};
    const int64_t zero[] = {2, 0}, huge[] = {(int64_t)1 << 40, 3};
    assert_false(reference_dft_double(0, -1, value, value));
    assert_false(reference_dft_double(-1, -1, value, value));
    assert_false(reference_dft_axes_double(2, zero, 0, -1, value, value));
    assert_false(reference_dft_axes_double(2, huge, 0, -1, value, value));
    assert_true(value[0] == 3.0 && value[1] == 4.0);
}

static void errors_are_relative_and_see_what_is_not_a_number(void **state)
{
    (void)state;
    const double reference[] = {3.0, 4.0}, zero[] = {0.0, 0.0};
    const float near[] = {3.0f, 4.5f}, nothing[] = {0.0f, 0.0f}, broken[] = {NAN, 0.0f};
    assert_true(fabs(reference_error_f32(1, near, reference) - 0.1) < 1e-12);
    assert_true(reference_error_f32(1, nothing, zero) == 0.0);
    assert_true(isinf(reference_error_f32(1, near, zero)));
    assert_true(isnan(reference_error_f32(1, broken, reference)));
}

static bool is_near(double value, double expected)
{
    return fabs(value / expected - 1.0) < 1e-9;
}

static void the_policy_is_that_of_the_design(void **state)
{
    (void)state;
    /* By the square root of log2 N from 10^5 points. */
    const int64_t power = 1 << 20, tiny = 2, cube[] = {64, 128, 128};
    const double growth = sqrt(20.0 / log2(1e5));
    assert_true(is_near(policy_limit_f32("cpu", 1, &power), 1.8e-7 * growth));
    assert_true(is_near(policy_limit_f64(NULL, 1, &power), 3.3e-16 * growth));
    assert_true(is_near(policy_limit_f32("null", 1, &power), 2.5e-7 * growth));
    assert_true(is_near(policy_limit_f64("cuda:0", 3, cube), 5e-16 * growth));
    assert_true(policy_limit_f32("cpu", 1, &tiny) > 0.4 * 1.8e-7);
}

static void the_policy_allows_more_for_odd_factors_and_twice_that_for_large_primes(void **state)
{
    (void)state;
    const int64_t even = 100000, prime = 100003, plane[] = {1024, 1000};
    const int64_t rough_plane[] = {1000, 17}, smooth_plane[] = {1000, 13};
    const double plane_growth = sqrt(log2(1024e3) / log2(1e5));
    assert_true(is_near(policy_limit_f32("cpu", 1, &even), 1.08 * 1.8e-7));
    assert_true(is_near(policy_limit_f64("null", 1, &even), 1.08 * 5e-16));
    assert_true(is_near(policy_limit_f64("cpu", 2, plane), 1.08 * 3.3e-16 * plane_growth));
    assert_true(fabs(policy_limit_f64("cpu", 1, &prime) / (2 * 1.08 * 3.3e-16) - 1.0) < 1e-5);
    assert_true(policy_is_smooth(2, smooth_plane));
    assert_false(policy_is_smooth(2, rough_plane));
}

/* What WEFT_DD is judged by: relative to the sum in 113 bits. */
static void the_extended_transform_is_good_to_31_digits(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 64, 100, 101, 210, 512, 1009};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int64_t n = sizes[i];
        double *in = random_data(n), off = 0, norm = 0;
        struct reference_extended *out = extended_data(n);
        assert_true(reference_dft_extended(n, -1, in, out));
        for (int64_t k = 0; k < n; k++) {
            quad re = 0, im = 0;
            for (int64_t j = 0; j < n; j++) {
                const struct quad_root root = quad_root(j * k % n, n);
                re += root.re * in[2 * j] - root.im * in[2 * j + 1];
                im += root.re * in[2 * j + 1] + root.im * in[2 * j];
            }
            const double off_re = (double)(quad_of(out[2 * k]) - re);
            const double off_im = (double)(quad_of(out[2 * k + 1]) - im);
            off += off_re * off_re + off_im * off_im;
            norm += (double)(re * re + im * im);
        }
        assert_true(sqrt(off / norm) < 2e-31);
        free(in);
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_to_200_matches_the_direct_sum),
        cmocka_unit_test(primes_and_their_products_match_the_direct_sum),
        cmocka_unit_test(the_extended_transform_is_good_to_31_digits),
        cmocka_unit_test(real_kinds_match_their_formulas),
        cmocka_unit_test(orthonormal_kinds_return),
        cmocka_unit_test(axes_and_strides_of_the_direct_sum_match_the_packed_transform),
        cmocka_unit_test(all_axes_of_the_double_transform_match_the_extended_one),
        cmocka_unit_test(an_impulse_becomes_all_ones),
        cmocka_unit_test(a_shifted_impulse_becomes_the_roots_of_unity),
        cmocka_unit_test(a_single_exponential_becomes_one_bin),
        cmocka_unit_test(the_transform_keeps_the_energy),
        cmocka_unit_test(the_inverse_brings_the_data_back),
        cmocka_unit_test(sizes_out_of_range_are_refused),
        cmocka_unit_test(errors_are_relative_and_see_what_is_not_a_number),
        cmocka_unit_test(the_policy_is_that_of_the_design),
        cmocka_unit_test(
            the_policy_allows_more_for_odd_factors_and_twice_that_for_large_primes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
