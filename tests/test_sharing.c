/* What the planner leaves to several threads of a processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "plan/planner.h"

struct planned {
    arena *memory;
    const struct program *program;
};

/* Images of so many rows and columns; rows 1: lines. On four cores, or as many as threads. */
static struct planned plan(int64_t rows, int64_t columns, int64_t batch, int threads)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.cores = 4;
    struct problem problem = {.precision = WEFT_F32, .scale = {1, 1}, .threads = threads};
    if (rows > 1) problem.axis[problem.axes++] = (struct dim){rows, columns, columns};
    problem.axis[problem.axes++] = (struct dim){columns, 1, 1};
    const int64_t image = rows * columns;
    if (batch > 1) problem.loop[problem.loops++] = (struct dim){batch, image, image};
    struct planned made = {.memory = arena_create()};
    const struct plan_node *tree;
    assert_int_equal(plan_best(made.memory, &problem, &limits, &tree), WEFT_OK);
    assert_int_equal(plan_lower(made.memory, &problem, &limits, tree, &made.program), WEFT_OK);
    return made;
}

static int count_shared(const struct program *program)
{
    int shared = 0;
    for (int p = 0; p < program->passes; p++) shared += program->pass[p].shared;
    return shared;
}

static int count_dealt(const struct program *program)
{
    int dealt = 0;
    for (int s = 0; s < program->stages; s++) dealt += program->stage[s].dealt;
    return dealt;
}

static void small_problems_stay_on_one_thread(void **state)
{
    (void)state;
    static const int64_t small[][3] = {{1, 16, 1}, {1, 1024, 1}, {1, 64, 8}, {16, 16, 1}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        struct planned p = plan(small[i][0], small[i][1], small[i][2], 4);
        assert_int_equal(count_shared(p.program) + count_dealt(p.program), 0);
        arena_destroy(&p.memory);
    }
}

static void long_passes_are_shared(void **state)
{
    (void)state;
    static const int64_t large[][3] = {{1, 1 << 20, 1}, {1024, 1024, 1}, {1, 1024, 1024}};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        struct planned p = plan(large[i][0], large[i][1], large[i][2], 4);
        assert_int_equal(count_shared(p.program), p.program->passes);
        arena_destroy(&p.memory);
    }
}

static void one_thread_shares_nothing(void **state)
{
    (void)state;
    struct planned p = plan(64, 64, 1000, 1);
    assert_int_equal(count_shared(p.program) + count_dealt(p.program), 0);
    arena_destroy(&p.memory);
}

static void steps_of_a_batch_are_dealt(void **state)
{
    (void)state;
    struct planned p = plan(64, 64, 1000, 4);
    assert_int_equal(count_dealt(p.program), p.program->stages);
    assert_int_equal(count_shared(p.program), 0);
    arena_destroy(&p.memory);
}

static void each_thread_has_scratch_of_its_own(void **state)
{
    (void)state;
    struct planned alone = plan(1, 1 << 16, 64, 1), dealt = plan(1, 1 << 16, 64, 4);
    assert_true(alone.program->scratch_elements > 0);
    assert_int_equal(count_dealt(dealt.program), 1);
    const int64_t own = dealt.program->scratch_elements;
    for (int t = 1; t < 4; t++) {
        const int64_t place = program_dealt_place(dealt.program, t);
        assert_true(place >= t * own);
        assert_true(place + own <= program_scratch_elements(dealt.program));
    }
    arena_destroy(&alone.memory);
    arena_destroy(&dealt.memory);
}

static void scratch_of_all_threads_stays_in_the_cache(void **state)
{
    (void)state;
    struct planned p = plan(1, 1 << 22, 16, 4);
    assert_int_equal(count_dealt(p.program), 0);
    assert_int_equal(count_shared(p.program), p.program->passes);
    arena_destroy(&p.memory);
}

static void threads_never_cost_time(void **state)
{
    (void)state;
    for (int64_t n = 16; n <= 1 << 20; n *= 2) {
        struct planned alone = plan(1, n, 1, 1);
        double least = alone.program->seconds;
        for (int threads = 2; threads <= 4; threads++) {
            struct planned p = plan(1, n, 1, threads);
            assert_true(p.program->seconds <= least * (1 + 1e-9));
            arena_destroy(&p.memory);
        }
        arena_destroy(&alone.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_problems_stay_on_one_thread),
        cmocka_unit_test(long_passes_are_shared),
        cmocka_unit_test(one_thread_shares_nothing),
        cmocka_unit_test(steps_of_a_batch_are_dealt),
        cmocka_unit_test(each_thread_has_scratch_of_its_own),
        cmocka_unit_test(scratch_of_all_threads_stays_in_the_cache),
        cmocka_unit_test(threads_never_cost_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
