/* Trees of plans as text: read back as they were printed, and refused where they make no plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "plan/planner.h"
#include "support/trees.h"
#include "tune/variants.h"

static void assert_comes_back(arena *a, const struct problem *problem, const struct limits *limits,
                              const struct plan_node *tree)
{
    struct text printed = TEXT_EMPTY, again = TEXT_EMPTY;
    plan_print(&printed, tree);
    const struct plan_node *read = tree_parse(a, text_chars(&printed));
    assert_non_null(read);
    plan_print(&again, read);
    assert_string_equal(text_chars(&again), text_chars(&printed));
    if (plan_check(problem, limits, read) != WEFT_OK)
        fail_msg("%s: %s", text_chars(&printed), error_last());
    const struct program *program;
    assert_int_equal(plan_lower(a, problem, limits, read, &program), WEFT_OK);
    text_free(&printed);
    text_free(&again);
}

static void candidates_come_back(const struct problem *problem, const struct limits *limits)
{
    arena *a = arena_create();
    const struct plan_node *tree[16];
    int count = 0;
    if (plan_candidates(a, problem, limits, 16, tree, &count) == WEFT_OK) {
        for (int i = 0; i < count; i++)
            assert_comes_back(a, problem, limits, tree[i]);
    }
    arena_destroy(&a);
}

static void every_tree_of_the_planner_is_read_back_and_accepted(void **state)
{
    (void)state;
    static const int64_t sizes[] = {2,     7,     11,    17,      37,     60,      64,
                                    67,    1009,  1024,  1018081, 3600,   8191,    10007,
                                    44100, 65536, 65537, 1 << 20, 262147, 1000003, 16777259};
    enum { MACHINES = 4 };
    struct limits limits[MACHINES];
    limits_default_cpu(&limits[0]);
    limits_default_gpu(&limits[1]);
    limits[2] = limits[1];
    assert_int_equal(limits_parse(&limits[2], "shared=16384,threads=256"), WEFT_OK);
    limits[3] = limits[2];
    assert_int_equal(limits_parse(&limits[3], "cluster=8"), WEFT_OK);
    for (int l = 0; l < MACHINES; l++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct problem p = tree_line(sizes[i]);
            p.precision = i & 1 ? WEFT_F64 : WEFT_F32;
            candidates_come_back(&p, &limits[l]);
        }
        struct problem image = {.axes = 3,
                                .axis = {{12, 1036, 1036}, {37, 28, 28}, {28, 1, 1}},
                                .scale = {1, 1},
                                .threads = 1};
        candidates_come_back(&image, &limits[l]);
        image.axis[2].n = image.axis[1].n = image.axis[0].n = 8;
        candidates_come_back(&image, &limits[l]);
        image.range[0][0] = (struct range){2, 1};
        candidates_come_back(&image, &limits[l]);
        struct problem copy = {.loops = 1, .loop = {{5, 1, 1}}, .scale = {1, 1}, .threads = 1};
        candidates_come_back(&copy, &limits[l]);
    }
}

static void what_is_no_tree_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "block",
        "block(8",
        "block(8: 2.4",
        "block(8: 2.2)",
        "block(8: 2.-4)",
        "block(8: 8.1)",
        "block(8)",
        "block(08: 8)",
        "block(-8: 8)",
        "block(1)",
        "block(9223372036854775808: 2)",
        "block(4: 2.2147483649.2147483648)",
        "blocks(8: 8)",
        "block(8: 8 by 0)",
        "block(8: 8 by 257)",
        "block(8: 8 by )",
        "block(64: 8.8 over 1)",
        "block(64: 8.8 over 3)",
        "block(64: 8.8 over 17)",
        "block(64: 64 over 2)",
        "block(64: 8.8 over 2 by 4)",
        "split(64: block(8: 8), block(8: 8) by 2)",
        "copy(2)",
        "copy(1: copy(1))",
        "split(64: block(8: 8), block(4: 4))",
        "split(8: block(8: 8))",
        "split(64: block(8: 8),block(8: 8))",
        "axes(8)",
        "axes(64: axes(64: block(8: 8), block(8: 8)))",
        "axes(64: copy(1), block(64: 8.8))",
        "axes(64: block(8: 8), block(8: 8) as 1)",
        "axes(64: block(8: 8), block(8: 8) as 1.1)",
        "axes(64: block(8: 8), block(8: 8) as 1.2)",
        "axes(64: block(8: 8), block(8: 8) as 1.0.2)",
        "axes(64: block(4: 4), image(16: block(2: 2), block(8: 8)) as 1.0)",
        "split(64: block(8: 8), block(8: 8) as 1.0)",
        "image(8: block(8: 8))",
        "image(8: block(4: 4), block(4: 4))",
        "axes(8: axes(8: block(2: 2), block(4: 4)))",
        "image(8: block(8: 8))",
        "image(64: block(8: 8), split(8: block(2: 2), block(4: 4)))",
        "rader(7: block(7: 7))",
        "rader(7)",
        "bluestein(7: block(12: 12))",
        "bluestein(4611686018427387905: block(8: 8))",
        "trigonometric(16: block(8: 8), block(4: 4))",
        "trigonometric(16: block(8: 8), block(8: 8), block(8: 8))",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        arena *a = arena_create();
        const char *text = wrong[i];
        const struct plan_node *tree;
        assert_int_equal(plan_parse(a, &text, &tree), WEFT_ERROR_ARGUMENT);
        assert_ptr_equal(text, wrong[i]);
        arena_destroy(&a);
    }
    char deep[2000] = "";
    for (int i = 0; i < 60; i++)
        strcat(deep, "split(16: block(2: 2), ");
    arena *a = arena_create();
    assert_null(tree_parse(a, deep));
    arena_destroy(&a);
}

/* Any block of the tree, and no other, is given columns; a GPU is told of them by its passes. */
static void columns_are_given_to_one_block(void **state)
{
    (void)state;
    static const char *const trees[] = {
        "split(4096: block(64: 8.8), rader(64: block(63: 9.7)))",
        "axes(64: block(4: 4), image(16: block(2: 2), block(8: 8)))",
    };
    static const char *const changed[2][2] = {
        {"split(4096: block(64: 8.8 by 2), rader(64: block(63: 9.7)))",
         "split(4096: block(64: 8.8), rader(64: block(63: 9.7 by 2)))"},
        {"axes(64: block(4: 4 by 2), image(16: block(2: 2), block(8: 8)))",
         "axes(64: block(4: 4), image(16: block(2: 2), block(8: 8 by 2)))"},
    };
    arena *a = arena_create();
    for (int t = 0; t < 2; t++) {
        const struct plan_node *tree = tree_parse(a, trees[t]);
        assert_int_equal(variants_blocks(tree), 2);
        for (int block = 0; block < 2; block++) {
            struct text text = TEXT_EMPTY;
            plan_print(&text, variants_with_columns(a, tree, block, 2));
            assert_string_equal(text_chars(&text), changed[t][block]);
            assert_non_null(tree_parse(a, text_chars(&text)));
            text_free(&text);
        }
    }
    struct limits gpu;
    limits_default_gpu(&gpu);
    const struct problem p = tree_line(64);
    const struct plan_node *tree = tree_parse(a, "block(64: 8.8 by 4)");
    const struct program *program;
    assert_int_equal(plan_check(&p, &gpu, tree), WEFT_OK);
    assert_int_equal(plan_lower(a, &p, &gpu, tree, &program), WEFT_OK);
    assert_int_equal(program->pass[0].columns, 4);
    arena_destroy(&a);
}

/* Trees that are sound, but not for the problem or beyond what a CPU can do. */
static void a_tree_must_fit_its_problem_and_limits(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        const char *tree;
    } wrong[] = {
        {16, "block(8: 8)"},
        {8, "copy(1)"},
        {64, "axes(64: block(8: 8), block(8: 8))"},
        {64, "image(64: block(8: 8), block(8: 8))"},
        {64, "block(64: 8.8 by 4)"}, /* a CPU chooses for itself */
        {64, "axes(64: image(64: block(8: 8), block(8: 8)))"},
        {39, "block(39: 39)"},
        {37, "block(37: 37)"},
        {128, "block(128: 128)"},
        {128, "block(128: 64.2)"},
        {51, "block(51: 17.3)"}, /* 17 is a last step only, of some limits */
        {1 << 20, "block(1048576: 32.32.32.32)"},
        {21, "rader(21: block(20: 20))"},
        {7, "rader(7: split(6: block(2: 2), block(3: 3)))"},
        {49, "split(49: bluestein(7: block(13: 13)), block(7: 7))"},
        {100, "split(100: split(10: block(2: 2), block(5: 5)), block(10: 10))"},
        {100, "split(100: block(10: 10), axes(10: block(2: 2), block(5: 5)))"},
        {7, "bluestein(7: rader(13: block(12: 12)))"},
        {28, "split(28: block(4: 4), bluestein(7: split(16: block(4: 4), block(4: 4))))"},
        {16, "transposed(16: block(4: 4), block(4: 4))"}, /* nobody allows it */
    };
    struct limits limits;
    limits_default_cpu(&limits);
    limits.step[17] = false;
    arena *a = arena_create();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const struct problem p = tree_line(wrong[i].n);
        const struct plan_node *tree = tree_parse(a, wrong[i].tree);
        assert_non_null(tree);
        assert_int_equal(plan_check(&p, &limits, tree), WEFT_ERROR_UNSUPPORTED);
    }
    arena_destroy(&a);
}

static void orders_of_axes_are_free_but_for_one_of_half_a_spectrum(void **state)
{
    (void)state;
    static const char complexes[] = "axes(512: block(8: 8), block(8: 8), block(8: 8) as 2.1.0)";
    static const char *const halves[] = {
        "axes(512: block(8: 8), block(8: 8), real(8: block(4: 4)) as 1.0.2)",
        "axes(512: block(8: 8), block(8: 8), real(8: block(4: 4)) as 0.2.1)"};
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem p = {.kind = WEFT_C2C,
                        .axes = 3,
                        .axis = {{8, 64, 64}, {8, 8, 8}, {8, 1, 1}},
                        .scale = {1, 1},
                        .threads = 1};
    arena *a = arena_create();
    assert_comes_back(a, &p, &limits, tree_parse(a, complexes));
    p.kind = WEFT_R2C;
    assert_comes_back(a, &p, &limits, tree_parse(a, halves[0]));
    assert_int_equal(plan_check(&p, &limits, tree_parse(a, halves[1])), WEFT_ERROR_UNSUPPORTED);
    arena_destroy(&a);
}

static void ways_back_of_cosines_may_have_trees_of_their_own(void **state)
{
    (void)state;
    static const char halves[] = "split(64: block(4: 4), split(16: block(4: 4), block(4: 4)))";
    static const char complexes[] = "split(32: block(4: 4), block(8: 8))";
    struct limits limits;
    limits_default_gpu(&limits);
    struct problem p = tree_line(64);
    arena *a = arena_create();
    for (int third = 0; third < 2; third++) {
        p.kind = third ? WEFT_DCT3 : WEFT_DCT2;
        for (int back = 0; back < 2; back++) {
            char tree[200];
            snprintf(tree, sizeof tree, "trigonometric(64: %s, %s)", back ? complexes : halves,
                     back ? halves : complexes);
            if (back == third)
                assert_comes_back(a, &p, &limits, tree_parse(a, tree));
            else
                assert_int_equal(plan_check(&p, &limits, tree_parse(a, tree)),
                                 WEFT_ERROR_UNSUPPORTED);
        }
    }
    arena_destroy(&a);
}

static void shapes_come_back(void **state)
{
    (void)state;
    const struct problem some[] = {
        tree_line(1000),
        {.precision = WEFT_F64,
         .format = WEFT_PLANAR,
         .axes = 2,
         .loops = 2,
         .axis = {{5, -7, INT64_MAX}, {3, 0, 1}},
         .loop = {{0, 1, 1}, {2, 3, 4}},
         .scale = {1, 1},
         .threads = 4096},
        {.loops = 1, .loop = {{9, 1, 2}}, .scale = {1, 1}, .threads = 3},
        {.axes = 1,
         .axis = {{4, 1, 1}},
         .scale = {1, 1},
         .threads = 1,
         .side = {{.storage = WEFT_STORED_U16}, {.storage = WEFT_STORED_BF16}}},
        {.precision = WEFT_F64,
         .axes = 1,
         .axis = {{4, 1, 1}},
         .scale = {1, 1},
         .threads = 1,
         .side = {{0}, {.storage = WEFT_STORED_F32}}},
        {.axes = 1,
         .axis = {{65536, 1, 1}},
         .scale = {1, 1},
         .threads = 1,
         .order = WEFT_TRANSPOSED},
        {.kind = WEFT_DCT2,
         .axis_kind = {0, WEFT_DHT, 0},
         .axes = 3,
         .axis = {{4, 27, 27}, {3, 9, 9}, {9, 1, 1}},
         .scale = {1, 1},
         .threads = 1},
        {.kind = WEFT_R2C,
         .axes = 2,
         .axis = {{4, 1, 1}, {9, 4, 4}},
         .scale = {1, 1},
         .threads = 1,
         .side = {{.storage = WEFT_STORED_U8}, {0}},
         .range = {{{3, 2}, {0, 0}}, {{0, 0}, {4, 3}}}},
    };
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        struct text text = TEXT_EMPTY;
        struct problem read;
        problem_print_shape(&text, &some[i]);
        const char *rest = text_chars(&text);
        assert_true(problem_parse_shape(&rest, &read));
        assert_string_equal(rest, "");
        assert_true(problem_equal(&read, &some[i]));
        for (size_t cut = 0; cut + 1 < text.length; cut++) { /* "4096" may be cut to "409" */
            char part[400] = "";
            memcpy(part, text_chars(&text), cut);
            rest = part;
            if (problem_parse_shape(&rest, &read)) assert_false(problem_equal(&read, &some[i]));
        }
        text_free(&text);
    }
}

int main(void)
{
    setenv("WEFT_CACHE_DIR", "", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_of_the_planner_is_read_back_and_accepted),
        cmocka_unit_test(what_is_no_tree_is_refused),
        cmocka_unit_test(a_tree_must_fit_its_problem_and_limits),
        cmocka_unit_test(columns_are_given_to_one_block),
        cmocka_unit_test(orders_of_axes_are_free_but_for_one_of_half_a_spectrum),
        cmocka_unit_test(ways_back_of_cosines_may_have_trees_of_their_own),
        cmocka_unit_test(shapes_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
