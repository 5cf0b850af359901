/* What the planner makes of a second level as large as server processors have it, whose third is
 * far from a core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "plan/cost.h"
#include "plan/cost_pass.h"
#include "plan/planner.h"
#include "spec/pair_steps.h"
#include "support/trees.h"

/* As AVX-512 has them. */
static struct limits whole_lines(int64_t second_level)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.vector_bytes = limits.unit_bytes = 64;
    limits.flops[WEFT_F32] = 130e9;
    limits.flops[WEFT_F64] = 65e9;
    limits.cache_bytes[0] = 48 * 1024;
    limits.cache_bytes[1] = second_level;
    limits.cache_bytes[2] = INT64_C(300) << 20;
    limits.shared_bytes = second_level / 4 * 3;
    for (int radix = 4; radix <= 16; radix++)
        limits.pair_step[radix] = 2;
    return limits;
}

static struct problem line_of(int64_t n)
{
    struct problem problem = tree_line(n);
    problem.precision = WEFT_F64;
    return problem;
}

static double pairs_seconds(const struct limits *limits, int64_t n, int64_t lines)
{
    const struct problem problem = line_of(n);
    const struct cost_machine machine = cost_machine(limits, &problem);
    const struct pair_steps steps = pair_steps_of(limits, WEFT_F64, n, 1);
    assert_true(steps.count > 0);
    return cost_pairs(&machine, &steps, n, 16.0 * (double)(lines * n)) / steps.seconds;
}

/* Of the rows of a split of doubles. */
static int64_t rows_of(const struct limits *limits, int64_t n)
{
    const struct problem problem = line_of(n);
    const struct plan_node *tree = NULL;
    arena *a = arena_create();
    assert_int_equal(plan_best(a, &problem, limits, &tree), WEFT_OK);
    assert_int_equal(tree->kind, PLAN_SPLIT);
    const int64_t rows = tree->child[1]->n;
    arena_destroy(&a);
    return rows;
}

static void a_third_level_is_far_behind_two_megabytes(void **state)
{
    (void)state;
    struct limits limits = whole_lines(INT64_C(2) << 20);
    assert_true(limits_far_third(&limits));
    limits.vector_bytes = 32;
    assert_false(limits_far_third(&limits));
    limits = whole_lines(INT64_C(1) << 20);
    assert_false(limits_far_third(&limits));
    limits_default_gpu(&limits);
    assert_false(limits_far_third(&limits));
}

static void rows_are_short_there(void **state)
{
    (void)state;
    struct limits near = whole_lines((INT64_C(2) << 20) - 4096),
                  far = whole_lines(INT64_C(2) << 20);
    for (int radix = 4; radix <= 16; radix++)
        near.pair_step[radix] = far.pair_step[radix] = 0;
    assert_true(rows_of(&near, 65536) > 1024);
    assert_true(rows_of(&far, 65536) <= 256);
    assert_true(rows_of(&far, 131072) <= 256);
}

/* What leaves the first level and stays in the second: no short lines, nor many long ones. */
static void lines_of_pairs_take_less_there(void **state)
{
    (void)state;
    const struct limits near = whole_lines(INT64_C(1) << 20), far = whole_lines(INT64_C(2) << 20);
    assert_true(pairs_seconds(&far, 4096, 1) < 1);
    assert_true(pairs_seconds(&near, 4096, 1) == 1);
    assert_true(pairs_seconds(&far, 1024, 1) == 1);
    assert_true(pairs_seconds(&far, 4096, 50) == 1);
}

/* Nor are those as long that leave it: to either end and back it is far. */
static void lines_of_pairs_are_shorter_there(void **state)
{
    (void)state;
    const struct limits near = whole_lines((INT64_C(2) << 20) - 4096),
                        far = whole_lines(INT64_C(2) << 20);
    assert_true(pair_steps_of(&near, WEFT_F64, 35152, 1).count > 0);
    assert_int_equal(pair_steps_of(&far, WEFT_F64, 35152, 1).count, 0);
    assert_true(pair_steps_of(&far, WEFT_F64, 24336, 1).count > 0);
}

/* Units that take whole vectors compute for less, so that a step more costs more. */
static void fewer_steps_are_taken_by_whole_units(void **state)
{
    (void)state;
    struct limits whole = whole_lines(INT64_C(2) << 20), half = whole;
    whole.pair_step[24] = whole.pair_step[32] = 2;
    half = whole;
    half.unit_bytes = 32;
    assert_int_equal(pair_steps_of(&whole, WEFT_F64, 8192, 1).count, 3);
    assert_int_equal(pair_steps_of(&half, WEFT_F64, 8192, 1).count, 4);
}

/* Whether the reals themselves are split, and not half as many pairs that are unfolded. */
static bool splits_reals(const struct limits *limits, int64_t n)
{
    struct problem problem = line_of(n);
    problem.kind = WEFT_R2C;
    const struct plan_node *tree = NULL;
    arena *a = arena_create();
    assert_int_equal(plan_best(a, &problem, limits, &tree), WEFT_OK);
    const bool reals = tree->child[0]->n == n;
    arena_destroy(&a);
    return reals;
}

static void unfolding_takes_as_long_as_from_memory_there(void **state)
{
    (void)state;
    const struct limits near = whole_lines(INT64_C(1) << 20), far = whole_lines(INT64_C(2) << 20);
    assert_false(splits_reals(&near, INT64_C(1) << 20));
    assert_true(splits_reals(&far, INT64_C(1) << 20));
    assert_true(splits_reals(&far, INT64_C(1) << 22));
    assert_false(splits_reals(&far, INT64_C(1) << 17));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_third_level_is_far_behind_two_megabytes),
        cmocka_unit_test(rows_are_short_there),
        cmocka_unit_test(lines_of_pairs_take_less_there),
        cmocka_unit_test(lines_of_pairs_are_shorter_there),
        cmocka_unit_test(fewer_steps_are_taken_by_whole_units),
        cmocka_unit_test(unfolding_takes_as_long_as_from_memory_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
