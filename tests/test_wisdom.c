/* Wisdom: what is damaged or of another device is not used, and processes add to one file. */
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
#include "support/trees.h"
#include "tune/wisdom.h"

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
    const struct problem p = tree_line(n);
    const struct plan_node *tree = tree_parse(a, words);
    assert_non_null(tree);
    const bool kept = wisdom_keep(wisdom, &p, tree);
    arena_destroy(&a);
    return kept;
}

/* words: NULL: nothing must be known. */
static void assert_knows(struct wisdom *wisdom, int64_t n, const char *words)
{
    arena *a = arena_create();
    struct problem p = tree_line(n);
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
    struct problem p = tree_line(4096);
    arena *a = arena_create();
    p.kind = WEFT_R2C;
    assert_true(wisdom_keep(
        wisdom, &p, tree_parse(a, "real(4096: split(4096: block(64: 8.8), block(64: 8.8)))")));
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
            struct problem p = tree_line(2 * radix);
            p.axis[0].in_stride = i;
            good = wisdom_keep(wisdom, &p, tree_parse(a, words)) && good;
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
            struct problem p = tree_line(2 * (2 + c));
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
    const struct plan_node *tree = tree_parse(a, "block(64: 8.8)");
    const struct problem p = tree_line(64);
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
