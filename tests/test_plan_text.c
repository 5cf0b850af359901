/* Planning: how plans look, what is refused, and planning without memory. */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/planner.h"
#include "support/random.h"

/* Packed arrays of these sizes, ended by 0. */
static struct problem packed_problem(const int64_t *size, int64_t batch)
{
    struct problem p = {.scale = {1, 1}, .threads = 1};
    int64_t stride = 1;
    while (size[p.axes] > 0)
        p.axes++;
    for (int i = p.axes - 1; i >= 0; i--) {
        p.axis[i] = (struct dim){size[i], stride, stride};
        stride *= size[i];
    }
    if (batch > 1) p.loop[p.loops++] = (struct dim){batch, stride, stride};
    return p;
}

/* A device whose fast memory holds so many single-precision elements twice. */
static struct limits small_cpu(int64_t elements)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.shared_bytes = elements * 16;
    return limits;
}

static char *planned(const struct problem *problem, const struct limits *limits)
{
    arena *a = arena_create();
    struct text text = TEXT_EMPTY;
    const struct plan_node *tree;
    const struct program *program = NULL;
    if (!plan_best(a, problem, limits, &tree) && !plan_lower(a, problem, limits, tree, &program))
        program_print(&text, program, limits);
    else
        text_append(&text, "%s", error_last());
    for (int i = 0; program && i < program->passes; i++) {
        pass_print(&text, &program->pass[i]);
        text_append(&text, "\n");
    }
    char *copy = strdup(text_chars(&text));
    assert_non_null(copy);
    text_free(&text);
    arena_destroy(&a);
    return copy;
}

/* Trees that the model chooses with the default limits, or with others: a change here is a change
 * of plan, to be made on purpose. Stars stand for what the model's constants decide by little. */
struct golden {
    const char *limits; /* "" or what limits_parse reads */
    bool gpu;
    int64_t size[3]; /* axes, ended by 0 */
    const char *tree;
};

static const struct golden golden_trees[] = {
    {"", false, {8}, "block(8: 8)"},
    {"", false, {64}, "block(64: 8.8)"},
    {"", false, {125}, "block(125: 5.5.5)"},
    {"", false, {1024}, "block(1024: *)"},
    {"", false, {1009}, "rader(1009: block(1008: *))"},
    {"", false, {1000003}, "resampled(1000003: split(*: block(*), block(*)))"},
    {"", false, {16777216}, "split(16777216: block(*), *)"},
    {"", false, {160, 120}, "axes(19200: block(160: 16.10), block(120: *))"},
    {"", false, {160, 128}, "axes(20480: block(160: 10.16), block(128: *))"},
    {"", false, {1000, 1009}, "axes(1009000: block(1000: *), resampled(1009: block(1024: *)))"},
    {"shared=1024",
     false,
     {1000},
     "split(1000: block(5: 5), split(200: block(5: 5), block(40: *)))"},
    {"shared=1024",
     false,
     {1331},
     "split(1331: block(11: 11), split(121: block(11: 11), block(11: 11)))"},
    {"shared=4096", false, {1331}, "split(1331: block(11: 11), block(121: 11.11))"},
    {"shared=1024", false, {2018}, "resampled(2018: split(*))"},
    {"shared=256", false, {94}, "resampled(94: split(96: *))"},
    {"", true, {4096}, "block(4096: *)"},
    {"", true, {65536}, "split(65536: block(*), block(*))"},
    {"", true, {1048576}, "split(1048576: block(*), block(*))"},
    {"shared=16384,coalescing=64", true, {100000}, "split(100000: block(*), block(*))"},
    {"cluster=8", true, {4096}, "block(4096: *)"},
    {"cluster=8", true, {16384}, "block(16384: * over ?)"},
    {"cluster=8", true, {65536}, "block(65536: * over 8)"},
    {"cluster=1", true, {16384}, "split(16384: block(*), block(*))"},
    {"shared=232448,threads=1024", true, {926100}, "split(926100: block(980: *), block(945: *))"},
    {"", true, {64, 64}, "axes(4096: image(4096: block(64: *), block(64: *)))"},
    {"", true, {64, 64, 64}, "axes(262144: block(64: *), image(4096: block(64: *), block(64: *)))"},
    {"", true, {512, 512}, "axes(262144: block(512: *), block(512: *))"},
};

static void plans_are_those_written_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden_trees / sizeof *golden_trees; i++) {
        const struct golden *golden = &golden_trees[i];
        struct limits limits;
        if (golden->gpu)
            limits_default_gpu(&limits);
        else
            limits_default_cpu(&limits);
        assert_int_equal(limits_parse(&limits, golden->limits), WEFT_OK);
        int64_t size[4] = {golden->size[0], golden->size[1], golden->size[2], 0};
        struct problem problem = packed_problem(size, 1);
        arena *a = arena_create();
        const struct plan_node *tree;
        assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
        struct text text = TEXT_EMPTY;
        plan_print(&text, tree);
        if (fnmatch(golden->tree, text_chars(&text), 0) != 0)
            fail_msg("%s is not %s", text_chars(&text), golden->tree);
        text_free(&text);
        arena_destroy(&a);
    }
}

#define BLOCK(length, radix_count, ...)                                                            \
    {                                                                                              \
        .kind = PLAN_BLOCK, .n = length, .radices = radix_count, .radix = {__VA_ARGS__}            \
    }
#define PARTS(what, length, parts, ...)                                                            \
    {                                                                                              \
        .kind = what, .n = length, .children = parts, .child = {__VA_ARGS__}                       \
    }
static const struct plan_node block_32 = BLOCK(32, 2, 4, 8);
static const struct plan_node block_16 = BLOCK(16, 1, 16);
static const struct plan_node block_8 = BLOCK(8, 1, 8);
static const struct plan_node split_128 = PARTS(PLAN_SPLIT, 128, 2, &block_8, &block_16);
static const struct plan_node split_1024 = PARTS(PLAN_SPLIT, 1024, 2, &block_32, &block_32);
static const struct plan_node split_4096 = PARTS(PLAN_SPLIT, 4096, 2, &block_32, &split_128);
static const struct plan_node bluestein_61 = PARTS(PLAN_BLUESTEIN, 61, 1, &split_128);
static const struct plan_node cube = PARTS(PLAN_AXES, 512, 3, &block_8, &block_8, &block_8);

/* The passes of a tree, a line each. */
static void check_passes(const struct plan_node *tree, const int64_t *size, int64_t batch,
                         const char *expected)
{
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem problem = packed_problem(size, batch);
    arena *a = arena_create();
    const struct program *program;
    assert_int_equal(plan_lower(a, &problem, &limits, tree, &program), WEFT_OK);
    struct text text = TEXT_EMPTY;
    for (int i = 0; i < program->passes; i++) {
        pass_print(&text, &program->pass[i]);
        text_append(&text, "\n");
    }
    assert_string_equal(text_chars(&text), expected);
    text_free(&text);
    arena_destroy(&a);
}

static void trees_become_the_passes_written_down(void **state)
{
    (void)state;
    check_passes(&block_32, (int64_t[]){32, 0}, 100,
                 "transform 32 4.8 input>output line 32:1:1 loops 100:32:32 scaled\n");
    check_passes(&split_1024, (int64_t[]){1024, 0}, 1,
                 "transform 32 4.8 input>scratch line 32:32:32 loops 32:1:1 twiddle "
                 "1024 by 0\n"
                 "transform 32 4.8 scratch>output line 32:1:32 loops 32:32:1 scaled\n");
    check_passes(&split_4096, (int64_t[]){4096, 0}, 1,
                 "transform 32 4.8 input>scratch line 32:128:128 loops 128:1:1 "
                 "twiddle 4096 by 0\n"
                 "transform 8 8 scratch>scratch line 8:16:16 loops 16:1:1 32:128:128 "
                 "twiddle 128 by 0\n"
                 "transform 16 16 scratch>output line 16:1:256 loops 32:128:1 "
                 "8:16:32 scaled\n");
    check_passes(&bluestein_61, (int64_t[]){61, 0}, 2,
                 "transform 8 8 input>scratch line 8:16:16 loops 16:1:1 2:61:128 "
                 "chirp< 61 16+1.0 twiddle 128 by 0\n"
                 "convolution 16 16 scratch>scratch line 16:1:1 loops 8:16:16 "
                 "2:128:128 spectrum 1 8+1.0 twiddle* 128 by 0\n"
                 "transform backward 8 8 scratch>output line 8:16:16 loops 16:1:1 "
                 "2:128:61 chirp> 61 16+1.0 scaled\n");
    check_passes(&cube, (int64_t[]){8, 8, 8, 0}, 5,
                 "transform 8 8 input>output line 8:1:1 loops 320:8:8\n"
                 "transform 8 8 output>output line 8:8:8 loops 8:1:1 40:64:64\n"
                 "transform 8 8 output>output line 8:64:64 loops 64:1:1 5:512:512 "
                 "scaled\n");
}

/* Planes come first, of few rows, and the slowest axis last, from a draft where caches do not hold
 * the cube. */
static void halves_of_all_axes_leave_their_order_alone(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        bool out;
    } cases[] = {{256, false}, {256, true}, {128, true}, {8, false}};
    struct limits limits;
    limits_default_cpu(&limits);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t n = cases[i].n;
        struct problem problem = packed_problem((int64_t[]){n, n, n, 0}, 1);
        for (int k = 0; k < 3; k++)
            problem.range[cases[i].out][k] = (struct range){0, n / 2};
        char *text = planned(&problem, &limits);
        text[strcspn(text, "\n")] = 0;
        assert_null(strstr(text, " as "));
        free(text);
    }
}

/* The one axis with zeros is best taken last, whichever it is, on any device. */
static void an_axis_with_zeros_is_taken_last(void **state)
{
    (void)state;
    struct limits limits[2];
    limits_default_cpu(&limits[0]);
    limits_default_gpu(&limits[1]);
    for (int l = 0; l < 2; l++) {
        for (int axis = 0; axis < 3; axis++) {
            struct problem problem = packed_problem((int64_t[]){128, 128, 128, 0}, 1);
            problem.range[0][axis] = (struct range){100, 10};
            arena *a = arena_create();
            const struct plan_node *tree;
            assert_int_equal(plan_best(a, &problem, &limits[l], &tree), WEFT_OK);
            assert_int_equal(tree->ordered ? tree->order[0] : 0, axis);
            arena_destroy(&a);
        }
    }
}

/* The last axis alone gets shorter, and what grows would lie where the output has no room. */
static void no_order_needs_more_room_in_the_output_than_the_own_one(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem problem = packed_problem((int64_t[]){1024, 4096, 0}, 1);
    problem.range[0][1] = (struct range){0, 40};
    problem.range[1][1] = (struct range){30, 4000};
    problem.axis[0].out_stride = 4000;
    char *text = planned(&problem, &limits);
    assert_null(strstr(text, " as 1.0"));
    assert_null(strstr(text, "draft"));
    free(text);
}

static bool begins_with_columns(const struct problem *problem, const struct limits *limits)
{
    char *text = planned(problem, limits);
    const bool begins = strstr(text, "input    output   columns") != NULL;
    assert_true(begins || strstr(text, "input    output   rows"));
    free(text);
    return begins;
}

/* Of 8 MB, columns whose last step can be streamed and whose rows begin with lines of the cache. */
static void images_beyond_the_caches_begin_with_columns(void **state)
{
    (void)state;
    static const struct {
        int64_t size[3];
        bool begins;
    } cases[] = {{{1000, 1024}, true},  {{500, 512}, false},        {{1000, 1020}, false},
                 {{8192, 512}, false},  {{100, 128, 100}, true}, {{16, 1024, 100}, false}};
    struct limits limits, none;
    limits_default_cpu(&limits);
    none = limits;
    memset(none.streamed, 0, sizeof none.streamed);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *size = cases[i].size;
        struct problem problem = packed_problem((int64_t[]){size[0], size[1], size[2], 0}, 1);
        problem.format = WEFT_INTERLEAVED;
        assert_int_equal(begins_with_columns(&problem, &limits), cases[i].begins);
        assert_false(begins_with_columns(&problem, &none));
        problem.format = WEFT_PLANAR;
        assert_false(begins_with_columns(&problem, &limits));
    }
}

static void a_program_is_printed_as_a_table(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_gpu(&limits);
    struct problem problem = packed_problem((int64_t[]){4096, 0}, 3);
    arena *a = arena_create();
    const struct program *program;
    assert_int_equal(plan_lower(a, &problem, &limits, &split_4096, &program), WEFT_OK);
    struct text text = TEXT_EMPTY;
    program_print(&text, program, &limits);
    assert_string_equal(text_chars(&text),
                        "split(4096: block(32: 4.8), split(128: block(8: 8), block(16: 16)))\n"
                        "for gpu, single precision\n"
                        "\n"
                        "pass      bytes       time  from     to       what\n"
                        "   1     197 kB    2.54 us  input    scratch  columns 32 over 128 "
                        "x 3, radices 4.8, twiddle 4096\n"
                        "   2     197 kB    2.55 us  scratch  scratch  columns 8 over 16 x "
                        "96, radix 8, twiddle 128\n"
                        "   3     197 kB    2.54 us  scratch  output   rows 16 over 32 x 8 "
                        "x 3, radix 16\n"
                        "\n"
                        "scratch    98.3 kB\n"
                        "moved       590 kB  read and written by all passes\n"
                        "expected   7.62 us\n"
                        "bound      35.7 ns  one read and one write of the data\n");
    text_free(&text);
    arena_destroy(&a);
}

static void planning_twice_gives_the_same_plan(void **state)
{
    (void)state;
    struct random random = {1};
    for (int k = 0; k < 100; k++) {
        const int64_t size[] = {random_between(&random, 2, 10000), random_between(&random, 1, 90),
                                0};
        struct problem problem = packed_problem(size, random_between(&random, 1, 1000));
        struct limits limits = small_cpu(random_between(&random, 8, 4000));
        char *first = planned(&problem, &limits), *second = planned(&problem, &limits);
        assert_string_equal(first, second);
        free(first);
        free(second);
    }
}

static void a_size_beyond_the_limits_is_refused_in_words(void **state)
{
    (void)state;
    struct problem problem = packed_problem((int64_t[]){INT64_C(1) << 40, 0}, 1);
    struct limits limits = small_cpu(1024);
    limits.largest_buffer = 1 << 20;
    char *words = planned(&problem, &limits);
    assert_non_null(strstr(words, "length 1099511627776"));
    free(words);
}

static void too_many_ranges_of_two_runs_are_refused_in_words(void **state)
{
    (void)state;
    struct problem problem = packed_problem((int64_t[]){4, 4, 4, 4, 4, 4, 0}, 1);
    for (int k = 0; k < problem.axes; k++) problem.range[0][k] = (struct range){3, 2};
    struct limits limits = small_cpu(1024);
    char *words = planned(&problem, &limits);
    assert_non_null(strstr(words, "goes on at 0"));
    assert_non_null(strstr(words, "at most 32"));
    free(words);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    const struct problem problems[] = {packed_problem((int64_t[]){1000, 1009, 0}, 1),
                                       packed_problem((int64_t[]){1048576, 0}, 1),
                                       packed_problem((int64_t[]){10007, 0}, 3)};
    struct limits limits = small_cpu(2048);
    int64_t live = memory_live_blocks();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const struct problem *problem = &problems[i];
        bool planned_once = false;
        for (int64_t successes = 0; !planned_once; successes++) {
            memory_fail_after(successes);
            arena *a = arena_create();
            const struct plan_node *tree;
            const struct program *program;
            weft_status status = a ? plan_best(a, problem, &limits, &tree) : WEFT_ERROR_MEMORY;
            if (!status) status = plan_lower(a, problem, &limits, tree, &program);
            if (status) assert_int_equal(status, WEFT_ERROR_MEMORY);
            planned_once = !status;
            if (a) arena_destroy(&a);
            assert_true(successes < 10000);
        }
        memory_fail_after(-1);
        assert_int_equal(memory_live_blocks(), live);
    }
}

static void planning_time_is_printed(void **state)
{
    (void)state;
    static const int64_t lengths[] = {16, 1024, 4096, 5040, 10007, 65536, 65520, 1000003, 4194304};
    struct limits limits;
    limits_default_cpu(&limits);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct problem problem = packed_problem((int64_t[]){lengths[i], 0}, 1);
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        arena *a = arena_create();
        const struct plan_node *tree;
        const struct program *program;
        assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
        assert_int_equal(plan_lower(a, &problem, &limits, tree, &program), WEFT_OK);
        clock_gettime(CLOCK_MONOTONIC, &end);
        arena_destroy(&a);
        double microseconds = 1e6 * (double)(end.tv_sec - begin.tv_sec) +
                              1e-3 * (double)(end.tv_nsec - begin.tv_nsec);
        print_message("planning %lld took %.0f us\n", (long long)lengths[i], microseconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_those_written_down),
        cmocka_unit_test(trees_become_the_passes_written_down),
        cmocka_unit_test(halves_of_all_axes_leave_their_order_alone),
        cmocka_unit_test(an_axis_with_zeros_is_taken_last),
        cmocka_unit_test(no_order_needs_more_room_in_the_output_than_the_own_one),
        cmocka_unit_test(images_beyond_the_caches_begin_with_columns),
        cmocka_unit_test(a_program_is_printed_as_a_table),
        cmocka_unit_test(planning_twice_gives_the_same_plan),
        cmocka_unit_test(a_size_beyond_the_limits_is_refused_in_words),
        cmocka_unit_test(too_many_ranges_of_two_runs_are_refused_in_words),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(planning_time_is_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
