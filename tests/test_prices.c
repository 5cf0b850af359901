/* Which way lines go that lie apart, or whose parts do (spec/price_lines.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spec/lone_sums.h"
#include "spec/price_lines.h"

static struct limits narrow_vectors(void)
{
    struct limits limits;
    limits_default_cpu(&limits);
    assert_true(limits_halve_lines(&limits));
    return limits;
}

static enum price_way way_of(struct price_lines lines)
{
    const struct limits limits = narrow_vectors();
    lines.limits = &limits;
    return price_way(&lines);
}

/* A prime's sums in planes are products of each of its numbers with each. */
static void planar_odd_lines_of_reals_are_laid(void **state)
{
    (void)state;
    for (int planes = 0; planes < 2; planes++)
        for (int64_t n = 67; n <= 97; n += 30)
            assert_int_equal(way_of((struct price_lines){.precision = WEFT_F32,
                                                         .kind = planes ? PRICE_HALVES_TO_REALS
                                                                        : PRICE_REALS_TO_HALVES,
                                                         .n = n,
                                                         .lines = 1,
                                                         .planes = {planes == 1, planes == 0},
                                                         .lone = true}),
                             PRICE_LAID);
}

static void a_strided_prime_is_laid_if_it_is_a_sum_then(void **state)
{
    (void)state;
    const struct price_lines line = {
        .precision = WEFT_F32, .n = 103, .lines = 1, .apart = {true, true},
        .scattered = {true, true}};
    assert_int_equal(way_of(line), PRICE_LAID);
}

static void planes_are_laid_where_lanes_of_steps_are_empty(void **state)
{
    (void)state;
    const struct price_lines full = {
        .precision = WEFT_F32, .n = 256, .lines = 20, .planes = {true, true}, .two_steps = true};
    struct price_lines loose = full;
    loose.n = 77;
    assert_int_equal(way_of(full), PRICE_COLUMNS);
    assert_int_equal(way_of(loose), PRICE_LAID);
}

/* Rows of halves that follow one another have a loop of their own. */
static void odd_lines_beside_each_other_are_columns(void **state)
{
    (void)state;
    const struct price_lines beside = {.precision = WEFT_F64, .kind = PRICE_HALVES_TO_REALS,
                                       .n = 45, .lines = 16, .apart = {true, true}};
    struct price_lines scattered = beside;
    scattered.scattered[0] = true;
    assert_int_equal(way_of(beside), PRICE_COLUMNS);
    assert_int_equal(way_of(scattered), PRICE_LAID);
}

/* Counted in 32 bits they would be less than none. */
static void long_primes_have_prices(void **state)
{
    (void)state;
    const struct limits limits = narrow_vectors();
    double before = 0;
    for (int64_t n = 10007; n < INT64_C(1) << 40; n = 10 * n + 7) {
        const double seconds = lone_sums_seconds(n, &limits, WEFT_F64);
        assert_true(seconds > before);
        before = seconds;
    }
}

static struct limits limits_with_steps_of_pairs(void)
{
    struct limits limits = narrow_vectors();
    limits.pair_step[10] = 1;
    return limits;
}

/* Several lines are sums, and so is one that lies apart, once it is laid. */
static void one_line_of_raders_is_no_sum(void **state)
{
    const struct limits limits = limits_with_steps_of_pairs();
    const struct pass one = {.from = PASS_INPUT, .to = PASS_OUTPUT, .line = {101, 1, 1},
                             .length = 100, .body = PASS_RADER, .radices = 2, .radix = {10, 10}};
    struct pass other = one;
    (void)state;
    assert_true(lone_rader(&limits, WEFT_F64, &one));
    other.body = PASS_CONVOLUTION;
    other.chirp_before = other.chirp_after = true;
    assert_false(lone_rader(&limits, WEFT_F64, &other));
    assert_true(lone_sums_of(&limits, WEFT_F64, &other));
    other = one;
    other.loop[other.loops++] = (struct dim){2, 101, 101};
    assert_false(lone_rader(&limits, WEFT_F64, &other));
    assert_true(lone_sums_of(&limits, WEFT_F64, &other));
    other = one;
    other.line.in_stride = 2;
    assert_false(lone_rader(&limits, WEFT_F64, &other));
    assert_true(lone_sums_once_laid(&limits, WEFT_F64, &other));
    other = one;
    other.line.n = 107;
    other.length = 106; /* which has no steps */
    assert_false(lone_rader(&limits, WEFT_F64, &other));
}

static void sums_are_held_against_rader(void **state)
{
    const struct limits limits = narrow_vectors();
    (void)state;
    const double definition = lone_sums_seconds(83, &limits, WEFT_F64);
    assert_true(circulant_parts(83, limits_lanes(&limits, WEFT_F64), WEFT_F64) == 1);
    assert_true(lone_sums_beat_rader(83, definition / 1.2, &limits, WEFT_F64));
    assert_false(lone_sums_beat_rader(83, definition / 1.4, &limits, WEFT_F64));
    const double circulant = lone_sums_seconds(127, &limits, WEFT_F64);
    assert_true(circulant_parts(127, limits_lanes(&limits, WEFT_F64), WEFT_F64) > 1);
    assert_true(lone_sums_beat_rader(127, circulant / 0.95, &limits, WEFT_F64));
    assert_false(lone_sums_beat_rader(127, circulant / 1.05, &limits, WEFT_F64));
    assert_false(lone_sums_beat_rader(1009, 1, &limits, WEFT_F64)); /* it is none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_odd_lines_of_reals_are_laid),
        cmocka_unit_test(a_strided_prime_is_laid_if_it_is_a_sum_then),
        cmocka_unit_test(planes_are_laid_where_lanes_of_steps_are_empty),
        cmocka_unit_test(odd_lines_beside_each_other_are_columns),
        cmocka_unit_test(long_primes_have_prices),
        cmocka_unit_test(one_line_of_raders_is_no_sum),
        cmocka_unit_test(sums_are_held_against_rader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
