/* What src/math promises. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "math/factor.h"
#include "math/root_run.h"
#include "math/roots.h"
#include "support/quad.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Factors. */

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
        int64_t n = (int64_t)(random_bits() >> (2 + random_bits() % 40)) + 1;
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
        uint64_t m = (random_bits() >> (2 + random_bits() % 60)) + 2;
        uint64_t a = random_bits() % m, b = random_bits() % m, c = random_bits() % m;
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
        int64_t n = (int64_t)(random_bits() >> (3 + random_bits() % 58)) + 1;
        int64_t j = (int64_t)(random_bits() % (uint64_t)n);
        int64_t k = (int64_t)(random_bits() % (uint64_t)n);
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
        int64_t n = (int64_t)(random_bits() >> (3 + random_bits() % 58)) + 1;
        int64_t k = (int64_t)(random_bits() % (uint64_t)n);
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
        const int64_t n = (int64_t)(random_bits() % 100000) + 1;
        const int64_t step = (int64_t)(random_bits() % 9);
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
        int64_t n = (int64_t)(random_bits() >> (2 + random_bits() % 58)) + 1;
        int64_t k = (int64_t)random_bits();
        struct extended_root r = root_extended(k, n);
        double re, im;
        root_double(k, n, &re, &im);
        assert_true(re == r.re.hi + r.re.lo && im == r.im.hi + r.im.lo);
    }
}

/* Lists of roots. */

#define MOST 3000

static void assert_near_float(float x, double exact)
{
    const float rounded = (float)exact;
    assert_true(fabs(x - exact) <= 0.5001 * fabs(nextafterf(rounded, 4) - rounded));
}

static void assert_filled(int64_t n, int64_t first, int64_t step, int64_t count)
{
    static double re[MOST], im[MOST];
    static float re_float[MOST], im_float[MOST];
    assert_true(roots_fill_double(n, first, step, count, re, im));
    assert_true(roots_fill_float(n, first, step, count, re_float, im_float));
    for (int64_t j = 0; j < count; j++) {
        double x, y;
        root_double(first % n + (int64_t)((__extension__(__int128) j) * (step % n) % n), n, &x, &y);
        assert_true(re[j] == x && im[j] == y);
        assert_false(x == 0 && signbit(re[j]));
        assert_near_float(re_float[j], x);
        assert_near_float(im_float[j], y);
    }
}

static void filled_lists_equal_single_roots(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 200; n++)
        assert_filled(n, 0, 1, n);
    for (int64_t n = 200; n <= MOST; n += 97)
        assert_filled(n, 0, 1, n);
    for (int i = 0; i < 500; i++) {
        int64_t n = (int64_t)(random_bits() >> (2 + random_bits() % 58)) + 1;
        int64_t first = (int64_t)random_bits() >> random_bits() % 60;
        int64_t step = (int64_t)random_bits() >> random_bits() % 60;
        assert_filled(n, first, step, (int64_t)(random_bits() % 300));
    }
    assert_filled(65536, -32768, 32, 2048);
    assert_filled(4096, 0, -2, MOST);
    assert_filled(1024, 0, 256, 100);
    assert_filled((INT64_C(1) << 62) - 1, 0, 1, 100);
    assert_filled(5, 3, 0, 10);
}

static void tables_equal_single_roots(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        int64_t n = i < 40 ? i + 1 : (int64_t)(random_bits() >> (34 + random_bits() % 20)) + 1;
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int j = 0; j < 2000; j++) {
            int64_t k = (int64_t)(random_bits() % (uint64_t)n);
            if (j < 100) k = (k >> 40) % n;
            double re, im, x, y;
            root_table_get(&table, k, &re, &im);
            root_double(k, n, &x, &y);
            assert_true(re == x && im == y);
            root_table_get_near(&table, k, &re, &im);
            assert_true(fabs(re - x) <= 0x1p-52 && fabs(im - y) <= 0x1p-52);
            assert_true((re == x || fabs(x) >= 0x1p-15) && (im == y || fabs(y) >= 0x1p-15));
        }
        root_table_free(&table);
    }
}

static void lists_from_tables_equal_single_roots(void **state)
{
    (void)state;
    enum { LISTED_MOST = 301 };
    int64_t k[LISTED_MOST];
    double re[LISTED_MOST], im[LISTED_MOST];
    for (int i = 0; i < 300; i++) {
        const int64_t some = (int64_t)(random_bits() >> (30 + random_bits() % 24)) + 1;
        const int64_t n = i < 40 ? i + 1 : some;
        const int64_t count = (int64_t)(random_bits() % LISTED_MOST);
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int64_t j = 0; j < count; j++)
            k[j] = (int64_t)(random_bits() % (uint64_t)n) >> random_bits() % 20;
        root_table_list(&table, k, count, re, im);
        for (int64_t j = 0; j < count; j++) {
            double x, y;
            root_double(k[j], n, &x, &y);
            assert_true(re[j] == x && im[j] == y);
        }
        root_table_free(&table);
    }
}

/* Row and column of a grid, whose roots are the products of both. */
static void assert_grid(const struct root_table *table, int64_t first, int64_t step, int64_t rows,
                        int64_t columns)
{
    double re[400], im[400];
    float re_float[400], im_float[400];
    struct root_grid grid;
    assert_true(root_grid_init(&grid, table, step, rows, columns));
    root_grid_double(&grid, first, re, im);
    root_grid_float(&grid, first, re_float, im_float);
    for (int64_t j = 0; j < rows * columns; j++) {
        double x, y;
        root_double(j / columns * step * (first + j % columns), table->n, &x, &y);
        assert_true(re[j] == x && im[j] == y);
        assert_near_float(re_float[j], x);
        assert_near_float(im_float[j], y);
    }
    root_grid_free(&grid);
}

static void grids_equal_single_roots(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        const int64_t n = (int64_t)(random_bits() % (UINT64_C(1) << (1 + random_bits() % 30))) + 1;
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int64_t columns = 1; columns <= 20; columns++)
            assert_grid(&table, (int64_t)(random_bits() % (uint64_t)n),
                        (int64_t)(random_bits() % (uint64_t)n) % 100000,
                        (int64_t)(random_bits() % 20) + 1, columns);
        root_table_free(&table);
    }
}

static void turns_are_roots_times_a_factor_rounded_once(void **state)
{
    (void)state;
    static const double factors[] = {1, 2, 1.4142135623730951, -1.25};
    double re[300], im[300];
    float re_float[300], im_float[300];
    for (int i = 0; i < 400; i++) {
        const int64_t n = (int64_t)(random_bits() >> (34 + random_bits() % 30)) + 1;
        const int64_t first = (int64_t)(random_bits() >> 33), step = (int64_t)(random_bits() >> 33);
        const int64_t count = (int64_t)(random_bits() % 300);
        const double factor = factors[i % 4];
        struct root_table table;
        assert_true(root_table_init(&table, n));
        assert_true(root_table_fill_turns(&table, factor, first, step, count, re, im));
        assert_true(root_table_fill_turns_float(&table, factor, first, step, count, re_float,
                                                im_float));
        for (int64_t j = 0; j < count; j++) {
            const struct extended_root root = root_extended(first + j * step, n);
            assert_true(re[j] == fma(factor, root.re.hi, factor * root.re.lo));
            assert_true(im[j] == fma(factor, root.im.hi, factor * root.im.lo));
            assert_near_float(re_float[j], re[j]);
            assert_near_float(im_float[j], im[j]);
        }
        root_table_free(&table);
    }
}

static void progressions_from_tables_equal_single_roots(void **state)
{
    (void)state;
    double re[300], im[300];
    float re_float[300], im_float[300];
    for (int i = 0; i < 200; i++) {
        int64_t n = (int64_t)(random_bits() >> (34 + random_bits() % 30)) + 1;
        int64_t first = (int64_t)(random_bits() >> 8), step = (int64_t)(random_bits() >> 16);
        int64_t count = (int64_t)(random_bits() % 300);
        struct root_table table;
        assert_true(root_table_init(&table, n));
        assert_true(root_table_fill_double(&table, first, step, count, re, im));
        assert_true(root_table_fill_float(&table, first, step, count, re_float, im_float));
        for (int64_t j = 0; j < count; j++) {
            double x, y;
            root_double(first % n + (int64_t)((__extension__(__int128) j) * step % n), n, &x, &y);
            assert_true(re[j] == x && im[j] == y);
            assert_near_float(re_float[j], x);
            assert_near_float(im_float[j], y);
        }
        root_table_free(&table);
    }
}

/* Some runs, and the slow ones. */
static void assert_same_runs_as(const struct root_runs *fast, const struct root_run *run)
{
    double re[2][40], im[2][40];
    float re_float[2][40], im_float[2][40];
    const struct root_runs *runs[] = {&root_runs_basic, fast};
    for (int i = 0; i < 2; i++) {
        runs[i]->to_double(run, re[i], im[i]);
        runs[i]->to_float(run, re_float[i], im_float[i]);
    }
    for (int64_t j = 0; j < run->count; j++) {
        assert_true(re[0][j] == re[1][j] && im[0][j] == im[1][j]);
        assert_true(re_float[0][j] == re_float[1][j] && im_float[0][j] == im_float[1][j]);
    }
}

static void assert_same_runs(const struct root_run *run)
{
    assert_same_runs_as(root_runs(1), run);
    assert_same_runs_as(root_runs(INT64_MAX), run);
}

static void runs_by_vectors_of_any_width_have_the_same_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const int64_t n = (int64_t)(random_bits() >> (34 + random_bits() % 30)) + 1;
        struct root_run run = {.n = n, .factor = i % 2 ? 1 : 1.4142135623730951};
        struct extended_root root[40];
        double column[ROOT_COLUMN_REALS * 40];
        run.first = (int64_t)(random_bits() % (uint64_t)n);
        run.step = (int64_t)(random_bits() % (uint64_t)n);
        run.count = (int64_t)(random_bits() % 40) + 1;
        run.row = root_extended(run.first, n);
        run.row.re = extended_multiply((struct extended){run.factor, 0}, run.row.re);
        run.row.im = extended_multiply((struct extended){run.factor, 0}, run.row.im);
        roots_list(n, 0, run.step, 40, root);
        for (int j = 0; j < 40; j++) {
            const int block = j / ROOT_BLOCK * ROOT_BLOCK * ROOT_COLUMN_REALS, at = j % ROOT_BLOCK;
            column[block + at] = root[j].re.hi;
            column[block + ROOT_BLOCK + at] = root[j].re.lo;
            column[block + 2 * ROOT_BLOCK + at] = root[j].im.hi;
            column[block + 3 * ROOT_BLOCK + at] = root[j].im.lo;
        }
        run.column = column;
        assert_same_runs(&run);
    }
}

static void lists_by_vectors_of_any_width_have_the_same_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++) {
        const int64_t n = (int64_t)(random_bits() >> (34 + random_bits() % 30)) + 1;
        int64_t k[40], count = (int64_t)(random_bits() % 40);
        double re[2][40], im[2][40];
        struct root_table table;
        assert_true(root_table_init(&table, n));
        for (int j = 0; j < 40; j++)
            k[j] = (int64_t)(random_bits() % (uint64_t)n);
        root_runs_basic.list(&table, k, count, re[0], im[0]);
        root_runs(count)->list(&table, k, count, re[1], im[1]);
        for (int64_t j = 0; j < count; j++)
            assert_true(re[0][j] == re[1][j] && im[0][j] == im[1][j]);
        root_table_free(&table);
    }
}

static void chirps_come_from_exact_squares(void **state)
{
    (void)state;
    static double re[MOST], im[MOST];
    static const int64_t sizes[] = {1, 2, 3, 4, 7, 17, 100, 1009, 3001, 999983};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_true(chirp_fill(sizes[i], MOST, re, im));
        for (int64_t j = 0; j < MOST; j++) {
            double x, y;
            root_double(j * j, 2 * sizes[i], &x, &y);
            assert_true(re[j] == x && im[j] == y);
        }
        assert_true(chirp_fill_near(sizes[i], MOST, re, im));
        for (int64_t j = 0; j < MOST; j++) {
            double x, y;
            root_double(j * j, 2 * sizes[i], &x, &y);
            assert_true(fabs(re[j] - x) <= 0x1p-52 && fabs(im[j] - y) <= 0x1p-52);
        }
    }
}

static void lists_without_memory_are_refused(void **state)
{
    (void)state;
    double re[300], im[300]; /* short ones take none */
    float re_float[300], im_float[300];
    struct root_table table, kept;
    struct root_grid grid;
    assert_true(root_table_init(&kept, 7));
    int64_t before = memory_live_blocks();
    memory_fail_after(0);
    bool some = roots_fill_double(7, 0, 1, 300, re, im);
    some |= roots_fill_float(7, 0, 1, 300, re_float, im_float);
    some |= root_table_init(&table, 100);
    some |= root_grid_init(&grid, &kept, 1, 2, 3);
    some |= chirp_fill(7, 300, re, im);
    some |= chirp_fill_near(7, 300, re, im);
    memory_fail_after(-1);
    assert_false(some);
    assert_int_equal(memory_live_blocks(), before);
    root_table_free(&kept);
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
        cmocka_unit_test(filled_lists_equal_single_roots),
        cmocka_unit_test(tables_equal_single_roots),
        cmocka_unit_test(lists_from_tables_equal_single_roots),
        cmocka_unit_test(grids_equal_single_roots),
        cmocka_unit_test(runs_by_vectors_of_any_width_have_the_same_digits),
        cmocka_unit_test(lists_by_vectors_of_any_width_have_the_same_digits),
        cmocka_unit_test(turns_are_roots_times_a_factor_rounded_once),
        cmocka_unit_test(progressions_from_tables_equal_single_roots),
        cmocka_unit_test(chirps_come_from_exact_squares),
        cmocka_unit_test(lists_without_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
