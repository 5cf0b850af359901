/* Roots of unity one by one, to the last digit: src/math/roots.h. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/roots.h"
#include "support/quad.h"
#include "support/random.h"

static struct random chance = {88172645463325252u};

/* Roots. */

static double size_of(struct extended a)
{
    return fabs(a.hi + a.lo);
}

static struct extended_root product(struct extended_root a, struct extended_root b)
{
    return (struct extended_root){
        extended_add(extended_multiply(a.re, b.re), extended_negate(extended_multiply(a.im, b.im))),
        extended_add(extended_multiply(a.re, b.im), extended_multiply(a.im, b.re)),
    };
}

/* The larger of the differences of the parts. */
static double difference(struct extended_root a, struct extended_root b)
{
    double re = size_of(extended_add(a.re, extended_negate(b.re)));
    double im = size_of(extended_add(a.im, extended_negate(b.im)));
    return re > im ? re : im;
}

static void assert_exact(int64_t k, int64_t n, double re, double im)
{
    struct extended_root r = root_extended(k, n);
    assert_true(r.re.hi == re && r.re.lo == 0 && r.im.hi == im && r.im.lo == 0);
    assert_false(re == 0 && signbit(r.re.hi));
    assert_false(im == 0 && signbit(r.im.hi));
}

static void quarter_turns_are_exact(void **state)
{
    (void)state;
    static const int64_t quarters[] = {1, 2, 3, 25, 1000003, INT64_C(1) << 59};
    for (size_t i = 0; i < sizeof quarters / sizeof *quarters; i++) {
        for (int64_t turn = -1; turn <= 1; turn++) {
            int64_t q = quarters[i];
            assert_exact(4 * q * turn, 4 * q, 1, 0);
            assert_exact(4 * q * turn + q, 4 * q, 0, -1);
            assert_exact(4 * q * turn + 2 * q, 4 * q, -1, 0);
            assert_exact(4 * q * turn + 3 * q, 4 * q, 0, 1);
        }
    }
    assert_exact(0, 1, 1, 0);
    assert_exact(12345, 1, 1, 0);
    assert_exact(-3, 2, -1, 0);
}

static void roots_are_symmetric_to_the_last_digit(void **state)
{
    (void)state;
    for (int64_t n = 8; n < 2000; n += 8) {
        for (int64_t k = 0; k <= n / 8; k++) {
            struct extended_root r = root_extended(k, n);
            struct extended_root mirrored = root_extended(n / 4 - k, n);
            struct extended_root turned = root_extended(k + n / 4, n);
            struct extended_root conjugate = root_extended(-k, n);
            assert_true(mirrored.re.hi == -r.im.hi && mirrored.re.lo == -r.im.lo);
            assert_true(mirrored.im.hi == -r.re.hi && mirrored.im.lo == -r.re.lo);
            assert_true(turned.re.hi == r.im.hi && turned.re.lo == r.im.lo);
            assert_true(turned.im.hi == -r.re.hi && turned.im.lo == -r.re.lo);
            assert_true(conjugate.re.lo == r.re.lo && conjugate.im.lo == -r.im.lo);
        }
    }
}

/* Within 2^-100, of the value where it is small. */
static void assert_close(struct extended got, struct extended wanted)
{
    double error = size_of(extended_add(got, extended_negate(wanted)));
    assert_true(got.hi == wanted.hi && error < 0x1p-100 * (fabs(wanted.hi) + 0x1p-4));
    if (fabs(wanted.hi) < 0x1p-5) assert_true(error < 0x1p-100 * fabs(wanted.hi));
}

static void roots_match_known_digits(void **state)
{
    (void)state;
    /* Each part rounded to double, and the rest rounded to double; by mpmath with 400 bits. */
    static const struct {
        int64_t k, n;
        struct extended_root root;
    } known[] = {
        {1,
         INT64_C(7),
         {{0.6234898018587335, 4.716099920540896e-17},
          {-0.7818314824680298, -5.074320362582868e-18}}},
        {1,
         INT64_C(1000003),
         {{0.9999999999802609, 8.876626586138366e-18},
          {-6.283166457638872e-06, -2.7731031586815164e-23}}},
        {123456789,
         INT64_C(987654321),
         {{0.7071067862472689, -6.2395193939286745e-18},
          {-0.7071067761258262, 1.5630394178744612e-17}}},
        {1,
         INT64_C(4611686018427387847),
         {{1.0, -9.281331374665061e-37}, {-1.3624486320346218e-18, -6.995032414749016e-35}}},
        {INT64_C(1729382256910270475),
         INT64_C(4611686018427387847),
         {{-0.7071067811865476, 1.7146499481880287e-17},
          {-0.7071067811865475, -3.1495868809866807e-17}}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct extended_root got = root_extended(known[i].k, known[i].n);
        assert_close(got.re, known[i].root.re);
        assert_close(got.im, known[i].root.im);
    }
}

static void roots_multiply_as_their_angles_add(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        int64_t n = (int64_t)(random_bits(&chance) >> (3 + random_bits(&chance) % 58)) + 1;
        int64_t j = (int64_t)(random_bits(&chance) % (uint64_t)n);
        int64_t k = (int64_t)(random_bits(&chance) % (uint64_t)n);
        struct extended_root expected = root_extended(j + k, n);
        struct extended_root got = product(root_extended(j, n), root_extended(k, n));
        assert_true(difference(expected, got) < 0x1p-99);
    }
}

static void the_nth_power_of_a_root_is_one(void **state)
{
    (void)state;
    const struct extended_root one = {{1, 0}, {0, 0}};
    for (int64_t n = 1; n < 300; n++) {
        for (int64_t k = 0; k < n; k += 1 + n / 10) {
            struct extended_root power = one, root = root_extended(k, n);
            for (int64_t i = 0; i < n; i++)
                power = product(power, root);
            assert_true(difference(power, one) < 1e-28);
        }
    }
}

/* long double is wider than double on x86 only; its sine is good to about a unit there. */
static void roots_match_long_double_sines(void **state)
{
    (void)state;
    if (LDBL_MANT_DIG < 64) skip();
    const long double turn = 6.283185307179586476925286766559005768L;
    for (int64_t n = 1; n < 700; n++) {
        for (int64_t k = 0; k < n; k++) {
            struct extended_root r = root_extended(k, n);
            long double re = (long double)r.re.hi + r.re.lo, im = (long double)r.im.hi + r.im.lo;
            /* The angle itself is rounded: 2 pi * 2^-64 of error, and as much in the sine. */
            assert_true(fabsl(re - cosl(turn * k / n)) < 8 * LDBL_EPSILON);
            assert_true(fabsl(im + sinl(turn * k / n)) < 8 * LDBL_EPSILON);
        }
    }
}

static double error_of(struct extended is, quad exact)
{
    const quad error = quad_of(is) - exact;
    return (double)(error < 0 ? -error : error);
}

static void extended_roots_match_those_of_113_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        int64_t n = (int64_t)(random_bits(&chance) >> (3 + random_bits(&chance) % 58)) + 1;
        int64_t k = (int64_t)(random_bits(&chance) % (uint64_t)n);
        const struct extended_root got = root_extended(k, n);
        const struct quad_root exact = quad_root(k, n);
        assert_true(error_of(got.re, exact.re) < 0x1p-102);
        assert_true(error_of(got.im, exact.im) < 0x1p-102);
    }
}

#define LISTED 1000

static void lists_of_extended_roots_match_those_of_113_bits(void **state)
{
    (void)state;
    static struct extended re[LISTED], im[LISTED], chirp_re[LISTED], chirp_im[LISTED];
    for (int i = 0; i < 20; i++) {
        const int64_t n = (int64_t)(random_bits(&chance) % 100000) + 1;
        const int64_t step = (int64_t)(random_bits(&chance) % 9);
        assert_true(roots_fill_extended(n, -7, step, LISTED, re, im));
        assert_true(chirp_fill_extended(n, LISTED, chirp_re, chirp_im));
        for (int64_t j = 0; j < LISTED; j++) {
            const struct quad_root exact = quad_root(((j * step - 7) % n + n) % n, n);
            const struct quad_root chirp = quad_root(j * j % (2 * n), 2 * n);
            assert_true(error_of(re[j], exact.re) < 0x1p-100);
            assert_true(error_of(im[j], exact.im) < 0x1p-100);
            assert_true(error_of(chirp_re[j], chirp.re) < 0x1p-100);
            assert_true(error_of(chirp_im[j], chirp.im) < 0x1p-100);
        }
    }
}

static void extended_square_roots_are_good_to_103_bits(void **state)
{
    (void)state;
    for (int i = 1; i < 3000; i++) {
        const struct extended root = extended_square_root(i);
        const quad square = quad_of(root) * quad_of(root);
        assert_true(error_of((struct extended){i, 0}, square) <= 0x1p-102 * i);
    }
}

static void double_roots_are_the_rounded_extended_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; i++) {
        int64_t n = (int64_t)(random_bits(&chance) >> (2 + random_bits(&chance) % 58)) + 1;
        int64_t k = (int64_t)random_bits(&chance);
        struct extended_root r = root_extended(k, n);
        double re, im;
        root_double(k, n, &re, &im);
        assert_true(re == r.re.hi + r.re.lo && im == r.im.hi + r.im.lo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(roots_are_symmetric_to_the_last_digit),
        cmocka_unit_test(roots_match_known_digits),
        cmocka_unit_test(roots_multiply_as_their_angles_add),
        cmocka_unit_test(the_nth_power_of_a_root_is_one),
        cmocka_unit_test(roots_match_long_double_sines),
        cmocka_unit_test(extended_roots_match_those_of_113_bits),
        cmocka_unit_test(lists_of_extended_roots_match_those_of_113_bits),
        cmocka_unit_test(extended_square_roots_are_good_to_103_bits),
        cmocka_unit_test(double_roots_are_the_rounded_extended_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
