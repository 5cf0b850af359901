/* What the model knows of vectors that are half a line of the cache: where legs have the same place
 * in a page, the second vector of a line finds it in the second level again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "plan/cost.h"
#include "plan/cost_crowding.h"
#include "plan/planner.h"
#include "spec/pair_steps.h"

/* As AVX2 has them, and a Zen 3's second level. */
static struct limits half_lines(void)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.flops[WEFT_F32] = 65e9;
    limits.flops[WEFT_F64] = 32.5e9;
    limits.bandwidth[0] = 300e9;
    limits.bandwidth[1] = 120e9;
    limits.cache_bytes[1] = 512 * 1024;
    limits.shared_bytes = 384 * 1024;
    for (int radix = 4; radix <= 16; radix++)
        limits.pair_step[radix] = 1;
    return limits;
}

/* Of three steps at most there is one of 16 for 4096, and of 15 and 16 for 3600. */
static struct limits many_legs(void)
{
    struct limits limits = half_lines();
    for (int radix = 4; radix < 15; radix++)
        limits.pair_step[radix] = 0;
    return limits;
}

static struct limits whole_lines_of(struct limits limits)
{
    limits.vector_bytes = limits.unit_bytes = 64;
    return limits;
}

static struct problem line_of(int64_t n)
{
    return (struct problem){
        .precision = WEFT_F64, .axes = 1, .axis = {{n, 1, 1}}, .scale = {1, 1}, .threads = 1};
}

static const struct plan_node *best(arena *a, const struct limits *limits, int64_t n)
{
    const struct problem problem = line_of(n);
    const struct plan_node *tree = NULL;
    assert_int_equal(plan_best(a, &problem, limits, &tree), WEFT_OK);
    return tree;
}

/* Of a number of the line. */
static double paired_seconds(const struct limits *limits, int64_t n)
{
    const struct pair_steps steps = pair_steps_of(limits, WEFT_F64, n, 1);
    assert_int_equal(steps.count, 3);
    return steps.seconds / (double)n;
}

static double step_seconds(const struct limits *limits, int64_t n, int64_t columns, int radix)
{
    const struct problem problem = line_of(n);
    const struct cost_machine machine = cost_machine(limits, &problem);
    return cost_step(&machine, n, radix, 16, columns) / (double)n;
}

static double last_columns_seconds(const struct limits *limits, int64_t n, int radix)
{
    const struct problem problem = line_of(n);
    const struct cost_machine machine = cost_machine(limits, &problem);
    return cost_tile_legs(&machine, n, radix, 8, false) / (double)n;
}

static void vectors_are_half_a_line_or_not(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_cpu(&limits);
    assert_true(limits_halve_lines(&limits));
    limits.vector_bytes = 64;
    assert_false(limits_halve_lines(&limits));
    limits.vector_bytes = 16;
    assert_false(limits_halve_lines(&limits));
    limits_default_gpu(&limits);
    assert_false(limits_halve_lines(&limits));
}

/* 16 legs a page apart, for 8 ways. */
static void steps_of_pairs_take_longer_where_legs_are_more_than_ways(void **state)
{
    (void)state;
    struct limits limits = many_legs();
    assert_true(paired_seconds(&limits, 4096) > 1.5 * paired_seconds(&limits, 3600));
    limits.cache_bytes[0] *= 2; /* of 16 ways */
    assert_true(paired_seconds(&limits, 4096) < 1.2 * paired_seconds(&limits, 3600));
}

static void lines_whose_steps_of_pairs_do_so_are_split(void **state)
{
    (void)state;
    const struct limits limits = many_legs();
    arena *a = arena_create();
    assert_int_equal(best(a, &limits, 4096)->kind, PLAN_SPLIT);
    assert_int_equal(best(a, &limits, 3600)->kind, PLAN_BLOCK);
    arena_destroy(&a);
}

static void more_steps_of_fewer_legs_are_taken_there(void **state)
{
    (void)state;
    const struct limits half = half_lines();
    assert_int_equal(pair_steps_of(&half, WEFT_F64, 4096, 1).count, 4);
    assert_int_equal(pair_steps_of(&half, WEFT_F64, 3600, 1).count, 3);
    assert_int_equal(pair_steps_of(&half, WEFT_F64, 5120, 1).count, 4);
}

static void steps_of_planes_take_longer_where_legs_meet(void **state)
{
    (void)state;
    const struct limits half = half_lines(), whole = whole_lines_of(half);
    assert_true(step_seconds(&half, 8192, 1, 8) > 1.2 * step_seconds(&half, 8400, 1, 8));
    assert_true(step_seconds(&whole, 8192, 1, 8) < 1.2 * step_seconds(&whole, 8400, 1, 8));
}

static void columns_end_with_few_legs_where_many_would_meet(void **state)
{
    (void)state;
    const struct limits half = half_lines(), whole = whole_lines_of(half);
    assert_true(last_columns_seconds(&half, 512, 8) > 3 * last_columns_seconds(&half, 512, 4));
    assert_true(last_columns_seconds(&half, 480, 8) == 0);
    assert_true(last_columns_seconds(&whole, 512, 8) < last_columns_seconds(&half, 512, 8));
}

static double rows_seconds(const struct limits *limits, int64_t n, int radix)
{
    const struct problem problem = line_of(n);
    const struct cost_machine machine = cost_machine(limits, &problem);
    return cost_crowding_rows(&machine, n, radix, 8);
}

/* 8 legs a page apart in two planes, for 8 ways; 4 have room. */
static void rows_take_longer_whose_first_legs_meet(void **state)
{
    (void)state;
    const struct limits half = half_lines(), whole = whole_lines_of(half);
    assert_true(rows_seconds(&half, 512, 8) > 0);
    assert_true(rows_seconds(&half, 512, 4) == 0);
    assert_true(rows_seconds(&half, 480, 8) == 0);
    assert_true(rows_seconds(&whole, 512, 8) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_half_a_line_or_not),
        cmocka_unit_test(steps_of_pairs_take_longer_where_legs_are_more_than_ways),
        cmocka_unit_test(lines_whose_steps_of_pairs_do_so_are_split),
        cmocka_unit_test(more_steps_of_fewer_legs_are_taken_there),
        cmocka_unit_test(steps_of_planes_take_longer_where_legs_meet),
        cmocka_unit_test(columns_end_with_few_legs_where_many_would_meet),
        cmocka_unit_test(rows_take_longer_whose_first_legs_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
