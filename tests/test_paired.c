/* Lines of pairs in steps between pairs that no tile holds: which there are, what they are priced
 * at, and that they are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "base/arena.h"
#include "plan/planner.h"
#include "spec/pair_steps.h"
#include "support/attempt.h"
#include "support/trees.h"

/* A tile holds 24576 doubles, and units take half a vector. */
static struct limits some_limits(void)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.vector_bytes = 64;
    limits.unit_bytes = 32;
    limits.cache_bytes[1] = 1 << 20;
    limits.shared_bytes = limits.cache_bytes[1] / 4 * 3;
    for (int radix = 4; radix <= 16; radix++)
        limits.pair_step[radix] = 3;
    return limits;
}

static struct problem line_of(int64_t n, int64_t stride)
{
    struct problem problem = tree_line(n);
    problem.precision = WEFT_F64;
    problem.axis[0].in_stride = stride;
    return problem;
}

/* Of the tree, or of what is within that of a line of reals. */
static enum plan_kind kind_of_problem(const struct limits *limits, const struct problem *problem)
{
    const struct plan_node *tree = NULL;
    arena *a = arena_create();
    assert_int_equal(plan_best(a, problem, limits, &tree), WEFT_OK);
    const enum plan_kind kind = tree->kind == PLAN_REAL ? tree->child[0]->kind : tree->kind;
    arena_destroy(&a);
    return kind;
}

static enum plan_kind kind_of(const struct limits *limits, int64_t n, int64_t stride)
{
    const struct problem problem = line_of(n, stride);
    return kind_of_problem(limits, &problem);
}

static enum plan_kind kind_within_reals(const struct limits *limits, int64_t n)
{
    struct problem problem = line_of(n, 1);
    problem.kind = WEFT_R2C;
    return kind_of_problem(limits, &problem);
}

static void contiguous_lines_may_be_longer_than_a_tile(void **state)
{
    (void)state;
    const struct limits limits = some_limits();
    struct limits none = limits;
    for (int radix = 4; radix <= 16; radix++)
        none.pair_step[radix] = 0;
    assert_int_equal(kind_of(&limits, 35152, 1), PLAN_BLOCK);
    assert_int_equal(kind_of(&limits, 35152, 2), PLAN_BLOCK); /* of a copy (plan/lay.h) */
    assert_int_equal(kind_of(&none, 35152, 1), PLAN_SPLIT);
    assert_int_equal(kind_within_reals(&limits, 2 * 35152), PLAN_BLOCK);
    assert_int_equal(kind_within_reals(&none, 2 * 35152), PLAN_SPLIT);
}

/* They are no lines of pairs: they would be priced as such and not cut to rows (plan/odd.h). */
static void single_odd_lines_of_reals_are_cut(void **state)
{
    (void)state;
    static const int64_t lengths[] = {225, 343, 539, 625};
    const struct limits limits = some_limits();
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int kind = WEFT_R2C; kind <= WEFT_C2R; kind++) {
            struct problem problem = tree_line(lengths[i]);
            const struct plan_node *tree = NULL;
            arena *a = arena_create();
            problem.kind = (weft_kind)kind;
            assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
            assert_int_equal(tree->kind, PLAN_REAL);
            assert_true(tree->child[0]->n < lengths[i]);
            arena_destroy(&a);
        }
    }
}

/* Butterflies of 11 are inlined in steps that multiply or put pairs where they belong, but not in
 * the last one of lines whose results are read again, or are planes. */
static void elevens_come_first_where_results_are_kept(void **state)
{
    (void)state;
    static const int64_t lengths[] = {165, 231, 275, 539};
    struct limits limits = some_limits();
    limits.partial[11] = true;
    for (size_t i = 0; i < 2 * sizeof lengths / sizeof *lengths; i++) {
        const int64_t n = lengths[i / 2];
        const bool planes = i % 2 > 0;
        struct problem problem = tree_line(n);
        const struct plan_node *tree = NULL;
        arena *a = arena_create();
        problem.kind = planes ? WEFT_C2C : WEFT_DCT2;
        problem.format = planes ? WEFT_PLANAR : WEFT_INTERLEAVED;
        assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
        const struct plan_node *block = planes ? tree : tree->child[0];
        assert_int_equal(block->n, n);
        assert_int_not_equal(block->radix[block->radices - 1], 11);
        arena_destroy(&a);
    }
}

static weft_status check_of(const char *text, int64_t stride)
{
    const struct limits limits = some_limits();
    arena *a = arena_create();
    const struct plan_node *tree = tree_parse(a, text);
    assert_non_null(tree);
    const struct problem problem = line_of(tree->n, stride);
    const weft_status status = plan_check(&problem, &limits, tree);
    arena_destroy(&a);
    return status;
}

static void their_trees_are_accepted(void **state)
{
    (void)state;
    assert_int_equal(check_of("block(35152: 16.13.13.13)", 1), WEFT_OK);
    assert_int_equal(check_of("block(35152: 16.13.13.13)", 2), WEFT_OK);
    assert_int_equal(check_of("block(114244: 4.13.13.13.13)", 1), WEFT_ERROR_UNSUPPORTED);
}

static double seconds_of(const struct limits *limits, int64_t n)
{
    const struct pair_steps steps = pair_steps_of(limits, WEFT_F64, n, 1);
    assert_true(steps.count > 0);
    return steps.seconds / (double)n;
}

static void they_take_longer_as_they_fill_the_second_level(void **state)
{
    (void)state;
    const struct limits limits = some_limits();
    struct limits larger = limits, smaller = limits;
    larger.cache_bytes[1] *= 16;
    smaller.cache_bytes[1] /= 4;
    assert_true(seconds_of(&limits, 2197) == seconds_of(&larger, 2197));
    assert_true(seconds_of(&limits, 35152) > 1.2 * seconds_of(&larger, 35152));
    assert_int_equal(pair_steps_of(&smaller, WEFT_F64, 35152, 1).count, 0);
}

/* Of legs at one place of their pages. */
static void crowds_take_longer_and_fewer_legs_less(void **state)
{
    (void)state;
    const struct limits limits = some_limits();
    struct limits many = limits;
    for (int radix = 4; radix < 16; radix++)
        many.pair_step[radix] = 0;
    assert_int_equal(pair_steps_of(&limits, WEFT_F64, 4096, 1).count, 4);
    assert_int_equal(pair_steps_of(&many, WEFT_F64, 4096, 1).count, 3);
    assert_true(seconds_of(&many, 4096) > seconds_of(&limits, 4096));
}

static void lines_of_far_batches_begin_and_end_by_few_legs(void **state)
{
    (void)state;
    struct limits limits = some_limits();
    limits.pair_step[30] = limits.pair_step[32] = 2;
    const struct pair_steps near = pair_steps_of(&limits, WEFT_F64, 27000, 4);
    const struct pair_steps far = pair_steps_of(&limits, WEFT_F64, 27000, 100);
    assert_int_equal(near.count, 3);
    assert_int_equal(near.radix[0], 30);
    assert_int_equal(far.count, 4);
    assert_true(far.radix[0] <= 16 && far.radix[3] <= 16);
}

static void where_there_are_no_few_legs_there_are_steps_yet(void **state)
{
    (void)state;
    struct limits limits = some_limits();
    memset(limits.pair_step, 0, sizeof limits.pair_step);
    limits.pair_step[30] = 2;
    const struct pair_steps far = pair_steps_of(&limits, WEFT_F64, 27000, 100);
    assert_int_equal(far.count, 3);
    assert_int_equal(far.radix[0], 30);
}

/* A third of the second level has both ends of the next one, too (device/cpu/ahead.c). */
static void lines_that_are_asked_for_are_as_in_the_caches(void **state)
{
    (void)state;
    struct limits limits = some_limits();
    limits.pair_step[30] = 2;
    const struct pair_steps near = pair_steps_of(&limits, WEFT_F64, 9000, 1);
    const struct pair_steps far = pair_steps_of(&limits, WEFT_F64, 9000, 1000);
    assert_int_equal(near.radix[0], 30);
    assert_int_equal(far.radix[0], 30);
}

/* What goes through its lines once more has shorter ones. */
static void lines_of_reals_are_shorter(void **state)
{
    (void)state;
    struct limits limits = some_limits();
    limits.pair_step[18] = limits.pair_step[20] = 2;
    assert_int_equal(kind_of(&limits, 67600, 1), PLAN_BLOCK);
    assert_int_equal(kind_within_reals(&limits, 2 * 67600), PLAN_SPLIT);
}

/* Twice as many reals as the line has numbers. */
static struct trial trial_of(weft_kind kind, int64_t n, int64_t lines, weft_precision precision)
{
    const int64_t length = kind == WEFT_C2C ? n : 2 * n;
    struct trial trial = trial_packed(1, &length, lines);
    trial.params.kind = kind;
    trial.params.precision = precision;
    trial.params.forward_scale = 0.5;
    trial.in_place = kind == WEFT_C2C && lines == 1;
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}

static int long_blocks;

static void examine(struct attempt *attempt)
{
    char text[2000];
    (void)weft_plan_text(attempt->plan, text, sizeof text);
    if (strstr(text, "block(") && !strstr(text, "split(")) long_blocks++;
    attempt_against_reference(attempt);
}

static void check_lines(const struct test_device *device, struct random random, int64_t n)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_C2C, WEFT_R2C, WEFT_C2R, WEFT_DCT2, WEFT_DHT};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); i++)
        for (int p = WEFT_F32; p <= WEFT_F64; p++) {
            const struct trial trial = trial_of(kinds[i], n, 1 + i % 3, (weft_precision)p);
            attempt_trial(device, &trial, random, examine);
        }
}

/* Whose tiles hold 256 doubles, so that lines are long soon. */
static bool make_small(const struct test_device *device)
{
    struct limits *limits = &device->device->device.limits;
    if (device->evaluated || !limits->pair_step[4]) return false;
    limits->shared_bytes = limits->cache_bytes[0] = 8192;
    limits->cache_bytes[1] = 65536;
    limits->cache_bytes[2] = 1 << 20;
    return true;
}

static void they_are_right(void **state)
{
    (void)state;
    static const int64_t lengths[] = {512, 845, 1040, 1331, 2197, 2304, 3136};
    const struct random random = {attempt_seed};
    int devices = 0;
    attempts_begin();
    for (int d = 0; d < attempt_device_count; d++) {
        if (!make_small(&attempt_devices[d])) continue;
        devices++;
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            check_lines(&attempt_devices[d], random, lengths[i]);
    }
    attempts_end();
    assert_true(devices == 0 || long_blocks >= 10 * devices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_lines_may_be_longer_than_a_tile),
        cmocka_unit_test(single_odd_lines_of_reals_are_cut),
        cmocka_unit_test(elevens_come_first_where_results_are_kept),
        cmocka_unit_test(their_trees_are_accepted),
        cmocka_unit_test(they_take_longer_as_they_fill_the_second_level),
        cmocka_unit_test(crowds_take_longer_and_fewer_legs_less),
        cmocka_unit_test(lines_of_far_batches_begin_and_end_by_few_legs),
        cmocka_unit_test(where_there_are_no_few_legs_there_are_steps_yet),
        cmocka_unit_test(lines_that_are_asked_for_are_as_in_the_caches),
        cmocka_unit_test(lines_of_reals_are_shorter),
        cmocka_unit_test(they_are_right),
    };
    return cmocka_run_group_tests(tests, attempts_open, attempts_close);
}
