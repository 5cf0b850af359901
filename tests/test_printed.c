/* Printed kernels that are kept: as good as built ones, and never those of something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/identity.h"
#include "device/gpu/printed.h"
#include "plan/planner.h"
#include "print/opencl.h"

/* A folder that cannot be made: the stores of these tests are in memory alone. */
#define NO_FOLDER "/dev/null/kernels"

static int prints; /* kernels printed so far, which is to say built */

static weft_status count_and_print(const struct gpu_printer *printer, const struct ir *ir,
                                   struct gpu_pass *pass)
{
    prints++;
    return gpu_print_c_like(printer, ir, pass);
}

static const struct gpu_printer printer = {
    .name = "test", .fma = true, .print = count_and_print, .language = &opencl_dialect};

static struct device a_device(void)
{
    struct device device = {.scratch_format = WEFT_INTERLEAVED};
    limits_default_gpu(&device.limits);
    return device;
}

static const struct program *a_program(arena *a, const struct device *device, int64_t n)
{
    const struct problem problem = {.axes = 1, .axis[0] = {n, 1, 1}, .loops = 1,
                                    .loop[0] = {40, n, n}, .scale = {1, 1}, .threads = 1};
    const struct plan_node *tree;
    const struct program *program;
    assert_int_equal(plan_best(a, &problem, &device->limits, &tree), WEFT_OK);
    assert_int_equal(plan_lower(a, &problem, &device->limits, tree, &program), WEFT_OK);
    return program;
}

static struct store *a_store(void)
{
    struct store *store = NULL;
    assert_int_equal(store_open(NO_FOLDER, &store), WEFT_OK);
    return store;
}

/* Whether the pass was built; it comes to nothing. */
static bool builds(const struct device *device, const struct program *program, int index,
                   const struct gpu_printer *with, struct store *store)
{
    struct gpu_pass pass;
    const int before = prints;
    assert_int_equal(gpu_pass_build(device, program, index, with, store, &pass), WEFT_OK);
    gpu_pass_forget_source(&pass);
    return prints > before;
}

static void assert_same(const struct gpu_pass *a, const struct gpu_pass *b)
{
    assert_int_equal(a->source.length, b->source.length);
    assert_memory_equal(text_chars(&a->source), text_chars(&b->source), a->source.length);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->dynamic_shared_bytes, b->dynamic_shared_bytes);
    assert_int_equal(a->from, b->from);
    assert_int_equal(a->to, b->to);
    assert_int_equal(a->one_way, b->one_way);
    assert_int_equal(a->buffers, b->buffers);
    assert_memory_equal(a->buffer, b->buffer, sizeof a->buffer);
    assert_int_equal(a->info.pass, b->info.pass);
    assert_int_equal(a->info.threads, b->info.threads);
    assert_int_equal(a->info.columns, b->info.columns);
    assert_int_equal(a->info.blocks, b->info.blocks);
    assert_int_equal(a->info.shared_bytes, b->info.shared_bytes);
    assert_int_equal(a->info.tables, b->info.tables);
    for (int t = 0; t < a->info.tables; t++) {
        assert_int_equal(a->info.table[t].kind, b->info.table[t].kind);
        assert_int_equal(a->info.table[t].order, b->info.table[t].order);
        assert_int_equal(a->info.table[t].length, b->info.table[t].length);
        assert_int_equal(a->info.table[t].source, b->info.table[t].source);
        assert_int_equal(a->info.table[t].buffer, b->info.table[t].buffer);
    }
}

static void what_is_kept_is_what_would_be_built(void **state)
{
    (void)state;
    static const int64_t sizes[] = {16, 1000, 1009, 4093, 65536, 100003};
    const struct device device = a_device();
    struct store *store = a_store();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        arena *a = arena_create();
        const struct program *program = a_program(a, &device, sizes[i]);
        for (int p = 0; p < program->passes; p++) {
            struct gpu_pass built, kept;
            assert_true(builds(&device, program, p, &printer, store));
            assert_int_equal(gpu_pass_build(&device, program, p, &printer, NULL, &built), WEFT_OK);
            const int before = prints;
            assert_int_equal(gpu_pass_build(&device, program, p, &printer, store, &kept), WEFT_OK);
            assert_int_equal(prints, before);
            assert_same(&built, &kept);
            gpu_pass_forget_source(&built);
            gpu_pass_forget_source(&kept);
        }
        arena_destroy(&a);
    }
    store_close(&store);
}

static void a_plan_that_is_made_again_finds_its_kernels(void **state)
{
    (void)state;
    const struct device device = a_device();
    struct store *store = a_store();
    for (int turn = 0; turn < 3; turn++) {
        arena *a = arena_create();
        const struct program *program = a_program(a, &device, 100003);
        for (int p = 0; p < program->passes; p++)
            assert_int_equal(builds(&device, program, p, &printer, store), turn == 0);
        arena_destroy(&a);
    }
    store_close(&store);
}

static void whatever_a_kernel_depends_on_tells_it_apart(void **state)
{
    (void)state;
    arena *a = arena_create();
    struct device device = a_device();
    struct store *store = a_store();
    struct program *program = program_fitted(a, a_program(a, &device, 1009));
    assert_true(builds(&device, program, 0, &printer, store));
    assert_false(builds(&device, program, 0, &printer, store));
    program->problem.scale[1] = 0.5;
    assert_true(builds(&device, program, 0, &printer, store));
    program->problem.format = WEFT_PLANAR;
    assert_true(builds(&device, program, 0, &printer, store));
    program->problem.precision = WEFT_F64;
    assert_true(builds(&device, program, 0, &printer, store));
    program->pass[0].columns = 2;
    assert_true(builds(&device, program, 0, &printer, store));
    program->pass[0].loop[0].in_stride++;
    assert_true(builds(&device, program, 0, &printer, store));
    program->table[0].m += 8;
    assert_true(builds(&device, program, 0, &printer, store));
    device.limits.shared_bytes /= 2;
    assert_true(builds(&device, program, 0, &printer, store));
    device.limits.simd_width = 16;
    assert_true(builds(&device, program, 0, &printer, store));
    struct gpu_printer other = printer;
    other.fma = false;
    assert_true(builds(&device, program, 0, &other, store));
    other.name = "another";
    assert_true(builds(&device, program, 0, &other, store));
    assert_false(builds(&device, program, 0, &other, store));
    store_close(&store);
    arena_destroy(&a);
}

static void the_key_names_the_build(void **state)
{
    (void)state;
    arena *a = arena_create();
    const struct device device = a_device();
    struct text key = TEXT_EMPTY;
    gpu_printed_key(&key, &device, a_program(a, &device, 16), 0, &printer);
    assert_int_equal(strlen(gpu_identity), 64);
    assert_non_null(strstr(text_chars(&key), gpu_identity));
    text_free(&key);
    arena_destroy(&a);
}

static void what_is_too_short_to_be_a_kernel_is_built_anew(void **state)
{
    (void)state;
    arena *a = arena_create();
    const struct device device = a_device();
    struct store *store = a_store();
    const struct program *program = a_program(a, &device, 64);
    struct text key = TEXT_EMPTY;
    gpu_printed_key(&key, &device, program, 0, &printer);
    store_put(store, text_chars(&key), key.length, "short", 5);
    assert_true(builds(&device, program, 0, &printer, store));
    assert_false(builds(&device, program, 0, &printer, store));
    text_free(&key);
    store_close(&store);
    arena_destroy(&a);
}

static void memory_that_fails_leaves_nothing_behind(void **state)
{
    (void)state;
    arena *a = arena_create();
    const struct device device = a_device();
    const struct program *program = a_program(a, &device, 64);
    for (int kept = 0; kept < 2; kept++) {
        struct store *store = a_store();
        if (kept) assert_true(builds(&device, program, 0, &printer, store));
        weft_status status = WEFT_ERROR_MEMORY;
        for (int64_t successes = 0; status; successes++) {
            struct gpu_pass pass;
            memory_fail_after(successes);
            status = gpu_pass_build(&device, program, 0, &printer, store, &pass);
            memory_fail_after(-1);
            assert_true(status == WEFT_OK || status == WEFT_ERROR_MEMORY);
            if (!status) gpu_pass_forget_source(&pass);
            if (status) assert_null(pass.source.data);
        }
        store_close(&store);
    }
    arena_destroy(&a);
}

int main(void)
{
    const int64_t before = memory_live_blocks();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_what_would_be_built),
        cmocka_unit_test(a_plan_that_is_made_again_finds_its_kernels),
        cmocka_unit_test(whatever_a_kernel_depends_on_tells_it_apart),
        cmocka_unit_test(the_key_names_the_build),
        cmocka_unit_test(what_is_too_short_to_be_a_kernel_is_built_anew),
        cmocka_unit_test(memory_that_fails_leaves_nothing_behind),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed || memory_live_blocks() != before;
}
