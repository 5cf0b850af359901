/* GPU kernels, evaluated on the host: how they use memory, how they are cut, what is refused. */
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
#include "device/null/null.h"
#include "kernel/block.h"
#include "support/passes.h"

static struct random numbers = {1};

/* Room for an element more, as half a spectrum has it. */
static struct pass_array make_array(const struct program *program, bool out)
{
    struct pass longer = program->pass[0];
    longer.line.n += longer.half != PASS_NO_HALF;
    struct program *room = pass_program(&longer);
    room->problem = program->problem;
    const struct pass_array array = pass_array_make(&numbers, room, out);
    free(room);
    return array;
}

/* Runs a pass of a power of two and returns what was counted. */
static struct ir_report report_of(const char *limits, struct pass pass, weft_precision precision)
{
    struct program *program = pass_program(&pass);
    program->problem.precision = precision;
    struct device device = pass_device_open(limits);
    struct pass_array in = make_array(program, false), out = make_array(program, true);
    if (pass_run(&device, program, NULL, WEFT_FORWARD, &in, &out)) fail_msg("%s", error_last());
    struct ir_report report;
    null_device_report(&device, &report);
    pass_array_free(&in);
    pass_array_free(&out);
    null_device_ops.close(&device);
    free(program);
    return report;
}

static const struct {
    int64_t n;
    int radix[8];
} powers[] = {
    {16, {16}},       {32, {8, 4}},          {64, {8, 8}},        {128, {16, 8}},
    {256, {16, 16}},  {256, {4, 4, 4, 4}},   {512, {8, 8, 8}},    {1024, {16, 8, 8}},
    {1024, {32, 32}}, {1024, {4, 4, 4, 16}}, {2048, {16, 16, 8}}, {2048, {8, 16, 16}},
};

static void powers_of_two_meet_no_bank_conflict(void **state)
{
    (void)state;
    static const char *const large[] = {"shared=49152,threads=1024",
                                        "shared=32768,threads=256,simd=64,coalescing=64"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        for (int variant = 0; variant < 8; variant++) {
            struct pass pass = pass_transform(powers[i].n, powers[i].radix);
            bool columns_in = variant & 1, columns_out = variant & 2;
            pass.line.in_stride = columns_in ? 32 : 1;
            pass.line.out_stride = columns_out ? 32 : 1;
            pass_add_loop(&pass, 32, columns_in ? 1 : pass.length, columns_out ? 1 : pass.length);
            for (int d = 0; d < 2; d++) {
                struct ir_report report =
                    report_of(large[d], pass, variant & 4 ? WEFT_F64 : WEFT_F32);
                if (report.bank_conflicts) {
                    fail_msg("%lld conflicts in %lld accesses: n %lld, radices %d.%d, variant %d, "
                             "device %s",
                             (long long)report.bank_conflicts, (long long)report.shared_accesses,
                             (long long)pass.length, pass.radix[0], pass.radix[1], variant,
                             large[d]);
                }
            }
        }
    }
}

static void clusters_meet_none_either(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        int radix[8], cluster;
    } shared[] = {{1024, {32, 32}, 2},    {1024, {16, 8, 8}, 4},      {2048, {8, 16, 16}, 8},
                  {2048, {16, 8, 16}, 4}, {4096, {16, 16, 16}, 8}, {8192, {16, 32, 16}, 2}};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        for (int p = WEFT_F32; p <= WEFT_F64; p++) {
            struct pass pass = pass_transform(shared[i].n, shared[i].radix);
            pass.cluster = shared[i].cluster;
            pass_add_loop(&pass, 2, pass.length, pass.length);
            const char *limits = "shared=49152,threads=1024";
            assert_int_equal(report_of(limits, pass, (weft_precision)p).bank_conflicts, 0);
        }
    }
}

/* What unfolds or folds a line, whose rows or columns go with their mirrors: the first block's, of
 * which two are their own ones, and mirrors that an exchange brings to a thread meet some. */
static void mirrors_of_clusters_meet_few(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        int radix[8], cluster;
    } shared[] = {{1024, {16, 8, 8}, 4},
                  {2048, {8, 8, 8, 4}, 4},
                  {4096, {16, 16, 16}, 8},
                  {4096, {4, 16, 8, 8}, 2}};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        for (int variant = 0; variant < 8; variant++) {
            struct pass pass = pass_transform(shared[i].n, shared[i].radix);
            pass.cluster = shared[i].cluster;
            pass.one_way = true;
            pass.half = variant & 1 ? PASS_HALF_SPREAD : PASS_HALF_FOLD;
            pass.half_n = 2 * pass.length;
            pass.half_stride = pass.half_map.line = 1;
            pass_add_loop(&pass, 2, pass.length + 1, pass.length + 1);
            const char *limits = variant & 2 ? "shared=49152,threads=1024"
                                             : "shared=49152,threads=32";
            const struct ir_report report =
                report_of(limits, pass, variant & 4 ? WEFT_F64 : WEFT_F32);
            const int64_t most = variant & 1 ? report.shared_accesses / 5 : 0;
            assert_true(report.bank_conflicts <= most);
        }
    }
}

/* Interleaved parts are loaded one by one, so each transaction serves two accesses. Tiles of longer
 * columns would need more shared memory to be wide enough. */
static void global_memory_is_accessed_in_whole_transactions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        struct pass pass = pass_transform(powers[i].n, powers[i].radix);
        for (int columns = 0; columns < (pass.length > 512 ? 1 : 2); columns++) {
            struct pass tried = pass;
            if (columns) tried.line.in_stride = tried.line.out_stride = 64;
            pass_add_loop(&tried, 64, columns ? 1 : tried.length, columns ? 1 : tried.length);
            struct ir_report report = report_of("shared=49152,threads=1024", tried, WEFT_F32);
            double share = (double)report.transactions / (double)report.ideal_transactions;
            if (share > 2.3) {
                fail_msg("n %lld, columns %d: %g", (long long)pass.length, columns, share);
            }
        }
    }
}

static void a_grid_may_be_cut_into_launches(void **state)
{
    (void)state;
    enum { LINES = 100, COUNT = LINES * 8 };
    static float in[2 * COUNT], whole[2 * COUNT], parts[2 * COUNT];
    struct pass pass = pass_transform(8, RADICES(8));
    pass_add_loop(&pass, LINES, 8, 8);
    struct program *program = pass_program(&pass);
    struct limits limits;
    limits_default_gpu(&limits);
    arena *a = arena_create();
    struct block_kernel info;
    const struct ir *kernel =
        block_build(a, program, 0, &limits, WEFT_INTERLEAVED, WEFT_INTERLEAVED, &info);
    assert_non_null(kernel);
    assert_true(info.blocks > 1);
    for (int i = 0; i < 2 * COUNT; i++)
        in[i] = (float)random_number(&numbers);
    int64_t params[BLOCK_PARAM_COUNT] = {0};
    struct ir_launch launch = {
        .blocks = info.blocks,
        .threads = info.threads,
        .single = true,
        .coalescing_bytes = 128,
        .simd_width = 32,
        .banks = 32,
        .params = params,
    };
    launch.buffer[BLOCK_IN_RE] = in;
    launch.buffer[BLOCK_OUT_RE] = whole;
    launch.buffer_count[BLOCK_IN_RE] = launch.buffer_count[BLOCK_OUT_RE] = 2 * COUNT;
    struct ir_report report;
    assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
    launch.buffer[BLOCK_OUT_RE] = parts;
    launch.blocks = 1;
    for (; params[BLOCK_FIRST] < info.blocks; params[BLOCK_FIRST]++) {
        assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
        assert_string_equal(report.first, "");
    }
    assert_memory_equal(whole, parts, sizeof whole);
    arena_destroy(&a);
    free(program);
}

/* ---- limits ---- */

static weft_status try_create(const char *limits, const struct pass *pass)
{
    struct program *program = pass_program(pass);
    struct device device = pass_device_open(limits);
    struct kernel *kernel = NULL;
    weft_status status = null_device_ops.pass_create(&device, program, 0, NULL, &kernel);
    null_device_ops.pass_destroy(&device, &kernel);
    null_device_ops.close(&device);
    free(program);
    return status;
}

static void shared_memory_need_only_hold_one_component(void **state)
{
    (void)state;
    struct pass pass = pass_transform(1024, RADICES(16, 8, 8));
    assert_int_equal(try_create("shared=8192", &pass), WEFT_OK);
    assert_int_equal(try_create("shared=4096", &pass), WEFT_OK);
    assert_int_equal(try_create("shared=4092", &pass), WEFT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error_last(), "4096"));
    struct ir_report report = report_of("shared=4096,threads=64", pass, WEFT_F32);
    assert_string_equal(report.first, "");
}

static void no_memory_is_an_error_and_nothing_leaks(void **state)
{
    (void)state;
    struct pass pass = pass_transform(16, RADICES(4, 4));
    pass_add_loop(&pass, 3, 16, 16);
    struct program *program = pass_program(&pass);
    struct device device = pass_device_open(NULL);
    struct pass_array a = pass_array_make(&numbers, program, false);
    int64_t blocks = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t after = 0; status != WEFT_OK; after++) {
        struct kernel *kernel = NULL;
        memory_fail_after(after);
        status = null_device_ops.pass_create(&device, program, 0, NULL, &kernel);
        if (!status) {
            struct pass_arguments arguments = {.direction = WEFT_FORWARD};
            arguments.place[PASS_INPUT] = arguments.place[PASS_OUTPUT] = pass_array_memory(&a);
            status = null_device_ops.pass_run(&device, kernel, &arguments);
        }
        memory_fail_after(-1);
        null_device_ops.pass_destroy(&device, &kernel);
        assert_true(status == WEFT_OK || status == WEFT_ERROR_MEMORY);
        assert_int_equal(memory_live_blocks(), blocks);
        assert_true(after < 10000);
    }
    pass_array_free(&a);
    null_device_ops.close(&device);
    free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_of_two_meet_no_bank_conflict),
        cmocka_unit_test(clusters_meet_none_either),
        cmocka_unit_test(mirrors_of_clusters_meet_few),
        cmocka_unit_test(global_memory_is_accessed_in_whole_transactions),
        cmocka_unit_test(a_grid_may_be_cut_into_launches),
        cmocka_unit_test(shared_memory_need_only_hold_one_component),
        cmocka_unit_test(no_memory_is_an_error_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
