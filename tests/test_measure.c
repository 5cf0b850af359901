/* Measuring on a device that takes only some of the planner's candidates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "plan/planner.h"
#include "tune/measure.h"

static const struct problem line_1024 = {.kind = WEFT_C2C,
                                         .precision = WEFT_F32,
                                         .format = WEFT_INTERLEAVED,
                                         .axes = 1,
                                         .axis[0] = {1024, 1, 1},
                                         .scale = {1, 1},
                                         .threads = 1};
static const struct measure_layout layout_1024 = {1024, 1024, 0, 0};

/* A CPU that first refuses so many passes. */
static int refusals;
static weft_status refusal;

static weft_status pass_create(struct device *device, const struct program *program, int index,
                               const void *const *tables, struct kernel **kernel)
{
    if (refusals-- > 0) return error_set(refusal, "the picky device refuses");
    return cpu_device_ops.pass_create(device, program, index, tables, kernel);
}

/* Measures with the first `count` passes refused. */
static weft_status measure(int count, weft_status status, arena *a, const struct plan_node **best,
                           int *candidates)
{
    struct device_ops picky = cpu_device_ops;
    struct device device;
    memset(&device, 0, sizeof device);
    picky.pass_create = pass_create;
    device.ops = &picky;
    assert_int_equal(picky.open(NULL, &device), WEFT_OK);
    const struct plan_node *tree[8];
    assert_int_equal(plan_candidates(a, &line_1024, &device.limits, 8, tree, candidates), WEFT_OK);
    refusals = count;
    refusal = status;
    struct measured measured = {.best = NULL};
    status = measure_best(a, &device, &line_1024, &layout_1024, &measured);
    if (!status) assert_in_range(measured.candidates, 1, *candidates);
    if (!status) assert_true(measured.best_seconds <= measured.estimate_seconds);
    *best = measured.best;
    picky.close(&device);
    return status;
}

static void candidates_that_the_device_refuses_are_passed_over(void **state)
{
    (void)state;
    arena *a = arena_create();
    const struct plan_node *best = NULL;
    int candidates;
    assert_int_equal(measure(1, WEFT_ERROR_UNSUPPORTED, a, &best, &candidates), WEFT_OK);
    assert_true(candidates > 1);
    assert_non_null(best);
    assert_int_equal(best->n, 1024);
    arena_destroy(&a);
}

static void a_device_that_refuses_all_candidates_says_why(void **state)
{
    (void)state;
    arena *a = arena_create();
    const struct plan_node *best = NULL;
    int candidates;
    assert_int_equal(measure(1000, WEFT_ERROR_UNSUPPORTED, a, &best, &candidates),
                     WEFT_ERROR_UNSUPPORTED);
    assert_string_equal(error_last(), "the picky device refuses");
    assert_int_equal(1000 - refusals, candidates);
    assert_null(best);
    arena_destroy(&a);
}

static void no_memory_for_a_candidate_ends_it(void **state)
{
    (void)state;
    const int64_t live = memory_live_blocks();
    arena *a = arena_create();
    const struct plan_node *best = NULL;
    int candidates;
    assert_int_equal(measure(1, WEFT_ERROR_MEMORY, a, &best, &candidates), WEFT_ERROR_MEMORY);
    assert_null(best);
    arena_destroy(&a);
    assert_int_equal(memory_live_blocks(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_that_the_device_refuses_are_passed_over),
        cmocka_unit_test(a_device_that_refuses_all_candidates_says_why),
        cmocka_unit_test(no_memory_for_a_candidate_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
