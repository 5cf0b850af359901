/* Lines of primes, and of twice a prime, as circulants (circulant.h), of every instruction set this
 * machine has, against the direct sum. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "device/cpu/circulant.h"
#include "device/cpu/sum.h"
#include "device/cpu/table_maker.h"
#include "math/roots.h"
#include "support/numbers.h"

#define ROWS     2
#define PITCH    (2 * CIRCULANT_MOST + 2)
#define SENTINEL 1234.5

/* Lines, and their transforms. */
struct lines {
    complex double in[ROWS][PITCH], out[ROWS][PITCH];
};

static double random_single(void)
{
    return (double)(float)((double)rand() / RAND_MAX - 0.5);
}

static void fill(int n, struct lines *lines)
{
    complex double root[PITCH];
    for (int k = 0; k < n; k++) {
        double re, im;
        root_double(k, n, &re, &im);
        root[k] = re + I * im;
    }
    for (int row = 0; row < ROWS; row++) {
        for (int j = 0; j < PITCH; j++)
            lines->in[row][j] = j < n ? random_single() + I * random_single() : SENTINEL;
        for (int k = 0; k < PITCH; k++) {
            lines->out[row][k] = k < n ? 0 : SENTINEL;
            for (int j = 0; j < n && k < n; j++)
                lines->out[row][k] += lines->in[row][j] * root[j * k % n];
        }
    }
}

static void put_lines(weft_precision precision, void *to, complex double lines[ROWS][PITCH])
{
    for (int64_t i = 0; i < ROWS * PITCH; i++) {
        const complex double x = lines ? lines[i / PITCH][i % PITCH] : SENTINEL;
        number_put(precision, to, 2 * i, creal(x));
        number_put(precision, to, 2 * i + 1, cimag(x));
    }
}

/* Numbers n - k of transforms are number k of those back. */
static void compare(weft_precision precision, int n, bool back, const struct lines *lines,
                    const void *found)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < ROWS * PITCH; i++) {
        const int64_t row = i / PITCH, k = i % PITCH;
        const complex double x =
            number_at(precision, found, 2 * i) + I * number_at(precision, found, 2 * i + 1);
        if (k >= n) {
            assert_true(creal(x) == SENTINEL);
            continue;
        }
        const double off = cabs(x - lines->out[row][back ? (n - k) % n : k]);
        difference += off * off;
        norm += cabs(x) * cabs(x);
    }
    if (sqrt(difference / norm) > (precision == WEFT_F32 ? 2.4e-7 : 2e-15))
        fail_msg("%d: %g", n, sqrt(difference / norm));
}

/* In either direction, in place too. */
static void run_length(const struct cpu_sums *sums, struct kernel *kernel, int n)
{
    static double from[2 * ROWS * PITCH], to[2 * ROWS * PITCH];
    static struct lines lines;
    const struct codelet_shape shape = {
        .rows = ROWS, .lanes = n, .in_row = PITCH, .out_row = PITCH};
    const struct circulant *c = circulant_make(kernel, n);
    assert_non_null(c);
    fill(n, &lines);
    for (int i = 0; i < 4; i++) {
        void *const out = i & 2 ? from : to;
        put_lines(kernel->precision, to, NULL);
        put_lines(kernel->precision, from, lines.in);
        sums->circulant[i & 1](&shape, from, NULL, out, NULL, NULL, c);
        compare(kernel->precision, n, i & 1, &lines, out);
    }
}

static int try_all(const struct cpu_sums sets[2])
{
    int lengths = 0;
    for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
        const struct cpu_sums *sums = &sets[precision];
        const struct cpu_sets all = {.sums = sets};
        for (int n = 3; n <= 2 * CIRCULANT_MOST && sums->circulant[0]; n++) {
            if (!lone_circulants(n, sums->lanes, (weft_precision)precision)) continue;
            struct kernel kernel = {.arena = arena_create(),
                                    .sets = &all,
                                    .precision = (weft_precision)precision,
                                    .real_bytes = precision == WEFT_F32 ? 4 : 8};
            run_length(sums, &kernel, n);
            table_let_go(kernel.table);
            arena_destroy(&kernel.arena);
            lengths++;
        }
    }
    return lengths;
}

static void every_length_is_what_the_definition_says(void **state)
{
    (void)state;
    assert_int_equal(try_all(sums_basic), 0);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        assert_true(try_all(sums_avx2) > 20);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        assert_true(try_all(sums_avx512) > 10);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_is_what_the_definition_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
