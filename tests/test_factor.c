/* Factors, smooth numbers, products modulo and primitive roots: src/math/factor.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/factor.h"
#include "support/random.h"

static struct random chance = {88172645463325252u};

static void factors_match_trial_division(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 50000; n++) {
        struct factors f = factor(n);
        int64_t rest = n;
        int count = 0;
        for (int64_t d = 2; rest > 1; d++) {
            for (; rest % d == 0; rest /= d)
                assert_int_equal(f.prime[count++], d);
        }
        assert_int_equal(f.count, count);
        assert_int_equal(is_prime(n), count == 1);
        assert_int_equal(largest_prime_factor(n), count > 0 ? f.prime[count - 1] : 1);
    }
}

static void assert_factors(int64_t n, int count, const int64_t *primes)
{
    struct factors f = factor(n);
    assert_int_equal(f.count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(f.prime[i], primes[i]);
    assert_int_equal(is_prime(n), count == 1);
}

static void large_numbers_are_factored(void **state)
{
    (void)state;
    const int64_t largest = INT64_C(4611686018427387847); /* the last prime below 2^62 */
    assert_factors(largest, 1, (const int64_t[]){largest});
    assert_factors(INT64_C(2305843009213693951), 1,
                   (const int64_t[]){INT64_C(2305843009213693951)});
    assert_factors(INT64_C(2147483647) * 2147483629, 2, (const int64_t[]){2147483629, 2147483647});
    assert_factors(INT64_C(2147483647) * 2147483647, 2, (const int64_t[]){2147483647, 2147483647});
    assert_factors(INT64_C(1000003) * 1000003 * 1000003, 3,
                   (const int64_t[]){1000003, 1000003, 1000003});
    assert_factors(INT64_C(1031) * 1033 * 1039 * 1049 * 1051 * 1061, 6,
                   (const int64_t[]){1031, 1033, 1039, 1049, 1051, 1061});
    struct factors f = factor(INT64_C(1) << 61);
    assert_true(f.count == 61 && f.prime[0] == 2 && f.prime[60] == 2);
    f = factor(INT64_C(1) << 62);
    assert_int_equal(f.count, 62);
}

static void factors_are_primes_with_the_right_product(void **state)
{
    (void)state;
    for (int i = 0; i < 150; i++) {
        int64_t n = (int64_t)(random_bits(&chance) >> (2 + random_bits(&chance) % 40)) + 1;
        struct factors f = factor(n);
        int64_t product = 1;
        for (int j = 0; j < f.count; j++) {
            assert_true(is_prime(f.prime[j]));
            assert_true(j == 0 || f.prime[j] >= f.prime[j - 1]);
            product *= f.prime[j];
        }
        assert_true(product == n);
    }
}

static void impostors_are_not_taken_for_primes(void **state)
{
    (void)state;
    /* Carmichael numbers, and the least strong pseudoprimes to the first 1, 2, ... 11 prime bases
     * that fit 62 bits. */
    static const int64_t composites[] = {
        561,
        1105,
        1729,
        2465,
        2821,
        6601,
        8911,
        294409,
        56052361,
        118901521,
        1713045574801,
        2047,
        1373653,
        25326001,
        INT64_C(3215031751),
        INT64_C(2152302898747),
        INT64_C(3474749660383),
        INT64_C(341550071728321),
        INT64_C(3825123056546413051),
    };
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++) {
        assert_false(is_prime(composites[i]));
        assert_true(factor(composites[i]).count > 1);
    }
    assert_false(is_prime(0) || is_prime(1) || is_prime(-7));
}

static void smoothness_is_by_the_largest_factor(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 3000; n++) {
        for (int64_t prime = 2; prime < 40; prime++) {
            assert_int_equal(is_smooth(n, prime), largest_prime_factor(n) <= prime);
        }
    }
    assert_true(is_smooth(INT64_C(1000003) * 999983, 1000003));
    assert_false(is_smooth(INT64_C(1000003) * 999983, 1000002));
}

static void the_next_smooth_number_is_the_least(void **state)
{
    (void)state;
    static const int64_t primes[] = {2, 3, 5, 7, 13, 31};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        int64_t least = 1 << 15; /* a power of 2 is smooth to all of them */
        for (int64_t n = least; n > 0; n--) {
            if (is_smooth(n, primes[i])) least = n;
            if (n % 16 == 0 || n < 2000) assert_int_equal(next_smooth(n, primes[i]), least);
        }
    }
    assert_true(next_smooth((INT64_C(1) << 61) + 1, 2) == INT64_C(1) << 62);
    assert_true(next_smooth(INT64_C(1) << 62, 13) == INT64_C(1) << 62);
    int64_t power = 1;
    for (int i = 0; i < 38; i++)
        power *= 3;
    assert_true(next_smooth(power - 1000, 3) <= power);
    assert_true(next_smooth(power, 3) == power);
}

/* Modular arithmetic. */

static void products_and_powers_are_exact_modulo_62_bits(void **state)
{
    (void)state;
    const uint64_t p = UINT64_C(4611686018427387847);
    assert_true(multiply_mod(p - 1, p - 1, p) == 1);
    assert_true(power_mod(3, p - 1, p) == 1);
    assert_true(power_mod(5, 0, 1) == 0);
    assert_true(power_mod(0, 0, 7) == 1);
    for (int i = 0; i < 1000; i++) {
        uint64_t m = (random_bits(&chance) >> (2 + random_bits(&chance) % 60)) + 2;
        uint64_t a = random_bits(&chance) % m, b = random_bits(&chance) % m,
                 c = random_bits(&chance) % m;
        uint64_t left = multiply_mod(a, (b + c) % m, m);
        uint64_t right = (multiply_mod(a, b, m) + multiply_mod(a, c, m)) % m;
        assert_true(left == right);
        struct multiplier multiplier = multiplier_of(a, m);
        assert_true(multiplier_apply(&multiplier, b) == multiply_mod(a, b, m));
        assert_true(power_mod(a, 7, m) == multiply_mod(power_mod(a, 3, m), power_mod(a, 4, m), m));
        if (gcd((int64_t)a, (int64_t)m) == 1) {
            assert_true(multiply_mod(a, inverse_mod(a, m), m) == 1);
        }
    }
    assert_int_equal(gcd(0, 5), 5);
    assert_int_equal(gcd(12, -18), 6);
}

static void primitive_roots_are_the_least_that_generate(void **state)
{
    (void)state;
    assert_int_equal(primitive_root(2), 1);
    for (int64_t p = 3; p < 400; p++) {
        if (!is_prime(p)) continue;
        int64_t root = primitive_root(p);
        for (int64_t g = 1; g <= root; g++) {
            int64_t order = 1;
            for (int64_t power = g; power != 1; power = power * g % p)
                order++;
            assert_int_equal(order == p - 1, g == root);
        }
    }
    assert_int_equal(primitive_root(65537), 3);
    assert_int_equal(primitive_root(999983), 5);
    assert_int_equal(primitive_root(1000003), 2);
    assert_int_equal(primitive_root(INT64_C(2147483647)), 7);
    assert_int_equal(primitive_root(INT64_C(2305843009213693951)), 37);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_match_trial_division),
        cmocka_unit_test(large_numbers_are_factored),
        cmocka_unit_test(factors_are_primes_with_the_right_product),
        cmocka_unit_test(impostors_are_not_taken_for_primes),
        cmocka_unit_test(smoothness_is_by_the_largest_factor),
        cmocka_unit_test(the_next_smooth_number_is_the_least),
        cmocka_unit_test(products_and_powers_are_exact_modulo_62_bits),
        cmocka_unit_test(primitive_roots_are_the_least_that_generate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
