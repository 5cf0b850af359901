/* Wisdom: trees are read back as they were printed, what is damaged or of another device is not
 * used, and processes add to one file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "device/null/null.h"
#include "plan/planner.h"
#include "store/folder.h"
#include "tune/variants.h"
#include "tune/wisdom.h"

static struct problem line_of(int64_t n)
{
    return (struct problem){.kind = WEFT_C2C, .axes = 1, .axis = {{n, 1, 1}}, .scale = {1, 1},
                            .threads = 1};
}

/* ---- trees ---- */

static const struct plan_node *parse(arena *a, const char *text)
{
    const struct plan_node *tree = NULL;
    const weft_status status = plan_parse(a, &text, &tree);
    if (status) return NULL;
    assert_string_equal(text, "");
    return tree;
}

static void assert_comes_back(arena *a, const struct problem *problem, const struct limits *limits,
                              const struct plan_node *tree)
{
    struct text printed = TEXT_EMPTY, again = TEXT_EMPTY;
    plan_print(&printed, tree);
    const struct plan_node *read = parse(a, text_chars(&printed));
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
            struct problem p = line_of(sizes[i]);
            p.precision = i & 1 ? WEFT_F64 : WEFT_F32;
            candidates_come_back(&p, &limits[l]);
        }
        struct problem image = {.axes = 3, .axis = {{12, 1036, 1036}, {37, 28, 28}, {28, 1, 1}},
                                .scale = {1, 1}, .threads = 1};
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
    assert_null(parse(a, deep));
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
        const struct plan_node *tree = parse(a, trees[t]);
        assert_int_equal(variants_blocks(tree), 2);
        for (int block = 0; block < 2; block++) {
            struct text text = TEXT_EMPTY;
            plan_print(&text, variants_with_columns(a, tree, block, 2));
            assert_string_equal(text_chars(&text), changed[t][block]);
            assert_non_null(parse(a, text_chars(&text)));
            text_free(&text);
        }
    }
    struct limits gpu;
    limits_default_gpu(&gpu);
    const struct problem p = line_of(64);
    const struct plan_node *tree = parse(a, "block(64: 8.8 by 4)");
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
        const struct problem p = line_of(wrong[i].n);
        const struct plan_node *tree = parse(a, wrong[i].tree);
        assert_non_null(tree);
        assert_int_equal(plan_check(&p, &limits, tree), WEFT_ERROR_UNSUPPORTED);
    }
    arena_destroy(&a);
}

static void orders_of_axes_are_free_but_for_one_of_half_a_spectrum(void **state)
{
    (void)state;
    static const char complexes[] =
        "axes(512: block(8: 8), block(8: 8), block(8: 8) as 2.1.0)";
    static const char *const halves[] = {
        "axes(512: block(8: 8), block(8: 8), real(8: block(4: 4)) as 1.0.2)",
        "axes(512: block(8: 8), block(8: 8), real(8: block(4: 4)) as 0.2.1)"};
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem p = {.kind = WEFT_C2C, .axes = 3, .axis = {{8, 64, 64}, {8, 8, 8}, {8, 1, 1}},
                        .scale = {1, 1}, .threads = 1};
    arena *a = arena_create();
    assert_comes_back(a, &p, &limits, parse(a, complexes));
    p.kind = WEFT_R2C;
    assert_comes_back(a, &p, &limits, parse(a, halves[0]));
    assert_int_equal(plan_check(&p, &limits, parse(a, halves[1])), WEFT_ERROR_UNSUPPORTED);
    arena_destroy(&a);
}

static void ways_back_of_cosines_may_have_trees_of_their_own(void **state)
{
    (void)state;
    static const char halves[] = "split(64: block(4: 4), split(16: block(4: 4), block(4: 4)))";
    static const char complexes[] = "split(32: block(4: 4), block(8: 8))";
    struct limits limits;
    limits_default_gpu(&limits);
    struct problem p = line_of(64);
    arena *a = arena_create();
    for (int third = 0; third < 2; third++) {
        p.kind = third ? WEFT_DCT3 : WEFT_DCT2;
        for (int back = 0; back < 2; back++) {
            char tree[200];
            snprintf(tree, sizeof tree, "trigonometric(64: %s, %s)", back ? complexes : halves,
                     back ? halves : complexes);
            if (back == third) assert_comes_back(a, &p, &limits, parse(a, tree));
            else assert_int_equal(plan_check(&p, &limits, parse(a, tree)), WEFT_ERROR_UNSUPPORTED);
        }
    }
    arena_destroy(&a);
}

static void shapes_come_back(void **state)
{
    (void)state;
    const struct problem some[] = {
        line_of(1000),
        {.precision = WEFT_F64, .format = WEFT_PLANAR, .axes = 2, .loops = 2,
         .axis = {{5, -7, INT64_MAX}, {3, 0, 1}}, .loop = {{0, 1, 1}, {2, 3, 4}}, .scale = {1, 1},
         .threads = 4096},
        {.loops = 1, .loop = {{9, 1, 2}}, .scale = {1, 1}, .threads = 3},
        {.axes = 1, .axis = {{4, 1, 1}}, .scale = {1, 1}, .threads = 1,
         .side = {{.storage = WEFT_STORED_U16}, {.storage = WEFT_STORED_BF16}}},
        {.precision = WEFT_F64, .axes = 1, .axis = {{4, 1, 1}}, .scale = {1, 1}, .threads = 1,
         .side = {{0}, {.storage = WEFT_STORED_F32}}},
        {.axes = 1, .axis = {{65536, 1, 1}}, .scale = {1, 1}, .threads = 1,
         .order = WEFT_TRANSPOSED},
        {.kind = WEFT_R2C, .axes = 2, .axis = {{4, 1, 1}, {9, 4, 4}}, .scale = {1, 1},
         .threads = 1, .side = {{.storage = WEFT_STORED_U8}, {0}},
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

/* ---- wisdom ---- */

struct place {
    char folder[64];
    char file[96];
    struct device device;
};

static int open_place(void **state)
{
    static struct place place;
    memset(&place, 0, sizeof place);
    snprintf(place.folder, sizeof place.folder, "/tmp/weft-test-wisdom-XXXXXX");
    if (!mkdtemp(place.folder)) return -1;
    snprintf(place.file, sizeof place.file, "%s/exported", place.folder);
    setenv("WEFT_CACHE_DIR", place.folder, 1);
    place.device.ops = &cpu_device_ops;
    *state = &place;
    return cpu_device_ops.open(NULL, &place.device) == WEFT_OK ? 0 : -1;
}

static int close_place(void **state)
{
    struct place *place = *state;
    char command[128];
    cpu_device_ops.close(&place->device);
    setenv("WEFT_CACHE_DIR", "", 1);
    snprintf(command, sizeof command, "rm -rf %s", place->folder);
    return system(command);
}

static struct wisdom *open_wisdom(const struct device *device)
{
    struct wisdom *wisdom = NULL;
    assert_int_equal(wisdom_create(device, &wisdom), WEFT_OK);
    return wisdom;
}

static bool keep(struct wisdom *wisdom, int64_t n, const char *words)
{
    arena *a = arena_create();
    const struct problem p = line_of(n);
    const struct plan_node *tree = parse(a, words);
    assert_non_null(tree);
    const bool kept = wisdom_keep(wisdom, &p, tree);
    arena_destroy(&a);
    return kept;
}

/* words: NULL: nothing must be known. */
static void assert_knows(struct wisdom *wisdom, int64_t n, const char *words)
{
    arena *a = arena_create();
    struct problem p = line_of(n);
    p.scale[1] = 0.5; /* does not matter */
    const struct plan_node *tree = wisdom_find(wisdom, &p, a);
    struct text text = TEXT_EMPTY;
    if (tree) plan_print(&text, tree);
    assert_string_equal(text_chars(&text), words ? words : "");
    text_free(&text);
    arena_destroy(&a);
}

static void what_is_kept_is_known_from_run_to_run(void **state)
{
    struct place *place = *state;
    struct wisdom *wisdom = open_wisdom(&place->device);
    const uint64_t generation = wisdom_generation(wisdom);
    assert_knows(wisdom, 64, NULL);
    assert_true(keep(wisdom, 64, "block(64: 8.8)"));
    assert_true(wisdom_generation(wisdom) > generation);
    assert_knows(wisdom, 64, "block(64: 8.8)");
    assert_true(keep(wisdom, 64, "block(64: 4.16)"));
    assert_true(keep(wisdom, 60, "block(60: 6.10)"));
    wisdom_destroy(&wisdom);
    wisdom = open_wisdom(&place->device);
    assert_knows(wisdom, 64, "block(64: 4.16)");
    assert_knows(wisdom, 60, "block(60: 6.10)");
    assert_knows(wisdom, 61, NULL);
    wisdom_destroy(&wisdom);
}

/* Hooks are no part of a shape, but are told of one real at a time. */
static void what_does_not_serve_hooks_is_not_known_for_them(void **state)
{
    struct place *place = *state;
    struct wisdom *wisdom = open_wisdom(&place->device);
    struct problem p = line_of(4096);
    arena *a = arena_create();
    p.kind = WEFT_R2C;
    assert_true(wisdom_keep(
        wisdom, &p, parse(a, "real(4096: split(4096: block(64: 8.8), block(64: 8.8)))")));
    assert_non_null(wisdom_find(wisdom, &p, a));
    p.hooks.dims = 1;
    assert_null(wisdom_find(wisdom, &p, a));
    arena_destroy(&a);
    wisdom_destroy(&wisdom);
}

static void without_a_folder_wisdom_lasts_as_long_as_the_device(void **state)
{
    struct place *place = *state;
    setenv("WEFT_CACHE_DIR", "", 1);
    struct wisdom *wisdom = open_wisdom(&place->device);
    assert_false(keep(wisdom, 64, "block(64: 8.8)"));
    assert_knows(wisdom, 64, "block(64: 8.8)");
    wisdom_destroy(&wisdom);
    wisdom = open_wisdom(&place->device);
    assert_knows(wisdom, 64, NULL);
    wisdom_destroy(&wisdom);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static char *exported_of_two(struct place *place)
{
    setenv("WEFT_CACHE_DIR", "", 1);
    struct wisdom *wisdom = open_wisdom(&place->device);
    keep(wisdom, 64, "block(64: 8.8)");
    keep(wisdom, 60, "block(60: 6.10)");
    assert_int_equal(wisdom_export(wisdom, place->file), WEFT_OK);
    wisdom_destroy(&wisdom);
    size_t bytes;
    char *text = folder_read(place->file, 10000, &bytes);
    assert_non_null(text);
    return text;
}

static void what_is_exported_can_be_imported(void **state)
{
    struct place *place = *state;
    memory_free(exported_of_two(place));
    struct wisdom *wisdom = open_wisdom(&place->device);
    keep(wisdom, 64, "block(64: 16.4)");
    keep(wisdom, 32, "block(32: 4.8)");
    assert_int_equal(wisdom_import(wisdom, place->file), WEFT_OK);
    assert_knows(wisdom, 64, "block(64: 8.8)");
    assert_knows(wisdom, 60, "block(60: 6.10)");
    assert_knows(wisdom, 32, "block(32: 4.8)");
    wisdom_destroy(&wisdom);
}

static void assert_refused(struct place *place, const char *text, weft_status expected,
                           const char *message)
{
    struct wisdom *wisdom = open_wisdom(&place->device);
    keep(wisdom, 64, "block(64: 16.4)");
    write_file(place->file, text);
    assert_int_equal(wisdom_import(wisdom, place->file), expected);
    if (!strstr(error_last(), message)) fail_msg("\"%s\" lacks \"%s\"", error_last(), message);
    assert_knows(wisdom, 64, "block(64: 16.4)"); /* and nothing of the file, not even its start */
    assert_knows(wisdom, 60, NULL);
    wisdom_destroy(&wisdom);
}

/* The text with what stands at the first `from` replaced. */
static const char *with(const char *text, const char *from, const char *to)
{
    static char changed[10000];
    const char *at = strstr(text, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

static void wisdom_of_others_is_ignored_with_a_message(void **state)
{
    struct place *place = *state;
    char *text = exported_of_two(place);
    assert_refused(place, with(text, "wisdom 0", "wisdom 7"), WEFT_ERROR_UNSUPPORTED,
                   "weft wisdom 7");
    assert_refused(place, with(text, "device cpu", "device opencl:0, cpu"), WEFT_ERROR_UNSUPPORTED,
                   "is ignored: it is \"device opencl:0");
    memory_free(text);
}

static void damaged_wisdom_is_refused_with_its_line(void **state)
{
    struct place *place = *state;
    char *text = exported_of_two(place);
    assert_refused(place, "", WEFT_ERROR_ARGUMENT, ":1: ");
    assert_refused(place, with(text, "weft", "left"), WEFT_ERROR_ARGUMENT, ":1: ");
    assert_refused(place, with(text, "device", "devise"), WEFT_ERROR_ARGUMENT, ":2: ");
    assert_refused(place, with(text, "8.8", "8.7"), WEFT_ERROR_ARGUMENT, ":3: ");
    assert_refused(place, with(text, "6.10)\n", "6.10) \n"), WEFT_ERROR_ARGUMENT, ":4: ");
    assert_refused(place, with(text, "c2c", "r2c"), WEFT_ERROR_ARGUMENT, ":3: ");
    assert_refused(place, with(text, "60:1", "61:1"), WEFT_ERROR_ARGUMENT, ":4: ");
    assert_refused(place, with(text, "8.8)\n", "8.8)\n\n"), WEFT_ERROR_ARGUMENT, ":4: ");
    text[strlen(text) - 1] = 0;
    assert_refused(place, text, WEFT_ERROR_ARGUMENT, ":4: ");
    unlink(place->file);
    assert_int_equal(mkdir(place->file, 0700), 0);
    struct wisdom *wisdom = open_wisdom(&place->device);
    assert_int_equal(wisdom_import(wisdom, place->file), WEFT_ERROR_ARGUMENT);
    assert_int_equal(wisdom_export(wisdom, place->file), WEFT_ERROR_ARGUMENT);
    wisdom_destroy(&wisdom);
    memory_free(text);
}

/* Its own file is one among caches: if it is damaged it is written anew. */
static void a_damaged_file_of_its_own_counts_as_none(void **state)
{
    struct place *place = *state;
    char command[200];
    struct wisdom *wisdom = open_wisdom(&place->device);
    assert_true(keep(wisdom, 64, "block(64: 8.8)"));
    wisdom_destroy(&wisdom);
    snprintf(command, sizeof command, "sed -i s/8.8/8.9/ %s/wisdom/*.txt", place->folder);
    assert_int_equal(system(command), 0);
    wisdom = open_wisdom(&place->device);
    assert_knows(wisdom, 64, NULL);
    assert_true(keep(wisdom, 60, "block(60: 6.10)"));
    wisdom_destroy(&wisdom);
    wisdom = open_wisdom(&place->device);
    assert_knows(wisdom, 60, "block(60: 6.10)");
    wisdom_destroy(&wisdom);
}

static void processes_add_to_one_file(void **state)
{
    enum { PROCESSES = 4, EACH = 20 };
    struct place *place = *state;
    for (int c = 0; c < PROCESSES; c++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child > 0) continue;
        struct wisdom *wisdom = open_wisdom(&place->device);
        bool good = true;
        for (int i = 0; i < EACH; i++) {
            char words[40];
            const int radix = 2 + c;
            snprintf(words, sizeof words, "block(%d: %d.2)", 2 * radix, radix);
            arena *a = arena_create();
            struct problem p = line_of(2 * radix);
            p.axis[0].in_stride = i;
            good = wisdom_keep(wisdom, &p, parse(a, words)) && good;
            arena_destroy(&a);
        }
        wisdom_destroy(&wisdom);
        _exit(good ? 0 : 1);
    }
    for (int c = 0; c < PROCESSES; c++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    struct wisdom *wisdom = open_wisdom(&place->device);
    arena *a = arena_create();
    for (int c = 0; c < PROCESSES; c++) {
        for (int i = 0; i < EACH; i++) {
            struct problem p = line_of(2 * (2 + c));
            p.axis[0].in_stride = i;
            assert_non_null(wisdom_find(wisdom, &p, a));
        }
    }
    arena_destroy(&a);
    wisdom_destroy(&wisdom);
}

static void devices_have_files_of_their_own(void **state)
{
    struct place *place = *state;
    struct device null = {.ops = &null_device_ops}, other = {.ops = &null_device_ops};
    assert_int_equal(null_device_ops.open(NULL, &null), WEFT_OK);
    assert_int_equal(null_device_ops.open("simd=16", &other), WEFT_OK);
    struct wisdom *wisdom = open_wisdom(&null);
    assert_true(keep(wisdom, 64, "block(64: 8.8)"));
    wisdom_destroy(&wisdom);
    wisdom = open_wisdom(&other);
    assert_knows(wisdom, 64, NULL);
    assert_true(keep(wisdom, 64, "block(64: 4.16)"));
    wisdom_destroy(&wisdom);
    wisdom = open_wisdom(&null);
    assert_knows(wisdom, 64, "block(64: 8.8)");
    wisdom_destroy(&wisdom);
    wisdom = open_wisdom(&place->device);
    assert_knows(wisdom, 64, NULL);
    wisdom_destroy(&wisdom);
    null_device_ops.close(&null);
    null_device_ops.close(&other);
}

static void wisdom_survives_without_memory(void **state)
{
    struct place *place = *state;
    char *text = exported_of_two(place);
    setenv("WEFT_CACHE_DIR", place->folder, 1);
    arena *a = arena_create();
    const struct plan_node *tree = parse(a, "block(64: 8.8)");
    const struct problem p = line_of(64);
    const int64_t live = memory_live_blocks();
    bool done = false;
    for (int n = 0; !done && n < 200; n++) {
        struct wisdom *wisdom = NULL;
        memory_fail_after(n);
        weft_status status = wisdom_create(&place->device, &wisdom);
        if (!status) status = wisdom_import(wisdom, place->file);
        if (!status && !wisdom_keep(wisdom, &p, tree)) status = WEFT_ERROR_MEMORY;
        if (!status) status = wisdom_export(wisdom, place->file);
        memory_fail_after(-1);
        if (status) assert_true(status == WEFT_ERROR_MEMORY || status == WEFT_ERROR_ARGUMENT);
        wisdom_destroy(&wisdom);
        assert_int_equal(memory_live_blocks(), live);
        done = status == WEFT_OK;
    }
    assert_true(done);
    arena_destroy(&a);
    memory_free(text);
}

#define WITH_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, open_place, close_place)

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
        WITH_A_FOLDER(what_is_kept_is_known_from_run_to_run),
        WITH_A_FOLDER(what_does_not_serve_hooks_is_not_known_for_them),
        WITH_A_FOLDER(without_a_folder_wisdom_lasts_as_long_as_the_device),
        WITH_A_FOLDER(what_is_exported_can_be_imported),
        WITH_A_FOLDER(wisdom_of_others_is_ignored_with_a_message),
        WITH_A_FOLDER(damaged_wisdom_is_refused_with_its_line),
        WITH_A_FOLDER(a_damaged_file_of_its_own_counts_as_none),
        WITH_A_FOLDER(processes_add_to_one_file),
        WITH_A_FOLDER(devices_have_files_of_their_own),
        WITH_A_FOLDER(wisdom_survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
