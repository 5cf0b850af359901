/* How wide tiles of columns are that come from beyond the caches of a processor whose vectors are
 * half a line, and what the planner makes of that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "plan/planner.h"
#include "spec/far_columns.h"
#include "support/trees.h"

static struct limits half_lines(void)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.cache_bytes[0] = 32 * 1024;
    limits.cache_bytes[1] = 512 * 1024;
    limits.cache_bytes[2] = INT64_C(32) << 20;
    limits.shared_bytes = 384 * 1024;
    return limits;
}

static struct problem line_of(int64_t n)
{
    struct problem problem = tree_line(n);
    problem.precision = WEFT_F64;
    return problem;
}

static void tiles_are_four_lines_wide(void **state)
{
    (void)state;
    const struct limits limits = half_lines();
    assert_int_equal(far_columns(&limits, WEFT_F64, 1024, 8, 1024), 16);
    assert_int_equal(far_columns(&limits, WEFT_F64, 2048, 4, 1024), 16);
    assert_int_equal(far_columns(&limits, WEFT_F32, 1024, 16, 1024), 32);
    assert_int_equal(far_columns(&limits, WEFT_F64, 256, 32, 1024), 32); /* wide enough */
}

static void they_are_no_wider_than_there_are_columns(void **state)
{
    (void)state;
    const struct limits limits = half_lines();
    assert_int_equal(far_columns(&limits, WEFT_F64, 1024, 8, 15), 8);
    assert_int_equal(far_columns(&limits, WEFT_F64, 1024, 1, 1), 1);
    assert_int_equal(far_columns(&limits, WEFT_F64, 1024, 1, 0), 1);
}

static void both_buffers_are_four_second_levels_at_most(void **state)
{
    (void)state;
    const struct limits limits = half_lines();
    assert_int_equal(far_columns_longest(&limits, WEFT_F64), 4096);
    assert_int_equal(far_columns_longest(&limits, WEFT_F32), 4096);
    assert_int_equal(far_columns(&limits, WEFT_F64, 4096, 4, 1024), 16);
    assert_int_equal(far_columns(&limits, WEFT_F64, 8192, 4, 1024), 8);
    assert_int_equal(far_columns(&limits, WEFT_F64, INT64_MAX, 4, 1024), 4);
}

static void only_what_leaves_the_caches_is_wide(void **state)
{
    (void)state;
    struct limits limits = half_lines();
    const struct problem near = line_of(INT64_C(1) << 17), far = line_of((INT64_C(1) << 17) + 1);
    assert_int_equal(far_columns_widest(&limits, &near), 1);
    assert_int_equal(far_columns_widest(&limits, &far), 16);
    limits.cache_bytes[1] = 2048 * 1024;
    assert_int_equal(far_columns_widest(&limits, &far), 1);
    limits.cache_bytes[1] = 512 * 1024;
    limits.vector_bytes = 64;
    assert_int_equal(far_columns_widest(&limits, &far), 1);
}

static bool is_split_in_two(const struct limits *limits, weft_kind kind, int64_t n)
{
    struct problem problem = line_of(n);
    problem.kind = kind;
    const struct plan_node *tree = NULL;
    arena *a = arena_create();
    assert_int_equal(plan_best(a, &problem, limits, &tree), WEFT_OK);
    if (kind != WEFT_C2C) tree = tree->child[0];
    assert_int_equal(tree->kind, PLAN_SPLIT);
    const bool two = tree->child[0]->kind == PLAN_BLOCK && tree->child[1]->kind == PLAN_BLOCK;
    arena_destroy(&a);
    return two;
}

static void lines_are_swept_twice_while_that_is_so(void **state)
{
    (void)state;
    const struct limits limits = half_lines();
    for (int bits = 19; bits <= 24; bits++)
        assert_true(is_split_in_two(&limits, WEFT_C2C, INT64_C(1) << bits));
    assert_false(is_split_in_two(&limits, WEFT_C2C, INT64_C(1) << 26));
}

/* What they move costs as much there as within a complex line. */
static void lines_of_reals_likewise(void **state)
{
    (void)state;
    const struct limits limits = half_lines();
    for (int bits = 19; bits <= 24; bits++) {
        assert_true(is_split_in_two(&limits, WEFT_R2C, INT64_C(1) << bits));
        assert_true(is_split_in_two(&limits, WEFT_C2R, INT64_C(1) << bits));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_four_lines_wide),
        cmocka_unit_test(they_are_no_wider_than_there_are_columns),
        cmocka_unit_test(both_buffers_are_four_second_levels_at_most),
        cmocka_unit_test(only_what_leaves_the_caches_is_wide),
        cmocka_unit_test(lines_are_swept_twice_while_that_is_so),
        cmocka_unit_test(lines_of_reals_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
