/* Transforms whose results are rounded once, beside those in extended precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "run/compensated.h"
#include "run/compensated_steps.h"
#include "run/host_transform.h"
#include "support/assert_status.h"
#include "support/cpu_device.h"
#include "support/random.h"

/* Doubles are half a unit off, and by some 2^-90 more where they are about to be rounded. */
static void assert_rounded(struct extended exact, double result)
{
    const double unit = nextafter(fabs(exact.hi), INFINITY) - fabs(exact.hi);
    const double off = (result - exact.hi) - exact.lo;
    assert_true(fabs(off) <= 0.5 * unit + 1e-26);
}

static void check(struct device *device, struct random *random, int64_t n)
{
    struct extended *re = memory_alloc(2 * (size_t)n * sizeof *re), *im = re + n;
    double *result = memory_alloc(2 * (size_t)n * sizeof *result);
    void *memory = memory_alloc(compensated_bytes(n));
    assert_non_null(re);
    assert_non_null(result);
    assert_non_null(memory);
    for (int64_t j = 0; j < 2 * n; j++)
        re[j] = (struct extended){random_number(random), 0x1p-54 * random_number(random)};
    compensated_transform(n, re, im, result, result + n, memory);
    assert_done(host_transform_extended(device, 1, n, re, im));
    for (int64_t k = 0; k < 2 * n; k++)
        assert_rounded(re[k], result[k]);
    memory_free(re);
    memory_free(result);
    memory_free(memory);
}

static void results_are_rounded_once(void **state)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 16, 45, 61, 122, 1001, 3721, 4096, 8190, 8192};
    struct device *device = *state;
    struct random random = {random_seed()};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check(device, &random, sizes[i]);
    for (int i = 0; i < 40; i++) {
        const int64_t n = random_between(&random, 1, 2000);
        if (compensated_suits(n)) check(device, &random, n);
    }
}

#if defined(__x86_64__)
static void begin(struct compensated *t, struct random *random)
{
    t->roots = compensated_roots(t->n);
    t->from = memory_alloc((size_t)t->n * (2 * sizeof *t->from + sizeof *t->root));
    assert_non_null(t->from);
    t->to = t->from + t->n;
    t->root = (struct extended_root *)(void *)(t->to + t->n);
    roots_list(t->n, 0, 1, t->roots, t->root);
    for (int64_t j = 0; j < t->n; j++)
        t->from[j] = (struct number){{random_number(random), random_number(random)}, {0, 0}};
}

static void end(struct compensated *t)
{
    memory_free(t->from < t->to ? t->from : t->to);
}

static void steps_by_fma_compute_what_others_do(void **state)
{
    (void)state;
    struct random random = {random_seed()};
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
    for (int i = 0; i < 40; i++) {
        struct compensated basic = {.n = random_between(&random, 1, 3000)}, fma = basic;
        struct random same = random;
        if (!compensated_suits(basic.n)) continue;
        begin(&basic, &random);
        begin(&fma, &same);
        compensated_run_basic(&basic);
        compensated_run_fma(&fma);
        for (int64_t k = 0; k < basic.n; k++) {
            const parts off = (basic.from[k].hi - fma.from[k].hi) +
                              (basic.from[k].lo - fma.from[k].lo);
            assert_true(fabs(off[0]) <= 1e-26 && fabs(off[1]) <= 1e-26);
        }
        end(&basic);
        end(&fma);
    }
}
#else
static void steps_by_fma_compute_what_others_do(void **state)
{
    (void)state;
    skip();
}
#endif

static void some_lengths_are_left_to_others(void **state)
{
    (void)state;
    assert_false(compensated_suits(8193));
    assert_false(compensated_suits(1009));
    assert_true(compensated_suits(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_rounded_once),
        cmocka_unit_test(steps_by_fma_compute_what_others_do),
        cmocka_unit_test(some_lengths_are_left_to_others),
    };
    return cmocka_run_group_tests(tests, open_cpu, close_cpu);
}
